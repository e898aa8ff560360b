//! Tables beyond their share of memory: nothing is lost, no word is torn, and rows stay rows.

#[path = "support/chunks.rs"]
mod chunks;

use chunks::in_chunks;
use markdown_for_agents::convert::{Converter, Options};

/// Converts a page at once, byte by byte and with flushes, which must give the same.
#[track_caller]
fn converted(max_table: usize, html: &str) -> String {
    let options = Options::new().front_matter(false).max_table(max_table);
    let convert = |piece: usize| in_chunks(Converter::new(options.clone()), html, piece);
    let whole = convert(html.len());
    for piece in [1, 7] {
        assert_eq!(convert(piece), whole, "in pieces of {piece}: {html}");
    }
    whole
}

/// Longer than any table of these tests may wait.
const LONG: &str = "The captain of the ship counted every one of the barrels in the hold, twice, and \
    wrote the number into the log with a steady hand, and beside it the weight of the bread, the \
    names of the men who were ill, and how the wind had stood since the morning of that day.";

const ROW: &str = "<tr><td>1<td>2</tr>";
const WRITTEN_ROW: &str = "| 1 | 2 |\n";
const HEAD: &str = "<table><tr><th>a<th>b</tr>";
const WRITTEN_HEAD: &str = "| a | b |\n| --- | --- |\n";

#[test]
fn a_long_caption_stays_one_paragraph_before_its_table() {
    let html = format!("<table><caption>{LONG}</caption><tr><th>a<th>b</tr>{ROW}</table>");
    let markdown = format!("{LONG}\n\n{WRITTEN_HEAD}{WRITTEN_ROW}");
    assert_eq!(converted(200, &html), markdown);
    let html = html.replace("twice", "<b>twi</b>ce");
    let markdown = markdown.replace("twice", "**twi**ce");
    assert_eq!(converted(200, &html), markdown);
}

#[test]
fn long_text_misplaced_in_a_table_stays_one_paragraph_before_it() {
    let html = format!("<table>{LONG}<tr><th>a<th>b</tr>{ROW}</table>");
    let markdown = format!("{LONG}\n\n{WRITTEN_HEAD}{WRITTEN_ROW}");
    assert_eq!(converted(200, &html), markdown);
}

#[test]
fn a_long_caption_behind_rows_goes_before_them_as_a_whole() {
    let html = format!("{HEAD}{ROW}<caption>{LONG}</caption>{ROW}</table>");
    let markdown = format!("{LONG}\n\n{WRITTEN_HEAD}{WRITTEN_ROW}{WRITTEN_ROW}");
    assert_eq!(converted(200, &html), markdown);
}

#[test]
fn long_text_misplaced_behind_rows_goes_before_them_as_a_whole() {
    let html = format!("{HEAD}{ROW}{LONG}{ROW}</table>");
    let markdown = format!("{LONG}\n\n{WRITTEN_HEAD}{WRITTEN_ROW}{WRITTEN_ROW}");
    assert_eq!(converted(200, &html), markdown);
}

#[test]
fn a_caption_and_misplaced_text_are_paragraphs_of_their_own() {
    let before = format!("<table><caption>{LONG}</caption>");
    let rows = format!("<tr><th>a<th>b</tr>{ROW}</table>");
    assert_eq!(
        converted(200, &format!("{before}Lost.{rows}")),
        format!("{LONG}\n\nLost.\n\n{WRITTEN_HEAD}{WRITTEN_ROW}")
    );
    assert_eq!(
        converted(200, &format!("<table>{LONG}<caption>Cap</caption>{rows}")),
        format!("{LONG}\n\nCap\n\n{WRITTEN_HEAD}{WRITTEN_ROW}")
    );
    assert_eq!(
        converted(200, &format!("{before}{LONG}{rows}")),
        format!("{LONG}\n\n{LONG}\n\n{WRITTEN_HEAD}{WRITTEN_ROW}")
    );
}

#[test]
fn a_long_caption_of_a_table_that_is_no_data_is_a_paragraph() {
    let html = format!("<table><caption>{LONG}</caption><tr><td>a</table>");
    assert_eq!(converted(200, &html), format!("{LONG}\n\na\n"));
}

#[test]
fn what_stands_between_the_rows_of_a_table_that_is_being_written_is_not_lost() {
    let rows = ROW.repeat(8);
    let written = WRITTEN_ROW.repeat(7);
    assert_eq!(
        converted(200, &format!("{HEAD}{rows}Lost.{ROW}</table>")),
        format!("{WRITTEN_HEAD}{written}| 1 | 2<br>Lost. |\n{WRITTEN_ROW}")
    );
    assert_eq!(
        converted(
            200,
            &format!("{HEAD}{rows}<caption>Cap</caption>{ROW}</table>")
        ),
        format!("{WRITTEN_HEAD}{written}| 1 | 2<br>Cap |\n{WRITTEN_ROW}")
    );
}

