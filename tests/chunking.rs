//! However a page is cut, the Markdown is the same: for every kind of page that is known to be odd,
//! and long enough for all that happens only in long ones.

#[path = "support/chunks.rs"]
mod chunks;
#[path = "../benches/kinds.rs"]
mod kinds;
#[path = "../benches/pages/mod.rs"]
mod pages;

use chunks::in_chunks;
use kinds::kinds;
use markdown_for_agents::convert::{Converter, Options};

#[test]
fn every_kind_of_page_can_be_cut_anywhere() {
    // More than a paragraph may be without a place to cut it, in bytes.
    every_kind_can_be_cut(&Options::new(), 48 << 10);
}

#[test]
fn every_kind_of_page_beyond_its_limits_can_be_cut_anywhere() {
    let limit = 4 << 10;
    let options = Options::new()
        .max_code(limit)
        .max_table(limit)
        .max_structured_data(limit);
    every_kind_can_be_cut(&options, 6 * limit);
}

fn every_kind_can_be_cut(options: &Options, size: usize) {
    let mut differences = Vec::new();
    for kind in kinds() {
        let page = kind.page(size, 1) + "</pre></table><p>The *end*.";
        let whole = in_chunks(Converter::new(options.clone()), &page, page.len());
        let cut = in_chunks(Converter::new(options.clone()), &page, 5);
        if whole != cut {
            let same = whole.bytes().zip(cut.bytes()).take_while(|(a, b)| a == b);
            let at = same.count();
            let around = |text: &str| {
                let end = text.floor_char_boundary(at + 20);
                text[text.floor_char_boundary(at.saturating_sub(20))..end].to_owned()
            };
            differences.push(format!(
                "{kind} at {at}: {:?}, {:?}",
                around(&whole),
                around(&cut)
            ));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn what_vanishes_at_the_end_of_a_block_may_come_late() {
    let blanks = "&#8203; ".repeat(1200);
    let spaces = "&nbsp;".repeat(9000);
    for page in [
        "<p>1.<br>&nbsp;</p>".to_owned(),
        "<p>a*<br>&nbsp;</p>b".to_owned(),
        "<h2>Title # <b>&nbsp;</b></h2>".to_owned(),
        "<p>a* <b>&nbsp;</b></p>".to_owned(),
        format!("<p>{blanks}</p>a"),
        format!("<p>{spaces}</p>a"),
        format!("<p>{spaces}x</p>a"),
        format!("<p>a {spaces}</p>b"),
        format!("a<br>b<code><i>x</i>y</code>{}", "a__b".repeat(8000)),
        format!("<p>a{}</p>b", "<br>".repeat(3000)),
        "<p>One.<br><br>[Note that this is so.] And more.".to_owned(),
        "<p>One.<br><br>[a b]: c".to_owned(),
        "<p>One.<br><br>_ _ _".to_owned(),
        "<p>One two.<br>[a b<br><br>- - -<br>= =".to_owned(),
        "<h2>t&lt;<a href=#> &para;</a>d".to_owned(),
        "<h2>Title # <a href=#x>&para;</a></h2>".to_owned(),
        "<h3><em>m)</em><a href=#> &para;</a>n".to_owned(),
        "<p>1.<a class=permalink href=#x><br>#<b> </b></a>".to_owned(),
        format!("<h3>a<<a href=#>{}</a>b", " #".repeat(33)),
        format!("<h3>{}<a href=#> #</a> end", "a-b".repeat(6000)),
    ] {
        let whole = in_chunks(Converter::new(Options::new()), &page, page.len());
        for length in [1, 3, 1000] {
            let cut = in_chunks(Converter::new(Options::new()), &page, length);
            assert!(
                whole == cut,
                "{:?} in chunks of {length}: {:?}, {:?}",
                page.get(..30),
                whole.get(..60),
                cut.get(..60)
            );
        }
    }
    assert_eq!(
        in_chunks(Converter::new(Options::new()), "<p>1.<br>&nbsp;</p>", 1),
        "1\\.\n"
    );
}

/// What is too long for one part is cut between pieces of code, not within them.
#[test]
fn code_stays_in_one_piece_wherever_a_paragraph_is_cut() {
    for words in 16_340..16_400 {
        let page = format!("<p>{}<code>abcd</code>Q</p>", "x".repeat(words));
        for options in [Options::new(), Options::verbatim()] {
            let markdown = in_chunks(Converter::new(options), &page, page.len());
            assert!(markdown.ends_with("x`abcd`Q\n"), "{words}");
        }
    }
}
