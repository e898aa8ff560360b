//! Plain text as Markdown text, for what this module writes itself: tables, error documents and
//! values out of JSON.

use std::fmt::Write;

/// `text` as the content of one table cell: on one line, nothing of it read as markup.
pub(super) fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    inline(text, "<br>", &mut out);
    // A table's reader trims its cells, so a blank at an edge must not look like one.
    keep_edge_blanks(&out)
}

/// `text` as the content of a list item, on one line.
pub(super) fn item(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    inline(text, "<br>", &mut escaped);
    let mut out = String::with_capacity(escaped.len());
    escape_line_start(&escaped, &mut out);
    out
}

/// `text` as paragraphs: line breaks are kept, nothing of it is read as markup.
pub(super) fn block(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut after_text = false;
    for line in text.replace("\r\n", "\n").split(['\n', '\r']) {
        if line.trim().is_empty() {
            // An empty line ends the paragraph, and it takes the place of a hard break.
            out.push_str(if after_text { "\n\n" } else { "" });
            after_text = false;
            continue;
        }
        if after_text {
            out.push_str("\\\n");
        }
        let mut escaped = String::with_capacity(line.len() + 8);
        inline(line, "", &mut escaped);
        escape_line_start(&escaped, &mut out);
        after_text = true;
    }
    out.truncate(out.trim_end_matches('\n').len());
    out
}

/// `text`, a single line, as the content of an ATX heading.
pub(super) fn heading(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    inline(text, " ", &mut out);
    // A run of `#` at the end would be the closing sequence of the heading.
    let content = out.trim_end_matches('#').len();
    if content < out.len() && (content == 0 || out[..content].ends_with(' ')) {
        out.insert(content, '\\');
    }
    out
}

/// `json`, already on one line, as a code span that may stand in a cell.
pub(super) fn code(json: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for byte in json.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    // A code span loses one blank at each edge if it has both, and a fence must not touch a
    // backtick of the content.
    let pad = if json.starts_with(['`', ' ']) || json.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{json}{pad}{fence}")
}

/// Appends `text` with every character escaped that could be markup inside a line; `line_break`
/// stands for each line break.
fn inline(text: &str, line_break: &str, out: &mut String) {
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        match c {
            '\r' if next == Some('\n') => {}
            '\n' | '\r' => out.push_str(line_break),
            '\0' => out.push(char::REPLACEMENT_CHARACTER),
            '\t' => out.push(' '),
            // A backslash before a pipe is read differently by different readers of tables.
            '|' if before == Some('\\') => out.push_str("&#124;"),
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            // Only at the edge of a word can an underscore begin or end emphasis.
            '_' if !(before.is_some_and(char::is_alphanumeric)
                && next.is_some_and(char::is_alphanumeric)) =>
            {
                out.push_str("\\_");
            }
            // Only what looks like a character reference is one.
            '&' if next.is_some_and(|c| c == '#' || c.is_ascii_alphanumeric()) => {
                out.push_str("&amp;");
            }
            c => out.push(c),
        }
        before = Some(c);
    }
}

