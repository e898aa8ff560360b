//! Addresses as the protocol writes them: their three forms, and how to find where they lead.

use super::BaseUrl;
use crate::markdown::address::{encode, push_encoded};
use std::fmt;
use std::str::FromStr;
use url::Url;

/// An address in the form in which a table of addresses names it.
///
/// It is safe to be put into a table cell as it is: characters that Markdown would read as markup
/// are percent-encoded.
///
/// ```
/// use markdown_for_agents::markway::{Address, AddressKind};
///
/// let address: Address = "../api/the index.md".parse()?;
/// assert_eq!(address.kind(), AddressKind::Relative);
/// assert_eq!(address.as_str(), "../api/the%20index.md");
/// # Ok::<(), markdown_for_agents::markway::AddressError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    text: String,
    kind: AddressKind,
}

/// Where an address begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressKind {
    /// At the directory of the page that names it: `./getting-started.md`, `../api/index.md`.
    Relative,
    /// At the base URL of the site: `/docs/guide.md`.
    Absolute,
    /// At another site: `https://example.com/doc.md`.
    External,
}

impl Address {
    /// The address of the file or directory `name` beside a page, whatever characters it has.
    ///
    /// ```
    /// # use markdown_for_agents::markway::Address;
    /// assert_eq!(Address::beside("100% *new*|#1.md").as_str(), "./100%25%20%2Anew%2A%7C%231.md");
    /// ```
    #[must_use]
    pub fn beside(name: &str) -> Self {
        let mut text = String::from("./");
        for c in name.chars() {
            match c {
                '%' | '#' | '?' | ':' | ';' | '&' | '\\' => push_encoded(c, &mut text),
                c => text.push(c),
            }
        }
        Self {
            text: encode(&text),
            kind: AddressKind::Relative,
        }
    }

    /// The address of `name` in the directory that this address leads to.
    ///
    /// ```
    /// # use markdown_for_agents::markway::Address;
    /// assert_eq!(Address::beside("api").join("index.md").as_str(), "./api/index.md");
    /// ```
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        let beside = Self::beside(name);
        let name = beside.text.trim_start_matches("./");
        Self {
            text: format!("{}/{name}", self.text.trim_end_matches('/')),
            kind: self.kind,
        }
    }

    /// The address as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Where the address begins.
    #[must_use]
    pub fn kind(&self) -> AddressKind {
        self.kind
    }

    /// The URL that the address leads to when the page at `page` names it, or `None` if there is
    /// no such URL.
    ///
    /// ```
    /// use markdown_for_agents::markway::{Address, BaseUrl};
    ///
    /// let base: BaseUrl = "https://example.com/docs".parse()?;
    /// let page = "https://example.com/docs/api/index.md".parse()?;
    /// let lead = |text: &str| text.parse::<Address>().unwrap().resolve(&base, &page).unwrap().to_string();
    /// assert_eq!(lead("./users.md"), "https://example.com/docs/api/users.md");
    /// assert_eq!(lead("/guide.md"), "https://example.com/docs/guide.md");
    /// assert_eq!(lead("https://example.org/x.md"), "https://example.org/x.md");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn resolve(&self, base: &BaseUrl, page: &Url) -> Option<Url> {
        match self.kind {
            AddressKind::Relative => page.join(&self.text).ok(),
            // The base URL and the address are put together as they are written, so that a site
            // may live below a path.
            AddressKind::Absolute => Url::parse(&format!("{base}{}", self.text)).ok(),
            AddressKind::External => Url::parse(&self.text).ok(),
        }
    }
}

impl FromStr for Address {
    type Err = AddressError;

    /// Reads an address. A relative one may leave out its `./`.
    fn from_str(text: &str) -> Result<Self, AddressError> {
        let text = text.trim();
        let fail = |kind| Err(AddressError { kind });
        if text.is_empty() {
            return fail(AddressErrorKind::Empty);
        }
        if text.contains(char::is_control) {
            return fail(AddressErrorKind::Control);
        }
        if text.starts_with("//") || text.contains('\\') {
            return fail(AddressErrorKind::Form);
        }
        if text.starts_with('/') {
            return Ok(Self {
                text: encode(text),
                kind: AddressKind::Absolute,
            });
        }
        match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && has_authority(text) => {
                Ok(Self {
                    text: encode(text),
                    kind: AddressKind::External,
                })
            }
            Err(url::ParseError::RelativeUrlWithoutBase) => {
                let dot = if text.starts_with("./") || text.starts_with("../") {
                    ""
                } else {
                    "./"
                };
                Ok(Self {
                    text: encode(&format!("{dot}{text}")),
                    kind: AddressKind::Relative,
                })
            }
            Ok(_) => fail(AddressErrorKind::Scheme),
            Err(_) => fail(AddressErrorKind::Form),
        }
    }
}

impl TryFrom<&str> for Address {
    type Error = AddressError;

    fn try_from(text: &str) -> Result<Self, AddressError> {
        text.parse()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// `https:path` is a URL for a browser, but nobody means it.
fn has_authority(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(_, rest)| rest.starts_with("//"))
}

/// Why a text is no address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressError {
    kind: AddressErrorKind,
}

