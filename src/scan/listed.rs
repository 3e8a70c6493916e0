//! What the scans of one view share. Several hosts look in the same folders, each in its own way.

use super::listing::Contents;
use crate::catalog::{Root, RootReport, RootState, Skill, Walk};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What was found for one view so far.
#[derive(Clone, Debug, Default)]
pub struct Listed(Arc<Mutex<Found>>);

#[derive(Debug, Default)]
struct Found {
    /// The folders, by canonical path. The keys are bytes: to hash a path by its components takes
    /// long.
    folders: HashMap<OsString, Arc<Contents>>,
    trees: Vec<Arc<Tree>>,
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
    /// skill within another one, a folder that was left out.
    pub(super) is_whole: bool,
    /// The depth of the deepest folder, and of the deepest skill.
    pub(super) folders: usize,
    pub(super) skills: usize,
}

impl Extent {
    pub(super) const NONE: Self = Self { is_plain: true, is_whole: true, folders: 0, skills: 0 };
}

impl Tree {
    /// Whether another walk would find the same in it.
    fn serves(&self, walk: Walk) -> bool {
        let Extent { is_whole, folders, skills, .. } = self.extent;
        // A walk of one level is not told of what lies deeper; to others it is a cut.
        let is_deep_enough = skills <= walk.depth && (walk.depth == 1 || folders <= walk.depth);
        self.walk == walk || (is_whole && is_deep_enough)
    }
}

impl Listed {
    fn lock(&self) -> MutexGuard<'_, Found> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn folder(&self, folder: &Path) -> Option<Arc<Contents>> {
        self.lock().folders.get(folder.as_os_str()).map(Arc::clone)
    }

    pub(super) fn add_folder(&self, folder: PathBuf, contents: &Arc<Contents>) {
        self.lock().folders.insert(folder.into_os_string(), Arc::clone(contents));
    }

    /// What the walk of a root would find, if that is known.
    pub(super) fn tree(&self, root: &Root) -> Option<Arc<Tree>> {
        let is_it = |tree: &&Arc<Tree>| *tree.root == *root.path && tree.serves(root.walk);
        self.lock().trees.iter().find(is_it).filter(|_| root.closed.is_none()).map(Arc::clone)
    }

    /// Keeps what a walk has found, of which `skills` are all skills of all roots.
    pub(super) fn add_tree(&self, report: &RootReport, extent: Extent, skills: &[Arc<Skill>]) {
        let RootReport { root, state, found } = report;
        if !extent.is_plain || *state != RootState::Read || self.tree(root).is_some() {
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
