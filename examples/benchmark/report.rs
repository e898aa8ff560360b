//! The figures, and the table of them.

use crate::{conversion::Conversion, memory::Memory, server::Served, trickle::Trickle};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) corpus: String,
    pub(crate) pages: usize,
    pub(crate) html_bytes: usize,
    pub(crate) conversion: Conversion,
    pub(crate) served_page_bytes: usize,
    pub(crate) servers: Vec<Served>,
    pub(crate) trickle: Trickle,
    pub(crate) memory: Vec<Memory>,
}

impl Report {
    pub(crate) fn print(&self) {
        let megabytes = self.html_bytes as f64 / 1e6;
        println!(
            "{}: {} pages, {megabytes:.2} MB of HTML",
            self.corpus, self.pages
        );
        let c = &self.conversion;
        println!("\nConversion                                 MB/s");
        row("chunks of 1 KiB", c.mb_per_s_at_1_kib, "");
        row("chunks of 16 KiB", c.mb_per_s_at_16_kib, "");
        row("whole pages", c.mb_per_s_whole, "");
        let ratio = format!("converter: {:.2} of it", c.ratio_to_parser_with_text);
        row(
            "lol_html, text and tags",
            c.parser_with_text_mb_per_s,
            &ratio,
        );
        let ratio = format!("converter: {:.2} of it", c.ratio_to_parser);
        row("lol_html, no handlers", c.parser_mb_per_s, &ratio);

        let kilobytes = self.served_page_bytes as f64 / 1e3;
        println!(
            "\nServer, a page of {kilobytes:.1} kB             requests/s   median ms      p99 ms"
        );
        for s in &self.servers {
            println!(
                "{:<36} {:>11.0} {:>11.2} {:>11.2}",
                s.name, s.requests_per_s, s.median_ms, s.p99_ms
            );
        }

        let t = &self.trickle;
        println!(
            "\nTrickling upstream, a pause of {:.0} ms behind each piece  ms",
            t.pause_ms
        );
        row("first HTML to first Markdown", t.first_markdown_ms, "");
        row("first HTML to last Markdown", t.last_markdown_ms, "");

        println!("\nPeak memory of one response                  kB");
        for m in &self.memory {
            row(
                &format!("page of {} MB", m.megabytes),
                m.peak_bytes as f64 / 1e3,
                "",
            );
        }

        println!("\nSaved                                      HTML    Markdown");
        let saved = |html: usize, markdown: usize| 100.0 - markdown as f64 / html as f64 * 100.0;
        println!(
            "{:<36} {:>11} {:>11}  {:.1} % less",
            "bytes",
            self.html_bytes,
            c.markdown_bytes,
            saved(self.html_bytes, c.markdown_bytes)
        );
        println!(
            "{:<36} {:>11} {:>11}  {:.1} % less",
            "tokens, estimated",
            c.html_tokens,
            c.markdown_tokens,
            saved(c.html_tokens, c.markdown_tokens)
        );
    }
}

fn row(name: &str, value: f64, note: &str) {
    println!("{name:<36} {value:>11.2}  {note}");
}
