//! Inline marks in the order of their nesting, and what links point to.

use super::tape::{Event, Tape};
use std::collections::BTreeMap;

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
    /// Older targets that content still refers to.
    older: BTreeMap<u32, [String; 3]>,
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
            older: BTreeMap::new(),
        }
    }

    pub(super) fn open(&mut self, mark: Mark) {
        if self.open.len() < MAX_MARKS {
            self.open.push(mark);
            self.current = None;
        }
    }

    pub(super) fn close(&mut self, mark: Mark) {
        if self.open.last() == Some(&mark) {
            self.open.pop();
            self.current = None;
        } else if let Some(index) = self.open.iter().rposition(|&m| m == mark) {
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
    #[inline(always)] // Asked at each text.
    pub(super) fn current(&mut self) -> Chain {
        match self.current {
            Some(chain) => chain,
            None if self.open.is_empty() => Chain(0),
            None => self.find_current(),
        }
    }

    fn find_current(&mut self) -> Chain {
        let start = self.marks.len();
        if let &[mark] = &self.open[..] {
            self.marks.push(mark);
            let chain = self.chain_from(start);
            self.current = Some(chain);
            return chain;
        }
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
        let (before, wanted) = self.marks.split_at(start);
        let Some(innermost) = wanted.last() else {
            return Some(Chain(0));
        };
        let newest = self.ends.len() - 1;
        // When the numbers run out, marks are given up rather than text.
        if newest == usize::from(u16::MAX) {
            return Some(Chain(0));
        }
        let mut end = start;
        for n in (1..=newest).rev().take(8) {
            let begin = self.ends[n - 1] as usize;
            let marks = &before[begin..end];
            if marks.last() == Some(innermost) && marks == wanted {
                return Some(Chain(n as u16));
            }
            end = begin;
        }
        None
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

    /// Keeps the name of a language of code and returns its number. It is kept, and forgotten, as
    /// what a link points to is.
    pub(super) fn add_language(&mut self, name: &str) -> u32 {
        self.add_target(name, "", "")
    }

    pub(super) fn language(&self, language: u32) -> &str {
        self.destination(language)
    }

    /// Where the strings of a target begin, and where each of them ends.
    fn target(&self, target: u32) -> Option<(usize, Target)> {
        let index = target.wrapping_sub(self.first_target) as usize;
        let found = *self.targets.get(index)?;
        let start = match index.checked_sub(1) {
            Some(before) => self.targets[before].text_end as usize,
            None => 0,
        };
        Some((start, found))
    }

    #[cold]
    fn older(&self, target: u32, part: usize) -> &str {
        self.older.get(&target).map_or("", |parts| &parts[part])
    }

    pub(super) fn destination(&self, target: u32) -> &str {
        match self.target(target) {
            Some((start, found)) => &self.strings[start..found.destination_end as usize],
            None => self.older(target, 0),
        }
    }

    pub(super) fn title(&self, target: u32) -> &str {
        match self.target(target) {
            Some((_, found)) => {
                &self.strings[found.destination_end as usize..found.title_end as usize]
            }
            None => self.older(target, 1),
        }
    }

    pub(super) fn text(&self, target: u32) -> &str {
        match self.target(target) {
            Some((_, found)) => &self.strings[found.title_end as usize..found.text_end as usize],
            None => self.older(target, 2),
        }
    }

    /// Forgets the target of a link that no text has, if it is the last one.
    pub(super) fn forget_last_target(&mut self, mark: Mark) {
        let Mark::Link(target) = mark else { return };
        let index = target.wrapping_sub(self.first_target) as usize;
        if index + 1 == self.targets.len()
            && let Some((start, _)) = self.target(target)
        {
            self.strings.truncate(start);
            self.targets.pop();
        }
    }

    /// Bytes of memory in use, about.
    pub(super) fn size(&self) -> usize {
        self.strings.len()
            + self.targets.len() * size_of::<Target>()
            + self.marks.len() * size_of::<Mark>()
            + self.ends.len() * size_of::<u32>()
    }

    /// Forgets all chains and targets, once no tape refers to them; links that are open stay.
    pub(super) fn forget(&mut self) {
        if self.ends.len() > 1 {
            self.forget_chains();
        }
        if self.in_link() || !self.older.is_empty() {
            self.keep_targets(Vec::new());
        } else if !self.targets.is_empty() {
            self.clear_targets();
        }
    }

    /// Forgets the chains and targets that neither this tape nor these marks refer to.
    pub(super) fn keep_only(&mut self, tape: &mut Tape, marks: impl Iterator<Item = Mark>) {
        let mut targets: Vec<u32> = marks.filter_map(Mark::target).collect();
        let (old_marks, old_ends) = (std::mem::take(&mut self.marks), self.ends.clone());
        self.forget_chains();
        // By their old numbers.
        let mut renewed = vec![None; old_ends.len()];
        let events = 0..tape.events().len();
        tape.change_chains(events, |chain| {
            let n = usize::from(chain.0);
            let Some(&end) = old_ends.get(n) else {
                return Chain(0);
            };
            if let Some(renewed) = renewed[n] {
                return renewed;
            }
            let start = self.marks.len();
            let old = n.checked_sub(1).map_or(0, |before| old_ends[before]);
            self.marks
                .extend_from_slice(&old_marks[old as usize..end as usize]);
            targets.extend(self.marks[start..].iter().filter_map(|m| m.target()));
            let chain = self.chain_from(start);
            renewed[n] = Some(chain);
            chain
        });
        targets.extend(tape.events().iter().filter_map(|e| match e {
            Event::Image { target, .. } => Some(*target),
            _ => None,
        }));
        self.keep_targets(targets);
    }

    fn forget_chains(&mut self) {
        self.marks.clear();
        self.ends.truncate(1);
        self.current = if self.open.is_empty() {
            Some(Chain(0))
        } else {
            None
        };
    }

    /// Forgets all targets but these and those of the links that are open.
    fn keep_targets(&mut self, mut numbers: Vec<u32>) {
        numbers.extend(self.open.iter().filter_map(|m| m.target()));
        numbers.sort_unstable();
        numbers.dedup();
        let mut older = std::mem::take(&mut self.older);
        let kept = numbers.into_iter().filter_map(|number| {
            let parts = match older.remove(&number) {
                Some(parts) => parts,
                None => {
                    let (start, found) = self.target(number)?;
                    let ends = [found.destination_end, found.title_end, found.text_end];
                    let mut from = start;
                    ends.map(|end| {
                        let part = &self.strings[from..end as usize];
                        from = end as usize;
                        part.to_owned()
                    })
                }
            };
            Some((number, parts))
        });
        self.older = kept.collect();
        self.clear_targets();
    }

    fn clear_targets(&mut self) {
        self.first_target = self.first_target.wrapping_add(self.targets.len() as u32);
        self.targets.clear();
        self.strings.clear();
    }
}

impl Mark {
    /// What a link points to, by its number.
    fn target(self) -> Option<u32> {
        match self {
            Self::Link(target) => Some(target),
            _ => None,
        }
    }
}
