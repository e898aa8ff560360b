//! What an operator can choose about the conversion.

use super::rewrite::LinkRewriter;
use super::selector::{Selector, SelectorError, Skipped};
use crate::fnv::fnv1a;
use crate::markdown::Columns;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

/// Options of a [`Converter`](super::Converter): cheap to clone, shared by all pages of a site.
///
/// ```
/// use markdown_for_agents::convert::{Converter, Options};
///
/// let options = Options::new().front_matter(false).skip(".advert")?;
/// let mut converter = Converter::new(options);
/// converter.write(b"<p>Text<p class=advert>Buy!")?;
/// converter.finish()?;
/// assert_eq!(converter.take(), "Text\n");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    inner: Arc<Inner>,
}

#[derive(Debug, Clone)]
struct Inner {
    front_matter: bool,
    structured_data: bool,
    all_links: bool,
    all_images: bool,
    resolve_links: bool,
    link_rewriter: Option<LinkRewriter>,
    link_list_columns: Option<Columns>,
    navigation_heading: Option<String>,
    exact: bool,
    main_content_only: bool,
    skipped: Skipped,
    max_token: usize,
    max_code: usize,
    max_table: usize,
    max_structured_data: usize,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            front_matter: true,
            structured_data: true,
            all_links: false,
            all_images: false,
            resolve_links: true,
            link_rewriter: None,
            link_list_columns: None,
            navigation_heading: None,
            exact: false,
            main_content_only: false,
            skipped: Skipped::default(),
            max_token: 256 << 10,
            max_code: 64 << 10,
            max_table: 64 << 10,
            max_structured_data: 64 << 10,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        // Shared: the selectors of what is left out are read only once.
        static DEFAULT: LazyLock<Options> = LazyLock::new(|| Options {
            inner: Arc::default(),
        });
        DEFAULT.clone()
    }
}

impl Options {
    /// The default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The whole page as it stands: nothing is left out but `script`, `style` and `template`; links
    /// of every scheme and all images stay; relative addresses stay relative; empty blocks and
    /// links and emphasis within emphasis are written too; no front matter, no structured data.
    ///
    /// ```
    /// use markdown_for_agents::convert::{Converter, Options};
    ///
    /// let mut converter = Converter::new(Options::verbatim()).url("https://example.com/");
    /// converter.write(b"<nav><a href=x>X</a></nav><img src=y>")?;
    /// converter.finish()?;
    /// assert_eq!(converter.take(), "[X](x)\n\n![](y)\n");
    /// # Ok::<_, markdown_for_agents::convert::ConvertError>(())
    /// ```
    #[must_use]
    pub fn verbatim() -> Self {
        Self {
            inner: Arc::new(Inner {
                front_matter: false,
                structured_data: false,
                all_links: true,
                all_images: true,
                resolve_links: false,
                exact: true,
                skipped: Skipped::nothing(),
                ..Inner::default()
            }),
        }
    }

    /// Whether the Markdown begins with YAML front matter: `title`, `description` and `url`, as
    /// far as they are known.
    ///
    /// ### Default
    ///
    /// `true`
    #[must_use]
    pub fn front_matter(mut self, yes: bool) -> Self {
        self.inner_mut().front_matter = yes;
        self
    }

    /// Whether `application/ld+json` scripts that hold valid JSON are appended under the heading
    /// "Structured data".
    ///
    /// ### Default
    ///
    /// `true`
    #[must_use]
    pub fn structured_data(mut self, yes: bool) -> Self {
        self.inner_mut().structured_data = yes;
        self
    }

