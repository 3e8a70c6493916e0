//! How soon a server ends, on a machine that may be busy with other things.

use super::DEADLINE;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::process::{Child, ExitStatus};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// How long the end of the input or a signal may take to end a server.
const SOON: Duration = Duration::from_secs(1);

/// The time after which a wait is interrupted to measure how late the machine is.
const PAUSE: Duration = Duration::from_millis(2);

/// How long a wait took, and how late the machine was: by how much all waits of [`PAUSE`] together
/// took longer.
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
        let (told, ended) = channel();
        let pid = WaitId::Pid(Pid::from_child(child));
        // The process stays a zombie, so that its number is not given to another one. To reap it
        // here would close its input, which some tests keep open until the end.
        thread::spawn(move || {
            let ended = waitid(pid, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
            told.send(ended.map(drop))
        });
        while start.elapsed() < DEADLINE {
            let before = Instant::now();
            if let Ok(ended) = ended.recv_timeout(PAUSE) {
                ended.unwrap();
                let time = start.elapsed();
                return (child.wait().unwrap(), Self { time, late });
            }
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
