//! What the scans of one view share. Several hosts look in the same folders, each in its own way.

use super::index::Folders;
use super::listing::Contents;
use super::visited::Identity;
use crate::catalog::{Hidden, PlaceThatCounts, Root, RootReport, RootState, Scope, Skill, Walk};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What was found for one view so far.
#[derive(Clone, Debug, Default)]
pub struct Listed(Arc<Mutex<Found>>);

#[derive(Debug, Default)]
struct Found {
    /// What the walks of earlier scans have listed.
    folders: Vec<Arc<Folders>>,
    trees: Vec<Arc<Tree>>,
    unions: Vec<Union>,
}

/// The ordered skills of several trees together. Many hosts look in the same folders, and to bring
/// the same skills together again takes as long as to list them.
#[derive(Debug)]
struct Union {
    of: Vec<(Arc<Tree>, Scope)>,
    place: PlaceThatCounts,
    skills: Arc<[Arc<Skill>]>,
}

impl Union {
    /// Whether it is that of these trees, which count as skills of these scopes, in this order.
    fn is_of(&self, trees: &[(Arc<Tree>, Scope)], place: PlaceThatCounts) -> bool {
        let mut pairs = self.of.iter().zip(trees);
        self.of.len() == trees.len()
            && self.place == place
            && pairs.all(|(one, other)| Arc::ptr_eq(&one.0, &other.0) && one.1 == other.1)
    }
}

/// The skills below a root in which every walk that goes as far finds the same.
#[derive(Debug)]
pub(super) struct Tree {
    /// As declared.
    root: PathBuf,
    walk: Walk,
    extent: Extent,
    pub(super) skills: Vec<Arc<Skill>>,
}

/// How far a walk went below a root, and whether another one would find the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Whether only folders and regular files were met, each once, and none of them was cut off.
    pub(super) is_plain: bool,
    /// Whether nothing was met about which walks differ, except for the depth: a hidden folder, a
    /// skill within another one, a folder that was left out; `.git` is one only for some.
    pub(super) is_whole: bool,
    /// Whether a folder `.git` was left out.
    pub(super) has_git: bool,
    /// Whether there may be Markdown files directly in the root.
    pub(super) has_markdown: bool,
    /// The depth of the deepest folder, and of the deepest skill.
    pub(super) folders: usize,
    pub(super) skills: usize,
}

impl Extent {
    pub(super) const NONE: Self = Self {
        is_plain: true,
        is_whole: true,
        has_git: false,
        has_markdown: false,
        folders: 0,
        skills: 0,
    };
}

impl Tree {
    /// Whether another walk would find the same in it.
    fn serves(&self, walk: Walk) -> bool {
        let Extent { is_whole, has_git, has_markdown, folders, skills, .. } = self.extent;
        // A walk of one level is not told of what lies deeper; to others it is a cut.
        let is_deep_enough = skills <= walk.depth && (walk.depth == 1 || folders <= walk.depth);
        let misses_git = has_git && walk.hidden == Hidden::Git;
        let single = |walk: Walk| (walk.single_files, walk.hidden);
        let differs = has_markdown && single(self.walk) != single(walk);
        self.walk == walk || (is_whole && is_deep_enough && !misses_git && !differs)
    }
}

impl Listed {
    fn lock(&self) -> MutexGuard<'_, Found> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn folder(&self, folder: Identity) -> Option<Arc<Contents>> {
        self.lock().folders.iter().find_map(|folders| folders.listed(folder)).map(Arc::clone)
    }

    /// Keeps what the walks of a scan have listed.
    pub(super) fn add_folders(&self, folders: Vec<Folders>) {
        let listed = folders.into_iter().filter(|folders| !folders.is_empty());
        self.lock().folders.extend(listed.map(Arc::new));
    }

    /// What the walk of a root would find, if that is known.
    pub(super) fn tree(&self, root: &Root) -> Option<Arc<Tree>> {
        // The skills of a plugin are called after it, so its root is nobody else's.
        if root.closed.is_some() || root.plugin.is_some() {
            return None;
        }
        let is_it = |tree: &&Arc<Tree>| *tree.root == *root.path && tree.serves(root.walk);
        self.lock().trees.iter().find(is_it).map(Arc::clone)
    }

    /// Whether the walk of a root would find only what other scans have found.
    pub fn has_tree(&self, root: &Root) -> bool {
        self.tree(root).is_some()
    }

    /// The ordered skills of these trees together, if a scan has brought them together.
    pub(super) fn union(
        &self,
        trees: &[(Arc<Tree>, Scope)],
        place: PlaceThatCounts,
    ) -> Option<Arc<[Arc<Skill>]>> {
        let found = self.lock();
        let union = found.unions.iter().find(|union| union.is_of(trees, place));
        union.map(|union| Arc::clone(&union.skills))
    }

    /// Keeps the skills of a scan, if every root in which some were found has a tree.
    pub(super) fn add_union(
        &self,
        reports: &[RootReport],
        place: PlaceThatCounts,
        skills: &[Arc<Skill>],
    ) {
        let trees = reports
            .iter()
            .filter(|report| report.found > 0)
            .map(|report| Some((self.tree(&report.root)?, report.root.scope)));
        let Some(of) = trees.collect::<Option<Vec<_>>>() else { return };
        if self.union(&of, place).is_none() {
            self.lock().unions.push(Union { of, place, skills: skills.into() });
        }
    }

    /// Keeps what a walk has found, of which `skills` are all skills of all roots.
    pub(super) fn add_tree(&self, report: &RootReport, extent: Extent, skills: &[Arc<Skill>]) {
        let RootReport { root, state, found } = report;
        let is_walked = extent.is_plain && *state == RootState::Read && root.plugin.is_none();
        if !is_walked || self.tree(root).is_some() {
            return;
        }
        // A skill that was found below another root as well is another one.
        let is_its = |skill: &&Arc<Skill>| {
            skill.root.as_os_str() == root.path.as_os_str() && skill.has_one_location()
        };
        let skills: Vec<Arc<Skill>> = skills.iter().filter(is_its).map(Arc::clone).collect();
        if skills.len() == *found {
            let (walk, root) = (root.walk, root.path.clone());
            self.lock().trees.push(Arc::new(Tree { root, walk, extent, skills }));
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::catalog::{HostId, Scope};
    use crate::scan::{Options, scan};
    use std::fs;

    #[test]
    fn equal_contents_of_folders_are_kept_once() {
        let folder = tempfile::tempdir().unwrap();
        for index in 0..40 {
            let skill = folder.path().join(format!("skill-{index}"));
            fs::create_dir_all(skill.join("references")).unwrap();
            fs::write(skill.join("SKILL.md"), "---\ndescription: x\n---\n").unwrap();
        }
        let listed = Listed::default();
        let root = Root::new(folder.path().into(), Scope::User, HostId::AGENTS, Walk::STANDARD);
        let options = Options { listed: Some(listed.clone()), ..Options::default() };
        assert_eq!(scan(&[root], &options, |_| {}).skills.len(), 40);
        let found = listed.lock();
        // The root, the skills, and what lies in them.
        assert_eq!(found.folders[0].counts(), (81, 3));
    }
}
