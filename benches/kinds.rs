//! Kinds of pages of any length: those of [`PAGES`] again and again, and all that could make a
//! careless converter slow. Growth is counted for each: of instructions and of allocations.

use crate::pages::PAGES;
use std::fmt::{Display, Formatter, Result};

/// A page of any length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    start: &'static str,
    part: Part,
}

/// What comes again and again behind the start.
#[derive(Debug, Clone, Copy)]
enum Part {
    Same(&'static str),
    /// The first as often as the second, but all of the first before.
    Nested(&'static str, &'static str),
    /// Each time another one, by its number.
    Numbered(&'static str, fn(usize) -> String),
}

/// Every kind.
pub(crate) fn kinds() -> impl Iterator<Item = Kind> {
    let same = |(start, part)| Kind {
        start,
        part: Part::Same(part),
    };
    let nested = |(open, close)| Kind {
        start: "",
        part: Part::Nested(open, close),
    };
    let numbered = |(start, name, part)| Kind {
        start,
        part: Part::Numbered(name, part),
    };
    let pages = PAGES.into_iter().map(|(_, page)| ("", page));
    let repeated = [
        UNCLOSED, ENDS, TABLES, TEXT, MARKS, BLOCKS, TAGS, RAW_TEXT, METADATA, FOREIGN, SKIPPED,
    ];
    let repeated = repeated.into_iter().flatten().copied();
    pages
        .chain(repeated)
        .map(same)
        .chain(NESTED.iter().copied().map(nested))
        .chain(NUMBERED.iter().copied().map(numbered))
}

impl Kind {
    /// A page of about this many bytes, or of one part if that is longer, this many times over.
    pub(crate) fn page(self, size: usize, times: usize) -> String {
        let mut page = self.start.to_owned();
        match self.part {
            Part::Same(part) => page += &part.repeat(size.div_ceil(part.len()) * times),
            Part::Nested(open, close) => {
                let times = size.div_ceil(open.len() + close.len()) * times;
                page += &open.repeat(times);
                page += &close.repeat(times);
            }
            Part::Numbered(_, part) => {
                for number in 1.. {
                    page += &part(number);
                    if page.len() >= size * times {
                        break;
                    }
                }
            }
        }
        page
    }
}

/// The name: the start and what comes again and again.
impl Display for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let start = self.start;
        match self.part {
            Part::Same(part) => match PAGES.iter().find(|&&(_, page)| page == part) {
                Some((name, _)) => f.write_str(name),
                None => write!(f, "{:?}", format!("{start}{part}…")),
            },
            Part::Nested(open, close) => write!(f, "{:?}", format!("{open}…{close}…")),
            Part::Numbered(name, _) => f.write_str(name),
        }
    }
}

/// Elements that stay open, in each other.
const UNCLOSED: &[(&str, &str)] = &[
    ("", "<div>"),
    ("", "<div>a"),
    ("", "<p>a"),
    ("", "<section><article>a"),
    ("", "<blockquote>a"),
    ("", "<ul><li>a"),
    ("", "<ol><li>a<ul><li>b"),
    ("<ul>", "<li>a"),
    ("", "<h1>a<h2>b"),
    ("", "<dl><dt>a<dd>b"),
    ("<dl>", "<dt>a<dd>b"),
    ("", "<details><summary>a"),
    ("", "<figure><figcaption>a"),
    ("", "<span>"),
    ("", "<b>"),
    ("", "<b>a"),
    ("", "<b>a "),
    ("", "<a href=/x>a"),
    ("", "<a href=/x>a<b><i><font><code><em>b"),
    ("", "<p><i>a<b>"),
    ("", "<p><b><i><u><s><tt>"),
    ("", "<b><p>a"),
    ("", "<a href=/><div>a"),
    ("", "<nobr>a"),
    ("", "<code>a"),
    ("", "<pre>a"),
    ("", "<table><tr><td>a"),
    ("", "<template>"),
    ("", "<template><td>a"),
    ("", "<select><option>a"),
    ("<select>", "<option>a<optgroup>b"),
    ("", "<select>a"),
    ("", "<button>a"),
    ("", "<form>a"),
    ("", "<object>a"),
    ("", "<applet><marquee>a"),
    ("", "<ruby>a<rb>b<rt>c<rp>("),
    ("<ruby>", "a<rt>b"),
    ("", "<x-a>a"),
    ("", "<body><html>a"),
    ("", "<frameset><frame>"),
];

