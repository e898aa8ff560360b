//! Fenced code blocks (CommonMark §4.5), exact to the byte.

/// A code block that is being written. Its text waits until the fence can be chosen: longer than
/// any run of backticks in it. A block beyond the limit is put out under a long fence and, should a
/// line close even that, goes on in a block of its own.
#[derive(Debug)]
pub(super) struct CodeBlock {
    text: String,
    language: String,
    limit: usize,
    state: State,
    /// A block in the code began or ended: what follows begins a line.
    line_owed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The text is waiting.
    Held,
    /// The opening fence of this length was written; `text` holds the line that is not complete.
    Streaming { fence: usize },
}

/// The fence of a block whose end has not been seen.
const LONG_FENCE: usize = 8;

impl CodeBlock {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            language: String::new(),
            limit,
            state: State::Held,
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

    pub(super) fn push(&mut self, text: &str) {
        let owed = std::mem::take(&mut self.line_owed);
        if owed && !text.starts_with('\n') && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(text);
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

    /// Whether so much text has come that some must be written.
    pub(super) fn is_over_limit(&self) -> bool {
        match self.state {
            State::Held => self.text.len() > self.limit,
            State::Streaming { .. } => self.text.len() > 4096,
        }
    }

    /// Writes the complete lines, of which more will come.
    pub(super) fn write_lines(&mut self, out: &mut Vec<u8>, prefix: &str) {
        let complete = match memchr::memrchr(b'\n', self.text.as_bytes()) {
            Some(end) => end + 1,
            // One line beyond the limit: part of it.
            None if self.text.len() > self.limit => self.text.floor_char_boundary(self.limit),
            None => return,
        };
        let rest = self.text.split_off(complete);
        let lines = std::mem::replace(&mut self.text, rest);
        if self.state == State::Held {
            let fence = LONG_FENCE.max(longest_fence(&lines) + 1);
            self.open(out, fence);
        }
        self.write_text(out, prefix, &lines);
    }

    /// Writes the rest of the block.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>, prefix: &str) {
        let mut held = std::mem::take(&mut self.text);
        let text = &*held;
        // The line end before the end tag belongs to the markup.
        let stripped = text.strip_suffix('\n');
        let text = stripped.unwrap_or(text);
        if self.state == State::Held {
            self.open(out, 3.max(longest_fence(text) + 1));
            if prefix.is_empty() {
                // No line of it can close the fence, and none needs a prefix.
                out.extend_from_slice(text.as_bytes());
            } else {
                self.write_text(out, prefix, text);
            }
        } else {
            self.write_text(out, prefix, text);
        }
        if !text.is_empty() || stripped.is_some() {
            if out.last() == Some(&b'\n') {
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
        self.state = State::Streaming { fence };
    }

    fn write_text(&mut self, out: &mut Vec<u8>, prefix: &str, text: &str) {
        for line in text.split_inclusive('\n') {
            if let State::Streaming { fence } = self.state {
                let run = fence_run(line);
                if run >= fence && out.last() == Some(&b'\n') {
                    out.extend_from_slice(prefix.as_bytes());
                    write_fence(out, fence);
                    out.push(b'\n');
                    out.extend_from_slice(prefix.trim_end().as_bytes());
                    out.push(b'\n');
                    out.extend_from_slice(prefix.as_bytes());
                    self.open(out, run + 1);
                }
            }
            if out.last() == Some(&b'\n') {
                let blank = line.trim_end_matches(['\n', '\r']).is_empty();
                out.extend_from_slice(if blank { prefix.trim_end() } else { prefix }.as_bytes());
            }
            out.extend_from_slice(line.as_bytes());
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
