//! A change: as requested, and as planned.

use crate::catalog::{Enablement, Permission};
use crate::inert;
use crate::policy::{self, Bound, Layer, Runs};
use crate::text::{DiffKind, SafeText};
use std::path::Path;
use std::sync::Arc;

/// A requested change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeRequest {
    /// Set these skills to this state.
    Switch { paths: Vec<Arc<Path>>, to: Enablement },
    /// Replace the rules in the files of these layers.
    Rules {
        /// All rules of the host, also those of other layers.
        drafts: Vec<RuleDraft>,
        /// The layers to change; the files of others stay as they are.
        layers: Vec<Layer>,
    },
}

/// A permission rule in the rules screen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleDraft {
    pub effect: Permission,
    /// A name, or with a trailing `*` a prefix; empty means every skill.
    pub pattern: String,
    /// Whether the rule is about running scripts (`skill_script`) instead of loading
    /// (`skill_load`).
    pub script: bool,
    /// The script and arguments of a rule about scripts. The screen shows and keeps them; only the
    /// file can change them.
    pub runs: Runs,
    /// The only skill to which the rule applies while it allows.
    pub bound: Option<Bound>,
    /// The layer whose file has it.
    pub layer: policy::Layer,
}

impl RuleDraft {
    /// The only skill to which the rule applies. Only rules that allow are bound to one.
    pub fn bound(&self) -> Option<&Bound> {
        self.bound.as_ref().filter(|_| self.effect == Permission::Allow)
    }

    /// Which skills of its name and which runs the rule covers; `None` if all.
    pub fn only(&self) -> Option<SafeText> {
        let runs = (!self.runs.is_any()).then(|| SafeText::line(&self.runs.text()));
        let bound = self.bound().map(|bound| {
            let files = if bound.digest.is_some() { ", its files as they were" } else { "" };
            inert!("at {}{}", SafeText::path(bound.path.parent().unwrap_or(&bound.path)), files)
        });
        let parts: Vec<SafeText> = runs.into_iter().chain(bound).collect();
        (!parts.is_empty()).then(|| inert!("only {}", SafeText::join(&parts, " ")))
    }
}

/// A planned change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number by which [`Effect::Save`] names it.
    pub number: u64,
    pub summary: SafeText,
    pub files: Vec<PlannedFile>,
    /// The effect on each skill.
    pub effects: Vec<(SafeText, SafeText, SafeText)>,
    /// Whether the diff must be confirmed: a repository's file, several files, or rules.
    pub ask: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    pub path: SafeText,
    pub diff: Vec<(DiffKind, SafeText)>,
}