/// End tags that end what they did not begin, or nothing.
const ENDS: &[(&str, &str)] = &[
    ("", "</p>"),
    ("", "</br>"),
    ("", "</b>"),
    ("", "</x>"),
    ("", "</div></b></p>a"),
    ("", "</li></td></table></h1></select></svg>"),
    ("", "</body></html>a"),
    ("<b><i><u><s><tt><em><code>", "</p>a"),
    ("<p><b><i><u><s><tt><em><code>a", "</x>"),
    ("", "<b><i>a</b></i>"),
    ("", "<b>y<div></b>"),
    ("", "<b><p>x</b>y</p>"),
    ("", "<a href=/>a<p>b</a>c"),
    ("", "<i>a<p>b</i>c"),
    ("", "<font><p><font><p></font></font>a"),
    ("", "<b><i><u><p>x</b></u></i>"),
    ("", "<ul><li><b>a</ul></b>"),
    ("", "<b><table><td></b>a</table>"),
    ("", "<form><div></form></div>"),
    ("", "<h1>a</h2>"),
    ("", "<select><b></select></b>"),
    ("", "<x-a><x-b></x-c>"),
    ("", "<div><span></div>"),
];

/// Tables with too much of one thing, and things that belong in no table.
const TABLES: &[(&str, &str)] = &[
    ("<table>", "<tr><td>a<td>b"),
    ("<table>", "<tr><td>a | b</td><td>c</td></tr>\n"),
    ("<table>", "<tr>"),
    ("<table><tr>", "<td>a"),
    ("<table><tr>", "<td></td>"),
    ("<table>", "<tr><td>a"),
    ("<table><td>", "a "),
    ("<table><td>", "|"),
    ("<table><td>", "a<br>"),
    ("<table><td>", "<p>a"),
    ("<table><td>", "<b>a</b>"),
    ("<table>", "<tr><td><ul><li>a"),
    ("<table>", "<td colspan=1000>a"),
    ("<table>", "<tr><td colspan=1000>a"),
    ("<table>", "<tr><td rowspan=65534>a<td>b"),
    ("<table>", "<tr><td rowspan=65534 colspan=1000>a"),
    ("<table><tr>", "<td rowspan=2>a"),
    ("<table>", "<col span=1000>"),
    ("<table>", "<colgroup><col>"),
    ("<table>", "<caption>a"),
    ("<table>", "<tbody>"),
    ("<table>", "<thead><tr><th>a<tfoot><tr><td>b"),
    ("<table>", "a"),
    ("<table>", "a<tr>"),
    ("<table>", "<b>a"),
    ("<table>", "<b>"),
    ("<table>", "<a href=/x>a"),
    ("<table>", "<div>a"),
    ("<table>", "<p>a<tr>"),
    ("<table>", "text <b>x</b><tr><td>y</td></tr>"),
    ("<table>", "<form><input type=hidden>"),
    ("<table>", "<select><tr>"),
    ("<table>", "<object></table><table>"),
    ("", "<table><tr><td>a</table>"),
    ("", "<table><tr><td><table><tr><td>a</table>"),
    ("", "</td><td>a"),
];

