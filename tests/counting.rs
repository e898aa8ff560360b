//! What a conversion asks of the allocator: counted, not timed.

#[path = "support/allocator.rs"]
mod allocator;
#[path = "../benches/kinds.rs"]
mod kinds;
#[path = "../benches/pages/mod.rs"]
mod pages;

use allocator::{Cost, count};
use kinds::kinds;
use markdown_for_agents::convert::{Converter, Options};
use pages::PAGES;

/// What it costs to convert the page in chunks of 16 KiB.
fn cost(page: &str) -> Cost {
    let convert = || {
        let mut converter = Converter::new(Options::new());
        for piece in page.as_bytes().chunks(16 << 10) {
            converter.write(piece).unwrap();
            drop(converter.take());
        }
        converter.finish().unwrap();
        drop(converter.take());
    };
    count(convert).1
}

/// About `size` bytes: as many pages in a row.
fn repeated(unit: &str, size: usize) -> String {
    unit.repeat(size.div_ceil(unit.len()))
}

/// For each kind of page: how many allocations 1 MB of it may cost, and how many bytes in all are
/// asked for per byte of it.
const BOUNDS: [(&str, usize, f64); 6] = [
    ("article", 20_000, 4.5),
    ("api-docs", 48_000, 10.0),
    ("tables", 66_000, 13.5),
    ("code", 43_000, 16.0),
    ("lists", 19_000, 4.0),
    ("scripts", 9_000, 3.0),
];

#[test]
fn a_page_asks_for_few_allocations() {
    let costs = PAGES.map(|(kind, page)| {
        let page = repeated(page, 1_000_000);
        let cost = cost(&page);
        let per_mb = cost.allocations * 1_000_000 / page.len();
        (kind, per_mb, cost.bytes as f64 / page.len() as f64)
    });
    for (cost, bound) in costs.iter().zip(BOUNDS) {
        assert_eq!(cost.0, bound.0);
        assert!(
            cost.1 <= bound.1 && cost.2 <= bound.2,
            "of {costs:#?}, {cost:?} exceeds {bound:?}"
        );
    }
}

/// The smaller of two pages, in bytes. The larger one is longer than what is held of a table or of code,
/// and not longer than a tag may be, at which a buffer doubles once more.
const SIZE: usize = 60 << 10;

#[test]
fn four_times_the_page_costs_four_times_as_much() {
    for kind in kinds() {
        let one = cost(&kind.page(SIZE, 1));
        let four = cost(&kind.page(SIZE, 4));
        // A table that is no longer held costs more by the row than one that is.
        assert!(
            four.allocations <= 5 * one.allocations + 2000,
            "{kind}: {one:?}, {four:?}"
        );
        // Buffers double on their way to what a tag may take, 256 KiB.
        assert!(
            four.bytes <= 5 * one.bytes + (1536 << 10),
            "{kind}: {one:?}, {four:?}"
        );
        assert!(
            four.peak <= 5 * one.peak + (64 << 10),
            "{kind}: {one:?}, {four:?}"
        );
    }
}
