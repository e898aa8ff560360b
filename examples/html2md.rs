//! HTML on standard input, Markdown on standard output, converted while it arrives.
//!
//! ```text
//! curl -s https://example.com/ | cargo run --release --example html2md -- --url https://example.com/
//! ```

#[path = "support/arguments.rs"]
mod arguments;

use arguments::Arguments;
use markdown_for_agents::convert::{Converter, Options};
use std::{
    error::Error,
    io::{self, ErrorKind, Read, Write},
    num::NonZeroUsize,
    process::ExitCode,
};

const USAGE: &str = "\
usage: html2md [--url URL] [--chunk N] [--verbatim] < page.html > page.md

  --url URL    address of the page: base of its relative links, `url` of the front matter
  --chunk N    give the converter at most N bytes at a time (default: whatever one read brings,
               64 KiB at most); the output does not depend on it
  --verbatim   skip nothing but script, style and template; keep links and images of any kind,
               leave relative ones as they are; no front matter
  --help       print this text
";

const READ_SIZE: usize = 64 * 1024;

fn main() -> ExitCode {
    let mut url: Option<String> = None;
    let mut chunk = READ_SIZE;
    let mut options = Options::new();

    let mut arguments = Arguments::from_env(USAGE);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--url" => url = Some(arguments.value("--url")),
            "--chunk" => chunk = arguments.value::<NonZeroUsize>("--chunk").get(),
            "--verbatim" => options = Options::verbatim(),
            _ => arguments.refuse(&argument),
        }
    }

    let mut converter = Converter::new(options);
    if let Some(url) = &url {
        converter = converter.url(url);
    }
    match convert(
        converter,
        chunk,
        &mut io::stdin().lock(),
        &mut io::stdout().lock(),
    ) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn convert(
    mut converter: Converter,
    chunk: usize,
    input: &mut impl Read,
    output: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut buffer = vec![0; READ_SIZE];
    loop {
        let read = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        for piece in buffer[..read].chunks(chunk) {
            let converted = converter.write(piece);
            // The input may pause after this piece: what it completed is not held back. After an
            // error, too, what came before it is still good.
            converter.flush();
            output.write_all(&converter.take())?;
            converted?;
        }
        output.flush()?;
    }
    let finished = converter.finish();
    output.write_all(&converter.take())?;
    output.flush()?;
    Ok(finished?)
}

/// The reader of the output has seen enough, as in `html2md | head`.
fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
