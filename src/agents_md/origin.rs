//! The origin of a site, and what an MCP endpoint must be to it.

use std::error::Error;
use std::fmt;
use url::{Host, Url};

/// The origin of a site: scheme, host and port (RFC 6454).
///
/// ```
/// use markdown_for_agents::agents_md::Origin;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let origin = Origin::of("https://Shop.example:443/.well-known/agents.md")?;
/// assert_eq!(origin, Origin::of("https://shop.example")?);
/// assert_eq!(origin.to_string(), "https://shop.example");
///
/// assert!(Origin::of("shop.example").is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Invariant: `http` or `https`, with a host, and nothing behind the host and port but the path `/`.
    root: Url,
}

impl Origin {
    /// The origin of an absolute URL: of a site, or of an address on it. After redirects it is that of the last one.
    ///
    /// # Errors
    ///
    /// The URL is not absolute or its scheme is neither `http` nor `https`.
    pub fn of(url: &str) -> Result<Self, OriginError> {
        web_url(url)
            .map(|url| Self::of_url(&url))
            .ok_or(OriginError { _private: () })
    }

    /// `url` is what [`web_url`] gives, so that it has a host and can be a base.
    fn of_url(url: &Url) -> Self {
        let mut root = url.clone();
        // Neither can fail where there is a host, and a failure would leave a different origin, never an equal one.
        let _ = root.set_username("");
        let _ = root.set_password(None);
        root.set_path("/");
        root.set_query(None);
        root.set_fragment(None);
        Self { root }
    }

    /// Whether `address` is a path on this origin or an absolute URL of it.
    pub(super) fn owns(&self, address: &str) -> bool {
        self.root
            .join(address)
            .is_ok_and(|url| Self::of_url(&url) == *self)
    }

    /// Plain http, and not on the machine itself.
    pub(super) fn is_insecure(&self) -> bool {
        is_insecure(&self.root)
    }

    pub(super) fn is_loopback(&self) -> bool {
        is_loopback(&self.root)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.root.as_str().trim_end_matches('/'))
    }
}

impl std::str::FromStr for Origin {
    type Err = OriginError;

    fn from_str(url: &str) -> Result<Self, OriginError> {
        Self::of(url)
    }
}

/// The URL has no web origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginError {
    _private: (),
}

impl fmt::Display for OriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an absolute http or https URL: write for instance https://example.com")
    }
}

impl Error for OriginError {}

/// The endpoint of an MCP server, parsed.
#[derive(Debug)]
pub(super) struct Endpoint {
    url: Url,
}

impl Endpoint {
    /// `None` if it is not an absolute http or https URL.
    pub(super) fn parse(text: &str) -> Option<Self> {
        web_url(text).map(|url| Self { url })
    }

    pub(super) fn is_on(&self, origin: &Origin) -> bool {
        Origin::of_url(&self.url) == *origin
    }

    pub(super) fn is_insecure(&self) -> bool {
        is_insecure(&self.url)
    }

    pub(super) fn has_credentials(&self) -> bool {
        !self.url.username().is_empty() || self.url.password().is_some()
    }
}

/// The parser of the URL standard mends much (`https:example.com`, backslashes, line breaks inside): an address of
/// which a person and a machine can read different hosts is refused.
fn web_url(text: &str) -> Option<Url> {
    let (scheme, rest) = text.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let is_plain = !rest.starts_with('/')
        && !text.contains(|c: char| c == '\\' || c.is_whitespace() || c.is_control());
    if !is_web || !is_plain {
        return None;
    }
    Url::parse(text).ok().filter(Url::has_host)
}

fn is_insecure(url: &Url) -> bool {
    url.scheme() == "http" && !is_loopback(url)
}

/// The machine itself: 127.0.0.0/8, ::1 and the names that RFC 6761 §6.3 reserves for it.
fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (url, origin) in [
            ("https://a.example", "https://a.example"),
            ("HTTPS://A.Example:443/x?y#z", "https://a.example"),
            (
                "http://user:secret@a.example:8080/x",
                "http://a.example:8080",
            ),
            ("http://[::1]:3000/", "http://[::1]:3000"),
        ] {
            assert_eq!(Origin::of(url).unwrap().to_string(), origin);
        }
        for url in [
            "",
            "a.example",
            "/x",
            "//a.example",
            "ftp://a.example",
            "https:a.example",
            "https://",
            "https:///a.example",
            "https:\\\\a.example",
            "https://a.example\\@b.example",
            "https://a.ex\nample",
            " https://a.example",
            "javascript:x",
            "file:///etc/passwd",
        ] {
            assert!(Origin::of(url).is_err(), "{url:?}");
        }
    }

    #[test]
    fn the_machine_itself_needs_no_tls() {
        for (url, insecure) in [
            ("https://a.example", false),
            ("http://a.example", true),
            ("http://localhost:3000", false),
            ("http://app.localhost", false),
            ("http://127.9.9.9", false),
            ("http://[::1]", false),
            ("http://localhost.example", true),
            ("http://notlocalhost", true),
            ("http://10.0.0.1", true),
        ] {
            assert_eq!(
                Endpoint::parse(url).unwrap().is_insecure(),
                insecure,
                "{url}"
            );
        }
    }
}
