//! A chart of the speeds, as SVG.

use crate::report::Report;
use std::fmt::Write;

const WIDTH: f64 = 760.0;
const BAR: f64 = 24.0;
const LEFT: f64 = 230.0;

pub(crate) fn svg(report: &Report) -> String {
    let c = &report.conversion;
    let speeds = [
        ("chunks of 1 KiB", c.mb_per_s_at_1_kib, true),
        ("chunks of 16 KiB", c.mb_per_s_at_16_kib, true),
        ("whole pages", c.mb_per_s_whole, true),
        (
            "lol_html, text and tags",
            c.parser_with_text_mb_per_s,
            false,
        ),
    ];
    let requests: Vec<_> = report
        .servers
        .iter()
        .map(|s| (s.name, s.requests_per_s, s.name.starts_with("layer")))
        .collect();
    let mut body = String::new();
    let mut y = 20.0;
    bars(&mut body, &mut y, "MB of HTML per second", &speeds);
    bars(&mut body, &mut y, "Requests per second", &requests);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{y}\" \
         viewBox=\"0 0 {WIDTH} {y}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

/// One group of bars under a heading; `y` moves on below it.
fn bars(out: &mut String, y: &mut f64, heading: &str, rows: &[(&str, f64, bool)]) {
    let most = rows
        .iter()
        .map(|row| row.1)
        .fold(f64::MIN_POSITIVE, f64::max);
    let scale = (WIDTH - LEFT - 90.0) / most;
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<text x=\"10\" y=\"{y}\" font-weight=\"bold\">{heading}</text>"
    );
    *y += 12.0;
    for (name, value, ours) in rows {
        let (width, colour) = (value * scale, if *ours { "#2563eb" } else { "#9ca3af" });
        let (text, end) = (*y + 16.0, LEFT + width + 6.0);
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{text}\" text-anchor=\"end\">{name}</text>\
             <rect x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"{height}\" fill=\"{colour}\"/>\
             <text x=\"{end:.1}\" y=\"{text}\">{value:.0}</text>",
            x = LEFT - 8.0,
            height = BAR - 4.0,
        );
        *y += BAR;
    }
    *y += 24.0;
}
