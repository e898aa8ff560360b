//! Images, and what can only be played.

use super::Page;
use crate::convert::address::srcset_candidate;
use crate::convert::charref::decode_attribute;
use crate::convert::element::Element;
use crate::convert::tag::{AttributeName, StartTag};
use std::borrow::Cow;

/// The video or audio that is open.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Media {
    #[default]
    None,
    /// Its address may come; it will be called so.
    Awaited(String),
    /// A link was written for it.
    Linked,
}

impl Page {
    /// What can only be played is a link, if it has an address.
    pub(super) fn media(&mut self, tag: &StartTag<'_>) {
        let label = tag
            .get(AttributeName::Title)
            .or_else(|| tag.get(AttributeName::AriaLabel))
            .map(decode_attribute)
            .filter(|l| !l.trim().is_empty());
        let kind = match tag.element {
            Element::Video => "Video",
            Element::Audio => "Audio",
            _ => "Embedded content",
        };
        let label = label.as_deref().unwrap_or(kind);
        let linked = self.media_link(tag, label);
        if matches!(tag.element, Element::Video | Element::Audio) {
            self.media = Media::Awaited(label.to_owned());
            if linked {
                self.hide_fallback();
            }
        }
    }

    /// The first source of a video or audio that has no address of its own.
    pub(super) fn media_source(&mut self, tag: &StartTag<'_>) {
        if let Media::Awaited(label) = std::mem::take(&mut self.media) {
            if self.media_link(tag, &label) {
                self.hide_fallback();
            } else {
                self.media = Media::Awaited(label);
            }
        }
    }

    /// What stands in a video or audio shows only where it can't be played.
    fn hide_fallback(&mut self) {
        self.media = Media::None;
        if !self.options.is_exact() {
            self.media = Media::Linked;
            self.skipped += 1;
        }
    }

    pub(super) fn close_media(&mut self) {
        if std::mem::take(&mut self.media) == Media::Linked {
            self.skipped = self.skipped.saturating_sub(1);
        }
    }

    fn media_link(&mut self, tag: &StartTag<'_>, label: &str) -> bool {
        if self.in_pre() || self.writer.in_link() {
            return false;
        }
        let addresses = match tag.element {
            Element::Object => [tag.get_by_name("data"), None],
            _ => [AttributeName::Src, AttributeName::DataSrc].map(|name| tag.get(name)),
        };
        let destination = addresses.into_iter().flatten().find_map(|address| {
            // An empty one is none (WHATWG HTML §4.8.11.5).
            let address = decode_attribute(address.trim_ascii());
            if address.is_empty() {
                return None;
            }
            self.addresses.link(&address).map(Cow::into_owned)
        });
        let Some(destination) = destination else {
            return false;
        };
        self.writer.text(" ");
        let mark = self.writer.open_link(&destination, "", false);
        self.writer.text(label);
        self.writer.close_link(mark, Some(""));
        self.writer.text(" ");
        true
    }

    pub(super) fn image(&mut self, tag: &StartTag<'_>) {
        if self.in_pre() {
            return;
        }
        let alt = tag.decoded(AttributeName::Alt).unwrap_or_default();
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        let all = self.options.keeps_all_images();
        if alt.is_empty() && !all {
            return;
        }
        let Some(source) = self.image_source(tag) else {
            return;
        };
        let title = tag.decoded(AttributeName::Title).unwrap_or_default();
        // A title that says the same once more says nothing.
        let title = if title == alt && !all {
            Cow::default()
        } else {
            title
        };
        self.writer.image(&source, &title, &alt);
    }

    /// The address of the image; where `src` only holds the place, that of the real one.
    fn image_source(&self, tag: &StartTag<'_>) -> Option<String> {
        let plain = [
            AttributeName::Src,
            AttributeName::DataSrc,
            AttributeName::DataOriginal,
        ];
        let sets = [AttributeName::Srcset, AttributeName::DataSrcset];
        let from_plain = plain.iter().find_map(|&name| {
            let value = tag.decoded(name)?;
            self.addresses.image(&value).map(Cow::into_owned)
        });
        from_plain.or_else(|| {
            sets.iter().find_map(|&name| {
                let value = tag.decoded(name)?;
                self.addresses
                    .image(srcset_candidate(&value)?)
                    .map(Cow::into_owned)
            })
        })
    }
}
