//! Rendering the Markdown gives the text and the structure of the HTML: as properties, over
//! documents that nobody wrote.

#[path = "support/outline.rs"]
mod outline;

use markdown_for_agents::convert::{Converter, Options};
use outline::{Builder, EMPHASIS, Outline, STRIKETHROUGH, STRONG};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// The same documents each time, so that a change is judged by what it changes. `PROPTEST_CASES`
/// asks for another number of them, `PROPTEST_RNG_SEED` for others. What fails is printed with its
/// smallest form, which belongs among those below.
fn config() -> ProptestConfig {
    let config = ProptestConfig::default();
    let chosen = |name| std::env::var_os(name).is_some();
    let (cases, rng_seed) = (config.cases, config.rng_seed);
    ProptestConfig {
        failure_persistence: None,
        cases: if chosen("PROPTEST_CASES") {
            cases
        } else {
            CASES
        },
        rng_seed: if chosen("PROPTEST_RNG_SEED") {
            rng_seed
        } else {
            RngSeed::Fixed(SEED)
        },
        ..config
    }
}

const CASES: u32 = 128;
const SEED: u64 = 1;

fn convert(options: Options, html: &str) -> String {
    convert_in(options, [html.as_bytes()], false)
}

fn convert_in<'a>(
    options: Options,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    flush: bool,
) -> String {
    let mut converter = Converter::new(options)
        .url("https://example.com/a/b")
        .charset("utf-8");
    let mut markdown = Vec::new();
    for piece in pieces {
        converter.write(piece).unwrap();
        if flush {
            converter.flush();
            markdown.extend_from_slice(&converter.take());
        }
    }
    converter.finish().unwrap();
    markdown.extend_from_slice(&converter.take());
    String::from_utf8(markdown).expect("Markdown is UTF-8")
}

fn plain() -> Options {
    Options::new().front_matter(false)
}

// ---- HTML trees ----

