//! What a run is asked with.

use super::{Interpreters, Launcher};
use crate::catalog::Skill;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// More bytes of arguments and variables, each with its end, are refused: Linux takes no longer
/// one, and a person who is asked is to read them.
pub(super) const MAX_WORDS: usize = 128 << 10;

/// Where a script starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WorkDir {
    /// The fresh directory, the only one that it may write to in a sandbox.
    #[default]
    Fresh,
    /// The read-only copy of the skill.
    Skill,
    /// This one, which it may read then, but not write in a sandbox.
    At(PathBuf),
}

impl WorkDir {
    /// What a caller's word means: `skill`, `fresh` (or nothing), or a directory as seen from
    /// `base`.
    pub fn read(word: &str, base: &Path) -> Self {
        match word {
            "fresh" | "" => Self::Fresh,
            "skill" => Self::Skill,
            directory => Self::At(base.join(directory)),
        }
    }
}

/// How a script is shut in (X6).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// By Landlock and seccomp.
    #[default]
    On,
    /// Not at all: it has all of the person's rights. A deliberate choice, to be logged by the
    /// caller.
    Off,
    /// By `bwrap` and seccomp.
    Bubblewrap,
}

impl Sandbox {
    /// The word used in JSON and the log.
    pub fn word(self) -> &'static str {
        match self {
            Self::On => "landlock",
            Self::Off => "off",
            Self::Bubblewrap => "bubblewrap",
        }
    }
}

/// A script of a skill that is to be run. The caller has made sure that the skill is active and
/// that a rule allows the run.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The skill, resolved.
    pub skill: &'a Skill,
    /// Whether a file or folder of it, an absolute path, may be in the copy that runs.
    pub may_copy: &'a dyn Fn(&Path) -> bool,
    /// The script's path relative to the skill's directory.
    pub script: &'a str,
    /// Its arguments, as they are.
    pub arguments: &'a [String],
    /// Variables beyond the few that every script gets (X4); each name is shown for consent.
    pub environment: &'a [(String, String)],
    pub directory: &'a WorkDir,
    /// How long it may take.
    pub timeout: Duration,
    /// How it is shut in.
    pub sandbox: Sandbox,
    /// Which interpreter runs which extension.
    pub interpreters: &'a Interpreters,
    /// Folders of the person's own that it may never see, beyond those that are known by their
    /// names.
    pub private: &'a [PathBuf],
    pub launcher: &'a Launcher,
}
