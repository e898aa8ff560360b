//! Entity tags of the documents that this module writes itself (RFC 9110 §8.8.3).

use http::HeaderMap;
use http::header::{HeaderValue, IF_NONE_MATCH};

/// FNV-1a: the same in every process and on every machine. Nothing here is secret.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A strong tag of exactly this text.
pub(super) fn entity_tag(text: &str) -> HeaderValue {
    HeaderValue::try_from(format!("\"{:016x}-{:x}\"", hash(text), text.len()))
        .unwrap_or(HeaderValue::from_static("\"\""))
}

/// Whether `If-None-Match` names `tag`, by weak comparison (RFC 9110 §13.1.2). A tag of ours has no
/// comma inside.
pub(super) fn is_fresh(request: &HeaderMap, tag: &HeaderValue) -> bool {
    request
        .get_all(IF_NONE_MATCH)
        .iter()
        .flat_map(|line| line.as_bytes().split(|&byte| byte == b','))
        .map(<[u8]>::trim_ascii)
        .any(|named| named == b"*" || named.strip_prefix(b"W/").unwrap_or(named) == tag.as_bytes())
}
