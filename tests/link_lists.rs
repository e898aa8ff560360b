//! Lists of links as tables, and links with other destinations.

use markdown_for_agents::convert::{Converter, Options};
use proptest::prelude::*;

fn tables() -> Options {
    Options::new()
        .front_matter(false)
        .link_lists_as_tables("Address", "Description")
}

/// Converts a page at once, byte by byte and with flushes, which must give the same.
#[track_caller]
fn converted(options: &Options, html: &str) -> String {
    let convert = |piece: usize| {
        let mut converter = Converter::new(options.clone()).url("https://example.com/dir/page");
        for bytes in html.as_bytes().chunks(piece) {
            converter.write(bytes).unwrap();
            converter.flush();
        }
        converter.finish().unwrap();
        String::from_utf8(converter.take().to_vec()).unwrap()
    };
    let whole = convert(html.len().max(1));
    for piece in [1, 7] {
        assert_eq!(convert(piece), whole, "in pieces of {piece}: {html}");
    }
    whole
}

const HEAD: &str = "| Address | Description |\n| --- | --- |\n";

#[test]
fn a_list_whose_items_begin_with_links_is_a_table() {
    for (html, rows) in [
        (
            "<ul><li><a href=/a>A</a>: first<li><a href=b>B</a></ul>",
            "| https://example.com/a | A: first |\n| https://example.com/dir/b | B |\n",
        ),
        (
            "<ol start=7><li> <a href=/a>A</a> </ol>",
            "| https://example.com/a | A |\n",
        ),
        (
            "<ul><li><p><b><a href=/a>A</a></b> <i>x</i></p><p>y <a href=/z>z</a></p></ul>",
            "| https://example.com/a | **A** *x*<br>y [z](https://example.com/z) |\n",
        ),
        (
            "<ul><li><a href=/a><h3>A</h3><p>card</p></a></ul>",
            "| https://example.com/a | A<br>card |\n",
        ),
        (
            "<ul><li><a href='/a|b*c_'>p|q</a></ul>",
            "| https://example.com/a%7Cb%2Ac%5F | p\\|q |\n",
        ),
        (
            "<ul><li><a href=/a></a><li><li><a href=/i><img src=/i.png alt=I></a></ul>",
            "| https://example.com/a | https://example.com/a |\n\
             | https://example.com/i | ![I](https://example.com/i.png) |\n",
        ),
        (
            "<ul><li><a href=/a>A</a><ul><li><a href=/b>B</a></ul><li><a href=/c>C</a></ul>",
            "| https://example.com/a | A |\n| https://example.com/b | B |\n| https://example.com/c | C |\n",
        ),
        (
            "<dl><dd><a href=/a>A</a> x</dl>",
            "| https://example.com/a | A x |\n",
        ),
    ] {
        assert_eq!(
            converted(&tables(), html),
            format!("{HEAD}{rows}"),
            "{html}"
        );
    }
}

#[test]
fn any_other_list_is_what_it_is_without_the_option() {
    let plain = Options::new().front_matter(false);
    for html in [
        "<ul><li>Text <a href=/a>A</a></ul>",
        "<ul><li><a href=/a>A</a><li>Text</ul>",
        "<ul><li><a href=#a>A</a></ul>",
        "<ul><li><a href=mailto:a@b.c>A</a></ul>",
        "<ul><li><a href=/a>A</a><blockquote>q</blockquote><li><a href=/b>B</a></ul>",
        "<ul><li><a href=/a>A</a><pre>code</pre></ul>",
        "<ul><li><a href=/a>A</a><table><tr><th>h<td>d</table></ul>",
        "<ul><li><a href=/a>A</a><hr></ul>",
        "<ul><li><input type=checkbox><a href=/a>A</a></ul>",
        "<ul><li><img src=/i alt=I><a href=/a>A</a></ul>",
        "<ul>loose<li><a href=/a>A</a></ul>",
        "<ul><li><a href=/a>A</a><ul><li><a href=/b>B</a><li>Text</ul></ul>",
        "<li><a href=/a>A</a>",
        "<ul></ul><p>x",
        "<ul><li></ul><p>x",
        "<table><tr><th>h<td><ul><li><a href=/a>A</a></ul></table>",
        "<a href=/a><ul><li>x</ul></a>",
        "<p>before<ul><li>a <b>c</b><p>d<li><i>e</i></ul><ol><li>f</ol>after",
    ] {
        // A link to a place on the page stays as it is.
        let expected = converted(&plain, html).replace("(https://example.com/dir/page#a)", "(#a)");
        assert_eq!(converted(&tables(), html), expected, "{html}");
    }
}

#[test]
fn lists_of_links_in_another_list_are_tables_in_its_items() {
    let html = "<ul><li>Guides<ul><li><a href=/a>A</a></ul><li><a href=/b>B</a><ul><li><a href=/c>C</a></ul>more</ul><p>End";
    assert_eq!(
        converted(&tables(), html),
        "- Guides\n\n  | Address | Description |\n  | --- | --- |\n  | https://example.com/a | A |\n\
         - [B](https://example.com/b)\n\n  | Address | Description |\n  | --- | --- |\n  | https://example.com/c | C |\n\n  more\n\nEnd\n"
    );
}

#[test]
fn a_table_stands_in_its_place_among_other_blocks() {
    let html = "<h2>See</h2>Text<ul><li><a href=/a>A</a></ul><p>then <b>this</b><blockquote><ul><li><a href=/b>B</a></ul>q</blockquote>";
    assert_eq!(
        converted(&tables(), html),
        format!(
            "## See\n\nText\n\n{HEAD}| https://example.com/a | A |\n\nthen **this**\n\n\
             > | Address | Description |\n> | --- | --- |\n> | https://example.com/b | B |\n>\n> q\n"
        )
    );
}

