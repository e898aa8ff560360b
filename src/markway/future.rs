//! The response future: finds the page, and makes it an answer of the site.

use super::attempts::{Attempts, Verdict};
use super::body::{Buffered, MarkWayBody};
use super::json::json_to_markdown;
use super::layer::Config;
use crate::eligibility::{self, Representation};
use crate::settings::Settings;
use crate::{BoxError, Decision, NoMarkdown, fields, head};
use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE,
};
use http::header::{HeaderMap, HeaderName};
use http::{Method, Request, Response, StatusCode, response};
use http_body::Body;
use pin_project_lite::pin_project;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tower_service::Service;

const X_MARKDOWN_TOKENS: HeaderName = HeaderName::from_static("x-markdown-tokens");

/// What is done with a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    /// Nothing.
    Untouched,
    /// It only depends on `Accept`.
    Vary,
    /// Markdown gets the preamble.
    Page {
        /// An address with `.md` was asked for, so that a file without a better type is Markdown.
        addressed: bool,
    },
    /// JSON becomes Markdown.
    Result,
}

/// A request, as far as the treatment of its response depends on it.
#[derive(Debug)]
pub(super) struct Exchange {
    config: Arc<Config>,
    treatment: Treatment,
    method: Method,
    path: String,
}

impl Exchange {
    pub(super) fn new<B>(request: &Request<B>, treatment: Treatment, config: Arc<Config>) -> Self {
        Self {
            config,
            treatment,
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
        }
    }

    /// What a page without any title is called: the last part of its address, or else the host.
    fn name(&self) -> String {
        let path = self
            .path
            .strip_suffix("index.md")
            .unwrap_or(&self.path)
            .trim_end_matches('/');
        let last = path.rsplit('/').next().unwrap_or_default();
        let last = last.strip_suffix(".md").unwrap_or(last);
        let name = percent_encoding::percent_decode_str(last).decode_utf8_lossy();
        if name.trim().is_empty() {
            self.config
                .site
                .base_url()
                .directory()
                .host_str()
                .unwrap_or_default()
                .to_owned()
        } else {
            name.into_owned()
        }
    }
}

pin_project! {
    /// The response future of [`MarkWay`](super::MarkWay).
    pub struct MarkWayFuture<S, ReqBody, ResBody>
    where
        S: Service<Request<ReqBody>>,
    {
        #[pin]
        state: State<S::Future, ResBody>,
        // `Some` as long as there may be another path to try.
        attempts: Option<Attempts<S, ResBody>>,
        exchange: Exchange,
    }
}

pin_project! {
    #[project = StateProjection]
    enum State<F, B> {
        // The answer is known without the inner service. `Some` until it leaves.
        Ready { response: Option<Response<MarkWayBody<B>>> },
        // The inner service has not answered yet.
        Calling { #[pin] future: F },
        // Another path of the inner service is to be tried.
        Trying,
        // A page whose length is known, so that it will be known again. `Some` until it leaves.
        Opening { page: Option<(response::Parts, Buffered<B>, u64)> },
        // A result in JSON, which is Markdown only if all of it is good. `Some` until it leaves.
        Collecting { result: Option<(response::Parts, Buffered<B>)> },
    }
}

impl<S, ReqBody, ResBody> MarkWayFuture<S, ReqBody, ResBody>
where
    S: Service<Request<ReqBody>>,
{
    pub(super) fn ready(response: Response<MarkWayBody<ResBody>>, exchange: Exchange) -> Self {
        Self {
            state: State::Ready {
                response: Some(response),
            },
            attempts: None,
            exchange,
        }
    }

    pub(super) fn calling(
        future: S::Future,
        exchange: Exchange,
        attempts: Option<Attempts<S, ResBody>>,
    ) -> Self {
        Self {
            state: State::Calling { future },
            attempts,
            exchange,
        }
    }
}

impl<S, ReqBody, ResBody> Future for MarkWayFuture<S, ReqBody, ResBody>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ReqBody: Default,
    ResBody: Body,
    ResBody::Error: Into<BoxError>,
{
    type Output = Result<Response<MarkWayBody<ResBody>>, S::Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            let next = match this.state.as_mut().project() {
                StateProjection::Ready { response } => {
                    let Some(response) = response.take() else {
                        unreachable!("the future was polled after it was ready")
                    };
                    return Poll::Ready(Ok(response));
                }
                StateProjection::Calling { future } => {
                    let response = ready!(future.poll(cx)?);
                    match this.attempts {
                        Some(attempts) => {
                            match attempts.judge(response, &this.exchange.config.site) {
                                Verdict::Next => State::Trying,
                                Verdict::Answer(response) => this.exchange.treat(response),
                            }
                        }
                        None => this.exchange.treat(response),
                    }
                }
                StateProjection::Trying => {
                    let Some(attempts) = this.attempts else {
                        unreachable!("only attempts ask for another one")
                    };
                    State::Calling {
                        future: ready!(attempts.poll_next(cx)?),
                    }
                }
                StateProjection::Opening { page } => {
                    let Some((mut head, mut body, length)) = page.take() else {
                        unreachable!("the page was taken")
                    };
                    let Poll::Ready(difference) = body.poll_opening(cx) else {
                        *page = Some((head, body, length));
                        return Poll::Pending;
                    };
                    head::describe_length(
                        &mut head.headers,
                        length.saturating_add_signed(difference),
                        false,
                    );
                    State::leaving(head, body.into())
                }
                StateProjection::Collecting { result } => {
                    let Some((mut head, mut body)) = result.take() else {
                        unreachable!("the result was taken")
                    };
                    let Poll::Ready(json) = body.poll_whole(cx, this.exchange.config.json_limit)
                    else {
                        *result = Some((head, body));
                        return Poll::Pending;
                    };
                    if let Some(text) = json.and_then(|json| this.exchange.markdown(&json)) {
                        head::describe_markdown(&mut head.headers, None, &Settings::default());
                        head::describe_length(
                            &mut head.headers,
                            text.len() as u64,
                            body.has_trailers(),
                        );
                        body.replace_data(text.into());
                    }
                    State::leaving(head, body.into())
                }
            };
            this.state.set(next);
        }
    }
}

