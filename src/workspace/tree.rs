//! A repository as a whole: what a host sees from each of its directories. In a monorepo an agent
//! that works in one package sees other skills than one in the next.

use super::{View, Workspace};
use crate::catalog::{Scope, Skill};
use crate::hosts::Context;
use crate::policy::StatusKind;
use crate::scan;
use ignore::{DirEntry, WalkBuilder};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most directories from which is looked.
const MAX_PLACES: usize = 100;

/// The most files and folders of a repository that are gone through.
const MAX_ENTRIES: usize = 500_000;

/// Folders of dependencies, in which no person works.
const MODULES: &str = "node_modules";

/// What a host sees from the directories of a repository.
#[derive(Debug)]
pub struct Tree {
    /// The repository, or the working directory if there is none.
    pub top: PathBuf,
    /// The directories from which something else may be seen than from the one above them, by path;
    /// `top` is the first.
    pub places: Vec<PathBuf>,
    /// Whether there are too many of them, or too many files.
    pub is_cut: bool,
    /// Every skill that is seen from one of them: those of `top`, then what the next ones add.
    pub skills: Vec<TreeSkill>,
}

/// A skill, and from where it is seen.
#[derive(Debug)]
pub struct TreeSkill {
    pub skill: Arc<Skill>,
    /// Its description as the host reads it; other people's text.
    pub description: String,
    /// Its status from the places that have it: the index of each, in their order.
    pub seen: Vec<(usize, StatusKind)>,
}

impl Workspace {
    /// Looks from every directory of the repository that has folders of skills or settings of these
    /// hosts. Directories that git ignores, nested repositories and dependencies are left out.
    pub fn tree(&self, scope: Option<Scope>) -> Tree {
        let top = self.context.repo_root.clone().unwrap_or_else(|| self.context.cwd.clone());
        let (places, is_cut) = places(&top, &self.from(&top).marks(&top));
        let mut tree = Tree { top, places, is_cut, skills: Vec::new() };
        let mut known: HashMap<PathBuf, usize> = HashMap::new();
        let mut read = scan::Known::default();
        for place in 0..tree.places.len() {
            let options = scan::Options { known: read.clone(), ..scan::Options::default() };
            let view = self.from(&tree.places[place]).view_streaming(&options, None);
            tree.add(place, &view, scope, &mut known);
            read.add(view.rows.skills().map(Arc::clone));
        }
        tree
    }

    /// This place, as if it were another directory of the repository.
    fn from(&self, directory: &Path) -> Self {
        let context = Context { cwd: directory.to_owned(), ..(*self.context).clone() };
        let there = Self::at(self.host, &Arc::new(context), &self.inputs, Vec::new());
        Self { unseen: false, ..there.remembering_as(self) }
    }

    /// Where the hosts look below a directory in which they work, relative to it.
    fn marks(&self, directory: &Path) -> BTreeSet<PathBuf> {
        let roots = self.roots().into_iter().map(|root| root.path);
        let files = self.host_contexts.iter().flat_map(|one| &one.reading.files);
        let files = files.map(|file| file.location.path.clone());
        let below = |path: PathBuf| path.strip_prefix(directory).ok().map(Path::to_owned);
        roots.chain(files).filter_map(below).filter(|mark| mark.components().count() > 0).collect()
    }
}

impl Tree {
    fn add(
        &mut self,
        place: usize,
        view: &View,
        scope: Option<Scope>,
        known: &mut HashMap<PathBuf, usize>,
    ) {
        for entry in view.rows.entries().filter(|entry| !entry.is_elsewhere()) {
            let skill = &entry.skill;
            if !Workspace::admits(scope, skill.scope) {
                continue;
            }
            let index = *known.entry(skill.path.clone()).or_insert_with(|| {
                let description = entry.description().to_owned();
                let skill = Arc::clone(skill);
                self.skills.push(TreeSkill { skill, description, seen: Vec::new() });
                self.skills.len() - 1
            });
            self.skills[index].seen.push((place, entry.status()));
        }
    }
}

/// The directory itself and those below it that have one of these marks, and whether some are left
/// out.
fn places(top: &Path, marks: &BTreeSet<PathBuf>) -> (Vec<PathBuf>, bool) {
    let mut walk = WalkBuilder::new(top);
    walk.follow_links(false).git_global(false).filter_entry(is_of_repository);
    walk.sort_by_file_name(|one, other| one.cmp(other));
    let mut places = vec![top.to_owned()];
    for (count, entry) in walk.build().skip(1).enumerate() {
        if count == MAX_ENTRIES {
            return (places, true);
        }
        let folder = entry.ok().filter(|entry| entry.file_type().is_some_and(|it| it.is_dir()));
        let Some(folder) = folder.map(DirEntry::into_path) else { continue };
        if marks.iter().any(|mark| folder.join(mark).exists()) {
            if places.len() == MAX_PLACES {
                return (places, true);
            }
            places.push(folder);
        }
    }
    (places, false)
}

/// Whether an entry belongs to the repository in which the walk begins, and is no dependency.
fn is_of_repository(entry: &DirEntry) -> bool {
    let is_nested = || [".git", ".jj"].iter().any(|name| entry.path().join(name).exists());
    entry.depth() == 0 || (entry.file_name() != MODULES && !is_nested())
}
