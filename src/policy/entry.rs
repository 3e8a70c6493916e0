//! A skill as one host sees it.

use super::{Policy, Verdict};
use crate::catalog::{Check, Diagnostic, Enablement, Severity, Skill};
use std::path::Path;
use std::sync::Arc;

/// One row of a view: a skill with the host's verdict. Built by the workspace, shown by every door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The skill.
    pub skill: Arc<Skill>,
    /// How the host judges it.
    pub verdict: Verdict,
    /// How many skills of this view that can be offered carry the name, this one included; at least 1 (D1).
    pub same_name: usize,
    /// Where the host takes the first or last of a name: the canonical path of the skill that it takes instead.
    pub shadowed_by: Option<Arc<Path>>,
    /// The finding for which the host does not take the skill at all.
    pub refused: Option<&'static Check>,
    /// How far on it is, in the host's own states; through all hosts the furthest on that it is anywhere.
    pub state: Enablement,
    /// Whether, seen through all hosts, they disagree.
    pub mixed: bool,
}

impl Entry {
    /// A skill that stands alone, judged by a host whose states are on and off.
    pub fn alone(skill: Arc<Skill>, policy: &Policy) -> Self {
        let refused = policy.refusal(&skill);
        let state = if refused.is_some() { Enablement::Off } else { policy.state(&skill).value };
        let verdict = policy.verdict(&skill);
        Self { skill, verdict, same_name: 1, shadowed_by: None, refused, state, mixed: false }
    }

    /// Whether the host sees it at all, the model or the person. A denied skill that stays listed is on:
    /// enablement is not permission (COD-14), and the person may still invoke it.
    pub fn is_on(&self) -> bool {
        matches!(self.state, Enablement::On | Enablement::NameOnly)
    }

    /// Whether it is neither on nor off: hosts disagree, or the host has a state between.
    pub fn is_partly_on(&self) -> bool {
        self.mixed || matches!(self.state, Enablement::NameOnly | Enablement::UserOnly)
    }

    /// Whether the host takes it, on or off (D19).
    pub fn offered(&self) -> bool {
        self.refused.is_none()
    }

    /// Whether the model or a person may use it at all: the host takes it, and it is not off. What a rule denies the model
    /// is not off (COD-14).
    pub fn usable(&self) -> bool {
        self.offered() && (self.verdict.enabled() || self.verdict.user.value)
    }

    /// What is wrong with it: that for which the host does not take it, which the standard may only warn of, else its
    /// first error.
    pub fn fault(&self) -> Option<&Diagnostic> {
        let all = || self.skill.diagnostics.iter();
        let refused = all().find(|diagnostic| Some(diagnostic.check) == self.refused);
        refused.or_else(|| all().find(|diagnostic| diagnostic.severity() == Severity::Error))
    }

    /// How grave a finding is here: an error where the skill is not taken for it, a warning where it is taken all the same.
    pub fn severity(&self, diagnostic: &Diagnostic) -> Severity {
        match self.refused {
            None => Severity::Warning,
            Some(check) if check == diagnostic.check => Severity::Error,
            Some(_) => diagnostic.severity(),
        }
    }

    /// What there is to say of it in a line: what is wrong where the host does not take it, else what it does. Other
    /// people's text.
    pub fn about(&self) -> &str {
        let wrong = self.fault().filter(|_| !self.offered());
        wrong.map_or(&self.skill.description, |fault| &fault.message)
    }

    /// Whether a person may pick it: the host takes it, and lets people invoke it.
    pub fn pickable(&self) -> bool {
        self.offered() && self.verdict.user.value
    }
}
