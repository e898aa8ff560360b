//! Tags as the tokenizer of the WHATWG HTML standard sees them (§13.2.5), read from their raw
//! bytes without copying.

use super::charref;
use super::element::Element;
use super::names::Names;
use super::search;
use crate::byte_set::byte_set;
use std::borrow::Cow;
use std::ops::Range;

macro_rules! attributes {
    ($($variant:ident $name:literal;)*) => {
        /// The attributes that the converter ever looks at.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum AttributeName {
            $($variant,)*
            /// Any other: kept for the selectors of the options, found by its raw name.
            Other,
        }

        static NAMES: Names<AttributeName, 128> = Names::new(
            &[$(($name, AttributeName::$variant),)*],
            AttributeName::Other,
        );
    };
}

attributes! {
    Align "align";
    Alt "alt";
    AltText "alttext";
    AriaHidden "aria-hidden";
    AriaLabel "aria-label";
    Charset "charset";
    Checked "checked";
    Class "class";
    Colspan "colspan";
    Content "content";
    DataLang "data-lang";
    DataLanguage "data-language";
    DataOriginal "data-original";
    DataSrc "data-src";
    DataSrcset "data-srcset";
    Encoding "encoding";
    Hidden "hidden";
    Href "href";
    HttpEquiv "http-equiv";
    Id "id";
    Lang "lang";
    Name "name";
    Property "property";
    Rel "rel";
    Reversed "reversed";
    Role "role";
    Rowspan "rowspan";
    Selected "selected";
    Src "src";
    Srcset "srcset";
    Start "start";
    Style "style";
    Title "title";
    Type "type";
    Value "value";
}

/// A set of [`AttributeName`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct AttributeNames(u64);

impl AttributeNames {
    pub(super) fn insert(&mut self, name: AttributeName) {
        const { assert!((AttributeName::Other as u8) < 64) }
        self.0 |= 1 << name as u8;
    }

    fn contains(self, name: AttributeName) -> bool {
        self.0 & (1 << name as u8) != 0
    }

    fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl AttributeName {
    pub(super) fn from_name(name: &[u8]) -> Self {
        NAMES.get(name)
    }
}

/// Where one attribute stands in the raw tag.
#[derive(Debug, Clone)]
struct Span {
    id: AttributeName,
    name: Range<u32>,
    value: Range<u32>,
}

/// Attributes kept of one tag: no page needs more, and a hostile one gets no more memory.
const MAX_ATTRIBUTES: usize = 256;

/// A start tag: borrowed from the raw bytes and from the scratch memory of a [`TagReader`].
#[derive(Debug, Clone, Copy)]
pub(super) struct StartTag<'a> {
    pub(super) element: Element,
    pub(super) name: &'a [u8],
    pub(super) self_closing: bool,
    raw: &'a [u8],
    /// The same as text, if that is known to be some.
    text: Option<&'a str>,
    attributes: &'a [Span],
    /// The names of the attributes: most that are asked for are absent.
    present: AttributeNames,
}

impl<'a> StartTag<'a> {
    pub(super) fn has_attributes(&self) -> bool {
        !self.attributes.is_empty()
    }

    /// The raw value of the attribute, character references undecoded; of duplicates the first.
    pub(super) fn get(&self, id: AttributeName) -> Option<&'a [u8]> {
        self.find(id).map(|a| self.slice(&a.value))
    }

    /// The value of the attribute, character references decoded.
    pub(super) fn decoded(&self, id: AttributeName) -> Option<Cow<'a, str>> {
        let value = &self.find(id)?.value;
        let text = self
            .text
            .and_then(|t| t.get(value.start as usize..value.end as usize));
        Some(match text {
            Some(text) => charref::decode_attribute_text(text),
            None => charref::decode_attribute(self.slice(value)),
        })
    }

    /// Whether one of the classes of the element is such.
    #[inline]
    pub(super) fn has_class(&self, is_such: impl FnMut(&'a [u8]) -> bool) -> bool {
        self.get(AttributeName::Class)
            .is_some_and(|list| list.split(|&b| is_space(b)).any(is_such))
    }

    fn find(&self, id: AttributeName) -> Option<&'a Span> {
        if !self.has(id) {
            return None;
        }
        self.attributes.iter().find(|a| a.id == id)
    }

    pub(super) fn has(&self, id: AttributeName) -> bool {
        self.present.contains(id)
    }

    /// Whether the tag has an attribute of the set.
    pub(super) fn has_any(&self, ids: AttributeNames) -> bool {
        self.present.intersects(ids)
    }

    /// The raw value of an attribute by a name that has no [`AttributeName`] of its own, in any case.
    pub(super) fn get_by_name(&self, name: &str) -> Option<&'a [u8]> {
        self.attributes
            .iter()
            .find(|a| self.slice(&a.name).eq_ignore_ascii_case(name.as_bytes()))
            .map(|a| self.slice(&a.value))
    }

    /// The same tag by another name.
    pub(super) fn standing_for(self, element: Element) -> Self {
        Self { element, ..self }
    }

    /// The attributes as they stand, for telling equal tags from different ones.
    pub(super) fn raw_attributes(&self) -> &'a [u8] {
        &self.raw[self.name.len()..]
    }

    fn slice(&self, range: &Range<u32>) -> &'a [u8] {
        &self.raw[range.start as usize..range.end as usize]
    }
}

