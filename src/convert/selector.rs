//! Which elements are left out: simple selectors, compiled once for all pages.

use super::element::{COUNT, Element};
use super::tag::{AttributeName, AttributeNames, StartTag, is_space};
use std::fmt;

/// A selector of one condition: `tag`, `.class`, `#id`, `[attribute]` or `[attribute=value]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Selector {
    Tag(String),
    Class(String),
    Id(String),
    Attribute { name: String, value: Option<String> },
}

impl Selector {
    pub(super) fn parse(text: &str) -> Result<Self, SelectorError> {
        let error = || SelectorError {
            selector: text.to_owned(),
        };
        let is_name = |s: &str| {
            !s.is_empty()
                && s.chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'))
        };
        let text = text.trim();
        if let Some(class) = text.strip_prefix('.') {
            return if is_name(class) {
                Ok(Self::Class(class.to_owned()))
            } else {
                Err(error())
            };
        }
        if let Some(id) = text.strip_prefix('#') {
            return if is_name(id) {
                Ok(Self::Id(id.to_owned()))
            } else {
                Err(error())
            };
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            let (name, value) = match inner.split_once('=') {
                Some((name, value)) => {
                    let unquoted = ['"', '\'']
                        .iter()
                        .find_map(|&q| value.strip_prefix(q).and_then(|v| v.strip_suffix(q)));
                    (name, Some(unquoted.unwrap_or(value).to_owned()))
                }
                None => (inner, None),
            };
            return if is_name(name) {
                Ok(Self::Attribute {
                    name: name.to_ascii_lowercase(),
                    value,
                })
            } else {
                Err(error())
            };
        }
        if is_name(text) {
            Ok(Self::Tag(text.to_ascii_lowercase()))
        } else {
            Err(error())
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(name) => f.write_str(name),
            Self::Class(name) => write!(f, ".{name}"),
            Self::Id(name) => write!(f, "#{name}"),
            Self::Attribute { name, value: None } => write!(f, "[{name}]"),
            Self::Attribute {
                name,
                value: Some(value),
            } => write!(f, "[{name}=\"{value}\"]"),
        }
    }
}

/// A selector that is none of `tag`, `.class`, `#id`, `[attribute]`, `[attribute=value]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError {
    selector: String,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is none of tag, .class, #id, [attribute] and [attribute=value]",
            self.selector
        )
    }
}

impl std::error::Error for SelectorError {}

/// The selectors of the elements that are left out.
#[derive(Debug, Clone)]
pub(super) struct Skipped {
    selectors: Vec<Selector>,
    elements: [bool; COUNT],
    names: Vec<String>,
    classes: Vec<String>,
    ids: Vec<String>,
    attributes: Vec<(AttributeName, String, Option<String>)>,
    /// The attributes that any of these asks for: most tags have none.
    asked: AttributeNames,
    /// Those of them that are asked for by name.
    asked_by_name: AttributeNames,
    /// The length of the shortest class: most lists of classes are shorter.
    shortest_class: usize,
    /// The bytes that the classes begin with.
    first_of_class: [bool; 256],
}

/// Page furniture, what is never shown, and what is marked as hidden; then what generators of
/// documentation put around the text (rustdoc, mdBook, MediaWiki, Starlight).
const DEFAULT: [&str; 21] = [
    "nav",
    "footer",
    "script",
    "style",
    "noscript",
    "svg",
    "button",
    "template",
    "[hidden]",
    "[aria-hidden=true]",
    "[role=navigation]",
    ".skip-link",
    "rustdoc-topbar",
    "rustdoc-toolbar",
    ".skip-main-content",
    "#mdbook-help-container",
    "#mdbook-menu-bar",
    ".mw-editsection",
    ".editsection",
    ".mw-jump-link",
    ".sl-anchor-link",
];

/// What no option brings back: it is not text of the page.
const ALWAYS: [Element; 3] = [Element::Script, Element::Style, Element::Template];

impl Default for Skipped {
    fn default() -> Self {
        Self::from_selectors(
            DEFAULT
                .iter()
                .filter_map(|s| Selector::parse(s).ok())
                .collect(),
        )
    }
}

impl Skipped {
    pub(super) fn nothing() -> Self {
        Self::from_selectors(Vec::new())
    }

