//! Nested skills. Their files are given with the outer skill only if the caller could load the
//! inner one.

use super::call_context::CallContext;
use super::judge::Asker;
use crate::catalog::Skill;
use crate::policy::Entry;
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
    pub fn of(caller: &CallContext<'_>, skill: &Skill, asker: impl Fn(&Entry) -> Asker) -> Self {
        let nested = caller
            .view
            .rows
            .entries()
            .filter(|entry| lies_in(entry, skill) && entry.skill.dir() != skill.dir());
        let judged = nested.map(|entry| NestedSkill {
            dir: entry.skill.dir().to_owned(),
            loadable: caller
                .judge_files(entry, asker(entry), || caller.files(&entry.skill, None))
                .is_ok(),
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
    // Comparing paths part by part is slow, and nearly none begins with the same bytes.
    let [inner, outer] = [&entry.skill.path, skill.dir()].map(|path| path.as_os_str());
    inner.as_encoded_bytes().starts_with(outer.as_encoded_bytes())
        && entry.skill.path.starts_with(skill.dir())
        && entry.taken()
}
