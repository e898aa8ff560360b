//! [`AgentsMdBody`]: the file, or the body of the inner service as it is.

use bytes::{Buf, Bytes};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

pin_project! {
    /// The response body of [`AgentsMdService`](super::AgentsMdService).
    ///
    /// An inner body passes frame by frame, with its trailers, errors, size hint and end; data that is not [`Bytes`]
    /// is copied into such.
    #[derive(Debug)]
    pub struct AgentsMdBody<B> {
        #[pin]
        kind: BodyKind<B>,
    }
}

pin_project! {
    #[derive(Debug)]
    #[project = BodyKindProj]
    enum BodyKind<B> {
        // Empty when it has been given.
        Document { rest: Bytes },
        Inner {
            #[pin]
            body: B,
        },
    }
}

impl<B> AgentsMdBody<B> {
    pub(super) const fn document(rest: Bytes) -> Self {
        Self {
            kind: BodyKind::Document { rest },
        }
    }

    pub(super) const fn inner(body: B) -> Self {
        Self {
            kind: BodyKind::Inner { body },
        }
    }
}

impl<B: Body> Body for AgentsMdBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        match self.project().kind.project() {
            BodyKindProj::Document { rest } if rest.is_empty() => Poll::Ready(None),
            BodyKindProj::Document { rest } => {
                Poll::Ready(Some(Ok(Frame::data(std::mem::take(rest)))))
            }
            BodyKindProj::Inner { body } => {
                let frame = ready!(body.poll_frame(cx));
                let to_bytes = |mut data: B::Data| data.copy_to_bytes(data.remaining());
                Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(to_bytes))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            BodyKind::Document { rest } => rest.is_empty(),
            BodyKind::Inner { body } => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
            BodyKind::Document { rest } => SizeHint::with_exact(rest.len() as u64),
            BodyKind::Inner { body } => body.size_hint(),
        }
    }
}