    fn from_selectors(selectors: Vec<Selector>) -> Self {
        let mut skipped = Self {
            selectors,
            elements: [false; COUNT],
            names: Vec::new(),
            classes: Vec::new(),
            ids: Vec::new(),
            attributes: Vec::new(),
            asked: AttributeNames::default(),
            asked_by_name: AttributeNames::default(),
            shortest_class: usize::MAX,
            first_of_class: [false; 256],
        };
        for element in ALWAYS {
            skipped.elements[element as usize] = true;
        }
        for selector in &skipped.selectors {
            match selector {
                Selector::Tag(name) => match Element::from_name(name.as_bytes()) {
                    Element::Other => skipped.names.push(name.clone()),
                    element => skipped.elements[element as usize] = true,
                },
                Selector::Class(name) => {
                    skipped.asked.insert(AttributeName::Class);
                    skipped.shortest_class = skipped.shortest_class.min(name.len());
                    if let Some(&first) = name.as_bytes().first() {
                        skipped.first_of_class[usize::from(first)] = true;
                    }
                    skipped.classes.push(name.clone());
                }
                Selector::Id(name) => {
                    skipped.asked.insert(AttributeName::Id);
                    skipped.ids.push(name.clone());
                }
                Selector::Attribute { name, value } => {
                    let id = AttributeName::from_name(name.as_bytes());
                    skipped.asked.insert(id);
                    skipped.asked_by_name.insert(id);
                    skipped.attributes.push((id, name.clone(), value.clone()));
                }
            }
        }
        skipped
    }

    pub(super) fn add(&mut self, selector: Selector) {
        if !self.selectors.contains(&selector) {
            self.selectors.push(selector);
            *self = Self::from_selectors(std::mem::take(&mut self.selectors));
        }
    }

    pub(super) fn remove(&mut self, selector: &Selector) {
        self.selectors.retain(|s| s != selector);
        *self = Self::from_selectors(std::mem::take(&mut self.selectors));
    }

    pub(super) fn selectors(&self) -> &[Selector] {
        &self.selectors
    }

    pub(super) fn matches(&self, tag: &StartTag<'_>) -> bool {
        if self.elements[tag.element as usize] {
            return true;
        }
        if tag.element == Element::Other
            && self
                .names
                .iter()
                .any(|n| tag.name.eq_ignore_ascii_case(n.as_bytes()))
        {
            return true;
        }
        tag.has_any(self.asked) && self.matches_attributes(tag)
    }

    fn matches_attributes(&self, tag: &StartTag<'_>) -> bool {
        (tag.has_any(self.asked_by_name) && self.matches_attribute(tag))
            || tag.get(AttributeName::Class).is_some_and(|list| {
                list.len() >= self.shortest_class
                    && list.split(|&b| is_space(b)).any(|c| self.has_class(c))
            })
            || tag
                .get(AttributeName::Id)
                .is_some_and(|id| self.ids.iter().any(|n| n.as_bytes() == id))
    }

    fn matches_attribute(&self, tag: &StartTag<'_>) -> bool {
        self.attributes.iter().any(|(id, name, wanted)| {
            let value = match id {
                AttributeName::Other => tag.get_by_name(name),
                id => tag.get(*id),
            };
            match (value, wanted) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(value), Some(wanted)) => value.eq_ignore_ascii_case(wanted.as_bytes()),
            }
        })
    }

    fn has_class(&self, class: &[u8]) -> bool {
        class.len() >= self.shortest_class
            && self.first_of_class[usize::from(class[0])]
            && self.classes.iter().any(|n| n.as_bytes() == class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_of_one_condition_are_read_and_written() {
        for text in ["nav", ".a-b", "#x", "[hidden]", "[role=\"main\"]"] {
            assert_eq!(Selector::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Selector::parse("[a=b]"), Selector::parse("[A='b']"));
    }

    #[test]
    fn anything_more_is_an_error_that_quotes_it() {
        for text in ["", "a b", "a.b", "a > b", ".", "#", "[", "[=x]", "*"] {
            let error = Selector::parse(text).unwrap_err();
            assert!(
                error.to_string().starts_with(&format!("`{text}`")),
                "{error}"
            );
        }
    }
}
