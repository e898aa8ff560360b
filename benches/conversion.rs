//! The converter alone: bytes of HTML per second by kind of page and size of chunk, and the time
//! until a page's first Markdown is there.

mod pages;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use markdown_for_agents::convert::{Converter, Options};
use pages::PAGES;
use std::hint::black_box;

const CHUNKS: [(&str, usize); 3] = [
    ("1 KiB", 1 << 10),
    ("16 KiB", 16 << 10),
    ("whole", usize::MAX),
];

/// Converts the page and takes what is ready behind each chunk. Returns the bytes of Markdown.
fn convert(page: &[u8], chunk: usize, options: Options) -> usize {
    let mut converter = Converter::new(options);
    let mut length = 0;
    for piece in page.chunks(chunk.min(page.len())) {
        converter.write(piece).expect("the page is HTML");
        length += converter.take().len();
    }
    converter.finish().expect("the page is HTML");
    length + converter.take().len()
}

fn by_kind_and_chunk(c: &mut Criterion) {
    let options = Options::new();
    for (kind, page) in PAGES {
        let mut group = c.benchmark_group(format!("convert/{kind}"));
        group.throughput(Throughput::Bytes(page.len() as u64));
        for (name, chunk) in CHUNKS {
            group.bench_with_input(BenchmarkId::from_parameter(name), &chunk, |b, &chunk| {
                b.iter(|| convert(black_box(page.as_bytes()), chunk, options.clone()));
            });
        }
    }
}

/// What a stream waits for: chunks up to the first that gives Markdown of the page's body.
fn until_the_first_output(c: &mut Criterion) {
    let options = Options::new().front_matter(false);
    let mut group = c.benchmark_group("first output");
    for (kind, page) in PAGES {
        group.bench_function(kind, |b| {
            b.iter(|| {
                let mut converter = Converter::new(options.clone());
                for piece in black_box(page.as_bytes()).chunks(1 << 10) {
                    converter.write(piece).expect("the page is HTML");
                    converter.flush();
                    if converter.ready() > 0 {
                        break;
                    }
                }
                converter.take()
            });
        });
    }
}

criterion_group!(benches, by_kind_and_chunk, until_the_first_output);
criterion_main!(benches);
