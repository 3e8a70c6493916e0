//! What a host does not see: the skills that only other hosts of this machine find. A view through
//! one host has them at its end, so that a person who misses a skill finds it, and why it is missing.

use super::Workspace;
use super::judge::Judge;
use super::report::Finds;
use crate::catalog::{Enablement, Root, Skill};
use crate::policy::{Entry, Looks, Once, Origin, Verdict};
use crate::scan;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::sync::Arc;

impl Workspace {
    /// The same place, whose view through one host also has what only other hosts find.
    #[must_use]
    pub fn with_unseen(self) -> Self {
        Self { unseen: true, ..self }
    }

    /// Whether the view has what only other hosts find.
    pub(super) fn shows_unseen(&self) -> bool {
        self.unseen && !self.is_every() && !self.is_browsing()
    }

    /// The skills that only other hosts find, in the order of a view.
    pub(super) fn others_find(&self, found: &[Finds], wanted: &scan::Options) -> Vec<Arc<Skill>> {
        let own = found.first().filter(|_| self.shows_unseen());
        let Some(own) = own else { return Vec::new() };
        let roots = self.roots_of_others();
        if roots.is_empty() {
            return Vec::new();
        }
        let mut read = wanted.known.clone();
        read.add(own.iter().map(Arc::clone));
        let catalog = scan::scan(&roots, &self.scan_options(wanted, read), |_| {});
        let known: HashSet<&OsStr> = own.iter().map(|skill| skill.path.as_os_str()).collect();
        let is_new = |skill: &Arc<Skill>| !known.contains(skill.path.as_os_str());
        let mut others: Vec<Arc<Skill>> = catalog.skills.into_iter().filter(is_new).collect();
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
        looks: &dyn Fn(&Skill) -> Looks,
        judge: &mut Judge,
    ) -> Vec<Entry> {
        let mut entries = self.entries(own, looks, judge);
        let mut verdicts = Once::default();
        entries.extend(others.iter().filter_map(|skill| self.unseen_entry(skill, &mut verdicts)));
        entries
    }

    /// The entry of a skill in whose folder the view's host does not look.
    fn unseen_entry(&self, skill: &Arc<Skill>, verdicts: &mut Once<Verdict>) -> Option<Entry> {
        let policy = &self.host_contexts.first()?.policy;
        let verdict = verdicts.keep(Verdict::off(Origin::Host("does not look in its folder")));
        let (looks, state) = (Looks::Elsewhere, Enablement::Off);
        let alone = Entry::alone(Arc::clone(skill), policy);
        Some(Entry { verdict, looks, state, refused: None, ..alone })
    }
}
