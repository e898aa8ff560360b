//! Reads an agents.md as an agent would, and says what it means.

use markdown_for_agents::agents_md::{AgentsMd, Origin, ROOT_PATH, Reader, WELL_KNOWN_PATH};
use reqwest::{Client, StatusCode, Url, redirect};
use std::error::Error;
use std::process::ExitCode;

/// Fails if there is something that an agent must not trust.
pub(crate) async fn run(source: &str, origin: Option<Origin>) -> Result<ExitCode, Box<dyn Error>> {
    let (text, fetched_from) = match Url::parse(source) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => {
            let (text, url) = fetch(url).await?;
            println!("Read {url}");
            (text, Some(Origin::of(url.as_str())?))
        }
        _ => (
            std::fs::read(source).map_err(|error| format!("{source}: {error}"))?,
            None,
        ),
    };
    let document = Reader::new()
        .read(&text)
        .map_err(|error| format!("{source}: {error}"))?;
    print(&document);
    let Some(origin) = fetched_from.or(origin) else {
        println!(
            "\nNot verified: a file says nothing about where it is from. Name its site with --origin."
        );
        return Ok(ExitCode::SUCCESS);
    };
    let findings = document.verify(&origin);
    println!("\nNot to be trusted, from {origin}:");
    print_list(findings.iter().map(ToString::to_string));
    if let Some(endpoint) = document.mcp().and_then(|mcp| mcp.endpoint()) {
        let forbidden = findings
            .iter()
            .any(|finding| finding.kind().forbids_connection());
        let verdict = if forbidden {
            "do not connect to"
        } else {
            "connect to"
        };
        println!("\nMCP: {verdict} {}", shown(endpoint));
    }
    Ok(if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn print(document: &AgentsMd) {
    println!("Site: {}", shown(document.name().unwrap_or("(no name)")));
    if let Some(description) = document.description() {
        print_list(description.lines());
    }
    for (title, lines) in [
        ("An agent may:", document.can()),
        ("An agent must not:", document.cannot()),
        ("An agent should:", document.behavior()),
        ("Contact:", document.contact()),
    ] {
        println!("\n{title}");
        print_list(lines);
    }
    for section in document.sections() {
        println!("\n{}:", shown(section.title()));
        print_list(section.body().lines());
    }
    println!("\nMCP server:");
    let Some(mcp) = document.mcp() else {
        return print_list([""; 0]);
    };
    print_list([
        format!("endpoint: {}", mcp.endpoint().unwrap_or("(not stated)")),
        format!(
            "transport: {}",
            mcp.stated_transport()
                .map_or("(not stated)", |t| t.as_str())
        ),
        format!(
            "auth: {}",
            mcp.stated_auth()
                .map_or("(not stated)", |auth| auth.as_str())
        ),
    ]);
    mcp.notes()
        .iter()
        .for_each(|note| println!("  {}", shown(note)));
}

fn print_list(lines: impl IntoIterator<Item = impl AsRef<str>>) {
    let mut lines = lines.into_iter().peekable();
    if lines.peek().is_none() {
        println!("  (nothing)");
    }
    lines.for_each(|line| println!("  {}", shown(line.as_ref())));
}

/// The text of another site must not steer the terminal.
fn shown(text: &str) -> String {
    text.chars()
        .flat_map(|c| match c {
            '\t' => vec![c],
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => c.escape_unicode().collect(),
            c if c.is_control() => c.escape_default().collect(),
            c => vec![c],
        })
        .collect()
}

/// The file at `url`, or if that has no path, the site's; and the address that it came from.
async fn fetch(url: Url) -> Result<(Vec<u8>, Url), Box<dyn Error>> {
    // The only file that counts is the site's own: a redirect to another origin is not followed.
    let same_origin = redirect::Policy::custom(|attempt| {
        let from = attempt.previous().last().map(Url::origin);
        if from == Some(attempt.url().origin()) && attempt.previous().len() < 10 {
            attempt.follow()
        } else {
            attempt.stop()
        }
    });
    // An error means that there is a provider already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().redirect(same_origin).build()?;
    let locations = match url.path() {
        "" | "/" => vec![url.join(WELL_KNOWN_PATH)?, url.join(ROOT_PATH)?],
        _ => vec![url],
    };
    let mut failure = String::new();
    for location in locations {
        let accept = "text/markdown, text/plain;q=0.9";
        let mut response = client
            .get(location.clone())
            .header("accept", accept)
            .send()
            .await?;
        if response.status() != StatusCode::OK {
            failure = format!("{location}: {}", response.status());
            continue;
        }
        let mut text = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            text.extend_from_slice(&chunk);
            // The reader refuses what is longer: there is no need to get it all.
            if text.len() > Reader::DEFAULT_MAX_SIZE {
                break;
            }
        }
        return Ok((text, response.url().clone()));
    }
    Err(failure.into())
}
