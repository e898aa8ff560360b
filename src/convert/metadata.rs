//! What the head of a page says about it, and the structured data in it.

use super::address::Addresses;
use std::fmt::Write as _;

/// The front matter in the making.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    title: Option<String>,
    og_title: Option<String>,
    description: Option<String>,
    og_description: Option<String>,
    canonical: Option<String>,
}

/// Bytes of each value at most: a longer one is cut at a character.
const MAX_VALUE: usize = 4096;

impl Metadata {
    /// Appends to the text of the first `<title>`.
    pub(super) fn push_title(&mut self, text: &str) {
        let title = self.title.get_or_insert_default();
        let room = MAX_VALUE.saturating_sub(title.len());
        title.push_str(&text[..text.floor_char_boundary(room)]);
    }

    pub(super) fn has_title(&self) -> bool {
        self.title.is_some()
    }

    /// A `<meta>` with a name or property and its content.
    pub(super) fn meta(&mut self, name: &str, content: &str) {
        let slot = match name.trim().to_ascii_lowercase().as_str() {
            "description" => &mut self.description,
            "og:title" => &mut self.og_title,
            "og:description" => &mut self.og_description,
            _ => return,
        };
        if slot.is_none() {
            *slot = Some(content[..content.floor_char_boundary(MAX_VALUE)].to_owned());
        }
    }

    pub(super) fn canonical(&mut self, href: &str) {
        if self.canonical.is_none() {
            self.canonical = Some(href[..href.floor_char_boundary(MAX_VALUE)].to_owned());
        }
    }

    /// The front matter as YAML, empty if nothing is known.
    pub(super) fn front_matter(&self, addresses: &Addresses) -> String {
        let first = |values: [&Option<String>; 2]| {
            values
                .into_iter()
                .flatten()
                .map(|v| collapse(v))
                .find(|v| !v.is_empty())
        };
        let url = self
            .canonical
            .as_deref()
            .and_then(|href| addresses.absolute(href.trim()))
            .or_else(|| addresses.page().map(|u| u.to_string()));
        let fields = [
            ("title", first([&self.title, &self.og_title])),
            (
                "description",
                first([&self.description, &self.og_description]),
            ),
            ("url", url),
        ];
        let mut text = String::new();
        for (name, value) in fields {
            let Some(value) = value else { continue };
            if text.is_empty() {
                text.push_str("---\n");
            }
            text.push_str(name);
            text.push_str(": ");
            push_yaml_string(&mut text, &value);
            text.push('\n');
        }
        if !text.is_empty() {
            text.push_str("---\n\n");
        }
        text
    }
}

fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// A double-quoted scalar (YAML 1.2.2 §7.3.1).
fn push_yaml_string(out: &mut String, value: &str) {
    out.push('"');
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // A reader that takes the front matter for Markdown is not to see a tag.
            '<' if chars
                .peek()
                .is_some_and(|n| n.is_ascii_alphabetic() || matches!(n, '/' | '!' | '?')) =>
            {
                out.push_str("\\x3C");
            }
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}' => {
                let _ = write!(out, "\\x{:02X}", u32::from(c));
            }
            '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// The `application/ld+json` scripts of a page, kept until its end.
#[derive(Debug, Default)]
pub(super) struct StructuredData {
    blocks: Vec<String>,
    current: String,
    size: usize,
    overflow: bool,
}

impl StructuredData {
    pub(super) fn push(&mut self, text: &str, limit: usize) {
        if self.size + self.current.len() + text.len() > limit {
            self.overflow = true;
        } else if !self.overflow {
            self.current.push_str(text);
        }
    }

    /// The script ends: what is valid JSON is kept.
    pub(super) fn end(&mut self) {
        let text = std::mem::take(&mut self.current);
        let whole = !std::mem::take(&mut self.overflow);
        let json = text.trim();
        if whole && serde_json::from_str::<serde::de::IgnoredAny>(json).is_ok() {
            self.size += json.len();
            self.blocks.push(json.to_owned());
        }
    }

    pub(super) fn blocks(&self) -> &[String] {
        &self.blocks
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::*;

    #[test]
    fn values_are_quoted_so_that_yaml_reads_them_back() {
        let mut metadata = Metadata::default();
        metadata.push_title("\n Say: \"yes\" \\ no\n---\u{A0}#1 \u{7}");
        assert_eq!(
            metadata.front_matter(&Addresses::new(&Options::new())),
            "---\ntitle: \"Say: \\\"yes\\\" \\\\ no --- #1 \\x07\"\n---\n\n"
        );
    }

    #[test]
    fn empty_values_fall_back_and_nothing_known_is_no_front_matter() {
        let addresses = Addresses::new(&Options::new());
        let mut metadata = Metadata::default();
        assert_eq!(metadata.front_matter(&addresses), "");
        metadata.push_title("  ");
        metadata.meta("OG:Title", "Graph");
        assert_eq!(
            metadata.front_matter(&addresses),
            "---\ntitle: \"Graph\"\n---\n\n"
        );
    }

    #[test]
    fn only_valid_json_within_the_limit_is_structured_data() {
        let mut data = StructuredData::default();
        for text in ["{\"a\":1}", "{oops", " [1] ", "\"12345678901234567890\""] {
            data.push(text, 20);
            data.end();
        }
        assert_eq!(data.blocks(), ["{\"a\":1}", "[1]"]);
    }
}
