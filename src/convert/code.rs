//! What highlighters say of code by their attributes: its language, the numbers of its lines, and that
//! it is code.

use super::element::Element;
use super::tag::{AttributeName, StartTag};

/// Prefixes of class names that a language follows.
const PREFIXES: [&str; 5] = [
    "language-",
    "lang-",
    "highlight-source-",
    "highlight-",
    "brush:",
];

/// What a class can say besides a language; the last five are rustdoc's, of code in any.
const NO_LANGUAGES: [&str; 13] = [
    "default",
    "none",
    "text",
    "plain",
    "plaintext",
    "nohighlight",
    "no-highlight",
    "code",
    "compile_fail",
    "ignore",
    "no_run",
    "notrust",
    "should_panic",
];

/// The language that a `pre` or `code` element names.
pub(super) fn language(tag: &StartTag<'_>) -> Option<String> {
    for name in [AttributeName::DataLang, AttributeName::DataLanguage] {
        if let Some(value) = tag.decoded(name)
            && let Some(language) = clean(&value)
        {
            return Some(language);
        }
    }
    let classes = tag.decoded(AttributeName::Class)?;
    if !classes.split_ascii_whitespace().any(may_name_language) {
        return None;
    }
    let mut names = classes.split_ascii_whitespace();
    while let Some(class) = names.next() {
        for prefix in PREFIXES {
            let Some(name) = class.strip_prefix(prefix) else {
                continue;
            };
            // `brush: js`
            let name = if name.is_empty() && prefix.ends_with(':') {
                names.next().unwrap_or_default()
            } else {
                name
            };
            if let Some(language) = clean(name) {
                return Some(language);
            }
        }
    }
    // Others name it bare, in a class of its own.
    let mut names = classes.split_ascii_whitespace();
    let first = names.next()?;
    let second = names.next();
    match (first, second) {
        // Pandoc.
        ("sourceCode", Some(name)) => clean(name),
        // Org mode.
        ("src", Some(name)) if name.starts_with("src-") => clean(&name[4..]),
        // highlight.js, which puts its own class on either side.
        ("hljs", Some(name)) | (name, Some("hljs")) if names.next().is_none() => clean(name),
        _ => {
            let known = |name: &&str| matches!(*name, "rust" | "mermaid");
            let name = classes.split_ascii_whitespace().find(known)?;
            Some(name.to_owned())
        }
    }
}

/// Whether the class begins like one that `language` looks for: most do not.
fn may_name_language(class: &str) -> bool {
    matches!(
        class.as_bytes().first(),
        Some(b'b' | b'h' | b'l' | b'm' | b'r' | b's')
    )
}

/// Whether the element holds the line numbers beside code, by the classes that highlighters give
/// it. (On a `pre` of all code, `line-numbers` only asks a script for some.)
pub(super) fn is_gutter(tag: &StartTag<'_>) -> bool {
    let names: &[&[u8]] = match tag.element {
        Element::Td => &[
            b"gutter",
            b"rouge-gutter",
            b"linenos",
            b"lineno",
            b"line-numbers",
            b"linenumbers",
            b"blob-num",
            b"hljs-ln-numbers",
            b"listing_lines",
        ],
        Element::Span => &[
            b"linenos",
            b"line-number",
            b"line-numbers",
            b"line-numbers-rows",
            b"lnt",
            b"ln",
        ],
        Element::Pre => &[b"lineno", b"src-line-numbers", b"line-number-gutter"],
        Element::Div => &[b"linenodiv", b"line-numbers-wrapper", b"line-numbers-rows"],
        _ => return false,
    };
    tag.has_class(|class| names.contains(&class))
}

/// Whether the element only says again what language the code beside it is in, as VitePress does.
pub(super) fn is_language_label(tag: &StartTag<'_>) -> bool {
    tag.element == Element::Span
        && tag
            .get(AttributeName::Class)
            .is_some_and(|class| class == b"lang")
}

/// Whether the element is code by its class alone, as its style sheet shows it: a listing of
/// Doxygen's, a table of GitHub's with one line in each row.
pub(super) fn is_listing(tag: &StartTag<'_>) -> bool {
    let name: &[u8] = match tag.element {
        Element::Div => b"fragment",
        Element::Table => b"js-file-line-container",
        _ => return false,
    };
    tag.has_class(|class| class == name)
}

/// A name that can stand in an info string (CommonMark §4.5).
fn clean(name: &str) -> Option<String> {
    let name = name.trim().trim_end_matches(';').trim_matches('"');
    let valid = !name.is_empty()
        && name.len() <= 32
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '+' | '-' | '#' | '.' | '_' | '/'));
    (valid && !NO_LANGUAGES.contains(&name)).then(|| name.to_owned())
}
