//! How much one poll does: input is counted where it is converted, nothing is timed.

mod support;

use bytes::Bytes;
use http::Response;
use http_body::Body;
use http_body_util::Full;
use markdown_for_agents::convert::Options;
use markdown_for_agents::predicate::DefaultPredicate;
use markdown_for_agents::{BoxError, MarkdownBody, MarkdownForAgentsLayer, ResponseFuture};
use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use support::{Script, Step, agent, data, html, markdown_of};
use tower::{Layer, Service, service_fn};

/// Input that one poll may convert, in bytes, and the piece that is begun within that.
const BUDGET: usize = 64 << 10;
const PIECE: usize = 8 << 10;

type Inner<B> = Ready<Result<Response<B>, Infallible>>;

/// A response as its task sees it, polled by hand.
enum Task<B> {
    Future(Pin<Box<ResponseFuture<Inner<B>, B, DefaultPredicate>>>),
    Body(Pin<Box<MarkdownBody<B>>>),
    Ended,
}

impl<B> Task<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    fn new(layer: &MarkdownForAgentsLayer, body: B) -> Self {
        let mut response = Some(html().body(body).unwrap());
        let mut service = layer.layer(service_fn(move |_: http::Request<()>| {
            ready(Ok::<_, Infallible>(
                response.take().expect("one request only"),
            ))
        }));
        Self::Future(Box::pin(service.call(agent("/").body(()).unwrap())))
    }

    /// Polls once: the future, and from then on the body. Gives the Markdown that comes.
    fn poll(&mut self) -> Bytes {
        let mut cx = Context::from_waker(Waker::noop());
        match self {
            Self::Future(future) => {
                if let Poll::Ready(response) = future.as_mut().poll(&mut cx) {
                    let (head, body) = response.unwrap().into_parts();
                    let kind = &head.headers["content-type"];
                    assert_eq!(kind, "text/markdown; charset=utf-8");
                    *self = Self::Body(Box::pin(body));
                }
            }
            Self::Body(body) => match body.as_mut().poll_frame(&mut cx) {
                Poll::Pending => {}
                Poll::Ready(Some(Ok(frame))) => return frame.into_data().unwrap(),
                Poll::Ready(Some(Err(error))) => panic!("{error}"),
                Poll::Ready(None) => *self = Self::Ended,
            },
            Self::Ended => panic!("the response has ended"),
        }
        Bytes::new()
    }

    fn has_head(&self) -> bool {
        !matches!(self, Self::Future(_))
    }

    fn has_ended(&self) -> bool {
        matches!(self, Self::Ended)
    }
}

/// A page in which every link says how much of the page lies before it, in bytes.
fn milestones(length: usize) -> String {
    let mut page = String::with_capacity(length + 200);
    page.push_str("<!doctype html><title>Miles</title>");
    while page.len() < length {
        let at = page.len();
        page.push_str(&format!(
            "<p>This is <a href=\"/{at}\">a stone</a> by the road.</p>\n"
        ));
    }
    page
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
    let big_page = milestones(10_000_000);
    let small_page = support::long_page(5000);
    let expected = markdown_of(Options::new(), None, &small_page);
    for body in big_bodies(&big_page) {
        let (layer, converted) = counting();
        let mut big = Task::new(&layer, body);
        let mut small = Task::new(
            &MarkdownForAgentsLayer::new(),
            Full::<Bytes>::from(small_page.clone()),
        );
        // The executor is at the big page when the small one comes.
        let (mut markdown, mut rounds) = (Vec::new(), 0);
        while !small.has_ended() {
            big.poll();
            markdown.extend_from_slice(&small.poll());
            rounds += 1;
        }
        assert_eq!(markdown, expected);
        // One poll each for the head, the Markdown and the end.
        assert_eq!(rounds, 3);
        let converted = converted.load(Ordering::SeqCst);
        assert!(
            (BUDGET - PIECE..=3 * (BUDGET + PIECE)).contains(&converted),
            "{converted} bytes"
        );
        assert!(!big.has_ended());
    }
}

#[test]
fn every_poll_of_a_big_page_converts_no_more_than_its_budget() {
    let page = milestones(2_000_000);
    for body in big_bodies(&page) {
        let (layer, converted) = counting();
        let mut task = Task::new(&layer, body);
        let (mut before, mut polls) = (0, 0);
        while !task.has_ended() {
            task.poll();
            polls += 1;
            let now = converted.load(Ordering::SeqCst);
            assert!(now - before <= BUDGET + PIECE, "{} bytes", now - before);
            before = now;
        }
        assert!(polls >= page.len() / (BUDGET + PIECE), "{polls}");
        assert!(
            page.len() - before < 200,
            "the count has followed to the end"
        );
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
            task.poll();
            assert!(!task.has_head(), "{before}: nothing is to be seen yet");
        }
        task.poll();
        assert!(task.has_head(), "{shown}: the head waits");
        let first = task.poll();
        assert_eq!(std::str::from_utf8(&first).unwrap(), markdown, "{shown}");
    }
}

#[test]
fn each_later_text_leaves_in_the_poll_that_sees_it() {
    let paragraphs = (1..=20).flat_map(|n| [data(format!("<p>Paragraph {n}.</p>")), Step::Pause]);
    let mut task = Task::new(&MarkdownForAgentsLayer::new(), Script::new(paragraphs));
    task.poll();
    assert!(task.has_head());
    assert_eq!(task.poll(), "Paragraph 1.\n\nParagraph 2.\n");
    for n in 3..=20 {
        assert_eq!(task.poll(), format!("\nParagraph {n}.\n"));
    }
}
