//! Many readings become one catalog: one canonical path is one skill, with every place where it was found.

use super::read::{Found, Read};
use crate::catalog::{Root, RootReport, Skill};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// The skills so far, by canonical path.
pub(super) struct Collector<'a> {
    roots: &'a [Root],
    root_paths: Vec<Arc<Path>>,
    skills: Vec<Arc<Skill>>,
    /// For each skill the ordinals at which its locations were met, in the order of the locations.
    met: Vec<Vec<usize>>,
    /// By canonical path, as text: such paths are equal when their bytes are, and bytes are hashed faster than parts.
    by_path: HashMap<OsString, usize>,
    found: Vec<usize>,
}

impl<'a> Collector<'a> {
    /// An empty catalog of these roots.
    pub(super) fn new(roots: &'a [Root]) -> Self {
        Self {
            roots,
            root_paths: roots.iter().map(|root| Arc::from(root.path.as_path())).collect(),
            skills: Vec::new(),
            met: Vec::new(),
            by_path: HashMap::new(),
            found: vec![0; roots.len()],
        }
    }

    /// Everything that was added, unordered.
    pub(super) fn skills(&self) -> &[Arc<Skill>] {
        &self.skills
    }

    /// Adds a batch. The workers overtake each other, so what was met first is decided by ordinal.
    pub(super) fn add(&mut self, batch: Vec<Read>) {
        for read in batch {
            self.found[read.root] += 1;
            match self.by_path.get(read.skill.skill().path.as_os_str()) {
                Some(&index) => self.meet_again(index, read),
                None => self.meet(read),
            }
        }
    }

    fn meet(&mut self, read: Read) {
        let skill = match read.skill {
            Found::Known(skill) => skill,
            Found::New(mut skill) => {
                self.declare(&mut skill, read.root);
                Arc::new(skill)
            }
        };
        self.by_path.insert(skill.path.clone().into_os_string(), self.skills.len());
        self.skills.push(skill);
        self.met.push(vec![read.ordinal]);
    }

    fn meet_again(&mut self, index: usize, read: Read) {
        let met = read.skill.skill();
        let Some(location) = met.locations.first().filter(|location| !self.skills[index].locations.contains(location))
        else {
            return;
        };
        let position = self.met[index].partition_point(|ordinal| *ordinal < read.ordinal);
        self.met[index].insert(position, read.ordinal);
        let mut skill = Arc::clone(&self.skills[index]);
        let changed = Arc::make_mut(&mut skill);
        changed.locations.insert(position, location.clone());
        if position == 0 {
            // The skill belongs to where it was first found, and its name is judged against that (D17).
            self.declare(changed, read.root);
            changed.diagnostics.clone_from(&met.diagnostics);
            changed.name.clone_from(&met.name);
        }
        self.skills[index] = skill;
    }

    fn declare(&self, skill: &mut Skill, root: usize) {
        skill.scope = self.roots[root].scope;
        skill.root = Arc::clone(&self.root_paths[root]);
    }

    /// The ordered catalog; fills in how many places were found below each root.
    pub(super) fn finish(mut self, reports: &mut [RootReport]) -> Vec<Arc<Skill>> {
        for (report, found) in reports.iter_mut().zip(&self.found) {
            report.found = *found;
        }
        self.skills
            .sort_by(|one, other| (one.scope, &one.name, &one.path).cmp(&(other.scope, &other.name, &other.path)));
        self.skills
    }
}
