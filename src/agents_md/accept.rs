//! `Accept` to one of the two types of the file (RFC 9110 §12.5.1).

use http::{HeaderMap, header};

/// The types that the file is served as. The bytes are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MediaType {
    Markdown,
    Plain,
}

/// Markdown unless plain text is preferred to it. A request that admits neither gets Markdown: an agent that asks for
/// HTML is better off with the file than with a 406.
pub(super) fn preferred(headers: &HeaderMap) -> MediaType {
    let mut markdown = Best::default();
    let mut plain = Best::default();
    for value in headers.get_all(header::ACCEPT) {
        let Ok(value) = value.to_str() else {
            continue;
        };
        for range in outside_quotes(value, b',') {
            let Some((media_range, weight)) = media_range(range) else {
                continue;
            };
            let Some((kind, subtype)) = media_range.split_once('/') else {
                continue;
            };
            let specificity = match (kind, subtype) {
                ("*", "*") => 1,
                (kind, "*") if kind.eq_ignore_ascii_case("text") => 2,
                (kind, _) if kind.eq_ignore_ascii_case("text") => 3,
                _ => continue,
            };
            if specificity < 3 || subtype.eq_ignore_ascii_case("markdown") {
                markdown.consider(specificity, weight);
            }
            if specificity < 3 || subtype.eq_ignore_ascii_case("plain") {
                plain.consider(specificity, weight);
            }
        }
    }
    if plain.weight > markdown.weight {
        MediaType::Plain
    } else {
        MediaType::Markdown
    }
}

/// The weight, in thousandths, that the most specific range gives to a type.
#[derive(Debug, Default)]
struct Best {
    specificity: u8,
    weight: u16,
}

impl Best {
    fn consider(&mut self, specificity: u8, weight: u16) {
        if (specificity, weight) > (self.specificity, self.weight) {
            *self = Self {
                specificity,
                weight,
            };
        }
    }
}

/// A media range without its parameters and its weight; `None` if the weight is malformed.
fn media_range(range: &str) -> Option<(&str, u16)> {
    let mut parts = outside_quotes(range, b';').map(str::trim);
    let media_range = parts.next()?;
    let mut weight = 1000;
    for parameter in parts {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        if name.eq_ignore_ascii_case("q") {
            weight = thousandths(value)?;
        }
    }
    Some((media_range, weight))
}

/// The `qvalue` of RFC 9110 §12.4.2: 0 to 1 with at most three decimals.
fn thousandths(qvalue: &str) -> Option<u16> {
    let (whole, decimals) = qvalue.split_once('.').unwrap_or((qvalue, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let decimals: u16 = format!("{decimals:0<3}").parse().ok()?;
    match whole {
        "0" => Some(decimals),
        "1" if decimals == 0 => Some(1000),
        _ => None,
    }
}

/// The elements of a list, split at `separator` where it is not in a quoted string.
pub(super) fn outside_quotes(list: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(list);
    std::iter::from_fn(move || {
        let list = rest?;
        let (mut quoted, mut escaped) = (false, false);
        let end = list.bytes().position(|byte| {
            let here = byte == separator && !quoted;
            quoted ^= byte == b'"' && !escaped;
            escaped = quoted && byte == b'\\' && !escaped;
            here
        });
        rest = end.map(|end| &list[end + 1..]);
        Some(&list[..end.unwrap_or(list.len())])
    })
}

#[cfg(test)]
mod tests {
    use super::MediaType::{Markdown, Plain};
    use super::*;

    #[test]
    fn plain_text_must_be_preferred_to_be_served() {
        for (accept, expected) in [
            ("", Markdown),
            ("*/*", Markdown),
            ("text/*", Markdown),
            ("text/markdown", Markdown),
            ("text/plain", Plain),
            ("TEXT/Plain; charset=utf-8", Plain),
            ("text/markdown, text/plain", Markdown),
            ("text/plain, text/markdown;q=0.999", Plain),
            (
                "text/plain;q=1.0, text/markdown;q=0.9, text/html;q=0.8, */*;q=0.1",
                Plain,
            ),
            (
                "text/markdown, text/html;q=0.9, text/html;q=0.001",
                Markdown,
            ),
            ("text/plain;q=0.5, */*;q=0.1", Plain),
            ("text/plain;q=0.5, text/*", Markdown),
            ("text/markdown;q=0, */*", Plain),
            ("text/plain;q=1.5", Markdown),
            ("text/plain;q=1e-1, text/plain;q=", Markdown),
            ("text/plain;q=0.1234", Markdown),
            ("text/html", Markdown),
            (
                "application/json;profile=\"x, text/plain, \\\" y\"",
                Markdown,
            ),
            ("text/html,application/xhtml+xml,*/*;q=0.8", Markdown),
            ("text/plainish, x/plain, text, /", Markdown),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(preferred(&headers), expected, "{accept:?}");
        }
    }

    #[test]
    fn all_field_lines_count() {
        let mut headers = HeaderMap::new();
        headers.append(header::ACCEPT, "text/markdown;q=0.5".parse().unwrap());
        headers.append(header::ACCEPT, "text/plain".parse().unwrap());
        assert_eq!(preferred(&headers), Plain);
    }
}
