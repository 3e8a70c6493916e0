//! Why a script is not run.

use super::request::MAX_WORDS;
use crate::files::beneath::Refusal;
use crate::files::snapshot::SnapshotError;
use crate::text::reason_of;
use std::io;
use std::path::PathBuf;

/// A part of the sandbox. If one cannot start, the run is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Landlock: which files are read and written, and which processes signals reach.
    Files,
    /// seccomp: no network, no sockets, no typing into the terminal.
    Calls,
    /// No rights from set-user-id programs, and none of root's.
    Privileges,
    /// Orphans become children of the launcher, so that it can end them.
    Orphans,
    /// The `bwrap` program.
    Bubblewrap,
    /// This operating system, for which there is no sandbox.
    System,
}

impl Part {
    /// Its name in messages.
    pub fn words(self) -> &'static str {
        match self {
            Self::Files => "file access (Landlock)",
            Self::Calls => "system calls (seccomp)",
            Self::Privileges => "privileges (no_new_privs)",
            Self::Orphans => "left-over processes (subreaper)",
            Self::Bubblewrap => "bubblewrap (bwrap)",
            Self::System => "this operating system",
        }
    }
}

/// Why a run cannot be prepared. The messages hold no other people's text, except where a field is
/// a name.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The script's path is refused, or nothing is there.
    #[error("{0}")]
    Script(#[from] Refusal),
    /// The script's path has a `..`.
    #[error("a script's path is relative to its skill, without `..`")]
    Upward,
    /// It would have to run in a sandbox, and this system has none.
    #[error(
        "skillpick knows no sandbox for {}; nothing was run. To run the script without a sandbox, \
         with all of your rights, say --no-sandbox", Part::System.words()
    )]
    NoSandbox,
    /// The skill cannot be copied.
    #[error("{0}")]
    Copy(#[from] SnapshotError),
    /// No interpreter is known for it.
    #[error(
        "no interpreter is known for this script: neither its extension nor a `#!` line of an \
         executable names one; `[scripts.interpreters]` of the settings can"
    )]
    NoInterpreter,
    /// Its interpreter is not installed.
    #[error("the interpreter is not on the PATH: {program}")]
    NotInstalled {
        /// May come from the script's own text.
        program: String,
    },
    /// Its `#!` line cannot be parsed.
    #[error(
        "the `#!` line of the script cannot be followed; name an absolute program, or `env` with \
         one name"
    )]
    Shebang,
    /// Its `#!` line names a program that the author of a skill may have written.
    #[error(
        "the `#!` line names a program in a folder where others can write: {program}; use \
         `#!/usr/bin/env NAME` with the program on your PATH, or one of the system's"
    )]
    Writable {
        /// Comes from the script's own text.
        program: String,
    },
    /// An argument or a variable holds a NUL byte, or a variable's name is not valid.
    #[error("an argument or variable holds what no program can be given")]
    Unspeakable,
    /// The arguments and variables are too long to pass on, or to show to a person.
    #[error("the arguments and variables are longer than {} KiB together", MAX_WORDS >> 10)]
    TooLong,
    /// A variable would decide which code runs, and consent could not show that.
    #[error("this variable may not be set, because it would change which code runs: {name}")]
    Steering { name: String },
    /// The working directory is not there.
    #[error("the working directory {} cannot be used: {}", .path.display(), reason_of(*.kind))]
    Directory {
        /// As the caller wrote it.
        path: PathBuf,
        kind: io::ErrorKind,
    },
    /// The working directory holds what the script may not see.
    #[error(
        "the working directory holds credentials, is hidden in a home directory, or is a home \
         directory or the system's inside; choose another one"
    )]
    Exposing,
    /// A fresh directory cannot be made.
    #[error("no fresh directory could be made: {0}")]
    Io(#[from] io::Error),
}

/// Why a prepared run did not happen, or how it ended is not known.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A part of the sandbox cannot start. Nothing was run, and nothing weaker was tried.
    #[error(
        "the sandbox cannot start: {} ({reason}); nothing was run. To run the script without a \
         sandbox, with all of your rights, say --no-sandbox", part.words()
    )]
    Sandbox {
        part: Part,
        /// The operating system's reason.
        reason: String,
    },
    /// The interpreter is not the file that was shown.
    #[error("the interpreter has changed since it was shown: {program}; ask for the run again")]
    Interpreter { program: String },
    /// The interpreter could not be started.
    #[error("the script could not be started: {reason}")]
    Start {
        /// The operating system's reason.
        reason: String,
    },
    /// Our own program could not be started as launcher, or failed.
    #[error("the launcher failed: {reason}")]
    Launcher { reason: String },
}
