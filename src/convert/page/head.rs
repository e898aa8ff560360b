//! What the head of a page says: metadata, and the base of its addresses.

use super::Page;
use crate::convert::element::Element;
use crate::convert::tag::{AttributeName, StartTag, is_space};

impl Page {
    /// What stands in the head besides the title.
    pub(super) fn metadata(&mut self, tag: &StartTag<'_>) {
        match tag.element {
            Element::Meta => {
                let name = tag
                    .decoded(AttributeName::Name)
                    .or_else(|| tag.decoded(AttributeName::Property));
                if let (Some(name), Some(content)) = (name, tag.decoded(AttributeName::Content)) {
                    self.metadata.meta(&name, &content);
                }
            }
            Element::Link => {
                let canonical = tag.get(AttributeName::Rel).is_some_and(|r| {
                    r.split(|&b| is_space(b))
                        .any(|r| r.eq_ignore_ascii_case(b"canonical"))
                });
                if canonical && let Some(href) = tag.decoded(AttributeName::Href) {
                    self.metadata.canonical(&href);
                }
            }
            Element::Base => {
                if let Some(href) = tag.decoded(AttributeName::Href) {
                    self.addresses.set_base(&href);
                }
            }
            _ => {}
        }
    }
}
