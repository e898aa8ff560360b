//! What conversions behind the layer hold in memory: bytes are counted, nothing is timed.
//!
//! The pages come from a body that holds none of them, and all Markdown is dropped at once: what is
//! counted is what the layer holds, without the buffers of a server and its sockets.

#[path = "support/allocator.rs"]
mod allocator;
mod support;

use allocator::count;
use bytes::Bytes;
use http::Response;
use http_body::{Body, Frame};
use markdown_for_agents::{MarkdownBody, MarkdownForAgentsLayer};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use support::{agent, html};
use tower::{Layer, Service, service_fn};

/// Limits of the layer, in bytes: on the Markdown that is held back before the head leaves, and on the
/// input that is kept for the case that the original must be sent after all.
const HOLD: usize = 64 << 10;
const REPLAY: usize = 100 << 10;

/// A page of any length: the same HTML again and again, in frames.
#[derive(Debug, Clone, Copy)]
struct Repeated {
    html: &'static str,
    length: usize,
    frame: usize,
    /// Whether there is a pause before each frame.
    pauses: bool,
}

/// Mostly text.
const ARTICLE: &str = include_str!("../benches/pages/article.html");

/// Mostly scripts, as in many large pages.
const SCRIPTS: &str = include_str!("../benches/pages/scripts.html");

/// What of a page is still to come.
#[derive(Debug)]
struct Rest {
    page: Repeated,
    at: usize,
    paused: bool,
}

impl From<Repeated> for Rest {
    fn from(page: Repeated) -> Self {
        Self {
            page,
            at: 0,
            paused: false,
        }
    }
}

impl Body for Rest {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = self.get_mut();
        let Repeated {
            html,
            length,
            frame,
            pauses,
        } = this.page;
        if this.at == length {
            return Poll::Ready(None);
        }
        this.paused = pauses && !this.paused;
        if this.paused {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let start = this.at % html.len();
        let end = html.len().min(start + frame.min(length - this.at));
        let frame = Bytes::from_static(&html.as_bytes()[start..end]);
        this.at += frame.len();
        Poll::Ready(Some(Ok(Frame::data(frame))))
    }
}

/// A conversion as a task sees it: one poll at a time, of the future and then of the body.
enum Conversion<F> {
    Future(Pin<Box<F>>),
    Body(Box<MarkdownBody<Rest>>),
    Ended,
}

impl<F> Conversion<F>
where
    F: Future<Output = Result<Response<MarkdownBody<Rest>>, Infallible>>,
{
    /// Polls once. Gives the length of the Markdown that it yields.
    fn poll(&mut self, cx: &mut Context<'_>) -> usize {
        match self {
            Self::Future(future) => {
                if let Poll::Ready(Ok(response)) = future.as_mut().poll(cx) {
                    let kind = &response.headers()["content-type"];
                    assert_eq!(kind, "text/markdown; charset=utf-8");
                    *self = Self::Body(Box::new(response.into_body()));
                }
                0
            }
            Self::Body(body) => match Pin::new(body).poll_frame(cx) {
                Poll::Pending => 0,
                Poll::Ready(Some(frame)) => frame.unwrap().into_data().unwrap().len(),
                Poll::Ready(None) => {
                    *self = Self::Ended;
                    0
                }
            },
            Self::Ended => 0,
        }
    }

    fn has_ended(&self) -> bool {
        matches!(self, Self::Ended)
    }
}

/// Converts the same page this many times at once, one poll of each after the other. Gives the
/// Markdown of all, in bytes, and the most that was held.
fn convert(layer: &MarkdownForAgentsLayer, times: usize, page: Repeated) -> (usize, usize) {
    let mut service = layer.layer(service_fn(move |_: http::Request<()>| {
        let response = html().body(Rest::from(page)).unwrap();
        async { Ok::<_, Infallible>(response) }
    }));
    let work = || {
        let mut cx = Context::from_waker(Waker::noop());
        let mut all: Vec<_> = (0..times)
            .map(|_| Conversion::Future(Box::pin(service.call(agent("/").body(()).unwrap()))))
            .collect();
        let mut markdown = 0;
        while !all.iter().all(Conversion::has_ended) {
            markdown += all.iter_mut().map(|page| page.poll(&mut cx)).sum::<usize>();
        }
        markdown
    };
    let (markdown, cost) = count(work);
    println!(
        "{times} times {} bytes: {} bytes each",
        page.length,
        cost.peak / times
    );
    (markdown, cost.peak)
}

#[test]
fn a_thousand_conversions_hold_64_kib_each_at_most() {
    let layer = MarkdownForAgentsLayer::new();
    let page = Repeated {
        html: ARTICLE,
        length: ARTICLE.len(),
        frame: 1000,
        pauses: true,
    };
    let (one, _) = convert(&layer, 1, page);
    let (markdown, peak) = convert(&layer, 1000, page);
    assert_eq!(markdown, 1000 * one, "every page is complete");
    assert!(peak <= 1000 * (64 << 10), "{peak} bytes");
}

#[test]
fn what_is_held_back_counts_against_its_limits() {
    let layer = MarkdownForAgentsLayer::new()
        .hold_limit(HOLD)
        .replay_limit(REPLAY);
    // Nothing makes the head leave but the limits.
    let page = Repeated {
        html: ARTICLE,
        length: 10 * ARTICLE.len(),
        frame: 1000,
        pauses: false,
    };
    let (one, _) = convert(&layer, 1, page);
    let (markdown, peak) = convert(&layer, 100, page);
    assert_eq!(markdown, 100 * one, "every page is complete");
    assert!(peak <= 100 * ((64 << 10) + HOLD + REPLAY), "{peak} bytes");
}

#[test]
fn a_page_of_100_mb_holds_2_mb_at_most() {
    for (html, length, frame) in [
        (ARTICLE, 10_000_000, 1000),
        (SCRIPTS, 100_000_000, 16 << 10),
    ] {
        let page = Repeated {
            html,
            length,
            frame,
            pauses: false,
        };
        let (markdown, peak) = convert(&MarkdownForAgentsLayer::new(), 1, page);
        assert!(markdown > length / 100);
        assert!(peak <= 2_000_000, "{peak} bytes");
    }
}
