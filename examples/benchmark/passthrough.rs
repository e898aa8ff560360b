//! Requests of a browser to a site with and without the layer, for a counter of instructions.
//!
//! Everything runs in this thread and over a pipe in memory, so that runs are alike. What a process
//! does once falls out of the difference between two runs:
//!
//! ```text
//! for place in none service router; do
//!   for n in 1000 2000; do
//!     valgrind --tool=callgrind target/release/examples/benchmark --requests $n --layer $place
//!   done
//! done
//! ```

use crate::Failure;
use axum::{Router, response::Html, routing::get};
use http::{Request, Response};
use http_body::Body;
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use markdown_for_agents::MarkdownForAgentsLayer;
use std::{convert::Infallible, fmt::Write, str::FromStr};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tower::{Layer, Service};

/// Room for a response in the pipe, in bytes.
const PIPE: usize = 64 << 10;

/// What a browser sends with every request.
const REQUEST: &[u8] = b"GET /catalogue?page=2 HTTP/1.1\r\n\
    Host: shop.example\r\n\
    Connection: keep-alive\r\n\
    Upgrade-Insecure-Requests: 1\r\n\
    User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36\r\n\
    Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7\r\n\
    Sec-Fetch-Site: same-origin\r\n\
    Sec-Fetch-Mode: navigate\r\n\
    Sec-Fetch-Dest: document\r\n\
    Referer: https://shop.example/\r\n\
    Accept-Encoding: gzip, deflate, br, zstd\r\n\
    Accept-Language: en-GB,en;q=0.9\r\n\
    \r\n";

/// One page of the site, of 20 KB: made for each request, as by a template.
fn page() -> String {
    let mut page =
        String::from("<!doctype html><title>Catalogue</title><h1>Catalogue</h1>\n<ul>\n");
    for number in 1..=206 {
        let (pounds, pence) = (number * 7 % 90, number * 31 % 100);
        let _ = writeln!(
            page,
            "<li class=\"item\"><a href=\"/catalogue/{number}\">Article {number}</a> \
             <span class=\"price\">\u{a3}{pounds}.{pence:02}</span></li>"
        );
    }
    page.push_str("</ul>\n");
    page
}

/// Where the layer is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Nowhere,
    /// Around the service that the server calls: what the layer itself costs.
    Service,
    /// In the router, which has a price for any layer: it boxes service and body once more.
    Router,
}

impl FromStr for Place {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "none" => Ok(Self::Nowhere),
            "service" => Ok(Self::Service),
            "router" => Ok(Self::Router),
            _ => Err("there is none, service and router"),
        }
    }
}

/// Sends this many requests over one connection. Gives the bytes of all responses.
pub(crate) fn serve(requests: usize, place: Place) -> Result<usize, Failure> {
    let site = Router::new().route("/catalogue", get(|| async { Html(page()) }));
    let layer = MarkdownForAgentsLayer::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        match place {
            Place::Nowhere => exchange(site, requests).await,
            Place::Service => exchange(layer.layer(site), requests).await,
            Place::Router => exchange(site.layer(layer), requests).await,
        }
    })
}

async fn exchange<S, B>(site: S, requests: usize) -> Result<usize, Failure>
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible, Future: Send>,
    S: Clone + Send + 'static,
    B: Body<Data: Send, Error: Into<Failure>> + Send + 'static,
{
    let (mut client, server) = tokio::io::duplex(PIPE);
    let site = TowerToHyperService::new(site);
    let server = tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(server), site));

    client.write_all(REQUEST).await?;
    let length = first_response(&mut client).await?;
    // All others are as long. It is the server that is to be counted, so this client does nothing else.
    let mut response = vec![0; length];
    for _ in 1..requests {
        client.write_all(REQUEST).await?;
        client.read_exact(&mut response).await?;
    }
    drop(client);
    server.await??;
    Ok(length * requests)
}

/// Reads a response that says how long it is. Gives its length, with its head.
async fn first_response(client: &mut DuplexStream) -> Result<usize, Failure> {
    let mut response = Vec::new();
    loop {
        if client.read_buf(&mut response).await? == 0 {
            return Err("the server closed the connection".into());
        }
        let text = String::from_utf8_lossy(&response);
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let content: usize = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .ok_or("the response has no length")?
            .parse()?;
        let length = head.len() + 4 + content;
        if response.len() >= length {
            return Ok(length);
        }
    }
}
