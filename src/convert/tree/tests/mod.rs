//! The stack against the tree of html5ever: every character of a page has the same ancestors.

mod cases;
mod oracle;
mod soup;

use self::soup::{MarkedPage, Random, Token};
use super::{Kept, Sink, Tree};
use crate::convert::element::{COUNT, Element};
use crate::convert::tag::{Markup, StartTag, TagReader};
use lol_html::html_content::TextType;
use lol_html::{HtmlRewriter, Settings, doc_comments, doc_text};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

/// The elements that Markdown has a form for.
const STRUCTURE: [&str; 28] = [
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "ul",
    "ol",
    "blockquote",
    "pre",
    "code",
    "a",
    "b",
    "strong",
    "i",
    "em",
    "table",
    "tr",
    "td",
    "th",
    "dl",
    "dt",
    "dd",
    "caption",
    "s",
    "hr",
];

/// Where a character stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Place {
    /// One bit for each element of [`STRUCTURE`] that is an ancestor.
    ancestors: u32,
    /// It belongs before the table that it is written in.
    fostered: bool,
    /// It is no part of the document.
    inert: bool,
}

impl Place {
    fn add(&mut self, name: &[u8]) {
        if let Some(bit) = STRUCTURE.iter().position(|s| s.as_bytes() == name) {
            self.ancestors |= 1 << bit;
        }
    }

    fn names(self) -> Vec<&'static str> {
        (0..STRUCTURE.len())
            .filter(|bit| self.ancestors & (1 << bit) != 0)
            .map(|bit| STRUCTURE[bit])
            .collect()
    }
}

const FIRST_MARKER: u32 = 0x1_0000;

fn marker(number: usize) -> char {
    char::from_u32(FIRST_MARKER + number as u32).expect("a page has fewer texts than that")
}

fn is_marker(c: char) -> bool {
    c as u32 >= FIRST_MARKER
}

/// Knows at each time which elements are open.
#[derive(Debug)]
struct Recorder {
    open: [u32; COUNT],
    misplaced: bool,
    head_ended: bool,
    places: HashMap<char, Place>,
}

impl Recorder {
    fn text(&mut self, text: &str) {
        if !text.contains(is_marker) {
            return;
        }
        let mut place = Place {
            fostered: self.misplaced,
            inert: self.open[Element::Template as usize] > 0,
            ..Place::default()
        };
        for name in STRUCTURE {
            if self.open[Element::from_name(name.as_bytes()) as usize] > 0 {
                place.add(name.as_bytes());
            }
        }
        for marker in text.chars().filter(|&c| is_marker(c)) {
            self.places.insert(marker, place);
        }
    }
}

impl Sink for Recorder {
    fn open(&mut self, tag: &StartTag<'_>, foreign: bool) -> Kept {
        if foreign || tag.element.is_void() {
            return Kept::default();
        }
        self.open[tag.element as usize] += 1;
        Kept {
            shown: true,
            ..Kept::default()
        }
    }

    fn open_implied(&mut self, element: Element) -> Kept {
        if element.is_void() {
            return Kept::default();
        }
        self.open[element as usize] += 1;
        Kept {
            shown: true,
            ..Kept::default()
        }
    }

    fn reopen(&mut self, element: Element, kept: Kept) -> Kept {
        self.open[element as usize] += 1;
        kept
    }

    fn close(&mut self, element: Element, kept: Kept, _: bool) {
        if kept.shown {
            self.open[element as usize] -= 1;
        }
    }

    fn misplaced_in_table(&mut self, misplaced: bool) {
        assert_ne!(
            self.misplaced, misplaced,
            "the sink is told of changes only"
        );
        self.misplaced = misplaced;
    }

    fn white_space(&mut self, text: &str) {
        self.text(text);
    }

    fn end_head(&mut self) {
        assert!(!self.head_ended, "the head ends once");
        self.head_ended = true;
    }
}

