//! A change: as it is wanted, and as it has been worked out.

use crate::catalog::{Enablement, Permission};
use crate::inert;
use crate::policy::{self, Bound, Layer, Runs};
use crate::text::SafeText;
use std::path::Path;
use std::sync::Arc;

/// A change that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// These skills on or off.
    Switch {
        paths: Vec<Arc<Path>>,
        /// How far on they are to be.
        to: Enablement,
    },
    /// Exactly these rules in the files of some layers.
    Rules {
        /// All rules of the host.
        drafts: Vec<RuleDraft>,
        /// The layers whose rules are to change; the others' files stay as they are.
        layers: Vec<Layer>,
    },
}

/// A permission rule as it stands in the rules screen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleDraft {
    pub effect: Permission,
    /// Which names: exact, or with a trailing `*`; empty means every skill.
    pub pattern: String,
    /// Whether it is about running scripts (`skill_script`) and not about loading (`skill_load`).
    pub script: bool,
    /// Which script and which arguments, of a rule about running scripts. They are shown and kept;
    /// the file says them.
    pub runs: Runs,
    /// The one skill that it is bound to while it allows.
    pub bound: Option<Bound>,
    /// In whose file it lives.
    pub layer: policy::Layer,
}

impl RuleDraft {
    /// The one skill that the rule is bound to: only one that allows is.
    pub fn bound(&self) -> Option<&Bound> {
        self.bound.as_ref().filter(|_| self.effect == Permission::Allow)
    }

    /// What it covers of the skills of its name, in the line below it; nothing where that is all.
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

/// A change that has been worked out and can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its number: what [`Effect::Save`] names.
    pub number: u64,
    /// What it does, one line.
    pub summary: SafeText,
    /// The files and their changes.
    pub files: Vec<PlannedFile>,
    /// What changes for whom: name, before, after.
    pub effects: Vec<(SafeText, SafeText, SafeText)>,
    /// Whether the diff is shown before it is written (S5): a repository's file, several files, or
    /// a rule set.
    pub ask: bool,
}

/// One file of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    pub path: SafeText,
    pub diff: Vec<(DiffKind, SafeText)>,
}

/// The kind of a line of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffKind {
    /// File names and positions.
    Header,
    Context,
    Added,
    Removed,
}
