//! Messages between the caller and the launcher: one line of JSON each, over the launcher's stdin.
//!
//! They are not passed as arguments or variables. Other programs can read those, and a variable for
//! the loader would act on the launcher before it is confined.

use super::pinned::PinnedPath;
use super::{Exit, Limits, Part, Sandbox};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;

/// What to run, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    /// The absolute path of the interpreter.
    pub(super) program: OsString,
    /// The interpreter's own arguments, the script in the copy, the script's arguments.
    pub(super) arguments: Vec<OsString>,
    pub(super) environment: Vec<(OsString, OsString)>,
    /// Where it starts; in a sandbox one of the paths below.
    pub(super) directory: OsString,
    pub(super) sandbox: Sandbox,
    /// In a sandbox: what of the system may be read and executed, if it exists.
    pub(super) system: Vec<OsString>,
    /// In a sandbox: what may be read and executed besides the system's files, if it still exists.
    pub(super) read: Vec<PinnedPath>,
    /// In a sandbox: what may be read and written. It must exist.
    pub(super) write: Vec<PinnedPath>,
    /// The `bwrap` program, if it is used.
    pub(super) bubblewrap: Option<OsString>,
    pub(super) timeout_ms: u64,
    pub(super) limits: Limits,
    /// Time between TERM and KILL.
    pub(super) grace_ms: u64,
    /// For tests: parts that count as missing, so that the run is refused.
    pub(super) lacking: Vec<Part>,
    /// For tests: the newest version of Landlock to use, as on an older kernel.
    pub(super) newest_landlock: Option<i32>,
}

/// What the launcher answers; the last answer counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Report {
    /// The sandbox is up; the interpreter starts next.
    Ready,
    /// A part of the sandbox cannot start.
    Refused { part: Part, reason: String },
    /// The interpreter cannot be started.
    NotStarted { reason: String },
    /// The script has ended.
    Ended {
        exit: Exit,
        /// Processes of the script that were ended.
        stragglers: usize,
        /// Whether the kernel says that no process of the script is left.
        all_ended: bool,
        /// If not: how many were seen last.
        survivors: usize,
    },
}

#[cfg(unix)]
pub(super) use lines::{read_plan, reports, send};

#[cfg(unix)]
mod lines {
    use super::{Plan, Report};
    use serde::Serialize;
    use std::io::{self, BufRead, BufReader, Read, Write};

    /// The longest plan in bytes.
    const MAX_PLAN: u64 = 16 << 20;

    pub(crate) fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        to.write_all(&line)
    }

    /// The reports of a launcher, until its end is closed. Other lines are passed over.
    pub(crate) fn reports(from: impl Read) -> impl Iterator<Item = Report> {
        let lines = BufReader::new(from).lines().map_while(Result::ok);
        lines.filter_map(|line| serde_json::from_str(&line).ok())
    }

    pub(crate) fn read_plan(from: impl BufRead) -> io::Result<Plan> {
        let mut line = String::new();
        io::Read::take(from, MAX_PLAN).read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }
}
