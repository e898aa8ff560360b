//! The Markdown of a page as frames, after the head has left.

use super::page::{Page, Stop};
use crate::BoxError;
use crate::head;
use crate::observe::{Completion, Observer};
use bytes::Bytes;
use http::StatusCode;
use http_body::{Body, Frame, SizeHint};
use std::task::{Context, Poll};

/// The least that makes a frame while the inner body has more at once, in bytes.
const FRAME: usize = 16 << 10;

/// The largest frame, in bytes. One piece of input can make more Markdown than a frame should have.
const LARGEST_FRAME: usize = 2 * FRAME;

pub(super) struct MarkdownStream<B> {
    page: Box<Page<B>>,
    state: State,
    /// Markdown that was taken from the page and has not left yet.
    out: Bytes,
    status: StatusCode,
    bytes_out: u64,
    observer: Observer,
}

enum State {
    Converting,
    /// All Markdown was taken from the page.
    Ended,
    /// The conversion failed, but there is Markdown from before to deliver first.
    Failed(BoxError),
    /// The end or an error was given out.
    Done,
}

impl<B> MarkdownStream<B> {
    pub(super) fn new(mut page: Box<Page<B>>, status: StatusCode, observer: Observer) -> Self {
        page.commit();
        Self {
            page,
            state: State::Converting,
            out: Bytes::new(),
            status,
            bytes_out: 0,
            observer,
        }
    }

    pub(super) fn is_end_stream(&self) -> bool {
        match self.state {
            State::Ended => self.out.is_empty() && !self.page.has_trailers(),
            State::Done => true,
            State::Converting | State::Failed(_) => false,
        }
    }

    pub(super) fn size_hint(&self) -> SizeHint {
        let mut hint = SizeHint::new();
        let ready = self.out.len() as u64;
        match self.state {
            // An exact hint becomes a Content-Length, and HTTP/1.1 has no trailers beside one.
            State::Ended | State::Done if !self.page.has_trailers() => hint.set_exact(ready),
            _ => hint.set_lower(ready),
        }
        hint
    }

    fn end(&mut self, completion: Completion) {
        self.state = State::Done;
        self.observer.converted(
            self.status,
            self.page.bytes_in(),
            self.bytes_out,
            completion,
        );
    }

    /// The next frame of what was taken, cut between two characters.
    fn cut(&mut self) -> Frame<Bytes> {
        let mut end = self.out.len().min(LARGEST_FRAME);
        while end < self.out.len() && is_continuation(self.out[end]) {
            end -= 1;
        }
        let frame = self.out.split_to(end);
        self.bytes_out += frame.len() as u64;
        Frame::data(frame)
    }
}

impl<B> MarkdownStream<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    /// A page whose Markdown is complete knows its length before the first poll.
    pub(super) fn complete(mut self) -> Self {
        self.out = self.page.take();
        self.state = State::Ended;
        self
    }

    pub(super) fn poll_frame(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        loop {
            if !self.out.is_empty() {
                return Poll::Ready(Some(Ok(self.cut())));
            }
            match std::mem::replace(&mut self.state, State::Done) {
                State::Converting => match self.page.advance(cx, FRAME) {
                    Ok(stop) => {
                        self.state = if stop == Stop::Ended {
                            State::Ended
                        } else {
                            State::Converting
                        };
                        match stop {
                            Stop::Spent => {
                                cx.waker().wake_by_ref();
                                return Poll::Pending;
                            }
                            Stop::Pending => self.page.flush(),
                            Stop::Enough | Stop::Ended => {}
                        }
                        self.out = self.page.take();
                        if stop == Stop::Pending && self.out.is_empty() {
                            return Poll::Pending;
                        }
                    }
                    Err(failure) => {
                        self.out = self.page.take();
                        self.state = State::Failed(failure.error);
                    }
                },
                State::Ended => {
                    if let Some(mut trailers) = self.page.take_trailers() {
                        self.state = State::Ended;
                        head::strip_trailers(&mut trailers);
                        return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
                    }
                    self.end(Completion::Complete);
                }
                State::Failed(error) => {
                    self.end(Completion::Failed);
                    return Poll::Ready(Some(Err(error)));
                }
                State::Done => return Poll::Ready(None),
            }
        }
    }
}

impl<B> Drop for MarkdownStream<B> {
    fn drop(&mut self) {
        // A consumer may stop polling once `is_end_stream` says so.
        let completion = if self.is_end_stream() {
            Completion::Complete
        } else {
            Completion::Dropped
        };
        self.end(completion);
    }
}

/// Whether a byte is within a character of UTF-8, but not its first.
fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}
