//! A response that passes costs nothing: allocations are counted with and without the layer.

#[path = "support/allocator.rs"]
mod allocator;
mod support;

use allocator::count;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body::Body;
use http_body_util::Full;
use markdown_for_agents::MarkdownForAgentsLayer;
use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tower::{Layer, Service, service_fn};

/// The fields that an inner service sets. There is room for one more.
type Fields = &'static [(&'static str, &'static str)];

const PAGE: &str = "<h1>Tides</h1>";

fn site(
    fields: Fields,
) -> impl FnMut(Request<()>) -> Ready<Result<Response<Full<Bytes>>, Infallible>> {
    move |_| {
        let mut headers = HeaderMap::with_capacity(8);
        for &(name, value) in fields {
            headers.append(name, HeaderValue::from_static(value));
        }
        let mut response = Response::new(Full::new(Bytes::from_static(PAGE.as_bytes())));
        *response.headers_mut() = headers;
        ready(Ok(response))
    }
}

/// Allocations of one exchange, until the body has been read to its end.
fn allocations<S, B>(mut service: S, request: http::request::Builder) -> usize
where
    S: Service<Request<()>, Response = Response<B>, Error = Infallible>,
    B: Body<Data = Bytes>,
{
    let request = request.body(()).unwrap();
    // What a server reads shares its bytes already; what a test makes does after its first clone.
    let _shared = (request.uri().clone(), request.headers().clone());
    let exchange = || {
        let mut cx = Context::from_waker(Waker::noop());
        let Poll::Ready(Ok(response)) = pin!(service.call(request)).poll(&mut cx) else {
            panic!("the service waits");
        };
        let mut body = pin!(response.into_body());
        let mut length = 0;
        while let Poll::Ready(Some(Ok(frame))) = body.as_mut().poll_frame(&mut cx) {
            length += frame.into_data().map_or(0, |data| data.len());
        }
        length
    };
    let (length, cost) = count(exchange);
    assert_eq!(length, PAGE.len(), "the page passes");
    cost.allocations
}

/// What the layer adds to the allocations of an exchange.
#[track_caller]
fn added(
    layer: &MarkdownForAgentsLayer,
    request: fn() -> http::request::Builder,
    fields: Fields,
) -> usize {
    let without = allocations(service_fn(site(fields)), request());
    let with = allocations(layer.layer(service_fn(site(fields))), request());
    assert_ne!(without, 0, "the header map of the inner service");
    with - without
}

fn browser() -> http::request::Builder {
    support::browser("/a?b=c")
        .header("host", "example.com")
        .header("user-agent", "Mozilla/5.0 (X11) Gecko/20100101")
        .header("if-none-match", "\"v1\"")
}

fn proxied() -> http::request::Builder {
    browser()
        .header("forwarded", "for=192.0.2.1;host=example.org;proto=https")
        .header("x-forwarded-host", "example.org")
        .header("x-forwarded-proto", "https")
}

const HTML: (&str, &str) = ("content-type", "text/html; charset=utf-8");

#[test]
fn what_passes_costs_no_allocation() {
    let layer = MarkdownForAgentsLayer::new();
    for fields in [
        &[("content-type", "image/png")][..],
        &[HTML],
        &[HTML, ("vary", "Accept")],
        &[
            HTML,
            ("vary", "Accept-Encoding"),
            ("vary", "accept, Cookie"),
        ],
        &[HTML, ("vary", "*")],
        &[HTML, ("cache-control", "no-transform"), ("etag", "\"v1\"")],
        &[],
    ] {
        assert_eq!(added(&layer, browser, fields), 0, "{fields:?}");
    }
    assert_eq!(added(&layer, || browser().method("POST"), &[HTML]), 0);
}

#[test]
fn a_changed_vary_costs_one_allocation() {
    let layer = MarkdownForAgentsLayer::new();
    assert_eq!(added(&layer, browser, &[HTML, ("vary", "Cookie")]), 1);
}

#[test]
fn options_cost_no_allocation_where_the_page_passes() {
    let layer = MarkdownForAgentsLayer::new()
        .trust_forwarded(true)
        .user_agents(["GPTBot", "ClaudeBot"])
        .on_response(|_| {});
    let fields: Fields = &[HTML, ("vary", "Accept, User-Agent")];
    assert_eq!(added(&layer, proxied, fields), 0);
}
