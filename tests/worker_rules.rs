//! The rules of the Worker that this crate's conversion goes back to, and the caveats of a review of
//! it, by name. What they say of requests and headers is in `worker_article_http.rs`.

use markdown_for_agents::convert::{Converter, Options};

fn page(options: Options, html: &str) -> String {
    let mut converter = Converter::new(options).url("https://example.com/page");
    converter.write(html.as_bytes()).unwrap();
    converter.finish().unwrap();
    String::from_utf8(converter.take().to_vec()).unwrap()
}

fn body(html: &str) -> String {
    page(Options::new().front_matter(false), html)
}

#[test]
fn page_chrome_is_skipped() {
    for chrome in ["nav", "footer", "noscript", "svg", "button", "template"] {
        let html = format!("<p>a</p><{chrome}>x<i-b>y</i-b></{chrome}><p>b</p>");
        assert_eq!(body(&html), "a\n\nb\n", "{chrome}");
    }
    for raw in ["script", "style"] {
        let html = format!("<p>a</p><{raw}>x <b></{raw}><p>b</p>");
        assert_eq!(body(&html), "a\n\nb\n", "{raw}");
    }
    assert_eq!(body("<head><title>t</title></head><p>a"), "a\n");
}

#[test]
fn what_is_marked_hidden_is_skipped() {
    for attribute in [
        "hidden",
        "aria-hidden=true",
        "aria-hidden=\"TRUE\"",
        "role=navigation",
        "class='x skip-link'",
    ] {
        let html = format!("<p>a</p><div {attribute}>x<p>y</p></div><p>b</p>");
        assert_eq!(body(&html), "a\n\nb\n", "{attribute}");
    }
    assert_eq!(body("<p aria-hidden=false>a"), "a\n");
}

#[test]
fn a_void_element_that_is_hidden_does_not_drop_the_rest_of_the_page() {
    assert_eq!(
        body("<img hidden src=a alt=b><br hidden><input hidden><p>x"),
        "x\n"
    );
}

#[test]
fn skipped_elements_in_each_other_end_where_the_outer_one_ends() {
    assert_eq!(body("<nav><nav>x</nav>y<button>z</button></nav>a"), "a\n");
}

#[test]
fn headings_get_their_number_of_signs() {
    for level in 1..=6 {
        let html = format!("<h{level}>T</h{level}>");
        assert_eq!(body(&html), format!("{} T\n", "#".repeat(level)));
    }
}

#[test]
fn paragraphs_and_sections_are_set_apart_by_one_blank_line() {
    assert_eq!(
        body("<p>a</p>\n\n\n<section><div><p>b</p></div></section><section>c</section>"),
        "a\n\nb\n\nc\n"
    );
}

#[test]
fn strong_and_emphasis_are_stars() {
    assert_eq!(body("<strong>a</strong> <em>b</em>"), "**a** *b*\n");
}

#[test]
fn ordered_items_are_numbered_and_others_have_bullets() {
    assert_eq!(body("<ol><li>a<li>b</ol>"), "1. a\n2. b\n");
    assert_eq!(body("<ul><li>a<li>b</ul>"), "- a\n- b\n");
}

#[test]
fn relative_links_become_absolute() {
    assert_eq!(
        body("<a href=/privacy>P</a>"),
        "[P](https://example.com/privacy)\n"
    );
}

#[test]
fn only_web_mail_and_telephone_links_survive() {
    assert_eq!(body("<a href='https://a.b/'>x</a>"), "[x](https://a.b/)\n");
    assert_eq!(body("<a href='http://a.b/'>x</a>"), "[x](http://a.b/)\n");
    assert_eq!(body("<a href=mailto:a@b.c>x</a>"), "[x](mailto:a@b.c)\n");
    assert_eq!(body("<a href=tel:1>x</a>"), "[x](tel:1)\n");
    for scheme in [
        "javascript:a()",
        "data:,x",
        "ftp://a.b/",
        "file:///x",
        "vbscript:x",
    ] {
        assert_eq!(
            body(&format!("<a href='{scheme}'>x</a>")),
            "x\n",
            "{scheme}"
        );
    }
}

