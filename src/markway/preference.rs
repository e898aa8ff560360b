//! What a client of a dynamic site wants: Markdown unless it would rather have something else.

use crate::fields;
use crate::negotiation::qvalue;
use http::header::{ACCEPT, HeaderMap};

/// The weight of a range without one, in thousandths.
const FULL_WEIGHT: u16 = 1000;

/// Whether Markdown is what the client wants, for a site whose first choice it is.
///
/// - Without a well-formed media range: yes.
/// - Markdown that is named must weigh something, and no less than anything else. On a tie it wins.
/// - Markdown that only a wildcard admits must weigh more than every type that is named: who names
///   `application/json` or `text/html` beside `*/*` wants that.
pub(super) fn prefers_markdown(headers: &HeaderMap) -> bool {
    let (mut named, mut text, mut any, mut others) = (None, None, None, None);
    for range in fields::members(headers, ACCEPT) {
        let Some(weight) = weight(range) else {
            continue;
        };
        let essence = fields::essence(range).to_ascii_lowercase();
        let slot = match &*essence {
            b"text/markdown" | b"text/x-markdown" => &mut named,
            b"text/*" => &mut text,
            b"*/*" => &mut any,
            _ => &mut others,
        };
        *slot = (*slot).max(Some(weight));
    }
    let wildcard = text.or(any);
    match (named, wildcard) {
        (Some(named), _) => named > 0 && Some(named) >= others && Some(named) >= text.max(any),
        (None, Some(wildcard)) => wildcard > 0 && Some(wildcard) > others,
        (None, None) => others.is_none(),
    }
}

/// The weight of a media range in thousandths; `None` if it is malformed.
fn weight(range: &[u8]) -> Option<u16> {
    let weight = fields::split(range, b';')
        .skip(1)
        .find_map(|part| match part {
            [b'q' | b'Q', b'=', value @ ..] => Some(value),
            _ => None,
        });
    weight.map_or(Some(FULL_WEIGHT), qvalue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_what_a_client_without_another_wish_gets() {
        for (accept, markdown) in [
            (&[][..], true),
            (&[""], true),
            (&["*/*"], true),
            (&["text/*"], true),
            (&["text/markdown"], true),
            (&["text/x-markdown"], true),
            (&["Text/Markdown;charset=utf-8"], true),
            (&["text/markdown, application/json;q=0.5"], true),
            (&["application/json;q=0.5", "text/markdown"], true),
            (&["application/json, text/markdown"], true),
            (&["text/markdown, text/html, */*"], true),
            (&["text/plain;q=0.5, */*"], true),
            (&["*/*, application/json;q=0.9"], true),
            (&["text/markdown;q=2"], true),
            (&["application/json"], false),
            (&["application/json, text/markdown;q=0.9"], false),
            (&["application/json, text/plain, */*"], false),
            (&["application/problem+json"], false),
            (
                &[
                    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
                ],
                false,
            ),
            (&["text/csv"], false),
            (&["text/markdown;q=0"], false),
            (&["text/markdown;q=0, */*"], false),
            (&["text/markdown;q=0.5, */*"], false),
            (&["*/*;q=0"], false),
        ] {
            let mut headers = HeaderMap::new();
            for line in accept {
                headers.append(ACCEPT, line.parse().unwrap());
            }
            assert_eq!(prefers_markdown(&headers), markdown, "{accept:?}");
        }
    }
}
