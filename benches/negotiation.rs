//! What it takes to decide on a representation: a request through the layer whose answer is
//! plain text, which passes.

use bytes::Bytes;
use criterion::{Criterion, criterion_group, criterion_main};
use http::{Request, Response};
use http_body_util::Empty;
use markdown_for_agents::MarkdownForAgentsLayer;
use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tower::{Layer, Service, service_fn};

const ACCEPT: [(&str, &str); 5] = [
    ("agent", "text/markdown, text/html;q=0.9, */*;q=0.1"),
    (
        "browser",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    ),
    ("anything", "*/*"),
    (
        "quoted",
        "text/html;x=\"a,text/markdown\";q=0.5, text/markdown;q=0.501",
    ),
    (
        "long",
        "a/a,b/b;q=0.1,c/c;q=0.2,d/d;q=0.3,e/e;q=0.4,f/f;q=0.5,g/g;q=0.6,h/h;q=0.7,i/i;q=0.8,\
         text/*;q=0.9,text/html;level=1,text/x-markdown;variant=gfm;q=1.0",
    ),
];

type Answer = Ready<Result<Response<Empty<Bytes>>, Infallible>>;

fn text(_: Request<()>) -> Answer {
    let mut response = Response::new(Empty::new());
    let value = http::HeaderValue::from_static("text/plain");
    response.headers_mut().insert("content-type", value);
    ready(Ok(response))
}

fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("nothing here waits"),
    }
}

fn accept(c: &mut Criterion) {
    let mut group = c.benchmark_group("accept");
    let mut bare = service_fn(text);
    let mut layered = MarkdownForAgentsLayer::new().layer(service_fn(text));
    for (name, accept) in ACCEPT {
        let request = || {
            let mut request = Request::new(());
            let value = http::HeaderValue::from_static(accept);
            request.headers_mut().insert("accept", value);
            request
        };
        group.bench_function(format!("{name}/no layer"), |b| {
            b.iter(|| now(bare.call(request())));
        });
        group.bench_function(format!("{name}/layer"), |b| {
            b.iter(|| now(layered.call(request())));
        });
    }
}

criterion_group!(benches, accept);
criterion_main!(benches);
