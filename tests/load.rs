//! Many conversions at the same time, over real sockets.

mod support;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use http::Request;
use http_body_util::channel::Channel;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use markdown_for_agents::MarkdownForAgentsLayer;
use markdown_for_agents::convert::Options;
use std::net::SocketAddr;
use std::sync::Arc;
use support::markdown_of;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Barrier, watch};
use tokio::task::JoinSet;

const CONNECTIONS: usize = 1000;

/// Connections that this process may have: each takes a file at either end, and some are left for all
/// else. Where the system does not tell, it is taken to allow 256 files, the least of the usual.
fn connections() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let files = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))
        .and_then(|line| line.split_whitespace().next())
        .map_or(256, |files| files.parse().unwrap_or(usize::MAX));
    CONNECTIONS.min(files.saturating_sub(64) / 2)
}

/// A page of its own for each number, of 2 to 30 KB.
fn page(number: usize) -> String {
    let mut page = format!("<!doctype html><title>Page {number}</title><h1>Page {number}</h1>\n");
    for row in 0..10 + number % 7 * 30 {
        page.push_str(&format!(
            "<p>Row {row} of <b>page {number}</b>: <a href=\"/{row}\">\u{2192} more &amp; more</a>, <code>x_{row}</code>.\n"
        ));
    }
    page
}

/// A page in frames of 1,000 bytes. Behind the first one it waits until all clients have Markdown.
async fn serve(
    Path(number): Path<usize>,
    State(mut open): State<watch::Receiver<bool>>,
) -> Response {
    let (mut sender, body) = Channel::<Bytes>::new(1);
    tokio::spawn(async move {
        let mut rest = Bytes::from(page(number));
        while !rest.is_empty() {
            let frame = rest.split_to(rest.len().min(1000));
            sender.send_data(frame).await.unwrap();
            open.wait_for(|open| *open).await.unwrap();
        }
    });
    let html = [("content-type", "text/html; charset=utf-8")];
    (html, axum::body::Body::new(body)).into_response()
}

/// Asks for one page as Markdown. Gives what came.
async fn client(address: SocketAddr, number: usize, all: Arc<Barrier>) -> Vec<u8> {
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = Request::get(format!("/{number}"))
        .header("host", "example.com")
        .header("accept", "text/markdown")
        .body(Empty::<Bytes>::new())
        .unwrap();
    let response = sender.send_request(request).await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(
        response.headers()["content-type"],
        "text/markdown; charset=utf-8"
    );
    assert!(
        !response.headers().contains_key("content-length"),
        "it streams"
    );
    let mut body = response.into_body();
    let mut markdown = Vec::new();
    let mut waited = false;
    while let Some(frame) = body.frame().await {
        markdown.extend_from_slice(&frame.unwrap().into_data().unwrap());
        if !waited {
            waited = true;
            all.wait().await;
        }
    }
    drop(sender);
    connection.await.unwrap().unwrap();
    markdown
}

#[test]
fn a_thousand_pages_stream_at_once_and_every_one_is_right() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (gate, open) = watch::channel(false);
        let site = Router::new()
            .route("/{number}", get(serve))
            .layer(MarkdownForAgentsLayer::new())
            .with_state(open);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(async move { axum::serve(listener, site).await });

        let connections = connections();
        // All clients and this task: no page goes on before each client has the start of its own.
        let all = Arc::new(Barrier::new(connections + 1));
        let mut clients = JoinSet::new();
        for number in 0..connections {
            let all = Arc::clone(&all);
            clients.spawn(async move { (number, client(address, number, all).await) });
        }
        tokio::select! {
            _ = all.wait() => {}
            client = clients.join_next() => {
                let (number, markdown) = client.expect("there are clients").unwrap();
                panic!("page {number} ended before the others began: {} bytes", markdown.len());
            }
        }
        gate.send(true).unwrap();

        let mut answered = 0;
        while let Some(client) = clients.join_next().await {
            let (number, markdown) = client.unwrap();
            let url = format!("http://example.com/{number}");
            let expected = markdown_of(Options::new(), Some(&url), page(number));
            assert!(
                markdown == expected,
                "page {number} came as {} bytes",
                markdown.len()
            );
            answered += 1;
        }
        assert_eq!(answered, connections);
        server.abort();
    });
}
