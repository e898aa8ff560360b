//! The blocks that hold other blocks: what stands at the start of each line, and what between two
//! blocks (CommonMark §5).

/// Containers in each other whose prefixes are written, with the document; deeper ones are flat. A list
/// and its item are two.
const MAX_CONTAINERS: usize = 24;

/// A block that holds other blocks.
#[derive(Debug)]
struct Container {
    kind: Kind,
    /// Length of the prefix of the lines outside of it.
    outside: usize,
    /// Its marker was written.
    opened: bool,
    /// The list that ended as the last block in it: one beside it needs another marker.
    last_list: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Document,
    Quote,
    List {
        number: Option<u32>,
        delimiter: u8,
        loose: bool,
        /// No item has begun.
        first: bool,
        /// The marker of an item was written.
        started: bool,
        /// No tag began it.
        implicit: bool,
    },
    /// An item; after its end tag, what comes before the next item still belongs to it.
    Item {
        ended: bool,
    },
    /// Too deep: it leaves no trace.
    Flat,
}

/// What stands between the last block and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    /// Nothing was written yet.
    None,
    Line,
    BlankLine,
}

/// The containers that are open, the document outermost.
#[derive(Debug)]
pub(super) struct Containers {
    stack: Vec<Container>,
    /// What each line within the innermost container begins with.
    prefix: String,
    separator: Separator,
    /// The last block was a paragraph that no tag asked for: a list may follow it closely.
    after_implicit: bool,
}

impl Containers {
    pub(super) fn new() -> Self {
        let document = Container {
            kind: Kind::Document,
            outside: 0,
            opened: true,
            last_list: None,
        };
        Self {
            stack: vec![document],
            prefix: String::new(),
            separator: Separator::None,
            after_implicit: false,
        }
    }

    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether blocks stand in the document itself.
    pub(super) fn is_document(&self) -> bool {
        self.stack.len() == 1
    }

    /// The last line of a block was written.
    pub(super) fn end_block(&mut self, out: &mut Vec<u8>) {
        out.push(b'\n');
        self.separator = Separator::BlankLine;
        self.after_implicit = false;
    }

    /// The block that ended was a paragraph that no tag asked for.
    pub(super) fn after_implicit_paragraph(&mut self) {
        self.after_implicit = true;
    }

    /// What comes behind the end tag of an item still belongs to it.
    fn mark_ended(&mut self) {
        if let Kind::Item { ended } = &mut self.innermost_mut().kind {
            *ended = true;
        }
    }

    fn innermost(&self) -> &Container {
        &self.stack[self.stack.len() - 1]
    }

    fn innermost_mut(&mut self) -> &mut Container {
        let last = self.stack.len() - 1;
        &mut self.stack[last]
    }

    /// Begins the first line of a block: sets it apart from the one before, writes prefixes and
    /// markers. Returns whether it is the first in a list item.
    pub(super) fn begin_block(&mut self, out: &mut Vec<u8>) -> bool {
        self.leave_implicit_list();
        if matches!(self.innermost().kind, Kind::List { .. }) {
            self.push_item(None);
            self.mark_ended();
        }
        let unopened = self.stack.iter().position(|c| !c.opened);
        let outside = match unopened {
            Some(index) => self.stack[index].outside,
            None => self.prefix.len(),
        };
        if self.separator == Separator::BlankLine {
            out.extend_from_slice(self.prefix[..outside].trim_end().as_bytes());
            out.push(b'\n');
        }
        out.extend_from_slice(&self.prefix.as_bytes()[..outside]);
        self.separator = Separator::Line;
        for container in &mut self.stack {
            container.last_list = None;
        }
        let Some(index) = unopened else { return false };
        self.write_markers(out, index);
        matches!(self.innermost().kind, Kind::Item { .. })
    }

