//! Syntax that header fields share: lists, parameters and tokens (RFC 9110 §5.6).
//!
//! Everything works on bytes: a field value may hold obs-text, and junk must never fail a request.

use http::header::{AsHeaderName, HeaderMap};
use memchr::memchr2;

/// Splits at `separator` wherever it stands outside of a quoted string. The parts come without the
/// white space around them and may be empty.
pub(crate) fn split(value: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(value);
    std::iter::from_fn(move || {
        let value = rest?;
        let end = end_of_part(value, separator);
        rest = value.get(end + 1..);
        Some(value[..end].trim_ascii())
    })
}

/// Where the first part of `value` ends. A quoted string that is never closed reaches to the end.
fn end_of_part(value: &[u8], separator: u8) -> usize {
    let mut start = 0;
    while let Some(found) = memchr2(separator, b'"', &value[start..]) {
        let at = start + found;
        if value[at] == separator {
            return at;
        }
        start = end_of_quoted(value, at + 1);
    }
    value.len()
}

/// Where a quoted string ends, behind its quote, whose content starts here.
fn end_of_quoted(value: &[u8], mut start: usize) -> usize {
    while let Some(found) = memchr2(b'"', b'\\', &value[start..]) {
        let at = start + found;
        if value[at] == b'"' {
            return at + 1;
        }
        start = (at + 2).min(value.len());
    }
    value.len()
}

/// The members of a list field, of all its lines together and in their order. Empty ones are skipped.
pub(crate) fn members(headers: &HeaderMap, name: impl AsHeaderName) -> impl Iterator<Item = &[u8]> {
    headers
        .get_all(name)
        .into_iter()
        .flat_map(|line| split(line.as_bytes(), b','))
        .filter(|member| !member.is_empty())
}

/// Whether a list field has the member `token`, in any case.
pub(crate) fn has_token(headers: &HeaderMap, name: impl AsHeaderName, token: &str) -> bool {
    members(headers, name).any(|member| member.eq_ignore_ascii_case(token.as_bytes()))
}

/// The parameters after the first `;`, as name and value. A value keeps its quotes; one without `=` is
/// empty.
pub(crate) fn parameters(value: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    split(value, b';')
        .skip(1)
        .filter(|part| !part.is_empty())
        .map(pair)
}

/// A parameter as name and value.
pub(crate) fn pair(parameter: &[u8]) -> (&[u8], &[u8]) {
    let equals = parameter
        .iter()
        .position(|&byte| byte == b'=')
        .unwrap_or(parameter.len());
    let value = parameter.get(equals + 1..).unwrap_or_default();
    (&parameter[..equals], value)
}

/// A value without its quotes. Escapes are left as they are: no value that is read here has any.
pub(crate) fn unquoted(value: &[u8]) -> &[u8] {
    value
        .strip_prefix(b"\"")
        .and_then(|value| value.strip_suffix(b"\""))
        .unwrap_or(value)
}

/// What stands before the first parameter: a media type, a directive, a disposition.
pub(crate) fn essence(value: &[u8]) -> &[u8] {
    split(value, b';').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(value: &str) -> Vec<&str> {
        split(value.as_bytes(), b',')
            .map(|part| std::str::from_utf8(part).unwrap())
            .collect()
    }

    #[test]
    fn quoted_separators_do_not_split() {
        assert_eq!(parts(r#"a;x="1,2" , b"#), [r#"a;x="1,2""#, "b"]);
        assert_eq!(parts(r#""a\",b",c"#), [r#""a\",b""#, "c"]);
        assert_eq!(parts(r#"a,"b,c"#), ["a", r#""b,c"#]);
        assert_eq!(parts(r"a\,b"), [r"a\", "b"]);
        assert_eq!(parts(r#""a\\",b""#), [r#""a\\""#, r#"b""#]);
        assert_eq!(parts(r#""a,\"#), [r#""a,\"#]);
        assert_eq!(parts(","), ["", ""]);
        assert_eq!(parts(""), [""]);
    }

    #[test]
    fn parameters_are_names_and_values() {
        let all: Vec<_> = parameters(br#"text/html ; CharSet="UTF-8";; q=1; flag"#).collect();
        let expected: [(&[u8], &[u8]); 3] =
            [(b"CharSet", b"\"UTF-8\""), (b"q", b"1"), (b"flag", b"")];
        assert_eq!(all, expected);
    }

    #[test]
    fn quotes_are_taken_off_in_pairs() {
        assert_eq!(unquoted(b"\"UTF-8\""), b"UTF-8");
        assert_eq!(unquoted(b"UTF-8\""), b"UTF-8\"");
        assert_eq!(unquoted(b"\""), b"\"");
    }

    #[test]
    fn a_token_is_no_substring() {
        let mut headers = HeaderMap::new();
        headers.insert("vary", "Accept-Encoding".parse().unwrap());
        assert!(!has_token(&headers, "vary", "accept"));
        headers.append("vary", "Cookie, ACCEPT".parse().unwrap());
        assert!(has_token(&headers, "vary", "accept"));
    }
}
