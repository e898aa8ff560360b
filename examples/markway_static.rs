//! Serves a folder as a static MarkWay site.
//!
//! ```sh
//! cargo run --release --features markway --example markway_static -- [--listen ADDR] [--base-url URL] [--english] [FOLDER]
//! curl http://127.0.0.1:3000/index.md
//! ```

use axum::Router;
use markdown_for_agents::markway::{BaseUrl, Language, MarkWayLayer, ServeFolder};
use std::error::Error;
use tower::Layer;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut listen = "127.0.0.1:3000".to_owned();
    let mut base_url = None;
    let mut language = Language::Chinese;
    let mut folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/markway_docs").to_owned();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--listen" => listen = arguments.next().ok_or("--listen needs an address")?,
            "--base-url" => base_url = Some(arguments.next().ok_or("--base-url needs a URL")?),
            "--english" => language = Language::English,
            _ => folder = argument,
        }
    }

    let listener = tokio::net::TcpListener::bind(&listen).await?;
    let base_url: BaseUrl = base_url
        .unwrap_or(format!("http://{}", listener.local_addr()?))
        .parse()?;
    let files = ServeFolder::new(&folder)?.in_language(language);
    let site = MarkWayLayer::static_site(base_url.clone())
        .language(language)
        .layer(files);
    println!(
        "{folder} is at {base_url}. Try:\n\n    curl {base_url}/index.md\n    curl {base_url}/protocol.md\n"
    );
    axum::serve(listener, Router::new().fallback_service(site)).await?;
    Ok(())
}
