//! Memory does not grow with the page, and work grows no faster than the page: allocated bytes are
//! counted, nothing is timed.
//!
//! `LIMITS_MEBIBYTES` sets the size of the pages: 2 by default, for the sake of builds without
//! optimisation. The bounds are the same for any size.

#[path = "support/allocator.rs"]
mod allocator;

use allocator::count;
use markdown_for_agents::convert::{Converter, Options};

/// The size of a page in bytes.
fn page_size() -> usize {
    let mebibytes = std::env::var("LIMITS_MEBIBYTES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(2);
    mebibytes << 20
}

/// A page that is never in memory: a beginning, a part that is repeated, an end.
#[derive(Debug, Clone, Copy)]
struct Page {
    start: &'static str,
    part: &'static str,
    end: &'static str,
}

impl Page {
    /// Converts it in frames as a server sends them. Returns how much Markdown there is, and its end.
    fn convert(self, size: usize) -> (usize, Vec<u8>) {
        let frame = self.part.repeat(((8 << 10) / self.part.len()).max(1));
        let mut converter = Converter::new(Options::new().front_matter(false));
        let (mut output, mut tail) = (0, Vec::new());
        let mut take = |converter: &mut Converter| {
            let markdown = converter.take();
            output += markdown.len();
            if !markdown.is_empty() {
                tail.clear();
                tail.extend_from_slice(&markdown[markdown.len().saturating_sub(64)..]);
            }
        };
        converter.write(self.start.as_bytes()).unwrap();
        for _ in 0..size.div_ceil(frame.len()) {
            converter.write(frame.as_bytes()).unwrap();
            converter.flush();
            take(&mut converter);
        }
        converter.write(self.end.as_bytes()).unwrap();
        converter.finish().unwrap();
        take(&mut converter);
        (output, tail)
    }
}

/// Less than the page, and enough for a few times the largest token.
const BOUND: usize = 1280 << 10;

#[track_caller]
fn is_bounded(what: &str, page: Page) {
    let size = page_size();
    let ((output, tail), cost) = count(|| page.convert(size));
    println!(
        "{what}: {} MiB of HTML, {} KiB at most, {} allocations, {output} bytes of Markdown",
        size >> 20,
        cost.peak >> 10,
        cost.allocations,
    );
    assert!(cost.peak < BOUND, "{what}: {} bytes", cost.peak);
    let tail = String::from_utf8_lossy(&tail);
    assert!(tail.trim_end().ends_with("The end."), "{what}: {tail:?}");
    // A quarter of the page costs a quarter of the allocations, but for what every page costs.
    let (_, quarter) = count(|| page.convert(size / 4));
    assert!(
        cost.allocations <= quarter.allocations * 4 + quarter.allocations / 20 + 1000,
        "{what}: {} allocations for a quarter, {} for all",
        quarter.allocations,
        cost.allocations
    );
}

macro_rules! pages {
    ($($name:ident: $start:expr, $part:expr, $end:expr;)*) => {$(
        #[test]
        fn $name() {
            is_bounded(stringify!($name), Page { start: $start, part: $part, end: $end });
        }
    )*};
}

const END: &str = "<p>The end.";

pages! {
    many_paragraphs: "", "<p>Some <b>words</b> and a <a href=/x>link</a> &amp; more.</p>\n", END;
    one_long_paragraph: "<p>", "Some words and no end, ", "</p><p>The end.";
    one_word: "<p>", "word", "</p><p>The end.";
    one_table: "<table><tr><th>a<th>b", "<tr><td>cell</td><td>more | of it</td></tr>\n", "</table><p>The end.";
    one_row: "<table><tr>", "<td>cell</td>", "</table><p>The end.";
    one_cell: "<table><tr><td>", "text of a cell ", "</table><p>The end.";
    misplaced_text: "<table>", "text <b>x</b><tr><td>y</td></tr>", "</table><p>The end.";
    one_pre: "<pre>", "fn main() { let a = `b`; }\n", "</pre><p>The end.";
    one_line_of_code: "<pre>", "x ", "</pre><p>The end.";
    one_list: "<ul>", "<li>An item with <i>words</i></li>\n", "</ul><p>The end.";
    one_item: "<ul><li>", "<p>A paragraph</p>", "</ul><p>The end.";
    one_quote: "<blockquote>", "<p>A paragraph</p>", "</blockquote><p>The end.";
    one_heading: "<h1>", "words of a heading ", "</h1><p>The end.";
    one_link: "<p><a href=/x>", "words of a link ", "</a></p><p>The end.";
    one_script: "<script>", "if (a < b) { c(\"</p>\") }\n", "</script><p>The end.";
    one_escaped_script: "<script><!--", "if (a < b) { c(\"</p>\") }\n", "--></script><p>The end.";
    one_comment: "<!--", " -- > a comment ", "--><p>The end.";
    one_attribute: "<p title='", "a value > ", "'></p><p>The end.";
    many_attributes: "<p ", "a=b ", "></p><p>The end.";
    one_tag_name: "<x", "xxxx", "></x><p>The end.";
    one_title: "<title>", "a title ", "</title><p>The end.";
    one_textarea: "<textarea>", "a text ", "</textarea><p>The end.";
    structured_data: "<script type=application/ld+json>", "{\"a\":1}", "</script><p>The end.";
    much_markup_of_nothing: "", "<span></span><!-- -->", END;
    unclosed_divs: "", "<div>", "The end.";
    unclosed_paragraphs: "", "<p>a", END;
    unclosed_quotes: "", "<blockquote>a", "The end.";
    unclosed_roots: "", "<svg>", "</svg><p>The end.";
    unclosed_objects_in_a_table: "<table>", "<object></table><table>", "</table></object><p>The end.";
    stray_end_tags: "", "</b></p></div></x></td>", END;
    adopted_formatting: "", "<b>y<div></b>", "</div><p>The end.";
    unknown_elements: "", "<x-a><x-b></x-c>", "</x-a><p>The end.";
    many_brackets: "<p>", "a < b << c, and so on, ", "<p>The end.";
    only_ampersands: "<p>", "&", "<p>The end.";
    only_blanks: "<p>", " \n", "<p>The end.";
    only_stars: "<p>", "*_`[]", "<p>The end.";
}