/// One item of a run of markup.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "who reads tags without a tokenizer looks at start tags only"
    )
)]
pub(super) enum Markup<'a> {
    Start(StartTag<'a>),
    End(Element, &'a [u8]),
    /// The text of a document type declaration after `<!`.
    Doctype(&'a [u8]),
}

/// Reads tags from runs of raw markup; its scratch memory is used again for each tag.
#[derive(Debug, Default)]
pub(super) struct TagReader {
    attributes: Vec<Span>,
    present: AttributeNames,
    self_closing: bool,
}

impl TagReader {
    /// Reads the first item of `run`: the item and how many bytes it takes. `None` where nothing
    /// but an unfinished tag or something that is no tag is left.
    pub(super) fn next<'a>(&'a mut self, run: &'a [u8]) -> Option<(Markup<'a>, usize)> {
        let mut at = 0;
        loop {
            if *run.get(at)? != b'<' {
                at += memchr::memchr(b'<', &run[at..])?;
            }
            match *run.get(at + 1)? {
                b'/' => {
                    let first = run.get(at + 2)?;
                    if !first.is_ascii_alphabetic() {
                        at += 2;
                        continue;
                    }
                    let (element, name, length) = self.end(&run[at + 2..])?;
                    return Some((Markup::End(element, name), at + 2 + length));
                }
                b'!' if run[at + 2..].starts_with(b"[CDATA[") => at += 9,
                b'!' => {
                    let end = at + memchr::memchr(b'>', &run[at..])?;
                    return Some((Markup::Doctype(&run[at + 2..end]), end + 1));
                }
                c if c.is_ascii_alphabetic() => {
                    let raw = &run[at + 1..];
                    let (element, name, length) = self.read_start(raw)?;
                    let tag = self.tag_of_bytes(&raw[..length], element, name);
                    return Some((Markup::Start(tag), at + 1 + length));
                }
                _ => at += 1,
            }
        }
    }

    /// Reads a start tag from its name on: its element, how long its name is and how many bytes the
    /// tag takes, if it ends.
    #[inline(always)] // Handing back what it has read costs as much as reading it.
    pub(super) fn read_start(&mut self, raw: &[u8]) -> Option<(Element, usize, usize)> {
        let (element, name) = Element::read(raw);
        self.forget();
        let length = if raw.get(name) == Some(&b'>') {
            name + 1
        } else {
            self.read_attributes(raw, name, true)?
        };
        Some((element, name, length))
    }

    /// The start tag that was read last, all of it from its name on.
    #[inline]
    pub(super) fn tag<'a>(&'a self, raw: &'a str, element: Element, name: usize) -> StartTag<'a> {
        StartTag {
            text: Some(raw),
            ..self.tag_of_bytes(raw.as_bytes(), element, name)
        }
    }

    #[inline]
    fn tag_of_bytes<'a>(&'a self, raw: &'a [u8], element: Element, name: usize) -> StartTag<'a> {
        StartTag {
            element,
            name: &raw[..name],
            self_closing: self.self_closing,
            raw: &raw[..raw.len() - 1],
            text: None,
            attributes: &self.attributes,
            present: self.present,
        }
    }

    /// Reads an end tag from its name on: the element, its name and how many bytes the tag takes.
    #[inline(always)] // As above.
    pub(super) fn end<'a>(&mut self, raw: &'a [u8]) -> Option<(Element, &'a [u8], usize)> {
        let (element, name) = Element::read(raw);
        let length = if raw.get(name) == Some(&b'>') {
            name + 1
        } else {
            self.read_attributes(raw, name, false)?
        };
        Some((element, &raw[..name], length))
    }

    /// Reads a start tag that was cut off: its name and the attributes that are complete.
    pub(super) fn truncated<'a>(&'a mut self, raw: &'a [u8], self_closing: bool) -> StartTag<'a> {
        let name = tag_name(raw);
        self.forget();
        let _ = self.read_attributes(raw, name.len(), true);
        StartTag {
            element: Element::from_name(name),
            name,
            self_closing,
            // Its end is no part of it, as in a tag that was not cut.
            raw: raw.strip_suffix(b">").unwrap_or(raw),
            text: None,
            attributes: &self.attributes,
            present: self.present,
        }
    }

    fn forget(&mut self) {
        self.attributes.clear();
        self.present = AttributeNames::default();
        self.self_closing = false;
    }

    /// The attribute states of the tokenizer (§13.2.5.32 to 40), from `at` on: where the tag ends.
    fn read_attributes(&mut self, raw: &[u8], mut at: usize, keep: bool) -> Option<usize> {
        loop {
            while is_space(*raw.get(at)?) {
                at += 1;
            }
            match raw[at] {
                b'>' => return Some(at + 1),
                b'/' => {
                    at += 1;
                    if *raw.get(at)? == b'>' {
                        self.self_closing = true;
                        return Some(at + 1);
                    }
                    continue;
                }
                _ => {}
            }
            let name_start = at;
            let (id, length) = if raw[at] == b'=' {
                // A leading `=` belongs to the name.
                (
                    AttributeName::Other,
                    1 + NAMES.read(&raw[at + 1..], &ENDS_NAME).1,
                )
            } else {
                NAMES.read(&raw[at..], &ENDS_NAME)
            };
            at += length;
            let name = name_start..at;
            let value = match raw[at..] {
                // As most are written.
                [b'=', quote @ (b'"' | b'\''), ..] => {
                    let start = at + 2;
                    let end = start + search::find(quote, &raw[start..])?;
                    at = end + 1;
                    start..end
                }
                _ => read_value(raw, &mut at)?,
            };
            if keep && self.attributes.len() < MAX_ATTRIBUTES {
                self.present.insert(id);
                self.attributes.push(Span {
                    id,
                    name: name.start as u32..name.end as u32,
                    value: value.start as u32..value.end as u32,
                });
            }
        }
    }
}

