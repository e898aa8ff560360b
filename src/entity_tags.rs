//! Lists of entity tags (RFC 9110 §8.8.3, §13.1.2).

/// One member of a list of entity tags.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntityTag<'a> {
    /// With its quotes, and the `W/` of a weak one.
    pub(crate) whole: &'a [u8],
    pub(crate) opaque: &'a [u8],
}

/// The members of a list of entity tags. Between the quotes anything may stand, commas and
/// backslashes included; what is no entity tag is skipped up to the next comma.
#[derive(Debug)]
pub(crate) struct EntityTags<'a> {
    rest: &'a [u8],
}

impl<'a> EntityTags<'a> {
    pub(crate) fn new(list: &'a [u8]) -> Self {
        Self { rest: list }
    }
}

impl<'a> Iterator for EntityTags<'a> {
    type Item = EntityTag<'a>;

    fn next(&mut self) -> Option<EntityTag<'a>> {
        loop {
            let rest = self.rest.trim_ascii_start();
            if rest.is_empty() {
                return None;
            }
            let quoted = rest.strip_prefix(b"W/").unwrap_or(rest).strip_prefix(b"\"");
            if let Some(quoted) = quoted
                && let Some(end) = quoted.iter().position(|&byte| byte == b'"')
            {
                self.rest = &quoted[end + 1..];
                return Some(EntityTag {
                    whole: &rest[..rest.len() - self.rest.len()],
                    opaque: &quoted[..end],
                });
            }
            let comma = rest.iter().position(|&byte| byte == b',');
            self.rest = comma.map_or(&[], |comma| &rest[comma + 1..]);
        }
    }
}
