//! The base URL: what the first line of every answer says, and what absolute addresses stand on.

use std::fmt;
use std::str::FromStr;
use url::Url;

/// The root of a MarkWay site: an absolute http(s) URL without a trailing slash.
///
/// Written in its normal form (lower-case host, no default port, no dot segments). It may have a
/// path: the site is then everything below that path, and an absolute address such as
/// `/guide.md` means what is found by writing it behind the base URL.
///
/// ```
/// use markdown_for_agents::markway::{BaseUrl, BaseUrlErrorKind};
///
/// let base: BaseUrl = "HTTPS://Example.com:443/".parse()?;
/// assert_eq!(base.as_str(), "https://example.com");
///
/// let error = "https://example.com/?page=1".parse::<BaseUrl>().unwrap_err();
/// assert_eq!(error.kind(), BaseUrlErrorKind::Query);
/// # Ok::<(), markdown_for_agents::markway::BaseUrlError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BaseUrl {
    /// Ends in `/`, so that it can be the base of relative references.
    directory: Url,
    /// Length of `directory` without its last slash.
    length: usize,
}

impl BaseUrl {
    /// The URL as it is written in the first line of an answer.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.directory.as_str()[..self.length]
    }

    /// The URL with a trailing slash, as the base of relative references.
    #[must_use]
    pub fn directory(&self) -> &Url {
        &self.directory
    }

    /// The path of `url` below this base, beginning with a slash and still percent-encoded, or
    /// `None` if `url` is not a page of this site.
    ///
    /// ```
    /// # use markdown_for_agents::markway::BaseUrl;
    /// let base: BaseUrl = "https://example.com/docs".parse()?;
    /// let below = |url: &str| base.path_of(&url.parse().unwrap()).map(str::to_owned);
    /// assert_eq!(below("https://example.com/docs/a?b#c").as_deref(), Some("/a"));
    /// assert_eq!(below("https://example.com/docs").as_deref(), Some("/"));
    /// assert_eq!(below("https://example.com/docsearch"), None);
    /// assert_eq!(below("http://example.com/docs/a"), None);
    /// # Ok::<(), markdown_for_agents::markway::BaseUrlError>(())
    /// ```
    #[must_use]
    pub fn path_of<'u>(&self, url: &'u Url) -> Option<&'u str> {
        if url.origin() != self.directory.origin() {
            return None;
        }
        let root = self.directory.path().trim_end_matches('/');
        match url.path().strip_prefix(root)? {
            "" => Some("/"),
            path if path.starts_with('/') => Some(path),
            _ => None,
        }
    }
}

impl FromStr for BaseUrl {
    type Err = BaseUrlError;

    fn from_str(text: &str) -> Result<Self, BaseUrlError> {
        let fail = |kind| Err(BaseUrlError { kind });
        // The URL parser drops blanks and line breaks and turns backslashes around. What an
        // operator writes into a configuration has none of them, unless by mistake.
        if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
            return fail(BaseUrlErrorKind::Malformed);
        }
        let mut url = match Url::parse(text) {
            Ok(url) => url,
            Err(url::ParseError::RelativeUrlWithoutBase) => {
                return fail(BaseUrlErrorKind::NotAbsolute);
            }
            Err(_) => return fail(BaseUrlErrorKind::Malformed),
        };
        if !matches!(url.scheme(), "http" | "https") {
            return fail(BaseUrlErrorKind::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return fail(BaseUrlErrorKind::Credentials);
        }
        if url.query().is_some() {
            return fail(BaseUrlErrorKind::Query);
        }
        if url.fragment().is_some() {
            return fail(BaseUrlErrorKind::Fragment);
        }
        // One trailing slash may go, any further one is an empty segment, and so is `//` anywhere.
        if url.path().contains("//") {
            return fail(BaseUrlErrorKind::EmptySegment);
        }
        if !url.path().ends_with('/') {
            url.set_path(&format!("{}/", url.path()));
        }
        let length = url.as_str().len() - 1;
        Ok(Self {
            directory: url,
            length,
        })
    }
}

impl TryFrom<&str> for BaseUrl {
    type Error = BaseUrlError;

    fn try_from(text: &str) -> Result<Self, BaseUrlError> {
        text.parse()
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a text is no [`BaseUrl`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrlError {
    kind: BaseUrlErrorKind,
}

/// The kinds of [`BaseUrlError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BaseUrlErrorKind {
    /// It is no URL, or it has blanks, control characters or backslashes.
    Malformed,
    /// It has no scheme and host.
    NotAbsolute,
    /// Its scheme is neither `http` nor `https`.
    Scheme,
    /// It has a user name or a password.
    Credentials,
    /// It has two slashes in a row in its path, or more than one at its end.
    EmptySegment,
    /// It has a query string, even an empty one.
    Query,
    /// It has a fragment, even an empty one.
    Fragment,
}

impl BaseUrlError {
    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> BaseUrlErrorKind {
        self.kind
    }
}

impl fmt::Display for BaseUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.kind {
            BaseUrlErrorKind::Malformed => "the base URL is malformed",
            BaseUrlErrorKind::NotAbsolute => "the base URL is not absolute",
            BaseUrlErrorKind::Scheme => "the base URL is neither http nor https",
            BaseUrlErrorKind::Credentials => "the base URL has a user name or password",
            BaseUrlErrorKind::EmptySegment => "the base URL has an empty path segment",
            BaseUrlErrorKind::Query => "the base URL has a query string",
            BaseUrlErrorKind::Fragment => "the base URL has a fragment",
        })
    }
}

impl std::error::Error for BaseUrlError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_trailing_slash_is_stripped_and_the_rest_is_normalised() {
        for (text, expected) in [
            ("https://example.com", "https://example.com"),
            ("https://example.com/", "https://example.com"),
            ("http://EXAMPLE.com:80", "http://example.com"),
            ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
            ("https://example.com/docs", "https://example.com/docs"),
            ("https://example.com/docs/", "https://example.com/docs"),
            ("https://例子.com", "https://xn--fsqu00a.com"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
        ] {
            assert_eq!(
                text.parse::<BaseUrl>().unwrap().as_str(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn anything_else_is_an_error_of_its_kind() {
        use BaseUrlErrorKind as Kind;
        for (text, kind) in [
            ("", Kind::NotAbsolute),
            ("/docs", Kind::NotAbsolute),
            ("example.com", Kind::NotAbsolute),
            ("https://", Kind::Malformed),
            ("https://exa mple.com", Kind::Malformed),
            (" https://example.com", Kind::Malformed),
            ("https://example.com\n", Kind::Malformed),
            ("https:\\\\example.com", Kind::Malformed),
            ("https://example.com:99999", Kind::Malformed),
            ("ftp://example.com", Kind::Scheme),
            ("file:///srv", Kind::Scheme),
            ("mailto:a@example.com", Kind::Scheme),
            ("https://me@example.com", Kind::Credentials),
            ("https://me:secret@example.com", Kind::Credentials),
            ("https://example.com//", Kind::EmptySegment),
            ("https://example.com/a//b", Kind::EmptySegment),
            ("https://example.com/docs//", Kind::EmptySegment),
            ("https://example.com?", Kind::Query),
            ("https://example.com/?a=b", Kind::Query),
            ("https://example.com#", Kind::Fragment),
            ("https://example.com/#top", Kind::Fragment),
        ] {
            assert_eq!(text.parse::<BaseUrl>().unwrap_err().kind(), kind, "{text}");
        }
    }
}
