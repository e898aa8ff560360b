//! The inner body, read chunk by chunk.

use crate::BoxError;
use bytes::{Buf, Bytes};
use http::HeaderMap;
use http_body::{Body, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// An inner body that is never polled again after its end.
///
/// It is boxed because it moves from the response future to the response body after it was polled.
pub(super) struct Source<B> {
    /// `None` once the end or an error was seen.
    inner: Option<Pin<Box<B>>>,
    /// The trailers, from when they were seen until they are taken.
    trailers: Option<HeaderMap>,
}

impl<B> Source<B> {
    pub(super) fn new(body: B) -> Self {
        Self {
            inner: Some(Box::pin(body)),
            trailers: None,
        }
    }

    pub(super) fn has_trailers(&self) -> bool {
        self.trailers.is_some()
    }

    pub(super) fn take_trailers(&mut self) -> Option<HeaderMap> {
        self.trailers.take()
    }

    pub(super) fn has_ended(&self) -> bool {
        self.inner.is_none()
    }
}

impl<B> Source<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    /// The next data, which may be empty; `None` at the end, with the trailers ready to be taken.
    pub(super) fn poll_chunk(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, BoxError>>> {
        loop {
            let Some(inner) = &mut self.inner else {
                return Poll::Ready(None);
            };
            match ready!(inner.as_mut().poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(mut data) => {
                        // A body that says so has ended, and need not be polled to find out: its
                        // next poll may well be pending.
                        if inner.is_end_stream() {
                            self.inner = None;
                        }
                        let len = data.remaining();
                        return Poll::Ready(Some(Ok(data.copy_to_bytes(len))));
                    }
                    Err(frame) => {
                        // RFC 9110 §6.5: nothing follows the trailers. Other kinds of frames are
                        // unknown, and are no data.
                        if let Ok(trailers) = frame.into_trailers() {
                            self.trailers = Some(trailers);
                            self.inner = None;
                        }
                    }
                },
                Some(Err(error)) => {
                    self.inner = None;
                    return Poll::Ready(Some(Err(error.into())));
                }
                None => self.inner = None,
            }
        }
    }

    pub(super) fn size_hint(&self) -> SizeHint {
        self.inner
            .as_ref()
            .map_or(SizeHint::with_exact(0), |inner| inner.size_hint())
    }
}
