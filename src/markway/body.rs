//! The body of an answer: the inner service's own, a text of ours, or a page with its preamble.

use super::Site;
use super::opening::Opening;
use crate::BoxError;
use bytes::{Buf, Bytes, BytesMut};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// What a body yields.
type Item = Result<Frame<Bytes>, BoxError>;

pin_project! {
    /// The response body of [`MarkWay`](super::MarkWay).
    ///
    /// Where the answer is the inner service's own, all of its frames pass as they are.
    pub struct MarkWayBody<B> {
        #[pin]
        kind: Kind<B>,
    }
}

pin_project! {
    #[project = KindProjection]
    enum Kind<B> {
        Passthrough { #[pin] body: B },
        Buffered { body: Buffered<B> },
    }
}

impl<B> MarkWayBody<B> {
    /// The inner body as it is.
    pub(super) fn passthrough(body: B) -> Self {
        Self {
            kind: Kind::Passthrough { body },
        }
    }

    /// A text of our own.
    pub(super) fn text(text: impl Into<Bytes>) -> Self {
        let mut body = Buffered {
            inner: None,
            held: None,
            queue: VecDeque::new(),
        };
        body.push_front(text.into());
        body.into()
    }
}

impl<B> From<Buffered<B>> for MarkWayBody<B> {
    fn from(body: Buffered<B>) -> Self {
        Self {
            kind: Kind::Buffered { body },
        }
    }
}

/// An inner body of which something is kept back before it goes out.
pub(super) struct Buffered<B> {
    /// `None` after its end or its error: it is never polled again.
    inner: Option<Pin<Box<B>>>,
    /// `Some` while the beginning of a page is held until its opening is decided.
    held: Option<Box<Held>>,
    /// What goes out before anything else of the inner body.
    queue: VecDeque<Item>,
}

/// The beginning of a page in Markdown.
#[derive(Debug)]
struct Held {
    site: Site,
    /// The title of a page that has none.
    name: String,
    bytes: BytesMut,
}

impl<B> Buffered<B> {
    /// The inner body, of which nothing is taken yet.
    pub(super) fn new(inner: B) -> Self {
        Self {
            inner: Some(Box::pin(inner)),
            held: None,
            queue: VecDeque::new(),
        }
    }

    /// A page in Markdown, which gets the preamble of the site, and `name` as its title if it has
    /// none.
    pub(super) fn page(inner: B, site: Site, name: String) -> Self {
        Self {
            held: Some(Box::new(Held {
                site,
                name,
                bytes: BytesMut::new(),
            })),
            ..Self::new(inner)
        }
    }

    fn push_front(&mut self, data: Bytes) {
        if !data.is_empty() {
            self.queue.push_front(Ok(Frame::data(data)));
        }
    }
}

impl<B> Buffered<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    /// The next frame of the inner body.
    fn poll_inner(&mut self, cx: &mut Context<'_>) -> Poll<Option<Item>> {
        let Some(inner) = &mut self.inner else {
            return Poll::Ready(None);
        };
        let into_bytes = |mut data: B::Data| data.copy_to_bytes(data.remaining());
        let item = ready!(inner.as_mut().poll_frame(cx)).map(|frame| {
            frame
                .map(|frame| frame.map_data(into_bytes))
                .map_err(Into::into)
        });
        // Nothing of worth comes after an error, and nothing at all after the trailers.
        if item
            .as_ref()
            .is_none_or(|item| item.as_ref().map_or(true, Frame::is_trailers))
        {
            self.inner = None;
        }
        Poll::Ready(item)
    }

    /// Takes all of the inner body, at most `limit` bytes of it. What was taken still goes out, in
    /// its own frames. `None` if there is more, or if it does not end well.
    pub(super) fn poll_whole(&mut self, cx: &mut Context<'_>, limit: usize) -> Poll<Option<Bytes>> {
        let length = |item: &Item| {
            item.as_ref()
                .ok()
                .and_then(Frame::data_ref)
                .map_or(0, Bytes::len)
        };
        let mut size: usize = self.queue.iter().map(length).sum();
        loop {
            if size > limit {
                return Poll::Ready(None);
            }
            match ready!(self.poll_inner(cx)) {
                Some(item) => {
                    let failed = item.is_err();
                    size += length(&item);
                    self.queue.push_back(item);
                    if failed {
                        return Poll::Ready(None);
                    }
                }
                None => {
                    let mut whole = BytesMut::with_capacity(size);
                    for item in &self.queue {
                        whole.extend_from_slice(
                            item.as_ref()
                                .ok()
                                .and_then(Frame::data_ref)
                                .map_or(&[][..], |data| data),
                        );
                    }
                    return Poll::Ready(Some(whole.freeze()));
                }
            }
        }
    }

    /// Whether trailers come after what was taken.
    pub(super) fn has_trailers(&self) -> bool {
        self.queue
            .iter()
            .any(|item| item.as_ref().is_ok_and(Frame::is_trailers))
    }

    /// Puts `data` in the place of all data that was taken. Trailers stay.
    pub(super) fn replace_data(&mut self, data: Bytes) {
        self.queue
            .retain(|item| item.as_ref().map_or(true, Frame::is_trailers));
        self.push_front(data);
    }

    /// Drives a page until its opening is decided, and gives the number of bytes that it has more,
    /// or less, than the inner body.
    pub(super) fn poll_opening(&mut self, cx: &mut Context<'_>) -> Poll<i64> {
        loop {
            if self.held.is_none() {
                return Poll::Ready(0);
            }
            let item = ready!(self.poll_inner(cx));
            if let Some(difference) = self.hold(item) {
                return Poll::Ready(difference);
            }
        }
    }

    /// Keeps what comes back, and lets it go if the opening of the page can be decided now.
    fn hold(&mut self, item: Option<Item>) -> Option<i64> {
        let held = self.held.as_mut()?;
        let ended = self.inner.is_none();
        let mut decidable = ended;
        match item.map(|item| item.map(Frame::into_data)) {
            Some(Ok(Ok(data))) => {
                // A decision needs a whole line, or all that will be looked at.
                decidable |=
                    data.contains(&b'\n') || held.bytes.len() + data.len() >= Opening::LIMIT;
                held.bytes.extend_from_slice(&data);
            }
            Some(Ok(Err(frame))) => self.queue.push_back(Ok(frame)),
            Some(Err(error)) => self.queue.push_back(Err(error)),
            None => {}
        }
        if !decidable {
            return None;
        }
        let opening = held.opening(ended)?;
        let mut page = held.bytes.split();
        page.advance(opening.skip);
        self.held = None;
        let difference =
            i64::try_from(opening.prefix.len()).ok()? - i64::try_from(opening.skip).ok()?;
        self.push_front(page.freeze());
        self.push_front(opening.prefix.into());
        Some(difference)
    }

    fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Option<Item>> {
        ready!(self.poll_opening(cx));
        match self.queue.pop_front() {
            Some(item) => Poll::Ready(Some(item)),
            None => self.poll_inner(cx),
        }
    }
}

