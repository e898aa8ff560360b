//! The law: which responses can be converted at all. No predicate stands above it.

use crate::coding::{self, Coding};
use crate::fields;
use crate::observe::Reason;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_RANGE, CONTENT_TYPE};
use http::header::{HeaderMap, HeaderValue};
use http::{StatusCode, response};

/// What a response is, as far as the choice between Markdown and HTML goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Representation {
    Html,
    /// The inner service speaks Markdown itself.
    Markdown,
    Other,
}

impl Representation {
    /// Several `Content-Type` lines must agree: recipients differ in which one they believe.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let mut lines = headers
            .get_all(CONTENT_TYPE)
            .iter()
            .map(Self::of_media_type);
        match lines.next() {
            Some(first) if lines.all(|other| other == first) => first,
            _ => Self::Other,
        }
    }

    fn of_media_type(value: &HeaderValue) -> Self {
        let essence = fields::essence(value.as_bytes());
        let is = |names: &[&str]| {
            names
                .iter()
                .any(|name| essence.eq_ignore_ascii_case(name.as_bytes()))
        };
        if is(&["text/html", "application/xhtml+xml"]) {
            Self::Html
        } else if is(&["text/markdown", "text/x-markdown"]) {
            Self::Markdown
        } else {
            Self::Other
        }
    }
}

/// The `charset` parameter of the media type.
pub(crate) fn charset(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(CONTENT_TYPE)?.as_bytes();
    let (_, label) =
        fields::parameters(value).find(|(name, _)| name.eq_ignore_ascii_case(b"charset"))?;
    std::str::from_utf8(fields::unquoted(label)).ok()
}

/// What the law asks of a page in HTML: the codings to take off, or why it must stay as it is.
pub(crate) fn codings(
    head: &response::Parts,
    error_pages: bool,
    limit: usize,
) -> Result<Vec<Coding>, Reason> {
    let headers = &head.headers;
    let error = head.status.is_client_error() || head.status.is_server_error();
    if head.status != StatusCode::OK && !(error_pages && error) {
        return Err(Reason::Status);
    }
    if headers.contains_key(CONTENT_RANGE) {
        return Err(Reason::Partial);
    }
    // RFC 9110 §7.7: the content of such a message must not be transformed.
    if fields::has_token(headers, CACHE_CONTROL, "no-transform") {
        return Err(Reason::NoTransform);
    }
    let disposition = headers
        .get(CONTENT_DISPOSITION)
        .map(|value| fields::essence(value.as_bytes()));
    if disposition.is_some_and(|kind| kind.eq_ignore_ascii_case(b"attachment")) {
        return Err(Reason::Attachment);
    }
    coding::applied(headers, limit).ok_or(Reason::ContentCoding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Response;

    fn head(status: u16, lines: &[(&str, &str)]) -> response::Parts {
        let mut response = Response::builder().status(status);
        for &(name, value) in lines {
            response = response.header(name, value);
        }
        response.body(()).unwrap().into_parts().0
    }

    #[test]
    fn media_types_are_compared_whole() {
        for (value, expected) in [
            ("Text/HTML;CharSet=\"UTF-8\"", Representation::Html),
            ("application/xhtml+xml", Representation::Html),
            ("text/html-sandboxed", Representation::Other),
            ("text/markdown; variant=GFM", Representation::Markdown),
            ("text/plain; x=text/html", Representation::Other),
            ("", Representation::Other),
        ] {
            assert_eq!(
                Representation::of(&head(200, &[("content-type", value)]).headers),
                expected,
                "{value}"
            );
        }
        assert_eq!(Representation::of(&HeaderMap::new()), Representation::Other);
    }

    #[test]
    fn several_media_types_must_agree() {
        for (lines, expected) in [
            (
                ["text/html", "text/html; charset=gbk"],
                Representation::Html,
            ),
            (["text/html", "application/json"], Representation::Other),
            (["text/markdown", "text/html"], Representation::Other),
            (["text/html", ""], Representation::Other),
        ] {
            let lines = lines.map(|value| ("content-type", value));
            assert_eq!(Representation::of(&head(200, &lines).headers), expected);
        }
    }

    #[test]
    fn the_charset_loses_its_quotes() {
        let of = |value| charset(&head(200, &[("content-type", value)]).headers).map(str::to_owned);
        assert_eq!(
            of("text/html; profile=\"a;charset=x\"; CHARSET=\"gbk\"").as_deref(),
            Some("gbk")
        );
        assert_eq!(of("text/html"), None);
    }

    #[test]
    fn every_refusal_has_its_reason() {
        let reason = |status, lines: &[_]| codings(&head(status, lines), false, 1).unwrap_err();
        assert_eq!(reason(201, &[]), Reason::Status);
        assert_eq!(reason(206, &[]), Reason::Status);
        assert_eq!(reason(404, &[]), Reason::Status);
        assert_eq!(
            reason(200, &[("content-range", "bytes 0-1/2")]),
            Reason::Partial
        );
        assert_eq!(
            reason(200, &[("cache-control", "max-age=1, No-Transform")]),
            Reason::NoTransform
        );
        assert_eq!(
            reason(200, &[("content-disposition", "Attachment; filename=a")]),
            Reason::Attachment
        );
        assert_eq!(
            reason(200, &[("content-encoding", "compress")]),
            Reason::ContentCoding
        );
    }

    #[test]
    fn near_misses_are_no_refusals() {
        for lines in [
            &[(
                "cache-control",
                "x=\"no-transform\", private=\"no-transform\"",
            )][..],
            &[("content-disposition", "inline; filename=attachment")],
            &[("content-encoding", "identity")],
        ] {
            assert_eq!(
                codings(&head(200, lines), false, 1),
                Ok(Vec::new()),
                "{lines:?}"
            );
        }
        assert_eq!(codings(&head(404, &[]), true, 1), Ok(Vec::new()));
        assert_eq!(codings(&head(302, &[]), true, 1), Err(Reason::Status));
    }
}
