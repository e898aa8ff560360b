//! What conversions behind the layer hold in memory: bytes are counted, nothing is timed.
//!
//! The pages come from a body that holds none of them, and all Markdown is dropped at once: what is
//! counted is what the layer holds, without the buffers of a server and its sockets.

#[path = "support/allocator.rs"]
mod allocator;
mod support;

use allocator::count;
use bytes::Bytes;
use markdown_for_agents::MarkdownForAgentsLayer;
use std::task::Poll;
use support::task::Task;
use support::{Script, Step};

/// Limits of the layer, in bytes: on the Markdown that is held back before the head leaves, and on the
/// input that is kept for the case that the original must be sent after all.
const HOLD: usize = 64 << 10;
const REPLAY: usize = 100 << 10;

/// Mostly text.
const ARTICLE: &str = include_str!("../benches/pages/article.html");

/// Mostly scripts, as in many large pages.
const SCRIPTS: &str = include_str!("../benches/pages/scripts.html");

/// What every page ends with.
const END: &str = "</table></pre></ul><p>The end.";

/// A page of any length: a start, the same HTML again and again, and an end.
#[derive(Debug, Clone)]
struct Page {
    start: &'static str,
    html: Bytes,
    /// Without start and end, in bytes.
    length: usize,
    /// Bytes of a frame at most.
    frame: usize,
    /// Whether there is a pause before each frame.
    pauses: bool,
}

impl Page {
    /// Whole parts, as many in each frame as a server sends at once, up to this length.
    fn of_parts(start: &'static str, part: &'static str, length: usize) -> Self {
        let frame = 16 << 10;
        let html = Bytes::from(part.repeat((frame / part.len()).max(1)));
        Self {
            start,
            length: length / html.len() * html.len(),
            html,
            frame,
            pauses: false,
        }
    }

    fn articles(times: usize, pauses: bool) -> Self {
        Self {
            start: "",
            html: Bytes::from_static(ARTICLE.as_bytes()),
            length: times * ARTICLE.len(),
            frame: 1000,
            pauses,
        }
    }

    fn body(&self) -> Script {
        let Self {
            html,
            length,
            frame,
            pauses,
            ..
        } = self.clone();
        let mut at = 0;
        let frames = std::iter::from_fn(move || {
            let start = at % html.len();
            let end = html.len().min(start + frame.min(length - at));
            at += end - start;
            (start < end).then(|| html.slice(start..end))
        });
        let edge = |text: &'static str| std::iter::once(Bytes::from_static(text.as_bytes()));
        let frames = edge(self.start).chain(frames).chain(edge(END));
        Script::lazy(frames.flat_map(move |frame| {
            let pause = pauses.then_some(Step::Pause);
            pause.into_iter().chain([Step::Data(frame)])
        }))
    }
}

/// What became of pages.
struct Converted {
    /// The Markdown of all, in bytes.
    length: usize,
    /// The most that was held, in bytes.
    peak: usize,
    /// The last frame of the last page to end.
    last: Bytes,
}

/// Converts the same page this many times at once, one poll of each after the other.
fn convert(layer: &MarkdownForAgentsLayer, times: usize, page: &Page) -> Converted {
    let work = || {
        let mut all: Vec<_> = (0..times).map(|_| Task::new(layer, page.body())).collect();
        let (mut length, mut last) = (0, Bytes::new());
        while !all.is_empty() {
            for task in &mut all {
                if let Poll::Ready(frame) = task.poll()
                    && !frame.is_empty()
                {
                    length += frame.len();
                    last = frame;
                }
            }
            all.retain(|task| !task.has_ended());
        }
        (length, last)
    };
    let ((length, last), cost) = count(work);
    let peak = cost.peak;
    println!(
        "{times} times {} bytes from {:?}: {length} bytes of Markdown, {} bytes held for each",
        page.length,
        page.start,
        peak / times
    );
    Converted { length, peak, last }
}

