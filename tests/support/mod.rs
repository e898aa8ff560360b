//! Bodies that behave as badly as the contract of `http_body::Body` allows, and small services.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "every test binary uses a part of this"
)]

pub mod task;

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use markdown_for_agents::{
    BoxError, MarkdownBody, MarkdownForAgentsLayer, convert, predicate::Predicate,
};
use pin_project_lite::pin_project;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomPinned;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use tower::{Layer, ServiceExt, service_fn};

/// One event of a body.
#[derive(Debug, Clone)]
pub enum Step {
    Data(Bytes),
    /// Pending once; the task is woken at once.
    Pause,
    /// Pending for ever.
    Hang,
    Trailers(HeaderMap),
    Fail,
}

/// What became of a body.
#[derive(Debug, Default)]
pub struct Fate {
    pub polls: AtomicUsize,
    pub bytes: AtomicUsize,
    pub dropped: AtomicBool,
}

impl Fate {
    pub fn polls(&self) -> usize {
        self.polls.load(Ordering::SeqCst)
    }

    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::SeqCst)
    }

    pub fn is_dropped(&self) -> bool {
        self.dropped.load(Ordering::SeqCst)
    }
}

pin_project! {
    /// A body that follows a script, panics when it is polled after its end, and is not `Unpin`.
    pub struct Script {
        steps: Box<dyn Iterator<Item = Step> + Send + Sync>,
        hangs: bool,
        ended: bool,
        hint: SizeHint,
        fate: Watched,
        #[pin]
        pinned: PhantomPinned,
    }
}

/// Notes when it is dropped.
#[derive(Debug, Default)]
struct Watched(Arc<Fate>);

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.dropped.store(true, Ordering::SeqCst);
    }
}

impl Script {
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self::lazy(steps.into_iter().collect::<Vec<_>>())
    }

    /// Steps that are made one at a time, so that the body holds none of the page.
    pub fn lazy<I>(steps: I) -> Self
    where
        I: IntoIterator<Item = Step, IntoIter: Send + Sync + 'static>,
    {
        Self {
            steps: Box::new(steps.into_iter()),
            hangs: false,
            ended: false,
            hint: SizeHint::new(),
            fate: Watched::default(),
            pinned: PhantomPinned,
        }
    }

    /// The bytes cut into pieces, with an empty frame and a pause before each.
    pub fn hostile(bytes: &[u8], piece: usize) -> Self {
        Self::new(
            bytes
                .chunks(piece.max(1))
                .flat_map(|piece| [Step::Data(Bytes::new()), Step::Pause, data(piece)])
                .chain([Step::Pause]),
        )
    }

    /// The bytes cut into pieces, all there at once.
    pub fn pieces(bytes: &[u8], piece: usize) -> Self {
        Self::new(bytes.chunks(piece.max(1)).map(data))
    }

    pub fn then(mut self, step: Step) -> Self {
        self.steps = Box::new(self.steps.chain([step]));
        self
    }

    pub fn hint(mut self, hint: SizeHint) -> Self {
        self.hint = hint;
        self
    }

    pub fn fate(&self) -> Arc<Fate> {
        Arc::clone(&self.fate.0)
    }
}

pub fn data(bytes: impl AsRef<[u8]>) -> Step {
    Step::Data(Bytes::copy_from_slice(bytes.as_ref()))
}

#[derive(Debug, PartialEq, Eq)]
pub struct ScriptError;

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the script says so")
    }
}

impl std::error::Error for ScriptError {}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script")
            .field("ended", &self.ended)
            .field("fate", &self.fate)
            .finish_non_exhaustive()
    }
}

