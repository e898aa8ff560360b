//! Entity tags of the documents that this module writes itself (RFC 9110 §8.8.3).

use crate::fnv::fnv1a;
use http::HeaderMap;
use http::header::{HeaderValue, IF_NONE_MATCH};

/// A strong tag of exactly this text.
pub(super) fn entity_tag(text: &str) -> HeaderValue {
    HeaderValue::try_from(format!("\"{:016x}-{:x}\"", fnv1a(text.bytes()), text.len()))
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
