//! The layer without a framework: a tower service on plain hyper, HTTP/1.1 and HTTP/2.
//!
//! ```text
//! cargo run --example hyper
//! ```

#[path = "support/arguments.rs"]
mod arguments;

use arguments::Arguments;
use http_body_util::Full;
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::CONTENT_TYPE,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto,
    service::TowerToHyperService,
};
use markdown_for_agents::MarkdownForAgentsLayer;
use std::{convert::Infallible, error::Error, net::SocketAddr, time::Duration};
use tokio::net::TcpListener;
use tower::{Layer, service_fn};

const USAGE: &str = "\
usage: hyper [--listen ADDR]

  --listen ADDR   address and port to serve (default 127.0.0.1:3000)
  --help          print this text
";

const PAGE: &str = "<!doctype html>
<html lang=en>
<head><title>Tides</title><link rel=stylesheet href=/tides.css></head>
<body>
<nav><a href=/>Home</a> <a href=/archive>Archive</a></nav>
<main>
<h1>Tides at the old pier</h1>
<p>Times are local. Heights are above <em>chart datum</em>, see <a href=/datum>how we measure</a>.</p>
<table>
<thead><tr><th>Tide<th>Time<th align=right>Height</thead>
<tr><td>High<td>04:12<td>3.9 m
<tr><td>Low<td>10:31<td>0.6 m
<tr><td>High<td>16:40<td>4.1 m
</table>
</main>
<footer>No warranty. Look at the sea.</footer>
</body>
</html>
";

async fn tides<B>(request: Request<B>) -> Result<Response<Full<Bytes>>, Infallible> {
    let mut response = Response::new(Full::from(PAGE));
    if request.uri().path() != "/" {
        *response.status_mut() = StatusCode::NOT_FOUND;
        *response.body_mut() = Full::from("<h1>There is no such page</h1>");
    }
    let html = hyper::header::HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, html);
    Ok(response)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut listen = SocketAddr::from(([127, 0, 0, 1], 3000));
    let mut arguments = Arguments::from_env(USAGE);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--listen" => listen = arguments.value("--listen"),
            _ => arguments.refuse(&argument),
        }
    }

    let service = MarkdownForAgentsLayer::new().layer(service_fn(tides::<Incoming>));

    let listener = TcpListener::bind(listen)
        .await
        .map_err(|error| format!("{listen}: {error}"))?;
    let address = listener.local_addr()?;
    println!("curl http://{address}/");
    println!("curl -H 'Accept: text/markdown' http://{address}/");
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file descriptors, for example: wait for some to be closed.
                eprintln!("accept: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let connection = auto::Builder::new(TokioExecutor::new());
            if let Err(error) = connection
                .serve_connection(TokioIo::new(stream), service)
                .await
            {
                eprintln!("connection: {error}");
            }
        });
    }
}
