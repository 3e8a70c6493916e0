//! The skills of an earlier scan, which are reused if nothing has changed.

use crate::catalog::{Root, Skill};
use std::fs::{self, Metadata};
use std::path::Path;
use std::sync::Arc;

/// Skills by canonical path. One path has several if hosts read it in different ways.
#[derive(Clone, Debug, Default)]
pub struct Known {
    skills: Arc<Vec<Arc<Skill>>>,
    /// Whether they were read for the same view, so that their files are not looked at again.
    fresh: bool,
}

impl Known {
    /// The skills of an earlier scan, in any order.
    pub fn new(skills: impl Iterator<Item = Arc<Skill>>) -> Self {
        let mut known = Self::default();
        known.add(skills);
        known
    }

    /// None yet, and all that will be added are read for one view.
    pub fn fresh() -> Self {
        Self { fresh: true, ..Self::default() }
    }

    /// Adds the skills of another scan, without copies of those that are known.
    pub fn add(&mut self, skills: impl Iterator<Item = Arc<Skill>>) {
        let is_new = |skill: &Arc<Skill>| {
            !self.at(&skill.path).iter().any(|known| Arc::ptr_eq(known, skill))
        };
        let new: Vec<Arc<Skill>> = skills.filter(is_new).collect();
        if !new.is_empty() {
            let all = Arc::make_mut(&mut self.skills);
            all.extend(new);
            all.sort_unstable_by(|one, other| key(&one.path).cmp(key(&other.path)));
        }
    }

    /// Those of one path.
    fn at(&self, path: &Path) -> &[Arc<Skill>] {
        let from = self.skills.partition_point(|known| key(&known.path) < key(path));
        let count =
            self.skills[from..].iter().take_while(|known| key(&known.path) == key(path)).count();
        &self.skills[from..from + count]
    }

    /// The skills, by path.
    pub fn skills(&self) -> impl Iterator<Item = &Arc<Skill>> {
        self.skills.iter()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// The skill at this path, if its file has the same time and size, and it was found only here,
    /// below the same root. A skill with several locations is read again, and one that is or was too
    /// large: the limit may be another one now. `sidecar` is what the file beside it says, if the
    /// host reads that; a skill that is known with another answer may be given.
    pub(super) fn unchanged(
        &self,
        path: &Path,
        location: &Path,
        root: &Root,
        sidecar: Option<bool>,
    ) -> Option<Arc<Skill>> {
        let meta = if self.fresh { None } else { Some(fs::metadata(path).ok()?) };
        let is_same = |known: &Skill, meta: &Metadata| {
            meta.is_file()
                && known.mtime_ms == super::read::mtime_ms(meta)
                && known.bytes == meta.len()
        };
        let said = |known: &Skill| known.properties.invocation.not_implicitly;
        let fits = |known: &&Arc<Skill>| {
            meta.as_ref().is_none_or(|meta| is_same(known, meta))
                && known.scope == root.scope
                && *known.root == *root.path
                && known.locations().eq([location])
        };
        let mut fitting = self.at(path).iter().filter(fits);
        let first = fitting.clone().next().filter(|_| sidecar.is_some());
        fitting.find(|known| said(known) == sidecar).or(first).map(Arc::clone)
    }
}

fn key(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{HostId, Scope, Walk};
    use crate::scan::{Options, scan};

    #[test]
    fn a_skill_that_two_hosts_look_at_differently_is_known_to_a_third() {
        let folder = tempfile::tempdir().unwrap();
        for index in 0..9 {
            let skill = folder.path().join(format!("skill-{index}"));
            fs::create_dir(&skill).unwrap();
            fs::write(
                skill.join("SKILL.md"),
                format!("---\nname: skill-{index}\ndescription: x\n---\n"),
            )
            .unwrap();
        }
        let look = |sidecar: bool, known: &Known| {
            let walk = Walk { sidecar, ..Walk::STANDARD };
            let path = fs::canonicalize(folder.path()).unwrap();
            let root = Root { path, scope: Scope::User, host: HostId::AGENTS, walk, closed: None };
            scan(&[root], &Options { known: known.clone(), ..Options::default() }, |_| {}).skills
        };
        let mut known = Known::default();
        let first = look(false, &known);
        known.add(first.iter().map(Arc::clone));
        known.add(look(true, &known).into_iter());
        known.add(first.iter().map(Arc::clone));
        assert_eq!(known.skills().count(), 18);
        let third = look(false, &known);
        assert!(
            first.iter().zip(&third).all(|(one, other)| Arc::ptr_eq(one, other)),
            "nothing is read again"
        );
    }
}