/// The value of an attribute whose name ends at `at`, if it has one, in any notation (§13.2.5.34 to
/// 38); moves behind it.
fn read_value(raw: &[u8], at: &mut usize) -> Option<Range<usize>> {
    let skip_blanks = |at: &mut usize| {
        *at += raw[*at..].iter().position(|&b| !is_space(b))?;
        Some(raw[*at])
    };
    if skip_blanks(at)? != b'=' {
        return Some(*at..*at);
    }
    *at += 1;
    let first = skip_blanks(at)?;
    let start = *at;
    match first {
        b'"' | b'\'' => {
            let end = start + 1 + search::find(first, &raw[start + 1..])?;
            *at = end + 1;
            Some(start + 1..end)
        }
        _ => {
            let ends = |&b: &u8| is_space(b) || b == b'>';
            *at += raw[start..].iter().position(ends)?;
            Some(start..*at)
        }
    }
}

/// Bytes that end the name of an attribute.
static ENDS_NAME: [bool; 256] = byte_set(b"=>/\t\n\x0C\r ");

/// The tag name that the bytes begin with.
pub(super) fn tag_name(raw: &[u8]) -> &[u8] {
    &raw[..Element::read(raw).1]
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0C')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(run: &str) -> Vec<String> {
        let mut reader = TagReader::default();
        let mut rest = run.as_bytes();
        let mut items = Vec::new();
        while let Some((item, length)) = reader.next(rest) {
            items.push(match item {
                Markup::Start(tag) => {
                    let mut text = String::from_utf8_lossy(tag.name).into_owned();
                    for a in tag.attributes {
                        text += &format!(
                            " {}={}",
                            String::from_utf8_lossy(tag.slice(&a.name)),
                            String::from_utf8_lossy(tag.slice(&a.value))
                        );
                    }
                    if tag.self_closing {
                        text += " /";
                    }
                    text
                }
                Markup::End(_, name) => format!("/{}", String::from_utf8_lossy(name)),
                Markup::Doctype(text) => format!("!{}", String::from_utf8_lossy(text)),
            });
            rest = &rest[length..];
        }
        items
    }

    #[test]
    fn a_run_of_tags_comes_apart_at_its_tags() {
        assert_eq!(
            items("<!doctype html><p class=a></p ><br/></><![CDATA[<i>]]></b x='>'>"),
            ["!doctype html", "p class=a", "/p", "br /", "i", "/b"]
        );
    }

    #[test]
    fn attributes_are_read_in_every_notation() {
        assert_eq!(
            items("<a HREF = \"/x>y\" b='\"' c=d/e f g= h/i =j=k>"),
            ["a HREF=/x>y b=\" c=d/e f= g=h/i =j=k"]
        );
        assert_eq!(items("<IMG/SRC=/i.png/ALT=q>"), ["IMG SRC=/i.png/ALT=q"]);
        assert_eq!(items("<a b=>"), ["a b="]);
        assert_eq!(items("<a b=c/>"), ["a b=c/"]);
        assert_eq!(items("<a b=\"c\"/>"), ["a b=c /"]);
    }

    #[test]
    fn an_unfinished_tag_is_no_item() {
        assert_eq!(items("<p><a href='x"), ["p"]);
        assert_eq!(items("<p></"), ["p"]);
        assert_eq!(items("<"), Vec::<String>::new());
    }

    #[test]
    fn of_duplicate_attributes_the_first_counts() {
        let mut reader = TagReader::default();
        let Some((Markup::Start(tag), _)) = reader.next(b"<a href=1 HREF=2>") else {
            panic!()
        };
        assert_eq!(tag.get(AttributeName::Href), Some(&b"1"[..]));
    }
}
