//! Reading hostile files takes memory in proportion to their size: counted, not timed.
#![cfg(feature = "agents-md")]

use markdown_for_agents::agents_md::Reader;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the bytes that a thread asks for.
struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

#[allow(unsafe_code)]
// SAFETY: everything is passed on to the system allocator; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ASKED.try_with(|asked| asked.set(asked.get() + layout.size()));
        // SAFETY: the caller's contract is that of the system allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` is from `alloc`, and so from the system allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The bytes asked for while a file of `count` repetitions is read and written.
fn asked(before: &str, repeated: &str, behind: &str, count: usize) -> usize {
    let text = format!("{before}{}{behind}", repeated.repeat(count));
    let start = ASKED.get();
    let document = Reader::new().max_size(usize::MAX).read(text.as_bytes());
    drop(document.map(|document| document.to_string()));
    ASKED.get() - start
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
