//! What a reader sees of a document, in a form that two documents can be compared by: its blocks in
//! each other, and the characters in them with their links, code and emphasis.
//!
//! Runs of blanks are one blank, blanks at the edges of a block and marks on blanks do not count,
//! tight and loose lists are the same, and so are marks that follow each other closely or stand in
//! each other in another order. Blocks without content are left out.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "every test binary uses a part of this"
)]

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::fmt::Write as _;

/// Kinds of emphasis, as bits.
pub const EMPHASIS: u8 = 1;
pub const STRONG: u8 = 2;
pub const STRIKETHROUGH: u8 = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Glyph {
    shown: String,
    link: Option<String>,
    code: bool,
    emphasis: u8,
}

impl Glyph {
    fn is_blank(&self) -> bool {
        self.shown.chars().all(char::is_whitespace)
    }
}

#[derive(Debug)]
enum Node {
    Container(String, Vec<Self>),
    Leaf(String, Vec<Glyph>),
    Code(String, String),
    Rule,
}

/// What two documents are compared by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The words, set apart by blanks.
    pub text: String,
    /// Blocks, characters, links and code.
    pub structure: String,
    /// The kinds of emphasis of each character that is no blank.
    pub emphasis: Vec<u8>,
}

impl Outline {
    /// The document as pulldown-cmark reads it.
    pub fn of_markdown(markdown: &str) -> Self {
        let mut builder = Builder::default();
        for event in Parser::new_ext(markdown, extensions()) {
            builder.event(event);
        }
        builder.finish()
    }

    /// Whether no character has emphasis that it does not have in `other`.
    pub fn emphasis_is_within(&self, other: &Self) -> bool {
        self.emphasis.len() == other.emphasis.len()
            && self
                .emphasis
                .iter()
                .zip(&other.emphasis)
                .all(|(mine, theirs)| mine & !theirs == 0)
    }
}

/// GFM as this crate writes it.
pub fn extensions() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Builds an outline from events in reading order.
#[derive(Debug, Default)]
pub struct Builder {
    open: Vec<(String, Vec<Node>)>,
    top: Vec<Node>,
    leaf: Option<(String, Vec<Glyph>)>,
    links: Vec<String>,
    emphasis: Vec<u8>,
    code: bool,
    code_block: Option<(String, String)>,
    image: Option<(String, String)>,
}

impl Builder {
    fn nodes(&mut self) -> &mut Vec<Node> {
        match self.open.last_mut() {
            Some((_, nodes)) => nodes,
            None => &mut self.top,
        }
    }

    pub fn open(&mut self, name: &str) {
        self.end_leaf();
        self.open.push((name.to_owned(), Vec::new()));
    }

    pub fn close(&mut self) {
        self.end_leaf();
        if let Some((name, nodes)) = self.open.pop() {
            self.nodes().push(Node::Container(name, nodes));
        }
    }

    pub fn leaf(&mut self, name: &str) {
        self.end_leaf();
        self.leaf = Some((name.to_owned(), Vec::new()));
    }

    pub fn end_leaf(&mut self) {
        if let Some((name, glyphs)) = self.leaf.take() {
            self.nodes().push(Node::Leaf(name, glyphs));
        }
    }

    fn glyph(&mut self, shown: String) {
        let glyph = Glyph {
            shown,
            link: self.links.last().cloned(),
            code: self.code,
            emphasis: self.emphasis.iter().fold(0, |all, one| all | one),
        };
        let (_, glyphs) = self.leaf.get_or_insert_with(|| ("p".into(), Vec::new()));
        glyphs.push(glyph);
    }

    pub fn text(&mut self, text: &str) {
        if let Some((_, alt)) = &mut self.image {
            alt.push_str(text);
        } else if let Some((_, code)) = &mut self.code_block {
            code.push_str(text);
        } else {
            for c in text.chars() {
                self.glyph(c.to_string());
            }
        }
    }

    pub fn code(&mut self, text: &str) {
        self.code = true;
        self.text(text);
        self.code = false;
    }

