//! Fenced code blocks (CommonMark §4.5), exact to the byte.

/// A code block that is being written. Its text waits until the fence can be chosen: longer than
/// any run of backticks in it. A block beyond the limit is put out under a long fence and, should a
/// line close even that, goes on in a block of its own. Of such a block, only the last line waits, which is
/// not complete; of a line of over [`LONG_LINE`] bytes only the last character, which tells that it is open.
#[derive(Debug)]
pub(super) struct CodeBlock {
    text: String,
    language: String,
    limit: usize,
    state: State,
    /// What was written last is a line end. The output itself may have been taken.
    at_line_start: bool,
    /// A block in the code began or ended: what follows begins a line.
    line_owed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The text is waiting.
    Held,
    /// The opening fence of this length was written.
    Streaming { fence: usize },
}

/// The fence of a block whose end has not been seen.
const LONG_FENCE: usize = 8;

/// Bytes of a line that wait for its end.
const LONG_LINE: usize = 4096;

impl CodeBlock {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            language: String::new(),
            limit,
            state: State::Held,
            at_line_start: false,
            line_owed: false,
        }
    }

    pub(super) fn begin(&mut self, language: &str) {
        self.text.clear();
        self.language.clear();
        self.language.push_str(language);
        self.state = State::Held;
        self.line_owed = false;
    }

    /// Whether anything is to be written for the block.
    pub(super) fn is_blank(&self) -> bool {
        self.state == State::Held && self.text.trim_matches(['\n', '\r', ' ', '\t']).is_empty()
    }

    /// Takes what there is room for, and gives back the rest: [`write_lines`](Self::write_lines) makes
    /// room for it. Where that happens depends on the text alone, not on the pieces that it comes in.
    pub(super) fn push<'a>(&mut self, text: &'a str) -> &'a str {
        let owed = std::mem::take(&mut self.line_owed);
        if owed && !text.starts_with('\n') && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        let limit = match self.state {
            State::Held => self.limit,
            State::Streaming { .. } => 2 * LONG_LINE,
        };
        let room = limit.saturating_sub(self.text.len());
        let (fits, rest) = text.split_at(text.floor_char_boundary(room));
        self.text.push_str(fits);
        rest
    }

    /// A line ends here, unless the text itself says so.
    pub(super) fn end_line(&mut self) {
        self.line_owed = true;
    }

    /// A line begins here, even if the text behind says that it is empty.
    pub(super) fn begin_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.line_owed = false;
    }

    /// Writes the complete lines and most of a long one, of which more will come.
    pub(super) fn write_lines(&mut self, out: &mut Vec<u8>, prefix: &str) {
        let mut held = std::mem::take(&mut self.text);
        let line = memchr::memrchr(b'\n', held.as_bytes()).map_or(0, |end| end + 1);
        let is_long = held.len() - line > LONG_LINE;
        let end = if is_long {
            held.floor_char_boundary(held.len() - 1)
        } else {
            line
        };
        let text = &held[..end];
        if self.state == State::Held {
            self.open(out, LONG_FENCE.max(longest_fence(text) + 1));
        }
        let begins = line > 0 || self.at_line_start;
        self.write_text(out, prefix, text);
        let begun = text[line..].trim_start_matches([' ', '\t']);
        if is_long && begins && begun.bytes().all(|b| b == b'`') {
            // However long the fence is, the rest of this run could close it.
            out.push(b'\n');
            self.at_line_start = true;
        }
        held.drain(..end);
        // The memory is used again.
        self.text = held;
    }

    /// Writes the rest of the block.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>, prefix: &str) {
        let mut held = std::mem::take(&mut self.text);
        let text = &*held;
        // The line end before the end tag belongs to the markup.
        let stripped = text.strip_suffix('\n');
        let text = stripped.unwrap_or(text);
        let whole = self.state == State::Held;
        if whole {
            self.open(out, 3.max(longest_fence(text) + 1));
        }
        if whole && prefix.is_empty() {
            // No line of it can close the fence, and none needs a prefix.
            out.extend_from_slice(text.as_bytes());
            self.at_line_start = text.is_empty() || text.ends_with('\n');
        } else {
            self.write_text(out, prefix, text);
        }
        if !text.is_empty() || stripped.is_some() {
            if self.at_line_start {
                // The last line is empty.
                out.extend_from_slice(prefix.trim_end().as_bytes());
            }
            out.push(b'\n');
        }
        if let State::Streaming { fence } = self.state {
            out.extend_from_slice(prefix.as_bytes());
            write_fence(out, fence);
        }
        self.state = State::Held;
        // The memory is used again.
        held.clear();
        self.text = held;
    }

    /// The line before it has its prefix already.
    fn open(&mut self, out: &mut Vec<u8>, fence: usize) {
        write_fence(out, fence);
        out.extend_from_slice(self.language.as_bytes());
        out.push(b'\n');
        self.at_line_start = true;
        self.state = State::Streaming { fence };
    }

    fn write_text(&mut self, out: &mut Vec<u8>, prefix: &str, text: &str) {
        for line in text.split_inclusive('\n') {
            if let State::Streaming { fence } = self.state {
                let run = fence_run(line);
                if run >= fence && self.at_line_start {
                    out.extend_from_slice(prefix.as_bytes());
                    write_fence(out, fence);
                    out.push(b'\n');
                    out.extend_from_slice(prefix.trim_end().as_bytes());
                    out.push(b'\n');
                    out.extend_from_slice(prefix.as_bytes());
                    self.open(out, run + 1);
                }
            }
            if self.at_line_start {
                let blank = line.trim_end_matches(['\n', '\r']).is_empty();
                out.extend_from_slice(if blank { prefix.trim_end() } else { prefix }.as_bytes());
            }
            out.extend_from_slice(line.as_bytes());
            self.at_line_start = line.ends_with('\n');
        }
    }
}

