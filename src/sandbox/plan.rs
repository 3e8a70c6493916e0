//! What the caller tells the launcher, and what it answers: one line of JSON each, over the
//! launcher's stdin.
//!
//! Nothing of it stands in the launcher's own arguments or variables: those other programs can
//! read, and a loader's variable would act on the launcher before it has shut itself in.

use super::place::Place;
use super::{Exit, Part, Sandbox};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;

/// What is to be run, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    /// The interpreter, absolute.
    pub(super) program: OsString,
    /// Its arguments: its own, the script in the copy, the script's.
    pub(super) arguments: Vec<OsString>,
    pub(super) environment: Vec<(OsString, OsString)>,
    /// Where it starts; in a sandbox one of the places below.
    pub(super) directory: OsString,
    /// How it is shut in.
    pub(super) sandbox: Sandbox,
    /// What may be read and executed beyond the system's own, where it still exists; in a sandbox.
    pub(super) read: Vec<Place>,
    /// What may be read and written, and must exist; in a sandbox.
    pub(super) write: Vec<Place>,
    /// The `bwrap` program, where it is used.
    pub(super) bubblewrap: Option<OsString>,
    /// How long it may take, milliseconds.
    pub(super) timeout_ms: u64,
    /// How long after TERM it is killed, milliseconds.
    pub(super) grace_ms: u64,
    /// Parts that are taken to be missing: for tests, and only ever a reason to refuse.
    pub(super) lacking: Vec<Part>,
    /// The newest version of Landlock to use: for tests, to stand for an older kernel.
    pub(super) newest_landlock: Option<i32>,
}

/// What the launcher answers; the last one counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Report {
    /// Shut in; the interpreter comes next.
    Ready,
    /// A part of the sandbox cannot start.
    Refused { part: Part, reason: String },
    /// The interpreter cannot be started.
    NotStarted { reason: String },
    /// The script has ended.
    Ended {
        exit: Exit,
        /// Processes of it that had to be ended.
        stragglers: usize,
        /// Processes of it that could not be ended.
        survivors: usize,
    },
}

#[cfg(unix)]
pub(super) use lines::{read_plan, send};

#[cfg(unix)]
mod lines {
    use super::Plan;
    use serde::Serialize;
    use std::io::{self, BufRead, Write};

    /// The longest plan that is read, bytes.
    const MAX_PLAN: u64 = 16 << 20;

    /// Writes one message as one line.
    pub(crate) fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        to.write_all(&line)
    }

    /// Reads the one line of a plan.
    pub(crate) fn read_plan(from: impl BufRead) -> io::Result<Plan> {
        let mut line = String::new();
        io::Read::take(from, MAX_PLAN).read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }
}
