//! gRPC and HTML behind one layer: calls pass unchanged, trailers included; the page is converted.
//!
//! The service is gRPC's own health check. When the server is up, the program calls it once over
//! the network to show that the call comes through.
//!
//! ```text
//! cargo run --example tonic
//! ```

#[path = "support/arguments.rs"]
mod arguments;

use arguments::Arguments;
use axum::{Router, response::Html, routing::get};
use markdown_for_agents::MarkdownForAgentsLayer;
use std::{error::Error, net::SocketAddr};
use tokio::net::TcpListener;
use tonic::{
    service::Routes,
    transport::{Channel, Endpoint, Server, server::TcpIncoming},
};
use tonic_health::{
    ServingStatus,
    pb::{HealthCheckRequest, health_client::HealthClient},
};

const USAGE: &str = "\
usage: tonic [--listen ADDR]

  --listen ADDR   address and port to serve (default 127.0.0.1:3000)
  --help          print this text
";

const PAGE: &str = "<!doctype html>
<html lang=en>
<head><title>Health service</title></head>
<body>
<nav><a href=/>Home</a></nav>
<h1>Health service</h1>
<p>Ask <code>grpc.health.v1.Health</code> whether a service is up:</p>
<pre><code class=language-sh>grpcurl -plaintext -d '{\"service\": \"tides\"}' \\
    -proto health.proto 127.0.0.1:3000 grpc.health.v1.Health/Check
</code></pre>
<p>The answer is <code>SERVING</code>, <code>NOT_SERVING</code> or the error <code>NOT_FOUND</code>.</p>
</body>
</html>
";

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

    let (reporter, health) = tonic_health::server::health_reporter();
    reporter
        .set_service_status("tides", ServingStatus::Serving)
        .await;
    let pages = Router::new().route("/", get(|| async { Html(PAGE) }));

    let listener = TcpListener::bind(listen)
        .await
        .map_err(|error| format!("{listen}: {error}"))?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(
        Server::builder()
            // Browsers and curl speak HTTP/1.1, gRPC needs HTTP/2: serve both.
            .accept_http1(true)
            .layer(MarkdownForAgentsLayer::new())
            .add_routes(Routes::from(pages).add_service(health))
            .serve_with_incoming(TcpIncoming::from(listener)),
    );

    println!("curl http://{address}/");
    println!("curl -H 'Accept: text/markdown' http://{address}/");
    println!("health of tides over gRPC: {}", check(address).await?);
    Ok(server.await??)
}

/// Calls the health service as any gRPC client would. The status of a call is in its trailers: one
/// without them is an error here.
async fn check(address: SocketAddr) -> Result<&'static str, Box<dyn Error>> {
    let channel: Channel = Endpoint::from_shared(format!("http://{address}"))?
        .connect()
        .await?;
    let request = HealthCheckRequest {
        service: "tides".to_owned(),
    };
    let answer = HealthClient::new(channel)
        .check(request)
        .await?
        .into_inner();
    Ok(answer.status().as_str_name())
}