fn write_fence(out: &mut Vec<u8>, length: usize) {
    out.extend(std::iter::repeat_n(b'`', length));
}

/// The longest run of backticks that could close a fence: at the start of a line.
fn longest_fence(text: &str) -> usize {
    if memchr::memchr(b'`', text.as_bytes()).is_none() {
        return 0;
    }
    text.split('\n').map(fence_run).max().unwrap_or(0)
}

/// The run of backticks that the line begins with, behind up to three blanks. How wide a tab is
/// depends on what stands around the block.
fn fence_run(line: &str) -> usize {
    let bytes = line.as_bytes();
    let blank = bytes.iter().take_while(|&&b| matches!(b, b' ' | b'\t'));
    let indent = blank.clone().count();
    if indent > 3 && blank.clone().all(|&b| b == b' ') {
        return 0;
    }
    bytes[indent..].iter().take_while(|&&b| b == b'`').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Parser, Tag, TagEnd};

    /// What the block is written as, taken after each piece, and the code that it is read as.
    fn write(limit: usize, pieces: &[&str], prefix: &str) -> (String, String) {
        let mut code = CodeBlock::new(limit);
        code.begin("");
        let mut markdown = prefix.as_bytes().to_vec();
        for piece in pieces {
            let mut rest = code.push(piece);
            while !rest.is_empty() {
                let mut out = Vec::new();
                code.write_lines(&mut out, prefix);
                markdown.extend(out);
                rest = code.push(rest);
            }
        }
        let mut out = Vec::new();
        code.finish(&mut out, prefix);
        markdown.extend(out);
        let markdown = String::from_utf8(markdown).unwrap();
        let mut is_code = false;
        let mut read = String::new();
        for event in Parser::new(&markdown) {
            match event {
                Event::Start(Tag::CodeBlock(_)) => is_code = true,
                Event::End(TagEnd::CodeBlock) => is_code = false,
                Event::Text(text) => {
                    assert!(is_code, "outside of code: {text:?}");
                    read += &text;
                }
                _ => {}
            }
        }
        (markdown, read)
    }

    #[test]
    fn a_line_keeps_its_prefix_wherever_it_is_written() {
        let line = "0123456\n";
        for prefix in ["", "> "] {
            for lines in [1, 511, 512, 513, 1023, 1024, 1025, 4000] {
                let text = line.repeat(lines);
                let (_, read) = write(64, &[&text], prefix);
                assert!(read == text, "{lines} lines");
            }
        }
    }

    #[test]
    fn a_long_line_stays_one() {
        let line = "x".repeat(3 * LONG_LINE) + "é" + &"`".repeat(3 * LONG_LINE);
        for limit in [0, 1, 4096, 64 << 10] {
            let (_, read) = write(limit, &["a\n", &line, "\nb"], "> ");
            assert!(read == format!("a\n{line}\nb\n"), "a limit of {limit}");
        }
    }

    #[test]
    fn no_run_of_backticks_ends_the_code() {
        for length in [7, 8, 9, 63, 64, 65, 4095, 4096, 4097, 8192, 50_000] {
            let text = "`".repeat(length) + "\n<b>\n" + &"`".repeat(length + 9) + "\n*c*";
            for indent in ["", "   ", "\t"] {
                let (_, read) = write(64, &[indent, &text], "");
                let joined = |text: &str| text.replace('\n', "");
                let text = indent.to_owned() + &text;
                assert!(joined(&read) == joined(&text), "{length}");
            }
        }
    }

    #[test]
    fn the_pieces_do_not_matter() {
        let text = "`````````\n".repeat(50) + &"é`a".repeat(9000) + "\n\n" + &"`".repeat(9000);
        let whole = write(100, &[&text], "> ").0;
        let pieces: Vec<String> = text.chars().map(String::from).collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        assert!(write(100, &pieces, "> ").0 == whole);
    }
}
