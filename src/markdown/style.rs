//! Inline marks in the order of their nesting, and what links point to.

/// An inline mark around text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Emphasis,
    Strong,
    Strikethrough,
    Code,
    /// A link, by its number among the [`Styles`].
    Link(u32),
}

/// A list of marks by its number; 0 is the empty list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Chain(u16);

/// Marks that are open at one time at most; deeper ones are left out.
const MAX_MARKS: usize = 16;

/// The marks that are open now, and every nesting of marks that text on a tape refers to.
#[derive(Debug)]
pub(super) struct Styles {
    /// As the page opened them, outermost first; the same kind may be open several times.
    open: Vec<Mark>,
    /// Marks of a kind that stand in each other all count.
    nested: bool,
    /// The chain of `open`, if nothing was opened or closed since.
    current: Option<Chain>,
    marks: Vec<Mark>,
    /// Ends of the chains in `marks`; chain `n` begins where `n - 1` ends.
    ends: Vec<u32>,
    strings: String,
    targets: Vec<Target>,
    /// The number of the first target: numbers are not used again.
    first_target: u32,
}

#[derive(Debug, Clone, Copy)]
struct Target {
    destination_end: u32,
    title_end: u32,
    text_end: u32,
}

impl Styles {
    pub(super) fn new(nested: bool) -> Self {
        Self {
            open: Vec::new(),
            nested,
            current: Some(Chain(0)),
            marks: Vec::new(),
            ends: vec![0],
            strings: String::new(),
            targets: Vec::new(),
            first_target: 0,
        }
    }

    pub(super) fn open(&mut self, mark: Mark) {
        if self.open.len() < MAX_MARKS {
            self.open.push(mark);
            self.current = None;
        }
    }

    pub(super) fn close(&mut self, mark: Mark) {
        if let Some(index) = self.open.iter().rposition(|&m| m == mark) {
            self.open.remove(index);
            self.current = None;
        }
    }

    pub(super) fn is_open(&self, mark: Mark) -> bool {
        self.open.contains(&mark)
    }

    pub(super) fn in_link(&self) -> bool {
        self.open.iter().any(|m| matches!(m, Mark::Link(_)))
    }

    /// The marks that text has now, by the order in which Markdown can nest them: a code span
    /// holds nothing but text, so the marks inside of it stand around it.
    pub(super) fn current(&mut self) -> Chain {
        if let Some(chain) = self.current {
            return chain;
        }
        if self.open.is_empty() {
            return Chain(0);
        }
        let start = self.marks.len();
        let mut code = false;
        // A link holds no link (CommonMark §6.3): the inner one counts.
        let link = self.open.iter().rfind(|m| matches!(m, Mark::Link(_)));
        for &mark in &self.open {
            match mark {
                Mark::Code => code = true,
                Mark::Link(_) => self.marks.extend(link.filter(|l| **l == mark)),
                _ if (!self.nested || code || mark == Mark::Strikethrough)
                    && self.marks[start..].contains(&mark) => {}
                _ => self.marks.push(mark),
            }
        }
        if code {
            self.marks.push(Mark::Code);
        }
        let chain = self.chain_from(start);
        self.current = Some(chain);
        chain
    }

    /// The marks of `chain` but for one.
    pub(super) fn without(&mut self, chain: Chain, mark: Mark) -> Chain {
        if !self.marks(chain).contains(&mark) {
            return chain;
        }
        let start = self.marks.len();
        let others = self.marks(chain).to_vec();
        self.marks.extend(others.into_iter().filter(|&m| m != mark));
        self.chain_from(start)
    }

    /// The number of the marks from `start` on.
    fn chain_from(&mut self, start: usize) -> Chain {
        match self.find(start) {
            Some(chain) => {
                self.marks.truncate(start);
                chain
            }
            None => {
                self.ends.push(self.marks.len() as u32);
                Chain((self.ends.len() - 1) as u16)
            }
        }
    }

    /// A chain equal to the marks from `start` on, among the latest ones.
    fn find(&self, start: usize) -> Option<Chain> {
        if self.marks.len() == start {
            return Some(Chain(0));
        }
        let newest = self.ends.len() - 1;
        // When the numbers run out, marks are given up rather than text.
        if newest == usize::from(u16::MAX) {
            return Some(Chain(0));
        }
        (newest.saturating_sub(7)..=newest)
            .rev()
            .map(|n| Chain(n as u16))
            .find(|&c| self.marks(c) == &self.marks[start..])
    }

    pub(super) fn marks(&self, chain: Chain) -> &[Mark] {
        let n = usize::from(chain.0);
        let start = n
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied()
            .unwrap_or(0);
        let end = self.ends.get(n).copied().unwrap_or(start);
        &self.marks[start as usize..end as usize]
    }

    pub(super) fn has_code(&self, chain: Chain) -> bool {
        self.marks(chain).last() == Some(&Mark::Code)
    }

    /// Whether a mark stands within its own kind.
    pub(super) fn has_nested(&self, chain: Chain) -> bool {
        let marks = self.marks(chain);
        (1..marks.len()).any(|n| marks[..n].contains(&marks[n]))
    }

    /// Keeps what a link or an image points to and returns its number.
    pub(super) fn add_target(&mut self, destination: &str, title: &str, text: &str) -> u32 {
        self.strings.push_str(destination);
        let destination_end = self.strings.len() as u32;
        self.strings.push_str(title);
        let title_end = self.strings.len() as u32;
        self.strings.push_str(text);
        let text_end = self.strings.len() as u32;
        self.targets.push(Target {
            destination_end,
            title_end,
            text_end,
        });
        self.first_target
            .wrapping_add((self.targets.len() - 1) as u32)
    }

    /// Where the strings of a target begin, and where each of them ends.
    fn target(&self, target: u32) -> (usize, Target) {
        let index = target.wrapping_sub(self.first_target) as usize;
        let start = match index.checked_sub(1) {
            Some(before) => self.targets[before].text_end as usize,
            None => 0,
        };
        (start, self.targets[index])
    }

    pub(super) fn destination(&self, target: u32) -> &str {
        let (start, target) = self.target(target);
        &self.strings[start..target.destination_end as usize]
    }

    pub(super) fn title(&self, target: u32) -> &str {
        let (_, target) = self.target(target);
        &self.strings[target.destination_end as usize..target.title_end as usize]
    }

    pub(super) fn text(&self, target: u32) -> &str {
        let (_, target) = self.target(target);
        &self.strings[target.title_end as usize..target.text_end as usize]
    }

    /// Forgets the target of a link that no text has, if it is the last one.
    pub(super) fn forget_last_target(&mut self, mark: Mark) {
        let Mark::Link(target) = mark else { return };
        let index = target.wrapping_sub(self.first_target) as usize;
        if index + 1 == self.targets.len() {
            let (start, _) = self.target(target);
            self.strings.truncate(start);
            self.targets.pop();
        }
    }

    /// Forgets all chains and targets, once no tape refers to them; links that are open stay.
    pub(super) fn forget(&mut self) {
        if self.ends.len() > 1 {
            self.marks.clear();
            self.ends.truncate(1);
            self.current = if self.open.is_empty() {
                Some(Chain(0))
            } else {
                None
            };
        }
        if !self.targets.is_empty() && !self.in_link() {
            self.first_target = self.first_target.wrapping_add(self.targets.len() as u32);
            self.targets.clear();
            self.strings.clear();
        }
    }
}
