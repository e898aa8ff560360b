//! Pages and the Markdown that is right for them, as data: `specs/*.md`, one case under each
//! heading, which says why. A case is a fence of eight backticks around HTML, a line with a full
//! stop, and Markdown.
//!
//! The Markdown, rendered, must have the words of the page. Where it means to have others, lines
//! before the fence say which, in reading order: `- Dropped: ` what the page has and the Markdown
//! has not, `- Added: ` the other way about.

#[path = "support/chunks.rs"]
mod chunks;
#[path = "support/page_text.rs"]
mod page_text;

use chunks::in_chunks;
use markdown_for_agents::convert::{Converter, Options};
use page_text::{page_text, words};
use std::path::Path;

const FENCE: &str = "````````";
const DROPPED: &str = "- Dropped: ";
const ADDED: &str = "- Added: ";

struct Case<'a> {
    why: &'a str,
    html: &'a str,
    markdown: &'a str,
}

impl Case<'_> {
    /// How the words of the page differ from those of the Markdown, but for what the case says.
    fn difference(&self) -> Option<String> {
        let page = self.without(DROPPED, &page_text(self.html));
        let markdown = self.without(ADDED, &page_text(&rendered(self.markdown)));
        match (page, markdown) {
            (Ok(page), Ok(markdown)) if page == markdown => None,
            (Ok(page), Ok(markdown)) => Some(format!(
                "-- words of the page\n{page}\n-- words of the Markdown\n{markdown}"
            )),
            (Err(piece), _) | (_, Err(piece)) => Some(format!("-- it has no {piece:?}")),
        }
    }

    /// The text without the pieces that lines with this beginning name, or the first that it has
    /// not.
    fn without(&self, beginning: &str, text: &str) -> Result<String, String> {
        let mut kept = String::new();
        let mut rest = text;
        for piece in self.why.lines().filter_map(|l| l.strip_prefix(beginning)) {
            let (before, after) = rest.split_once(piece).ok_or(piece)?;
            kept += before;
            rest = after;
        }
        Ok(words(&(kept + rest)))
    }
}

/// The Markdown as HTML; its front matter is no text.
fn rendered(markdown: &str) -> String {
    use pulldown_cmark::{Options, Parser, html};
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(markdown, options));
    page
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let (start, end) = (format!("\n{FENCE}html\n"), format!("\n{FENCE}\n"));
    let mut cases = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(&*start) {
        let why = before
            .rsplit("\n## ")
            .next()
            .expect("a heading")
            .trim_ascii();
        let (case, after) = after.split_once(&*end).expect("a closed fence");
        let (html, markdown) = match case.split_once("\n.\n") {
            Some(parts) => parts,
            None => (case.strip_suffix("\n.").expect("a full stop"), ""),
        };
        cases.push(Case {
            why,
            html,
            markdown,
        });
        rest = after;
    }
    cases
}

fn convert(html: &str, chunk: usize) -> String {
    let converter = Converter::new(Options::new()).url("https://example.com/docs/page");
    let markdown = in_chunks(converter, html, chunk);
    // The address of the page is part of every front matter; most cases are not about it.
    let front = "---\nurl: \"https://example.com/docs/page\"\n---\n";
    let body = markdown.strip_prefix(front).unwrap_or(&markdown);
    body.trim_matches('\n').to_owned()
}

fn check(name: &str, least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/specs")
        .join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let cases = cases(&text);
    assert!(cases.len() >= least, "{name} has {} cases", cases.len());
    let mut failures = String::new();
    for case in &cases {
        if let Some(difference) = case.difference() {
            failures += &format!("\n== {}\n{difference}\n", case.why);
        }
        for chunk in [usize::MAX, 7, 1] {
            let markdown = convert(case.html, chunk);
            if markdown != case.markdown {
                failures += &format!(
                    "\n== {} (pieces of {chunk})\n-- html\n{}\n-- expected\n{}\n-- got\n{markdown}\n",
                    case.why, case.html, case.markdown
                );
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn headings() {
    check("headings.md", 12);
}

#[test]
fn paragraphs() {
    check("paragraphs.md", 57);
}

#[test]
fn escaping() {
    check("escaping.md", 66);
}

#[test]
fn links() {
    check("links.md", 37);
}

#[test]
fn images() {
    check("images.md", 20);
}

#[test]
fn lists() {
    check("lists.md", 44);
}

#[test]
fn code() {
    check("code.md", 59);
}

#[test]
fn tables() {
    check("tables.md", 42);
}

#[test]
fn other() {
    check("other.md", 50);
}

#[test]
fn metadata() {
    check("metadata.md", 4);
}

#[test]
fn malformed() {
    check("malformed.md", 32);
}

#[test]
fn generators() {
    check("generators.md", 40);
}
