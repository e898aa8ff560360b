//! [`ResponseFuture`]: the file, or what the inner service says.

use super::body::AgentsMdBody;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, LINK};
use http::{HeaderValue, Response, StatusCode};
use http_body::Body;
use pin_project_lite::pin_project;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

pin_project! {
    /// The response future of [`AgentsMdService`](super::AgentsMdService).
    #[derive(Debug)]
    pub struct ResponseFuture<F> {
        #[pin]
        state: State<F>,
    }
}

pin_project! {
    #[derive(Debug)]
    #[project = StateProj]
    enum State<F> {
        // `None` when it has been given.
        Answer { answer: Option<Response<Bytes>> },
        Inner {
            #[pin]
            future: F,
            // What is served if the inner service has no such file.
            fallback: Option<Response<Bytes>>,
            link: Option<HeaderValue>,
        },
    }
}

impl<F> ResponseFuture<F> {
    pub(super) const fn answer(answer: Response<Bytes>) -> Self {
        Self {
            state: State::Answer {
                answer: Some(answer),
            },
        }
    }

    pub(super) const fn inner(
        future: F,
        fallback: Option<Response<Bytes>>,
        link: Option<HeaderValue>,
    ) -> Self {
        Self {
            state: State::Inner {
                future,
                fallback,
                link,
            },
        }
    }
}

impl<F, B, E> Future for ResponseFuture<F>
where
    F: Future<Output = Result<Response<B>, E>>,
    B: Body,
{
    type Output = Result<Response<AgentsMdBody<B>>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project().state.project() {
            StateProj::Answer { answer } => match answer.take() {
                Some(answer) => Poll::Ready(Ok(answer.map(AgentsMdBody::document))),
                // As for any future, the result is taken once.
                None => Poll::Pending,
            },
            StateProj::Inner {
                future,
                fallback,
                link,
            } => {
                let mut response = ready!(future.poll(cx))?;
                let no_file =
                    |fallback: &Response<Bytes>| has_no_file(&response, fallback.status());
                if let Some(fallback) = fallback.take().filter(no_file) {
                    return Poll::Ready(Ok(fallback.map(AgentsMdBody::document)));
                }
                // An interim or upgrade response describes a connection and no resource.
                if let Some(link) = link
                    .take()
                    .filter(|_| !response.status().is_informational())
                {
                    response.headers_mut().append(LINK, link);
                }
                Poll::Ready(Ok(response.map(AgentsMdBody::inner)))
            }
        }
    }
}

/// See [`AgentsMdLayer::inner_wins`](super::AgentsMdLayer::inner_wins). A page in answer to a POST is the result of
/// what was done, and no sign of a missing file.
fn has_no_file<B>(response: &Response<B>, fallback: StatusCode) -> bool {
    let status = response.status();
    let is_page = || {
        let content_type = response
            .headers()
            .get(CONTENT_TYPE)
            .map(HeaderValue::as_bytes);
        let essence = content_type.and_then(|value| value.split(|b| *b == b';').next());
        essence.is_some_and(|essence| essence.trim_ascii().eq_ignore_ascii_case(b"text/html"))
    };
    matches!(
        status,
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED
    ) || (status.is_success() && fallback != StatusCode::METHOD_NOT_ALLOWED && is_page())
}
