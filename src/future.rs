//! The response future: the one place where law, predicate, head and body meet.

use crate::BoxError;
use crate::body::{Failure, MarkdownBody, Page, Stop};
use crate::coding::Coding;
use crate::eligibility::{self, Representation};
use crate::exchange::{Exchange, Preference};
use crate::extensions::{ForceMarkdown, NoMarkdown};
use crate::head;
use crate::observe::{Decision, Reason};
use crate::predicate::{Candidate, Predicate};
use crate::request;
use http::header::ETAG;
use http::{Method, Response, StatusCode, response};
use http_body::{Body, SizeHint};
use pin_project_lite::pin_project;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

pin_project! {
    /// The future of a response of [`MarkdownForAgents`](crate::MarkdownForAgents).
    ///
    /// It is ready as soon as the inner one is, except for a page that is converted: then it reads
    /// on as described in the [crate docs](crate#memory-and-latency).
    pub struct ResponseFuture<F, B, P> {
        #[pin]
        state: State<F, B>,
        exchange: Exchange,
        predicate: Arc<P>,
    }
}

pin_project! {
    #[project = StateProj]
    enum State<F, B> {
        // The inner service has not answered yet.
        Calling { #[pin] inner: F },
        // A page is being converted, and its head held back. `Some` until the head leaves.
        Holding { held: Option<(response::Parts, Box<Page<B>>)> },
    }
}

impl<F, B, P> ResponseFuture<F, B, P> {
    pub(crate) fn new(inner: F, exchange: Exchange, predicate: Arc<P>) -> Self {
        Self {
            state: State::Calling { inner },
            exchange,
            predicate,
        }
    }
}

/// What is to be done with a response.
enum Verdict {
    Pass(Reason),
    /// A 304 for somebody who has Markdown.
    NotModified,
    /// A page to be converted, after these codings are taken off.
    Convert(Vec<Coding>),
}

impl<F, B, P, E> Future for ResponseFuture<F, B, P>
where
    F: Future<Output = Result<Response<B>, E>>,
    B: Body,
    B::Error: Into<BoxError>,
    P: Predicate,
{
    type Output = Result<Response<MarkdownBody<B>>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            match this.state.as_mut().project() {
                StateProj::Calling { inner } => {
                    let (mut head, body) = ready!(inner.poll(cx)?).into_parts();
                    let exchange = this.exchange;
                    // A 304 was made for the tags of HTML: the request was not one for Markdown.
                    let forced = head.extensions.get::<ForceMarkdown>().is_some();
                    if forced && head.status != StatusCode::NOT_MODIFIED {
                        exchange.force();
                    }
                    let verdict = judge(&mut head, &body.size_hint(), exchange, &**this.predicate);
                    let (body, decision) = match verdict {
                        Verdict::Pass(reason) => (
                            MarkdownBody::passthrough(body),
                            Decision::Passthrough(reason),
                        ),
                        Verdict::NotModified => {
                            let tag = exchange.confirmed_tag(&head.headers);
                            head::describe_not_modified(&mut head.headers, tag, &exchange.settings);
                            (MarkdownBody::passthrough(body), Decision::NotModified)
                        }
                        Verdict::Convert(_) if exchange.method == Method::HEAD => {
                            describe_markdown(&mut head, exchange);
                            (MarkdownBody::nothing(), Decision::Markdown)
                        }
                        Verdict::Convert(codings) => {
                            let charset = eligibility::charset(&head.headers);
                            let converter = exchange.variant().converter(charset);
                            let page =
                                Page::new(body, &codings, converter, exchange.settings.limits);
                            let held = Some((head, Box::new(page)));
                            this.exchange = exchange;
                            this.state.set(State::Holding { held });
                            continue;
                        }
                    };
                    return Poll::Ready(Ok(decided(head, body, decision, 0, exchange)));
                }
                StateProj::Holding { held } => {
                    let Some((head, mut page)) = held.take() else {
                        unreachable!("the future was polled after it was ready")
                    };
                    match page.advance(cx, this.exchange.settings.limits.hold) {
                        Ok(Stop::Pending) => {
                            page.flush();
                            if page.ready() == 0 || !page.has_content() {
                                *held = Some((head, page));
                                return Poll::Pending;
                            }
                            return Poll::Ready(Ok(streaming(head, page, this.exchange)));
                        }
                        Ok(Stop::Spent) => {
                            *held = Some((head, page));
                            cx.waker().wake_by_ref();
                            return Poll::Pending;
                        }
                        Ok(Stop::Enough) => {
                            return Poll::Ready(Ok(streaming(head, page, this.exchange)));
                        }
                        Ok(Stop::Ended) => {
                            return Poll::Ready(Ok(complete(head, page, this.exchange)));
                        }
                        Err(failure) => {
                            return Poll::Ready(Ok(original(head, page, failure, this.exchange)));
                        }
                    }
                }
            }
        }
    }
}

