//! Measures the converter and the layer on this machine and prints a table.
//!
//! ```text
//! cargo run --release --example benchmark -- [FOLDER] [--json FILE] [--svg FILE]
//! cargo run --release --example benchmark -- --requests N [--layer PLACE]
//! ```

#[path = "../support/arguments.rs"]
mod arguments;
mod chart;
mod conversion;
mod load;
mod memory;
#[path = "../../benches/pages/mod.rs"]
mod pages;
mod passthrough;
mod report;
mod server;
mod trickle;

use arguments::Arguments;
use indicatif::{ProgressBar, ProgressStyle};
use passthrough::Place;
use report::Report;
use std::{error::Error, fs, num::NonZero, path::PathBuf};

type Failure = Box<dyn Error + Send + Sync>;

const USAGE: &str = "\
usage: benchmark [FOLDER] [--json FILE] [--svg FILE]
       benchmark --requests N [--layer PLACE]

  FOLDER        measure on the HTML files below it (default: six pages of this crate)
  --json FILE   write the figures as JSON
  --svg FILE    write a chart
  --requests N  measure nothing, only send N requests of a browser for a page of 20 KB to a server
                in this thread: for a counter of instructions, by the difference of two runs
  --layer PLACE with --requests: none, service (around the router) or router (the default)
  --help        print this text
";

#[global_allocator]
static ALLOCATOR: memory::Measuring = memory::Measuring;

fn main() -> Result<(), Failure> {
    let (mut folder, mut json, mut svg) = (None::<PathBuf>, None::<PathBuf>, None::<PathBuf>);
    let (mut requests, mut place) = (None::<NonZero<usize>>, None::<Place>);
    let mut arguments = Arguments::from_env(USAGE);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => json = Some(arguments.value("--json")),
            "--svg" => svg = Some(arguments.value("--svg")),
            "--requests" => requests = Some(arguments.value("--requests")),
            "--layer" => place = Some(arguments.value("--layer")),
            path if folder.is_none() && !path.starts_with('-') => folder = Some(path.into()),
            _ => arguments.refuse(&argument),
        }
    }
    if let Some(requests) = requests {
        // Nothing is measured: there are no pages to measure on and no figures to write.
        for (option, is_given) in [
            ("FOLDER", folder.is_some()),
            ("--json", json.is_some()),
            ("--svg", svg.is_some()),
        ] {
            if is_given {
                arguments.refuse(&format!("{option} with --requests"));
            }
        }
        let bytes = passthrough::serve(requests.get(), place.unwrap_or(Place::Router))?;
        println!("{requests} requests, {bytes} bytes of responses");
        return Ok(());
    }
    if place.is_some() {
        arguments.refuse("--layer without --requests");
    }
    let corpus = match &folder {
        Some(folder) => load::folder(folder)?,
        None => load::embedded(),
    };
    let report = tokio::runtime::Runtime::new()?.block_on(measure(corpus))?;
    report.print();
    if let Some(path) = json {
        fs::write(path, serde_json::to_string_pretty(&report)? + "\n")?;
    }
    if let Some(path) = svg {
        fs::write(path, chart::svg(&report))?;
    }
    Ok(())
}

async fn measure(corpus: load::Corpus) -> Result<Report, Failure> {
    let steps = conversion::ROUNDS + server::KINDS.len() + 1 + memory::MEGABYTES.len();
    let bar = ProgressBar::new(steps as u64);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}")?);

    bar.set_message("conversion");
    let conversion = conversion::measure(&corpus, || bar.inc(1));
    let page = load::typical(&corpus);
    let mut servers = Vec::new();
    for kind in server::KINDS {
        bar.set_message(kind.name);
        servers.push(server::measure(&kind, page.clone()).await?);
        bar.inc(1);
    }
    bar.set_message("trickling upstream");
    let trickle = trickle::measure().await?;
    bar.inc(1);
    let mut memory = Vec::new();
    for megabytes in memory::MEGABYTES {
        bar.set_message(format!("memory at {megabytes} MB"));
        memory.push(memory::measure(&page, megabytes).await?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Report {
        corpus: corpus.name,
        pages: corpus.pages.len(),
        html_bytes: corpus.pages.iter().map(|p| p.len()).sum(),
        conversion,
        served_page_bytes: page.len(),
        servers,
        trickle,
        memory,
    })
}
