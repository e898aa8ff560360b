//! Policy: which pages the operator wants to have converted.
//!
//! What *can* be converted is law and stands above every predicate: see the
//! [crate docs](crate#when-a-response-is-converted). A predicate narrows that. A page that it
//! refuses has one representation only, so it passes untouched and without a `Vary` of ours.
//!
//! ```
//! use markdown_for_agents::predicate::{Candidate, MediaType, Path, Predicate};
//! use markdown_for_agents::MarkdownForAgentsLayer;
//!
//! let layer = MarkdownForAgentsLayer::new().convert_when(
//!     Path::under("/docs")
//!         .or(Path::exact("/"))
//!         .and(Path::under("/docs/internal").not())
//!         .and(|page: &Candidate<'_>| !page.headers().contains_key("x-draft")),
//! );
//! # let _ = (layer, MediaType::new("text/html"));
//! ```

use crate::fields;
use http::header::CONTENT_TYPE;
use http::{Extensions, HeaderMap, Method, StatusCode, Uri, response};
use http_body::SizeHint;
use std::ops::RangeInclusive;

/// A response that could be converted, and the request that it answers.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    method: &'a Method,
    uri: &'a Uri,
    head: &'a response::Parts,
    size: &'a SizeHint,
}

impl<'a> Candidate<'a> {
    pub(crate) fn new(
        method: &'a Method,
        uri: &'a Uri,
        head: &'a response::Parts,
        size: &'a SizeHint,
    ) -> Self {
        Self {
            method,
            uri,
            head,
            size,
        }
    }

    /// The method of the request.
    #[must_use]
    pub fn method(&self) -> &'a Method {
        self.method
    }

    /// The URI of the request, as the layer saw it.
    #[must_use]
    pub fn uri(&self) -> &'a Uri {
        self.uri
    }

    /// The status of the response.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.head.status
    }

    /// The header fields of the response.
    #[must_use]
    pub fn headers(&self) -> &'a HeaderMap {
        &self.head.headers
    }

    /// The extensions of the response.
    #[must_use]
    pub fn extensions(&self) -> &'a Extensions {
        &self.head.extensions
    }

    /// What the body says about its size, in bytes and before any decoding.
    #[must_use]
    pub fn size_hint(&self) -> &'a SizeHint {
        self.size
    }
}

/// Decides whether a page is to be converted. Closures over a [`Candidate`] are predicates too.
///
/// A predicate is asked once for each page in HTML, also when the client wants HTML: the answer
/// decides whether that HTML is marked with `Vary`. So it must not depend on what the client wants.
pub trait Predicate {
    /// Whether this response is to be converted for clients that want Markdown.
    fn should_convert(&self, candidate: &Candidate<'_>) -> bool;

    /// Converts what both admit.
    fn and<Q: Predicate>(self, other: Q) -> And<Self, Q>
    where
        Self: Sized,
    {
        And {
            left: self,
            right: other,
        }
    }

    /// Converts what either admits.
    fn or<Q: Predicate>(self, other: Q) -> Or<Self, Q>
    where
        Self: Sized,
    {
        Or {
            left: self,
            right: other,
        }
    }

    /// Converts what this refuses.
    fn not(self) -> Not<Self>
    where
        Self: Sized,
    {
        Not { inner: self }
    }
}

impl<F: Fn(&Candidate<'_>) -> bool> Predicate for F {
    fn should_convert(&self, candidate: &Candidate<'_>) -> bool {
        self(candidate)
    }
}

/// Two predicates that must both agree: see [`Predicate::and`].
#[derive(Debug, Clone, Copy)]
pub struct And<P, Q> {
    left: P,
    right: Q,
}

impl<P: Predicate, Q: Predicate> Predicate for And<P, Q> {
    fn should_convert(&self, candidate: &Candidate<'_>) -> bool {
        self.left.should_convert(candidate) && self.right.should_convert(candidate)
    }
}

/// Two predicates of which one suffices: see [`Predicate::or`].
#[derive(Debug, Clone, Copy)]
pub struct Or<P, Q> {
    left: P,
    right: Q,
}

impl<P: Predicate, Q: Predicate> Predicate for Or<P, Q> {
    fn should_convert(&self, candidate: &Candidate<'_>) -> bool {
        self.left.should_convert(candidate) || self.right.should_convert(candidate)
    }
}

/// The contrary of a predicate: see [`Predicate::not`].
#[derive(Debug, Clone, Copy)]
pub struct Not<P> {
    inner: P,
}

impl<P: Predicate> Predicate for Not<P> {
    fn should_convert(&self, candidate: &Candidate<'_>) -> bool {
        !self.inner.should_convert(candidate)
    }
}

/// Converts every page that the law admits.
#[derive(Debug, Clone, Copy, Default)]
pub struct DefaultPredicate;

impl Predicate for DefaultPredicate {
    fn should_convert(&self, _: &Candidate<'_>) -> bool {
        true
    }
}

/// Converts pages by the path of the request.
#[derive(Debug, Clone)]
pub struct Path {
    path: Box<str>,
    subtree: bool,
}

impl Path {
    /// This path alone. It is compared as it stands in the request, percent-encoding included.
    #[must_use]
    pub fn exact(path: &str) -> Self {
        Self {
            path: path.into(),
            subtree: false,
        }
    }

