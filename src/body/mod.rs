//! The response body: passed through, or Markdown.

#[cfg(feature = "decompression")]
mod decode;
#[cfg(not(feature = "decompression"))]
#[path = "no_decode.rs"]
mod decode;
mod exclusive;
mod original;
mod page;
mod pipeline;
mod source;
mod stream;

#[cfg(feature = "decompression")]
pub use self::decode::{DecodeError, DecodeErrorKind};
pub(crate) use self::page::{Page, Stop};
pub(crate) use self::pipeline::Failure;

use self::original::Original;
use self::stream::MarkdownStream;
use crate::BoxError;
use crate::observe::Observer;
use bytes::{Buf, Bytes};
use http::StatusCode;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

pin_project! {
    /// The body of a response of [`MarkdownForAgents`](crate::MarkdownForAgents).
    ///
    /// A body that passes through is the inner one: the same frames, trailers, size hint and end. A
    /// body of Markdown yields frames of 16 to 32 KiB, or less when the inner body pauses, each of whole characters, and the trailers
    /// of the inner body after them. After its end and after an error it yields nothing more, and
    /// never polls the inner body again.
    ///
    /// # Errors
    ///
    /// An error of the inner body as it is; a [`ConvertError`](crate::convert::ConvertError) or a
    /// `DecodeError` where the page turned out bad after the head had left.
    pub struct MarkdownBody<B> {
        #[pin]
        inner: Inner<B>,
    }
}

pin_project! {
    #[project = InnerProj]
    enum Inner<B> {
        // `ended` once the end or an error was given out.
        Passthrough { #[pin] body: B, ended: bool },
        Original { body: Box<Original<B>> },
        Markdown { body: Box<MarkdownStream<B>> },
        // The answer to a HEAD. The length of the HTML would become a Content-Length.
        Nothing,
    }
}

impl<B> MarkdownBody<B> {
    pub(crate) fn passthrough(body: B) -> Self {
        Self {
            inner: Inner::Passthrough { body, ended: false },
        }
    }

    /// The original after all, from its first byte on, and then the error that made an end of it.
    pub(crate) fn original(page: Box<Page<B>>, error: Option<BoxError>) -> Self {
        Self {
            inner: Inner::Original {
                body: Box::new(page.into_original(error)),
            },
        }
    }

    pub(crate) fn nothing() -> Self {
        Self {
            inner: Inner::Nothing,
        }
    }

    /// Markdown that is still being made.
    pub(crate) fn streaming(page: Box<Page<B>>, status: StatusCode, observer: Observer) -> Self {
        Self {
            inner: Inner::Markdown {
                body: Box::new(MarkdownStream::new(page, status, observer)),
            },
        }
    }
}

impl<B> MarkdownBody<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    /// Markdown that is complete.
    pub(crate) fn complete(page: Box<Page<B>>, status: StatusCode, observer: Observer) -> Self {
        let stream = MarkdownStream::new(page, status, observer).complete();
        Self {
            inner: Inner::Markdown {
                body: Box::new(stream),
            },
        }
    }
}

impl<B> Body for MarkdownBody<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        match self.project().inner.project() {
            InnerProj::Passthrough { ended: true, .. } | InnerProj::Nothing => Poll::Ready(None),
            InnerProj::Passthrough { body, ended } => {
                let frame = ready!(body.poll_frame(cx));
                *ended = !matches!(frame, Some(Ok(_)));
                Poll::Ready(frame.map(|frame| match frame {
                    Ok(frame) => {
                        Ok(frame.map_data(|mut data| data.copy_to_bytes(data.remaining())))
                    }
                    Err(error) => Err(error.into()),
                }))
            }
            InnerProj::Original { body } => body.poll_frame(cx),
            InnerProj::Markdown { body } => body.poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.inner {
            Inner::Passthrough { body, .. } => body.is_end_stream(),
            Inner::Original { body } => body.is_end_stream(),
            Inner::Markdown { body } => body.is_end_stream(),
            Inner::Nothing => true,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.inner {
            Inner::Passthrough { body, .. } => body.size_hint(),
            Inner::Original { body } => body.size_hint(),
            Inner::Markdown { body } => body.size_hint(),
            Inner::Nothing => SizeHint::with_exact(0),
        }
    }
}

impl<B> fmt::Debug for MarkdownBody<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.inner {
            Inner::Passthrough { .. } => "MarkdownBody(Passthrough)",
            Inner::Original { .. } => "MarkdownBody(Original)",
            Inner::Markdown { .. } => "MarkdownBody(Markdown)",
            Inner::Nothing => "MarkdownBody(Nothing)",
        })
    }
}