#[test]
fn a_list_beyond_the_limit_stays_a_list_and_loses_nothing() {
    let html = format!("<ul>{}</ul>", "<li><a href=/a>Item</a> text".repeat(100));
    let small = tables().max_table(1000);
    let expected = "- [Item](https://example.com/a) text\n".repeat(100);
    assert_eq!(converted(&small, &html), expected);
    assert!(converted(&tables(), &html).starts_with(HEAD));
}

#[test]
fn names_of_columns_are_text_on_one_line() {
    let options = Options::new()
        .front_matter(false)
        .link_lists_as_tables("a|b\nc", "`d`");
    assert_eq!(
        converted(&options, "<ul><li><a href=/a>A</a></ul>"),
        "| a\\|b c | \\`d\\` |\n| --- | --- |\n| https://example.com/a | A |\n"
    );
}

#[test]
fn links_get_the_destination_that_the_operator_wants() {
    let options = Options::new()
        .front_matter(false)
        .rewrite_links(1, |address| {
            address
                .strip_prefix("https://example.com")
                .map(|path| format!("{path}.md"))
        });
    for (html, expected) in [
        ("<a href=a?b#c>x</a>", "[x](/dir/a?b#c.md)\n"),
        ("<a href=//example.com/a>x</a>", "[x](/a.md)\n"),
        (
            "<a href=https://example.org/a>x</a>",
            "[x](https://example.org/a)\n",
        ),
        ("<a href=mailto:a@b.c>x</a>", "[x](mailto:a@b.c)\n"),
        ("<a href=' #top'>x</a>", "[x](#top)\n"),
        ("<base href=/b/><a href=#top>x</a>", "[x](/b/#top.md)\n"),
        (
            "<a href=/a><img src=/b alt=i></a>",
            "[![i](https://example.com/b)](/a.md)\n",
        ),
    ] {
        assert_eq!(converted(&options, html), expected, "{html}");
    }
}

#[test]
fn the_links_of_navigation_come_at_the_end_each_once() {
    let options = Options::new()
        .front_matter(false)
        .navigation_at_end("Elsewhere");
    let html = "<nav><ul><li><a href=/a>A &amp; <b>B</b></a><li><a href=/a>again</a><li><a href=#x>here</a></ul>\
        <a href=/i><img src=i alt='An image'></a>text</nav><h1>Page</h1><p>text <a href=/p>p</a>\
        <div hidden><a href=/hidden>h</a></div><div role=navigation><a href=/next title=Next></a></div>\
        <footer><a href=/none></a><a href=javascript:x>js</a></footer>\
        <script type=application/ld+json>{}</script>";
    let links = "- [A & B](https://example.com/a)\n- [An image](https://example.com/i)\n- [Next](https://example.com/next)\n\
                 - <https://example.com/none>\n";
    assert_eq!(
        converted(&options, html),
        format!(
            "# Page\n\ntext [p](https://example.com/p)\n\n## Structured data\n\n```json\n{{}}\n```\n\n## Elsewhere\n\n{links}"
        )
    );
    // What is not left out is in its place.
    let kept = options.clone().keep("nav").unwrap();
    let html = "<nav><a href=/a>A</a></nav><p>text";
    assert_eq!(
        converted(&kept, html),
        "[A](https://example.com/a)\n\ntext\n"
    );
    // And a page without navigation gains nothing.
    assert_eq!(converted(&options, "<nav>text</nav><p>text"), "text\n");
    // As much as there may be.
    let many: String = (0..1000).map(|n| format!("<a href=/{n}>{n}</a>")).collect();
    let small = converted(
        &options.clone().max_table(2000),
        &format!("<nav>{many}</nav>"),
    );
    assert!(small.contains("/5)") && !small.contains("/500)"), "{small}");
    let tables = options.link_lists_as_tables("Address", "Description");
    assert!(!converted(&tables, &format!("<nav>{many}</nav>")).contains("\n- "));
}

#[test]
fn all_options_are_part_of_the_fingerprint() {
    let prints = [
        Options::new(),
        Options::new().rewrite_links(1, |_| None),
        Options::new().rewrite_links(2, |_| None),
        Options::new().link_lists_as_tables("a", "b"),
        Options::new().link_lists_as_tables("a", "c"),
        Options::new().navigation_at_end("a"),
    ]
    .map(|options| options.fingerprint());
    for (index, print) in prints.iter().enumerate() {
        assert!(!prints[..index].contains(print), "{index}");
    }
}

proptest! {
    #[test]
    fn no_list_of_anything_loses_text_or_depends_on_its_pieces(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<ul>", "</ul>", "<ol>", "</ol>", "<li>", "</li>", "<a href=/a>", "</a>", "<a href=#b>",
                "<p>", "<h2>", "</h2>", "<b>", "</b>", "<code>", "</code>", "<br>", "<pre>", "</pre>",
                "<table><tr><td>", "</table>", "<blockquote>", "</blockquote>", "<img src=i alt=word>",
                "word", " word ", " ", "<hr>", "<sup>", "</sup>", "<a href=/c class=headerlink>#</a>",
            ]),
            0..40,
        )
    ) {
        let html = pieces.concat();
        let words = |text: &str| text.matches("word").count();
        let markdown = converted(&tables().max_table(300), &html);
        prop_assert_eq!(words(&markdown), words(&converted(&Options::new().front_matter(false), &html)), "{}", markdown);
        converted(&tables(), &html);
    }
}