#[derive(Debug, Clone)]
enum Inline {
    Text(String),
    /// A line break between two words.
    Break,
    Code(String),
    /// A mark around all of the code, but in its element.
    MarkedCode(u8, &'static str, String),
    Image(&'static str, &'static str),
    Emphasis(u8, &'static str, Vec<Self>),
    Link(&'static str, &'static str, Vec<Self>),
    Span(Vec<Self>),
}

#[derive(Debug, Clone)]
enum Block {
    Paragraph(Vec<Inline>),
    Bare(Vec<Inline>),
    Heading(u8, Vec<Inline>),
    Quote(Vec<Self>),
    Unordered(Vec<Vec<Self>>),
    Ordered(u32, Vec<Vec<Self>>),
    Code(&'static str, String),
    Table(bool, Vec<Vec<Vec<Inline>>>),
    Rule,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
        .replace('\u{A0}', "&nbsp;")
}

impl Inline {
    fn html(&self, out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(&escaped(text)),
            Self::Break => out.push_str("one<br>two"),
            Self::Code(text) => {
                out.push_str("<code>");
                out.push_str(&escaped(text));
                out.push_str("</code>");
            }
            Self::MarkedCode(_, tag, text) => {
                out.push_str(&format!("<code><{tag}>{}</{tag}></code>", escaped(text)));
            }
            Self::Image(source, alt) => {
                let alt = escaped(alt);
                out.push_str(&format!("<img src=\"{source}\" alt=\"{alt}\">"));
            }
            Self::Emphasis(_, tag, inner) => {
                out.push_str(&format!("<{tag}>"));
                inner.iter().for_each(|i| i.html(out));
                out.push_str(&format!("</{tag}>"));
            }
            Self::Link(href, title, inner) => {
                out.push_str(&format!("<a href=\"{href}\" title=\"{}\">", escaped(title)));
                inner.iter().for_each(|i| i.html(out));
                out.push_str("</a>");
            }
            Self::Span(inner) => {
                out.push_str("<span>");
                inner.iter().for_each(|i| i.html(out));
                out.push_str("</span>");
            }
        }
    }

    fn outline(&self, to: &mut Builder) {
        match self {
            Self::Text(text) => to.text(text),
            Self::Break => {
                to.text("one");
                to.line_break();
                to.text("two");
            }
            Self::Code(text) => to.code(text),
            Self::MarkedCode(kind, _, text) => {
                to.open_emphasis(*kind);
                to.code(text);
                to.close_emphasis();
            }
            Self::Image(source, alt) => to.image(source, "", alt),
            Self::Emphasis(kind, _, inner) => {
                to.open_emphasis(*kind);
                inner.iter().for_each(|i| i.outline(to));
                to.close_emphasis();
            }
            Self::Link(href, title, inner) => {
                to.open_link(href, title);
                inner.iter().for_each(|i| i.outline(to));
                to.close_link();
            }
            Self::Span(inner) => inner.iter().for_each(|i| i.outline(to)),
        }
    }
}

fn all_inline(name: &str, inner: &[Inline]) -> String {
    let mut out = format!("<{name}>");
    inner.iter().for_each(|i| i.html(&mut out));
    let end = name.split(' ').next().unwrap_or_default();
    out + &format!("</{end}>")
}

impl Block {
    fn html(&self, out: &mut String) {
        match self {
            Self::Paragraph(inner) => out.push_str(&all_inline("p", inner)),
            Self::Bare(inner) => out.push_str(&all_inline("div", inner)),
            Self::Heading(level, inner) => out.push_str(&all_inline(&format!("h{level}"), inner)),
            Self::Quote(blocks) => {
                out.push_str("<blockquote>\n");
                blocks.iter().for_each(|b| b.html(out));
                out.push_str("</blockquote>\n");
            }
            Self::Unordered(items) => {
                out.push_str("<ul>");
                items_html(items, out);
                out.push_str("</ul>");
            }
            Self::Ordered(start, items) => {
                out.push_str(&format!("<ol start={start}>"));
                items_html(items, out);
                out.push_str("</ol>");
            }
            Self::Code(language, text) => {
                let class = if language.is_empty() {
                    String::new()
                } else {
                    format!(" class=\"language-{language}\"")
                };
                out.push_str(&format!(
                    "<pre>\n<code{class}>{}</code></pre>",
                    escaped(text)
                ));
            }
            Self::Table(head, rows) => {
                out.push_str("<table>");
                for (index, row) in rows.iter().enumerate() {
                    out.push_str("<tr>");
                    let name = if *head && index == 0 { "th" } else { "td" };
                    row.iter().for_each(|c| out.push_str(&all_inline(name, c)));
                    out.push_str("</tr>\n");
                }
                out.push_str("</table>");
            }
            Self::Rule => out.push_str("<hr>"),
        }
    }

    fn outline(&self, to: &mut Builder) {
        match self {
            Self::Paragraph(inner) | Self::Bare(inner) => leaf("p", inner, to),
            Self::Heading(level, inner) => leaf(&format!("h{level}"), inner, to),
            Self::Quote(blocks) => {
                to.open("quote");
                blocks.iter().for_each(|b| b.outline(to));
                to.close();
            }
            Self::Unordered(items) => list("ul", items, to),
            Self::Ordered(start, items) => list(&format!("ol@{start}"), items, to),
            Self::Code(language, text) => to.code_block(language, text),
            Self::Table(_, rows) => {
                to.open("table");
                for row in rows {
                    to.open("row");
                    row.iter().for_each(|c| leaf("cell", c, to));
                    to.close();
                }
                to.close();
            }
            Self::Rule => to.rule(),
        }
    }
}

fn items_html(items: &[Vec<Block>], out: &mut String) {
    for item in items {
        out.push_str("<li>");
        item.iter().for_each(|b| b.html(out));
        out.push_str("</li>\n");
    }
}

fn leaf(name: &str, inner: &[Inline], to: &mut Builder) {
    to.leaf(name);
    inner.iter().for_each(|i| i.outline(to));
    to.end_leaf();
}

fn list(name: &str, items: &[Vec<Block>], to: &mut Builder) {
    to.open(name);
    for item in items {
        to.open("li");
        item.iter().for_each(|b| b.outline(to));
        to.close();
    }
    to.close();
}

fn html_of(blocks: &[Block]) -> String {
    let mut html = String::new();
    blocks.iter().for_each(|b| b.html(&mut html));
    html
}

fn outline_of(blocks: &[Block]) -> Outline {
    let mut builder = Builder::default();
    blocks.iter().for_each(|b| b.outline(&mut builder));
    builder.finish()
}

const WORDS: &[&str] = &[
    "word", "a", "Zebra", "x1", "日本", "語", "é", "end.", "(so)",
];

/// Text that Markdown or HTML could take for something else.
const TRAPS: &[&str] = &[
    "*",
    "**",
    "***",
    "_",
    "__",
    "~~",
    "~",
    "`",
    "``",
    "```",
    "#",
    "# ",
    "##",
    "1.",
    "1. ",
    "2)",
    "-",
    "- ",
    "+ ",
    "---",
    "===",
    "=",
    ">",
    "> ",
    "|",
    "| - |",
    "[",
    "]",
    "![",
    "](",
    "](/u)",
    "[a]: /u",
    "[x]",
    "[ ] ",
    "(",
    ")",
    "!",
    "\\",
    "\\\\",
    "&amp;",
    "&",
    "&#35;",
    "&lt;",
    "<",
    "</p>",
    "<script>",
    "<b>",
    "<!--",
    "<?",
    "<http://a.b>",
    "http://a.b/",
    "www.a.b",
    "a@b.c",
    ":",
    ":-",
    "  ",
    " ",
    "\n",
    "\u{A0}",
    "。",
    "「",
    "」",
    "“",
    "—",
    "$",
    "^",
    "\"",
    "'",
    "{",
    "}",
    "%",
    "~~~",
    "~~~\n",
    ";",
    "/",
    "\u{AD}",
    "\t",
    "0",
    "10.",
    "x",
    "a",
    "語",
];

const EMPHASES: &[(u8, &str)] = &[
    (EMPHASIS, "em"),
    (EMPHASIS, "i"),
    (STRONG, "strong"),
    (STRONG, "b"),
    (STRIKETHROUGH, "del"),
];

fn words() -> BoxedStrategy<String> {
    prop::collection::vec(select(WORDS), 1..4)
        .prop_map(|w| w.join(" "))
        .boxed()
}

fn traps() -> BoxedStrategy<String> {
    prop_oneof![
        3 => prop::collection::vec(select(TRAPS), 1..6).prop_map(|t| t.concat()),
        1 => words(),
    ]
    .boxed()
}

fn inlines(text: BoxedStrategy<String>) -> BoxedStrategy<Vec<Inline>> {
    let leaf = prop_oneof![
        6 => text.clone().prop_map(Inline::Text),
        1 => text.clone().prop_map(Inline::Code),
        1 => (select(EMPHASES), text)
            .prop_map(|((kind, tag), text)| Inline::MarkedCode(kind, tag, text)),
        1 => Just(Inline::Break),
        1 => (
            select(vec!["https://e.com/i.png", "https://e.com/(x"]),
            select(vec!["alt", "a [b", "](/u)", "a*b*", "<b>", "\\", "`x", "&amp;"])
        )
            .prop_map(|(source, alt)| Inline::Image(source, alt)),
    ];
    // Links never stand in links.
    let emphasis = |inner: BoxedStrategy<Vec<Inline>>| {
        prop_oneof![
            (select(EMPHASES), inner.clone())
                .prop_map(|((kind, tag), inner)| Inline::Emphasis(kind, tag, inner)),
            inner.prop_map(Inline::Span),
        ]
    };
    let unlinked = leaf.prop_recursive(3, 12, 4, move |inner| {
        emphasis(prop::collection::vec(inner, 1..4).boxed())
    });
    let linked = (
        select(vec![
            "https://e.com/",
            "https://e.com/(a",
            "https://e.com/a_b*c_*",
        ]),
        select(vec!["", "t", "a \"b\" \\", "&lt;", "`", "*"]),
        prop::collection::vec(unlinked.clone(), 1..3),
    )
        .prop_map(|(href, title, mut inner)| {
            // One that shows nothing gets its title for a label.
            inner.push(Inline::Text("k".to_owned()));
            Inline::Link(href, title, inner)
        });
    let mixed = prop_oneof![4 => unlinked, 1 => linked];
    let nested = mixed.prop_recursive(2, 12, 4, move |inner| {
        emphasis(prop::collection::vec(inner, 1..4).boxed())
    });
    prop::collection::vec(nested, 1..5).boxed()
}

fn blocks(text: BoxedStrategy<String>) -> impl Strategy<Value = Vec<Block>> {
    let inline = inlines(text.clone()).boxed();
    let row = prop::collection::vec(inline.clone(), 2..4);
    let leaf = prop_oneof![
        4 => inline.clone().prop_map(Block::Paragraph),
        2 => inline.clone().prop_map(Block::Bare),
        1 => (1..=6_u8, inline).prop_map(|(level, inner)| Block::Heading(level, inner)),
        1 => (select(vec!["", "rust", "c++"]), prop::collection::vec(text, 1..4))
            .prop_map(|(language, lines)| Block::Code(language, lines.join("\n"))),
        1 => (any::<bool>(), prop::collection::vec(row, 2..4))
            .prop_map(|(head, rows)| Block::Table(head, rows)),
        1 => Just(Block::Rule),
    ];
    let nested = leaf.prop_recursive(4, 24, 4, |inner| {
        let some = prop::collection::vec(inner, 1..4);
        let items = prop::collection::vec(some.clone(), 1..4);
        prop_oneof![
            some.prop_map(Block::Quote),
            items.clone().prop_map(Block::Unordered),
            (select(vec![0_u32, 1, 2, 9, 10, 999]), items)
                .prop_map(|(start, items)| Block::Ordered(start, items)),
        ]
    });
    prop::collection::vec(nested, 1..5)
}

/// What holds for every page, whatever its text.
fn keeps_the_law(options: Options, html: &str, expected: &Outline) -> Result<(), TestCaseError> {
    let markdown = convert(options, html);
    let outline = Outline::of_markdown(&markdown);
    prop_assert_eq!(
        &outline.text,
        &expected.text,
        "html {}\nmarkdown {}",
        html,
        markdown
    );
    prop_assert_eq!(
        &outline.structure,
        &expected.structure,
        "html {}\nmarkdown {}",
        html,
        markdown
    );
    // Emphasis that CommonMark has no delimiters for is left out; none comes in.
    prop_assert!(
        outline.emphasis_is_within(expected),
        "emphasis {:?} of {:?}\nhtml {}\nmarkdown {}",
        outline.emphasis,
        expected.emphasis,
        html,
        markdown
    );
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_random_tree_keeps_its_text_and_its_structure(blocks in blocks(traps())) {
        let expected = outline_of(&blocks);
        keeps_the_law(plain(), &html_of(&blocks), &expected)?;
    }

    #[test]
    fn a_random_tree_keeps_them_verbatim(blocks in blocks(traps())) {
        let expected = outline_of(&blocks);
        keeps_the_law(Options::verbatim(), &html_of(&blocks), &expected)?;
    }

    #[test]
    fn a_random_tree_of_words_keeps_them(blocks in blocks(words())) {
        let expected = outline_of(&blocks);
        keeps_the_law(plain(), &html_of(&blocks), &expected)?;
    }

    #[test]
    fn text_never_becomes_markup(pieces in prop::collection::vec(traps(), 1..6)) {
        let inner: Vec<Inline> = pieces
            .into_iter()
            .map(|text| Inline::Span(vec![Inline::Text(text)]))
            .collect();
        for block in [Block::Paragraph(inner.clone()), Block::Heading(2, inner)] {
            let blocks = [
                block.clone(),
                Block::Unordered(vec![vec![block.clone()], vec![block.clone()]]),
                Block::Quote(vec![block]),
            ];
            keeps_the_law(plain(), &html_of(&blocks), &outline_of(&blocks))?;
        }
    }

    #[test]
    fn words_between_blanks_keep_all_their_emphasis(
        words in prop::collection::vec((select(WORDS), 0..8_u8, 0..8_usize), 1..8)
    ) {
        let mut inner = Vec::new();
        for (word, kinds, code) in words {
            let mut inline = match EMPHASES.get(code) {
                Some(&(kind, tag)) => Inline::MarkedCode(kind, tag, word.to_owned()),
                None if code == EMPHASES.len() => Inline::Code(word.to_owned()),
                None => Inline::Text(word.to_owned()),
            };
            for (kind, tag) in [(EMPHASIS, "em"), (STRONG, "b"), (STRIKETHROUGH, "s")] {
                if kinds & kind != 0 {
                    inline = Inline::Emphasis(kind, tag, vec![inline]);
                }
            }
            inner.push(inline);
            inner.push(Inline::Text(" ".to_owned()));
        }
        let blocks = [Block::Paragraph(inner)];
        let html = html_of(&blocks);
        let markdown = convert(plain(), &html);
        let (outline, expected) = (Outline::of_markdown(&markdown), outline_of(&blocks));
        prop_assert_eq!(outline, expected, "html {}\nmarkdown {}", html, markdown);
    }

    #[test]
    fn a_random_markdown_document_comes_back(source in markdown()) {
        let html = rendered(&source);
        let expected = Outline::of_markdown(&source);
        // HTML in Markdown and what no browser shows are beside the point.
        prop_assume!(!expected.structure.contains("⟨html"));
        // The name of a language is a word of letters.
        let languages = html.split("language-").skip(1);
        let named = |rest: &str| rest.split('"').next().is_some_and(|name| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic())
        });
        prop_assume!(languages.into_iter().all(named));
        // HTML has no links in links.
        prop_assume!(!has_link_in_link(&source));
        // Several line breaks are the end of a paragraph.
        prop_assume!(!html.contains("<br />\n<br />"));
        // A task that is a heading is none.
        prop_assume!(!expected.structure.contains(": ☑") || !expected.structure.contains(" h"));
        keeps_the_law(Options::verbatim(), &html, &expected)?;
    }