/// Text that Markdown could read as something else, and text of no end.
const TEXT: &[(&str, &str)] = &[
    ("<p>", "a"),
    ("<p>", "a "),
    ("<p>", " "),
    ("<p>", " \n"),
    ("<p>", "\n"),
    ("<p>", "\t"),
    ("<p>", "&nbsp;"),
    ("<p>", "&#32;"),
    ("<p>", "\u{200b}"),
    ("<p>", "\u{65e5}"),
    ("<p>", "\u{301}"),
    ("<p>", "<"),
    ("<p>", "< "),
    ("<p>", ">"),
    ("<p>", ">\n"),
    ("<p>", "&"),
    ("<p>", "&&amp;"),
    ("<p>", "&#"),
    ("<p>", "&#x;&x;"),
    ("<p>&#", "1"),
    ("<p>&", "a"),
    ("<p>", "&notit;"),
    ("<p>", "&lt;a&gt;"),
    ("<p>", "*"),
    ("<p>", "* "),
    ("<p>", "a*"),
    ("<p>", "*a "),
    ("<p>", "_"),
    ("<p>", "a_"),
    ("<p>", "_a "),
    ("<p>", "`"),
    ("<p>", "` "),
    ("<p>", "~"),
    ("<p>", "~~a "),
    ("<p>", "["),
    ("<p>", "]"),
    ("<p>", "[]"),
    ("<p>", "[a]"),
    ("<p>", "]("),
    ("<p>", "![a]("),
    ("<p>", "[a]: "),
    ("<p>", "\\"),
    ("<p>", "!"),
    ("<p>", "|"),
    ("<p>", "#"),
    ("<p>", "# "),
    ("<p>", "-"),
    ("<p>", "- "),
    ("<p>", "="),
    ("<p>", "+ "),
    ("<p>", "1"),
    ("<p>", "1. "),
    ("<p>", ":-|"),
    ("<p>", "$"),
    ("<p>", "\\("),
    ("<p>", "*_`~["),
    ("<p>", "http://"),
    ("<p>", "https://a.b "),
    ("<p>", "www.a"),
    ("<p>", "a@b.c "),
    ("<p>", "a@"),
    ("<p>", "<br>"),
    ("<p>", "a<br>"),
    ("<p>", "<br> "),
    ("<p>", "<br>*"),
    ("<p>", "<br>- "),
    ("<p>", "<wbr>"),
    ("<p>", "a<wbr>"),
    ("<p>", "&shy;"),
];

/// Marks in a line: emphasis, code, links, images.
const MARKS: &[(&str, &str)] = &[
    ("<p>", "<b></b>"),
    ("<p>", "<b> </b>"),
    ("<p>", "a<b></b>"),
    ("<p>", "<i><b></b></i>"),
    ("<p>", "<b>a</b>"),
    ("<p>", "<b>a</b> "),
    ("<p>", "<b>a</b><i>b</i>"),
    ("<p>", "<b>a<i>b</i></b>"),
    ("<p>", "a<b>*</b>"),
    ("<p>", "a<i>_</i>"),
    ("<p>", "<b>.</b>a"),
    ("<p>", "<b>a<br></b>"),
    ("<p>", "<del>a</del>"),
    ("<p>", "<del><b>~</b></del>"),
    ("<p>", "<q>a</q>"),
    ("<p>", "<sub>a</sub><sup>b</sup>"),
    ("<p>", "<kbd>a</kbd>+"),
    ("<p>", "<code></code>"),
    ("<p>", "<code>a</code>"),
    ("<p>", "<code>`</code>"),
    ("<p>", "<code> ` </code> "),
    ("<p>", "<code><b>a</b></code>"),
    ("<p><code>", "`"),
    ("<p><code>", "` "),
    ("<p><code>", "a "),
    ("<p>", "<a href=/x>a</a>"),
    ("<p>", "<a href=/x>a</a> "),
    ("<p>", "<a href=/></a>"),
    ("<p>", "<a href=/> </a>"),
    ("<p>", "<a href=/>[[</a>"),
    ("<p>", "<a href=/>]</a>"),
    ("<p>", "<a href='((((((((('>a</a>"),
    ("<p>", "<a href=/ title='\"\"\"'>a</a>"),
    ("<p>", "<a href=#a>#</a>"),
    ("<p>", "<a href=../../../x>a</a>"),
    ("<p>", "<a name=a>a</a>"),
    ("<p>", "<a href=javascript:>a</a>"),
    ("<p>", "<a href=/><b>a</b></a>"),
    ("<p>", "<b><a href=/>a</a></b>"),
    ("", "<a href=/><p>a</p></a>"),
    ("<p><a href=/>", "a "),
    ("<p><a href=/>", "["),
    ("<p><a href=/>", "]"),
    ("<p><a href=/>", "[]"),
    ("<p><a href=/>", "<p>a"),
    ("<p>", "<img>"),
    ("<p>", "<img src=/x>"),
    ("<p>", "<img src=/x alt=a>"),
    ("<p>", "<img src=/x alt='[]*_`'>"),
    ("<p>", "<a href=/><img src=/x alt=a></a>"),
    ("<p>", "<picture><source srcset=/x><img alt=a></picture>"),
    ("<p>", "<ruby>a<rt>b</ruby>"),
    ("<p>", "<input type=checkbox>"),
    ("<p>", "<label>a<input></label>"),
    ("<p>", "<map><area href=/>"),
    ("<p>", "<span></span><!-- -->"),
    ("<p>", "<x-a>a</x-a>"),
];

