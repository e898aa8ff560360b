//! How fast the converter is, beside the parser that it is built on.

use crate::load::Corpus;
use bytes::Bytes;
use lol_html::{HtmlRewriter, Settings, doc_comments, doc_text};
use markdown_for_agents::convert::{Converter, Options};
use serde::Serialize;
use std::{hint::black_box, time::Instant};

pub(crate) const ROUNDS: usize = 9;

/// Bytes that one turn converts at least: less would measure the clock.
const TURN: usize = 4_000_000;

#[derive(Debug, Serialize)]
pub(crate) struct Conversion {
    /// Medians, in MB of HTML per second.
    pub(crate) mb_per_s_at_1_kib: f64,
    pub(crate) mb_per_s_at_16_kib: f64,
    pub(crate) mb_per_s_whole: f64,
    pub(crate) parser_mb_per_s: f64,
    pub(crate) parser_with_text_mb_per_s: f64,
    /// Of the converter at 16 KiB, in the same run.
    pub(crate) ratio_to_parser: f64,
    pub(crate) ratio_to_parser_with_text: f64,
    pub(crate) markdown_bytes: usize,
    pub(crate) html_tokens: usize,
    pub(crate) markdown_tokens: usize,
}

/// Runs all in turns, so that a busy moment of the machine hits all alike.
pub(crate) fn measure(corpus: &Corpus, mut round_done: impl FnMut()) -> Conversion {
    let turns: [fn(&[u8]) -> usize; 5] = [
        |page| convert(page, 1 << 10),
        |page| convert(page, 16 << 10),
        |page| convert(page, usize::MAX),
        |page| parse(page, false),
        |page| parse(page, true),
    ];
    let bytes: usize = corpus.pages.iter().map(Bytes::len).sum();
    let repeats = 1.max(TURN / bytes.max(1));
    let mut seconds = [const { Vec::new() }; 5];
    for _ in 0..ROUNDS {
        for (turn, seconds) in turns.iter().zip(&mut seconds) {
            let start = Instant::now();
            for page in std::iter::repeat_n(&corpus.pages, repeats).flatten() {
                black_box(turn(black_box(page)));
            }
            seconds.push(start.elapsed().as_secs_f64() / repeats as f64);
        }
        round_done();
    }
    let speed = seconds.map(|mut seconds| {
        seconds.sort_by(f64::total_cmp);
        bytes as f64 / 1e6 / seconds[ROUNDS / 2]
    });
    let outputs = || corpus.pages.iter().map(|page| convert(page, usize::MAX));
    Conversion {
        mb_per_s_at_1_kib: speed[0],
        mb_per_s_at_16_kib: speed[1],
        mb_per_s_whole: speed[2],
        parser_mb_per_s: speed[3],
        parser_with_text_mb_per_s: speed[4],
        ratio_to_parser: speed[1] / speed[3],
        ratio_to_parser_with_text: speed[1] / speed[4],
        markdown_bytes: outputs().sum(),
        html_tokens: corpus.pages.iter().map(|page| tokens(page.len())).sum(),
        markdown_tokens: outputs().map(tokens).sum(),
    }
}

/// The estimate of the field `X-Markdown-Tokens`.
fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// Bytes of Markdown. A file that is no HTML ends where the converter finds that out.
fn convert(page: &[u8], chunk: usize) -> usize {
    let mut converter = Converter::new(Options::new());
    let mut length = 0;
    for piece in page.chunks(chunk) {
        if converter.write(piece).is_err() {
            return length;
        }
        length += converter.take().len();
    }
    let _ = converter.finish();
    length + converter.take().len()
}

/// lol_html alone: without handlers, or with handlers for text and comments and the tags counted.
fn parse(page: &[u8], text: bool) -> usize {
    let mut settings = Settings::new_send().with_strict(false);
    if text {
        settings = settings
            .append_document_content_handler(doc_comments!(|_comment| Ok(())))
            .append_document_content_handler(doc_text!(|text| {
                text.set_str(String::new());
                Ok(())
            }));
    }
    let mut length = 0;
    let mut rewriter = HtmlRewriter::new(settings, |chunk: &[u8]| length += chunk.len());
    for piece in page.chunks(16 << 10) {
        if rewriter.write(piece).is_err() {
            return 0;
        }
    }
    let _ = rewriter.end();
    length
}
