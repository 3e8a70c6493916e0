//! A line on stderr that says for how long something has been running.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// What ends sooner needs no line.
const SILENT: u64 = 1;

/// Tells on a terminal for how long something runs, and erases that at the end. Where stderr is no
/// terminal nothing is written.
#[derive(Debug)]
pub struct Clock {
    since: Instant,
    at_most: Duration,
    is_seen: bool,
    /// The second that is shown, and the width of the line.
    shown: Cell<(u64, usize)>,
}

impl Clock {
    /// Begins to count. What runs is ended after `at_most`.
    pub fn start(at_most: Duration) -> Self {
        let is_seen = io::stderr().is_terminal();
        Self { since: Instant::now(), at_most, is_seen, shown: Cell::default() }
    }

    /// Shows the time, if it is another second than the one that is shown.
    pub fn tick(&self) {
        let seconds = self.since.elapsed().as_secs();
        let (before, width) = self.shown.get();
        if self.is_seen && seconds >= SILENT && seconds != before {
            let line = format!(
                "skillpick: running for {seconds} s of at most {} s",
                self.at_most.as_secs()
            );
            self.shown.set((seconds, line.len().max(width)));
            write(&format!("\r{line}"));
        }
    }

    /// Erases the line.
    pub fn end(&self) {
        if let (_, width @ 1..) = self.shown.take() {
            write(&format!("\r{:width$}\r", ""));
        }
    }
}

/// A terminal that is gone needs no line.
fn write(text: &str) {
    let mut stderr = io::stderr();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