    fn write_markers(&mut self, out: &mut Vec<u8>, from: usize) {
        for index in from..self.stack.len() {
            match self.stack[index].kind {
                Kind::Quote => out.extend_from_slice(b"> "),
                Kind::Item { .. } => {
                    let Some(Container {
                        kind:
                            Kind::List {
                                number, delimiter, ..
                            },
                        ..
                    }) = index.checked_sub(1).map(|i| &self.stack[i])
                    else {
                        continue;
                    };
                    if let Some(number) = number {
                        out.extend_from_slice(number.to_string().as_bytes());
                    }
                    out.extend_from_slice(&[*delimiter, b' ']);
                    if let Kind::List { started, .. } = &mut self.stack[index - 1].kind {
                        *started = true;
                    }
                }
                Kind::Document | Kind::List { .. } | Kind::Flat => {}
            }
            self.stack[index].opened = true;
        }
    }

    /// A paragraph that is marked as one, in an item, makes its list loose.
    pub(super) fn loosen(&mut self) {
        if !matches!(self.innermost().kind, Kind::Item { .. }) {
            return;
        }
        let list = self.stack.len() - 2;
        if let Kind::List { loose, .. } = &mut self.stack[list].kind {
            *loose = true;
        }
    }

    fn push(&mut self, kind: Kind, prefix: &str) {
        let kind = if self.stack.len() >= MAX_CONTAINERS {
            Kind::Flat
        } else {
            kind
        };
        let outside = self.prefix.len();
        let opened = matches!(kind, Kind::Flat | Kind::List { .. });
        if kind != Kind::Flat {
            self.prefix.push_str(prefix);
        }
        self.stack.push(Container {
            kind,
            outside,
            opened,
            last_list: None,
        });
    }

    pub(super) fn start_quote(&mut self) {
        self.leave_implicit_list();
        self.push(Kind::Quote, "> ");
    }

    /// The quote ends. With `keep_empty` its marker is written even if it had no content.
    pub(super) fn end_quote(&mut self, out: &mut Vec<u8>, keep_empty: bool) {
        if keep_empty && self.innermost().kind == Kind::Quote && !self.innermost().opened {
            self.write_empty(out);
        }
        let quote = |c: &Container| matches!(c.kind, Kind::Quote | Kind::Flat);
        let Some(index) = self.stack.iter().rposition(quote) else {
            return;
        };
        while self.stack.len() > index {
            self.pop();
        }
    }

    fn pop(&mut self) {
        if self.stack.len() < 2 {
            return;
        }
        if let Some(container) = self.stack.pop() {
            self.prefix.truncate(container.outside);
        }
    }

    pub(super) fn start_list(&mut self, number: Option<u32>) {
        self.push_list(number, false);
    }

    fn push_list(&mut self, number: Option<u32>, implicit: bool) {
        self.leave_implicit_list();
        if matches!(self.innermost().kind, Kind::List { .. }) {
            self.push_item(None);
            self.mark_ended();
        }
        let in_item = matches!(self.innermost().kind, Kind::Item { .. });
        if in_item
            && self.innermost().opened
            && self.after_implicit
            && number.is_none_or(|n| n == 1)
            && self.separator == Separator::BlankLine
        {
            self.separator = Separator::Line;
        }
        let delimiter = match (number, self.innermost().last_list) {
            (None, Some(b'-')) => b'*',
            (None, _) => b'-',
            (Some(_), Some(b'.')) => b')',
            (Some(_), _) => b'.',
        };
        self.push(
            Kind::List {
                number,
                delimiter,
                loose: false,
                first: true,
                started: false,
                implicit,
            },
            "",
        );
    }

    pub(super) fn end_list(&mut self) {
        let Some(index) = self
            .stack
            .iter()
            .rposition(|c| matches!(c.kind, Kind::List { .. } | Kind::Flat))
        else {
            return;
        };
        let delimiter = match self.stack[index].kind {
            Kind::List {
                delimiter,
                started: true,
                ..
            } => Some(delimiter),
            _ => None,
        };
        if delimiter.is_none() && self.separator == Separator::Line {
            // The list has left no trace.
            self.separator = Separator::BlankLine;
        }
        while self.stack.len() > index {
            self.pop();
        }
        if delimiter.is_some() {
            self.innermost_mut().last_list = delimiter;
        }
        self.after_implicit = false;
    }

