//! However a page is cut, the Markdown is the same: for every kind of page that is known to be odd,
//! and long enough for all that happens only in long ones.

#[path = "../benches/kinds.rs"]
mod kinds;
#[path = "../benches/pages/mod.rs"]
mod pages;

use kinds::kinds;
use markdown_for_agents::convert::{Converter, Options};

/// More than a paragraph may be without a place to cut it, in bytes.
const SIZE: usize = 48 << 10;

/// What comes of a page that comes in chunks of this many bytes, and is taken behind each.
fn in_chunks(page: &str, length: usize) -> String {
    let mut converter = Converter::new(Options::new());
    let mut markdown = Vec::new();
    for chunk in page.as_bytes().chunks(length) {
        converter.write(chunk).unwrap();
        converter.flush();
        markdown.extend_from_slice(&converter.take());
    }
    converter.finish().unwrap();
    markdown.extend_from_slice(&converter.take());
    String::from_utf8(markdown).unwrap()
}

#[test]
fn every_kind_of_page_can_be_cut_anywhere() {
    for kind in kinds() {
        let page = kind.page(SIZE, 1) + "</pre></table><p>The *end*.";
        let whole = in_chunks(&page, page.len());
        for length in [5, 1013] {
            let cut = in_chunks(&page, length);
            let same = whole.bytes().zip(cut.bytes()).take_while(|(a, b)| a == b);
            let at = same.count();
            assert!(
                whole == cut,
                "{kind} in chunks of {length}, at byte {at}: {:?}, {:?}",
                whole.get(at.saturating_sub(20)..(at + 20).min(whole.len())),
                cut.get(at.saturating_sub(20)..(at + 20).min(cut.len())),
            );
        }
    }
}