#[test]
fn what_stands_between_the_cells_of_a_table_that_is_being_written_moves_none_of_them() {
    let rows = ROW.repeat(8);
    let written = WRITTEN_ROW.repeat(8);
    assert_eq!(
        converted(200, &format!("{HEAD}{rows}<tr>Lost.<td>1<td>2</table>")),
        format!("{WRITTEN_HEAD}{written}| Lost.<br>1 | 2 |\n")
    );
    assert_eq!(
        converted(
            200,
            &format!("{HEAD}{rows}<tr><td>1</td>Lost.<td>2</table>")
        ),
        format!("{WRITTEN_HEAD}{written}| 1<br>Lost. | 2 |\n")
    );
}

#[test]
fn a_row_longer_than_the_table_may_wait_stays_one_row() {
    let html = format!("{HEAD}{ROW}<tr><td>{LONG}<td>{LONG}<p>More.</tr>{ROW}</table>");
    assert_eq!(
        converted(200, &html),
        format!("{WRITTEN_HEAD}{WRITTEN_ROW}| {LONG} | {LONG}<br>More. |\n{WRITTEN_ROW}")
    );
}

#[test]
fn a_row_with_more_cells_than_columns_stays_one_row() {
    let cells = "<td>1<td>2<td>3<td>4".repeat(8);
    let rest = " 3 4 1 2".repeat(7);
    assert_eq!(
        converted(200, &format!("{HEAD}{ROW}<tr>{cells}</table>")),
        format!("{WRITTEN_HEAD}{WRITTEN_ROW}| 1 | 2{rest} 3 4 |\n")
    );
}

#[test]
fn text_behind_a_cell_of_a_table_that_is_being_written_is_set_apart() {
    for limit in 100..200 {
        let html = format!("{HEAD}{ROW}<tr><td>{LONG}</td>text<td>2{ROW}</table>");
        let markdown = format!("{WRITTEN_HEAD}{WRITTEN_ROW}| {LONG}<br>text | 2 |\n{WRITTEN_ROW}");
        assert_eq!(converted(limit, &html), markdown);
    }
}

#[test]
fn a_long_cell_takes_up_the_columns_and_rows_that_it_would() {
    for limit in 200..240 {
        let html = format!("{HEAD}{ROW}<tr><td colspan=2>{LONG}<td>x{ROW}</table>");
        let html = html.replace("<th>b", "<th>b<th>c");
        let row = format!("| {LONG} | | x |\n");
        assert!(converted(limit, &html).contains(&row), "a limit of {limit}");
        let html = format!(
            "{HEAD}{ROW}<tbody><tr><td rowspan=9>s<td>b<tbody><tr><td>{LONG}<td>x{ROW}</table>"
        );
        let rows = format!("| {LONG} | x |\n{WRITTEN_ROW}");
        assert!(
            converted(limit, &html).ends_with(&rows),
            "a limit of {limit}"
        );
    }
}

/// What is written of a cell in parts is what is written of it at once.
#[test]
fn a_long_cell_is_written_in_parts_as_at_once() {
    let words = "one two three four five six seven eight nine ten ".repeat(9);
    for cell in [
        words.clone(),
        format!("<p>a</p><p>{words}</p><p>b</p>"),
        format!("<b>{words}</b>a"),
        format!("<b>{words}<i>{words}</i> b</b>c"),
        format!("<a href=/x>{words}</a>a<a href=/y>{words}</a>"),
        format!("<b>x<a href=/x>{words}</a></b>"),
        format!("{}<br>{words}<br>a", "a".repeat(190)),
        format!("a<br>b<br>{}", "<br>c d".repeat(50)),
        format!("<ol><li>a<li><p>{words}</p><li>b<li>{words}</ol>c"),
        format!("<ul>{}</ul>", "<li><p>item</p>".repeat(30)),
        format!("<ol>{}</ol>", "<li>item".repeat(30)),
        format!("<dl>{}</dl>", "<dt>term<dd>text".repeat(30)),
        format!("<pre>{}</pre>c", "let a = b;\n\n  c\n".repeat(30)),
        format!("<pre>\n\n{}\n\n</pre>c", "let a = b;\n".repeat(30)),
        format!("{words}<pre>void</pre>").repeat(3),
        "a<code>let b = c;</code>d <code>e</code>".repeat(20),
        "<b>a <code>b c</code></b>".repeat(20),
        format!("{}*", "a*b ".repeat(100)),
        "<img src=/x alt=a> ".repeat(40),
        format!("{}{words}", "&nbsp;".repeat(150)),
        "<i>a</i> <b>b</b><i>c</i>".repeat(40),
        format!("<b>{}</b>", "<img src=/x alt=a>text".repeat(25)),
        format!("<b>aaa{}</b>", "<br>bbb".repeat(40)),
        format!("<a href=/y>{}</a>", "<img src=/x alt=a> a".repeat(25)),
        format!("<pre>{}\n\n\n</pre>c", "let a = b;\n".repeat(20)),
    ] {
        let html = format!("{HEAD}{ROW}<tr><td>{cell}<td>2{ROW}</table>");
        let at_once = converted(64 << 10, &html);
        assert!(
            at_once.ends_with(&format!(" | 2 |\n{WRITTEN_ROW}")),
            "{cell}"
        );
        for limit in (200..230).chain((231..500).step_by(9)) {
            assert_eq!(converted(limit, &html), at_once, "a limit of {limit}");
        }
    }
}
