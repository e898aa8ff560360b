//! Small pages, each for one rule, against the tree of html5ever.

use super::agrees;

#[test]
fn paragraphs_end_where_a_block_starts() {
    agrees("<p>a<p>b");
    agrees("<p>a<div>b</div>c</p>d");
    agrees("<p>a<ul><li>b</ul>c");
    agrees("<p>a<h1>b</h1>c");
    agrees("<p>a<hr>b<pre>c</pre>d");
    agrees("<p><button><p>a</button>b");
    agrees("<p><object><p>a</object>b</p>c");
    agrees("<p>a<dialog>b</dialog>c");
    agrees("a</p>b");
    agrees("<div>a</p>b</div>c");
    agrees("<b>a</p>b</b>c");
}

#[test]
fn items_end_where_the_next_starts() {
    agrees("<ul><li>a<li>b</ul>c");
    agrees("<ul><li>a<ul><li>b</ul><li>c</ul>d");
    agrees("<ul><li><div>a<li>b</div></ul>c");
    agrees("<ul><li><section>a<li>b</section></ul>c");
    agrees("<li>a<li>b</div>c");
    agrees("<dl><dt>a<dd>b<dt>c<dd><p>d</dl>e");
    agrees("<dl><dd><dl><dt>a</dl>b<dt>c</dl>");
    agrees("<ol><li>a</ul>b</ol>c");
    agrees("<ul><li>a</ol></li>b</ul>c");
    agrees("<ul>a<li>b</ul>");
    agrees("<li><p>a<li>b</p>c");
}

#[test]
fn headings_close_each_other() {
    agrees("<h1>a<h2>b</h1>c");
    agrees("<h1>a</h3>b");
    agrees("<h1><div>a</h2>b</div>c");
    agrees("<h1><span><h2>a</span></h2>b</h1>c");
}

#[test]
fn a_link_in_a_link_ends_the_outer_one() {
    agrees("<a href=1>a<a href=2>b</a>c</a>d");
    agrees("<a>a<div>b<a>c</div>d</a>e");
    agrees("<a>a<table><tr><td><a>b</a>c</table>d</a>e");
    agrees("<a>a<object><a>b</object>c</a>d");
    agrees("<a>a<table><a>b</a><tr><td>c</table>d");
}

#[test]
fn misnested_formatting_goes_on_in_the_next_block() {
    agrees("<b><i>a</b>b</i>c");
    agrees("<p><b>a<p>b</b>c");
    agrees("<b>a<div>b</b>c</div>d");
    agrees("<b><em>a<p>b</b>c</em>d</p>e");
    agrees("<b><i><em><code>a<p>b</b>c</p>d</i>e");
    agrees("<i><span>a<p>b</i>c</span>d</p>e");
    agrees("<p><b><b><b><b>a<p>b</b></b></b></b>c");
    agrees("<nobr>a<nobr>b</nobr>c");
    agrees("<strong><ul><li>a</strong>b</ul>c");
    agrees("<b>1<div>2<div>3<div>4<div>5<div>6<div>7<div>8<div>9<div>10</b>11</div>12");
    agrees("<a>1<div><div><div><div><div><div><div><div><div><div>2<a>3</a>4</div>5");
    agrees("<font><p>a<font>b</p>c</font>d");
}

#[test]
fn blanks_open_formatting_again_too() {
    agrees("<p><b>a</p> <h1>b</h1>");
    agrees("<p><i>a</p>\n<ul>b</ul>");
}

#[test]
fn end_tags_without_a_start_mean_something_for_p_and_br_only() {
    agrees("a</br>b");
    agrees("<p>a</br>b</p>c");
    agrees("a</p>b</div>c</nav>d</b>e</li>f</td>g</table>h");
    agrees("<svg></p>a");
    agrees("<svg><desc></br>a</desc></svg>b");
}

#[test]
fn an_unclosed_nav_ends_with_what_holds_it() {
    agrees("<div><nav><p>a</div>b");
    agrees("<div><nav><ul><li>a</div><p>b");
    agrees("<p>a</nav>b");
}

#[test]
fn parts_of_tables_imply_each_other() {
    agrees("<table><td>a<td>b<tr><td>c</table>d");
    agrees("<table><tr><td>a</td></tr><tbody><tr><th>b</table>c");
    agrees("<table><caption>a<tr><td>b</table>");
    agrees("<table><caption><p>a</caption><td>b</table>c");
    agrees("<table><thead><td>a<tfoot><td>b<tbody><td>c</table>d");
    agrees("<table><colgroup><col><tr><td>a</table>b");
    agrees("<table><tr><td><table><td>a</table>b</table>c");
    agrees("<table><tr><td>a<table><td>b</td></tr></table></td><td>c</table>");
    agrees("<table><table><td>a</table>b");
    agrees("<table><td><p>a</table>b");
    agrees("<table><td><b>a<td>b</table>c");
    agrees("<table><td>a</th>b</tbody>c</table>d");
}

#[test]
fn parts_of_tables_are_nothing_outside_of_one() {
    agrees("<td>a</td><tr>b<caption>c</caption><col>d<tbody>e");
    agrees("<div><tr><td>a</div>b");
    agrees("<ul><li><td>a</td><li>b</ul>");
}