    pub(super) fn start_item(&mut self, value: Option<u32>) {
        if let Kind::Item { ended: true } = self.innermost().kind {
            self.pop();
        }
        if !matches!(self.innermost().kind, Kind::List { .. }) {
            // An item without a list around it.
            if self.innermost().kind == Kind::Flat {
                self.push(Kind::Flat, "");
                return;
            }
            self.push_list(None, true);
        }
        self.push_item(value);
    }

    /// A list that no tag began ends with its last item.
    fn leave_implicit_list(&mut self) {
        if let [.., list, item] = &self.stack[..]
            && item.kind == (Kind::Item { ended: true })
            && matches!(list.kind, Kind::List { implicit: true, .. })
        {
            self.end_list();
        }
    }

    /// The innermost container is a list.
    fn push_item(&mut self, value: Option<u32>) {
        let Kind::List {
            number,
            loose,
            first,
            started,
            ..
        } = &mut self.innermost_mut().kind
        else {
            return;
        };
        if let Some(number) = number {
            if *first {
                *number = value.unwrap_or(*number);
            } else {
                *number = number.wrapping_add(1);
            }
            *number = (*number).min(999_999_999);
        }
        let width = number.map_or(0, |n| n.to_string().len()) + 2;
        let (started, loose) = (*started, *loose);
        *first = false;
        if started && self.separator == Separator::BlankLine && !loose {
            self.separator = Separator::Line;
        }
        const BLANKS: &str = "            ";
        self.push(
            Kind::Item { ended: false },
            &BLANKS[..width.min(BLANKS.len())],
        );
    }

    /// The item ends. With `keep_empty` its marker is written even if it had no content.
    pub(super) fn end_item(&mut self, out: &mut Vec<u8>, keep_empty: bool) {
        let Some(index) = self
            .stack
            .iter()
            .rposition(|c| matches!(c.kind, Kind::Item { ended: false } | Kind::Flat))
        else {
            return;
        };
        while self.stack.len() > index + 1 {
            self.pop();
        }
        if self.innermost().kind == Kind::Flat {
            self.pop();
            return;
        }
        if !self.innermost().opened && keep_empty {
            let continues = matches!(
                self.stack[..],
                [
                    ..,
                    Container {
                        kind: Kind::List { started: true, .. },
                        ..
                    },
                    _
                ]
            );
            if self.separator == Separator::Line && self.after_implicit && !continues {
                // An empty item can't interrupt a paragraph (CommonMark §5.2).
                self.separator = Separator::BlankLine;
            }
            self.write_empty(out);
        }
        if self.innermost().opened {
            self.mark_ended();
        } else {
            self.drop_item();
        }
    }

    /// Writes nothing but the marker of the innermost container.
    fn write_empty(&mut self, out: &mut Vec<u8>) {
        self.tell_from_rule();
        self.begin_block(out);
        if out.last() == Some(&b' ') {
            out.pop();
        }
        self.end_block(out);
    }

    /// Three bullets of a kind alone on a line would be a thematic break (CommonMark §4.1): the last
    /// becomes another.
    fn tell_from_rule(&mut self) {
        let unopened = self.stack.iter().rev().take_while(|c| {
            let bullet = matches!(c.kind, Kind::List { number: None, .. });
            bullet || (!c.opened && matches!(c.kind, Kind::Item { .. }))
        });
        let mut bullets = unopened.filter_map(|c| match c.kind {
            Kind::List { delimiter, .. } => Some(delimiter),
            _ => None,
        });
        let Some(last) = bullets.next() else { return };
        if bullets.take_while(|b| *b == last).count() < 2 {
            return;
        }
        let list = self.stack.len() - 2;
        if let Kind::List { delimiter, .. } = &mut self.stack[list].kind {
            *delimiter = if last == b'-' { b'*' } else { b'-' };
        }
    }

    /// The item had nothing to show: its number is free again.
    fn drop_item(&mut self) {
        self.pop();
        if let Kind::List {
            number, started, ..
        } = &mut self.innermost_mut().kind
        {
            // Before 0 comes what 0 follows.
            *number = number.map(|n| n.wrapping_sub(1));
            if *started {
                self.separator = Separator::BlankLine;
            }
        }
    }
}
