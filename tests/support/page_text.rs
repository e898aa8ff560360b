//! The words that a page shows, by the tree that html5ever builds of it.

use html5ever::interface::{Attribute, ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{LocalName, Namespace, ParseOpts, QualName, parse_document};
use std::borrow::Cow;
use std::cell::RefCell;

/// The text of the page, its words set apart by one blank: also where a block, a cell or a line
/// ends. Images are their alternative text, checkboxes `☐` and `☑`.
///
/// What never shows is no text: the head, scripts, styles, templates, what stands in for a feature
/// that is there. All else is, hidden or not.
pub(crate) fn page_text(html: &str) -> String {
    let dom = Dom {
        nodes: RefCell::new(vec![Node::default()]),
    };
    // Scripting is on by default, so that `noscript` is text.
    let nodes = parse_document(dom, ParseOpts::default()).one(html);
    let mut text = String::new();
    // An index twice: to open the node, and to close it.
    let mut stack = vec![(0, false)];
    while let Some((index, closes)) = stack.pop() {
        let node: &Node = &nodes[index];
        if node.is_block() {
            text.push(' ');
        }
        if closes || node.is_silent() {
            continue;
        }
        text.push_str(&node.text);
        stack.push((index, true));
        stack.extend(node.children.iter().rev().map(|&child| (child, false)));
    }
    words(&text)
}

/// The text with one blank for each run of white space. No-break spaces are none.
pub(crate) fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    words.join(" ")
}

/// A node of the tree; the handle of html5ever is its index, and that of the document 0.
#[derive(Debug, Default)]
struct Node {
    /// `None` for what is no element.
    name: Option<QualName>,
    text: String,
    parent: Option<usize>,
    children: Vec<usize>,
    /// The node that holds what stands in a template.
    contents: Option<usize>,
}

impl Node {
    fn element(name: QualName, attributes: &[Attribute]) -> Self {
        let get = |name: &str| {
            let found = attributes.iter().find(|a| &*a.name.local == name);
            found.map(|a| a.value.to_string())
        };
        let text = match &*name.local {
            "img" => get("alt").unwrap_or_default(),
            "input" if get("type").is_some_and(|t| t.eq_ignore_ascii_case("checkbox")) => {
                let sign = if get("checked").is_some() {
                    "☑"
                } else {
                    "☐"
                };
                format!(" {sign} ")
            }
            _ => String::new(),
        };
        Self {
            name: Some(name),
            text,
            ..Self::default()
        }
    }

    fn local_name(&self) -> &str {
        self.name.as_ref().map_or("", |name| &*name.local)
    }

    fn is_silent(&self) -> bool {
        matches!(
            self.local_name(),
            "head" | "script" | "style" | "iframe" | "noscript" | "noframes" | "noembed"
        )
    }

    fn is_block(&self) -> bool {
        const BLOCKS: &str = "address article aside blockquote body br caption center dd details \
            dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header \
            hgroup hr legend li listing main menu nav ol optgroup option p plaintext pre search \
            section summary table tbody td tfoot th thead tr ul xmp";
        let name = self.local_name();
        !name.is_empty() && BLOCKS.split_ascii_whitespace().any(|block| block == name)
    }
}

#[derive(Debug)]
struct Dom {
    nodes: RefCell<Vec<Node>>,
}

impl Dom {
    fn add(&self, node: Node) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(node);
        nodes.len() - 1
    }

    /// Puts a child before one of the children of `parent`, or behind them all.
    fn insert(&self, parent: usize, before: Option<usize>, child: NodeOrText<usize>) {
        let child = match child {
            NodeOrText::AppendNode(node) => {
                self.remove_from_parent(&node);
                node
            }
            NodeOrText::AppendText(text) => self.add(Node {
                text: text.to_string(),
                ..Node::default()
            }),
        };
        let mut nodes = self.nodes.borrow_mut();
        let siblings = &mut nodes[parent].children;
        let at = siblings.iter().position(|&c| Some(c) == before);
        siblings.insert(at.unwrap_or(siblings.len()), child);
        nodes[child].parent = Some(parent);
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self.nodes.borrow()[node].parent
    }
}

#[derive(Debug)]
struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Dom {
    type Handle = usize;
    type Output = Vec<Node>;
    type ElemName<'a> = Name;

    fn finish(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Name {
        let name = self.nodes.borrow()[*target].name.clone();
        Name(name.expect("html5ever asks for elements only"))
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> usize {
        let mut node = Node::element(name, &attrs);
        node.contents = flags.template.then(|| self.add(Node::default()));
        self.add(node)
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.add(Node::default())
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.add(Node::default())
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        self.insert(*parent, None, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &usize,
        previous: &usize,
        child: NodeOrText<usize>,
    ) {
        match self.parent(*element) {
            Some(parent) => self.insert(parent, Some(*element), child),
            None => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        let contents = self.nodes.borrow()[*target].contents;
        contents.expect("html5ever asks for templates only")
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        if let Some(parent) = self.parent(*sibling) {
            self.insert(parent, Some(*sibling), child);
        }
    }

    fn add_attrs_if_missing(&self, _: &usize, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &usize) {
        let mut nodes = self.nodes.borrow_mut();
        if let Some(parent) = nodes[*target].parent.take() {
            nodes[parent].children.retain(|c| c != target);
        }
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let mut nodes = self.nodes.borrow_mut();
        let children = std::mem::take(&mut nodes[*node].children);
        for &child in &children {
            nodes[child].parent = Some(*new_parent);
        }
        nodes[*new_parent].children.extend(children);
    }
}
