//! The tree of html5ever: which elements a character stands in.

use html5ever::interface::{Attribute, ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{LocalName, Namespace, ParseOpts, QualName, local_name, ns, parse_document};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use super::Place;

/// A node of the tree; the handle of html5ever is its index.
#[derive(Debug)]
struct Node {
    kind: Kind,
    parent: Option<usize>,
    children: Vec<usize>,
    /// It was put before the table that it stood in (WHATWG HTML §13.2.6.1, foster parenting).
    fostered: bool,
}

#[derive(Debug)]
enum Kind {
    /// The document, a comment, or the content of a template.
    Other,
    Element {
        name: QualName,
        contents: Option<usize>,
        annotation_is_html: bool,
    },
    /// With the place that it had at first.
    Text(String, Place),
}

#[derive(Debug, Clone)]
struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

#[derive(Debug)]
struct Dom {
    nodes: RefCell<Vec<Node>>,
}

impl Dom {
    fn add(&self, kind: Kind) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node {
            kind,
            parent: None,
            children: Vec::new(),
            fostered: false,
        });
        nodes.len() - 1
    }

    fn insert(&self, parent: usize, at: usize, child: NodeOrText<usize>, fostered: bool) {
        let child = match child {
            NodeOrText::AppendNode(node) => {
                self.remove_from_parent(&node);
                node
            }
            // Pieces of a text need no merging: each is looked at by itself.
            NodeOrText::AppendText(text) => {
                let mut place = place(&self.nodes.borrow(), Some(parent));
                place.fostered |= fostered;
                self.add(Kind::Text(text.to_string(), place))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        let at = at.min(nodes[parent].children.len());
        nodes[parent].children.insert(at, child);
        nodes[child].parent = Some(parent);
        nodes[child].fostered |= fostered;
    }
}

impl TreeSink for Dom {
    type Handle = usize;
    type Output = Self;
    type ElemName<'a> = Name;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Name {
        match &self.nodes.borrow()[*target].kind {
            Kind::Element { name, .. } => Name(name.clone()),
            Kind::Other | Kind::Text(..) => unreachable!("html5ever asks for elements only"),
        }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> usize {
        let contents = flags.template.then(|| self.add(Kind::Other));
        let annotation_is_html = name.expanded()
            == html5ever::expanded_name!(mathml "annotation-xml")
            && attrs.iter().any(|a| {
                a.name.local == local_name!("encoding")
                    && (a.value.eq_ignore_ascii_case("text/html")
                        || a.value.eq_ignore_ascii_case("application/xhtml+xml"))
            });
        self.add(Kind::Element {
            name,
            contents,
            annotation_is_html,
        })
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.add(Kind::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.add(Kind::Other)
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        self.insert(*parent, usize::MAX, child, false);
    }

    fn append_based_on_parent_node(
        &self,
        element: &usize,
        previous: &usize,
        child: NodeOrText<usize>,
    ) {
        let parent = self.nodes.borrow()[*element].parent;
        match parent {
            Some(parent) => {
                let at = self.nodes.borrow()[parent]
                    .children
                    .iter()
                    .position(|c| c == element);
                self.insert(parent, at.unwrap_or(usize::MAX), child, true);
            }
            None => self.insert(*previous, usize::MAX, child, true),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        match self.nodes.borrow()[*target].kind {
            Kind::Element {
                contents: Some(contents),
                ..
            } => contents,
            _ => unreachable!("html5ever asks for templates only"),
        }
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        let parent = self.nodes.borrow()[*sibling].parent;
        if let Some(parent) = parent {
            let at = self.nodes.borrow()[parent]
                .children
                .iter()
                .position(|c| c == sibling);
            self.insert(parent, at.unwrap_or(usize::MAX), child, true);
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

    fn is_mathml_annotation_xml_integration_point(&self, handle: &usize) -> bool {
        matches!(
            self.nodes.borrow()[*handle].kind,
            Kind::Element {
                annotation_is_html: true,
                ..
            }
        )
    }
}

/// The ancestors of what stands in `parent`.
fn place(nodes: &[Node], mut parent: Option<usize>) -> Place {
    let mut place = Place {
        // Text of no ancestors is that of a template, or its element was thrown away.
        inert: parent.is_none(),
        ..Place::default()
    };
    while let Some(index) = parent {
        let ancestor = &nodes[index];
        place.fostered |= ancestor.fostered;
        if let Kind::Element { name, .. } = &ancestor.kind
            && name.ns == ns!(html)
        {
            place.add(name.local.as_bytes());
        }
        parent = ancestor.parent;
        place.inert |= parent.is_none() && index != 0;
    }
    place
}

/// Where html5ever has a marked character.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    /// When it was inserted.
    pub(super) first: Place,
    /// When the page has ended: the adoption agency moves text that stands already.
    pub(super) last: Place,
}

/// Where html5ever has each marked character of the page.
pub(super) fn places(html: &str) -> HashMap<char, Places> {
    let dom = Dom {
        nodes: RefCell::new(Vec::new()),
    };
    dom.add(Kind::Other);
    // Scripting is on by default, so that `noscript` is text for both.
    let dom = parse_document(dom, ParseOpts::default()).one(html);
    let nodes = dom.nodes.into_inner();
    let mut places = HashMap::new();
    for node in &nodes {
        let Kind::Text(text, first) = &node.kind else {
            continue;
        };
        let mut last = place(&nodes, node.parent);
        last.fostered |= node.fostered;
        for marker in text.chars().filter(|&c| super::is_marker(c)) {
            places.insert(
                marker,
                Places {
                    first: *first,
                    last,
                },
            );
        }
    }
    places
}