/// Blocks.
const BLOCKS: &[(&str, &str)] = &[
    ("", "<p></p>"),
    ("", "<p>a</p>"),
    ("", "<p>- a</p>"),
    ("", "<div></div>"),
    ("", "<hr>"),
    ("", "<h1></h1>"),
    ("", "<h1>a</h1>"),
    ("<h1>", "a "),
    ("<h1>", "#"),
    ("<h1>", "a<br>"),
    ("<ul>", "<li></li>"),
    ("<ul>", "<li>a</li>"),
    ("<ul>", "<li><p>a</li>"),
    ("<ul>", "<li><a href=/>a</a></li>"),
    ("<ul>", "<li><input type=checkbox>a</li>"),
    ("<ul><li>", "<p>a"),
    ("<ul><li>", "a "),
    ("<ol>", "<li value=999999999>a"),
    ("", "<ol start=9999999><li>a</ol>"),
    ("", "<ul></ul>"),
    ("", "<ul><li>a</ul>"),
    ("", "<ul><ul><li>a</ul></ul>"),
    ("<blockquote>", "<p>a"),
    ("<blockquote>", "a<br>"),
    ("", "<blockquote></blockquote>"),
    ("", "<blockquote>a</blockquote>"),
    ("<dl>", "<dt>a</dt><dd>b</dd>"),
    ("<dl><dd>", "a "),
    ("", "<details><summary>a</summary>b</details>"),
    ("<details><summary>", "a "),
    ("<pre>", "a\n"),
    ("<pre>", "a"),
    ("<pre>", "\n"),
    ("<pre>", " "),
    ("<pre>", "`"),
    ("<pre>", "```\n"),
    ("<pre>", "~~~\n```\n"),
    ("<pre>", "<b>a</b>\n"),
    ("<pre>", "<span class=a>a</span>"),
    ("<pre>", "<br>"),
    ("<pre>", "<div>a"),
    ("<pre>", "&lt;"),
    ("", "<pre></pre>"),
    ("", "<pre>a</pre>"),
    ("", "<pre class=language-a><code>a</code></pre>"),
    ("<ul><li><pre>", "a\n"),
    ("<blockquote><pre>", "\n"),
    ("", "<address>a</address>"),
    ("", "<figure><img src=/x alt=a><figcaption>b</figure>"),
    ("", "<fieldset><legend>a</legend></fieldset>"),
    ("", "<main></main>"),
    ("<main>", "<article>a</article>"),
    ("", "<video><source src=/x>a</video>"),
];

/// Tags, comments and their like.
const TAGS: &[(&str, &str)] = &[
    ("<p ", "a=b "),
    ("<p ", "a "),
    ("<p ", "/"),
    ("<p ", "="),
    ("<p ", "'"),
    ("<p title='", "x"),
    ("<p title='", ">"),
    ("<p title='", "&amp;"),
    ("<p class='", "a "),
    ("<p id=", "a"),
    ("<a href='", "x"),
    ("<a href='", "/../"),
    ("<a href='", "("),
    ("<a href='", "%"),
    ("<a href='", " "),
    ("<a href='?", "&"),
    ("<img src=/ alt='", "a "),
    ("<img src=/ alt='", "["),
    ("<img srcset='", "/x 1x, "),
    ("<img src='data:", "x"),
    ("<ol start='", "1"),
    ("<table><td colspan='", "1"),
    ("<", "x"),
    ("</", "x"),
    ("</p ", "a=b "),
    ("", "<p a b=c d='e' f>"),
    ("", "<p class='a b c d e f g h'>"),
    (
        "",
        "<p id=a style='display:none' role=b aria-hidden=c hidden=d>",
    ),
    ("", "<p <p "),
    ("", "</>"),
    ("", "</ a>"),
    ("", "<!>"),
    ("", "<?a>"),
    ("", "<!doctype html>"),
    ("", "<![CDATA[a]]>"),
    ("", "<!---->"),
    ("", "<!-- -->"),
    ("", "a<!-- -- -->"),
    ("", "<p>a<!-- --> b"),
    ("<!--", "-"),
    ("<!--", " "),
    ("<!--", "--!"),
    ("<!--", "<!--"),
    ("<!--", "<p>"),
    ("<!doctype ", "a"),
    ("<!doctype html public '", "a"),
    ("<?", "a"),
];

