//! Which address a page has on the site, and which paths of the inner service an address may mean.

use super::address::{AddressError, AddressErrorKind};
use super::{Mode, Site};
use std::borrow::Cow;
use url::{Position, Url};

/// Extensions of pages that the registry of media types takes for something else.
const PAGE_EXTENSIONS: [&str; 9] = [
    "html", "htm", "xhtml", "md", "markdown", "php", "asp", "aspx", "jsp",
];

impl Site {
    /// The address under which the site offers the page at `url`, or `None` if a link to `url` is
    /// to be left as it is: to another site, to something that is no web page (`mailto:`, `tel:`),
    /// to an asset (a path whose extension is that of an image, an archive, a style sheet, …).
    ///
    /// The address is absolute, the query string is dropped and the fragment kept. In static mode
    /// it ends in `.md`.
    ///
    /// ```
    /// use markdown_for_agents::markway::Site;
    ///
    /// let site = Site::static_site("https://example.com".parse()?);
    /// let address = |url: &str| site.address_of(&url.parse().unwrap());
    /// assert_eq!(address("https://example.com/a/b?c=d#e").as_deref(), Some("/a/b.md#e"));
    /// assert_eq!(address("https://example.com/a/").as_deref(), Some("/a/index.md"));
    /// assert_eq!(address("https://example.com/a.html").as_deref(), Some("/a.md"));
    /// assert_eq!(address("https://example.com/logo.png"), None);
    /// assert_eq!(address("https://example.org/a.html"), None);
    ///
    /// let site = Site::dynamic("https://example.com".parse()?);
    /// let address = |url: &str| site.address_of(&url.parse().unwrap());
    /// assert_eq!(address("https://example.com/a/b?c=d#e").as_deref(), Some("/a/b#e"));
    /// # Ok::<(), markdown_for_agents::markway::BaseUrlError>(())
    /// ```
    #[must_use]
    pub fn address_of(&self, url: &Url) -> Option<String> {
        let path = self.base_url().path_of(url)?;
        if is_asset(path) {
            return None;
        }
        let path = match self.mode() {
            Mode::Static => markdown_path(path),
            Mode::Dynamic => Cow::Borrowed(path),
        };
        // What cannot come back as a request (see `inner_paths`) is no address of the protocol.
        validate(&path).ok()?;
        // From before the `#`, which is not there if the fragment is not.
        let fragment = &url[Position::AfterQuery..];
        Some(format!("{path}{fragment}"))
    }

    /// The paths of the inner service that the path of a request may mean, the most exact one
    /// first, all still percent-encoded.
    ///
    /// In static mode `/a/b.md` may be `/a/b.md` itself, `/a/b` or `/a/b.html`, and `/a/index.md`
    /// may be itself, `/a/`, `/a/index.html` or `/a/index`. Every other path means only itself.
    ///
    /// ```
    /// use markdown_for_agents::markway::Site;
    ///
    /// let site = Site::static_site("https://example.com".parse()?);
    /// assert_eq!(site.inner_paths("/a/b.md")?, ["/a/b.md", "/a/b", "/a/b.html"]);
    /// assert!(site.inner_paths("/a/%2e%2e/b.md").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The path has dot segments, empty segments, encoded slashes or backslashes, control
    /// characters (NUL too) or a malformed percent-encoding: nothing that this site names itself,
    /// and nothing that an inner service should be trusted to read as we do.
    pub fn inner_paths(&self, path: &str) -> Result<Vec<String>, AddressError> {
        validate(path)?;
        let mut paths = vec![path.to_owned()];
        if self.mode() == Mode::Static {
            if let Some(directory) = path
                .strip_suffix("index.md")
                .filter(|path| path.ends_with('/'))
            {
                paths.extend([
                    directory.to_owned(),
                    format!("{directory}index.html"),
                    format!("{directory}index"),
                ]);
            } else if let Some(stem) = path.strip_suffix(".md").filter(|stem| !stem.ends_with('/'))
            {
                paths.extend([stem.to_owned(), format!("{stem}.html")]);
            }
        }
        Ok(paths)
    }
}

