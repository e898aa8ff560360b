//! A page that comes in chunks.

use markdown_for_agents::convert::Converter;

/// What comes of a page in chunks of this many bytes, and is taken behind each.
pub(crate) fn in_chunks(mut converter: Converter, page: &str, length: usize) -> String {
    let mut markdown = Vec::new();
    for chunk in page.as_bytes().chunks(length) {
        converter.write(chunk).unwrap();
        converter.flush();
        markdown.extend_from_slice(&converter.take());
    }
    converter.finish().unwrap();
    markdown.extend_from_slice(&converter.take());
    String::from_utf8(markdown).unwrap()
}
