//! What a conversion asks of the allocator: counted, not timed.

#[path = "support/allocator.rs"]
mod allocator;
#[path = "../benches/pages/mod.rs"]
mod pages;

use allocator::{Cost, count};
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

/// Units of pages that could make a careless converter slow.
const HOSTILE: [(&str, &str); 20] = [
    ("open blocks", "<div>"),
    ("open quotes", "<blockquote>a"),
    ("open lists", "<ul><li>a"),
    ("open emphasis", "<b>a"),
    ("emphasis over blocks", "<p><i>a<b>"),
    ("open links", "<a href=/x>a"),
    ("crossed ends", "<b><i>a</b></i>"),
    ("stray ends", "</div></b></p>a"),
    ("open tables", "<table><tr><td>a"),
    ("rows without end", "<table><tr><td>a<td>b<tr>"),
    ("text in tables", "<table>a<tr>"),
    ("roots of foreign content", "<svg/>a<math><mi>b</math>"),
    ("open foreign content", "<svg><g>"),
    ("less-than signs", "<"),
    ("ampersands", "&"),
    ("unknown references", "&x;&#x;"),
    ("delimiters", "*_`~["),
    ("unpaired brackets in a link", "<a href=/>[[</a>"),
    ("attributes", "<p a b=c d='e' f>"),
    ("comments", "a<!-- -- -->"),
];

#[test]
fn four_times_the_page_costs_four_times_as_much() {
    let size = 50_000;
    for (kind, unit) in PAGES.into_iter().chain(HOSTILE) {
        let one = cost(&repeated(unit, size));
        let four = cost(&repeated(unit, 4 * size));
        // What a converter costs without any page, and buffers on their way to their bounds.
        let (constant, slack) = (500, 256 << 10);
        assert!(
            four.allocations <= 5 * one.allocations + constant,
            "{kind}: {one:?}, {four:?}"
        );
        assert!(
            four.bytes <= 5 * one.bytes + slack,
            "{kind}: {one:?}, {four:?}"
        );
    }
}

#[test]
fn one_endless_construct_costs_as_much_as_it_is_long() {
    for (kind, start, unit) in [
        ("attribute", "<a href='", "x"),
        ("attributes", "<p ", "a=b "),
        ("comment", "<!--", "-"),
        ("script", "<script>", "a<b "),
        ("hidden script", "<script><!--", "<script>"),
        ("title", "<title>", "a "),
        ("code", "<pre>", "a\n"),
        ("link text", "<a href=/>", "a "),
        ("word", "<p>", "a"),
        ("heading", "<h1>", "a b"),
        ("cell", "<table><td>", "a "),
        ("textarea", "<textarea>", "<"),
    ] {
        let page = |size| format!("{start}{}", repeated(unit, size));
        let one = cost(&page(250_000));
        let four = cost(&page(1_000_000));
        assert!(
            four.allocations <= 5 * one.allocations + 500,
            "{kind}: {one:?}, {four:?}"
        );
        assert!(
            four.bytes <= 5 * one.bytes + (1 << 20),
            "{kind}: {one:?}, {four:?}"
        );
    }
}
