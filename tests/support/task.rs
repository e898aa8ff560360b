//! A response as its task sees it, polled by hand.

use super::{agent, html};
use bytes::Bytes;
use http::Response;
use http_body::Body;
use markdown_for_agents::predicate::DefaultPredicate;
use markdown_for_agents::{BoxError, MarkdownBody, MarkdownForAgentsLayer, ResponseFuture};
use std::convert::Infallible;
use std::future::{self, Future, Ready};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use tower::{Layer, Service, service_fn};

type Inner<B> = Ready<Result<Response<B>, Infallible>>;

/// The Markdown of one page: first the future, then the body.
pub enum Task<B> {
    Future(Pin<Box<ResponseFuture<Inner<B>, B, DefaultPredicate>>>),
    Body(Pin<Box<MarkdownBody<B>>>),
    Ended,
}

impl<B> Task<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    /// An agent asks, and this page is the answer of the inner service.
    pub fn new(layer: &MarkdownForAgentsLayer, body: B) -> Self {
        let mut response = Some(html().body(body).unwrap());
        let mut service = layer.layer(service_fn(move |_: http::Request<()>| {
            future::ready(Ok::<_, Infallible>(
                response.take().expect("one request only"),
            ))
        }));
        Self::Future(Box::pin(service.call(agent("/").body(()).unwrap())))
    }

    /// Polls once: the future, and from then on the body. Gives the Markdown that comes, which is none
    /// for the head and the end.
    pub fn poll(&mut self) -> Poll<Bytes> {
        let mut cx = Context::from_waker(Waker::noop());
        match self {
            Self::Future(future) => {
                let response = ready!(future.as_mut().poll(&mut cx)).unwrap();
                let kind = &response.headers()["content-type"];
                assert_eq!(kind, "text/markdown; charset=utf-8");
                *self = Self::Body(Box::pin(response.into_body()));
            }
            Self::Body(body) => match ready!(body.as_mut().poll_frame(&mut cx)) {
                Some(frame) => return Poll::Ready(frame.unwrap().into_data().unwrap()),
                None => *self = Self::Ended,
            },
            Self::Ended => panic!("the response has ended"),
        }
        Poll::Ready(Bytes::new())
    }

    /// The Markdown of a poll that has some.
    #[track_caller]
    pub fn markdown(&mut self) -> String {
        let Poll::Ready(frame) = self.poll() else {
            panic!("the body is pending");
        };
        String::from_utf8(frame.to_vec()).unwrap()
    }

    pub fn has_ended(&self) -> bool {
        matches!(self, Self::Ended)
    }
}