/// Appends `line`, already escaped inside, so that its beginning opens no block.
fn escape_line_start(line: &str, out: &mut String) {
    let text = line.trim_start_matches(' ');
    // Blanks at the start would vanish, or make the line indented code.
    for _ in 0..line.len() - text.len() {
        out.push_str("&#32;");
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match text.as_bytes().get(digits) {
        Some(b'.' | b')') if digits > 0 => {
            let _ = write!(out, "{}\\{}", &text[..digits], &text[digits..]);
        }
        Some(b'#' | b'-' | b'+' | b'=' | b':') if digits == 0 => {
            let _ = write!(out, "\\{text}");
        }
        _ => out.push_str(text),
    }
}

fn keep_edge_blanks(text: &str) -> String {
    let inner = text.trim_start_matches(' ');
    let leading = text.len() - inner.len();
    let kept = inner.trim_end_matches(' ');
    let trailing = inner.len() - kept.len();
    format!(
        "{}{kept}{}",
        "&#32;".repeat(leading),
        "&#32;".repeat(trailing)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    /// The texts of the cells of the only body row of a table, and whether anything but text,
    /// code and line breaks was in them.
    fn read_cells(row: &str) -> (Vec<String>, bool) {
        let table = format!("| a | b |\n|---|---|\n{row}\n");
        let (mut cells, mut markup, mut in_head) = (Vec::new(), false, true);
        for event in Parser::new_ext(
            &table,
            Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH,
        ) {
            match event {
                Event::End(TagEnd::TableHead) => in_head = false,
                Event::Start(Tag::TableCell) if !in_head => cells.push(String::new()),
                Event::Text(text) | Event::Code(text) if !in_head => {
                    cells.last_mut().unwrap().push_str(&text);
                }
                Event::InlineHtml(html) if &*html == "<br>" => cells.last_mut().unwrap().push('\n'),
                Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell)
                | Event::End(TagEnd::Table | TagEnd::TableRow | TagEnd::TableCell)
                | Event::Text(_) => {}
                _ => markup = true,
            }
        }
        (cells, markup)
    }

    fn read_block(markdown: &str) -> (String, bool) {
        let (mut text, mut markup) = (String::new(), false);
        for event in Parser::new_ext(
            markdown,
            Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH,
        ) {
            match event {
                Event::Text(part) => text.push_str(&part),
                Event::HardBreak => text.push('\n'),
                Event::Start(Tag::Paragraph) if !text.is_empty() => text.push_str("\n\n"),
                Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
                _ => markup = true,
            }
        }
        (text, markup)
    }

    #[test]
    fn pipes_breaks_and_markup_are_text_again_when_a_cell_is_read() {
        for text in [
            "a|b",
            "a\\|b",
            "\\",
            "a\\",
            "|",
            "a\nb",
            "a\r\nb\rc",
            "**b** _i_ `c` [l](u) ![i](u)",
            "<b>x</b> &amp; &#35; &copy; a&b",
            "snake_case_name _edge_ a_",
            "~~no~~ ~no~",
            " edge ",
            "https://a.b/c_d|e",
            "$x$",
        ] {
            let (cells, markup) = read_cells(&format!("| {} | {} |", cell(text), cell("second")));
            let expected = text.replace("\r\n", "\n").replace('\r', "\n");
            assert_eq!(
                cells,
                [expected.as_str(), "second"],
                "{text:?} became {:?}",
                cell(text)
            );
            assert!(!markup, "{text:?} became {:?}", cell(text));
        }
    }

    #[test]
    fn harmless_characters_are_not_escaped() {
        assert_eq!(
            cell("snake_case, a & b; 50% (of 3.5) #1 - x!"),
            "snake_case, a & b; 50% (of 3.5) #1 - x!"
        );
    }

    #[test]
    fn code_spans_give_their_content_back_exactly() {
        for json in ["{}", "{\"a\":\"`\"}", "[\"``\",\"```\"]", "`", " x "] {
            let (cells, markup) = read_cells(&format!("| {} | x |", code(json)));
            assert_eq!((cells[0].as_str(), markup), (json, false), "{}", code(json));
        }
    }

    #[test]
    fn a_block_opens_nothing_at_the_start_of_its_lines() {
        for text in [
            "# no heading",
            "- no item",
            "+ no item",
            "* no item",
            "1. no item",
            "12) no item",
            "> no quote",
            "---",
            "===",
            "    no code",
            "a\n===",
            "a\n---",
            "a\nb\n\nc",
            "```\nno code\n```",
            "a | b\n--|--\nc | d",
            ": x",
            "[a]: /b",
        ] {
            let (read, markup) = read_block(&block(text));
            assert_eq!((read.as_str(), markup), (text, false), "{:?}", block(text));
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back_out_of_a_cell(text in "[ a-zA-Z0-9_*`|\\\\<>\\[\\]&;#~.!()\n:/中-]{0,40}") {
            let (cells, markup) = read_cells(&format!("| {} | x |", cell(&text)));
            prop_assert_eq!(&cells[0], &text);
            prop_assert!(!markup);
        }

        #[test]
        fn any_line_comes_back_out_of_a_block(text in "[a-zA-Z0-9_*`|\\\\<>\\[\\]&;#~.!(:=+-][ a-zA-Z0-9_*`|\\\\<>\\[\\]&;#~.!():/中-]{0,30}[a-z*_\\\\#]") {
            let (read, markup) = read_block(&block(&text));
            prop_assert_eq!(read, text);
            prop_assert!(!markup);
        }
    }
}
