//! What a run is requested with.

use super::{Interpreters, Launcher};
use crate::catalog::Skill;
use crate::words;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most bytes of arguments and variables, each with its end. Linux takes no longer argument,
/// and a person who is asked has to read them.
pub(super) const MAX_WORDS: usize = 128 << 10;

/// Where a script starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WorkDir {
    /// A fresh directory, the only one that a sandboxed script may write to.
    #[default]
    Fresh,
    /// The read-only copy of the skill.
    Skill,
    /// This directory. A sandboxed script may read it, but not write to it.
    At(PathBuf),
}

impl WorkDir {
    /// Parses `skill`, `fresh`, an empty word for `fresh`, or a directory relative to `base`.
    pub fn read(word: &str, base: &Path) -> Self {
        match word {
            "fresh" | "" => Self::Fresh,
            "skill" => Self::Skill,
            directory => Self::At(base.join(directory)),
        }
    }
}

/// How a script is confined.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// By Landlock and seccomp.
    #[default]
    On,
    /// Not at all: it has all rights of the person. The caller logs this choice.
    Off,
    /// By `bwrap` and seccomp.
    Bubblewrap,
}

words!(Sandbox, On = "landlock", Off = "off", Bubblewrap = "bubblewrap");

/// What all processes of a run may take together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// In bytes.
    pub memory: u64,
    /// Processes and their threads.
    pub processes: u64,
    /// The size of one file, in bytes.
    pub file_size: u64,
}

impl Default for Limits {
    /// What holds where the settings say nothing.
    fn default() -> Self {
        Self { memory: 4 << 30, processes: 1_024, file_size: 1 << 30 }
    }
}

/// A limit that a run has reached, so that it was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ceiling {
    Memory,
    Processes,
    FileSize,
}

/// A script of a skill that is to be run. The caller has made sure that the skill is active and
/// that a rule allows the run.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub skill: &'a Skill,
    /// Whether a file or folder of it, an absolute path, may be in the copy that runs.
    pub may_copy: &'a dyn Fn(&Path) -> bool,
    /// The script's path relative to the skill's directory.
    pub script: &'a str,
    pub arguments: &'a [String],
    /// Variables besides the few that every script gets. Consent shows their names.
    pub environment: &'a [(String, String)],
    pub directory: &'a WorkDir,
    pub timeout: Duration,
    pub limits: Limits,
    pub sandbox: Sandbox,
    /// Which interpreter runs which extension.
    pub interpreters: &'a Interpreters,
    /// Folders in which the author of the skill may have written: no `#!` line leads there. The
    /// skill itself is one of them.
    pub untrusted: &'a [PathBuf],
    /// Private folders that it may never see, besides those that are known by name.
    pub private: &'a [PathBuf],
    pub launcher: &'a Launcher,
}
