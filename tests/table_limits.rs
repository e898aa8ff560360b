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
