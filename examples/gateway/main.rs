//! A streaming reverse proxy that gives a site Markdown for agents without touching its server.
//!
//! ```text
//! cargo run --release --example gateway -- --upstream http://127.0.0.1:8080
//! ```

#[path = "../support/arguments.rs"]
mod arguments;
mod fields;
#[cfg(feature = "markway")]
mod markway;
mod proxy;
mod server;
mod upload;

use arguments::Arguments;
use fields::Forwarded;
use markdown_for_agents::MarkdownForAgentsLayer;
use proxy::{Proxy, Settings, Upstream, UpstreamProtocol};
use server::serve;
use std::{net::SocketAddr, num::NonZeroU64, process::ExitCode, time::Duration};
use tokio::net::TcpListener;

const USAGE: &str = "\
usage: gateway --upstream URL [--listen ADDR] [--public-url URL] [--timeout SECONDS]
               [--upstream-h2c] [--trust-forwarded] [--error-pages]
               [--markway-static | --markway-dynamic] [--english]

  --upstream URL      the server behind the gateway: http://HOST[:PORT]
  --listen ADDR       address and port to serve (default 127.0.0.1:3000)
  --public-url URL    address that the outside world knows, for the links in the Markdown and for
                      X-Forwarded-Proto (default: the Host of each request, http)
  --timeout SECONDS   how long the upstream may take to answer with a head (default 60); the body
                      that follows may take any time
  --upstream-h2c      speak HTTP/2 with prior knowledge to the upstream, for gRPC (default HTTP/1.1)
  --trust-forwarded   a proxy in front sets X-Forwarded-For, -Host and -Proto: believe and extend them
  --error-pages       convert the HTML of 4xx and 5xx answers too
  --markway-static    make the site a static MarkWay site (needs the feature markway), at --public-url
                      or at the address that is served
  --markway-dynamic   or a dynamic one
  --english           what MarkWay adds is in English (default Chinese)
  --help              print this text

The gateway speaks HTTP/1.1 and HTTP/2 (h2c) without TLS. The upstream gets the client's Host, the
path and the query byte for byte, X-Forwarded-For, -Host and -Proto, and Via. HTTP/1.1 upgrades
(WebSocket) are tunnelled. No connection to the upstream, or a broken one: 502. No answer in time: 504.
";

#[tokio::main]
async fn main() -> ExitCode {
    let mut listen = SocketAddr::from(([127, 0, 0, 1], 3000));
    let mut upstream: Option<Upstream> = None;
    let mut public_url: Option<String> = None;
    let mut timeout = Duration::from_secs(60);
    let mut protocol = UpstreamProtocol::Http1;
    let mut forwarded = Forwarded::Untrusted;
    let mut error_pages = false;
    #[cfg(feature = "markway")]
    let mut markway = markway::Choice::default();

    let mut arguments = Arguments::from_env(USAGE);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--listen" => listen = arguments.value("--listen"),
            "--upstream" => upstream = Some(arguments.value("--upstream")),
            "--public-url" => public_url = Some(arguments.value("--public-url")),
            "--timeout" => {
                timeout = Duration::from_secs(arguments.value::<NonZeroU64>("--timeout").get());
            }
            "--upstream-h2c" => protocol = UpstreamProtocol::Http2,
            "--trust-forwarded" => forwarded = Forwarded::Trusted,
            "--error-pages" => error_pages = true,
            #[cfg(feature = "markway")]
            option if markway.takes(option) => {}
            _ => arguments.refuse(&argument),
        }
    }
    let Some(upstream) = upstream else {
        eprintln!("error: --upstream is missing\n\n{}", USAGE.trim_end());
        return ExitCode::from(2);
    };

    let mut layer = MarkdownForAgentsLayer::new()
        .error_pages(error_pages)
        .trust_forwarded(forwarded == Forwarded::Trusted);
    // What stands behind a gateway may have been through another one.
    #[cfg(feature = "decompression")]
    {
        layer = layer.max_codings(2);
    }
    let mut scheme = "http";
    if let Some(url) = &public_url {
        layer = match layer.public_base(url) {
            Ok(layer) => layer,
            Err(error) => {
                eprintln!("error: --public-url {url}: {error}");
                return ExitCode::from(2);
            }
        };
        if url.to_ascii_lowercase().starts_with("https:") {
            scheme = "https";
        }
    }
    let proxy = Proxy::new(Settings {
        upstream,
        protocol,
        timeout,
        scheme,
        forwarded,
    });
    match TcpListener::bind(listen).await {
        Ok(listener) => {
            // Whatever port a `:0` became.
            println!(
                "listening on http://{}",
                listener.local_addr().unwrap_or(listen)
            );
            #[cfg(feature = "markway")]
            {
                let url = public_url.unwrap_or(format!(
                    "http://{}",
                    listener.local_addr().unwrap_or(listen)
                ));
                match markway.layer(&url, layer.clone()) {
                    Ok(Some(layer)) => match serve(&listener, &layer, &proxy).await {},
                    Ok(None) => {}
                    Err(error) => {
                        eprintln!("error: {url}: {error}");
                        return ExitCode::from(2);
                    }
                }
            }
            match serve(&listener, &layer, &proxy).await {}
        }
        Err(error) => {
            eprintln!("error: {listen}: {error}");
            ExitCode::FAILURE
        }
    }
}
