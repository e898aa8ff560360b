//! Runs this crate, other converters and lol_html alone on the same pages, in turns, and prints
//! MB of HTML per second (medians) and how many times as fast this crate is.
//!
//! ```text
//! cargo run --release -- [--rounds N] [--limit MB] [--only NAME]... [FOLDER]...
//! ```
//!
//! Each folder is a group of its own. Without `--only`, all run.

mod contenders;
mod pages;
mod report;

use contenders::Contender;
use pages::Group;
use std::{env, hint::black_box, panic, path::PathBuf, process::exit, time::Instant};

struct Arguments {
    rounds: usize,
    limit: usize,
    only: Vec<String>,
    folders: Vec<PathBuf>,
}

fn arguments() -> Arguments {
    let mut parsed = Arguments {
        rounds: 9,
        limit: 24,
        only: Vec::new(),
        folders: Vec::new(),
    };
    let mut rest = env::args().skip(1);
    let number = |value: Option<String>| match value.and_then(|v| v.parse().ok()) {
        Some(number) if number > 0 => number,
        _ => {
            eprintln!("error: a number above 0 is needed");
            exit(2)
        }
    };
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--rounds" => parsed.rounds = number(rest.next()),
            "--limit" => parsed.limit = number(rest.next()),
            "--only" => parsed.only.extend(rest.next()),
            folder => parsed.folders.push(folder.into()),
        }
    }
    parsed
}

fn main() {
    let arguments = arguments();
    let contenders: Vec<Contender> = contenders::all()
        .into_iter()
        .filter(|c| arguments.only.is_empty() || arguments.only.iter().any(|o| o == c.name))
        .collect();
    let limit = arguments.limit * 1_000_000;
    let mut groups = vec![pages::embedded()];
    groups.extend(arguments.folders.iter().map(|f| pages::folder(f, limit)));
    groups.extend(pages::standard_library(limit));
    for group in groups {
        let group = without_failures(group, &contenders);
        if group.pages.is_empty() {
            println!("\n{}: no pages", group.name);
            continue;
        }
        let seconds = measure(&group, &contenders, arguments.rounds);
        report::print(&group, &contenders, &seconds);
    }
}

/// Only pages that everybody can convert are compared.
fn without_failures(mut group: Group, contenders: &[Contender]) -> Group {
    panic::set_hook(Box::new(|_| {}));
    let before = group.pages.len();
    group.pages.retain(|page| {
        contenders
            .iter()
            .all(|c| panic::catch_unwind(|| black_box((c.convert)(page))).is_ok())
    });
    let _ = panic::take_hook();
    let left_out = before - group.pages.len();
    if left_out > 0 {
        println!("{}: {left_out} pages left out that some cannot convert", group.name);
    }
    group
}

/// Bytes of pages that one contender converts before it is the next one's turn: long enough for the
/// caches, and short enough for what else the machine does to hit all of them alike.
const TURN: usize = 1_000_000;

/// Median seconds of each contender for all pages of the group. In one round all convert all pages,
/// in turns.
fn measure(group: &Group, contenders: &[Contender], rounds: usize) -> Vec<f64> {
    // A round of little HTML would measure the clock, and a turn as well.
    let bytes = group.bytes().max(1);
    let repeats = 1.max(TURN / bytes);
    let passes = 1.max(8 * TURN / bytes / repeats);
    let mut times = vec![Vec::with_capacity(rounds); contenders.len()];
    for _ in 0..rounds {
        let mut seconds = vec![0.; contenders.len()];
        for pages in std::iter::repeat_with(|| turns(&group.pages)).take(passes).flatten() {
            for (contender, seconds) in contenders.iter().zip(&mut seconds) {
                let start = Instant::now();
                for page in std::iter::repeat_n(pages, repeats).flatten() {
                    black_box((contender.convert)(black_box(page)));
                }
                *seconds += start.elapsed().as_secs_f64() / (repeats * passes) as f64;
            }
        }
        for (seconds, times) in seconds.into_iter().zip(&mut times) {
            times.push(seconds);
        }
    }
    times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        })
        .collect()
}

/// The pages of each turn.
fn turns(pages: &[String]) -> impl Iterator<Item = &[String]> {
    let mut bytes = 0;
    pages.chunk_by(move |page, _| {
        bytes += page.len();
        let goes_on = bytes < TURN;
        if !goes_on {
            bytes = 0;
        }
        goes_on
    })
}
