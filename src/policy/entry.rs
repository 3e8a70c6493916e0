//! A skill as one host sees it.

use super::Verdict;
use crate::catalog::Skill;
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
}

impl Entry {
    /// Whether the host sees it at all, the model or the person. A denied skill is on: enablement is not permission
    /// (COD-14), and the person may still invoke it.
    pub fn is_on(&self) -> bool {
        self.verdict.enabled() || self.verdict.user.value
    }

    /// Whether a person may pick it: it can be offered, and the host lets people invoke it.
    pub fn pickable(&self) -> bool {
        self.skill.offerable() && self.verdict.user.value
    }
}
