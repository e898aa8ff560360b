//! The body of a request, and how it tells that it has been sent.

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use pin_project_lite::pin_project;
use std::{
    pin::Pin,
    task::{Context, Poll},
};
use tokio::sync::oneshot;

pin_project! {
    /// What the client sends, or nothing: a layer may ask for more than the client did.
    #[derive(Default)]
    pub(crate) struct RequestBody {
        #[pin]
        incoming: Option<Incoming>,
    }
}

impl From<Incoming> for RequestBody {
    fn from(incoming: Incoming) -> Self {
        Self {
            incoming: Some(incoming),
        }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match self.project().incoming.as_pin_mut() {
            Some(incoming) => incoming.poll_frame(cx),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        match &self.incoming {
            Some(incoming) => incoming.size_hint(),
            None => SizeHint::with_exact(0),
        }
    }
}

pin_project! {
    /// The client drops the body when the last of it is on its way: that is the signal.
    pub(crate) struct Upload<B> {
        #[pin]
        body: B,
        sent: oneshot::Sender<()>,
    }
}

impl<B> Upload<B> {
    /// The body, and what becomes ready, with an error, when the body is gone.
    pub(crate) fn new(body: B) -> (Self, oneshot::Receiver<()>) {
        let (sent, gone) = oneshot::channel();
        (Self { body, sent }, gone)
    }
}

impl<B: Body> Body for Upload<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        self.project().body.poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
