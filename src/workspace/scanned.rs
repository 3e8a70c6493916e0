//! What the scans for the hosts of a view have found.

use super::View;
use super::report::Finds;
use crate::catalog::{Catalog, Cut, Root, RootReport, Skill};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// What the scans of all hosts have found, in their order.
#[derive(Default)]
pub(super) struct Scanned {
    pub(super) found: Vec<Finds>,
    /// What each host finds in its own folders, where others are browsed.
    pub(super) own: Option<Vec<Finds>>,
    /// What only other hosts find.
    pub(super) others: Vec<Arc<Skill>>,
    pub(super) roots: Vec<RootReport>,
    pub(super) cuts: Vec<Cut>,
    /// Folders with folders that lie too deep for their host.
    pub(super) too_deep: Vec<(PathBuf, Root)>,
}

impl Scanned {
    /// The view of a scan that has ended.
    pub(super) fn end(self, mut view: View) -> View {
        view.listing.roots = Arc::new(self.roots);
        view.listing.cuts = Arc::new(self.cuts);
        view.listing.complete = true;
        view
    }

    /// The skills that the host before has not found. Most are found by all, in the same order.
    pub(super) fn new_in<'a>(&self, catalog: &'a Catalog) -> impl Iterator<Item = &'a Arc<Skill>> {
        let before = self.found.last().map(|last| last.as_slice()).unwrap_or_default();
        let is_known =
            |index: usize, skill| before.get(index).is_some_and(|known| Arc::ptr_eq(known, skill));
        let each = catalog.skills.iter().enumerate();
        each.filter(move |(index, skill)| !is_known(*index, *skill)).map(|(_, skill)| skill)
    }

    pub(super) fn add(&mut self, catalog: Catalog) {
        let is_same = |last: &&Finds| {
            let pairs = last.iter().zip(&catalog.skills);
            last.len() == catalog.skills.len()
                && pairs.clone().all(|(one, other)| Arc::ptr_eq(one, other))
        };
        let same = self.found.last().filter(is_same).map(Arc::clone);
        self.found.push(same.unwrap_or_else(|| Arc::new(catalog.skills)));
        for report in catalog.roots {
            // Many hosts look in the same folders.
            if self.roots.iter().all(|known| known.root.path != report.root.path) {
                self.roots.push(report);
            }
        }
        let mut known: HashSet<PathBuf> = self.too_deep.iter().map(|(it, _)| it.clone()).collect();
        let new = catalog.too_deep.into_iter();
        self.too_deep.extend(new.filter(|(place, _)| known.insert(place.clone())));
        for cut in catalog.cuts {
            if !self.cuts.contains(&cut) {
                self.cuts.push(cut);
            }
        }
    }
}
