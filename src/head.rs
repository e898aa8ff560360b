//! The head of the Markdown variant: every field that speaks of the bytes must speak of these bytes.

use crate::settings::Settings;
use http::header::{
    ACCEPT_RANGES, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
    TRANSFER_ENCODING, VARY,
};
use http::header::{HeaderMap, HeaderName, HeaderValue};

/// Names of request fields, as members of `Vary`.
pub(crate) const ON_ACCEPT: HeaderValue = HeaderValue::from_static("Accept");
pub(crate) const ON_USER_AGENT: HeaderValue = HeaderValue::from_static("User-Agent");

const MARKDOWN: HeaderValue = HeaderValue::from_static("text/markdown; charset=utf-8");
const X_MARKDOWN_TOKENS: HeaderName = HeaderName::from_static("x-markdown-tokens");
const CONTENT_SIGNAL: HeaderName = HeaderName::from_static("content-signal");
const CDN_CACHE_CONTROL: HeaderName = HeaderName::from_static("cdn-cache-control");

/// Digests and signatures of the HTML. They may stand in the head or in the trailers.
const DIGESTS: [HeaderName; 6] = [
    HeaderName::from_static("content-md5"),
    HeaderName::from_static("digest"),
    HeaderName::from_static("content-digest"),
    HeaderName::from_static("repr-digest"),
    HeaderName::from_static("signature"),
    HeaderName::from_static("signature-input"),
];

/// Other fields that speak of the bytes of the HTML. A `Transfer-Encoding` comes from a proxy that hands
/// on what it got; beside a `Content-Length` it would make the message malformed (RFC 9112 §6.1).
const OF_THE_HTML: [HeaderName; 6] = [
    CONTENT_LENGTH,
    CONTENT_ENCODING,
    CONTENT_RANGE,
    ACCEPT_RANGES,
    TRANSFER_ENCODING,
    X_MARKDOWN_TOKENS,
];

/// Makes the head of a page that of its Markdown, whose length is not known yet.
pub(crate) fn describe_markdown(
    headers: &mut HeaderMap,
    tag: Option<HeaderValue>,
    settings: &Settings,
) {
    headers.insert(CONTENT_TYPE, MARKDOWN);
    if let Some(signal) = &settings.content_signal {
        headers
            .entry(CONTENT_SIGNAL)
            .or_insert_with(|| signal.clone());
    }
    describe_variant(headers, tag, settings);
}

/// Makes the head of a 304 that of the Markdown: it has no content to speak of.
pub(crate) fn describe_not_modified(
    headers: &mut HeaderMap,
    tag: Option<HeaderValue>,
    settings: &Settings,
) {
    if headers.contains_key(CONTENT_TYPE) {
        headers.insert(CONTENT_TYPE, MARKDOWN);
    }
    describe_variant(headers, tag, settings);
}

fn describe_variant(headers: &mut HeaderMap, tag: Option<HeaderValue>, settings: &Settings) {
    for name in DIGESTS.iter().chain(&OF_THE_HTML) {
        headers.remove(name);
    }
    match tag {
        Some(tag) => headers.insert(ETAG, tag),
        None => headers.remove(ETAG),
    };
    if settings.cdn_no_store {
        headers.insert(CDN_CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// Says how long the Markdown is. With trailers to follow there is no `Content-Length`: HTTP/1.1 has
/// trailers only after chunks.
pub(crate) fn describe_length(headers: &mut HeaderMap, bytes: u64, trailers: bool) {
    if !trailers {
        headers.insert(CONTENT_LENGTH, bytes.into());
    }
    headers.insert(X_MARKDOWN_TOKENS, estimated_tokens(bytes).into());
}

/// A quarter of the bytes, rounded up: near enough for a budget, whatever tokenizer the reader has.
fn estimated_tokens(bytes: u64) -> u64 {
    bytes.div_ceil(4)
}

/// Takes out of the trailers what speaks of the bytes of the HTML.
pub(crate) fn strip_trailers(trailers: &mut HeaderMap) {
    for name in DIGESTS {
        trailers.remove(name);
    }
}

/// Adds a member to `Vary`, once, unless a `*` already says more.
pub(crate) fn vary_on(headers: &mut HeaderMap, field: HeaderValue) {
    let Some(first) = headers.get(VARY) else {
        headers.insert(VARY, field);
        return;
    };
    let covered = crate::fields::members(headers, VARY)
        .any(|member| member == b"*" || member.eq_ignore_ascii_case(field.as_bytes()));
    if covered {
        return;
    }
    let merged = Some(first.as_bytes())
        .filter(|vary| !vary.trim_ascii().is_empty())
        .and_then(|vary| HeaderValue::try_from([vary, b", ", field.as_bytes()].concat()).ok())
        .unwrap_or(field);
    if let Some(first) = headers.get_mut(VARY) {
        *first = merged;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varied(lines: &[&'static str]) -> Vec<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(VARY, HeaderValue::from_static(line));
        }
        vary_on(&mut headers, ON_ACCEPT);
        headers
            .get_all(VARY)
            .iter()
            .map(|value| value.to_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn vary_is_merged_and_never_doubled() {
        assert_eq!(varied(&[]), ["Accept"]);
        assert_eq!(varied(&[""]), ["Accept"]);
        assert_eq!(varied(&["Accept-Encoding"]), ["Accept-Encoding, Accept"]);
        assert_eq!(
            varied(&["Accept-Encoding", "Cookie"]),
            ["Accept-Encoding, Accept", "Cookie"]
        );
        assert_eq!(varied(&["cookie, ACCEPT"]), ["cookie, ACCEPT"]);
        assert_eq!(varied(&["Cookie", "accept"]), ["Cookie", "accept"]);
        assert_eq!(varied(&["*"]), ["*"]);
    }

    #[test]
    fn tokens_are_a_quarter_of_the_bytes_rounded_up() {
        assert_eq!([0, 1, 4, 5].map(estimated_tokens), [0, 1, 1, 2]);
    }
}
