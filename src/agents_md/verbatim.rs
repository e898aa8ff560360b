//! Blocks whose lines are no Markdown: code fences and HTML (CommonMark §4.5, §4.6).

/// A block whose lines are not looked at until it ends.
#[derive(Debug)]
pub(super) struct Verbatim {
    end: End,
    shown: bool,
    /// The column of the list item that it stands in, 0 outside of a list: a line that starts left of it ends both.
    column: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// At least as many of the same character, and nothing else.
    Fence { mark: char, length: usize },
    /// A line with `-->` in it (start condition 2).
    Comment,
    /// A line with the end tag of one of [`RAW_ELEMENTS`] in it (start condition 1).
    RawElement,
    /// A blank line (start conditions 6 and 7).
    Blank,
}

/// Elements that end with their end tag, and whether their content is shown.
const RAW_ELEMENTS: [(&str, bool); 4] = [
    ("pre", true),
    ("script", false),
    ("style", false),
    ("textarea", true),
];

/// Elements whose tags start a block wherever a line starts with them.
#[rustfmt::skip]
const BLOCK_ELEMENTS: [&str; 62] = [
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup", "dd",
    "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame",
    "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link",
    "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
];

impl Verbatim {
    /// The block that starts with a line, behind its indentation and list markers. Not all can interrupt a paragraph.
    pub(super) fn start(text: &str, in_paragraph: bool) -> Option<Self> {
        let (end, shown) = match text.chars().next()? {
            mark @ ('`' | '~') => {
                let info = text.trim_start_matches(mark);
                let length = text.len() - info.len();
                if length < 3 || (mark == '`' && info.contains('`')) {
                    return None;
                }
                (End::Fence { mark, length }, true)
            }
            '<' if text.starts_with("<!--") => (End::Comment, false),
            '<' => html(&text[1..], in_paragraph)?,
            _ => return None,
        };
        Some(Self {
            end,
            shown,
            column: 0,
        })
    }

    /// The same block in a list item whose content starts at `column`.
    pub(super) fn in_item(self, column: usize) -> Self {
        Self { column, ..self }
    }

    /// Whether the line that starts the block shows something.
    pub(super) fn shows_start(&self) -> bool {
        self.shown && !matches!(self.end, End::Fence { .. })
    }

    /// Whether a block that this line starts ends with it.
    pub(super) fn is_single_line(&self, text: &str) -> bool {
        match self.end {
            End::Fence { .. } | End::Blank => false,
            End::Comment => text.contains("-->"),
            End::RawElement => closes_raw_element(text),
        }
    }

    /// Whether a line of the document is still one of the block. A line left of a list item ends the item.
    pub(super) fn contains(&self, column: usize, text: &str) -> bool {
        text.is_empty() || column >= self.column
    }

    /// Whether the block ends with this line, and whether the line shows something.
    pub(super) fn end(&self, column: usize, text: &str) -> (bool, bool) {
        match self.end {
            End::Fence { mark, length } => {
                let marks = text.trim_end_matches([' ', '\t']);
                let ends = column < self.column + 4
                    && marks.len() >= length
                    && marks.bytes().all(|b| char::from(b) == mark);
                (ends, !ends)
            }
            End::Comment => (text.contains("-->"), false),
            End::RawElement => (closes_raw_element(text), self.shown),
            End::Blank => (text.is_empty(), true),
        }
    }

    /// The line that would end it; `None` if a blank line does.
    pub(super) fn missing_end(&self) -> Option<String> {
        let mut line = " ".repeat(self.column);
        match self.end {
            End::Fence { mark, length } => line.extend(std::iter::repeat_n(mark, length)),
            End::Comment => line.push_str("-->"),
            End::RawElement => line.push_str("</pre>"),
            End::Blank => return None,
        }
        Some(line)
    }
}

/// The block that a tag starts, which is given without its `<`.
fn html(tag: &str, in_paragraph: bool) -> Option<(End, bool)> {
    let (is_end_tag, tag) = match tag.strip_prefix('/') {
        Some(tag) => (true, tag),
        None => (false, tag),
    };
    let length = tag
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'-')
        .count();
    let (name, rest) = tag.split_at(length);
    // What has another character behind its name is no tag: <https://shop.example>, <agents@shop.example>.
    let ends_name = rest.is_empty() || rest.starts_with([' ', '\t', '>']) || rest.starts_with("/>");
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !ends_name {
        return None;
    }
    let raw = RAW_ELEMENTS
        .iter()
        .find(|(raw, _)| raw.eq_ignore_ascii_case(name));
    if let Some((_, shown)) = raw.filter(|_| !is_end_tag && !rest.starts_with('/')) {
        return Some((End::RawElement, *shown));
    }
    // Any other tag, if it has the line for itself and interrupts nothing.
    let is_alone = || {
        let rest = rest.trim_end_matches([' ', '\t']);
        !in_paragraph && rest.find('>') == Some(rest.len().saturating_sub(1)) && !rest.contains('<')
    };
    let is_block = BLOCK_ELEMENTS
        .iter()
        .any(|block| block.eq_ignore_ascii_case(name));
    (is_block || is_alone()).then_some((End::Blank, true))
}

fn closes_raw_element(text: &str) -> bool {
    text.match_indices("</").any(|(at, _)| {
        let tag = &text.as_bytes()[at + 2..];
        RAW_ELEMENTS.iter().any(|(name, _)| {
            let length = name.len();
            tag.get(..length)
                .is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
                && tag.get(length) == Some(&b'>')
        })
    })
}
