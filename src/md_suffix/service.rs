//! The service: asks for the address as it came, and has the page ready to ask for.

use super::future::{Attempt, ResponseFuture};
use super::links::{Links, with_path};
use super::mapping::{self, Mapping};
use crate::extensions::{ForceMarkdown, NoMarkdown};
use crate::request;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{Request, Response, Uri};
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service;

/// Gives every page an address of its own for its Markdown.
///
/// See the [module docs](super) for what it does and for an example.
pub struct MdSuffix<S, M> {
    inner: S,
    mapping: Arc<M>,
}

impl<S, M> MdSuffix<S, M> {
    pub(super) fn new(inner: S, mapping: Arc<M>) -> Self {
        Self { inner, mapping }
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

impl<S, M, ReqBody, ResBody> Service<Request<ReqBody>> for MdSuffix<S, M>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Clone,
    M: Mapping,
    ReqBody: Default,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = ResponseFuture<S, M, ReqBody, ResBody>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<ReqBody>) -> Self::Future {
        let concerned = request::is_safe(request.method())
            && !request::is_upgrade(&request)
            && request.extensions().get::<NoMarkdown>().is_none();
        if !concerned {
            return ResponseFuture::untouched(self.inner.call(request));
        }
        let links = Links::new(request.uri().clone(), Arc::clone(&self.mapping));
        match page(request.uri(), &*self.mapping) {
            Some(page) => {
                let second = second_request(&request, page);
                let first = self.inner.call(request);
                // The clone is made ready before it is called: readiness is not inherited.
                ResponseFuture::new(first, Some(Attempt::new(self.inner.clone(), second)), links)
            }
            None => ResponseFuture::new(self.inner.call(request), None, links),
        }
    }
}

/// The URI of the page that a `.md` address stands for.
fn page(address: &Uri, mapping: &impl Mapping) -> Option<Uri> {
    let page = mapping
        .page(address.path())
        .filter(|page| mapping::is_plain(page))?;
    with_path(address, &page)
}

/// The same request for a page, without a body.
fn second_request<ReqBody: Default>(request: &Request<ReqBody>, page: Uri) -> Request<ReqBody> {
    let mut second = Request::new(ReqBody::default());
    *second.method_mut() = request.method().clone();
    *second.uri_mut() = page;
    *second.version_mut() = request.version();
    *second.headers_mut() = request.headers().clone();
    second.headers_mut().remove(CONTENT_LENGTH);
    second.headers_mut().remove(TRANSFER_ENCODING);
    *second.extensions_mut() = request.extensions().clone();
    second.extensions_mut().insert(ForceMarkdown);
    second
}

// By hand: the mapping need be neither `Clone` nor `Debug`.
impl<S: Clone, M> Clone for MdSuffix<S, M> {
    fn clone(&self) -> Self {
        Self::new(self.inner.clone(), Arc::clone(&self.mapping))
    }
}

impl<S: fmt::Debug, M> fmt::Debug for MdSuffix<S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MdSuffix")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}