/// Text to the tokenizer, up to an end tag that may never come.
const RAW_TEXT: &[(&str, &str)] = &[
    ("<script>", "a<b "),
    ("<script>", "</scrip"),
    ("<script>", "</script"),
    ("<script>", "<!--"),
    ("<script><!--", "<script>"),
    ("<script><!--", "<script></script>"),
    ("<script><!--", "-"),
    ("", "<script></script>"),
    ("", "<script>a</scrip></script>"),
    ("", "<script><!--<script></script>--></script>"),
    ("<style>", "a{}"),
    ("", "<style>a{}</style>"),
    ("<title>", "a "),
    ("<title>", "</titl"),
    ("<title>", "\""),
    ("<textarea>", "<"),
    ("<textarea>", "a\n"),
    ("", "<textarea>a</textarea>"),
    ("<noscript>", "<p>a"),
    ("<iframe>", "<p>a"),
    ("<xmp>", "<p>a"),
    ("<plaintext>", "<p>a\n"),
    ("", "<noembed></noembed><noframes></noframes>"),
    ("<script type=application/ld+json>", "{\"a\":1}"),
    ("<script type=application/ld+json>[", "{\"a\":1},"),
    ("<script type=application/ld+json>", "["),
    ("<script type=application/ld+json>{\"a\":\"", "\\\""),
    ("<script type=application/ld+json>", " "),
    ("", "<script type=application/ld+json>{\"a\":1}</script>"),
    ("", "<script type=application/ld+json></script>"),
    ("", "<script type=math/tex>a</script>"),
];

/// What stands in the head, and once only where a page is well made.
const METADATA: &[(&str, &str)] = &[
    ("", "<meta>"),
    ("", "<meta charset=utf-8>"),
    ("", "<meta name=description content=a>"),
    ("", "<meta property=og:title content=a>"),
    ("<meta name=description content='", "a "),
    ("<meta name=description content='", "\""),
    ("", "<base href=/a/>"),
    ("<base href='", "/a"),
    ("", "<base href=a/><a href=b>c</a>"),
    ("", "<title>a</title>"),
    ("", "<title></title>"),
    ("", "<link rel=canonical href=/a>"),
    ("", "<link rel=stylesheet href=/a>"),
    ("<link rel=canonical href='", "a"),
    ("", "<head></head>"),
    ("<head>", "<noscript>"),
];

/// SVG and MathML.
const FOREIGN: &[(&str, &str)] = &[
    ("", "<svg>"),
    ("", "<svg/>"),
    ("", "<svg/>a<math><mi>b</math>"),
    ("", "<svg><g>"),
    ("<svg>", "<g/>"),
    ("<svg>", "<g></g>"),
    ("<svg>", "<title>a</title>"),
    ("<svg>", "a"),
    ("<svg>", "</p>"),
    ("<svg>", "</x>"),
    ("<svg>", "<![CDATA[a]]>"),
    ("<svg><![CDATA[", "]"),
    ("", "<svg><p>"),
    ("", "<svg><foreignObject>"),
    ("", "<svg><foreignObject><p>a"),
    ("", "<svg><desc><b>a"),
    ("", "<math>"),
    ("", "<math><mi>"),
    ("", "<math><mi>a</mi></math>"),
    ("<math>", "<mi>a</mi>"),
    ("<math>", "<mrow>"),
    ("<math alttext='", "a"),
    ("<math><annotation encoding=application/x-tex>", "a"),
    (
        "",
        "<math><annotation encoding=application/x-tex>a</annotation></math>",
    ),
    (
        "",
        "<math><annotation-xml encoding=text/html><div>a</div></annotation-xml></math>",
    ),
];

