//! Time is linear in the page: instructions are counted for every kind of page at one size and at
//! four times that size. Ends with exit code 1 where they grow faster.
//!
//! ```text
//! cargo bench --bench growth               # every kind
//! cargo bench --bench growth -- '<table>'  # the kinds with this in their names
//! ```
//!
//! The program runs itself under callgrind (valgrind must be there), which counts in [`work`] alone
//! and writes down what it has counted each time that function returns: neither the start of a
//! process nor the making of a page is in it.

mod kinds;
mod pages;

use kinds::{Kind, kinds};
use markdown_for_agents::convert::{Converter, Options};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::process::{Child, Command, ExitCode};
use std::{env, fs, thread};

type Failure = Box<dyn Error>;

/// How a page comes, and what is made of it.
struct Way {
    name: &'static str,
    options: fn() -> Options,
    /// Bytes that come at once. What is ready is taken behind each.
    chunk: usize,
    /// The smaller of the two sizes of a page, in bytes.
    size: usize,
}

const WAYS: [Way; 2] = [
    Way {
        name: "16 KiB",
        options: low_limits,
        chunk: 16 << 10,
        size: 16 << 10,
    },
    // What is looked at again with each byte is seen in a short page.
    Way {
        name: "1 byte",
        options: all_options,
        chunk: 1,
        size: 1 << 10,
    },
];

/// How many times the instructions four times the page may take, where the smaller page has some
/// [`ROUNDS`] of sizes. A kind is linear if it keeps to this at one of them: where a larger page is the
/// first to reach a bound, like that on elements in each other, it takes more than the bytes explain,
/// but only once. What is not linear goes on.
const BOUND: f64 = 4.5;

/// How often four times the size is tried.
const ROUNDS: u32 = 3;

/// Limits that the smaller page exceeds too, so that what streams is counted and not what is held.
fn low_limits() -> Options {
    let limit = 4 << 10;
    Options::new()
        .max_code(limit)
        .max_table(limit)
        .max_structured_data(limit)
}

/// Everything that is off by default.
fn all_options() -> Options {
    Options::new()
        .main_content_only(true)
        .link_lists_as_tables("Address", "Description")
        .navigation_at_end("Elsewhere")
        .rewrite_links(0, |address| Some(address.to_owned()))
}

/// What is counted. Not inlined, because callgrind knows it by its name.
#[inline(never)]
fn work(page: &[u8], way: &Way) -> usize {
    // Without a charset, the first 1,024 bytes are looked at again with each chunk. That is bounded, and
    // would hide what grows.
    let mut converter = Converter::new((way.options)())
        .url("https://example.com/a/")
        .charset("utf-8");
    let mut length = 0;
    for piece in page.chunks(way.chunk) {
        converter.write(piece).expect("the page is HTML");
        converter.flush();
        length += converter.take().len();
    }
    converter.finish().expect("the page is HTML");
    length + converter.take().len()
}

const FUNCTION: &str = "growth::work";

/// The first argument of a process that is run by callgrind. The size and the kinds follow.
const CHILD: &str = "--count";

/// Instructions for each of [`WAYS`]: for one size, and for four times that.
type Counts = [[u64; 2]; WAYS.len()];

fn main() -> Result<ExitCode, Failure> {
    let mut arguments = env::args().skip(1).filter(|a| a != "--bench").peekable();
    if arguments.next_if(|a| a == CHILD).is_some() {
        let sizes = arguments.next().ok_or("no size")?.parse()?;
        let indices = arguments.map(|index| index.parse::<usize>());
        run(sizes, indices.collect::<Result<_, _>>()?);
        return Ok(ExitCode::SUCCESS);
    }
    let filter = arguments.next().unwrap_or_default();
    let kinds: Vec<Kind> = kinds().collect();
    let mut left: Vec<usize> = (0..kinds.len())
        .filter(|&index| kinds[index].to_string().contains(&filter))
        .collect();
    let number = left.len();
    println!("{:>12} {:>6} {:>7}", "instructions", "times", "chunks");
    for round in 0..ROUNDS {
        if left.is_empty() {
            break;
        }
        if round > 0 {
            println!("over {BOUND} times; {} times the size:", 1 << (2 * round));
        }
        let counts = count(&left, 1 << (2 * round))?;
        left = counts
            .into_iter()
            .filter(|(index, counts)| {
                for (way, [one, four]) in WAYS.iter().zip(counts) {
                    let (times, name) = (times(*one, *four), kinds[*index]);
                    println!("{one:>12} {times:>6.2} {:>7}  {name}", way.name);
                }
                counts.iter().any(|[one, four]| times(*one, *four) > BOUND)
            })
            .map(|(index, _)| index)
            .collect();
    }
    for &index in &left {
        println!("NOT LINEAR: {}", kinds[index]);
    }
    println!("{number} kinds, {} of them not linear", left.len());
    Ok(ExitCode::from(u8::from(!left.is_empty())))
}

fn times(one: u64, four: u64) -> f64 {
    four as f64 / one as f64
}

/// What is counted, of the kinds with these indices.
fn run(sizes: usize, indices: Vec<usize>) {
    let kinds: Vec<Kind> = kinds().collect();
    for index in indices {
        for way in &WAYS {
            for times in [1, 4] {
                let page = kinds[index].page(way.size * sizes, times);
                black_box(work(black_box(page.as_bytes()), way));
            }
        }
    }
}

/// For each of the kinds and each of [`WAYS`]: the instructions for so many times the size of the way,
/// and for four times that.
fn count(indices: &[usize], sizes: usize) -> Result<Vec<(usize, Counts)>, Failure> {
    let folder = tempfile::tempdir()?;
    let processes = thread::available_parallelism()?.get().min(indices.len());
    let shares: Vec<Vec<usize>> = (0..processes)
        .map(|first| {
            indices
                .iter()
                .copied()
                .skip(first)
                .step_by(processes)
                .collect()
        })
        .collect();
    let children: Result<Vec<Child>, _> = shares
        .iter()
        .enumerate()
        .map(|(place, share)| start(&folder.path().join(place.to_string()), sizes, share))
        .collect();
    for mut child in children? {
        if !child.wait()?.success() {
            return Err("callgrind has failed".into());
        }
    }
    let mut counts = Vec::with_capacity(indices.len());
    for (place, share) in shares.iter().enumerate() {
        let file = folder.path().join(place.to_string());
        let mut call = 0;
        let mut next = || {
            call += 1;
            counted(&file, call)
        };
        for &index in share {
            counts.push((index, [[next()?, next()?], [next()?, next()?]]));
        }
    }
    counts.sort_unstable_by_key(|&(index, _)| index);
    Ok(counts)
}

fn start(file: &Path, sizes: usize, indices: &[usize]) -> Result<Child, Failure> {
    let child = Command::new("valgrind")
        .args(["-q", "--tool=callgrind"])
        .arg(format!("--toggle-collect={FUNCTION}"))
        .arg(format!("--dump-after={FUNCTION}"))
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(env::current_exe()?)
        .args([CHILD.to_owned(), sizes.to_string()])
        .args(indices.iter().map(usize::to_string))
        .spawn();
    Ok(child.map_err(|error| format!("valgrind: {error}"))?)
}

/// The instructions of one call.
fn counted(file: &Path, number: usize) -> Result<u64, Failure> {
    let path = file.with_extension(number.to_string());
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let totals = text.lines().find_map(|line| line.strip_prefix("totals: "));
    Ok(totals.ok_or("callgrind gives no totals")?.parse()?)
}