struct Driver {
    tree: Tree,
    tags: TagReader,
    recorder: Recorder,
    comment: bool,
    ignore: bool,
    self_closed: Option<Element>,
}

impl Driver {
    fn markup(&mut self, run: &[u8]) {
        if std::mem::take(&mut self.comment) || self.ignore {
            return;
        }
        let mut rest = run;
        while let Some((markup, length)) = self.tags.next(rest) {
            match markup {
                Markup::Start(tag) => {
                    self.self_closed = (tag.self_closing && !self.tree.in_foreign_content())
                        .then_some(tag.element);
                    self.tree.start(&tag, &mut self.recorder);
                }
                Markup::End(element, name) => self.tree.end(element, name, &mut self.recorder),
                Markup::Doctype(text) => self.tree.doctype(text),
            }
            rest = &rest[length..];
        }
    }
}

/// Where the stack has each marked character of the page.
fn places(tokens: &[Token]) -> HashMap<char, Place> {
    let driver = Rc::new(RefCell::new(Driver {
        tree: Tree::new(),
        tags: TagReader::default(),
        recorder: Recorder {
            open: [0; COUNT],
            misplaced: false,
            head_ended: false,
            places: HashMap::new(),
        },
        comment: false,
        ignore: false,
        self_closed: None,
    }));
    let (on_comment, on_text, on_markup) = (driver.clone(), driver.clone(), driver.clone());
    let settings = Settings::new()
        .with_strict(false)
        .append_document_content_handler(doc_comments!(move |_comment| {
            on_comment.borrow_mut().comment = true;
            Ok(())
        }))
        .append_document_content_handler(doc_text!(move |text| {
            let Driver {
                tree,
                recorder,
                ignore,
                ..
            } = &mut *on_text.borrow_mut();
            if !text.as_str().is_empty() && !*ignore {
                let markup_text =
                    !matches!(text.text_type(), TextType::RawText | TextType::ScriptData);
                tree.text(text.as_str(), recorder);
                if markup_text {
                    recorder.text(text.as_str());
                }
            }
            text.set_str(String::new());
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, move |run: &[u8]| {
        on_markup.borrow_mut().markup(run);
    });
    for token in tokens {
        rewriter.write(token.html().as_bytes()).unwrap();
        // The engine sees to it that lol_html leaves a root that closed itself.
        let end = match driver.borrow_mut().self_closed.take() {
            Some(Element::Svg) => "</svg>",
            Some(Element::Math) => "</math>",
            _ => continue,
        };
        driver.borrow_mut().ignore = true;
        rewriter.write(end.as_bytes()).unwrap();
        driver.borrow_mut().ignore = false;
    }
    rewriter.end().unwrap();
    let driver = &mut *driver.borrow_mut();
    driver.tree.finish(&mut driver.recorder);
    assert!(
        driver.recorder.open.iter().all(|&n| n == 0),
        "what opens closes"
    );
    assert!(!driver.recorder.misplaced && driver.recorder.head_ended);
    std::mem::take(&mut driver.recorder.places)
}

/// Characters of pages, by how the stack and the tree agree on them.
#[derive(Debug, Default)]
struct Agreement {
    same: usize,
    /// The same until an end tag moved them: nothing that streams can know.
    moved: usize,
    different: usize,
    /// Left out of the comparison: before their table in the tree.
    fostered: usize,
    /// Of these: not known to the stack as misplaced.
    unnoticed: usize,
    first_difference: Option<String>,
}

impl Agreement {
    fn compare(&mut self, page: &MarkedPage) {
        let html = page.html();
        let tree = oracle::places(&html);
        let stack = places(&page.tokens);
        for (number, &weight) in page.weights.iter().enumerate() {
            let marker = marker(number);
            let (theirs, our) = match (tree.get(&marker), stack.get(&marker)) {
                // What a template holds is no part of the page, however it is parsed.
                (theirs, Some(our)) if our.inert && theirs.is_none_or(|p| p.last.inert) => continue,
                (None, None) => continue,
                both => both,
            };
            if theirs.is_some_and(|p| p.last.fostered) {
                self.fostered += weight;
                if !our.is_some_and(|p| p.fostered) {
                    self.unnoticed += weight;
                }
                continue;
            }
            let agrees = |theirs: Place| {
                our.is_some_and(|our| {
                    !our.inert && !theirs.inert && our.ancestors == theirs.ancestors
                })
            };
            if theirs.is_some_and(|p| agrees(p.last)) {
                self.same += weight;
            } else if theirs.is_some_and(|p| agrees(p.first)) {
                self.moved += weight;
            } else {
                self.different += weight;
                self.first_difference.get_or_insert_with(|| {
                    let at = html.find(marker).unwrap_or_default();
                    let from = html.floor_char_boundary(at.saturating_sub(300));
                    let to = html.ceil_char_boundary((at + 40).min(html.len()));
                    format!(
                        "tree {:?}, stack {:?}, at the last of {:?}",
                        theirs.map(|p| p.first.names()),
                        our.map(|p| p.names()),
                        &html[from..to]
                    )
                });
            }
        }
    }

    fn total(&self) -> usize {
        self.same + self.moved + self.different
    }

    /// The share of the characters that have the same ancestors in the end.
    fn share(&self) -> f64 {
        self.same as f64 / self.total().max(1) as f64
    }

    fn report(&self, what: &str) {
        println!(
            "{what}: {:.4} % of {} characters have the same ancestors; {} were moved later, {} \
             differ; left out: {} before their table, {} of them unnoticed{}",
            self.share() * 100.0,
            self.total(),
            self.moved,
            self.different,
            self.fostered,
            self.unnoticed,
            self.first_difference
                .as_ref()
                .map(|d| format!("; first difference: {d}"))
                .unwrap_or_default()
        );
    }
}

/// The pages of these folders, or of the toolchain's documentation: up to so many of each.
fn pages(count: usize) -> Vec<String> {
    let mut folders = Vec::new();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    if let Ok(output) = Command::new(rustc).args(["--print", "sysroot"]).output() {
        let sysroot = String::from_utf8_lossy(&output.stdout);
        let html = Path::new(sysroot.trim()).join("share/doc/rust/html");
        folders.extend(["book", "std/vec"].map(|f| html.join(f)));
    }
    // More folders, with a colon between.
    if let Some(more) = std::env::var_os("HTML_PAGES") {
        folders.extend(std::env::split_paths(&more));
    }
    let mut pages = Vec::new();
    for folder in folders {
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "html"))
            .collect();
        files.sort();
        let step = files.len().div_ceil(count).max(1);
        for file in files.iter().step_by(step) {
            if let Ok(bytes) = std::fs::read(file) {
                pages.push(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    pages
}

/// Pages of each folder: all would take minutes without optimisation.
fn page_count() -> usize {
    std::env::var("HTML_PAGES_EACH")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(12)
}

/// Pages that are always there.
const EMBEDDED: [&str; 3] = [
    include_str!("pages/article.html"),
    include_str!("pages/reference.html"),
    include_str!("pages/forum.html"),
];

#[test]
fn every_character_of_well_formed_pages_stands_where_the_standard_has_it() {
    let mut agreement = Agreement::default();
    for html in EMBEDDED
        .iter()
        .map(|&p| p.to_owned())
        .chain(pages(page_count()))
    {
        agreement.compare(&MarkedPage::new(&html));
    }
    agreement.report("pages");
    assert_eq!((agreement.different, agreement.moved), (0, 0));
}

#[test]
fn end_tags_that_may_be_left_out_are_not_missed() {
    let mut agreement = Agreement::default();
    for html in EMBEDDED
        .iter()
        .map(|&p| p.to_owned())
        .chain(pages(page_count()))
    {
        let mut page = MarkedPage::new(&html);
        page.without_optional_end_tags();
        agreement.compare(&page);
    }
    agreement.report("pages without optional end tags");
    assert_eq!((agreement.different, agreement.moved), (0, 0));
}

#[test]
fn tag_soup_of_real_pages_comes_out_as_the_standard_has_it() {
    let mut agreement = Agreement::default();
    for (seed, html) in EMBEDDED
        .iter()
        .cycle()
        .take(30)
        .map(|&p| p.to_owned())
        .chain(pages(page_count()))
        .enumerate()
    {
        let mut page = MarkedPage::new(&html);
        page.stir(&mut Random::new(seed as u64));
        agreement.compare(&page);
    }
    agreement.report("tag soup");
    assert_eq!(agreement.different, 0);
    assert!(agreement.share() >= 0.995, "{}", agreement.share());
}

const INLINE: &[&str] = &[
    "p",
    "a",
    "b",
    "i",
    "div",
    "em",
    "li",
    "ul",
    "span",
    "h1",
    "nobr",
    "button",
    "blockquote",
];

const TABLE: &[&str] = &[
    "table", "tr", "td", "th", "tbody", "caption", "thead", "b", "p", "div", "a", "col", "colgroup",
];

/// All that a rule of the standard names, but `frameset`, which would be all of the page, and
/// `template`, whose content is nothing of it.
const ALL: &[&str] = &[
    "p",
    "h1",
    "h2",
    "li",
    "ul",
    "ol",
    "blockquote",
    "pre",
    "code",
    "a",
    "b",
    "strong",
    "i",
    "em",
    "table",
    "tr",
    "td",
    "th",
    "dl",
    "dt",
    "dd",
    "div",
    "span",
    "tbody",
    "caption",
    "button",
    "form",
    "select",
    "option",
    "optgroup",
    "section",
    "title",
    "ruby",
    "rt",
    "br",
    "hr",
    "input",
    "thead",
    "nobr",
    "font",
    "x-a",
    "body",
    "html",
    "head",
    "address",
    "col",
    "colgroup",
    "object",
    "textarea",
    "img",
    "center",
    "dialog",
    "rtc",
    "rp",
    "image",
    "x-a",
    "x-b",
];

/// Apart, since html5ever does not have the integration points in the category "special".
const FOREIGN: &[&str] = &[
    "svg",
    "math",
    "mi",
    "mtext",
    "desc",
    "foreignobject",
    "g",
    "title",
    "p",
    "li",
    "b",
    "a",
    "div",
    "table",
    "td",
    "dd",
    "font",
];

#[test]
fn random_tags_nest_as_the_standard_has_it() {
    let count: u64 = std::env::var("RANDOM_PAGES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(3000);
    for (what, names) in [
        ("inline tags", INLINE),
        ("table tags", TABLE),
        ("all tags", ALL),
        ("foreign tags", FOREIGN),
    ] {
        let mut agreement = Agreement::default();
        for seed in 0..count {
            let page = soup::random_page(&mut Random::new(seed), names);
            agreement.compare(&page);
        }
        agreement.report(what);
        if names != FOREIGN {
            assert_eq!(
                agreement.different, 0,
                "{what}: {:?}",
                agreement.first_difference
            );
            assert_eq!(agreement.unnoticed, 0, "{what}");
        }
        assert!(agreement.share() >= 0.995, "{what}: {}", agreement.share());
    }
}

#[track_caller]
fn agrees(html: &str) {
    let mut agreement = Agreement::default();
    agreement.compare(&MarkedPage::new(html));
    assert!(
        agreement.total() + agreement.fostered > 0,
        "{html}: no text was compared"
    );
    assert_eq!(agreement.different, 0, "{:?}", agreement.first_difference);
    assert_eq!(agreement.unnoticed, 0, "{html}");
}
