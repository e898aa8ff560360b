//! The original response body, after an attempt to convert it: what was read, and what is still to come.

use super::source::Source;
use crate::BoxError;
use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame, SizeHint};
use std::collections::VecDeque;
use std::task::{Context, Poll, ready};

/// The chunks that were read so far.
#[derive(Debug, Default)]
pub(super) struct Kept {
    chunks: VecDeque<Bytes>,
    /// Small chunks in one piece: each alone would take more for its bookkeeping than for its bytes.
    tail: BytesMut,
}

/// A chunk below this is copied, another is kept as it is.
const SMALL: usize = 4 << 10;

impl Kept {
    pub(super) fn push(&mut self, chunk: &Bytes) {
        if chunk.len() < SMALL {
            self.tail.extend_from_slice(chunk);
        } else {
            self.close_tail();
            self.chunks.push_back(chunk.clone());
        }
    }

    fn close_tail(&mut self) {
        if !self.tail.is_empty() {
            self.chunks.push_back(self.tail.split().freeze());
        }
    }

    fn len(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.len() as u64).sum()
    }
}

/// The original body from its first byte on.
pub(super) struct Original<B> {
    kept: Kept,
    /// The error that the inner body ended with, if it did.
    error: Option<BoxError>,
    rest: Source<B>,
}

impl<B> Original<B> {
    pub(super) fn new(mut kept: Kept, rest: Source<B>, error: Option<BoxError>) -> Self {
        kept.close_tail();
        Self { kept, error, rest }
    }

    pub(super) fn is_end_stream(&self) -> bool {
        self.kept.chunks.is_empty()
            && self.error.is_none()
            && self.rest.has_ended()
            && !self.rest.has_trailers()
    }
}

impl<B> Original<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    pub(super) fn poll_frame(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Some(chunk) = self.kept.chunks.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(chunk))));
        }
        if let Some(error) = self.error.take() {
            return Poll::Ready(Some(Err(error)));
        }
        if let Some(chunk) = ready!(self.rest.poll_chunk(cx)) {
            return Poll::Ready(Some(chunk.map(Frame::data)));
        }
        Poll::Ready(
            self.rest
                .take_trailers()
                .map(|trailers| Ok(Frame::trailers(trailers))),
        )
    }

    pub(super) fn size_hint(&self) -> SizeHint {
        let (kept, rest) = (self.kept.len(), self.rest.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(kept.saturating_add(rest.lower()));
        // An exact hint becomes a Content-Length; with trailers or an error to come it would be wrong.
        if let Some(upper) = rest
            .upper()
            .filter(|_| !self.rest.has_trailers() && self.error.is_none())
        {
            hint.set_upper(kept.saturating_add(upper));
        }
        hint
    }
}