/// The kinds of [`AddressError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressErrorKind {
    /// There is nothing but blanks.
    Empty,
    /// It is neither relative, absolute nor a full URL, or it has a backslash.
    Form,
    /// It is a URL, but not of the web.
    Scheme,
    /// It has a control character, plain or percent-encoded.
    Control,
    /// It has a `.` or `..` segment, plain or percent-encoded, where the path of a request stands.
    DotSegment,
    /// It has a percent-encoded slash or backslash.
    EncodedSlash,
    /// It has two slashes in a row.
    EmptySegment,
    /// A `%` is not followed by two hexadecimal digits.
    Percent,
}

impl AddressError {
    pub(super) fn new(kind: AddressErrorKind) -> Self {
        Self { kind }
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> AddressErrorKind {
        self.kind
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.kind {
            AddressErrorKind::Empty => "the address is empty",
            AddressErrorKind::Form => "the address is neither relative, absolute nor a full URL",
            AddressErrorKind::Scheme => "the address is neither http nor https",
            AddressErrorKind::Control => "the address has a control character",
            AddressErrorKind::DotSegment => "the address has a dot segment",
            AddressErrorKind::EncodedSlash => "the address has an encoded slash",
            AddressErrorKind::EmptySegment => "the address has an empty segment",
            AddressErrorKind::Percent => "the address has a malformed percent-encoding",
        })
    }
}

impl std::error::Error for AddressError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_are_told_apart() {
        use AddressKind as Kind;
        for (text, kind, written) in [
            (
                "./getting-started.md",
                Kind::Relative,
                "./getting-started.md",
            ),
            ("../api/index.md", Kind::Relative, "../api/index.md"),
            ("guide.md", Kind::Relative, "./guide.md"),
            ("/docs/guide.md", Kind::Absolute, "/docs/guide.md"),
            ("/api/users", Kind::Absolute, "/api/users"),
            (
                "https://example.com/doc.md",
                Kind::External,
                "https://example.com/doc.md",
            ),
            ("HTTP://example.com/", Kind::External, "HTTP://example.com/"),
            (
                "http://[::1]:3000/a[1].md",
                Kind::External,
                "http://[::1]:3000/a%5B1%5D.md",
            ),
            (" /a|b c.md ", Kind::Absolute, "/a%7Cb%20c.md"),
            ("/中.md", Kind::Absolute, "/%E4%B8%AD.md"),
            ("/a%20b.md", Kind::Absolute, "/a%20b.md"),
            (
                "/snake_case/_x_.md",
                Kind::Absolute,
                "/snake_case/%5Fx%5F.md",
            ),
            ("/a?b=1&copy;", Kind::Absolute, "/a?b=1%26copy;"),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(
                (address.kind(), address.as_str()),
                (kind, written),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_address_of_the_web_is_an_error_of_its_kind() {
        use AddressErrorKind as Kind;
        for (text, kind) in [
            ("", Kind::Empty),
            ("  ", Kind::Empty),
            ("a\nb", Kind::Control),
            ("a\0b", Kind::Control),
            ("//example.com/x", Kind::Form),
            ("..\\x", Kind::Form),
            ("https:x", Kind::Scheme),
            ("https://", Kind::Form),
            ("mailto:a@example.com", Kind::Scheme),
            ("javascript:alert(1)", Kind::Scheme),
            ("file:///etc/passwd", Kind::Scheme),
        ] {
            assert_eq!(text.parse::<Address>().unwrap_err().kind(), kind, "{text}");
        }
    }

    #[test]
    fn a_name_beside_a_page_leads_back_to_that_name() {
        let base: BaseUrl = "https://example.com".parse().unwrap();
        let page: Url = "https://example.com/a/index.md".parse().unwrap();
        for name in [
            "a b.md",
            "50%.md",
            "#1.md",
            "a|b.md",
            "中文.md",
            "_x_.md",
            "what?.md",
            "a:b.md",
            "&amp;.md",
            "a[1]*~`.md",
            "~x.md",
            "%41.md",
        ] {
            let url = Address::beside(name).resolve(&base, &page).unwrap();
            let last = url.path_segments().unwrap().next_back().unwrap();
            assert_eq!(
                percent_encoding::percent_decode_str(last)
                    .decode_utf8()
                    .unwrap(),
                name,
                "{url}"
            );
            assert_eq!((url.query(), url.fragment()), (None, None), "{url}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_name_leads_back_to_itself(name in "[^/\\x00-\\x1f\\x7f\\\\]{1,12}") {
            proptest::prop_assume!(!matches!(name.as_str(), "." | ".."));
            let base: BaseUrl = "https://example.com".parse().unwrap();
            let page: Url = "https://example.com/a/index.md".parse().unwrap();
            let address = Address::beside(&name);
            let url = address.resolve(&base, &page).unwrap();
            let last = url.path_segments().unwrap().next_back().unwrap();
            let read = percent_encoding::percent_decode_str(last).decode_utf8().unwrap();
            proptest::prop_assert_eq!(&*read, &*name);
            // And it is read as it was written.
            proptest::prop_assert_eq!(address.as_str().parse::<Address>().unwrap(), address);
        }
    }
}