    /// Whether only the main content of a page is written: the first `main` element, element of
    /// the role `main` or `article`, whichever begins first, with the front matter before it and
    /// the structured data behind it. What comes before is held until then and dropped; with more
    /// than 64 KiB of Markdown before any main content, and in a page without any, all is written.
    ///
    /// ```
    /// use markdown_for_agents::convert::{Converter, Options};
    ///
    /// let mut converter = Converter::new(Options::new().main_content_only(true));
    /// converter.write(b"<div>Menu</div><main><h1>Text</h1></main><div>Imprint</div>")?;
    /// converter.finish()?;
    /// assert_eq!(converter.take(), "# Text\n");
    /// # Ok::<_, markdown_for_agents::convert::ConvertError>(())
    /// ```
    ///
    /// ### Default
    ///
    /// `false`
    #[must_use]
    pub fn main_content_only(mut self, yes: bool) -> Self {
        self.inner_mut().main_content_only = yes;
        self
    }

    /// Gives links other destinations: `rewrite` gets the absolute address of each link to an
    /// `http` or `https` URL, with its query and fragment, and returns what the Markdown has for it,
    /// or `None` to leave it as it is. Images are not asked about, nor are links without an absolute
    /// address. With this option a link to a place on its own page, like `#top`, stays relative.
    ///
    /// The function must give the same answer for the same address. `revision` stands for it in the
    /// [fingerprint](Self::fingerprint): it must be another one if the function is.
    ///
    /// ```
    /// use markdown_for_agents::convert::{Converter, Options};
    ///
    /// let options = Options::new().front_matter(false).rewrite_links(1, |address| {
    ///     Some(format!("/{}.md", address.strip_prefix("https://example.com/")?))
    /// });
    /// let mut converter = Converter::new(options).url("https://example.com/");
    /// converter.write(b"<a href=guide>Guide</a>, <a href=https://example.org/>more</a>")?;
    /// converter.finish()?;
    /// assert_eq!(converter.take(), "[Guide](/guide.md), [more](https://example.org/)\n");
    /// # Ok::<_, markdown_for_agents::convert::ConvertError>(())
    /// ```
    ///
    /// ### Default
    ///
    /// Links keep their destinations.
    #[must_use]
    pub fn rewrite_links(
        mut self,
        revision: u64,
        rewrite: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.inner_mut().link_rewriter = Some(LinkRewriter::new(revision, rewrite));
        self
    }

    /// Writes a list of links as a table with these two columns. Such a list is one whose every item
    /// begins with a link to another page; text may follow the link, and lists of links may stand in
    /// the items: they become rows too. The address is bare text, with what Markdown could read as
    /// markup percent-encoded. The description is the text of the item, or the address where there
    /// is none. A link to a place on its own page, like `#top`, is no such link, and stays relative.
    ///
    /// A list stays a list if it has quotes, code, tables, rules or task boxes in it, if it stands in
    /// a table, or if it is longer than [`max_table`](Self::max_table).
    ///
    /// ```
    /// use markdown_for_agents::convert::{Converter, Options};
    ///
    /// let options = Options::new().front_matter(false).link_lists_as_tables("Address", "Description");
    /// let mut converter = Converter::new(options);
    /// converter.write(b"<ul><li><a href=/a>A</a>: the first<li><a href=/b>B</a></ul>")?;
    /// converter.finish()?;
    /// assert_eq!(
    ///     converter.take(),
    ///     "| Address | Description |\n| --- | --- |\n| /a | A: the first |\n| /b | B |\n"
    /// );
    /// # Ok::<_, markdown_for_agents::convert::ConvertError>(())
    /// ```
    ///
    /// ### Default
    ///
    /// Lists stay lists.
    #[must_use]
    pub fn link_lists_as_tables(mut self, address: &str, description: &str) -> Self {
        let name = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.inner_mut().link_list_columns = Some(Columns::new([name(address), name(description)]));
        self
    }