/// Decides about a response, and marks it with `Vary` if the decision depends on the request.
fn judge(
    head: &mut response::Parts,
    size: &SizeHint,
    exchange: &Exchange,
    predicate: &impl Predicate,
) -> Verdict {
    let wanted = match exchange.preference {
        Preference::Nothing(reason) => {
            // A page instead of the other protocol is one that a cache may keep for everybody.
            let declined = reason == Reason::Upgrade && request::is_safe(&exchange.method);
            if declined && Representation::of(&head.headers) != Representation::Other {
                vary(head, exchange);
            }
            return Verdict::Pass(reason);
        }
        Preference::Markdown(_) => true,
        Preference::Html => false,
    };
    if head.extensions.get::<NoMarkdown>().is_some() {
        return Verdict::Pass(Reason::OptedOut);
    }
    match Representation::of(&head.headers) {
        // RFC 9110 §15.4.5: a 304 has the `Vary` of the 200 that it stands for, whose type is unknown.
        Representation::Other if is_untyped_304(head) => {
            vary(head, exchange);
            if wanted {
                Verdict::NotModified
            } else {
                Verdict::Pass(Reason::NotPreferred)
            }
        }
        Representation::Other => Verdict::Pass(Reason::NotHtml),
        Representation::Markdown => {
            vary(head, exchange);
            if wanted && let Some(tag) = exchange.tag_of_other_layer(&head.headers) {
                head.headers.insert(ETAG, tag);
            }
            Verdict::Pass(Reason::AlreadyMarkdown)
        }
        Representation::Html => {
            let candidate = Candidate::new(&exchange.method, exchange.target.uri(), head, size);
            if !predicate.should_convert(&candidate) {
                return Verdict::Pass(Reason::Predicate);
            }
            vary(head, exchange);
            if head.status == StatusCode::NOT_MODIFIED && wanted {
                return Verdict::NotModified;
            }
            if !wanted {
                return Verdict::Pass(Reason::NotPreferred);
            }
            let settings = &exchange.settings;
            match eligibility::codings(head, settings.error_pages, settings.limits.codings) {
                Err(reason) => Verdict::Pass(reason),
                Ok(codings) => Verdict::Convert(codings),
            }
        }
    }
}

fn is_untyped_304(head: &response::Parts) -> bool {
    head.status == StatusCode::NOT_MODIFIED
        && !head.headers.contains_key(http::header::CONTENT_TYPE)
}

fn vary(head: &mut response::Parts, exchange: &Exchange) {
    head::vary_on(&mut head.headers, head::ON_ACCEPT);
    if !exchange.settings.user_agents.is_empty() {
        head::vary_on(&mut head.headers, head::ON_USER_AGENT);
    }
}

fn describe_markdown(head: &mut response::Parts, exchange: &Exchange) {
    let tag = exchange.variant().fingerprint.tag(&head.headers);
    head::describe_markdown(&mut head.headers, tag, &exchange.settings);
}

/// A response whose body is not watched any further.
fn decided<B>(
    mut head: response::Parts,
    body: MarkdownBody<B>,
    decision: Decision,
    bytes_in: u64,
    exchange: &mut Exchange,
) -> Response<MarkdownBody<B>> {
    exchange.observer.decided(decision, head.status, bytes_in);
    attach(&mut head, decision, exchange);
    Response::from_parts(head, body)
}

/// Markdown whose end is not known yet.
fn streaming<B>(
    mut head: response::Parts,
    page: Box<Page<B>>,
    exchange: &mut Exchange,
) -> Response<MarkdownBody<B>> {
    describe_markdown(&mut head, exchange);
    attach(&mut head, Decision::Markdown, exchange);
    let body = MarkdownBody::streaming(page, head.status, std::mem::take(&mut exchange.observer));
    Response::from_parts(head, body)
}

/// A page that has ended before its head left.
fn complete<B>(
    mut head: response::Parts,
    mut page: Box<Page<B>>,
    exchange: &mut Exchange,
) -> Response<MarkdownBody<B>>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    if !page.has_content() {
        let bytes_in = page.bytes_in();
        let body = MarkdownBody::original(page, None);
        return decided(
            head,
            body,
            Decision::Passthrough(Reason::NoText),
            bytes_in,
            exchange,
        );
    }
    describe_markdown(&mut head, exchange);
    head::describe_length(&mut head.headers, page.ready() as u64, page.has_trailers());
    attach(&mut head, Decision::Markdown, exchange);
    let body = MarkdownBody::complete(page, head.status, std::mem::take(&mut exchange.observer));
    Response::from_parts(head, body)
}

/// A page that could not be converted: the client gets what it would have got without this layer.
fn original<B>(
    head: response::Parts,
    page: Box<Page<B>>,
    failure: Failure,
    exchange: &mut Exchange,
) -> Response<MarkdownBody<B>> {
    // An error of the inner body comes where it came; one of ours never leaves.
    let error = (failure.reason == Reason::BodyFailed).then_some(failure.error);
    let bytes_in = page.bytes_in();
    let body = MarkdownBody::original(page, error);
    decided(
        head,
        body,
        Decision::Passthrough(failure.reason),
        bytes_in,
        exchange,
    )
}

/// Leaves the decision where outer layers find it. Only where Markdown was asked for: the first
/// extension of a response is an allocation.
fn attach(head: &mut response::Parts, decision: Decision, exchange: &Exchange) {
    if matches!(exchange.preference, Preference::Markdown(_)) {
        head.extensions.insert(decision);
    }
}

impl<F, B, P> fmt::Debug for ResponseFuture<F, B, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture")
            .field("exchange", &self.exchange)
            .finish_non_exhaustive()
    }
}
