//! Requests per second and latency of a server in this process, over sockets.

use crate::Failure;
use axum::{Router, response::Html, routing::get};
use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::TokioIo;
use markdown_for_agents::MarkdownForAgentsLayer;
use serde::Serialize;
use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};
use tokio::net::{TcpListener, TcpStream};

/// What is measured for how long, by how many connections at a time.
const TIME: Duration = Duration::from_secs(2);
const CONNECTIONS: usize = 16;

pub(crate) struct Kind {
    pub(crate) name: &'static str,
    layer: bool,
    accept: &'static str,
}

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const AGENT: &str = "text/markdown, text/html;q=0.9, */*;q=0.1";

pub(crate) const KINDS: [Kind; 3] = [
    Kind {
        name: "no layer",
        layer: false,
        accept: BROWSER,
    },
    Kind {
        name: "layer, HTML clients",
        layer: true,
        accept: BROWSER,
    },
    Kind {
        name: "layer, Markdown clients",
        layer: true,
        accept: AGENT,
    },
];

#[derive(Debug, Serialize)]
pub(crate) struct Served {
    pub(crate) name: &'static str,
    pub(crate) requests_per_s: f64,
    pub(crate) median_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) body_bytes: usize,
}

pub(crate) async fn measure(kind: &Kind, page: Bytes) -> Result<Served, Failure> {
    let mut site = Router::new().route("/", get(move || async move { Html(page) }));
    if kind.layer {
        site = site.layer(MarkdownForAgentsLayer::new());
    }
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(async move { axum::serve(listener, site).await });

    let start = Instant::now();
    let clients: Vec<_> = (0..CONNECTIONS)
        .map(|_| tokio::spawn(client(address, kind.accept, start + TIME)))
        .collect();
    let (mut latencies, mut body_bytes) = (Vec::new(), 0);
    for client in clients {
        let (times, length) = client.await??;
        latencies.extend(times);
        body_bytes = length;
    }
    let elapsed = start.elapsed();
    server.abort();
    latencies.sort();
    let at = |share: f64| {
        let index = (latencies.len() as f64 * share) as usize;
        let latency = latencies.get(index).copied().unwrap_or_default();
        latency.as_secs_f64() * 1e3
    };
    Ok(Served {
        name: kind.name,
        requests_per_s: latencies.len() as f64 / elapsed.as_secs_f64(),
        median_ms: at(0.5),
        p99_ms: at(0.99),
        body_bytes,
    })
}

/// One connection with one request after the other: their times and the length of a body.
async fn client(
    address: SocketAddr,
    accept: &'static str,
    end: Instant,
) -> Result<(Vec<Duration>, usize), Failure> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let (mut times, mut length) = (Vec::new(), 0);
    while Instant::now() < end {
        let request = Request::builder()
            .uri("/")
            .header("host", "localhost")
            .header("accept", accept)
            .body(Empty::<Bytes>::new())?;
        let start = Instant::now();
        sender.ready().await?;
        let response = sender.send_request(request).await?;
        if !response.status().is_success() {
            return Err(format!("the server answered {}", response.status()).into());
        }
        length = response.into_body().collect().await?.to_bytes().len();
        times.push(start.elapsed());
    }
    Ok((times, length))
}