impl<F, B> State<F, B> {
    fn leaving(head: response::Parts, body: MarkWayBody<B>) -> Self {
        Self::Ready {
            response: Some(Response::from_parts(head, body)),
        }
    }
}

impl Exchange {
    /// Makes the response of the inner service an answer of the site.
    fn treat<F, B: Body>(&self, response: Response<B>) -> State<F, B> {
        let (mut head, body) = response.into_parts();
        let opted_out = head.extensions.get::<NoMarkdown>().is_some();
        match self.treatment {
            Treatment::Page { addressed } if !opted_out && is_page(&head, addressed) => {
                self.page(head, body)
            }
            Treatment::Result | Treatment::Vary if !opted_out => {
                head::vary_on(&mut head.headers, head::ON_ACCEPT);
                if self.treatment == Treatment::Result && is_json(&head, self.config.json_limit) {
                    return State::Collecting {
                        result: Some((head, Buffered::new(body))),
                    };
                }
                State::leaving(head, MarkWayBody::passthrough(body))
            }
            Treatment::Page { .. } | Treatment::Result | Treatment::Vary | Treatment::Untouched => {
                State::leaving(head, MarkWayBody::passthrough(body))
            }
        }
    }

    /// A page in Markdown, be it converted or the inner service's own.
    fn page<F, B: Body>(&self, mut head: response::Parts, body: B) -> State<F, B> {
        // A body in memory need not tell its length in the head.
        let length = content_length(&head.headers).or_else(|| body.size_hint().exact());
        if head.extensions.get::<Decision>() == Some(&Decision::Markdown) {
            // The tag was made with our revision. The length is that without the preamble.
            head.headers.remove(CONTENT_LENGTH);
            head.headers.remove(X_MARKDOWN_TOKENS);
        } else {
            let tag = self.config.fingerprint.tag(&head.headers);
            head::describe_markdown(&mut head.headers, tag, &Settings::default());
        }
        if self.method == Method::HEAD {
            // The length of the inner body would become a Content-Length.
            return State::leaving(head, MarkWayBody::text(""));
        }
        let body = Buffered::page(body, self.config.site.clone(), self.name());
        match length {
            Some(length) => State::Opening {
                page: Some((head, body, length)),
            },
            None => State::leaving(head, body.into()),
        }
    }

    fn markdown(&self, json: &Bytes) -> Option<String> {
        json_to_markdown(json, self.config.site.language()).ok()
    }
}

/// Whether a response is a page in Markdown whose text can be read.
fn is_page(head: &response::Parts, addressed: bool) -> bool {
    let markdown = match Representation::of(&head.headers) {
        Representation::Markdown => true,
        // Simple file services have no better type for a file in Markdown.
        Representation::Other => {
            let essence = head
                .headers
                .get(CONTENT_TYPE)
                .map(|value| fields::essence(value.as_bytes()));
            addressed
                && essence.is_none_or(|essence| {
                    matches!(essence, b"text/plain" | b"application/octet-stream")
                })
        }
        Representation::Html => false,
    };
    let utf8 = eligibility::charset(&head.headers).is_none_or(|label| {
        ["utf-8", "utf8", "us-ascii"]
            .iter()
            .any(|name| label.eq_ignore_ascii_case(name))
    });
    markdown && utf8 && can_be_read(head)
}

/// Whether a response is JSON that can be read, of at most `limit` bytes as far as it tells.
fn is_json(head: &response::Parts, limit: usize) -> bool {
    let Some(value) = head.headers.get(CONTENT_TYPE) else {
        return false;
    };
    let essence = fields::essence(value.as_bytes()).to_ascii_lowercase();
    let json = essence == b"application/json" || essence.ends_with(b"+json");
    json && can_be_read(head)
        && content_length(&head.headers).is_none_or(|length| length <= limit as u64)
}

/// Whether the content is there, all of it, in the clear, and may be changed.
fn can_be_read(head: &response::Parts) -> bool {
    let headers = &head.headers;
    let empty = matches!(
        head.status,
        StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT | StatusCode::NOT_MODIFIED
    );
    let coded = fields::members(headers, CONTENT_ENCODING)
        .any(|coding| !coding.eq_ignore_ascii_case(b"identity"));
    let disposition = headers
        .get(CONTENT_DISPOSITION)
        .map(|value| fields::essence(value.as_bytes()));
    !empty
        && !coded
        && head.status != StatusCode::PARTIAL_CONTENT
        // RFC 9110 §7.7: the content of such a message must not be transformed.
        && !fields::has_token(headers, CACHE_CONTROL, "no-transform")
        && !disposition.is_some_and(|kind| kind.eq_ignore_ascii_case(b"attachment"))
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

// By hand: the service and the bodies need not be `Debug`.
impl<S, ReqBody, ResBody> fmt::Debug for MarkWayFuture<S, ReqBody, ResBody>
where
    S: Service<Request<ReqBody>>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MarkWayFuture")
            .field("exchange", &self.exchange)
            .finish_non_exhaustive()
    }
}