    /// Lists the links of the navigation that is [left out](Self::skip) at the end of the page, under
    /// this heading, each address once: those in `nav`, `footer` and `role=navigation`. For readers
    /// that have no other way through the site. Half as much is kept as [`max_table`](Self::max_table)
    /// says.
    ///
    /// ```
    /// use markdown_for_agents::convert::{Converter, Options};
    ///
    /// let options = Options::new().front_matter(false).navigation_at_end("Elsewhere");
    /// let mut converter = Converter::new(options);
    /// converter.write(b"<nav><a href=/next aria-label=Next><i></i></a></nav><h1>Page</h1>")?;
    /// converter.finish()?;
    /// assert_eq!(converter.take(), "# Page\n\n## Elsewhere\n\n- [Next](/next)\n");
    /// # Ok::<_, markdown_for_agents::convert::ConvertError>(())
    /// ```
    ///
    /// ### Default
    ///
    /// Navigation leaves nothing behind.
    #[must_use]
    pub fn navigation_at_end(mut self, heading: &str) -> Self {
        self.inner_mut().navigation_heading = Some(heading.to_owned());
        self
    }

    /// Leaves out the elements that match a selector: `tag`, `.class`, `#id`, `[attribute]` or
    /// `[attribute=value]`. Values compare without regard to ASCII case.
    ///
    /// ### Default
    ///
    /// `nav`, `footer`, `script`, `style`, `noscript`, `svg`, `button`, `template`, `[hidden]`,
    /// `[aria-hidden=true]`, `[role=navigation]`, `.skip-link`; of rustdoc `rustdoc-topbar`,
    /// `rustdoc-toolbar`, `.skip-main-content`; of mdBook
    /// `#mdbook-help-container`, `#mdbook-menu-bar`; of MediaWiki `.mw-editsection`,
    /// `.editsection`, `.mw-jump-link`; of Starlight `.sl-anchor-link`
    ///
    /// # Errors
    ///
    /// The selector is none of these forms.
    pub fn skip(mut self, selector: &str) -> Result<Self, SelectorError> {
        let selector = Selector::parse(selector)?;
        self.inner_mut().skipped.add(selector);
        Ok(self)
    }

    /// Takes a selector back, for instance one of the [defaults](Self::skip). `script`, `style` and
    /// `template` are always left out.
    ///
    /// ```
    /// use markdown_for_agents::convert::{Converter, Options};
    ///
    /// let mut converter = Converter::new(Options::new().front_matter(false).keep("footer")?);
    /// converter.write(b"<p>Text<footer>Imprint</footer>")?;
    /// converter.finish()?;
    /// assert_eq!(converter.take(), "Text\n\nImprint\n");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`skip`](Self::skip).
    pub fn keep(mut self, selector: &str) -> Result<Self, SelectorError> {
        let selector = Selector::parse(selector)?;
        self.inner_mut().skipped.remove(&selector);
        Ok(self)
    }

    /// The largest single token (a tag with its attributes, a comment), in bytes. Of a longer
    /// tag, the attributes beyond are lost; a longer comment costs no memory. Nothing else of the
    /// page is affected.
    ///
    /// ### Default
    ///
    /// 256 KiB; at least 64 KiB
    #[must_use]
    pub fn max_token(mut self, bytes: usize) -> Self {
        self.inner_mut().max_token = bytes.max(64 << 10);
        self
    }

    /// How much of a code block is held, in bytes, to choose its fence. A longer block is streamed
    /// under a long fence.
    ///
    /// ### Default
    ///
    /// 64 KiB
    #[must_use]
    pub fn max_code(mut self, bytes: usize) -> Self {
        self.inner_mut().max_code = bytes;
        self
    }

    /// How much of a table is held, in bytes, to find its columns. Of a longer table the first rows
    /// decide, and text outside of its cells that comes later goes into a cell. A table whose first
    /// row alone is longer is written as blocks.
    ///
    /// ```
    /// use markdown_for_agents::convert::{Converter, Options};
    ///
    /// let mut converter = Converter::new(Options::new().front_matter(false).max_table(1 << 10));
    /// converter.write(b"<table><tr><th>Key<th>Value<tr><td>a<td>1")?;
    /// assert_eq!(converter.ready(), 0);
    /// converter.write("<tr><td>b<td>2".repeat(20).as_bytes())?;
    /// assert!(converter.take().starts_with(b"| Key | Value |\n| --- | --- |\n| a | 1 |\n"));
    /// # Ok::<_, markdown_for_agents::convert::ConvertError>(())
    /// ```
    ///
    /// ### Default
    ///
    /// 64 KiB
    #[must_use]
    pub fn max_table(mut self, bytes: usize) -> Self {
        self.inner_mut().max_table = bytes;
        self
    }

