//! The service: reads the request as the protocol does, and calls the inner service with what the
//! request means.

use super::attempts::Attempts;
use super::body::MarkWayBody;
use super::future::{Exchange, MarkWayFuture, Treatment};
use super::layer::Config;
use super::message::Message;
use super::preference::prefers_markdown;
use super::{Mode, Site, validator};
use crate::negotiation::{Accept, TiePolicy};
use crate::{BoxError, ForceMarkdown, NoMarkdown, head, request};
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue,
};
use http::{Method, Request, Response, StatusCode};
use http_body::Body;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service;

const MARKDOWN: HeaderValue = HeaderValue::from_static("text/markdown; charset=utf-8");

/// What the inner service sees as `Accept` of a POST whose result is to be Markdown: a result in
/// JSON is the data itself, a page in HTML is the next best.
const ACCEPT_RESULTS: HeaderValue =
    HeaderValue::from_static("text/markdown, application/json;q=0.9, text/html;q=0.8, */*;q=0.1");

/// Makes the site behind it a MarkWay site.
///
/// See the [module docs](crate::markway) for what it does and for an example. Made by
/// [`MarkWayLayer`](super::MarkWayLayer).
///
/// The inner service must be `Clone`, and the request body must have a default: an `.md` address may
/// mean several paths, which are tried one after another.
#[derive(Debug, Clone)]
pub struct MarkWay<S> {
    inner: S,
    config: Arc<Config>,
}

impl<S> MarkWay<S> {
    pub(super) fn new(inner: S, config: Arc<Config>) -> Self {
        Self { inner, config }
    }
}

/// What a request means.
#[derive(Debug)]
enum Meaning {
    /// The protocol document.
    Protocol,
    /// Nothing that the protocol allows.
    Refused(Message),
    /// A page at one of these paths, in Markdown whatever `Accept` says.
    Page(Vec<String>),
    /// A page, by the ordinary rules of negotiation.
    Negotiated,
    /// The result of a POST, in Markdown.
    Result,
    /// The result of a POST, in another format that the client named.
    OtherResult,
    /// Nothing that the protocol speaks of.
    Other,
}

impl Meaning {
    fn of<B>(request: &Request<B>, site: &Site) -> Self {
        if request.extensions().get::<NoMarkdown>().is_some() || request::is_upgrade(request) {
            return Self::Other;
        }
        let path = request.uri().path();
        let reads = request::is_safe(request.method());
        if path == site.mode().protocol_path() {
            return if reads {
                Self::Protocol
            } else {
                Self::Refused(Message::Method)
            };
        }
        match site.mode() {
            Mode::Static if reads && path.ends_with(".md") => match site.inner_paths(path) {
                Ok(paths) => Self::Page(paths),
                Err(error) => Self::Refused(Message::Address(error.kind())),
            },
            Mode::Dynamic if reads && prefers_markdown(request.headers()) => {
                match request.uri().query() {
                    Some(_) => Self::Refused(Message::Query),
                    None => Self::Page(vec![path.to_owned()]),
                }
            }
            _ if reads => Self::Negotiated,
            Mode::Dynamic if *request.method() == Method::POST => {
                if prefers_markdown(request.headers()) {
                    Self::Result
                } else {
                    Self::OtherResult
                }
            }
            Mode::Static | Mode::Dynamic => Self::Other,
        }
    }
}

impl Config {
    fn protocol_document<B>(
        &self,
        method: &Method,
        headers: &HeaderMap,
    ) -> Response<MarkWayBody<B>> {
        let tag = validator::entity_tag(&self.protocol);
        let mut response = if validator::is_fresh(headers, &tag) {
            let mut response = Response::new(MarkWayBody::text(""));
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        } else {
            markdown(StatusCode::OK, self.protocol.clone(), method)
        };
        response.headers_mut().insert(ETAG, tag);
        response
    }

    fn refusal<B>(&self, message: &Message, method: &Method) -> Response<MarkWayBody<B>> {
        let page = message.page(self.site.language());
        // The preamble belongs to GET.
        let text = if request::is_safe(method) {
            self.site.answer(&page)
        } else {
            page
        };
        let mut response = markdown(message.status(), text, method);
        match message {
            Message::Method => {
                response
                    .headers_mut()
                    .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            }
            // Who wants HTML is not refused.
            Message::Query => head::vary_on(response.headers_mut(), head::ON_ACCEPT),
            Message::NotFound | Message::Forbidden | Message::Unreadable | Message::Address(_) => {}
        }
        response
    }

    /// Changes a request to what its meaning is for the inner service, and tells how its response is
    /// treated.
    fn shape<B>(&self, request: &mut Request<B>, meaning: &Meaning) -> Treatment {
        let (convert_with, forced, treatment) = match meaning {
            Meaning::Page(_) => (
                &self.pages,
                true,
                Treatment::Page {
                    addressed: self.site.mode() == Mode::Static,
                },
            ),
            Meaning::Negotiated => (&self.pages, false, Treatment::Page { addressed: false }),
            Meaning::Result => (&self.results, true, Treatment::Result),
            Meaning::OtherResult => return Treatment::Vary,
            Meaning::Other | Meaning::Protocol | Meaning::Refused(_) => {
                return Treatment::Untouched;
            }
        };
        request.extensions_mut().insert(convert_with.clone());
        if forced {
            request.extensions_mut().insert(ForceMarkdown);
        }
        if matches!(meaning, Meaning::Result) {
            request.headers_mut().insert(ACCEPT, ACCEPT_RESULTS);
        }
        // What is Markdown or JSON already is read here, too.
        if forced || Accept::parse(request.headers()).prefers_markdown(TiePolicy::Markdown) {
            request
                .headers_mut()
                .insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        }
        treatment
    }
}

impl<S, ReqBody, ResBody> Service<Request<ReqBody>> for MarkWay<S>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Clone,
    ReqBody: Default,
    ResBody: Body,
    ResBody::Error: Into<BoxError>,
{
    type Response = Response<MarkWayBody<ResBody>>;
    type Error = S::Error;
    type Future = MarkWayFuture<S, ReqBody, ResBody>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<ReqBody>) -> Self::Future {
        let meaning = Meaning::of(&request, &self.config.site);
        let answer = match &meaning {
            Meaning::Protocol => Some(
                self.config
                    .protocol_document(request.method(), request.headers()),
            ),
            Meaning::Refused(message) => Some(self.config.refusal(message, request.method())),
            _ => None,
        };
        let treatment = self.config.shape(&mut request, &meaning);
        let exchange = Exchange::new(&request, treatment, Arc::clone(&self.config));
        if let Some(answer) = answer {
            return MarkWayFuture::ready(answer, exchange);
        }
        // The first path is the address itself, so that the request goes out as it is.
        let others = match meaning {
            Meaning::Page(paths) => paths.into_iter().skip(1).collect(),
            _ => Vec::new(),
        };
        let attempts =
            (!others.is_empty()).then(|| Attempts::new(self.inner.clone(), &request, others));
        MarkWayFuture::calling(self.inner.call(request), exchange, attempts)
    }
}

/// A short document as a whole answer.
fn markdown<B>(status: StatusCode, text: String, method: &Method) -> Response<MarkWayBody<B>> {
    let length = text.len();
    let body = if *method == Method::HEAD {
        String::new()
    } else {
        text
    };
    let mut response = Response::new(MarkWayBody::text(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, MARKDOWN);
    response
        .headers_mut()
        .insert(CONTENT_LENGTH, HeaderValue::from(length));
    response
}
