//! [`AgentsMdService`]: whose request it is.

use super::body::AgentsMdBody;
use super::future::ResponseFuture;
use super::layer::{AgentsMdLayer, Precedence, ROOT_PATH, WELL_KNOWN_PATH};
use http::{Request, Response};
use http_body::Body;
use std::task::{Context, Poll};
use tower_service::Service;

/// Serves an agents.md in front of `S`. Made by [`AgentsMdLayer`].
#[derive(Debug, Clone)]
pub struct AgentsMdService<S> {
    inner: S,
    layer: AgentsMdLayer,
}

impl<S> AgentsMdService<S> {
    /// `inner` behind the file of `layer`.
    pub const fn new(inner: S, layer: AgentsMdLayer) -> Self {
        Self { inner, layer }
    }

    /// The inner service.
    pub const fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The inner service.
    pub const fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// The inner service.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S, ReqBody, ResBody> Service<Request<ReqBody>> for AgentsMdService<S>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ResBody: Body,
{
    type Response = Response<AgentsMdBody<ResBody>>;
    type Error = S::Error;
    type Future = ResponseFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<ReqBody>) -> Self::Future {
        let is_ours = matches!(request.uri().path(), WELL_KNOWN_PATH | ROOT_PATH);
        let answer = is_ours.then(|| self.layer.representations.answer(&request));
        match (answer, self.layer.precedence) {
            (Some(answer), Precedence::Layer) => ResponseFuture::answer(answer),
            // The answer is made now, so that the request can go in whole.
            (fallback, _) => {
                ResponseFuture::inner(self.inner.call(request), fallback, self.layer.link.clone())
            }
        }
    }
}
