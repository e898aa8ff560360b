//! The request on its way in: what the inner service must see so that its answer can be converted.

use crate::coding;
use crate::fields;
use crate::negotiation::{Accept, AcceptShaping};
use http::header::{ACCEPT, CONNECTION, HeaderMap, HeaderValue, IF_RANGE, RANGE, UPGRADE};
use http::{Method, Request};

/// Whether the method asks for a representation that can be negotiated.
pub(crate) fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// Whether the client wants to leave HTTP, for instance for a WebSocket. `h2c` does not count: command
/// line clients offer it in passing, and a server that ignores it answers as always (RFC 9113 §3.1).
pub(crate) fn is_upgrade<B>(request: &Request<B>) -> bool {
    request.method() == Method::CONNECT || offers_other_protocol(request)
}

fn offers_other_protocol<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    headers.contains_key(UPGRADE)
        && fields::has_token(headers, CONNECTION, "upgrade")
        && fields::members(headers, UPGRADE).any(|protocol| !protocol.eq_ignore_ascii_case(b"h2c"))
}

/// Makes a request for Markdown one for HTML that can be converted. `named` if it is `Accept` that asks
/// for Markdown.
pub(crate) fn shape(headers: &mut HeaderMap, accept: &Accept, shaping: AcceptShaping, named: bool) {
    match shaping {
        AcceptShaping::Widen => widen(headers, accept, named),
        AcceptShaping::HtmlOnly => {
            headers.insert(ACCEPT, HeaderValue::from_static("text/html"));
        }
        AcceptShaping::Unchanged => {}
    }
    coding::narrow(headers);
    // Bytes of the Markdown are not addressable in the HTML.
    headers.remove(RANGE);
    headers.remove(IF_RANGE);
}

/// Puts `text/html` into a field that does not admit HTML.
fn widen(headers: &mut HeaderMap, accept: &Accept, named: bool) {
    if accept.admits_html() {
        return;
    }
    // The weight of Markdown less a thousandth: what the client puts below Markdown stays below HTML too.
    let weight = accept.markdown_weight().saturating_sub(1).max(1);
    let html = format!("text/html;q=0.{weight:03}");
    let mut value = Vec::new();
    // A field that does not ask for Markdown has no place for it, and one that names HTML with the
    // weight 0 would contradict what is appended.
    if accept.refuses_html() || !named {
        value.extend_from_slice(b"text/markdown");
    } else {
        join(
            &mut value,
            headers.get_all(ACCEPT).iter().map(HeaderValue::as_bytes),
        );
    }
    join(&mut value, [html.as_bytes()]);
    if let Ok(value) = HeaderValue::from_bytes(&value) {
        headers.insert(ACCEPT, value);
    }
}

/// Appends to a list: all in one line, because simple services read the first line only.
fn join<'a>(list: &mut Vec<u8>, members: impl IntoIterator<Item = &'a [u8]>) {
    for member in members {
        if !list.is_empty() {
            list.extend_from_slice(b", ");
        }
        list.extend_from_slice(member);
    }
}

/// Whether the `User-Agent` field has one of these product tokens (RFC 9110 §10.1.5), whole and in
/// any case. Comments do not count: browsers and imitators name others in theirs.
pub(crate) fn has_product(headers: &HeaderMap, products: &[Box<str>]) -> bool {
    if products.is_empty() {
        return false;
    }
    let Some(agent) = headers.get(http::header::USER_AGENT) else {
        return false;
    };
    let mut depth = 0_usize;
    agent
        .as_bytes()
        .split(|&byte| {
            match byte {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            byte == b')' || depth > 0 || byte == b' ' || byte == b'\t'
        })
        .map(|product| {
            product
                .split(|&byte| byte == b'/')
                .next()
                .unwrap_or_default()
        })
        .any(|name| {
            products
                .iter()
                .any(|product| name.eq_ignore_ascii_case(product.as_bytes()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::header::{ACCEPT_ENCODING, USER_AGENT};

    fn widened(accept: &[&str]) -> Vec<String> {
        let mut headers = HeaderMap::new();
        for line in accept {
            headers.append(ACCEPT, line.parse().unwrap());
        }
        let accept = Accept::parse(&headers);
        shape(&mut headers, &accept, AcceptShaping::Widen, true);
        assert!(headers.contains_key(ACCEPT_ENCODING));
        headers
            .get_all(ACCEPT)
            .iter()
            .map(|value| value.to_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn html_is_added_just_below_markdown() {
        assert_eq!(
            widened(&["text/markdown"]),
            ["text/markdown, text/html;q=0.999"]
        );
        assert_eq!(
            widened(&["text/markdown;q=0.5"]),
            ["text/markdown;q=0.5, text/html;q=0.499"]
        );
        assert_eq!(
            widened(&["text/markdown;q=0.001"]),
            ["text/markdown;q=0.001, text/html;q=0.001"]
        );
        assert_eq!(
            widened(&["text/markdown", "application/json;q=0.5"]),
            ["text/markdown, application/json;q=0.5, text/html;q=0.999"]
        );
    }

    #[test]
    fn a_field_that_admits_html_stays() {
        assert_eq!(
            widened(&["text/markdown, */*;q=0.1"]),
            ["text/markdown, */*;q=0.1"]
        );
        assert!(widened(&[]).is_empty());
    }

    #[test]
    fn refused_html_is_asked_for_without_contradiction() {
        assert_eq!(
            widened(&["text/html;q=0, text/*"]),
            ["text/markdown, text/html;q=0.999"]
        );
    }

    #[test]
    fn product_tokens_are_whole_and_outside_of_comments() {
        let products = ["ClaudeBot".into(), "GPTBot".into()];
        for (agent, expected) in [
            ("ClaudeBot/1.0", true),
            (
                "Mozilla/5.0 (compatible) gptbot/1.2 (+https://example.com)",
                true,
            ),
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); GPTBot",
                true,
            ),
            (
                "Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@example.com)",
                false,
            ),
            ("Mozilla/5.0 (a (b) ClaudeBot)", false),
            ("NotClaudeBot/1.0", false),
            ("ClaudeBot-Image/1.0", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(USER_AGENT, agent.parse().unwrap());
            assert_eq!(has_product(&headers, &products), expected, "{agent}");
        }
    }

    #[test]
    fn only_real_upgrades_count() {
        for (connection, upgrade, expected) in [
            ("Upgrade", "websocket", true),
            ("keep-alive, upgrade", "h2c, websocket", true),
            ("Upgrade, HTTP2-Settings", "h2c", false),
            ("keep-alive", "websocket", false),
        ] {
            let request = Request::builder()
                .header(CONNECTION, connection)
                .header(UPGRADE, upgrade)
                .body(())
                .unwrap();
            assert_eq!(is_upgrade(&request), expected, "{connection} / {upgrade}");
        }
    }
}