#[test]
fn what_is_misplaced_in_a_table_goes_before_it() {
    agrees("<table>a<tr><td>b</table>c");
    agrees("<table><tr>a<td>b</td>c</tr>d</table>e");
    agrees("<table><b>a<tr><td>b</table>c</b>d");
    agrees("<table><div>a<tr><td>b</table>c");
    agrees("<table></p>a<td>b</table>c");
    agrees("<table><p>a<p>b<tr><td>c</table>d");
    agrees("<table> <tr> <td>a</td> </tr> </table>b");
    agrees("<table><input type=hidden><form><tr><td>a</form></table>b");
    agrees("<table><svg><desc>a</svg><td>b</table>c");
    agrees("<b>x<table> <td>a</table>b");
}

#[test]
fn a_table_ends_a_paragraph_except_in_quirks_mode() {
    agrees("<!doctype html><p>a<table><td>b</table>c");
    agrees("<p>a<table><td>b</table>c");
    agrees("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\"><p>a<table><td>b</table>c");
    agrees(
        "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\"><p>a<table><td>b</table>c",
    );
    agrees(
        "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \
         \"http://www.w3.org/TR/html4/loose.dtd\"><p>a<table><td>b</table>c",
    );
    agrees("<!-- c --><!doctype html><p>a<table><td>b</table>c");
    agrees("<p>x<!doctype html><p>a<table><td>b</table>c");
}

#[test]
fn foreign_content_ends_by_its_own_tags_or_at_html() {
    agrees("<p><svg><path/><g>a</svg>b");
    agrees("<p><svg/>a<b>b</b>");
    agrees("<p><math/>a<b>b</b>");
    agrees("<svg><p>a</svg>b");
    agrees("<svg><b>a</svg>b");
    agrees("<svg><font>a</font></svg><font>b");
    agrees("<svg><font color=red>a</svg>b");
    agrees("<svg><a><g>a</a>b</svg>c");
    agrees("<svg><title><b>a</b></title><desc><p>b</desc></svg>c");
    agrees("<svg><foreignObject><p>a<p>b</foreignObject>c</svg>d");
    agrees("<svg><foreignObject><div>a</svg>b");
    agrees("<math><mi>a<b>b</mi><mo>c</mo></math>d");
    agrees("<math><annotation-xml encoding=text/html><p>a</annotation-xml></math>b");
    agrees("<math><annotation-xml><p>a</annotation-xml></math>b");
    agrees("<math><annotation-xml><svg><desc><p>a</svg></math>b");
    agrees("<math><mtext><mglyph><b>a</math>b");
    agrees("<p><svg></table>a</svg>b");
    agrees("<svg><table><td>a</table>b");
    agrees("<svg><mi><b>a</svg>b");
    agrees("<math><desc><b>a</math>b");
    agrees("<div><svg><g></div>a");
}

#[test]
fn options_and_buttons_end_where_the_next_starts() {
    agrees("<select><option>a<option>b</select>c");
    agrees("<select><optgroup><option>a<optgroup><option>b</select>c");
    agrees("<select><li>a<option>b</select>c");
    agrees("<p><select><p>a</select>b");
    agrees("<select>a<select>b");
    agrees("<select><p>a<input>b");
    agrees("<select><p>a<hr>b</select>c");
    agrees("<option>a<option>b<p>c");
    agrees("<button>a<p>b<button>c</button>d</p>e");
    agrees("<form><p>a<form><p>b</form>c</p>d");
    agrees("<form><div><p>a</form>b</div>c");
    agrees("<div><form><p>a</div>b<form><p>c</form>d");
}

#[test]
fn ruby_ends_its_parts() {
    agrees("<ruby>a<rt>b<rp>c<rt>d</ruby>e");
    agrees("<ruby>a<rtc>b<rt>c<rb>d</ruby>e");
    agrees("<ruby><p>a<rt>b</ruby>c");
}

#[test]
fn templates_are_no_part_of_the_page() {
    agrees("<template><p>a</template>b");
    agrees("<p><template><li>a</p></template>b</p>c");
    agrees("<table><template><td>a</template><td>b</table>c");
    agrees("<head><template></br><p>a</template></head>b");
    agrees("<template></template><p>a</template>b");
    agrees("<b><template>a</b></template>b</b>c");
}

#[test]
fn the_body_begins_and_ends_by_itself() {
    agrees("<title>t</title><p>a");
    agrees("<html><head><title>t</title><link rel=x><p>a");
    agrees("<head></p>a");
    agrees("</head></p><p>a");
    agrees("<body><p>a</body></html><p>b</p>c");
    agrees("<p>a<body class=x>b<html lang=en>c<head>d");
    agrees("<p>a</body>b</html>c</p>d");
    agrees("\u{FEFF}<p>a");
}

#[test]
fn images_by_their_wrong_name_are_no_containers() {
    agrees("<p>a<image><li>b");
    agrees("<b><p>a</b><image>b");
}

#[test]
fn unknown_elements_end_by_their_own_name() {
    agrees("<x-a><p>a</x-a>b");
    agrees("<x-a><i>a</x-b>b</x-a>c");
    agrees("<x-a><x-b><em>a</x-a>b");
}