    /// This path and all below it: `/docs` admits `/docs`, `/docs/` and `/docs/a`, but not `/docsify`.
    #[must_use]
    pub fn under(path: &str) -> Self {
        Self {
            path: path.trim_end_matches('/').into(),
            subtree: true,
        }
    }
}

impl Predicate for Path {
    fn should_convert(&self, candidate: &Candidate<'_>) -> bool {
        match candidate.uri().path().strip_prefix(&*self.path) {
            Some("") => true,
            Some(below) => self.subtree && below.starts_with('/'),
            None => false,
        }
    }
}

/// Converts pages by the media type of the response, without its parameters and in any case.
#[derive(Debug, Clone)]
pub struct MediaType {
    essence: Box<str>,
}

impl MediaType {
    /// This type alone, for instance `application/xhtml+xml`.
    #[must_use]
    pub fn new(essence: &str) -> Self {
        Self {
            essence: essence.into(),
        }
    }
}

impl Predicate for MediaType {
    fn should_convert(&self, candidate: &Candidate<'_>) -> bool {
        candidate.headers().get(CONTENT_TYPE).is_some_and(|value| {
            fields::essence(value.as_bytes()).eq_ignore_ascii_case(self.essence.as_bytes())
        })
    }
}

/// Converts pages by the status of the response. Makes a difference only together with
/// [`error_pages`](crate::MarkdownForAgentsLayer::error_pages).
#[derive(Debug, Clone)]
pub struct Status {
    range: RangeInclusive<u16>,
}

impl Status {
    /// This status alone.
    #[must_use]
    pub fn exact(status: StatusCode) -> Self {
        Self {
            range: status.as_u16()..=status.as_u16(),
        }
    }

    /// All statuses in a range of codes, for instance `400..=499`.
    #[must_use]
    pub fn within(range: RangeInclusive<u16>) -> Self {
        Self { range }
    }
}

impl Predicate for Status {
    fn should_convert(&self, candidate: &Candidate<'_>) -> bool {
        self.range.contains(&candidate.status().as_u16())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Response;

    fn admits(predicate: &impl Predicate, path: &'static str, response: Response<()>) -> bool {
        let (head, ()) = response.into_parts();
        predicate.should_convert(&Candidate::new(
            &Method::GET,
            &Uri::from_static(path),
            &head,
            &SizeHint::with_exact(7),
        ))
    }

    fn page() -> Response<()> {
        Response::builder()
            .header("content-type", "Text/HTML; charset=x")
            .body(())
            .unwrap()
    }

    #[test]
    fn a_path_admits_whole_segments() {
        let docs = Path::under("/docs/");
        for (path, expected) in [
            ("/docs", true),
            ("/docs/", true),
            ("/docs/a?b", true),
            ("/docsify", false),
            ("/", false),
        ] {
            assert_eq!(admits(&docs, path, page()), expected, "{path}");
        }
        assert!(admits(&Path::under("/"), "/any", page()));
        assert!(!admits(&Path::exact("/docs"), "/docs/a", page()));
    }

    #[test]
    fn the_media_type_is_compared_without_parameters() {
        assert!(admits(&MediaType::new("text/html"), "/", page()));
        assert!(!admits(&MediaType::new("text/htm"), "/", page()));
        assert!(!admits(
            &MediaType::new("text/html"),
            "/",
            Response::new(())
        ));
    }

    #[test]
    fn statuses_are_compared_by_code() {
        let missing = || Response::builder().status(404).body(()).unwrap();
        assert!(admits(
            &Status::exact(StatusCode::NOT_FOUND),
            "/",
            missing()
        ));
        assert!(admits(&Status::within(400..=499), "/", missing()));
        assert!(!admits(&Status::within(500..=599), "/", missing()));
    }

    #[test]
    fn predicates_combine() {
        let small = |page: &Candidate<'_>| page.size_hint().upper().is_some_and(|bytes| bytes < 10);
        assert!(admits(&small, "/", page()));
        assert!(!admits(&small.and(Path::exact("/a")), "/", page()));
        assert!(admits(&small.or(Path::exact("/a")), "/", page()));
        assert!(!admits(&small.not(), "/", page()));
        assert!(admits(&DefaultPredicate, "/", page()));
    }
}