    pub fn line_break(&mut self) {
        let in_heading = matches!(&self.leaf, Some((name, _)) if name.starts_with('h'));
        if in_heading || self.image.is_some() {
            self.text(" ");
        } else {
            self.glyph("↵".into());
        }
    }

    pub fn image(&mut self, destination: &str, title: &str, alt: &str) {
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        self.glyph(format!("⟨img {destination} {title:?} {alt:?}⟩"));
    }

    pub fn open_emphasis(&mut self, kind: u8) {
        self.emphasis.push(kind);
    }

    pub fn close_emphasis(&mut self) {
        self.emphasis.pop();
    }

    pub fn open_link(&mut self, destination: &str, title: &str) {
        self.links.push(format!("⟨a {destination} {title:?}⟩"));
    }

    pub fn close_link(&mut self) {
        self.links.pop();
    }

    pub fn code_block(&mut self, language: &str, text: &str) {
        self.end_leaf();
        let text = text.trim_end_matches('\n');
        let node = Node::Code(language.into(), text.into());
        self.nodes().push(node);
    }

    pub fn rule(&mut self) {
        self.end_leaf();
        self.nodes().push(Node::Rule);
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) if self.image.is_some() => self.text(&text),
            Event::Code(text) => self.code(&text),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.line_break(),
            Event::Rule => self.rule(),
            Event::TaskListMarker(done) => self.text(if done { "☑ " } else { "☐ " }),
            Event::InlineHtml(html) if &*html == "<br>" => self.line_break(),
            Event::Html(html) | Event::InlineHtml(html) => self.glyph(format!("⟨html {html}⟩")),
            other => self.glyph(format!("⟨{other:?}⟩")),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.leaf("p"),
            Tag::Heading { level, .. } => self.leaf(&format!("h{}", level as u8)),
            Tag::BlockQuote(_) => self.open("quote"),
            Tag::CodeBlock(kind) => {
                self.end_leaf();
                let language = match kind {
                    // The first word of an info string names the language (CommonMark §4.5).
                    CodeBlockKind::Fenced(info) => {
                        info.split_whitespace().next().unwrap_or_default().into()
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                self.code_block = Some((language, String::new()));
            }
            Tag::List(None) => self.open("ul"),
            Tag::List(Some(start)) => self.open(&format!("ol@{start}")),
            Tag::Item => self.open("li"),
            Tag::Table(_) => self.open("table"),
            Tag::TableHead | Tag::TableRow => self.open("row"),
            Tag::TableCell => self.leaf("cell"),
            Tag::Emphasis => self.open_emphasis(EMPHASIS),
            Tag::Strong => self.open_emphasis(STRONG),
            Tag::Strikethrough => self.open_emphasis(STRIKETHROUGH),
            Tag::Link {
                dest_url, title, ..
            } => self.open_link(&dest_url, &title),
            Tag::Image {
                dest_url, title, ..
            } if self.image.is_none() => {
                self.image = Some((format!("{dest_url} {:?}", &*title), String::new()));
            }
            Tag::Image { .. } | Tag::HtmlBlock => {}
            other => self.open(&format!("{other:?}")),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell | TagEnd::HtmlBlock => {
                self.end_leaf();
            }
            TagEnd::CodeBlock => {
                if let Some((language, text)) = self.code_block.take() {
                    self.code_block(&language, &text);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => self.close_emphasis(),
            TagEnd::Link => self.close_link(),
            TagEnd::Image => {
                if let Some((target, alt)) = self.image.take() {
                    let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
                    self.glyph(format!("⟨img {target} {alt:?}⟩"));
                }
            }
            _ => self.close(),
        }
    }

    pub fn finish(mut self) -> Outline {
        self.end_leaf();
        while !self.open.is_empty() {
            self.close();
        }
        let mut outline = Outline {
            text: String::new(),
            structure: String::new(),
            emphasis: Vec::new(),
        };
        for node in self.top.into_iter().flat_map(pruned) {
            show(&node, 0, &mut outline);
        }
        outline.text = outline
            .text
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        outline
    }
}

/// The node without what shows nothing: none if that is all of it, several where an empty line parts a
/// paragraph.
fn pruned(node: Node) -> Vec<Node> {
    let kept = match node {
        Node::Container(name, nodes) => {
            let mut nodes: Vec<Node> = nodes.into_iter().flat_map(pruned).collect();
            if name == "row" {
                while matches!(nodes.last(), Some(Node::Leaf(_, glyphs)) if glyphs.is_empty()) {
                    nodes.pop();
                }
            }
            (!nodes.is_empty()).then_some(Node::Container(name, nodes))
        }
        Node::Leaf(name, glyphs) if name == "p" => {
            let parts = parts(glyphs).into_iter().map(collapsed);
            return parts
                .filter(|p| !p.is_empty())
                .map(|p| Node::Leaf(name.clone(), p))
                .collect();
        }
        Node::Leaf(name, glyphs) => {
            let glyphs = collapsed(glyphs);
            (!glyphs.is_empty() || name == "cell").then_some(Node::Leaf(name, glyphs))
        }
        Node::Code(_, ref text) if text.trim().is_empty() => None,
        other => Some(other),
    };
    kept.into_iter().collect()
}

/// The parts of a paragraph between line breaks that leave a line empty.
fn parts(glyphs: Vec<Glyph>) -> Vec<Vec<Glyph>> {
    let mut parts = vec![Vec::new()];
    let mut empty_line = false;
    for glyph in glyphs {
        let is_break = glyph.shown == "↵";
        if is_break && empty_line {
            parts.push(Vec::new());
        }
        empty_line = is_break || (empty_line && glyph.is_blank());
        parts.last_mut().expect("a part").push(glyph);
    }
    parts
}

fn collapsed(glyphs: Vec<Glyph>) -> Vec<Glyph> {
    let mut kept: Vec<Glyph> = Vec::new();
    for mut glyph in glyphs {
        if matches!(&*glyph.shown, "\n" | "\t" | "\r") {
            glyph.shown = " ".into();
        }
        let at_start = kept.last().is_none_or(|g| g.shown == "↵");
        let after_blank = kept.last().is_some_and(|g| g.shown == " ");
        if glyph.shown == "↵" {
            while kept.last().is_some_and(Glyph::is_blank) {
                kept.pop();
            }
            if at_start {
                continue;
            }
        }
        if (at_start && glyph.is_blank()) || (after_blank && glyph.shown == " ") {
            continue;
        }
        kept.push(glyph);
    }
    while kept.last().is_some_and(|g| g.is_blank() || g.shown == "↵") {
        kept.pop();
    }
    kept
}

fn show(node: &Node, depth: usize, outline: &mut Outline) {
    let indent = "  ".repeat(depth);
    match node {
        Node::Container(name, nodes) => {
            let _ = writeln!(outline.structure, "{indent}{name}");
            for node in nodes {
                show(node, depth + 1, outline);
            }
        }
        Node::Leaf(name, glyphs) => {
            let _ = write!(outline.structure, "{indent}{name}: ");
            let (mut link, mut code) = (&None, false);
            for glyph in glyphs {
                outline.text.push_str(if glyph.shown == "↵" {
                    " "
                } else {
                    &glyph.shown
                });
                if glyph.is_blank() || glyph.shown == "↵" {
                    outline.structure.push_str(&glyph.shown);
                    continue;
                }
                if *link != glyph.link {
                    outline
                        .structure
                        .push_str(glyph.link.as_deref().unwrap_or("⟨/a⟩"));
                    link = &glyph.link;
                }
                if code != glyph.code {
                    outline.structure.push_str(if glyph.code {
                        "⟨code⟩"
                    } else {
                        "⟨/code⟩"
                    });
                    code = glyph.code;
                }
                outline.structure.push_str(&glyph.shown);
                outline.emphasis.push(glyph.emphasis);
            }
            outline.structure.push('\n');
            outline.text.push(' ');
        }
        Node::Code(language, text) => {
            let _ = writeln!(outline.structure, "{indent}code {language}: {text:?}");
            outline.text.push_str(text);
            outline.text.push(' ');
        }
        Node::Rule => {
            let _ = writeln!(outline.structure, "{indent}rule");
        }
    }
}
