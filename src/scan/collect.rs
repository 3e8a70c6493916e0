//! Merges what was read into one catalog: one canonical path is one skill with all its locations.

use super::Options;
use super::ground::RepositoryCache;
use super::read::{Found, Read};
use crate::catalog::{Locations, PlaceThatCounts, Root, RootReport, Scope, Skill, SkillRoot};
use crate::files::positions::Positions;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use std::hash::BuildHasher as _;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

/// The order of a skill's locations. The first one counts.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Precedence {
    /// Its root, counted from the end where the last one counts.
    root: usize,
    /// How deep it lies and where it is listed, if that decides.
    listed: (usize, Vec<Option<usize>>),
    /// The skill's own directory is before links to it.
    is_link: bool,
    location: PathBuf,
}

/// Puts locations in order.
struct Places<'a> {
    roots: &'a [Root],
    counts: PlaceThatCounts,
    positions: Positions,
}

/// The skills so far, by canonical path.
pub(super) struct Collector<'a> {
    roots: &'a [Root],
    places: Places<'a>,
    kept: Vec<Arc<SkillRoot>>,
    skills: Vec<Arc<Skill>>,
    /// The root of the place of each that counts. Several roots may have one path.
    root_of: Vec<usize>,
    /// The skills whose files were read.
    anew: Vec<u32>,
    /// For the few skills with several locations, the order of each.
    several: HashMap<usize, Vec<Precedence>>,
    /// Their indexes by path.
    by_path: HashTable<u32>,
    hashes: DefaultHashBuilder,
    found: Vec<usize>,
    repositories: RepositoryCache<'a>,
}

impl<'a> Collector<'a> {
    /// An empty catalog of these roots.
    pub(super) fn new(roots: &'a [Root], options: &'a Options) -> Self {
        Self {
            roots,
            places: Places { roots, counts: options.place, positions: Positions::default() },
            kept: roots.iter().map(Root::kept).collect(),
            skills: Vec::new(),
            root_of: Vec::new(),
            anew: Vec::new(),
            several: HashMap::new(),
            by_path: HashTable::new(),
            hashes: DefaultHashBuilder::default(),
            found: vec![0; roots.len()],
            repositories: RepositoryCache::new(&options.ground),
        }
    }

    /// Whether nothing was added.
    pub(super) fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// Everything that was added, unordered.
    pub(super) fn skills(&self) -> &[Arc<Skill>] {
        &self.skills
    }

    /// The skills whose files were read, and not known before.
    pub(super) fn anew(&self) -> Vec<Arc<Skill>> {
        self.anew.iter().map(|index| Arc::clone(&self.skills[*index as usize])).collect()
    }

    /// Adds a batch. Batches come in any order.
    pub(super) fn add(&mut self, batch: impl IntoIterator<Item = Read>) {
        for read in batch {
            self.found[read.root] += 1;
            let path = read.skill.skill().path.as_os_str();
            let hash = self.hashes.hash_one(path);
            let is_it = |index: &u32| self.skills[*index as usize].path.as_os_str() == path;
            match self.by_path.find(hash, is_it) {
                Some(&index) => self.meet_again(index as usize, read),
                None => self.meet(read, hash),
            }
        }
    }

    /// Takes in a skill whose path has this hash.
    fn meet(&mut self, read: Read, hash: u64) {
        let root = read.root;
        let in_repository = self.is_of_repository(&read);
        let skill = match read.skill {
            Found::Known(mut skill) => {
                if skill.in_repository != in_repository {
                    Arc::make_mut(&mut skill).in_repository = in_repository;
                }
                let is_of_root =
                    skill.root == self.kept[root] && skill.scope == self.roots[root].scope;
                if !is_of_root {
                    self.declare(Arc::make_mut(&mut skill), root);
                }
                skill
            }
            Found::New(mut skill) => {
                let new = Arc::make_mut(&mut skill);
                self.declare(new, root);
                new.in_repository = in_repository;
                self.anew.extend(u32::try_from(self.skills.len()));
                skill
            }
        };
        let index = u32::try_from(self.skills.len()).unwrap_or(u32::MAX);
        self.skills.push(skill);
        self.root_of.push(root);
        let hash_of =
            |index: &u32| self.hashes.hash_one(self.skills[*index as usize].path.as_os_str());
        self.by_path.insert_unique(hash, index, hash_of);
    }

    fn meet_again(&mut self, index: usize, read: Read) {
        let met = read.skill.skill();
        let location = met.location();
        let precedence = self.places.precedence(read.root, met);
        let known = &self.skills[index];
        let first = self.places.precedence(self.root_of[index], known);
        let met_before = self.several.get(&index).map_or(slice::from_ref(&first), Vec::as_slice);
        let at = known.locations().position(|known| known == location);
        // One place may be found through several roots. The first of them counts, in whatever order
        // their batches come.
        if at.is_some_and(|at| met_before.get(at).is_none_or(|before| *before <= precedence)) {
            return;
        }
        let in_repository = self.is_of_repository(&read);
        let met_before = self.several.entry(index).or_insert_with(|| vec![first]);
        let mut skill = Arc::clone(&self.skills[index]);
        let changed = Arc::make_mut(&mut skill);
        let mut places: Vec<PathBuf> = changed.locations().map(Path::to_owned).collect();
        if let Some(at) = at {
            met_before.remove(at);
            places.remove(at);
        }
        let position = met_before.partition_point(|other| *other < precedence);
        met_before.insert(position, precedence);
        places.insert(position, location.to_owned());
        changed.locations = Locations::of(places, changed.dir());
        changed.in_repository |= in_repository;
        if position == 0 {
            // A skill belongs to the location that counts, and its name is compared with that
            // directory.
            self.declare(changed, read.root);
            self.root_of[index] = read.root;
            changed.diagnostics.clone_from(&met.diagnostics);
            changed.name.clone_from(&met.name);
        }
        self.skills[index] = skill;
    }

    /// Whether a skill belongs to a repository, by its real place or by the place where it was
    /// found.
    fn is_of_repository(&mut self, read: &Read) -> bool {
        let scope = self.roots[read.root].scope;
        let path = &read.skill.skill().path;
        scope == Scope::Repo || self.repositories.is_in_repository(path, read.may_be_top)
    }

    fn declare(&self, skill: &mut Skill, root: usize) {
        skill.scope = self.roots[root].scope;
        skill.root = Arc::clone(&self.kept[root]);
    }

    /// The ordered catalog, with the number of places below each root.
    pub(super) fn finish(mut self, reports: &mut [RootReport]) -> Vec<Arc<Skill>> {
        for (report, found) in reports.iter_mut().zip(&self.found) {
            report.found = *found;
        }
        self.skills.sort_by(|one, other| {
            (one.scope, &one.name, &one.path).cmp(&(other.scope, &other.name, &other.path))
        });
        self.skills
    }
}

impl Places<'_> {
    fn precedence(&mut self, root: usize, skill: &Skill) -> Precedence {
        let location = skill.location().to_owned();
        let from_end = self.roots.len() - root;
        let (root, listed) = match self.counts {
            PlaceThatCounts::First => (root, Default::default()),
            PlaceThatCounts::Last => (from_end, Default::default()),
            PlaceThatCounts::LastAsListed => {
                let root = self.roots.get(root).map_or(Path::new(""), |root| &root.path);
                let along = self.positions.along(root, &location);
                (from_end, (along.len(), along))
            }
        };
        Precedence { root, listed, is_link: location != skill.dir(), location }
    }
}
