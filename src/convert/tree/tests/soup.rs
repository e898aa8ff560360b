//! Pages with markers for their text, and what can go wrong with their tags.

use super::marker;
use crate::convert::element::Element;
use crate::convert::tag::{Markup, TagReader};

/// A piece of a page.
#[derive(Debug, Clone)]
pub(super) enum Token {
    /// Text, one marker for all of it, that stands for as many characters of the page.
    Text(String),
    Start(String),
    End(Element, String),
    /// Anything else: comments, the document type, what is in scripts.
    Other(String),
}

impl Token {
    pub(super) fn html(&self) -> &str {
        match self {
            Self::Text(html) | Self::Start(html) | Self::End(_, html) | Self::Other(html) => html,
        }
    }

    /// Whether it is an end tag, but of no element that would else take the rest of the page.
    fn is_end(&self) -> bool {
        matches!(self, Self::End(element, _) if !element.is_raw_text())
    }
}

/// A page whose text is replaced by markers.
#[derive(Debug)]
pub(super) struct MarkedPage {
    pub(super) tokens: Vec<Token>,
    /// For each marker, how many characters it stands for.
    pub(super) weights: Vec<usize>,
}

impl MarkedPage {
    fn starts_raw_text(tag: &str) -> bool {
        matches!(
            TagReader::default().next(tag.as_bytes()),
            Some((Markup::Start(tag), _)) if tag.element.is_raw_text()
        )
    }

    pub(super) fn new(html: &str) -> Self {
        let mut page = Self {
            tokens: Vec::new(),
            weights: Vec::new(),
        };
        let mut reader = TagReader::default();
        let mut rest = html.trim_start_matches('\u{FEFF}');
        while !rest.is_empty() {
            let length = match rest.find('<') {
                Some(0) => page.markup(rest, &mut reader),
                Some(at) => page.text(&rest[..at]),
                None => page.text(rest),
            };
            rest = &rest[length..];
        }
        page
    }

    pub(super) fn html(&self) -> String {
        self.tokens.iter().map(Token::html).collect()
    }

    fn text(&mut self, text: &str) -> usize {
        let inner = text.trim_matches([' ', '\t', '\n', '\r', '\x0C']);
        let html = if inner.is_empty() {
            text.to_owned()
        } else {
            let marker = marker(self.weights.len());
            self.weights.push(inner.chars().count());
            let start = inner.as_ptr() as usize - text.as_ptr() as usize;
            format!("{}{marker}{}", &text[..start], &text[start + inner.len()..])
        };
        self.tokens.push(Token::Text(html));
        text.len()
    }

    /// The length of the markup that `rest` begins with.
    fn markup(&mut self, rest: &str, reader: &mut TagReader) -> usize {
        let up_to = |needle: &str| rest.find(needle).map_or(rest.len(), |i| i + needle.len());
        if rest.starts_with("<!--") {
            return self.other(rest, up_to("-->"));
        }
        if rest.starts_with("<![CDATA[") {
            return self.other(rest, up_to("]]>"));
        }
        if rest.starts_with("<!") || rest.starts_with("<?") {
            return self.other(rest, up_to(">"));
        }
        let second = rest[1..].trim_start_matches('/');
        if !second.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return self.other(rest, 1);
        }
        let Some((markup, length)) = reader.next(rest.as_bytes()) else {
            return self.other(rest, rest.len());
        };
        let html = rest[..length].to_owned();
        match markup {
            Markup::Start(tag) => {
                let element = tag.element;
                let close = format!("</{}", String::from_utf8_lossy(tag.name));
                self.tokens.push(Token::Start(html));
                if !element.is_raw_text() {
                    return length;
                }
                let raw = &rest[length..];
                let end = raw
                    .to_ascii_lowercase()
                    .find(&close.to_ascii_lowercase())
                    .unwrap_or(raw.len());
                length + if end > 0 { self.other(raw, end) } else { 0 }
            }
            Markup::End(element, _) => {
                self.tokens.push(Token::End(element, html));
                length
            }
            Markup::Doctype(_) => self.other(rest, length),
        }
    }

    fn other(&mut self, rest: &str, length: usize) -> usize {
        self.tokens.push(Token::Other(rest[..length].to_owned()));
        length
    }

    /// Without any end tag that may be left out (WHATWG HTML §13.1.2.4).
    pub(super) fn without_optional_end_tags(&mut self) {
        use Element::{Dd, Dt, Li, Optgroup, Option, P, Rp, Rt, Tbody, Td, Tfoot, Th, Thead, Tr};
        self.tokens.retain(|t| {
            !matches!(
                t,
                Token::End(
                    P | Li
                        | Dd
                        | Dt
                        | Tr
                        | Td
                        | Th
                        | Tbody
                        | Thead
                        | Tfoot
                        | Option
                        | Optgroup
                        | Rt
                        | Rp,
                    _
                )
            )
        });
    }

    /// End tags lost (2 %), doubled (2 %), swapped with what stands beside them (5 %), and some
    /// that nothing has opened (1 %).
    pub(super) fn stir(&mut self, random: &mut Random) {
        let mut tokens = Vec::with_capacity(self.tokens.len());
        for token in self.tokens.drain(..) {
            let is_end = token.is_end();
            if is_end && random.percent(2) {
                continue;
            }
            if is_end && random.percent(2) {
                tokens.push(token.clone());
            }
            tokens.push(token);
            if is_end && random.percent(1) {
                let stray = ["b", "p", "div", "span", "a", "td", "li", "em"];
                let name = stray[random.below(stray.len())];
                let element = Element::from_name(name.as_bytes());
                tokens.push(Token::End(element, format!("</{name}>")));
            }
        }
        for index in 1..tokens.len() {
            let before = match &tokens[index - 1] {
                Token::Text(_) => true,
                // Not into a script, and not out of one.
                Token::Start(html) => !Self::starts_raw_text(html),
                token => token.is_end(),
            };
            if tokens[index].is_end() && before && random.percent(5) {
                tokens.swap(index - 1, index);
            }
        }
        self.tokens = tokens;
    }
}

/// Random tags and text, 3 to 40 tokens.
pub(super) fn random_page(random: &mut Random, names: &[&str]) -> MarkedPage {
    let mut html = String::from(if random.percent(50) {
        "<!doctype html>"
    } else {
        ""
    });
    for _ in 0..random.below(38) + 3 {
        let name = names[random.below(names.len())];
        match random.below(10) {
            0..4 => html += &format!("<{name}>"),
            4 => html += &format!("<{name} class=x>"),
            5..8 => html += &format!("</{name}>"),
            8 if random.percent(30) => html += " ",
            _ => html += "x",
        }
    }
    html += "x";
    MarkedPage::new(&html)
}

/// A small generator of numbers that are the same on every run (xorshift).
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % limit as u64) as usize
    }

    fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
