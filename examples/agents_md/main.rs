//! A site with an agents.md and the MCP server that it names; and a reader of other sites' agents.md.
//!
//! ```text
//! cargo run --features agents-md --example agents_md                     # serve on 127.0.0.1:3000
//! curl -i http://127.0.0.1:3000/.well-known/agents.md
//!
//! cargo run --features agents-md --example agents_md -- --check http://127.0.0.1:3000
//! cargo run --features agents-md --example agents_md -- --check agents.md --origin https://shop.example
//! ```

mod check;
mod shop;

use markdown_for_agents::agents_md::Origin;
use std::error::Error;
use std::process::ExitCode;

const USAGE: &str = "usage: agents_md [--listen ADDR] [--origin URL]
       agents_md --check URL|FILE [--origin URL]

  --listen ADDR      serve a shop with an agents.md and an MCP server (default 127.0.0.1:3000)
  --check URL|FILE   read an agents.md; of a URL without a path, the one of the site
  --origin URL       the public origin of the shop, or the site that FILE is from";

#[derive(Debug, Default)]
struct Arguments {
    listen: Option<String>,
    check: Option<String>,
    origin: Option<String>,
}

fn arguments() -> Option<Arguments> {
    let mut arguments = Arguments::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = match word.as_str() {
            "--listen" => &mut arguments.listen,
            "--check" => &mut arguments.check,
            "--origin" => &mut arguments.origin,
            _ => return None,
        };
        *value = Some(words.next()?);
    }
    Some(arguments)
}

#[tokio::main]
async fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(arguments).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("agents_md: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("  because: {error}");
                cause = error.source();
            }
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let origin = arguments.origin.as_deref().map(Origin::of).transpose()?;
    match arguments.check {
        Some(source) => check::run(&source, origin).await,
        None => {
            serve(
                arguments.listen.as_deref().unwrap_or("127.0.0.1:3000"),
                origin,
            )
            .await
        }
    }
}

async fn serve(address: &str, origin: Option<Origin>) -> Result<ExitCode, Box<dyn Error>> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    let local = format!("http://{}", listener.local_addr()?);
    let origin = match origin {
        Some(origin) => origin,
        None => Origin::of(&local)?,
    };
    let site = shop::site(&origin)?;
    println!("curl -i {local}/.well-known/agents.md");
    println!("agents_md --check {local}");
    axum::serve(listener, site).await?;
    Ok(ExitCode::SUCCESS)
}
