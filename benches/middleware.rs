//! A page through a service: without the layer, with it for a browser, with it for an agent.

mod pages;

use bytes::Bytes;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use http::{HeaderValue, Request, Response};
use http_body::Body;
use http_body_util::Full;
use markdown_for_agents::MarkdownForAgentsLayer;
use pages::PAGES;
use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tower::{Layer, Service, service_fn};

const BROWSER: &str = "text/html,application/xhtml+xml,*/*;q=0.8";
const AGENT: &str = "text/markdown, text/html;q=0.9, */*;q=0.1";

type Answer = Ready<Result<Response<Full<Bytes>>, Infallible>>;

fn site(page: &'static str) -> impl FnMut(Request<()>) -> Answer + Copy {
    move |_| {
        let mut response = Response::new(Full::new(Bytes::from_static(page.as_bytes())));
        let value = HeaderValue::from_static("text/html; charset=utf-8");
        response.headers_mut().insert("content-type", value);
        ready(Ok(response))
    }
}

/// Makes the exchange and reads the whole body. Returns its length.
fn exchange<S, B>(service: &mut S, accept: &'static str) -> usize
where
    S: Service<Request<()>, Response = Response<B>>,
    B: Body<Data = Bytes>,
{
    let mut request = Request::new(());
    let value = HeaderValue::from_static(accept);
    request.headers_mut().insert("accept", value);
    let mut cx = Context::from_waker(Waker::noop());
    let mut response = pin!(service.call(request));
    // The layer lets other tasks run from time to time: pending with a wake-up.
    let response = loop {
        if let Poll::Ready(response) = response.as_mut().poll(&mut cx) {
            break response;
        }
    };
    let Ok(response) = response else { return 0 };
    let mut body = pin!(response.into_body());
    let mut length = 0;
    loop {
        match body.as_mut().poll_frame(&mut cx) {
            Poll::Pending => {}
            Poll::Ready(None) => return length,
            Poll::Ready(Some(frame)) => {
                length += frame.map_or(0, |f| f.into_data().map_or(0, |data| data.len()));
            }
        }
    }
}

fn pages_through_the_layer(c: &mut Criterion) {
    for (kind, page) in PAGES {
        let mut group = c.benchmark_group(format!("serve/{kind}"));
        group.throughput(Throughput::Bytes(page.len() as u64));
        let mut bare = service_fn(site(page));
        let mut layered = MarkdownForAgentsLayer::new().layer(service_fn(site(page)));
        group.bench_function("no layer", |b| b.iter(|| exchange(&mut bare, BROWSER)));
        group.bench_function("browser", |b| b.iter(|| exchange(&mut layered, BROWSER)));
        group.bench_function("agent", |b| b.iter(|| exchange(&mut layered, AGENT)));
    }
}

criterion_group!(benches, pages_through_the_layer);
criterion_main!(benches);