/// Whether `path` leads to something that is no page, judged by its extension.
pub(super) fn is_asset(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    if stem.is_empty()
        || PAGE_EXTENSIONS
            .iter()
            .any(|page| page.eq_ignore_ascii_case(extension))
    {
        return false;
    }
    mime_guess::from_ext(extension).first_raw().is_some()
}

/// The path of the Markdown of the page at `path`.
///
/// Only the exact extension `.html` is replaced, because it is the only one that the way back
/// tries. All others stay and get `.md` behind them.
fn markdown_path(path: &str) -> Cow<'_, str> {
    if path.ends_with('/') {
        return Cow::Owned(format!("{path}index.md"));
    }
    if path.ends_with(".md") {
        return Cow::Borrowed(path);
    }
    match path.strip_suffix(".html") {
        Some(stem) if !stem.ends_with('/') => Cow::Owned(format!("{stem}.md")),
        _ => Cow::Owned(format!("{path}.md")),
    }
}

/// Refuses every path whose segments could mean different things to different readers.
pub(super) fn validate(path: &str) -> Result<(), AddressError> {
    let fail = |kind| Err(AddressError::new(kind));
    let Some(relative) = path.strip_prefix('/') else {
        return fail(AddressErrorKind::Form);
    };
    let mut segments = relative.split('/').peekable();
    while let Some(segment) = segments.next() {
        // An empty last segment is the slash of a directory.
        if segment.is_empty() && segments.peek().is_some() {
            return fail(AddressErrorKind::EmptySegment);
        }
        let decoded = decode(segment)?;
        if decoded.iter().any(u8::is_ascii_control) {
            return fail(AddressErrorKind::Control);
        }
        if decoded.contains(&b'/') || decoded.contains(&b'\\') {
            return fail(AddressErrorKind::EncodedSlash);
        }
        // `...md` is a hidden file's name, but `..md`, `.md` lead to no page either.
        if matches!(&*decoded, b"." | b"..") || matches!(&*decoded, b"..md" | b"...md") {
            return fail(AddressErrorKind::DotSegment);
        }
    }
    Ok(())
}

