//! One call of a skill: what was loaded, read or run, by whom and when, but never its content.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallKind {
    Load,
    /// The conversation gave up a loaded skill.
    Unload,
    Read,
    Run,
    /// A person approved its hidden text or a script.
    Approve,
}

impl CallKind {
    /// The word used in tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Unload => "unload",
            Self::Read => "read",
            Self::Run => "run",
            Self::Approve => "approve",
        }
    }
}

/// All texts are other people's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub kind: CallKind,
    /// When, milliseconds since 1970.
    pub at_ms: u64,
    pub skill: String,
    /// The canonical path of its `SKILL.md`.
    pub path: PathBuf,
    /// The file or script, relative to the skill.
    pub file: Option<String>,
    pub client: String,
    pub session: Option<String>,
    /// Bytes that the caller got; for a run those of both streams.
    pub bytes: Option<u64>,
    pub truncated: bool,
    /// How long it took, milliseconds.
    pub duration_ms: u64,
    /// The script's exit code; 128 + n for signal n.
    pub exit: Option<i32>,
    /// The digest of what was loaded, read or run, hex.
    pub digest: Option<String>,
    /// The sandbox of a script; `off` is a deliberate choice.
    pub sandbox: Option<String>,
    /// The error's code, if the call failed.
    pub error: Option<String>,
}

impl Call {
    /// A call with only these facts.
    pub fn new(kind: CallKind, at_ms: u64, skill: &str, path: &Path) -> Self {
        Self {
            kind,
            at_ms,
            skill: skill.to_owned(),
            path: path.to_owned(),
            file: None,
            client: String::new(),
            session: None,
            bytes: None,
            truncated: false,
            duration_ms: 0,
            exit: None,
            digest: None,
            sandbox: None,
            error: None,
        }
    }
}
