//! What a host does not see: the skills that only other hosts of this machine find. A view through
//! one host has them at its end, so that a person who misses a skill finds it, and why it is
//! missing.

use super::Workspace;
use super::judge::Judge;
use super::report::Finds;
use crate::catalog::{Diagnostic, Enablement, Place, Root, Skill, Walk, checks};
use crate::policy::{Entry, Interner, Looks, Origin, Verdict};
use crate::scan;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Workspace {
    /// The same place, whose view through one host also has what only other hosts find.
    #[must_use]
    pub fn with_unseen(self) -> Self {
        Self { unseen: true, ..self }
    }

    /// Whether the view has what its hosts do not find.
    pub(super) fn shows_unseen(&self) -> bool {
        self.unseen && !self.is_browsing()
    }

    /// Whether the view has what only other hosts find.
    pub(super) fn shows_others(&self) -> bool {
        self.shows_unseen() && !self.is_every()
    }

    /// The skills that only other hosts find, and those that lie too deep for each, in the order of
    /// a view.
    pub(super) fn others_find(
        &self,
        found: &[Finds],
        too_deep: &[(PathBuf, Root)],
        wanted: &scan::Options,
    ) -> Vec<Arc<Skill>> {
        if !self.shows_unseen() {
            return Vec::new();
        }
        let others = if self.shows_others() { self.roots_of_others() } else { Vec::new() };
        let deep: Vec<Root> = too_deep.iter().map(|(place, root)| deeper(place, root)).collect();
        let is_found = |root: &Root| wanted.listed.as_ref().is_some_and(|it| it.has_tree(root));
        if others.iter().chain(&deep).all(is_found) {
            return Vec::new();
        }
        let own = || found.iter().flat_map(|finds| finds.iter());
        let mut read = wanted.known.clone();
        read.add(own().map(Arc::clone));
        let options = self.scan_options(wanted, read);
        let mut known: HashSet<PathBuf> = own().map(|skill| skill.path.clone()).collect();
        let mut new = |roots: &[Root]| -> Vec<Arc<Skill>> {
            let found = if roots.is_empty() {
                Vec::new()
            } else {
                scan::scan(roots, &options, |_| {}).skills
            };
            found.into_iter().filter(|skill| known.insert(skill.path.clone())).collect()
        };
        // What another agent finds lies too deep for none, so their folders are searched first.
        let (mut others, deep) = (new(&others), new(&deep));
        let roots: HashMap<&OsStr, &Root> =
            too_deep.iter().map(|(place, root)| (place.as_os_str(), root)).collect();
        others.extend(deep.into_iter().map(|skill| marked(skill, &roots)));
        others.sort_by(|one, other| {
            (one.scope, &one.name, &one.path).cmp(&(other.scope, &other.name, &other.path))
        });
        others
    }

    /// The folders in which only other hosts look, or look otherwise. Most look in the same ones.
    fn roots_of_others(&self) -> Vec<Root> {
        let mut known: Vec<Root> = self.roots();
        let own = known.len();
        for root in self.everyone().iter().flat_map(|other| other.roots(&[])) {
            let is_same = |known: &Root| known.path == root.path && known.walk == root.walk;
            if root.closed.is_none() && !known.iter().any(is_same) && root.path.is_dir() {
                known.push(root);
            }
        }
        known.split_off(own)
    }

    /// The entries of the view's host, then those of what only others find.
    pub(super) fn with_others(
        &self,
        own: &[Arc<Skill>],
        others: &[Arc<Skill>],
        looks: &(dyn Fn(&Skill) -> Looks + Sync),
        judge: &Judge,
    ) -> Vec<Entry> {
        let mut entries = self.entries(own, looks, judge);
        entries.extend(self.unseen_entries(others));
        entries
    }

    /// The entries of skills in whose folders no host of the view looks.
    pub(super) fn unseen_entries(&self, skills: &[Arc<Skill>]) -> Vec<Entry> {
        let mut verdicts = Interner::default();
        skills.iter().filter_map(|skill| self.unseen_entry(skill, &mut verdicts)).collect()
    }

    /// The entry of a skill in whose folder the view's host does not look.
    fn unseen_entry(&self, skill: &Arc<Skill>, verdicts: &mut Interner<Verdict>) -> Option<Entry> {
        let policy = &self.host_contexts.first()?.policy;
        let verdict = verdicts.intern(Verdict::off(Origin::Host("does not look in its folder")));
        let (looks, state) = (Looks::Elsewhere, Enablement::Off);
        let alone = Entry::alone(Arc::clone(skill), policy);
        Some(Entry { verdict, looks, state, refused: None, ..alone })
    }
}

/// A folder in which a host does not look because of its depth, as a root of its own.
fn deeper(place: &Path, root: &Root) -> Root {
    let Walk { depth, hidden, modules, .. } = Walk::STANDARD;
    let walk = Walk { depth, hidden, modules, nested: false, ..root.walk };
    Root { path: place.to_owned(), walk, ..root.clone() }
}

/// A skill that lies too deep for every host here is found in the folder of skills above, and has a
/// finding.
fn marked(skill: Arc<Skill>, too_deep: &HashMap<&OsStr, &Root>) -> Arc<Skill> {
    let Some(root) = too_deep.get(skill.root.as_os_str()) else { return skill };
    let mut skill = Arc::unwrap_or_clone(skill);
    let message = match root.walk.depth {
        1 => {
            "no agent here looks so deep: only folders directly in the folder of skills".to_owned()
        }
        depth => format!("no agent here looks so deep: only {depth} folders below that of skills"),
    };
    skill.root = root.kept();
    skill.diagnostics.insert(0, Diagnostic::new(&checks::TOO_DEEP, Place::START, message));
    Arc::new(skill)
}
