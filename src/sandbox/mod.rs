//! Running a script of a skill: asked for, shown, approved, run from a copy, watched until nothing
//! of it is left.
//!
//! [`Request::prepare`] copies the skill and says everything that consent needs (X2);
//! [`Prepared::run`] starts our own program again as [`launcher`], which shuts itself in (X6), runs
//! the interpreter, and sees to it that no process of the script outlives it (X5). No shell reads a
//! string anywhere (X1). Nothing here asks whether a script *may* run: that is a rule's and a
//! person's to say, and no file of a skill or repository has a word in it.

mod bubblewrap;
mod capture;
mod consent;
mod environment;
mod error;
mod grants;
mod interpreter;
pub mod launcher;
#[cfg(not(unix))]
mod nowhere;
mod place;
mod plan;
mod prepare;
mod request;
mod route;
#[cfg(unix)]
mod run;

/// What stands in the answers of this module.
pub use crate::files::digest::Digest;
pub use capture::Captured;
pub use consent::Consent;
pub use error::{Part, PrepareError, RunError};
pub use interpreter::Interpreters;
pub use launcher::Launcher;
pub use prepare::Prepared;
pub use request::{Request, Sandbox, WorkDir};
pub use route::{Route, route};

use crate::files::scratch;
use std::path::PathBuf;
use std::time::Duration;

/// Removes what killed processes of ours have left in the system's temporary folder.
pub fn sweep() {
    scratch::sweep();
}

/// How a script ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    Signal(i32),
    /// It was ended because its time was up.
    TimedOut,
    /// It was ended because the caller wished so.
    Cancelled,
}

/// What came of a run.
#[derive(Debug)]
pub struct Ran {
    pub exit: Exit,
    /// What it wrote on stdout; other people's bytes.
    pub stdout: Captured,
    /// What it wrote on stderr; other people's bytes.
    pub stderr: Captured,
    /// How long it took.
    pub duration: Duration,
    /// Processes that it had left behind and that were ended.
    pub stragglers: usize,
    /// Processes that could not be ended in time. Never hidden: a caller must tell of them.
    pub survivors: usize,
    /// The fresh directory with what it left there; none where it left nothing (the directory is
    /// gone then).
    pub kept: Option<PathBuf>,
}
