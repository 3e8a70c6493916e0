//! Starts threads.

use crate::inert;
use crate::text::{SafeText, not_started};
use std::io;
use std::thread;

/// Starts a thread of this name.
///
/// # Errors
/// The system has no room for one; in words.
pub(super) fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), SafeText> {
    started(name, body)
        .map_err(|error| inert!("no thread could be started: {}", not_started(&error)))
}

fn started(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    #[cfg(test)]
    if tests::REFUSED.get() {
        return Err(io::ErrorKind::WouldBlock.into());
    }
    thread::Builder::new().name(name.to_owned()).spawn(body).map(drop)
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;

    thread_local! {
        pub(super) static REFUSED: Cell<bool> = const { Cell::new(false) };
    }

    /// Does this while this thread can start no other one.
    pub(in crate::tui::shell) fn without_threads(work: impl FnOnce()) {
        REFUSED.set(true);
        work();
        REFUSED.set(false);
    }
}