    #[test]
    fn a_second_pass_loses_nothing(blocks in blocks(traps())) {
        let first = convert(plain(), &html_of(&blocks));
        keeps_the_law(plain(), &rendered(&first), &Outline::of_markdown(&first))?;
    }

    #[test]
    fn any_chunking_gives_the_same(blocks in blocks(traps()), cuts in cuts()) {
        chunks_agree(&plain(), html_of(&blocks).as_bytes(), &cuts)?;
    }

    #[test]
    fn arbitrary_bytes_do_no_harm(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        cuts in cuts(),
    ) {
        chunks_agree(&plain(), &bytes, &cuts)?;
    }

    #[test]
    fn tag_soup_does_no_harm(
        pieces in prop::collection::vec(select(SOUP), 0..60),
        cuts in cuts(),
    ) {
        let html = pieces.concat();
        for options in [plain(), Options::verbatim()] {
            chunks_agree(&options, html.as_bytes(), &cuts)?;
        }
    }

    #[test]
    fn tables_in_tag_soup_do_no_harm(
        pieces in prop::collection::vec(
            prop_oneof![select(TABLE_SOUP), select(SOUP)],
            0..40,
        ),
        cuts in cuts(),
    ) {
        let html = format!("<table>{}", pieces.concat());
        for options in [plain(), Options::verbatim()] {
            chunks_agree(&options, html.as_bytes(), &cuts)?;
        }
    }
}

