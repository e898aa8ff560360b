//! The target URI of a request (RFC 9110 §7.1): the address of the page, base of its relative links.

use http::header::{FORWARDED, HOST, HeaderName, HeaderValue};
use http::uri::{Authority, PathAndQuery};
use http::{Request, Uri};
use std::fmt;
use url::Url;

use crate::fields;

const X_FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The parts of a request that make its target URI. They are kept as they came, and put together
/// only when a page is converted.
#[derive(Debug)]
pub(crate) struct Target {
    uri: Uri,
    /// The `Host`, where the URI has no authority.
    host: Option<HeaderValue>,
    forwarded: Option<Forwarded>,
}

/// What a proxy in front says about the request that it got.
#[derive(Debug)]
struct Forwarded {
    standard: Option<HeaderValue>,
    host: Option<HeaderValue>,
    proto: Option<HeaderValue>,
}

impl Target {
    pub(crate) fn of<B>(request: &Request<B>, trust_forwarded: bool) -> Self {
        let field = |name: HeaderName| request.headers().get(name).cloned();
        let uri = request.uri().clone();
        Self {
            host: if uri.authority().is_none() {
                field(HOST)
            } else {
                None
            },
            uri,
            forwarded: trust_forwarded.then(|| Forwarded {
                standard: field(FORWARDED),
                host: field(X_FORWARDED_HOST),
                proto: field(X_FORWARDED_PROTO),
            }),
        }
    }

    /// The URI in the request line or in the pseudo-header fields.
    pub(crate) fn uri(&self) -> &Uri {
        &self.uri
    }

    /// Scheme and authority as the client knows them, if the request tells.
    pub(crate) fn origin(&self) -> Option<String> {
        let forwarded = self.forwarded.as_ref();
        let authority = forwarded
            .and_then(Forwarded::host)
            .or_else(|| self.uri.authority().cloned())
            .or_else(|| {
                self.host
                    .as_ref()
                    .and_then(|host| authority(host.as_bytes()))
            })?;
        let scheme = forwarded
            .and_then(Forwarded::scheme)
            .unwrap_or(match self.uri.scheme_str() {
                Some("https") => "https",
                _ => "http",
            });
        // Without user information, which is no part of an origin, and in one case: the origin enters
        // the entity tag.
        let authority = authority.as_str();
        let authority = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host)
            .to_ascii_lowercase();
        Some(format!("{scheme}://{authority}"))
    }

    /// The whole address of the page below an origin.
    pub(crate) fn below(&self, origin: &str) -> String {
        let path = self.uri.path_and_query().map_or("/", PathAndQuery::as_str);
        format!("{origin}{path}")
    }
}

impl Forwarded {
    fn host(&self) -> Option<Authority> {
        self.element("host")
            .or_else(|| first(self.host.as_ref()))
            .and_then(authority)
    }

    fn scheme(&self) -> Option<&'static str> {
        let proto = self
            .element("proto")
            .or_else(|| first(self.proto.as_ref()))?;
        ["http", "https"]
            .into_iter()
            .find(|scheme| proto.eq_ignore_ascii_case(scheme.as_bytes()))
    }

    /// A parameter of the first element of `Forwarded` (RFC 7239 §4): the proxy next to the client.
    fn element(&self, name: &str) -> Option<&[u8]> {
        let element = first(self.standard.as_ref())?;
        fields::split(element, b';')
            .map(fields::pair)
            .find(|(known, _)| known.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| fields::unquoted(value))
    }
}

fn first(value: Option<&HeaderValue>) -> Option<&[u8]> {
    fields::split(value?.as_bytes(), b',')
        .next()
        .filter(|member| !member.is_empty())
}

fn authority(value: &[u8]) -> Option<Authority> {
    Authority::try_from(value)
        .ok()
        .filter(|authority| !authority.host().is_empty())
}

/// Reads the public origin of a site: scheme and authority alone.
pub(crate) fn public_origin(origin: &str) -> Result<String, OriginError> {
    let url = Url::parse(origin).map_err(|_| OriginErrorKind::NotAnUrl)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(OriginErrorKind::Scheme.into());
    }
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    if !bare || !url.username().is_empty() || url.password().is_some() {
        return Err(OriginErrorKind::NotBare.into());
    }
    Ok(url.origin().ascii_serialization())
}