#[test]
fn images_need_a_text_and_a_source() {
    assert_eq!(
        body("<img src=/i.png alt=A>"),
        "![A](https://example.com/i.png)\n"
    );
    assert_eq!(body("<img src=/i.png>"), "");
    assert_eq!(body("<img src=/i.png alt=' '>"), "");
    assert_eq!(body("<img alt=A>"), "");
}

#[test]
fn references_are_decoded_and_white_space_collapses() {
    assert_eq!(
        body("<p>a &amp;  b&nbsp;c\n &#233;&#xE9;"),
        "a & b\u{A0}c éé\n"
    );
}

#[test]
fn no_line_ends_in_blanks_and_no_two_blank_lines_follow() {
    let markdown = body("<p> a <br> b </p>\n<div> </div>\n<p></p>\n<p> c </p>");
    assert_eq!(markdown, "a\\\nb\n\nc\n");
}

#[test]
fn the_front_matter_has_title_description_and_address() {
    let html = "<title>T \"q\"</title><meta name=description content=D>\
                <link rel=canonical href='https://example.com/'><p>x";
    assert_eq!(
        page(Options::new(), html),
        "---\ntitle: \"T \\\"q\\\"\"\ndescription: \"D\"\nurl: \"https://example.com/\"\n---\n\nx\n"
    );
}

#[test]
fn structured_data_is_appended() {
    assert_eq!(
        body("<script type=application/ld+json>{\"a\":1}</script><p>x"),
        "x\n\n## Structured data\n\n```json\n{\"a\":1}\n```\n"
    );
}

#[test]
fn tables_have_a_delimiter_row() {
    assert_eq!(
        body("<table><tr><th>a<th>b<tr><td>1<td>2</table>"),
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    );
    assert_eq!(
        body("<table><tr><td>1<td>2<tr><td>3<td>4</table>"),
        "| | |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n"
    );
}

#[test]
fn code_keeps_its_indentation_and_its_lines() {
    assert_eq!(
        body("<pre>if a:\n    b\n\n\tc  \n</pre>"),
        "```\nif a:\n    b\n\n\tc  \n```\n"
    );
}

#[test]
fn nested_lists_are_indented() {
    assert_eq!(
        body("<ul><li>a<ol><li>b<ul><li>c</ul></ol><li>d</ul>"),
        "- a\n  1. b\n     - c\n- d\n"
    );
}

#[test]
fn only_the_main_content_is_written_if_asked_for() {
    let only = || Options::new().front_matter(false).main_content_only(true);
    let html = "<header>h</header><blockquote>q<ul><li>i<main><p>a<p>b</main>c</ul>d";
    assert_eq!(page(only(), html), "a\n\nb\n");
    assert_eq!(page(only(), "<b>x<div role=MAIN>a</div>y"), "a\n");
    assert_eq!(
        page(only(), "<p>x<article>a</article><article>b</article>"),
        "a\n"
    );
    assert_eq!(page(only(), "<p>x<main hidden>a</main><p>y"), "x\n\ny\n");
    assert_eq!(page(only(), "<p>x<p>y"), "x\n\ny\n");
    let long = format!("<p>{}<main>a</main><p>b", "word ".repeat(20_000));
    let markdown = page(only(), &long);
    assert!(markdown.starts_with("word") && markdown.ends_with("a\n\nb\n"));
    assert_ne!(
        only().fingerprint(),
        Options::new().front_matter(false).fingerprint()
    );
}

#[test]
fn main_content_waits_for_its_beginning() {
    let mut converter =
        Converter::new(Options::new().main_content_only(true)).url("https://e.com/");
    converter
        .write(b"<title>T</title><body><div>menu</div>")
        .unwrap();
    converter.flush();
    assert_eq!((converter.ready(), converter.has_content()), (0, false));
    converter.write(b"<main><p>a</p>").unwrap();
    let first = converter.take();
    assert_eq!(
        first,
        "---\ntitle: \"T\"\nurl: \"https://e.com/\"\n---\n\na\n"
    );
    converter.write(b"</main><p>b").unwrap();
    converter.finish().unwrap();
    assert_eq!(converter.take(), "");
}
