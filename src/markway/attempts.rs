//! The paths that an `.md` address may mean, tried one after another.

use super::Site;
use crate::NoMarkdown;
use http::header::LOCATION;
use http::uri::{PathAndQuery, Uri};
use http::{Request, Response, StatusCode};
use std::fmt;
use std::task::{Context, Poll, ready};
use std::vec;
use tower_service::Service;

/// What is left to try, and the best that came so far.
pub(super) struct Attempts<S, B> {
    service: S,
    request: Request<()>,
    /// The path of the request now under way.
    path: String,
    rest: vec::IntoIter<String>,
    best: Option<(Worth, Response<B>)>,
}

/// How much an answer is worth that is no success. The better one is kept, of equals the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    /// Nothing is there, or the answer leads back to where we are.
    Nothing,
    /// Something is there, but it is refused.
    Refusal,
    /// The answer leads on.
    Redirect,
}

/// What comes of an answer.
pub(super) enum Verdict<B> {
    /// This is the answer to the whole request.
    Answer(Response<B>),
    /// There is another path to try.
    Next,
}

impl<S, B> Attempts<S, B> {
    pub(super) fn new<ReqBody>(
        service: S,
        request: &Request<ReqBody>,
        others: Vec<String>,
    ) -> Self {
        let mut copy = Request::new(());
        *copy.method_mut() = request.method().clone();
        *copy.uri_mut() = request.uri().clone();
        *copy.version_mut() = request.version();
        *copy.headers_mut() = request.headers().clone();
        *copy.extensions_mut() = request.extensions().clone();
        Self {
            service,
            path: request.uri().path().to_owned(),
            request: copy,
            rest: others.into_iter(),
            best: None,
        }
    }

    /// Takes an answer.
    pub(super) fn judge(&mut self, mut response: Response<B>, site: &Site) -> Verdict<B> {
        let final_status =
            response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
        // A response that nobody is to touch is one that somebody means.
        if final_status || response.extensions().get::<NoMarkdown>().is_some() {
            return Verdict::Answer(response);
        }
        let worth = if response.status().is_redirection() {
            self.lead_to_markdown(&mut response, site)
        } else if matches!(
            response.status(),
            StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::METHOD_NOT_ALLOWED
        ) {
            Worth::Nothing
        } else {
            Worth::Refusal
        };
        let best = match self.best.take() {
            Some(best) if best.0 >= worth => best,
            _ => (worth, response),
        };
        if self.rest.len() == 0 {
            return Verdict::Answer(best.1);
        }
        self.best = Some(best);
        Verdict::Next
    }

    /// Makes the target of a redirect an address of the site, if it is on the site.
    fn lead_to_markdown(&self, response: &mut Response<B>, site: &Site) -> Worth {
        let base = site.base_url();
        let target = response
            .headers()
            .get(LOCATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|location| {
                let page = base
                    .directory()
                    .join(self.path.trim_start_matches('/'))
                    .ok()?;
                page.join(location).ok()
            });
        let Some(target) = target else {
            return Worth::Nothing;
        };
        let Some(address) = site.address_of(&target) else {
            return Worth::Redirect;
        };
        if address == self.request.uri().path() {
            return Worth::Nothing;
        }
        if let Ok(location) = format!("{base}{address}").parse() {
            response.headers_mut().insert(LOCATION, location);
        }
        Worth::Redirect
    }

    /// Calls the inner service with the next path as soon as it is ready.
    pub(super) fn poll_next<ReqBody>(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<S::Future, S::Error>>
    where
        S: Service<Request<ReqBody>>,
        ReqBody: Default,
    {
        ready!(self.service.poll_ready(cx)?);
        if let Some(path) = self.rest.next() {
            self.path = path;
        }
        let mut request = self.request.clone().map(|()| ReqBody::default());
        *request.uri_mut() = with_path(self.request.uri(), &self.path);
        Poll::Ready(Ok(self.service.call(request)))
    }
}

/// `uri` with another path. It is one that was made from a valid path, and is valid itself.
fn with_path(uri: &Uri, path: &str) -> Uri {
    let query = uri
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    if let Ok(path) = PathAndQuery::try_from(format!("{path}{query}")) {
        parts.path_and_query = Some(path);
    }
    Uri::from_parts(parts).unwrap_or_else(|_| uri.clone())
}

// By hand: the service and the body need not be `Debug`.
impl<S, B> fmt::Debug for Attempts<S, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempts")
            .field("path", &self.path)
            .field("rest", &self.rest)
            .finish_non_exhaustive()
    }
}