impl Held {
    fn opening(&self, ended: bool) -> Option<Opening> {
        let known = &self.bytes[..self.bytes.len().min(Opening::LIMIT)];
        let full = known.len() == Opening::LIMIT;
        let (head, broken) = match std::str::from_utf8(known) {
            Ok(head) => (head, false),
            // A character that is cut is left out. Other bytes are no text, and what stands before
            // them is all there is to go by.
            Err(error) => (
                std::str::from_utf8(&known[..error.valid_up_to()]).unwrap_or_default(),
                error.error_len().is_some(),
            ),
        };
        Opening::of(head, ended || full || broken, &self.site, &self.name)
    }
}

impl<B> Body for MarkWayBody<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Item>> {
        match self.project().kind.project() {
            KindProjection::Passthrough { body } => {
                let into_bytes = |mut data: B::Data| data.copy_to_bytes(data.remaining());
                body.poll_frame(cx).map(|frame| {
                    frame.map(|frame| {
                        frame
                            .map(|frame| frame.map_data(into_bytes))
                            .map_err(Into::into)
                    })
                })
            }
            KindProjection::Buffered { body } => body.poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            Kind::Passthrough { body } => body.is_end_stream(),
            Kind::Buffered { body } => {
                body.held.is_none()
                    && body.queue.is_empty()
                    && body
                        .inner
                        .as_ref()
                        .is_none_or(|inner| inner.is_end_stream())
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        let body = match &self.kind {
            Kind::Passthrough { body } => return body.size_hint(),
            Kind::Buffered { body } => body,
        };
        if body.held.is_some() {
            return SizeHint::default();
        }
        let queued: u64 = body
            .queue
            .iter()
            .filter_map(|item| Some(item.as_ref().ok()?.data_ref()?.len() as u64))
            .sum();
        let inner = body
            .inner
            .as_ref()
            .map_or(SizeHint::with_exact(0), |inner| inner.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower().saturating_add(queued));
        if let Some(upper) = inner.upper().and_then(|upper| upper.checked_add(queued)) {
            hint.set_upper(upper);
        }
        hint
    }
}

// By hand: the inner body need not be `Debug`.
impl<B> fmt::Debug for Buffered<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffered")
            .field("held", &self.held)
            .field("queue", &self.queue)
            .finish_non_exhaustive()
    }
}

impl<B> fmt::Debug for MarkWayBody<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Passthrough { .. } => f.debug_struct("Passthrough").finish_non_exhaustive(),
            Kind::Buffered { body } => body.fmt(f),
        }
    }
}
