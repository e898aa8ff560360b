//! The allocator of a test binary: that of the system, and it counts what each thread asks for.
//!
//! A `realloc` is counted as an `alloc`, and as holding both blocks while it copies.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "every test binary uses a part of this"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[allow(unsafe_code, reason = "an allocator cannot be written without it")]
// SAFETY: everything is left to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        BYTES.set(BYTES.get() + layout.size());
        // A thread can free what another one has allocated.
        LIVE.set(LIVE.get().wrapping_add(layout.size()));
        PEAK.set(PEAK.get().max(LIVE.get()));
        // SAFETY: the caller keeps the contract of the same method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get().wrapping_sub(layout.size()));
        // SAFETY: the block came from the allocator of the system, see `alloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

/// What a piece of work asked of the allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Calls.
    pub allocations: usize,
    /// Bytes in all.
    pub bytes: usize,
    /// The most bytes that were held at any time, above what was held before.
    pub peak: usize,
}

/// Does a piece of work in this thread and counts.
pub fn count<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (calls, bytes, live) = (CALLS.get(), BYTES.get(), LIVE.get());
    PEAK.set(live);
    let result = work();
    let cost = Cost {
        allocations: CALLS.get() - calls,
        bytes: BYTES.get() - bytes,
        peak: PEAK.get().saturating_sub(live),
    };
    (result, cost)
}
