//! The site behind the caches: a few pages with every kind of validator, each of which may be kept for
//! an hour, and once more below `/stale/`, where it must be asked for again every time.

use crate::support::{Script, long_page};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, Method, Request, Response};
use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use markdown_for_agents::{BoxError, MarkdownForAgentsLayer};
use std::convert::Infallible;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;
use tower::{Layer, Service, service_fn};

/// The origin that the world knows.
pub(crate) const ORIGIN: &str = "https://example.com";

/// The kinds of pages.
pub(crate) const PAGES: [&str; 4] = ["/tagged", "/dated", "/coded", "/streamed"];

const DATE: &str = "Tue, 01 Sep 2026 10:00:00 GMT";

/// The HTML of a page.
pub(crate) fn html(path: &str) -> String {
    let length = if path.ends_with("/streamed") {
        200_000
    } else {
        3_000
    };
    format!("<h2>{path}</h2>{}", long_page(length))
}

/// Counts what it has to do.
#[derive(Debug, Clone, Default)]
pub(crate) struct Site {
    renders: Arc<AtomicUsize>,
    confirmations: Arc<AtomicUsize>,
}

type Answer = Response<BoxBody<Bytes, BoxError>>;

impl Site {
    /// Answers with a page.
    pub(crate) fn renders(&self) -> usize {
        self.renders.load(Ordering::SeqCst)
    }

    /// Answers with 304.
    pub(crate) fn confirmations(&self) -> usize {
        self.confirmations.load(Ordering::SeqCst)
    }

    pub(crate) async fn serve_with_layer(&self) -> SocketAddr {
        let layer = MarkdownForAgentsLayer::new().public_origin(ORIGIN).unwrap();
        serve(layer.layer(self.service())).await
    }

    pub(crate) async fn serve(&self) -> SocketAddr {
        serve(self.service()).await
    }

    fn service(
        &self,
    ) -> impl Service<Request<Incoming>, Response = Answer, Error = Infallible, Future: Send>
    + Clone
    + Send
    + use<> {
        let site = self.clone();
        service_fn(move |request: Request<Incoming>| {
            let answer = site.answer(&request);
            async move { Ok(answer) }
        })
    }

    fn answer<B>(&self, request: &Request<B>) -> Answer {
        let path = request.uri().path();
        let (stale, kind) = match path.strip_prefix("/stale") {
            Some(kind) => (true, kind),
            None => (false, path),
        };
        let gzip = kind == "/coded" && field(request.headers(), "accept-encoding").contains("gzip");
        let tag = match kind {
            "/coded" if gzip => Some("\"coded-gzip\""),
            "/coded" => Some("\"coded\""),
            "/streamed" => Some("W/\"streamed\""),
            "/tagged" => Some("\"tagged\""),
            _ => None,
        };
        let mut response = Response::builder().header("last-modified", DATE);
        // `@1` is the first second of 1970: nginx keeps the page, but asks again each time.
        response = match stale {
            true => response.header("x-accel-expires", "@1"),
            false => response.header("cache-control", "public, max-age=3600"),
        };
        if let Some(tag) = tag {
            response = response.header("etag", tag);
        }
        if kind == "/coded" {
            response = response.header("vary", "Accept-Encoding");
        }

        let asked = field(request.headers(), "if-none-match");
        let fresh = match asked {
            "" => field(request.headers(), "if-modified-since") == DATE,
            list => list.split(", ").any(|member| Some(member) == tag),
        };
        if fresh {
            self.confirmations.fetch_add(1, Ordering::SeqCst);
            return response.status(304).body(whole(Vec::new())).unwrap();
        }
        self.renders.fetch_add(1, Ordering::SeqCst);
        response = response.header("content-type", "text/html; charset=utf-8");
        let mut page = html(path).into_bytes();
        if gzip {
            response = response.header("content-encoding", "gzip");
            page = compressed(&page);
        }
        let body = match kind {
            _ if request.method() == Method::HEAD => whole(Vec::new()),
            "/streamed" => Script::hostile(&page, 20_000).map_err(Into::into).boxed(),
            _ => {
                response = response.header("accept-ranges", "bytes");
                whole(page)
            }
        };
        response.body(body).unwrap()
    }
}

fn field<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

fn whole(page: Vec<u8>) -> BoxBody<Bytes, BoxError> {
    http_body_util::Full::from(page).map_err(Into::into).boxed()
}

fn compressed(page: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(page).unwrap();
    encoder.finish().unwrap()
}

/// Serves until the test ends.
async fn serve<S, B>(service: S) -> SocketAddr
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static,
    B: http_body::Body<Data = Bytes, Error = BoxError> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let service = TowerToHyperService::new(service.clone());
            tokio::spawn(async move {
                // An error is a cache that closed its connection.
                let _ = auto::Builder::new(TokioExecutor::new())
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    });
    address
}
