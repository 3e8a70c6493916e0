//! A script while it runs: a line about the time, and the signals that end the script but let its
//! output be printed.

use crate::output::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// In place of a signal's number: the script has ended, so a signal ends us.
const OVER: i32 = -1;

pub(super) struct Running {
    clock: Clock,
    /// The signal that has come; 0 if none has.
    signal: Arc<AtomicI32>,
}

impl Running {
    /// From now on a signal (INT, TERM, HUP) ends the script. One that comes after it, or after the
    /// script, ends us at once: our output may wait for a reader.
    pub(super) fn begin(at_most: Duration) -> Self {
        let signal = Arc::new(AtomicI32::new(0));
        listen(Arc::clone(&signal));
        Self { clock: Clock::start(at_most), signal }
    }

    /// Whether the script goes on; called several times a second.
    pub(super) fn goes_on(&self) -> bool {
        self.clock.tick();
        self.signal.load(Ordering::Relaxed) == 0
    }

    /// The signal that has ended the script, if one has.
    pub(super) fn end(self) -> Option<i32> {
        self.clock.end();
        self.signal.compare_exchange(0, OVER, Ordering::Relaxed, Ordering::Relaxed).err()
    }
}

/// Without a listener a signal ends us, and the script with us.
#[cfg(unix)]
fn listen(told: Arc<AtomicI32>) {
    use crate::serve::signals::{self, ENDING};
    let heard = ENDING.into_iter().filter(|signal| !is_ignored(*signal));
    let _ = signals::listen(heard, move |signal| {
        if told.swap(signal, Ordering::Relaxed) != 0 {
            std::process::exit(128 + signal);
        }
        true
    });
}

#[cfg(not(unix))]
fn listen(_: Arc<AtomicI32>) {}

/// Whether this signal is ignored since we were started, as by `nohup`. It must not end us then.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    ignored.is_some_and(|signals| (signals >> (signal - 1)) & 1 == 1)
}