impl Body for Script {
    type Data = Bytes;
    type Error = ScriptError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, ScriptError>>> {
        let this = self.project();
        let fate = &this.fate.0;
        assert!(!*this.ended, "the body was polled after its end");
        fate.polls.fetch_add(1, Ordering::SeqCst);
        if *this.hangs {
            return Poll::Pending;
        }
        match this.steps.next() {
            Some(Step::Data(bytes)) => {
                fate.bytes.fetch_add(bytes.len(), Ordering::SeqCst);
                Poll::Ready(Some(Ok(Frame::data(bytes))))
            }
            Some(Step::Pause) => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            Some(Step::Hang) => {
                *this.hangs = true;
                Poll::Pending
            }
            Some(Step::Trailers(trailers)) => Poll::Ready(Some(Ok(Frame::trailers(trailers)))),
            Some(Step::Fail) => {
                *this.ended = true;
                Poll::Ready(Some(Err(ScriptError)))
            }
            None => {
                *this.ended = true;
                Poll::Ready(None)
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        self.hint
    }
}

/// A page with some of everything, of about this many bytes.
pub fn long_page(bytes: usize) -> String {
    let mut page = String::from("<!doctype html><title>Long</title><h1>Hi</h1>\n");
    let mut n = 0;
    while page.len() < bytes {
        n += 1;
        page.push_str(&format!(
            "<p>Paragraph {n} über 日本語 and <strong>more</strong> of <a href=\"/p/{n}\">it</a>.</p>\n"
        ));
    }
    page
}

/// What the converter makes of a page, driven directly.
pub fn markdown_of(options: convert::Options, url: Option<&str>, html: impl AsRef<[u8]>) -> Bytes {
    let mut converter = convert::Converter::new(options);
    if let Some(url) = url {
        converter = converter.url(url);
    }
    converter.write(html.as_ref()).unwrap();
    converter.finish().unwrap();
    converter.take()
}

/// A request for Markdown.
pub fn agent(path: &str) -> http::request::Builder {
    Request::builder()
        .uri(path)
        .header("accept", "text/markdown")
}

/// A request for HTML.
pub fn browser(path: &str) -> http::request::Builder {
    Request::builder()
        .uri(path)
        .header("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
}

/// A response in HTML.
pub fn html() -> http::response::Builder {
    Response::builder().header("content-type", "text/html; charset=utf-8")
}

/// Sends one request through a layer to a service that answers with this response.
pub async fn through<B, P>(
    layer: &MarkdownForAgentsLayer<P>,
    request: http::request::Builder,
    response: Response<B>,
) -> Response<MarkdownBody<B>>
where
    B: Body,
    B::Error: Into<BoxError>,
    P: Predicate,
{
    let mut response = Some(response);
    let service = layer.layer(service_fn(move |_: Request<()>| {
        let response = response.take().expect("one request only");
        async move { Ok::<_, Infallible>(response) }
    }));
    service.oneshot(request.body(()).unwrap()).await.unwrap()
}

/// The head as a service would see it: what the layer makes of a request.
pub async fn shaped(
    layer: &MarkdownForAgentsLayer,
    request: http::request::Builder,
) -> http::request::Parts {
    let (sender, receiver) = std::sync::mpsc::channel();
    let service = layer.layer(service_fn(move |request: Request<()>| {
        sender.send(request.into_parts().0).unwrap();
        async { Ok::<_, Infallible>(Response::new(http_body_util::Empty::<Bytes>::new())) }
    }));
    service.oneshot(request.body(()).unwrap()).await.unwrap();
    receiver.recv().unwrap()
}

/// Everything that a body yields: data frames as they came, trailers, and the error it ended with.
#[derive(Debug, Default)]
pub struct Collected {
    pub frames: Vec<Bytes>,
    pub trailers: Option<HeaderMap>,
    pub error: Option<BoxError>,
}

impl Collected {
    pub fn bytes(&self) -> Bytes {
        self.frames.concat().into()
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.bytes().to_vec()).unwrap()
    }
}

/// Reads a body to its end, and polls it twice more: it must stay at its end.
pub async fn collect<B>(body: B) -> Collected
where
    B: Body<Data = Bytes>,
    B::Error: Into<BoxError>,
{
    let mut body = std::pin::pin!(body);
    let mut collected = Collected::default();
    while let Some(frame) = body.frame().await {
        match frame.map_err(Into::into) {
            Ok(frame) if frame.is_data() => collected.frames.push(frame.into_data().unwrap()),
            Ok(frame) => {
                assert!(collected.trailers.is_none(), "trailers came twice");
                collected.trailers = Some(frame.into_trailers().unwrap());
            }
            Err(error) => {
                collected.error = Some(error);
                break;
            }
        }
    }
    for _ in 0..2 {
        assert!(
            body.frame().await.is_none(),
            "the body went on after its end"
        );
    }
    collected
}

/// All header fields, sorted, as `name: value`.
pub fn fields(headers: &HeaderMap) -> Vec<String> {
    let mut fields: Vec<String> = headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))
        .collect();
    fields.sort();
    fields
}
