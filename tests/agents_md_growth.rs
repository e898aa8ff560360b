//! Reading hostile files takes memory in proportion to their size: counted, not timed.
#![cfg(feature = "agents-md")]

#[path = "support/allocator.rs"]
mod allocator;

use allocator::count;
use markdown_for_agents::agents_md::Reader;

/// The bytes asked for while a file of `times` repetitions is read and written.
fn asked(before: &str, repeated: &str, behind: &str, times: usize) -> usize {
    let text = format!("{before}{}{behind}", repeated.repeat(times));
    let read_and_write = || {
        let document = Reader::new().max_size(usize::MAX).read(text.as_bytes());
        drop(document.map(|document| document.to_string()));
    };
    count(read_and_write).1.bytes
}

#[test]
fn memory_grows_no_faster_than_the_file() {
    for (before, repeated, behind) in [
        ("# ", "x", ""),
        ("## Can\n", "- a\n", ""),
        ("## Can\n", "- ", "x"),
        ("## Can\n- a\n", "b\n", ""),
        ("", "## Can\n- a\n", ""),
        ("", "#\nx\n\n", ""),
        ("", "## A\nx\n", ""),
        ("", "x\n", "---\n"),
        ("", "x\n===\n", ""),
        ("", "- ```\n", ""),
        ("", "> x\n<div>\n\n", ""),
        ("<!--", "\n## Can", ""),
        ("## MCP\n", "auth is none\n", ""),
        ("## MCP\nauth: ", "x", ""),
        ("", "\0\r", ""),
    ] {
        let (small, large) = (
            asked(before, repeated, behind, 4096),
            asked(before, repeated, behind, 4 * 4096),
        );
        // Buffers that double can make it a little more than four times; quadratic growth makes it sixteen.
        assert!(
            large <= 6 * small.max(4096),
            "{repeated:?}: {small}, then {large}"
        );
    }
}
