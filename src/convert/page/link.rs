//! Links: where they point, and what they are called when they show nothing.

use super::Page;
use crate::convert::element::Element;
use crate::convert::tag::{AttributeName, StartTag};
use crate::markdown::Mark;
use std::borrow::Cow;

impl Page {
    pub(super) fn open_link(&mut self, tag: &StartTag<'_>) -> u32 {
        if self.in_pre() {
            return 0;
        }
        let Some(href) = tag.decoded(AttributeName::Href) else {
            return 0;
        };
        let Some(destination) = self.addresses.link(&href) else {
            return 0;
        };
        let title = tag.decoded(AttributeName::Title).unwrap_or_default();
        let by_class = is_unnamed(tag);
        let label = if by_class {
            // Its label only says that it is one.
            Some(Cow::default())
        } else {
            tag.decoded(AttributeName::AriaLabel)
        };
        let here = href.starts_with('#');
        let permalink = here || by_class;
        if here && (self.writer.in_heading() || points_to_itself(tag)) && !self.options.is_exact() {
            // It says no more than its text.
            let Mark::Link(id) = self.writer.open_plain_link() else {
                return 0;
            };
            return id + 1;
        }
        self.start_anchor(&destination, &title, label.as_deref(), permalink)
    }

    /// A link or an image in one, in navigation that is left out.
    pub(super) fn open_in_navigation(&mut self, tag: &StartTag<'_>) {
        let text = |name| tag.decoded(name).unwrap_or_default();
        match tag.element {
            Element::A => {
                let href = tag.decoded(AttributeName::Href);
                let destination = href
                    .filter(|href| !href.trim_start().starts_with('#'))
                    .and_then(|href| self.addresses.link(&href).map(Cow::into_owned));
                let label = match text(AttributeName::AriaLabel) {
                    label if label.trim().is_empty() => text(AttributeName::Title),
                    label => label,
                };
                match destination {
                    Some(destination) => self.navigation.open(destination, label.into_owned()),
                    None => self.navigation.close(),
                }
            }
            Element::Img => self.navigation.push(&text(AttributeName::Alt)),
            _ if tag.element.is_block() => self.navigation.push(" "),
            _ => {}
        }
    }

    /// Returns the number of the link, counted from 1. Without a label its title is one.
    fn start_anchor(
        &mut self,
        destination: &str,
        title: &str,
        label: Option<&str>,
        permalink: bool,
    ) -> u32 {
        let Mark::Link(id) = self.writer.open_link(destination, title, permalink) else {
            return 0;
        };
        self.links.push(OpenLink {
            id,
            label: label.map(str::to_owned),
            permalink,
        });
        id + 1
    }

    pub(super) fn reopen_link(&mut self, number: u32) -> Option<u32> {
        let mut closed = self.closed_links.iter();
        let index = closed.rposition(|l| l.link.id + 1 == number)?;
        let ClosedLink {
            destination,
            title,
            link,
        } = self.closed_links.remove(index)?;
        Some(self.start_anchor(&destination, &title, link.label.as_deref(), link.permalink))
    }

    pub(super) fn close_link(&mut self, number: u32, reopens: bool) {
        let Some(id) = number.checked_sub(1) else {
            return;
        };
        let mark = Mark::Link(id);
        let Some(index) = self.links.iter().rposition(|l| l.id == id) else {
            return self.writer.close_link(mark, Some(""));
        };
        let link = self.links.swap_remove(index);
        let known = if reopens { self.link(id) } else { None };
        self.writer.close_link(mark, link.label.as_deref());
        if let Some((destination, title)) = known {
            if self.closed_links.len() >= MAX_CLOSED {
                self.closed_links.pop_front();
            }
            self.closed_links.push_back(ClosedLink {
                destination,
                title,
                link,
            });
        }
    }

    /// Where a link points to, and its title, unless they are too long to be written again.
    #[cold]
    fn link(&self, id: u32) -> Option<(String, String)> {
        let (destination, title) = self.writer.link(id)?;
        let short = destination.len() + title.len() <= MAX_REOPENED;
        short.then(|| (destination.to_owned(), title.to_owned()))
    }
}

/// A link that is open.
#[derive(Debug)]
pub(super) struct OpenLink {
    id: u32,
    /// What it is called if it shows nothing, unless that is its title.
    label: Option<String>,
    /// It may say no more than "here".
    permalink: bool,
}

/// A link that formatting may open again.
#[derive(Debug)]
pub(super) struct ClosedLink {
    destination: String,
    title: String,
    link: OpenLink,
}

/// Links remembered, to be opened again: one is open at a time, save for those around tables in
/// tables.
const MAX_CLOSED: usize = 16;

/// Bytes of address and title that are written once more in each block that a link goes on in.
const MAX_REOPENED: usize = 8 << 10;

/// A link to its own heading or one that runs the code beside it, by the classes that generators
/// give it.
fn is_unnamed(tag: &StartTag<'_>) -> bool {
    const CLASSES: [&[u8]; 8] = [
        b"headerlink",
        b"anchor",
        b"permalink",
        b"header-anchor",
        b"anchorlink",
        b"hash-link",
        b"copiable-link",
        b"test-arrow",
    ];
    let may_begin_one =
        |class: &[u8]| matches!(class.first(), Some(b'a' | b'c' | b'h' | b'p' | b't'));
    tag.has_class(|class| may_begin_one(class) && CLASSES.contains(&class))
}

/// Whether the link leads to where it stands.
fn points_to_itself(tag: &StartTag<'_>) -> bool {
    let fragment = tag
        .get(AttributeName::Href)
        .and_then(|href| href.strip_prefix(b"#"));
    fragment.is_some_and(|fragment| {
        [AttributeName::Id, AttributeName::Name]
            .iter()
            .any(|&name| tag.get(name) == Some(fragment))
    })
}

/// Whether a link in code is the number of a line: it leads to itself, and no identifier of a
/// programming language has such a name.
pub(super) fn is_line_number(tag: &StartTag<'_>) -> bool {
    tag.element == Element::A
        && points_to_itself(tag)
        && tag.get(AttributeName::Href).is_some_and(|href| {
            let number = href.strip_prefix(b"#line-").unwrap_or(&href[1..]);
            !number.is_empty() && number.iter().all(u8::is_ascii_digit)
        })
}
