//! Tags of `svg` and `math`, which the parser must get by themselves.

use crate::convert::search;
use crate::convert::tag::is_space;
use crate::convert::tag_end::TagEnd;

/// A tag that is longer is not looked at for a `/` at its end.
const LONGEST: usize = 8 << 10;

/// A piece of the page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    /// What looks like a tag of `svg` or `math`.
    Root(&'a str),
}

/// Cuts a page around such tags, however it was cut before.
#[derive(Debug)]
pub(super) struct Roots {
    /// What is or may become one, without its end.
    held: String,
    /// Looks for that.
    end: TagEnd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    Root,
    /// One more byte decides.
    Unknown,
    Other,
}

impl Roots {
    pub(super) fn new() -> Self {
        Self {
            held: String::new(),
            end: TagEnd::from_name(),
        }
    }

    /// Hands on the pieces of the page as far as they are known.
    pub(super) fn cut<E>(
        &mut self,
        text: &str,
        mut hand_on: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = text;
        while !rest.is_empty() {
            if self.held.is_empty() {
                let bytes = rest.as_bytes();
                // One search finds both names in any case, and `<` is scarce enough.
                let at = first_start(bytes).unwrap_or(rest.len());
                let (before, from) = rest.split_at(at);
                if !before.is_empty() {
                    hand_on(Piece::Text(before))?;
                }
                rest = from;
                if !rest.is_empty() {
                    self.hold();
                    rest = &rest[1..];
                }
                continue;
            }
            // One character at a time until the name is known.
            let known = start(self.held.as_bytes()) == Start::Root;
            let next = if known {
                rest
            } else {
                &rest[..rest.ceil_char_boundary(1)]
            };
            let end = self.end.find(next.as_bytes());
            let (tag, after) = rest.split_at(end.unwrap_or(next.len()));
            self.held.push_str(tag);
            rest = after;
            match start(self.held.as_bytes()) {
                Start::Root if end.is_some() => hand_on(Piece::Root(&self.held))?,
                Start::Root if self.held.len() <= LONGEST => continue,
                Start::Unknown => continue,
                Start::Other if self.held.ends_with('<') => {
                    self.held.pop();
                    hand_on(Piece::Text(&self.held))?;
                    self.hold();
                    continue;
                }
                Start::Root | Start::Other => hand_on(Piece::Text(&self.held))?,
            }
            self.held.clear();
        }
        Ok(())
    }

    /// Begins with a `<`.
    fn hold(&mut self) {
        self.held.clear();
        self.held.push('<');
        self.end = TagEnd::from_name();
    }

    /// The page has ended: what was held.
    pub(super) fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// Bytes looked at together for the beginning of a root.
const BLOCK: usize = 64;

/// Whether a root may begin in the block, of which the last two bytes are only looked ahead to: few
/// other tags have a `v` in second place or begin with `m`. Without branches, so that the compiler
/// looks at many bytes with one instruction.
fn may_begin(block: &[u8; BLOCK + 2]) -> bool {
    let mut any = false;
    for i in 0..BLOCK {
        let (first, second) = (block[i + 1] | 0x20, block[i + 2] | 0x20);
        any |= (block[i] == b'<') & ((first == b'm') | (second == b'v'));
    }
    any
}

/// The first place where a root begins or may begin.
fn first_start(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        while let Some(block) = bytes[at..].first_chunk()
            && !may_begin(block)
        {
            at += BLOCK;
        }
        at += search::find(b'<', &bytes[at..])?;
        // Most tags are out by their first letter.
        let first = bytes.get(at + 1).map_or(b's', |b| b | 0x20);
        if matches!(first, b's' | b'm') && start(&bytes[at..]) != Start::Other {
            return Some(at);
        }
        at += 1;
    }
}

/// What the bytes begin with.
fn start(bytes: &[u8]) -> Start {
    for name in [&b"<svg"[..], b"<math"] {
        match bytes.get(name.len()) {
            Some(&b)
                if (is_space(b) || matches!(b, b'/' | b'>'))
                    && bytes[..name.len()].eq_ignore_ascii_case(name) =>
            {
                return Start::Root;
            }
            None if name[..bytes.len()].eq_ignore_ascii_case(bytes) => return Start::Unknown,
            Some(_) | None => {}
        }
    }
    Start::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(page: &str, size: usize) -> (Vec<String>, String) {
        let mut roots = Roots::new();
        let (mut found, mut all) = (Vec::new(), String::new());
        let characters: Vec<char> = page.chars().collect();
        for piece in characters.chunks(size) {
            let piece: String = piece.iter().collect();
            roots
                .cut(&piece, |piece| {
                    match piece {
                        Piece::Text(text) => all += text,
                        Piece::Root(tag) => {
                            all += tag;
                            found.push(tag.to_owned());
                        }
                    }
                    Ok::<_, ()>(())
                })
                .unwrap();
        }
        all += &roots.finish();
        (found, all)
    }

    #[test]
    fn roots_are_found_in_every_cut_and_nothing_is_lost() {
        let long = format!("<svg a='{}'>", "x".repeat(2 * LONGEST));
        let page = format!(
            "a<<svg/>b<svgé><SVG a='>'><svgs><s><math>é</math><ma<Math b=/>{long}é<svg\n/></svg><sv"
        );
        for size in 1..page.chars().count() {
            let (found, all) = pieces(&page, size);
            assert_eq!(
                found,
                ["<svg/>", "<SVG a='>'>", "<math>", "<Math b=/>", "<svg\n/>"],
                "pieces of {size}"
            );
            assert_eq!(all, page, "pieces of {size}");
            if size > 60 {
                break;
            }
        }
    }
}
