//! The response future: the address itself, and the page behind it if there is no such address.

use super::links::{self, Links};
use super::mapping::Mapping;
use crate::eligibility::Representation;
use http::{Request, Response, StatusCode, Uri};
use pin_project_lite::pin_project;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tower_service::Service;

pin_project! {
    /// The future of a response of [`MdSuffix`](super::MdSuffix).
    pub struct ResponseFuture<S, M, ReqBody, ResBody>
    where
        S: Service<Request<ReqBody>>,
    {
        #[pin]
        state: State<S, S::Future, ReqBody, ResBody>,
        // `None` if the request does not concern the layer.
        links: Option<Links<M>>,
    }
}

pin_project! {
    #[project = StateProj]
    enum State<S, F, ReqBody, ResBody> {
        // The address as it came is being asked for.
        First { #[pin] future: F, attempt: Option<Attempt<S, ReqBody>> },
        // There is no such address; the service must be ready to be asked for the page. Both are
        // `Some` until it is.
        Between { attempt: Option<Attempt<S, ReqBody>>, missing: Option<Response<ResBody>> },
        // The page is being asked for. `Some` until it has answered.
        Second { #[pin] future: F, page: Uri, missing: Option<Response<ResBody>> },
    }
}

/// A service, and a request that it may yet get.
pub(super) struct Attempt<S, ReqBody> {
    service: S,
    request: Request<ReqBody>,
}

impl<S, ReqBody> Attempt<S, ReqBody> {
    pub(super) fn new(service: S, request: Request<ReqBody>) -> Self {
        Self { service, request }
    }
}

impl<S, M, ReqBody, ResBody> ResponseFuture<S, M, ReqBody, ResBody>
where
    S: Service<Request<ReqBody>>,
{
    pub(super) fn untouched(future: S::Future) -> Self {
        Self {
            state: State::First {
                future,
                attempt: None,
            },
            links: None,
        }
    }

    pub(super) fn new(
        future: S::Future,
        attempt: Option<Attempt<S, ReqBody>>,
        links: Links<M>,
    ) -> Self {
        Self {
            state: State::First { future, attempt },
            links: Some(links),
        }
    }
}

impl<S, M, ReqBody, ResBody> Future for ResponseFuture<S, M, ReqBody, ResBody>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    M: Mapping,
{
    type Output = Result<Response<ResBody>, S::Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            match this.state.as_mut().project() {
                StateProj::First { future, attempt } => {
                    let response = ready!(future.poll(cx))?;
                    let Some(links) = this.links else {
                        return Poll::Ready(Ok(response));
                    };
                    if response.status() == StatusCode::NOT_FOUND && attempt.is_some() {
                        let attempt = attempt.take();
                        this.state.set(State::Between {
                            attempt,
                            missing: Some(response),
                        });
                    } else {
                        return Poll::Ready(Ok(links.alternate(response)));
                    }
                }
                StateProj::Between { attempt, missing } => {
                    if let Some(attempt) = attempt {
                        ready!(attempt.service.poll_ready(cx))?;
                    }
                    let (
                        Some(Attempt {
                            mut service,
                            request,
                        }),
                        missing,
                    ) = (attempt.take(), missing.take())
                    else {
                        unreachable!("the state is left with the attempt")
                    };
                    let page = request.uri().clone();
                    let future = service.call(request);
                    this.state.set(State::Second {
                        future,
                        page,
                        missing,
                    });
                }
                StateProj::Second {
                    future,
                    page,
                    missing,
                } => {
                    let response = ready!(future.poll(cx))?;
                    return Poll::Ready(Ok(match missing.take() {
                        Some(missing) if is_no_page(&response) => missing,
                        _ => links::canonical(response, page),
                    }));
                }
            }
        }
    }
}

/// Whether there is nothing behind a `.md` address that could be read: no page, or something that is
/// no page, like an image.
fn is_no_page<B>(response: &Response<B>) -> bool {
    matches!(
        response.status(),
        StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::METHOD_NOT_ALLOWED
    ) || response.status().is_success()
        && Representation::of(response.headers()) == Representation::Other
}

impl<S, M, ReqBody, ResBody> fmt::Debug for ResponseFuture<S, M, ReqBody, ResBody>
where
    S: Service<Request<ReqBody>>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture").finish_non_exhaustive()
    }
}
