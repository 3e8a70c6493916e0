//! How soon a server ends, on a machine that may be busy with other things.

use super::DEADLINE;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// How long the end of the input or a signal may take to end a server.
const SOON: Duration = Duration::from_secs(1);

/// How long is slept between two looks.
const PAUSE: Duration = Duration::from_millis(2);

/// What a wait took, and how much of it this machine was late by: as much as our own sleeps were
/// longer than asked for.
#[derive(Clone, Copy, Debug)]
pub(in crate::program) struct Took {
    time: Duration,
    late: Duration,
}

impl Took {
    /// Waits for the end of a process.
    #[track_caller]
    pub(super) fn until_the_end_of(child: &mut Child) -> (ExitStatus, Self) {
        let (start, mut late) = (Instant::now(), Duration::ZERO);
        while start.elapsed() < DEADLINE {
            if let Some(status) = child.try_wait().unwrap() {
                return (status, Self { time: start.elapsed(), late });
            }
            let before = Instant::now();
            thread::sleep(PAUSE);
            late += before.elapsed().saturating_sub(PAUSE);
        }
        child.kill().unwrap();
        panic!("the server goes on");
    }

    /// Whether the machine was so late that work of half a second did not fit into a second.
    pub(in crate::program) fn was_held_up(self) -> bool {
        self.late > SOON / 5
    }

    /// It took no longer than a second of a machine that does nothing else.
    #[track_caller]
    pub(super) fn assert_soon(self) {
        assert!(self.time < SOON + self.late, "{self:?}");
    }
}
