//! How much one poll does: input is counted where it is converted, nothing is timed.

mod support;

use bytes::Bytes;
use http_body_util::Full;
use markdown_for_agents::MarkdownForAgentsLayer;
use markdown_for_agents::convert::Options;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use support::task::Task;
use support::{Script, Step, data, markdown_of};

/// Input that one poll may convert, in bytes, and the piece that is begun within that.
const BUDGET: usize = 64 << 10;
const PIECE: usize = 8 << 10;

/// A page in which every link says how much of the page lies before it, in bytes. `between` stands
/// between two of them.
fn milestones(length: usize, between: &str) -> String {
    let mut page = String::with_capacity(length + 200);
    page.push_str("<!doctype html><title>Miles</title>");
    while page.len() < length {
        let at = page.len();
        let stone = format!("<p>This is <a href=\"/{at}\">a stone</a> by the road.</p>{between}\n");
        page.push_str(&stone);
    }
    page
}

/// Big pages: one where the Markdown is about as long as the HTML, so that frames fill up, and one
/// that is mostly script, so that there is nothing to send for long.
fn big_pages(length: usize) -> [String; 2] {
    let script = format!("<script>{}</script>", "x = 1; ".repeat(100));
    [milestones(length, ""), milestones(length, &script)]
}

/// A layer that counts the input that it has converted, by the links that it meets.
fn counting() -> (MarkdownForAgentsLayer, Arc<AtomicUsize>) {
    let converted = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&converted);
    let options = Options::new().rewrite_links(0, move |address| {
        let at = address.rsplit('/').next().unwrap().parse().unwrap();
        seen.store(at, Ordering::SeqCst);
        None
    });
    let layer = MarkdownForAgentsLayer::new()
        .options(options)
        .public_origin("https://example.com")
        .unwrap();
    (layer, converted)
}

/// The big page in one frame, as a service that renders into memory has it, and in many.
fn big_bodies(page: &str) -> [Script; 2] {
    [
        Script::new([data(page)]),
        Script::pieces(page.as_bytes(), 16 << 10),
    ]
}

#[test]
fn a_small_page_waits_for_one_poll_of_a_big_one() {
    let small_page = support::long_page(5000);
    let expected = markdown_of(Options::new(), None, &small_page);
    for body in big_pages(10_000_000)
        .iter()
        .flat_map(|page| big_bodies(page))
    {
        let (layer, converted) = counting();
        let mut big = Task::new(&layer, body);
        let small_body = Full::<Bytes>::from(small_page.clone());
        let mut small = Task::new(&MarkdownForAgentsLayer::new(), small_body);
        // The executor is at the big page when the small one comes.
        let (mut markdown, mut rounds) = (Vec::new(), 0);
        while !small.has_ended() {
            let _ = big.poll();
            rounds += 1;
            let bytes = converted.load(Ordering::SeqCst);
            assert!(bytes <= rounds * (BUDGET + PIECE), "{rounds}: {bytes}");
            if let Poll::Ready(frame) = small.poll() {
                markdown.extend_from_slice(&frame);
            }
        }
        assert_eq!(markdown, expected);
        assert_eq!(
            rounds, 3,
            "one poll each for the head, the Markdown and the end"
        );
        assert!(
            converted.load(Ordering::SeqCst) >= BUDGET / 2,
            "the count works"
        );
        assert!(!big.has_ended());
    }
}

#[test]
fn a_task_that_takes_every_frame_lets_others_run_within_its_budget() {
    for page in big_pages(2_000_000) {
        for body in big_bodies(&page) {
            let (layer, converted) = counting();
            let mut task = Task::new(&layer, body);
            let (mut before, mut pauses) = (0, 0);
            // As a server does: it polls until the body is pending.
            while !task.has_ended() {
                let pending = task.poll().is_pending();
                let now = converted.load(Ordering::SeqCst);
                assert!(now - before <= BUDGET + PIECE, "{} bytes", now - before);
                if pending {
                    before = now;
                    pauses += 1;
                }
            }
            assert!(pauses >= page.len() / (BUDGET + PIECE), "{pauses}");
            let last = converted.load(Ordering::SeqCst);
            assert!(page.len() - last < 1000, "the count follows to the end");
        }
    }
}

#[test]
fn the_first_text_leaves_in_the_poll_that_sees_it() {
    for (before, shown, markdown) in [
        (
            "<!doctype html><title>T</title><body>",
            "<h1>High water</h1>",
            "# High water\n",
        ),
        ("<body><div><p>", "High water.</p>", "High water.\n"),
        (
            "<body><ul><li>",
            "<b>High</b> water</li>",
            "- **High** water\n",
        ),
        (
            "<body><blockquote>",
            "<p>High water<br>at noon</p>",
            "> High water\\\n> at noon\n",
        ),
        // The last word of a text that goes on is not final yet.
        (
            "<!-- a comment --><p>",
            "High water at noo",
            "High water at",
        ),
        ("<body><p>", "High water at <i>noo", "High water at"),
        ("<body><p>", "High water <a href=/x>at <i>noo", "High water"),
    ] {
        let steps = [
            data(before),
            Step::Pause,
            Step::Pause,
            data(shown),
            Step::Hang,
        ];
        let layer = MarkdownForAgentsLayer::new().options(Options::new().front_matter(false));
        let mut task = Task::new(&layer, Script::new(steps));
        for _ in 0..2 {
            assert!(task.poll().is_pending(), "{before}: nothing is to be seen");
        }
        assert!(task.poll().is_ready(), "{shown}: the head waits");
        assert_eq!(task.markdown(), markdown, "{shown}");
    }
}

#[test]
fn each_later_text_leaves_in_the_poll_that_sees_it() {
    let paragraphs = (1..=20).flat_map(|n| [data(format!("<p>Paragraph {n}.</p>")), Step::Pause]);
    let mut task = Task::new(&MarkdownForAgentsLayer::new(), Script::new(paragraphs));
    assert!(task.poll().is_ready());
    assert_eq!(task.markdown(), "Paragraph 1.\n\nParagraph 2.\n");
    for n in 3..=20 {
        assert_eq!(task.markdown(), format!("\nParagraph {n}.\n"));
    }
}