/// Reads the public base of a site: scheme, authority and a path. Gives it without a slash at its end.
pub(crate) fn public_base(base: &str) -> Result<String, OriginError> {
    let mut url = Url::parse(base).map_err(|_| OriginErrorKind::NotAnUrl)?;
    let path = url.path().trim_end_matches('/').to_owned();
    if url.cannot_be_a_base() {
        return Err(OriginErrorKind::Scheme.into());
    }
    url.set_path("");
    Ok(public_origin(url.as_str())? + &path)
}

/// Why a string is not the origin of a site.
#[derive(Debug, Clone)]
pub struct OriginError {
    kind: OriginErrorKind,
}

/// The kinds of [`OriginError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OriginErrorKind {
    /// It is no absolute URL.
    NotAnUrl,
    /// The scheme is neither `http` nor `https`.
    Scheme,
    /// There is more than scheme, host and port: user information, a query, a fragment, or a path
    /// where there may be none.
    NotBare,
}

impl OriginError {
    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> OriginErrorKind {
        self.kind
    }
}

impl From<OriginErrorKind> for OriginError {
    fn from(kind: OriginErrorKind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for OriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.kind {
            OriginErrorKind::NotAnUrl => "the public origin is not an absolute URL",
            OriginErrorKind::Scheme => "the public origin is neither http nor https",
            OriginErrorKind::NotBare => {
                "the public origin may have only a scheme, host and port, and as a base also a path"
            }
        })
    }
}

impl std::error::Error for OriginError {}

#[cfg(test)]
mod tests {
    use super::*;
    use http::header::HeaderMap;

    fn origin_of(headers: &HeaderMap, uri: &'static str, trust: bool) -> Option<String> {
        let mut request = Request::builder().uri(uri).body(()).unwrap();
        *request.headers_mut() = headers.clone();
        Target::of(&request, trust).origin()
    }

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        lines
            .iter()
            .map(|&(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect()
    }

    #[test]
    fn the_request_tells_its_own_address() {
        let host = headers(&[("host", "Example.com:8080")]);
        assert_eq!(
            origin_of(&host, "/a", false).as_deref(),
            Some("http://example.com:8080")
        );
        assert_eq!(
            origin_of(&host, "https://other.example/a", false).as_deref(),
            Some("https://other.example")
        );
        assert_eq!(origin_of(&headers(&[]), "/a", false), None);
        assert_eq!(origin_of(&headers(&[("host", "a/b?c")]), "/a", false), None);
        assert_eq!(
            origin_of(&headers(&[("host", "user@example.com")]), "/a", false).as_deref(),
            Some("http://example.com")
        );
    }

    #[test]
    fn forwarded_fields_count_only_when_trusted() {
        let all = headers(&[
            ("host", "10.0.0.1"),
            ("x-forwarded-host", "a.example, b.example"),
            ("x-forwarded-proto", "https"),
        ]);
        assert_eq!(
            origin_of(&all, "/", false).as_deref(),
            Some("http://10.0.0.1")
        );
        assert_eq!(
            origin_of(&all, "/", true).as_deref(),
            Some("https://a.example")
        );
        let standard = headers(&[
            ("host", "10.0.0.1"),
            (
                "forwarded",
                r#"for=1.2.3.4;Host="a.example:8443";proto=HTTPS, for=x;host=b"#,
            ),
        ]);
        assert_eq!(
            origin_of(&standard, "/", true).as_deref(),
            Some("https://a.example:8443")
        );
        let junk = headers(&[
            ("host", "10.0.0.1"),
            ("x-forwarded-host", "a b"),
            ("x-forwarded-proto", "javascript"),
        ]);
        assert_eq!(
            origin_of(&junk, "/", true).as_deref(),
            Some("http://10.0.0.1")
        );
    }

    #[test]
    fn a_public_origin_is_scheme_and_authority() {
        assert_eq!(
            public_origin("https://Example.com:443/").unwrap(),
            "https://example.com"
        );
        assert_eq!(
            public_origin("http://example.com:8080").unwrap(),
            "http://example.com:8080"
        );
        for (origin, kind) in [
            ("example.com", OriginErrorKind::NotAnUrl),
            ("ftp://example.com", OriginErrorKind::Scheme),
            ("https://example.com/docs", OriginErrorKind::NotBare),
            ("https://example.com?a", OriginErrorKind::NotBare),
            ("https://example.com#a", OriginErrorKind::NotBare),
            ("https://me@example.com", OriginErrorKind::NotBare),
        ] {
            assert_eq!(public_origin(origin).unwrap_err().kind(), kind, "{origin}");
        }
    }
}
