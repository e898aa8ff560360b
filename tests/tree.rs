//! What stands in what: broken, foreign and oversized markup through the public converter.

use markdown_for_agents::convert::{Converter, Options};

/// Converts with writes of so many bytes.
fn in_pieces(html: &[u8], size: usize) -> String {
    let mut converter = Converter::new(Options::new().front_matter(false));
    let mut markdown = Vec::new();
    for piece in html.chunks(size) {
        converter.write(piece).unwrap();
        markdown.extend_from_slice(&converter.take());
    }
    converter.finish().unwrap();
    markdown.extend_from_slice(&converter.take());
    String::from_utf8(markdown).unwrap()
}

/// Converts alike however the page is cut.
#[track_caller]
fn converts(html: impl AsRef<[u8]>, markdown: &str) {
    let html = html.as_ref();
    for size in [1, 2, 3, 5, 7, 16, 1 << 20] {
        assert_eq!(in_pieces(html, size), markdown, "pieces of {size}");
    }
}

#[test]
fn a_hidden_element_ends_where_the_next_one_implies_it() {
    converts("<p hidden>x<p>y", "y\n");
    converts("<ul><li hidden>a<li>b</ul>", "- b\n");
    converts("<input hidden><p>y", "y\n");
    converts("<p>a<br hidden>b<p>c", "ab\n\nc\n");
    converts(
        "<table><tr><td>a<td hidden>b<tr><td>c<td>d</table>e",
        "| | |\n| --- | --- |\n| a |\n| c | d |\n\ne\n",
    );
    converts("<dl><dt>a<dd hidden>b<dt>c<dd>d</dl>", "a\n\nc\n\n- d\n");
}

#[test]
fn an_unclosed_nav_ends_with_the_element_around_it() {
    converts("<div><nav><a href=/>x</a></div><p>y", "y\n");
    converts("</nav><p>y</nav>z", "yz\n");
    converts("<nav><div></nav><p>y", "y\n");
}

#[test]
fn formatting_goes_on_in_the_next_block() {
    converts("<p><b>a<p>b</b>c", "**a**\n\n**b**c\n");
    converts("<i><b>a</i> b</b>c", "***a*** **b**c\n");
    converts("<b>a<div>b</b>c</div>d", "**a**\n\n**b**c\n\nd\n");
    converts(
        "<p>a<a href=//x.y/1>b<a href=//x.y/2>c</a>",
        "a[b](//x.y/1)[c](//x.y/2)\n",
    );
}

#[test]
fn a_root_that_closes_itself_does_not_swallow_the_page() {
    for root in [
        "<svg/>",
        "<math/>",
        "<SVG />",
        "<Svg/>",
        "<svg a='>'/>",
        "<math\n/>",
    ] {
        converts(
            format!("<p>a{root}<script>if(a<!--b){{}}</script>b"),
            "ab\n",
        );
        converts(
            format!("{root}<textarea><p>x</textarea><p>y"),
            "<p>x\n\ny\n".replace('<', "\\<").as_str(),
        );
        converts(format!("{root}<title>t</title><p>y"), "y\n");
    }
    converts("<p>a<svg><style>b</style><p>c", "a\n\nc\n");
    converts("<p>a<s<svg/>b<<svg/>c", "ab\\<c\n");
}

#[test]
fn cdata_is_text_in_foreign_content_only() {
    converts(
        "<p>a<math><mrow><![CDATA[<b>]]></mrow></math>c",
        "a\\<b>c\n",
    );
    converts("<p>a<![CDATA[b<i>c]]>d", "ac]]>d\n");
}

#[test]
fn head_and_body_begin_and_end_by_themselves() {
    converts("<head><title>t</title><p>a", "a\n");
    converts("<p>a</body></html><p>b", "a\n\nb\n");
    converts("\u{FEFF}<h1>a</h1>", "# a\n");
    converts(
        "<frameset><frame><noframes>x</noframes></frameset><p>a",
        "a\n",
    );
    converts(
        "<noscript><p>x</noscript><p>a<noscript>y</noscript>b",
        "ab\n",
    );
    converts("<template><p>x</template><p>a", "a\n");
}