    /// How much structured data is kept until the end of the page, in bytes. Scripts that do not
    /// fit are left out.
    ///
    /// ### Default
    ///
    /// 64 KiB
    #[must_use]
    pub fn max_structured_data(mut self, bytes: usize) -> Self {
        self.inner_mut().max_structured_data = bytes;
        self
    }

    /// A hash of the converter's version and of every option that changes the output: the same in
    /// every process and on every machine, so that it can be part of an entity tag.
    ///
    /// ```
    /// use markdown_for_agents::convert::Options;
    ///
    /// let default = Options::new().fingerprint();
    /// assert_eq!(Options::new().front_matter(true).fingerprint(), default);
    /// assert_ne!(Options::new().front_matter(false).fingerprint(), default);
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let Inner {
            front_matter,
            structured_data,
            all_links,
            all_images,
            resolve_links,
            link_rewriter,
            link_list_columns,
            navigation_heading,
            exact,
            main_content_only,
            skipped,
            max_token,
            max_code,
            max_table,
            max_structured_data,
        } = &*self.inner;
        let mut text = format!(
            "{} {front_matter} {structured_data} {all_links} {all_images} {resolve_links} {exact} \
             {main_content_only} {max_token} {max_code} {max_table} {max_structured_data}",
            super::OUTPUT_VERSION,
        );
        for selector in skipped.selectors() {
            // Writing to a string does not fail.
            let _ = write!(text, " {selector}");
        }
        if let Some(rewriter) = link_rewriter {
            let _ = write!(text, " links {}", rewriter.revision());
        }
        if let Some(columns) = link_list_columns {
            let _ = write!(text, " columns {columns:?}");
        }
        if let Some(heading) = navigation_heading {
            let _ = write!(text, " navigation {heading:?}");
        }
        fnv1a(text.bytes())
    }

    fn inner_mut(&mut self) -> &mut Inner {
        Arc::make_mut(&mut self.inner)
    }

    pub(super) fn has_front_matter(&self) -> bool {
        self.inner.front_matter
    }

    pub(super) fn has_structured_data(&self) -> bool {
        self.inner.structured_data
    }

    pub(super) fn keeps_all_links(&self) -> bool {
        self.inner.all_links
    }

    pub(super) fn keeps_all_images(&self) -> bool {
        self.inner.all_images
    }

    pub(super) fn navigation_heading(&self) -> Option<&str> {
        self.inner.navigation_heading.as_deref()
    }

    pub(super) fn link_rewriter(&self) -> Option<&LinkRewriter> {
        self.inner.link_rewriter.as_ref()
    }

    pub(super) fn link_list_columns(&self) -> Option<Columns> {
        self.inner.link_list_columns.clone()
    }

    pub(super) fn resolves_links(&self) -> bool {
        self.inner.resolve_links
    }

    /// What shows nothing is written too.
    pub(super) fn is_exact(&self) -> bool {
        self.inner.exact
    }

    pub(super) fn wants_main_content_only(&self) -> bool {
        self.inner.main_content_only
    }

    pub(super) fn skipped(&self) -> &Skipped {
        &self.inner.skipped
    }

    pub(super) fn token_limit(&self) -> usize {
        self.inner.max_token
    }

    pub(super) fn code_limit(&self) -> usize {
        self.inner.max_code
    }

    pub(super) fn table_limit(&self) -> usize {
        self.inner.max_table
    }

    pub(super) fn structured_data_limit(&self) -> usize {
        self.inner.max_structured_data
    }
}