/// Sizes of the pieces that a page comes in, again and again.
fn cuts() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1..40_usize, 1..40)
}

/// The Markdown of a page does not depend on the pieces that the page comes in, nor on when the
/// Markdown is taken.
fn chunks_agree(options: &Options, html: &[u8], cuts: &[usize]) -> Result<(), TestCaseError> {
    let page = String::from_utf8_lossy(html);
    let whole = convert_in(options.clone(), [html], false);
    let by_one = convert_in(options.clone(), html.chunks(1), true);
    prop_assert_eq!(&by_one, &whole, "1 byte, flushed: {}", page);
    let mut rest = html;
    let mut pieces = Vec::new();
    for size in cuts.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, later) = rest.split_at((*size).min(rest.len()));
        pieces.push(piece);
        rest = later;
    }
    for flush in [false, true] {
        let cut = convert_in(options.clone(), pieces.clone(), flush);
        prop_assert_eq!(&cut, &whole, "{:?}, flushed: {}, {}", cuts, flush, page);
    }
    Ok(())
}

#[test]
fn pages_that_are_easily_cut_wrong_give_the_same() {
    for html in [
        "<table>]]></svg> &amp",
        "<table> a <tr> <td>b</td> </tr> c </table>",
        "<pre><table> \n a<tr> \n <td>b</table>",
        "<table><b>a<table> </b> b",
        "<blockquote><svg></blockquote><![CDATA[<p></h2>",
        "<svg><br><iframe src=/v><![CDATA[</iframe>*",
        "<i><svg></i><script><!--</script>*",
        "<script><!--<script></script>]]>",
        "<li><svg><title>&#x <input type=checkbox>",
        "<ul><li>-->-</ul><hr>",
        "<table><caption><pre></table><table><th>",
        "<video src=/v><a href=/x><blockquote>*<a href=/x></table>",
        "<table><video src=/v><a href=/x><td>a<a href=/x></table>",
        "<a href=/x><a href=/x> -->",
        "<textarea>&amp<</details>",
        "<title>&am</p;</title>",
        "<p>a b<br>_ _ _ _",
        "<b c=d><b c=d><b c=d><b c=d></b><li></b>e",
        "<b c='d'><b c='d'><b c='d'><b c='d'/></b><li></b>e",
        "<b c=><b c=><b c=><b c=></b><li></b>e",
        "<p>a b<br>** ** **",
    ] {
        for options in [plain(), Options::verbatim()] {
            for size in 1..8 {
                chunks_agree(&options, html.as_bytes(), &[size]).unwrap();
            }
        }
    }
}