#[test]
fn broken_bytes_lose_nothing_but_themselves() {
    converts(
        b"<p>a\xFFb\xE2\x82</p><p>c\0d",
        "a\u{FFFD}b\u{FFFD}\n\ncd\n",
    );
    converts("<p>a<b", "a\n");
    converts("<p>a<a href='x", "a\n");
    converts("<p>a<", "a<\n");
    converts("<p>a</", "a\\</\n");
    converts("<p>a<!-- b", "a\n");
    converts(
        "<p>a<!-->b<!--->c<!---->d<!--x--!>e</ x>f<?y?>g<!z>h",
        "abcdefgh\n",
    );
}

/// Larger than any token may be.
const LARGE: usize = 600 << 10;

/// Converts alike in small and in large pieces.
#[track_caller]
fn large_converts(html: &str, markdown: &str) {
    for size in [509, 4096, 1 << 20] {
        assert_eq!(
            in_pieces(html.as_bytes(), size),
            markdown,
            "pieces of {size}"
        );
    }
}

#[test]
fn what_follows_an_oversized_token_stays() {
    let x = "x".repeat(LARGE);
    let end = "<b>after</b> <i>it</i>";
    let markdown = "before **after** *it*\n";
    large_converts(
        &format!("<p>before <img alt='' src='data:>{x}'> {end}"),
        markdown,
    );
    large_converts(&format!("<p>before <!-- > {x} -- > --> {end}"), markdown);
    large_converts(&format!("<p>before <!x {x}> {end}"), markdown);
    large_converts(&format!("<p>before <?x {x}?> {end}"), markdown);
    large_converts(&format!("<p>before </x y='>{x}'> {end}"), markdown);
    large_converts(&format!("<p>before <{x}> {end}"), markdown);
    large_converts(
        &format!("<p>before <br {}> {end}", "a ".repeat(LARGE / 2)),
        "before\\\n**after** *it*\n",
    );
    large_converts(
        &format!("<p>before <script><!-- {x} <script>'</script>' --> a</script> {end}"),
        markdown,
    );
    large_converts(
        &format!("<p>before <script a='>{x}'>x<b></script> {end}"),
        markdown,
    );
    large_converts(
        &format!("<p>before <script>x<b></script a='>{x}'> {end}"),
        markdown,
    );
    large_converts(
        &format!("<p>before <style a='{x}'>x<b></style> {end}"),
        markdown,
    );
    large_converts(&format!("<p>before <svg a='{x}'/> {end}"), markdown);
    large_converts(
        &format!("<p>before <svg a='{x}'><title>x</title></svg> {end}"),
        markdown,
    );
    large_converts(
        &format!("<p>before <svg><path d='{x}'/><title>x</title></svg> {end}"),
        markdown,
    );
    large_converts(
        &format!("<p>before <svg><desc><i a='{x}'>x</i></desc><title>x</title></svg> {end}"),
        markdown,
    );
    large_converts(
        &format!("<p>before <textarea a='{x}'>&lt;b></textarea> {end}"),
        "before \\<b> **after** *it*\n",
    );
}

#[test]
fn what_an_oversized_token_begins_with_counts() {
    let x = "x".repeat(LARGE);
    large_converts(
        &format!("<p>a <a href='//x.y/z' title='{x}'>b</a> c"),
        "a [b](//x.y/z) c\n",
    );
    large_converts(
        &format!("<p>a</p><div hidden a='{x}'>b</div><p>c"),
        "a\n\nc\n",
    );
}

#[test]
fn an_oversized_token_without_an_end_takes_what_the_standard_says() {
    let x = "x".repeat(LARGE);
    large_converts(&format!("<p>a <b title='{x}"), "a\n");
    large_converts(&format!("<p>a <!-- {x}"), "a\n");
}
