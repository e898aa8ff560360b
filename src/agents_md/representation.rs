//! The file as HTTP serves it: the two representations, their tags, and the answers to a request.

use super::accept::{MediaType, outside_quotes, preferred};
use crate::NoMarkdown;
use crate::fnv::fnv1a;
use bytes::Bytes;
use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_MATCH, IF_NONE_MATCH, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};

/// Says that a response is the agents.md of [`AgentsMdLayer`](super::AgentsMdLayer): it is in the extensions of each
/// such response, together with [`NoMarkdown`], which keeps layers outside of it from changing the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Served;

#[derive(Debug, Clone)]
pub(super) struct Representations {
    text: Bytes,
    markdown_tag: HeaderValue,
    plain_tag: HeaderValue,
    cache_control: HeaderValue,
}

/// What the preconditions of a request ask for (RFC 9110 §13.2.2).
#[derive(Debug, PartialEq, Eq)]
enum Precondition {
    Holds,
    NotModified,
    Failed,
}

impl Representations {
    pub(super) fn new(text: Bytes, cache_control: HeaderValue) -> Self {
        let hash = fnv1a(text.iter().copied());
        let length = text.len();
        Self {
            // Two representations of one resource must not share a strong tag (RFC 9110 §8.8.1).
            markdown_tag: tag(format!("\"{length:x}-{hash:016x}\"")),
            plain_tag: tag(format!("\"{length:x}-{hash:016x}-plain\"")),
            text,
            cache_control,
        }
    }

    pub(super) fn set_cache_control(&mut self, value: HeaderValue) {
        self.cache_control = value;
    }

    /// The answer to a request for the file. Nothing of the request's body is read.
    pub(super) fn answer<B>(&self, request: &Request<B>) -> Response<Bytes> {
        let is_head = request.method() == Method::HEAD;
        if !is_head && request.method() != Method::GET {
            let allow = (ALLOW, HeaderValue::from_static("GET, HEAD"));
            return response(StatusCode::METHOD_NOT_ALLOWED, [allow], Bytes::new());
        }
        let (content_type, etag) = match preferred(request.headers()) {
            MediaType::Markdown => ("text/markdown; charset=utf-8", &self.markdown_tag),
            MediaType::Plain => ("text/plain; charset=utf-8", &self.plain_tag),
        };
        // A 304 has these three of the 200 (RFC 9110 §15.4.5).
        let validators = [
            (ETAG, etag.clone()),
            (VARY, HeaderValue::from_static("Accept")),
            (CACHE_CONTROL, self.cache_control.clone()),
        ];
        match precondition(request.headers(), etag) {
            Precondition::Failed => {
                response(StatusCode::PRECONDITION_FAILED, validators, Bytes::new())
            }
            Precondition::NotModified => {
                response(StatusCode::NOT_MODIFIED, validators, Bytes::new())
            }
            Precondition::Holds => {
                let body = if is_head {
                    Bytes::new()
                } else {
                    self.text.clone()
                };
                let mut response = response(StatusCode::OK, validators, body);
                let headers = response.headers_mut();
                headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
                headers.insert(CONTENT_LENGTH, HeaderValue::from(self.text.len()));
                response
            }
        }
    }
}

fn response<const N: usize>(
    status: StatusCode,
    headers: [(HeaderName, HeaderValue); N],
    body: Bytes,
) -> Response<Bytes> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().extend(headers);
    response.extensions_mut().insert(Served);
    // No layer outside of this one converts or extends the file.
    response.extensions_mut().insert(NoMarkdown);
    response
}

fn precondition(headers: &HeaderMap, etag: &HeaderValue) -> Precondition {
    // If-Match compares strongly: a weak tag matches nothing (RFC 9110 §13.1.1).
    if headers.contains_key(IF_MATCH) && !lists(headers, &IF_MATCH, |tag| tag == etag) {
        return Precondition::Failed;
    }
    // If-None-Match compares weakly: only the opaque tags count (RFC 9110 §13.1.2).
    if lists(headers, &IF_NONE_MATCH, |tag| {
        tag.strip_prefix("W/").unwrap_or(tag) == etag
    }) {
        return Precondition::NotModified;
    }
    Precondition::Holds
}

/// Whether a list of entity tags has one that matches, or is `*`.
fn lists(headers: &HeaderMap, name: &HeaderName, matches: impl Fn(&str) -> bool) -> bool {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| outside_quotes(value, b','))
        .any(|tag| tag.trim() == "*" || matches(tag.trim()))
}

/// The characters are those of `format!` in [`Representations::new`]: hexadecimal digits, letters, `-` and quotes.
fn tag(text: String) -> HeaderValue {
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preconditions_compare_lists_of_tags() {
        let ours = HeaderValue::from_static("\"1\"");
        for (name, value, expected) in [
            (IF_NONE_MATCH, "\"1\"", Precondition::NotModified),
            (IF_NONE_MATCH, "W/\"1\"", Precondition::NotModified),
            (
                IF_NONE_MATCH,
                "\"a,b\" , W/\"1\"",
                Precondition::NotModified,
            ),
            (IF_NONE_MATCH, "*", Precondition::NotModified),
            (IF_NONE_MATCH, "\"x, \"1\", y\"", Precondition::Holds),
            (IF_NONE_MATCH, "\"2\"", Precondition::Holds),
            (IF_NONE_MATCH, "1", Precondition::Holds),
            (IF_NONE_MATCH, "", Precondition::Holds),
            (IF_MATCH, "\"1\"", Precondition::Holds),
            (IF_MATCH, "*", Precondition::Holds),
            (IF_MATCH, "W/\"1\"", Precondition::Failed),
            (IF_MATCH, "\"2\"", Precondition::Failed),
        ] {
            let headers = HeaderMap::from_iter([(name.clone(), value.parse().unwrap())]);
            assert_eq!(precondition(&headers, &ours), expected, "{name}: {value}");
        }
    }

    #[test]
    fn tags_are_the_same_in_every_process() {
        let representations = Representations::new(
            Bytes::from_static(b"# A\n"),
            HeaderValue::from_static("no-cache"),
        );
        assert_eq!(representations.markdown_tag, "\"4-d978317c9108276d\"");
        assert_eq!(representations.plain_tag, "\"4-d978317c9108276d-plain\"");
    }
}