#[test]
fn what_is_too_long_to_wait_is_cut_at_the_same_place() {
    let words = "a word, [one] `of` many. ".repeat(4000);
    let unbroken = "0123456789abcdef".repeat(5000);
    for text in [&words, &unbroken] {
        for (before, after) in [
            ("<p>", "</p>"),
            ("<p>one <code>", "</code> two"),
            ("<p>one <b>two<code>", "</b> two"),
            ("<p>one <a href=/u><b>", "</b></a> two"),
            ("<h2>one <a href=/u>", "</a> two</h2>"),
            ("<math>", "</math> two"),
            (
                "<math><annotation encoding=latex>",
                "</annotation><mi>x</math>",
            ),
            ("<table><tr><td>x<textarea>", "</textarea></table>"),
            ("<table><tr><td>x<tr><td>y<code>", "</table>"),
            ("<table><tr><td>x<tr><td>y<pre>", "</pre></table>"),
            ("<table><caption>", "</caption><td>x</table>"),
        ] {
            let html = format!("{before}{text}{after}");
            for options in [plain(), Options::verbatim()] {
                chunks_agree(&options, html.as_bytes(), &[4093, 70_000]).unwrap();
            }
        }
    }
}

#[test]
fn code_that_is_cut_keeps_its_text() {
    for code in ["a ", "ab`"] {
        let code = code.repeat(20_000);
        for options in [plain(), Options::verbatim()] {
            let markdown = convert(options, &format!("<p>one <code>{code}</code> two</p>"));
            let mut shown = String::new();
            for event in pulldown_cmark::Parser::new(&markdown) {
                if let pulldown_cmark::Event::Text(text) | pulldown_cmark::Event::Code(text) = event
                {
                    shown.push_str(&text);
                }
            }
            assert_eq!(shown, format!("one {} two", code.trim_end()));
        }
    }
}

