//! Our own program, started again between a caller and a script.
//!
//! It runs twice. The *outer* launcher stays outside the sandbox: it keeps the time, adopts the
//! script's orphans, and ends every process that is left. The *inner* launcher confines itself and
//! becomes the interpreter. Both are hidden commands. They read what to do from stdin, which is
//! also the lifeline: the script ends when the caller closes it.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod domain;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod granted;
#[cfg(unix)]
mod inner;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod outer;
#[cfg(unix)]
pub(super) mod processes;
#[cfg(target_os = "linux")]
mod table;

use super::Part;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The hidden command that makes our program the outer launcher.
pub const WORD: &str = "__sandbox";

/// The hidden command that makes it the inner launcher.
const INNER: &str = "__sandbox-inner";

/// There is no such domain on this system.
#[cfg(all(unix, not(target_os = "linux")))]
enum NoDomain {}

#[cfg(all(unix, not(target_os = "linux")))]
impl NoDomain {
    fn of(_: &super::plan::Plan) -> Option<Self> {
        None
    }

    fn kill_all(&self) {}
}

/// Why a part of the sandbox cannot start.
#[cfg(target_os = "linux")]
#[derive(Debug)]
struct Refused {
    part: Part,
    reason: String,
}

/// How our own program is started as launcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    program: Option<PathBuf>,
    grace: Duration,
    lacking: Vec<Part>,
    newest_landlock: Option<i32>,
    variables: Option<Vec<(OsString, OsString)>>,
}

impl Default for Launcher {
    /// The running program itself, and 2 s between TERM and KILL.
    fn default() -> Self {
        Self {
            program: None,
            grace: Duration::from_secs(2),
            lacking: Vec::new(),
            newest_landlock: None,
            variables: None,
        }
    }
}

impl Launcher {
    /// Another program that answers to [`main`], such as the built one in a test.
    pub fn at(program: PathBuf) -> Self {
        Self { program: Some(program), ..Self::default() }
    }

    /// For tests: sets the time between TERM and KILL.
    #[must_use]
    pub fn with_grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }

    /// For tests: treats this part of the sandbox as missing, so that runs are refused.
    #[must_use]
    pub fn without(mut self, part: Part) -> Self {
        self.lacking.push(part);
        self
    }

    /// For tests: uses no newer version of Landlock than this, as on an older kernel.
    #[must_use]
    pub fn with_landlock(self, version: i32) -> Self {
        Self { newest_landlock: Some(version), ..self }
    }

    /// For tests: uses these instead of our own variables, of which a script gets a few.
    #[must_use]
    pub fn with_variables(self, variables: Vec<(OsString, OsString)>) -> Self {
        Self { variables: Some(variables), ..self }
    }

    pub(super) fn variables(&self) -> Vec<(OsString, OsString)> {
        self.variables.clone().unwrap_or_else(|| std::env::vars_os().collect())
    }

    pub(super) fn grace(&self) -> Duration {
        self.grace
    }

    pub(super) fn newest_landlock(&self) -> Option<i32> {
        self.newest_landlock
    }

    pub(super) fn lacking(&self) -> &[Part] {
        &self.lacking
    }

    pub(super) fn has_sandbox(&self) -> bool {
        super::IS_HERE && !self.lacking.contains(&Part::System)
    }

    pub(super) fn program(&self) -> io::Result<PathBuf> {
        self.program.clone().map_or_else(std::env::current_exe, Ok)
    }
}

/// Works as launcher if the first argument after the program's name is a hidden command, and gives
/// the exit code; `None` otherwise. Call it before anything else.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let word = arguments.into_iter().nth(1)?;
    match word.to_str()? {
        #[cfg(unix)]
        WORD => Some(outer::main()),
        #[cfg(unix)]
        INNER => Some(inner::main()),
        _ => None,
    }
}
