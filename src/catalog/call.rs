//! One call of a skill: what was loaded, read or run, by whom and when, but never its content.

use super::exact_path;
use crate::inert;
use crate::text::SafeText;
use crate::words;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallKind {
    #[default]
    Load,
    /// The conversation gave up a loaded skill.
    Unload,
    Read,
    Run,
    /// A person approved its hidden text or a script.
    Approve,
}

words!(CallKind, Load = "load", Unload = "unload", Read = "read", Run = "run", Approve = "approve");

/// All texts are other people's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    #[serde(rename = "deed")]
    pub kind: CallKind,
    /// When, milliseconds since 1970.
    pub at_ms: u64,
    pub skill: String,
    /// The canonical path of its `SKILL.md`.
    #[serde(flatten, with = "exact_path")]
    pub path: PathBuf,
    /// The file or script, relative to the skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default)]
    pub client: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Bytes that the caller got; for a run those of both streams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    #[serde(default)]
    pub truncated: bool,
    /// How long it took, milliseconds.
    #[serde(default)]
    pub duration_ms: u64,
    /// Whether a run has only begun. Its end has a line of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub begun: bool,
    /// The script's exit code; 128 + n for signal n.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// The digest of what was loaded, read or run, hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The sandbox of a script; `off` is a deliberate choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    /// The `allowed-tools` of a skill that was loaded; they grant nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_tools: Vec<String>,
    /// The error's code, if the call failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Call {
    /// A call with only these facts.
    pub fn new(kind: CallKind, at_ms: u64, skill: &str, path: &Path) -> Self {
        let (skill, path) = (skill.to_owned(), path.to_owned());
        Self { kind, at_ms, skill, path, ..Self::default() }
    }

    /// What came of it, in words for people. Those of a load and of an error are KOD-7c's.
    pub fn outcome(&self) -> SafeText {
        let file = self.file.as_ref().map(|file| inert!(" {}", file)).unwrap_or_default();
        if let Some(error) = &self.error {
            return inert!("Error: {} ({} {}{})", error, self.kind.word(), self.skill, file);
        }
        match self.kind {
            CallKind::Load => inert!("Skill {} loaded", self.skill),
            CallKind::Unload => inert!("Skill {} unloaded", self.skill),
            CallKind::Read => inert!("Skill {}:{} read", self.skill, file),
            CallKind::Run if self.begun => inert!("Skill {}:{} begun", self.skill, file),
            CallKind::Run => inert!("Skill {}:{} run", self.skill, file),
            CallKind::Approve => inert!("Skill {}{} approved", self.skill, file),
        }
    }
}