/// Documents that were found by chance and once were wrong.
#[test]
fn what_was_found_once_stays_right() {
    for (html, markdown) in [
        ("<em>word<strong>-&nbsp;</strong></em>", "*word-*"),
        (r"<h2><em>a\<br></em>b</h2>", r"## *a\\* b"),
        ("<p><em>a&nbsp;<br></em>b</p>", "*a*\u{A0}\\\nb"),
        (
            "<em><code>*</code></em><strong>a<em>*&nbsp;</em></strong>",
            r"*`*`***&#97;\***",
        ),
        (r"<em>a<strong>\  </strong></em>*", r"*a\\* *"),
        (r"<em>*&nbsp;<code>  </code></em>", r"*\**"),
        (
            "~~~/<del><img src=/i alt=b></del>",
            r"\~\~\~/~~![b](https://example.com/i)~~",
        ),
        ("&lt;<code>a@b.c></code>", r"\<`a@b.c>`"),
        (
            "a<em><a href=/u>![<code>*</code>]k</a></em>",
            "a[*![`*`]k*](https://example.com/u)",
        ),
        ("[<strong>a</strong>]: /u", r"\[**a**]: /u"),
        (
            "_<strong>&shy;_</strong><em>one</em>",
            "_**\u{AD}**\\_*one*",
        ),
        (
            "<table role=none><caption>a</caption><tr><td>b</table>c",
            "a\n\nb\n\nc",
        ),
        (
            "<blockquote><pre>a\n\n</pre></blockquote>",
            "> ```\n> a\n>\n> ```",
        ),
        (
            "<ul><li><ol start=0><li>a</li><li><pre> </pre></ol><p>b</ul>",
            "- 0. a\n\n  b",
        ),
        (
            "<em>_ 2) *<br><a href=/u>a</a></em>",
            "*_ 2) \\*\\\n[a](https://example.com/u)*",
        ),
        (
            "<strong>*<em><code>(</code></em></strong><em>1._0</em>*",
            r"**\**`(`***_1.\_0_*",
        ),
    ] {
        assert_eq!(convert(plain(), html), format!("{markdown}\n"), "{html}");
    }
    for (html, markdown) in [
        ("<em>*<em>  *</em></em>*", r"*\* \**\*"),
        ("<em><em>one<br>two</em></em>k", "*one\\\ntwo*k"),
        ("<em><em>*<em>word</em></em></em>word", r"*\*word*word"),
        (
            "<em><em><strong>*</strong></em><strong><code>*</code>*</strong></em>",
            r"***\*`*`\****",
        ),
        (
            "<strong>a <strong>word</strong> b</strong>",
            "**a __word__ b**",
        ),
        ("<em>a <em>word</em></em>", "*a _word_*"),
        (
            "<strong>!<strong><a href=/u>k</a></strong></strong>",
            r"**\![k](/u)**",
        ),
        (
            "<strong><a href=/u>[x]<strong>(so)</strong>k</a></strong>",
            r"**[\[x\](so)k](/u)**",
        ),
        (
            "<strong>|</strong><em><code>1. </code></em>one",
            "**|***`1. `*&#111;ne",
        ),
        ("<div><a href=/x></a></div><p>b</p>", "[](/x)\n\nb"),
    ] {
        let written = convert(Options::verbatim(), html);
        assert_eq!(written, format!("{markdown}\n"), "{html}");
    }
}

