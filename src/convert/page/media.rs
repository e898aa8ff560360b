//! Images, and what can only be played.

use super::Page;
use crate::convert::address::srcset_candidate;
use crate::convert::charref::decode_attribute;
use crate::convert::element::Element;
use crate::convert::tag::{AttributeName, StartTag};
use std::borrow::Cow;

impl Page {
    /// What can only be played is a link, if it has an address.
    pub(super) fn media(&mut self, tag: &StartTag<'_>) {
        if self.in_pre() || self.writer.in_link() {
            return;
        }
        let address = match tag.element {
            Element::Object => tag.get_by_name("data"),
            _ => tag.get(AttributeName::Src),
        };
        let Some(address) = address.map(decode_attribute) else {
            return;
        };
        let Some(destination) = self.addresses.link(&address).map(Cow::into_owned) else {
            return;
        };
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
        self.writer.text(" ");
        let mark = self.writer.open_link(&destination, "");
        self.writer.text(label.as_deref().unwrap_or(kind));
        self.writer.close_link(mark, "", false);
        self.writer.text(" ");
    }

    pub(super) fn image(&mut self, tag: &StartTag<'_>) {
        if self.in_pre() {
            return;
        }
        let alt = tag
            .get(AttributeName::Alt)
            .map(decode_attribute)
            .unwrap_or_default();
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        let all = self.options.keeps_all_images();
        if alt.is_empty() && !all {
            return;
        }
        let Some(source) = self.image_source(tag) else {
            return;
        };
        let title = tag
            .get(AttributeName::Title)
            .map(decode_attribute)
            .unwrap_or_default();
        // A title that says the same once more says nothing.
        let title = if title == alt && !all {
            Cow::default()
        } else {
            title
        };
        self.writer.image(&source, &title, &alt);
    }

    /// The address of the image; where `src` only holds the place, that of the real one.
    pub(super) fn image_source(&self, tag: &StartTag<'_>) -> Option<String> {
        let plain = [
            AttributeName::Src,
            AttributeName::DataSrc,
            AttributeName::DataOriginal,
        ];
        let sets = [AttributeName::Srcset, AttributeName::DataSrcset];
        let from_plain = plain.iter().find_map(|&name| {
            let value = decode_attribute(tag.get(name)?);
            self.addresses.image(&value).map(Cow::into_owned)
        });
        from_plain.or_else(|| {
            sets.iter().find_map(|&name| {
                let value = decode_attribute(tag.get(name)?);
                self.addresses
                    .image(srcset_candidate(&value)?)
                    .map(Cow::into_owned)
            })
        })
    }
}
