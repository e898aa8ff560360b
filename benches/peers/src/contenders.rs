//! What is compared, each with its default options. Streams get 16 KiB at a time.

use lol_html::{
    HtmlRewriter, OutputSink, Settings, doc_comments, doc_text, element, send, text,
};
use markdown_for_agents::convert::{Converter, Options};
use mdream::{HtmlToMarkdownOptions, MarkdownStreamProcessor};
use std::{cell::Cell, rc::Rc};

const CHUNK: usize = 16 << 10;

pub struct Contender {
    pub name: &'static str,
    /// Converts a page and returns a number that depends on the whole output.
    pub convert: fn(&str) -> usize,
}

/// All contenders, this crate first.
pub fn all() -> Vec<Contender> {
    vec![
        Contender {
            name: "markdown-for-agents",
            convert: ours,
        },
        Contender {
            name: "mdream, streaming",
            convert: mdream_streaming,
        },
        Contender {
            name: "mdream, one shot",
            convert: |page| {
                mdream::html_to_markdown(page, HtmlToMarkdownOptions::default()).len()
            },
        },
        Contender {
            name: "fast_html2md",
            convert: |page| html2md::rewrite_html(page, false).len(),
        },
        Contender {
            name: "htmd",
            convert: |page| htmd::convert(page).expect("a page that can be converted").len(),
        },
        Contender {
            name: "html-to-markdown-rs",
            convert: |page| {
                let result = html_to_markdown_rs::convert(page, None);
                result.expect("a page that can be converted").content.map_or(0, |c| c.len())
            },
        },
        Contender {
            name: "mdka",
            convert: |page| mdka::html_to_markdown(page).len(),
        },
        Contender {
            name: "lol_html: no handlers",
            convert: |page| parse(page, Settings::new()),
        },
        Contender {
            name: "lol_html: text, comments, tags in the sink",
            convert: lol_html_without_selectors,
        },
        Contender {
            name: "lol_html: `*` and text",
            convert: lol_html_with_selector,
        },
    ]
}

fn ours(page: &str) -> usize {
    let mut converter = Converter::new(Options::new());
    let mut length = 0;
    for chunk in page.as_bytes().chunks(CHUNK) {
        converter.write(chunk).expect("a page");
        length += converter.take().len();
    }
    converter.finish().expect("a page");
    length + converter.take().len()
}

fn mdream_streaming(page: &str) -> usize {
    let mut processor = MarkdownStreamProcessor::new(HtmlToMarkdownOptions::default());
    let mut length = 0;
    let mut rest = page;
    while !rest.is_empty() {
        // It takes whole characters only.
        let (chunk, after) = rest.split_at(rest.floor_char_boundary(CHUNK));
        length += processor.process_chunk(chunk).len();
        rest = after;
    }
    length + processor.finish().len()
}

struct Count(Rc<Cell<usize>>);

impl OutputSink for Count {
    fn handle_chunk(&mut self, chunk: &[u8]) {
        self.0.set(self.0.get() + chunk.len());
    }
}

fn parse<H: lol_html::HandlerTypes>(page: &str, settings: Settings<'_, '_, H>) -> usize {
    let count = Rc::new(Cell::new(0));
    let mut rewriter = HtmlRewriter::new(settings.with_strict(false), Count(count.clone()));
    for chunk in page.as_bytes().chunks(CHUNK) {
        rewriter.write(chunk).expect("a page");
    }
    rewriter.end().expect("a page");
    count.get()
}

/// As this crate uses it: whatever reaches the sink is a tag.
fn lol_html_without_selectors(page: &str) -> usize {
    let settings: send::Settings<'_, '_> = Settings::new_send()
        .append_document_content_handler(doc_comments!(|_comment| Ok(())))
        .append_document_content_handler(doc_text!(|text| {
            text.set_str(String::new());
            Ok(())
        }));
    parse(page, settings)
}

fn lol_html_with_selector(page: &str) -> usize {
    let settings = Settings::new()
        .append_element_content_handler(element!("*", |_element| Ok(())))
        .append_element_content_handler(text!("*", |_text| Ok(())));
    parse(page, settings)
}
