//! Runs a script of a skill, confined: it runs from a copy of the skill, and ends when no process
//! of it is left.
//!
//! [`Request::prepare`] copies the skill and gives everything that consent has to show.
//! [`Prepared::run`] starts our own program again as [`launcher`], which confines itself, runs the
//! interpreter, and ends every process that the script leaves behind. No shell ever parses a
//! string. Whether a script *may* run is not decided here: rules and people decide it, and no file
//! of a skill or repository can.

mod bubblewrap;
mod capture;
mod consent;
mod environment;
mod error;
mod grants;
mod interpreter;
pub mod launcher;
mod left;
#[cfg(not(unix))]
mod nowhere;
mod pinned;
mod plan;
mod prepare;
mod request;
mod route;
#[cfg(unix)]
mod run;
mod secrets;
mod trust;

pub use crate::files::digest::Digest;
pub use capture::Captured;
pub use consent::Consent;
pub use error::{Part, PrepareError, RunError};
pub use interpreter::Interpreters;
pub use launcher::Launcher;
pub use left::{Left, LeftFile, LeftKind, Removed};
pub use prepare::Prepared;
pub use request::{Ceiling, Limits, Request, Sandbox, WorkDir};
pub use route::{Route, route};

use crate::files::scratch;
use std::path::PathBuf;
use std::time::Duration;

/// Whether this system has a sandbox that we know. Elsewhere a script runs only where a person wants
/// it to run without one.
pub const IS_HERE: bool = cfg!(target_os = "linux");

/// Removes what our own processes left in the temporary folder because they were killed.
pub fn sweep() {
    scratch::sweep();
}

/// How a script ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It ended by itself, with this code.
    Code(i32),
    Signal(i32),
    /// It was ended because its time was up.
    TimedOut,
    /// It was ended because the caller asked for it.
    Cancelled,
    /// It was ended because it took more than it may.
    Over(Ceiling),
}

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    pub exit: Exit,
    /// What it wrote on stdout; other people's bytes.
    pub stdout: Captured,
    /// What it wrote on stderr; other people's bytes.
    pub stderr: Captured,
    /// How long it took.
    pub duration: Duration,
    /// Processes that it left behind and that were seen before they were ended.
    pub stragglers: usize,
    /// Whether no process of it is left, for which the kernel's word is the only proof. If not, the
    /// launcher goes on ending them, and the caller must report it.
    pub all_ended: bool,
    /// If not: how many were seen last.
    pub survivors: usize,
    /// The fresh directory with the files that it left. `None` if it left none: the directory is
    /// removed then.
    pub kept: Option<PathBuf>,
    /// What is in that directory.
    pub left: Left,
}
