//! A value that another thread makes, for which nobody waits long.

use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Awaited<T> {
    value: OnceLock<T>,
    /// Whether nobody waits any more.
    is_over: Mutex<bool>,
    came: Condvar,
}

impl<T> Default for Awaited<T> {
    fn default() -> Self {
        Self { value: OnceLock::new(), is_over: Mutex::new(false), came: Condvar::new() }
    }
}

impl<T> Awaited<T> {
    /// The value, if it is there.
    pub(super) fn now(&self) -> Option<&T> {
        self.value.get()
    }

    /// The value. Waits for it, but once only, and not longer than `patience`.
    pub(super) fn get(&self, patience: Duration) -> Option<&T> {
        if self.value.get().is_none() {
            let waited = self.came.wait_timeout_while(self.is_over(), patience, |over| !*over);
            *waited.unwrap_or_else(PoisonError::into_inner).0 = true;
        }
        self.value.get()
    }

    pub(super) fn set(&self, value: T) {
        let _ = self.value.set(value);
        self.give_up();
    }

    /// Nobody waits for it from now on.
    pub(super) fn give_up(&self) {
        *self.is_over() = true;
        self.came.notify_all();
    }

    fn is_over(&self) -> MutexGuard<'_, bool> {
        self.is_over.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
