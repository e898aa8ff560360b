//! The service: reads and shapes the request, and calls the inner service.

use crate::BoxError;
use crate::body::MarkdownBody;
use crate::exchange::Exchange;
use crate::future::ResponseFuture;
use crate::layer::MarkdownForAgentsLayer;
use crate::predicate::{DefaultPredicate, Predicate};
use crate::settings::Settings;
use http::{Request, Response};
use http_body::Body;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_layer::Layer;
use tower_service::Service;

/// Answers `Accept: text/markdown` with Markdown made from the inner service's own HTML.
///
/// See the [crate docs](crate) for what it does and for examples.
pub struct MarkdownForAgents<S, P = DefaultPredicate> {
    inner: S,
    settings: Arc<Settings>,
    predicate: Arc<P>,
}

impl<S> MarkdownForAgents<S> {
    /// Wraps a service with the default of every option.
    #[must_use]
    pub fn new(inner: S) -> Self {
        Self::layer().layer(inner)
    }

    /// The builder, for other options.
    #[must_use]
    pub fn layer() -> MarkdownForAgentsLayer {
        MarkdownForAgentsLayer::new()
    }
}

impl<S, P> MarkdownForAgents<S, P> {
    pub(crate) fn with(inner: S, settings: Arc<Settings>, predicate: Arc<P>) -> Self {
        Self {
            inner,
            settings,
            predicate,
        }
    }

    /// The inner service.
    pub fn get_ref(&self) -> &S {
        &self.inner
    }

    /// The inner service.
    pub fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// The inner service.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S, P, ReqBody, ResBody> Service<Request<ReqBody>> for MarkdownForAgents<S, P>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    P: Predicate,
    ResBody: Body,
    ResBody::Error: Into<BoxError>,
{
    type Response = Response<MarkdownBody<ResBody>>;
    type Error = S::Error;
    type Future = ResponseFuture<S::Future, ResBody, P>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<ReqBody>) -> Self::Future {
        let exchange = Exchange::begin(&mut request, &self.settings);
        ResponseFuture::new(
            self.inner.call(request),
            exchange,
            Arc::clone(&self.predicate),
        )
    }
}

// By hand: the predicate need be neither `Clone` nor `Debug`.
impl<S: Clone, P> Clone for MarkdownForAgents<S, P> {
    fn clone(&self) -> Self {
        Self::with(
            self.inner.clone(),
            Arc::clone(&self.settings),
            Arc::clone(&self.predicate),
        )
    }
}

impl<S: fmt::Debug, P> fmt::Debug for MarkdownForAgents<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MarkdownForAgents")
            .field("inner", &self.inner)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
