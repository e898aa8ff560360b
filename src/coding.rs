//! Content codings by name (RFC 9110 §8.4.1): which ones can be decoded, and asking for no others.

use crate::fields;
use crate::negotiation::qvalue;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderValue};

/// A content coding that can be decoded. There is none without the feature `decompression`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    #[cfg(feature = "decompression")]
    Gzip,
    #[cfg(feature = "decompression")]
    Brotli,
    #[cfg(feature = "decompression")]
    Zstd,
    #[cfg(feature = "decompression")]
    Deflate,
}

/// The codings that can be decoded, by their names. `x-gzip` is an old name of gzip.
const DECODABLE: &[(&str, Coding)] = &[
    #[cfg(feature = "decompression")]
    ("gzip", Coding::Gzip),
    #[cfg(feature = "decompression")]
    ("br", Coding::Brotli),
    #[cfg(feature = "decompression")]
    ("zstd", Coding::Zstd),
    #[cfg(feature = "decompression")]
    ("deflate", Coding::Deflate),
    #[cfg(feature = "decompression")]
    ("x-gzip", Coding::Gzip),
];

fn decodable(name: &[u8]) -> Option<Coding> {
    DECODABLE
        .iter()
        .find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()))
        .map(|&(_, coding)| coding)
}

/// The codings of a response in the order in which they were applied, `identity` left out; `None` if
/// one is unknown or there are more than `limit`.
pub(crate) fn applied(headers: &HeaderMap, limit: usize) -> Option<Vec<Coding>> {
    let mut codings = Vec::new();
    for name in fields::members(headers, CONTENT_ENCODING) {
        if !name.eq_ignore_ascii_case(b"identity") {
            codings.push(decodable(name)?);
        }
    }
    (codings.len() <= limit).then_some(codings)
}

/// Leaves of `Accept-Encoding` what the client accepts and we can decode: the answer may have to go
/// out as it came in. Without anything in common it says `identity`.
pub(crate) fn narrow(headers: &mut HeaderMap) {
    let mut narrowed = String::new();
    let mut wildcard = None;
    let mut named = Vec::new();
    for member in fields::members(headers, ACCEPT_ENCODING) {
        let name = fields::essence(member);
        let weight = fields::parameters(member)
            .find(|(parameter, _)| parameter.eq_ignore_ascii_case(b"q"))
            .map_or(Some(1000), |(_, value)| qvalue(value));
        let Some(weight) = weight else { continue };
        if name == b"*" {
            wildcard = Some(weight);
            continue;
        }
        let known = DECODABLE
            .iter()
            .map(|&(known, _)| known)
            .chain(["identity"]);
        if let Some(known) = known
            .into_iter()
            .find(|known| name.eq_ignore_ascii_case(known.as_bytes()))
        {
            named.push(known);
            push(&mut narrowed, known, weight);
        }
    }
    if let Some(weight) = wildcard {
        for &(known, _) in DECODABLE
            .iter()
            .filter(|(known, _)| !known.starts_with("x-") && !named.contains(known))
        {
            push(&mut narrowed, known, weight);
        }
    }
    let value = HeaderValue::try_from(narrowed)
        .ok()
        .filter(|value| !value.is_empty());
    headers.insert(
        ACCEPT_ENCODING,
        value.unwrap_or(HeaderValue::from_static("identity")),
    );
}

fn push(list: &mut String, coding: &str, weight: u16) {
    // What is not named is not accepted. `identity` always is: an answer that we decode has it.
    if weight == 0 {
        return;
    }
    if !list.is_empty() {
        list.push_str(", ");
    }
    list.push_str(coding);
    if weight < 1000 {
        list.push_str(&format!(";q=0.{weight:03}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrowed(accept: Option<&str>) -> String {
        let mut headers = HeaderMap::new();
        if let Some(accept) = accept {
            headers.insert(ACCEPT_ENCODING, accept.parse().unwrap());
        }
        narrow(&mut headers);
        headers[ACCEPT_ENCODING].to_str().unwrap().to_owned()
    }

    #[test]
    fn nothing_in_common_is_identity() {
        for accept in [
            None,
            Some(""),
            Some("compress, dcb"),
            Some("gzip;q=0"),
            Some("gzip;q=x"),
            Some("*;q=0"),
        ] {
            assert_eq!(narrowed(accept), "identity", "{accept:?}");
        }
    }

    #[cfg(not(feature = "decompression"))]
    #[test]
    fn without_decoders_only_identity_is_left() {
        assert_eq!(narrowed(Some("gzip, br")), "identity");
        assert_eq!(narrowed(Some("*")), "identity");
    }

    #[cfg(feature = "decompression")]
    #[test]
    fn what_both_sides_can_is_left_with_its_weight() {
        assert_eq!(
            narrowed(Some("gzip, compress, BR;q=0.5, identity;q=0.1")),
            "gzip, br;q=0.500, identity;q=0.100"
        );
        assert_eq!(
            narrowed(Some("gzip, *;q=0.2, br;q=0")),
            "gzip, zstd;q=0.200, deflate;q=0.200"
        );
        assert_eq!(narrowed(Some("x-gzip")), "x-gzip");
    }

    #[test]
    fn identity_is_no_coding_and_unknown_ones_stop_everything() {
        let with = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(value));
            applied(&headers, 1)
        };
        assert_eq!(with("identity"), Some(Vec::new()));
        assert_eq!(with(""), Some(Vec::new()));
        assert_eq!(with("aes128gcm"), None);
        #[cfg(feature = "decompression")]
        {
            assert_eq!(with("X-GZIP, identity"), Some(vec![Coding::Gzip]));
            assert_eq!(with("gzip, br"), None);
            assert_eq!(with("gzip, aes128gcm"), None);
        }
    }
}
