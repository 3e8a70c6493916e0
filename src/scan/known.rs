//! What was read before: by an earlier scan, or by another process. It is reused if nothing has
//! changed.

use super::folder::Look;
use super::stamp::is_settled;
use crate::catalog::Skill;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// Skills by canonical path. One path has several if hosts find it in different places.
#[derive(Clone, Debug, Default)]
pub struct Known {
    skills: Arc<Vec<Arc<Skill>>>,
    trust: Trust,
}

/// When a skill counts as unchanged.
#[derive(Clone, Copy, Debug, Default)]
enum Trust {
    /// Its file has the same stamp and size.
    #[default]
    Stamp,
    /// So it has, and its times lie well before this one.
    Settled(SystemTime),
    /// Always: it was read for the same view.
    Always,
}

impl Known {
    /// The skills of an earlier scan, in any order.
    pub fn new(skills: impl Iterator<Item = Arc<Skill>>) -> Self {
        let mut known = Self::default();
        // That a skill lies too deep depends on the agents that look.
        known.add(skills.filter(|skill| !skill.is_too_deep()));
        known
    }

    /// No skills yet. All that will be added are read for one view.
    pub fn fresh() -> Self {
        Self { trust: Trust::Always, ..Self::default() }
    }

    /// What another process has read, by path, for a scan that begins now.
    pub(super) fn settled(skills: Vec<Arc<Skill>>, now: SystemTime) -> Self {
        Self { skills: Arc::new(skills), trust: Trust::Settled(now) }
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

    /// The skill at this path, if its file has not changed and its directory has the name by which
    /// it was judged. It may have been found elsewhere. `look` looks at the file, if that is
    /// needed.
    pub(super) fn unchanged(
        &self,
        path: &Path,
        location: &Path,
        look: impl FnOnce() -> io::Result<Look>,
    ) -> Option<Arc<Skill>> {
        let at_path = self.at(path);
        if at_path.is_empty() {
            return None;
        }
        let meta = match self.trust {
            Trust::Always => None,
            _ => Some(look().ok()?),
        };
        let is_same = |known: &Skill, look: &Look| {
            look.is_file && known.bytes == look.bytes && known.stamp == look.stamp
        };
        let may_be_taken = |known: &Skill| match self.trust {
            Trust::Settled(now) => is_settled(known.stamp, now),
            Trust::Stamp | Trust::Always => true,
        };
        let fits = |known: &&Arc<Skill>| {
            meta.as_ref().is_none_or(|meta| is_same(known, meta))
                && may_be_taken(known)
                && known.location().file_name() == location.file_name()
        };
        let is_wanted = |known: &&Arc<Skill>| known.locations().eq([location]);
        let mut fitting = at_path.iter().filter(fits);
        fitting.clone().find(is_wanted).or_else(|| fitting.next()).map(Arc::clone)
    }
}

fn key(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{HostId, Root, Scope, Walk};
    use crate::scan::{Options, scan};
    use std::fs;

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
        let path = fs::canonicalize(folder.path()).unwrap();
        let look = |below: &str, known: &Known| {
            let root = Root::new(path.join(below), Scope::User, HostId::AGENTS, Walk::STANDARD);
            scan(&[root], &Options { known: known.clone(), ..Options::default() }, |_| {}).skills
        };
        let mut known = Known::default();
        let first = look("skill-0/..", &known);
        known.add(first.iter().map(Arc::clone));
        known.add(look("", &known).into_iter());
        known.add(first.iter().map(Arc::clone));
        assert_eq!(known.skills().count(), 18);
        let third = look("skill-0/..", &known);
        assert!(
            first.iter().zip(&third).all(|(one, other)| Arc::ptr_eq(one, other)),
            "nothing is read again"
        );
    }
}
