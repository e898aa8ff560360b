//! A small site, or a folder of HTML files, that agents can read as Markdown.
//!
//! ```text
//! cargo run --release --example axum
//! cargo run --release --example axum -- path/to/folder
//! ```

#[path = "../support/arguments.rs"]
mod arguments;
mod site;

use arguments::Arguments;
use axum::Router;
use markdown_for_agents::MarkdownForAgentsLayer;
use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::ExitCode,
};
use tokio::net::TcpListener;
use tower_http::services::ServeDir;

const USAGE: &str = "\
usage: axum [--listen ADDR] [FOLDER]

  FOLDER          serve this folder, index.html for its directories (default: an embedded site)
  --listen ADDR   address and port to serve (default 127.0.0.1:3000)
  --help          print this text
";

#[tokio::main]
async fn main() -> ExitCode {
    let mut listen = SocketAddr::from(([127, 0, 0, 1], 3000));
    let mut folder: Option<PathBuf> = None;
    let mut arguments = Arguments::from_env(USAGE);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--listen" => listen = arguments.value("--listen"),
            option if option.starts_with('-') => arguments.refuse(option),
            operand if folder.is_none() => folder = Some(operand.into()),
            _ => arguments.refuse(&argument),
        }
    }

    let (pages, path) = match &folder {
        None => (site::router(), "/docs/getting-started"),
        Some(folder) if folder.is_dir() => (files(folder), "/"),
        Some(folder) => {
            eprintln!("error: {}: no such folder", folder.display());
            return ExitCode::FAILURE;
        }
    };
    match serve(listen, pages.layer(MarkdownForAgentsLayer::new()), path).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {listen}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn files(folder: &Path) -> Router {
    Router::new().fallback_service(ServeDir::new(folder))
}

async fn serve(listen: SocketAddr, router: Router, path: &str) -> std::io::Result<()> {
    let listener = TcpListener::bind(listen).await?;
    let address = listener.local_addr()?;
    println!("The page as a browser gets it, and as an agent does:\n");
    println!("  curl http://{address}{path}");
    println!("  curl -H 'Accept: text/markdown' http://{address}{path}");
    axum::serve(listener, router).await
}
