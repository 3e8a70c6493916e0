//! The result of a walk besides its skills: reports, listed folders, cuts.

use super::{Below, Walk};
use crate::catalog::{Cut, Root, RootReport};
use crate::scan::index::Folders;
use crate::scan::listed::Extent;
use crate::scan::place::FoundFile;
use crate::scan::visited::Visited;
use std::path::PathBuf;

/// How agents call the folder of skills in their own. What it holds is meant as a skill.
const SKILLS: &str = "skills";

/// What a walk has found besides skills.
pub(in crate::scan) struct Ended {
    pub(in crate::scan) reports: Vec<RootReport>,
    /// What was listed below each root.
    pub(in crate::scan) folders: Vec<Folders>,
    pub(in crate::scan) cuts: Vec<Cut>,
    /// Links that lead nowhere, and may be a skill's.
    pub(in crate::scan) doubtful: Vec<FoundFile>,
    /// See [`crate::catalog::Catalog::too_deep`].
    pub(in crate::scan) too_deep: Vec<(PathBuf, Root)>,
}

impl Walk {
    /// How far the walk went below each root.
    pub(in crate::scan) fn extents(&self) -> Vec<Extent> {
        let extent = |(root, below): (usize, &Below)| {
            let is_cut = self.cuts.iter().any(|(of, _)| *of == root);
            Extent { is_plain: below.extent.is_plain && !is_cut, ..below.extent }
        };
        self.below.iter().enumerate().map(extent).collect()
    }

    /// The report of each root and the limits that were reached, with what only the whole walk
    /// could tell.
    pub(in crate::scan) fn finish(&mut self) -> Ended {
        let state = |(root, below): (&Root, &Below)| RootReport {
            root: root.clone(),
            state: below.state.clone(),
            found: 0,
        };
        let reports = self.roots.iter().zip(&self.below).map(state).collect();
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.sort_by_key(|(root, _)| *root);
        let mut doubtful = std::mem::take(&mut self.doubtful);
        let is_among_skills = |found: &FoundFile| {
            found.location.parent().is_some_and(|parent| {
                parent.ends_with(SKILLS) || self.parents.contains(parent.as_os_str())
            })
        };
        doubtful.retain(is_among_skills);
        let too_deep = std::mem::take(&mut self.too_deep).into_iter();
        let too_deep = too_deep.map(|(root, place)| (place, self.roots[root].clone())).collect();
        let cuts = cuts.into_iter().map(|(_, cut)| cut).collect();
        let folders = self.below.iter_mut().map(|below| {
            below.folders.sort();
            // Freed now: the walk lives as long as its workers, and this may have a row per folder.
            below.visited = Visited::default();
            std::mem::take(&mut below.folders)
        });
        Ended { reports, folders: folders.collect(), cuts, doubtful, too_deep }
    }
}