/// What tables are made of.
const TABLE_SOUP: &[&str] = &[
    "<table>",
    "</table>",
    "<tr>",
    "</tr>",
    "<td>",
    "</td>",
    "<th>",
    "<tbody>",
    "<caption>",
    " ",
    "\n",
    "\n  ",
    "a",
    " b ",
    "&amp",
    "&nbsp;",
    "<b>",
    "</b>",
    "<p>",
    "<select>",
    "<!-- -->",
];

const SOUP: &[&str] = &[
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<a href=/x>",
    "</a>",
    "<ul>",
    "</ul>",
    "<ol>",
    "</ol>",
    "<li>",
    "</li>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "<th>",
    "<caption>",
    "</caption>",
    "<pre>",
    "</pre>",
    "<code>",
    "</code>",
    "<blockquote>",
    "</blockquote>",
    "<h2>",
    "</h2>",
    "<br>",
    "<hr>",
    "<dl>",
    "</dl>",
    "<dt>",
    "<dd>",
    "<select>",
    "<option>",
    "</select>",
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<ruby>",
    "<rt>",
    "</ruby>",
    "<img src=a alt=b>",
    "<input type=checkbox>",
    "<script>",
    "</script>",
    "<title>",
    "</title>",
    "<template>",
    "</template>",
    "<div hidden>",
    "<div>",
    "</div>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<textarea>",
    "</textarea>",
    "&amp",
    ";",
    "&#x",
    "41",
    "text",
    "a b",
    " ",
    "\n",
    "*",
    "`",
    "|",
    "日本語",
    "<details>",
    "<summary>",
    "</details>",
    "<iframe src=/v>",
    "</iframe>",
    "<video src=/v>",
    "</video>",
    "<form>",
    "</form>",
    "<button>",
    "</button>",
    "<s>",
    "</s>",
    "<sup>",
    "</sup>",
    "<q>",
    "</q>",
    "<main>",
    "</main>",
    "<",
    ">",
    "\"",
    "=",
];

