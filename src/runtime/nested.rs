//! Nested skills. Their files are given with the outer skill only if the caller could load the
//! inner one.

use super::judge::{Asker, judge};
use crate::catalog::Skill;
use crate::policy::Entry;
use crate::workspace::View;
use std::path::{Path, PathBuf};

/// The skills nested in one skill, and whether each of them may be loaded.
#[derive(Debug, Default)]
pub struct NestedSkills(Vec<NestedSkill>);

#[derive(Debug)]
struct NestedSkill {
    dir: PathBuf,
    loadable: bool,
}

impl NestedSkills {
    /// The skills nested in this one, each judged for its asker.
    pub fn of(view: &View, skill: &Skill, asker: impl Fn(&Entry) -> Asker) -> Self {
        let nested = view
            .rows
            .entries()
            .filter(|entry| entry.skill.dir() != skill.dir() && lies_in(entry, skill));
        let judged = nested.map(|entry| NestedSkill {
            dir: entry.skill.dir().to_owned(),
            loadable: judge(entry, asker(entry)).is_ok(),
        });
        Self(judged.collect())
    }

    /// Whether this file or folder of the outer skill, an absolute path, is given with it.
    pub fn gives(&self, path: &Path) -> bool {
        if self.0.iter().all(|nested| nested.loadable) {
            return true;
        }
        let Ok(real) = std::fs::canonicalize(path) else { return false };
        let around = self.0.iter().filter(|nested| real.starts_with(&nested.dir));
        let innermost = around.max_by_key(|nested| nested.dir.as_os_str().len());
        innermost.is_none_or(|nested| nested.loadable)
    }
}

/// Whether an entry that can be loaded is this skill, or lies in its directory.
pub(super) fn lies_in(entry: &Entry, skill: &Skill) -> bool {
    entry.skill.dir().starts_with(skill.dir()) && entry.taken()
}
