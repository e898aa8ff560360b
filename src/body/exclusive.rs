//! `Sync` for a value that is only ever reached through `&mut`.

use std::sync::{Mutex, PoisonError};

/// A body is asked to be `Sync` by those who box it, although nobody uses it from two threads. The
/// mutex is never locked: it only says so in safe code.
pub(super) struct Exclusive<T>(Mutex<T>);

impl<T> Exclusive<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    pub(super) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
