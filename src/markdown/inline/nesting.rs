//! Which of the marks that are open stay for other text.
//!
//! Marks may have been opened in another order than that of the page, where only that made
//! delimiters of them, so the two are compared as sets beyond what they begin with alike.

use super::{Form, Open};
use crate::markdown::style::Mark;

/// How many marks at the start two lists share.
pub(super) fn shared(one: impl Iterator<Item = Mark>, other: &[Mark]) -> usize {
    one.zip(other).take_while(|(a, b)| a == *b).count()
}

/// How many of the marks that are open the marks begin with.
pub(super) fn in_order(open: &[Open], marks: &[Mark]) -> usize {
    shared(open.iter().map(|o| o.mark), marks)
}

/// Whether the marks that are open are these, which they are as soon as what they are around is
/// written.
pub(super) fn is_for(open: &[Open], marks: &[Mark]) -> bool {
    let marks = marks.strip_suffix(&[Mark::Code]).unwrap_or(marks);
    if open.len() != marks.len() {
        return false;
    }
    let from = in_order(open, marks);
    let (open, marks) = (&open[from..], &marks[from..]);
    marks.iter().all(|m| of_kind(open, *m) == count(marks, *m))
}

/// How many of the marks that are open, counted from the outermost, stay so for text with these.
///
/// A mark that was left out does not keep those in it from staying, and one that is yet to open
/// does not end a link.
#[inline]
pub(super) fn kept(open: &[Open], marks: &[Mark]) -> usize {
    let prefix = in_order(open, marks);
    if prefix == marks.len() || prefix == open.len() {
        return prefix;
    }
    kept_beyond(open, marks, prefix)
}

/// The same where the marks differ from those that are open behind so many.
#[cold]
fn kept_beyond(open: &[Open], marks: &[Mark], prefix: usize) -> usize {
    if is_for(open, marks) {
        return open.len();
    }
    let (open, marks) = (&open[prefix..], &marks[prefix..]);
    let (mut kept, mut among) = (0, 0);
    for (index, &Open { mark, form }) in open.iter().enumerate() {
        if form == Form::LeftOut {
            continue;
        }
        let open = &open[..=index];
        among += 1;
        if written(open, mark) > count(marks, mark) {
            break;
        }
        // In any order, they are to be the first of the marks.
        let first = &marks[..among];
        let is_first =
            |o: &Open| o.form == Form::LeftOut || written(open, o.mark) <= count(first, o.mark);
        if matches!(mark, Mark::Link(_)) || open.iter().all(is_first) {
            kept = index + 1;
        }
    }
    prefix + kept
}

/// Those of the marks that are to be opened where so many of the open ones stay.
pub(super) fn missing<'m>(
    open: &'m [Open],
    kept: usize,
    marks: &'m [Mark],
) -> impl Iterator<Item = Mark> + 'm {
    let prefix = in_order(open, marks).min(kept);
    let all = kept > prefix && kept == open.len() && is_for(open, marks);
    let (open, marks) = (&open[prefix..kept], &marks[prefix..]);
    let is_missing = move |&(index, &mark): &(usize, &Mark)| {
        let open = if all {
            of_kind(open, mark)
        } else {
            written(open, mark)
        };
        count(&marks[..=index], mark) > open
    };
    let marks = marks.iter().enumerate();
    marks.filter(is_missing).map(|(_, &mark)| mark)
}

/// Forgets marks that were left out, except where the marks begin with them.
pub(super) fn forget_left_out(open: &mut Vec<Open>, marks: &[Mark]) {
    for index in (in_order(open, marks)..open.len()).rev() {
        if open[index].form == Form::LeftOut {
            open.remove(index);
        }
    }
}

fn written(open: &[Open], mark: Mark) -> usize {
    let written = |o: &&Open| o.mark == mark && o.form != Form::LeftOut;
    open.iter().filter(written).count()
}

fn of_kind(open: &[Open], mark: Mark) -> usize {
    open.iter().filter(|o| o.mark == mark).count()
}

fn count(marks: &[Mark], mark: Mark) -> usize {
    marks.iter().filter(|m| **m == mark).count()
}
