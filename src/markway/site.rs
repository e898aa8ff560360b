//! A site as the protocol sees it: where it is, how it works and which language it speaks.

use super::{BaseUrl, Language};

/// How a MarkWay site works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Fixed content: every address of the site ends in `.md`, every directory has an `index.md`.
    Static,
    /// Interfaces: GET documents an address, POST uses it.
    Dynamic,
}

impl Mode {
    /// The path of the root answer.
    #[must_use]
    pub const fn root_path(self) -> &'static str {
        match self {
            Self::Static => "/index.md",
            Self::Dynamic => "/",
        }
    }

    /// The path of the protocol document.
    #[must_use]
    pub const fn protocol_path(self) -> &'static str {
        match self {
            Self::Static => "/protocol.md",
            Self::Dynamic => "/protocol",
        }
    }
}

/// A MarkWay site: base URL, mode and language, and everything that follows from the three.
///
/// ```
/// use markdown_for_agents::markway::Site;
///
/// let site = Site::static_site("https://example.com".parse()?);
/// assert_eq!(
///     site.answer("# Welcome\n"),
///     "https://example.com\n\
///      \n\
///      > 本站遵循MarkWay协议：https://example.com/protocol.md\n\
///      \n\
///      ## Welcome\n",
/// );
/// # Ok::<(), markdown_for_agents::markway::BaseUrlError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Site {
    base_url: BaseUrl,
    mode: Mode,
    language: Language,
}

impl Site {
    /// A site of fixed documents.
    #[must_use]
    pub fn static_site(base_url: BaseUrl) -> Self {
        Self {
            base_url,
            mode: Mode::Static,
            language: Language::default(),
        }
    }

    /// A site of interfaces.
    #[must_use]
    pub fn dynamic(base_url: BaseUrl) -> Self {
        Self {
            base_url,
            mode: Mode::Dynamic,
            language: Language::default(),
        }
    }

    /// The language of the declaration, of the column names and of the protocol document.
    ///
    /// ### Default
    ///
    /// [`Language::Chinese`], the language of the protocol's specification.
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// The absolute URL of the protocol document.
    #[must_use]
    pub fn protocol_url(&self) -> String {
        format!("{}{}", self.base_url, self.mode.protocol_path())
    }

    /// The four lines that stand before the page in every Markdown answer to GET: the base URL, an
    /// empty line, the declaration and an empty line.
    #[must_use]
    pub fn preamble(&self) -> String {
        format!(
            "{}\n\n> {}{}{}\n\n",
            self.base_url,
            self.language.declaration(),
            self.base_url,
            self.mode.protocol_path()
        )
    }

    /// A page with the preamble before it. Nothing is added if the page has it already.
    #[must_use]
    pub fn answer(&self, page: &str) -> String {
        let preamble = self.preamble();
        if page.starts_with(&preamble) {
            page.to_owned()
        } else {
            preamble + page
        }
    }

    /// Where the site is.
    #[must_use]
    pub fn base_url(&self) -> &BaseUrl {
        &self.base_url
    }

    /// How the site works.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The language of the site's own words.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }
}