#[test]
fn a_thousand_conversions_hold_64_kib_each_at_most() {
    let layer = MarkdownForAgentsLayer::new();
    let page = Page::articles(1, true);
    let one = convert(&layer, 1, &page);
    let all = convert(&layer, 1000, &page);
    assert_eq!(all.length, 1000 * one.length, "every page is complete");
    assert!(all.peak <= 1000 * (64 << 10), "{} bytes", all.peak);
}

#[test]
fn what_is_held_back_counts_against_its_limits() {
    let layer = MarkdownForAgentsLayer::new()
        .hold_limit(HOLD)
        .replay_limit(REPLAY);
    // Nothing makes the head leave but the limits.
    let page = Page::articles(10, false);
    let one = convert(&layer, 1, &page);
    let all = convert(&layer, 100, &page);
    assert_eq!(all.length, 100 * one.length, "every page is complete");
    let bound = 100 * ((64 << 10) + HOLD + REPLAY);
    assert!(all.peak <= bound, "{} bytes", all.peak);
}

/// A page holds 2 MB at most, and its Markdown is there up to this end.
#[track_caller]
fn is_bounded(page: &Page, end: &str) {
    let converted = convert(&MarkdownForAgentsLayer::new(), 1, page);
    assert!(converted.peak <= 2_000_000, "{} bytes", converted.peak);
    let last = String::from_utf8(converted.last.to_vec()).unwrap();
    assert!(last.ends_with(end), "{last:?}");
}

#[test]
fn scripts_of_100_mb_hold_2_mb_at_most() {
    is_bounded(&Page::of_parts("", SCRIPTS, 100_000_000), "}\n```\n");
}

#[test]
fn a_table_of_100_mb_holds_2_mb_at_most() {
    let row = "<tr><td>A cell of some words</td><td>and | another</td></tr>\n";
    is_bounded(&Page::of_parts("<table>", row, 100_000_000), "The end.\n");
}

#[test]
fn a_table_of_many_links_holds_2_mb_at_most() {
    let row = "<tr><td><a href=/x title=y>A</a> link</td><td><b>and</b> <i>marks</i></td></tr>\n";
    is_bounded(&Page::of_parts("<table>", row, 5_000_000), "The end.\n");
}

#[test]
fn a_block_of_code_of_100_mb_holds_2_mb_at_most() {
    let line = "    let address = format!(\"{base}/{number}\");\n";
    is_bounded(&Page::of_parts("<pre>", line, 100_000_000), "The end.\n");
}

#[test]
fn a_list_of_100_mb_holds_2_mb_at_most() {
    let item = "<li>An item with <i>some</i> words and a <a href=/x>link</a></li>\n";
    is_bounded(&Page::of_parts("<ul>", item, 100_000_000), "The end.\n");
}

#[test]
fn pages_of_small_frames_hold_2_mb_at_most() {
    is_bounded(&Page::articles(500, false), "The end.\n");
}

#[test]
fn elements_without_content_hold_2_mb_at_most() {
    for part in ["<br>", "<img>", "<img src=/x>", "<a href=/></a>", "<a></a>"] {
        is_bounded(&Page::of_parts("<p>a", part, 20_000_000), "The end.\n");
    }
}

#[test]
fn marks_and_links_without_end_hold_2_mb_at_most() {
    for part in [
        "<br>- ",
        "<b>a</b> ",
        "<a href=/x>a</a> ",
        "<a href=/>]</a>",
        "<a href=#a>#</a>",
        "<video><source src=/x>a</video>",
    ] {
        is_bounded(&Page::of_parts("<p>a", part, 3_000_000), "The end.\n");
    }
    let unclosed = Page::of_parts("<p>a", "<a href=/x>a", 3_000_000);
    is_bounded(&unclosed, "[The end.](/x)\n");
}

#[test]
fn code_of_blanks_and_code_without_end_hold_2_mb_at_most() {
    for (start, part) in [("", "<pre>a</pre>"), ("<pre>", "\n"), ("<pre>", "<br>")] {
        is_bounded(&Page::of_parts(start, part, 3_000_000), "The end.\n");
    }
}