/// Pieces that documents in Markdown are made of.
const PIECES: &[&str] = &[
    "word",
    "two words",
    "日本語",
    "é",
    ".",
    ",",
    "!",
    "(",
    ")",
    "*",
    "*",
    "**",
    "**",
    "***",
    "_",
    "__",
    "`",
    "`` ",
    "~~",
    "\\*",
    "\\",
    "[a](/b)",
    "[",
    "](/c \"t\")",
    "![i](/j)",
    "<http://a.b/>",
    "&amp;",
    "&lt;b&gt;",
    "\n",
    "\n\n",
    "\n\n",
    "  \n",
    "\\\n",
    "- ",
    "\n- ",
    "\n  - ",
    "\n1. ",
    "\n\n   ",
    "> ",
    "\n> ",
    "\n> > ",
    "\n# ",
    "\n### ",
    "\n---\n",
    "\n\n---\n\n",
    "\n```\n",
    "\n~~~ rust\n",
    "\n    code",
    "\n| a | b |\n|---|:-:|\n| c | d |\n",
    "|",
    "\n- [x] x",
    "\n\n* ",
    "\n2) ",
    " ",
    " ",
    "\n===\n",
];

fn markdown() -> impl Strategy<Value = String> {
    prop::collection::vec(select(PIECES), 1..24).prop_map(|p| p.concat())
}

/// What looks like an address is a link to some readers even in the text of a link.
fn has_link_in_link(markdown: &str) -> bool {
    use pulldown_cmark::{Event, Parser, Tag, TagEnd};
    let mut depth = 0;
    Parser::new_ext(markdown, outline::extensions()).any(|event| {
        match event {
            Event::Start(Tag::Link { .. }) => depth += 1,
            Event::End(TagEnd::Link) => depth -= 1,
            _ => {}
        }
        depth > 1
    })
}

fn rendered(markdown: &str) -> String {
    let mut html = String::new();
    let parser = pulldown_cmark::Parser::new_ext(markdown, outline::extensions());
    pulldown_cmark::html::push_html(&mut html, parser);
    html
}
