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

/// How many times the instructions four times the page may take. What is linear has been measured at
/// up to 5.2, where only the larger page reaches a bound, like that on elements in each other. What is
/// not begins at 5.6, because most of the work is linear even then.
const BOUND: f64 = 5.4;

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

fn main() -> Result<ExitCode, Failure> {
    let mut arguments = env::args().skip(1).filter(|a| a != "--bench");
    let filter = arguments.next().unwrap_or_default();
    let kinds: Vec<Kind> = kinds()
        .filter(|kind| kind.to_string().contains(&filter))
        .collect();
    // One of this many processes that count, each every so manyth kind.
    let place = (arguments.next(), arguments.next());
    if let (Some(first), Some(step)) = place {
        for kind in kinds.iter().skip(first.parse()?).step_by(step.parse()?) {
            for way in &WAYS {
                for times in [1, 4] {
                    black_box(work(black_box(kind.page(way.size, times).as_bytes()), way));
                }
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let folder = tempfile::tempdir()?;
    let processes = thread::available_parallelism()?.get();
    let children: Result<Vec<Child>, _> = (0..processes)
        .map(|place| start(folder.path(), &filter, place, processes))
        .collect();
    for mut child in children? {
        if !child.wait()?.success() {
            return Err("callgrind has failed".into());
        }
    }
    println!("{:>12} {:>6} {:>7}", "instructions", "times", "chunks");
    let mut wrong = 0;
    for (index, kind) in kinds.iter().enumerate() {
        let file = folder.path().join((index % processes).to_string());
        let name = kind.to_string();
        let mut is_linear = true;
        for (number, way) in WAYS.iter().enumerate() {
            let first = 1 + 2 * (index / processes * WAYS.len() + number);
            let one = counted(&file, first)?;
            let times = counted(&file, first + 1)? as f64 / one as f64;
            is_linear &= times <= BOUND;
            println!("{one:>12} {times:>6.2} {:>7}  {name}", way.name);
        }
        if !is_linear {
            wrong += 1;
            println!("{:>27}  NOT LINEAR", "");
        }
    }
    println!("{} kinds, {wrong} of them not linear", kinds.len());
    Ok(ExitCode::from(u8::from(wrong > 0)))
}

fn start(folder: &Path, filter: &str, place: usize, of: usize) -> Result<Child, Failure> {
    let file = folder.join(place.to_string());
    let child = Command::new("valgrind")
        .args(["-q", "--tool=callgrind"])
        .arg(format!("--toggle-collect={FUNCTION}"))
        .arg(format!("--dump-after={FUNCTION}"))
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(env::current_exe()?)
        .args([filter, &place.to_string(), &of.to_string()])
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