/// What the default options leave out.
const SKIPPED: &[(&str, &str)] = &[
    ("", "<nav>"),
    ("", "<nav>a</nav>"),
    ("", "<nav><a href=/>a</a></nav>"),
    ("<nav>", "<a href=/>a</a>"),
    ("<nav>", "<ul><li><a href=/>a</a>"),
    ("", "<footer><p>a"),
    ("", "<div hidden>a"),
    ("", "<div hidden>a</div>"),
    ("", "<p hidden>a"),
    ("<ul>", "<li hidden>a<li>b"),
    ("<p>", "<b hidden>a</b>"),
    ("", "<div aria-hidden=true><p>a</div>"),
    ("<table>", "<tr hidden><td>a<tr><td>b"),
    ("", "<button><p>a</button>"),
    ("", "<template><p>a</template>"),
];

/// Elements in each other that are all closed at the end.
const NESTED: &[(&str, &str)] = &[
    ("<div>", "</div>"),
    ("<p>a", "</p>"),
    ("<blockquote>a", "</blockquote>"),
    ("<ul><li>a", "</ul>"),
    ("<ul><li>", "</li></ul>"),
    ("<dl><dt>a", "</dl>"),
    ("<b>", "</b>"),
    ("<b>a", "</b>"),
    ("<b>a", "b</b>"),
    ("<b><i>a", "</b></i>"),
    ("<a href=/>a", "</a>"),
    ("<b><p>", "</b>"),
    ("<span>a", "</span>"),
    ("<code>a", "</code>"),
    ("<q>a", "</q>"),
    ("<table><td>a", "</table>"),
    ("<svg><g>", "</g></svg>"),
    ("<math><mrow>", "</mrow>"),
    ("<template>", "</template>"),
    ("<object>", "</object>"),
    ("<select>", "</select>"),
    ("<details>a", "</details>"),
    ("<x>a", "</x>"),
    ("[", "]"),
    ("*", "a"),
    ("`", "a"),
];

/// A start, a name, and the part by its number.
type Numbered = (&'static str, &'static str, fn(usize) -> String);

/// Parts that are never the same.
const NUMBERED: &[Numbered] = &[
    ("", "open elements of as many names", |n| format!("<x{n}>")),
    ("", "end tags of as many names", |n| format!("</x{n}>")),
    ("", "open font elements of as many colours", |n| {
        format!("<font color={n}>")
    }),
    ("", "fonts over paragraphs", |n| {
        format!("<font color={n}><p>a</font>")
    }),
    ("<p ", "attributes of as many names", |n| format!("a{n}=b ")),
    ("<p class='", "classes of as many names", |n| {
        format!("a{n} ")
    }),
    ("<p>", "links to as many pages", |n| {
        format!("<a href=/{n}>{n}</a> ")
    }),
    ("<nav>", "navigation to as many pages", |n| {
        format!("<a href=/{n}>{n}</a>")
    }),
    ("", "paragraphs of as many identifiers", |n| {
        format!("<p id=a{n}><a href=#a{n}>{n}</a>")
    }),
    (
        "<p>",
        "code with longer and longer runs of backticks",
        |n| format!("<code>{}</code> ", "`".repeat(n)),
    ),
    (
        "",
        "blocks of code with longer and longer runs of backticks",
        |n| format!("<pre>{}\n</pre>", "`".repeat(n)),
    ),
    (
        "<pre>",
        "longer and longer runs of backticks in one block",
        |n| format!("{}\n", "`".repeat(n)),
    ),
    ("<p>", "longer and longer runs of backticks", |n| {
        format!("{} ", "`".repeat(n))
    }),
    ("<p>", "longer and longer runs of stars", |n| {
        format!("{}a ", "*".repeat(n))
    }),
    ("<p>", "longer and longer words", |n| {
        format!("{} ", "a".repeat(n))
    }),
    ("<table>", "longer and longer rows", |n| {
        format!("<tr>{}", "<td>a".repeat(n))
    }),
    ("<table>", "wider and wider cells", |n| {
        format!("<tr><td colspan={n}>a")
    }),
    ("", "deeper and deeper lists", |n| {
        format!("{}a{}", "<ul><li>".repeat(n), "</ul>".repeat(n))
    }),
    ("", "titles of as many roots", |n| {
        format!("<svg><title>{n}</title></svg>")
    }),
    ("", "structured data of as many values", |n| {
        format!("<script type=application/ld+json>{{\"a\":{n}}}</script>")
    }),
    ("", "as many base addresses", |n| {
        format!("<base href=/{n}/><a href=a>b</a>")
    }),
    ("<p>", "as many references", |n| format!("&#{n};")),
];