/// The bytes of a segment, with its percent-encoding resolved once.
fn decode(segment: &str) -> Result<Cow<'_, [u8]>, AddressError> {
    let bytes = segment.as_bytes();
    let well_formed = bytes
        .iter()
        .enumerate()
        .filter(|&(_, &byte)| byte == b'%')
        .all(|(at, _)| matches!(bytes.get(at + 1..at + 3), Some([a, b]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()));
    if !well_formed {
        return Err(AddressError::new(AddressErrorKind::Percent));
    }
    Ok(percent_encoding::percent_decode(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn static_site() -> Site {
        Site::static_site("https://example.com".parse().unwrap())
    }

    #[test]
    fn links_of_a_static_site_end_in_md() {
        for (url, address) in [
            ("https://example.com", "/index.md"),
            ("https://example.com/", "/index.md"),
            ("https://example.com/?page=2", "/index.md"),
            ("https://example.com/#top", "/index.md#top"),
            ("https://example.com/a/b", "/a/b.md"),
            ("https://example.com/a/b.md", "/a/b.md"),
            ("https://example.com/a/b.md#c", "/a/b.md#c"),
            ("https://example.com/a/", "/a/index.md"),
            ("https://example.com/a/index.html", "/a/index.md"),
            ("https://example.com/a/b.html?c#d", "/a/b.md#d"),
            ("https://example.com/a/B.HTML", "/a/B.HTML.md"),
            ("https://example.com/a/b.htm", "/a/b.htm.md"),
            ("https://example.com/a.php?id=1", "/a.php.md"),
            ("https://example.com/v1.2", "/v1.2.md"),
            ("https://example.com/src/lib.rs.html", "/src/lib.rs.md"),
            ("https://example.com/%E4%B8%AD/a%20b", "/%E4%B8%AD/a%20b.md"),
            ("https://example.com:443/a", "/a.md"),
            ("https://example.com/.html", "/.html.md"),
        ] {
            assert_eq!(
                static_site().address_of(&url.parse().unwrap()).as_deref(),
                Some(address),
                "{url}"
            );
        }
    }

    #[test]
    fn assets_other_hosts_and_other_schemes_are_left_alone() {
        for url in [
            "https://example.com/logo.png",
            "https://example.com/style.css?v=3",
            "https://example.com/book.pdf#page=2",
            "https://example.com/feed.xml",
            "https://example.com/a.ZIP",
            "https://example.org/a",
            "http://example.com/a",
            "https://example.com:8443/a",
            "https://sub.example.com/",
            "mailto:a@example.com",
            "tel:+123",
            "https://example.com/a%2Fb",
            "https://example.com/a//b",
        ] {
            assert_eq!(
                static_site().address_of(&url.parse().unwrap()),
                None,
                "{url}"
            );
        }
    }

    #[test]
    fn every_address_leads_back_to_the_page_it_was_made_from() {
        for path in [
            "/",
            "/a/b",
            "/a/b.md",
            "/a/",
            "/a/index.html",
            "/a.html",
            "/A.HTML",
            "/a.htm",
            "/v1.2",
            "/x.rs.html",
            "/%E4%B8%AD%20",
        ] {
            let url = format!("https://example.com{path}").parse().unwrap();
            let address = static_site().address_of(&url).unwrap();
            assert!(
                static_site()
                    .inner_paths(&address)
                    .unwrap()
                    .iter()
                    .any(|inner| inner == path),
                "{path} became {address}"
            );
        }
    }

    #[test]
    fn an_md_address_names_its_candidates_in_order() {
        for (path, expected) in [
            ("/a/b.md", vec!["/a/b.md", "/a/b", "/a/b.html"]),
            ("/index.md", vec!["/index.md", "/", "/index.html", "/index"]),
            (
                "/a/index.md",
                vec!["/a/index.md", "/a/", "/a/index.html", "/a/index"],
            ),
            (
                "/reindex.md",
                vec!["/reindex.md", "/reindex", "/reindex.html"],
            ),
            ("/a.html.md", vec!["/a.html.md", "/a.html", "/a.html.html"]),
            ("/a", vec!["/a"]),
            ("/a/", vec!["/a/"]),
            ("/logo.png", vec!["/logo.png"]),
            ("/", vec!["/"]),
        ] {
            assert_eq!(static_site().inner_paths(path).unwrap(), expected, "{path}");
        }
        let dynamic = Site::dynamic("https://example.com".parse().unwrap());
        assert_eq!(dynamic.inner_paths("/a.md").unwrap(), ["/a.md"]);
    }

    #[test]
    fn paths_that_could_leave_the_root_are_refused() {
        use AddressErrorKind as Kind;
        for (path, kind) in [
            ("", Kind::Form),
            ("a.md", Kind::Form),
            ("*", Kind::Form),
            ("/../a.md", Kind::DotSegment),
            ("/a/../b.md", Kind::DotSegment),
            ("/a/./b.md", Kind::DotSegment),
            ("/a/..", Kind::DotSegment),
            ("/%2e%2e/a.md", Kind::DotSegment),
            ("/.%2E/a.md", Kind::DotSegment),
            ("/a/...md", Kind::DotSegment),
            ("/a/..md", Kind::DotSegment),
            ("/a%2fb.md", Kind::EncodedSlash),
            ("/%2Fetc%2Fpasswd.md", Kind::EncodedSlash),
            ("/..%2F..%2Fetc/passwd.md", Kind::EncodedSlash),
            ("/a%5Cb.md", Kind::EncodedSlash),
            ("/a\\b.md", Kind::EncodedSlash),
            ("/a%00.md", Kind::Control),
            ("/a%0D%0A.md", Kind::Control),
            ("//etc/passwd.md", Kind::EmptySegment),
            ("/a//b.md", Kind::EmptySegment),
            ("/a%.md", Kind::Percent),
            ("/a%zz.md", Kind::Percent),
            ("/a%4", Kind::Percent),
            ("/a%\u{4e2d}", Kind::Percent),
        ] {
            assert_eq!(
                static_site().inner_paths(path).unwrap_err().kind(),
                kind,
                "{path}"
            );
        }
    }

    #[test]
    fn a_double_encoding_is_resolved_only_once() {
        assert_eq!(
            static_site().inner_paths("/%252e%252e/a.md").unwrap()[0],
            "/%252e%252e/a.md"
        );
    }
}
