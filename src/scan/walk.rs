//! The walk: finds the places of skills below the roots.
//!
//! The folders of the roots come first, level by level, so that a limit takes the deepest. Links
//! are followed after them: one at a time, so that the same folders always give the same catalog.

mod ended;
mod undone;

pub(super) use ended::Ended;

use super::index::Folders;
use super::listed::{Extent, Tree};
use super::listing::{Listing, Outcome};
use super::names::Named;
use super::place::{FoundFile, Job, Kind, Place};
use super::visited::{UNKNOWN, Visited};
use super::waiting::Waiting;
use super::{BEYOND_DEPTH, BEYOND_ENTRIES, BEYOND_TIME, Options};
use crate::catalog::validate::{FILE_NAME, Unreadable};
use crate::catalog::{Cut, GIT, Limit, Root, RootState, is_hidden};
use hashbrown::HashSet;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What has been met below one root.
struct Below {
    state: RootState,
    visited: Visited,
    entries: usize,
    extent: Extent,
    /// For the index.
    folders: Folders,
}

/// Everything that is known of a walk.
pub(super) struct Walk {
    roots: Arc<[Root]>,
    options: Options,
    /// Roots, first to be resolved, then to be listed.
    unopened: VecDeque<usize>,
    opened: VecDeque<Place>,
    own: Waiting,
    linked: Waiting,
    files: VecDeque<FoundFile>,
    below: Vec<Below>,
    /// Each with its root.
    cuts: Vec<(usize, Cut)>,
    /// Links that lead nowhere, below the first level. Each is a skill's if its folder has skills,
    /// or is called so.
    doubtful: Vec<FoundFile>,
    /// The folders that have a skill's folder in them.
    parents: HashSet<OsString>,
    /// Folders that hold folders which lie too deep, each with its root.
    too_deep: Vec<(usize, PathBuf)>,
}

/// The most folders that are remembered because they lie too deep. Skills in further ones are not
/// found.
const MAX_TOO_DEEP: usize = 1_000;

/// Files that wait to be read before more folders are listed.
const BACKLOG: usize = 64;

impl Walk {
    /// A root whose tree is known is not walked.
    pub(super) fn new(roots: Arc<[Root]>, trees: &[Option<Arc<Tree>>], options: Options) -> Self {
        let below = |(root, tree): (&Root, &Option<_>)| Below {
            state: match (root.closed, tree) {
                (Some(why), _) => RootState::Closed { why, there: false },
                (None, Some(_)) => RootState::Read,
                (None, None) => RootState::Missing,
            },
            extent: Extent::NONE,
            visited: Visited::default(),
            entries: 0,
            folders: Folders::default(),
        };
        Self {
            below: roots.iter().zip(trees).map(below).collect(),
            unopened: (0..roots.len()).filter(|root| trees[*root].is_none()).collect(),
            opened: VecDeque::new(),
            own: Waiting::default(),
            linked: Waiting::default(),
            files: VecDeque::new(),
            cuts: Vec::new(),
            doubtful: Vec::new(),
            parents: HashSet::new(),
            too_deep: Vec::new(),
            roots,
            options,
        }
    }

    /// The next job. Links wait until no other folder is being listed.
    pub(super) fn next(&mut self, follows_links: bool) -> Option<Job> {
        if self.options.stop.load(Ordering::Relaxed) {
            self.clear();
        }
        if self.files.len() >= BACKLOG {
            return self.next_file();
        }
        if let Some(root) = self.unopened.pop_front() {
            return Some(Job::Root(root));
        }
        if let Some(place) = self.opened.pop_front() {
            return Some(self.listing_of(place));
        }
        while let Some(place) = self.own.pop() {
            if self.admits(&place) {
                return Some(self.listing_of(place));
            }
        }
        while follows_links && let Some(place) = self.linked.pop() {
            if self.admits(&place) {
                return Some(self.listing_of(place));
            }
        }
        self.next_file()
    }

    fn next_file(&mut self) -> Option<Job> {
        self.files.pop_front().map(Job::File)
    }

    fn listing_of(&self, place: Place) -> Job {
        let (path, room) = (place.location(), self.room(&place));
        Job::Folder { place, path, room }
    }

    /// How many jobs there are that may be done at the same time.
    pub(super) fn ready(&self) -> usize {
        self.own.len() + self.files.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        let roots = self.unopened.is_empty() && self.opened.is_empty();
        roots && self.own.is_empty() && self.linked.is_empty() && self.files.is_empty()
    }

    /// Whether the limits leave room for a folder; if not, a cut says so.
    fn admits(&mut self, place: &Place) -> bool {
        if self.below[place.base.root].entries > self.options.entries {
            return false;
        }
        let Some(beyond) = &place.base.beyond else { return true };
        let is_deep = place.depth > beyond.depth + BEYOND_DEPTH;
        let is_full = beyond.entries.load(Ordering::Relaxed) > BEYOND_ENTRIES;
        let is_late = self.options.beyond.spent() >= BEYOND_TIME;
        if is_deep || is_full || is_late {
            self.cut_place(Limit::Link, BEYOND_ENTRIES, place);
        }
        !(is_deep || is_full || is_late)
    }

    /// How many entries of this folder may be read.
    fn room(&self, place: &Place) -> usize {
        let root = self.options.entries.saturating_sub(self.below[place.base.root].entries);
        let beyond = place.base.beyond.as_ref().map_or(usize::MAX, |beyond| {
            BEYOND_ENTRIES.saturating_sub(beyond.entries.load(Ordering::Relaxed))
        });
        root.min(beyond)
    }

    /// Takes in what came of a root.
    pub(super) fn take_root(&mut self, root: usize, opened: Result<PathBuf, RootState>) {
        match opened {
            Ok(canonical) => {
                let place = Place::of_root(root, &self.roots[root].path, canonical);
                self.opened.push_back(place);
            }
            Err(state) => self.below[root].state = state,
        }
    }

    /// Takes in what came of a folder.
    pub(super) fn take(&mut self, place: &Place, outcome: Outcome) {
        let root = place.base.root;
        self.below[root].extent.is_plain &= matches!(outcome, Outcome::Listing(_));
        match outcome {
            Outcome::Listing(listing) => self.listing(place, *listing),
            Outcome::Single(plain, path) => {
                self.below[root].state = RootState::Read;
                self.single_file((root, place.location()), plain, path);
            }
            Outcome::Foreign => self.cut_place(Limit::Link, BEYOND_ENTRIES, place),
            Outcome::Gone => {}
            Outcome::Broken(kind, why) => self.broken(place, kind, why),
            Outcome::Silent if place.depth == 0 => {
                self.fail(root, RootState::Failed(SILENT.to_owned()))
            }
            Outcome::Silent => {
                let seconds = usize::try_from(self.options.patience.as_secs()).unwrap_or_default();
                self.cut(root, Limit::Silent, seconds, &place.location());
            }
        }
    }

    fn fail(&mut self, root: usize, state: RootState) {
        if matches!(self.below[root].state, RootState::Read | RootState::Missing) {
            self.below[root].state = state;
        }
    }

    fn listing(&mut self, place: &Place, mut listing: Listing) {
        let root = place.base.root;
        // A link that is followed is the base of what lies below it.
        let mut place = Place { ignored: listing.ignored.clone(), ..place.clone() };
        if let Some(base) = &listing.base {
            (place.base, place.below) = (Arc::clone(base), PathBuf::new());
        }
        let place = &place;
        if place.depth == 0 {
            self.below[root].state = RootState::Read;
        }
        if let Some(why) = &listing.broken_off {
            self.fail(root, RootState::Failed(why.clone()));
        }
        let again = self.below[root].visited.again(listing.identity);
        let is_skill = self.skill_file(place, &listing);
        if !is_skill {
            self.single_files(place, &mut listing);
        }
        let extent = &mut self.below[root].extent;
        extent.is_plain &= !again && listing.broken_off.is_none();
        extent.is_whole &= !listing.has_ignores;
        extent.has_markdown |= place.depth == 0 && listing.has_markdown;
        extent.folders = extent.folders.max(place.depth);
        // What a link reaches again is not walked again, but its skill gains a location.
        if again {
            return;
        }
        self.below[root].entries += listing.read;
        if let Some(beyond) = &place.base.beyond
            && beyond.entries.fetch_add(listing.read, Ordering::Relaxed) + listing.read
                > BEYOND_ENTRIES
        {
            self.cut_place(Limit::Link, BEYOND_ENTRIES, place);
        }
        if self.below[root].entries > self.options.entries {
            let path = self.roots[root].path.clone();
            return self.cut(root, Limit::Entries, self.options.entries, &path);
        }
        let is_kept = self.options.index.is_some() || self.options.listed.is_some();
        if is_kept && listing.is_whole && listing.identity != UNKNOWN {
            // Many folders hold the same: while they wait, the names in them are there once.
            listing.contents = self.below[root].folders.add(&listing, place.is_beyond());
        }
        let above = Place { in_skill: place.in_skill || is_skill, ..place.clone() };
        self.children(&above, &listing);
    }

    /// Queues the folders in a folder, and the links, unless the walk does not enter them.
    fn children(&mut self, above: &Place, listing: &Listing) {
        let root = above.base.root;
        let holds_skill = listing.holds_skill && !above.leaves_out(FILE_NAME, false);
        let mut entered = Vec::new();
        for child in listing.folders.iter() {
            let (name, is_link) = child;
            let enters = !above.leaves_out(name, true) && self.enters(above, child, holds_skill);
            let extent = &mut self.below[root].extent;
            extent.is_plain &= !is_link;
            let is_git_left_out = name == GIT && !enters;
            extent.has_git |= is_git_left_out;
            extent.is_whole &= is_git_left_out || (enters && !is_hidden(name) && name != MODULES);
            entered.extend(enters.then_some(child));
        }
        let is_late = |(_, is_link): &Named| *is_link || above.is_beyond();
        let (late, own): (Vec<_>, Vec<_>) = entered.into_iter().partition(is_late);
        for (children, queue) in [(own, &mut self.own), (late, &mut self.linked)] {
            // Mostly they are all, and need no list of their own.
            let names = match children.len() == listing.folders.len() {
                true => listing.folders.clone(),
                false => children.into_iter().collect(),
            };
            queue.push(above, names);
        }
    }

    /// Whether the walk enters this folder, or link, of a folder that may hold a skill.
    fn enters(&mut self, above: &Place, child: Named, holds_skill: bool) -> bool {
        let (name, is_link) = child;
        let walk = self.roots[above.base.root].walk;
        let is_seen = walk.hidden.sees(name, above.below.file_name());
        if !is_seen || (name == MODULES && !walk.modules) {
            return false;
        }
        // Folders in a skill belong to it, unless the host looks there too.
        let depth = above.depth + 1;
        let is_inner = holds_skill && (walk.itself || depth > 1);
        if (is_link && !walk.links) || (!walk.nested && is_inner) {
            return false;
        }
        if depth > walk.depth {
            // For a host that reads only immediate children this is no cut: its skills are there.
            // A link may lead to a file, and what it reaches is not counted.
            if walk.depth > 1 && !is_link {
                self.cut_place(Limit::Depth, walk.depth, &above.child(child));
            }
            self.note_too_deep(above);
            return false;
        }
        true
    }

    /// Remembers a folder that holds one which lies too deep, unless it is part of a skill.
    fn note_too_deep(&mut self, above: &Place) {
        if above.in_skill || above.is_beyond() || self.too_deep.len() == MAX_TOO_DEEP {
            return;
        }
        let folder = (above.base.root, above.location());
        if self.too_deep.last() != Some(&folder) {
            self.too_deep.push(folder);
        }
    }

    /// Finds the skill of a folder. Says whether there is one.
    fn skill_file(&mut self, place: &Place, listing: &Listing) -> bool {
        let root = &self.roots[place.base.root];
        let Some((file, kind)) = &listing.skill_file else { return false };
        let counts = (root.walk.itself || place.depth > 0)
            && (*kind != Kind::Link || place.follows_file(root, file))
            && !place.leaves_out(file, false);
        let extent = &mut self.below[place.base.root].extent;
        extent.is_plain &= *kind == Kind::File;
        extent.is_whole &= place.depth > 0 && !place.in_skill;
        extent.skills = extent.skills.max(place.depth);
        if counts {
            let mut found = self.found(place.location(), place, file, kind.clone());
            // A linked file lies beside others than those of this folder.
            found.has_agents = *kind == Kind::Link || listing.has_agents;
            found.may_be_top = *kind == Kind::Link || listing.may_be_top;
            found.folder = listing.folder.clone();
            self.push(found);
        }
        counts
    }

    /// Takes in the single files of a root.
    fn single_files(&mut self, place: &Place, listing: &mut Listing) {
        let root = place.base.root;
        for (name, path) in std::mem::take(&mut listing.single_files) {
            let plain = place.canonical().join(&name);
            self.below[root].extent.is_plain &= path.as_ref() == Ok(&plain);
            if !place.leaves_out(&name, false) {
                self.single_file((root, place.location().join(&name)), plain, path);
            }
        }
    }

    /// Takes in one, by its location and its path, and where it really lies.
    fn single_file(
        &mut self,
        (root, location): (usize, PathBuf),
        plain: PathBuf,
        path: Result<PathBuf, String>,
    ) {
        let (path, kind) = match path {
            Ok(path) => (path, Kind::Single),
            Err(why) => (plain, Kind::Broken(Unreadable::Refused, why)),
        };
        let (has_agents, may_be_top, folder) = (false, true, None);
        self.push(FoundFile { root, location, path, kind, has_agents, may_be_top, folder });
    }

    /// What stands where a folder should: a link that leads nowhere, or a closed folder.
    fn broken(&mut self, place: &Place, kind: Unreadable, why: String) {
        let walk = self.roots[place.base.root].walk;
        if place.depth == 0 {
            return self.fail(place.base.root, RootState::Failed(why));
        }
        // What lies in a skill is the skill's own affair, and what lies out there nobody's.
        if place.in_skill || place.is_beyond() || place.depth > walk.depth {
            return;
        }
        let location = place.location();
        match place.is_link && place.depth > 1 {
            true => {
                let found = self.found(location, place, FILE_NAME, Kind::Broken(kind, why));
                self.doubtful.push(found);
            }
            false => self.push(self.found(location, place, FILE_NAME, Kind::Broken(kind, why))),
        }
    }

    fn push(&mut self, found: FoundFile) {
        if let Some(parent) = found.location.parent().map(Path::as_os_str)
            && !self.parents.contains(parent)
        {
            self.parents.insert(parent.to_owned());
        }
        self.files.push_back(found);
    }

    fn found(&self, location: PathBuf, place: &Place, file: &str, kind: Kind) -> FoundFile {
        FoundFile {
            root: place.base.root,
            location,
            path: place.canonical_of(file),
            kind,
            has_agents: false,
            may_be_top: true,
            folder: None,
        }
    }

    fn cut_place(&mut self, limit: Limit, value: usize, place: &Place) {
        let root = place.base.root;
        match &place.base.beyond {
            Some(beyond) => self.cut(root, Limit::Link, BEYOND_ENTRIES, &beyond.link.clone()),
            None => self.cut(root, limit, value, &place.location()),
        }
    }

    fn cut(&mut self, root: usize, limit: Limit, value: usize, path: &Path) {
        let same = |(of, cut): &&mut (usize, Cut)| {
            let is_whole = matches!(limit, Limit::Depth | Limit::Entries);
            *of == root && cut.limit == limit && (is_whole || cut.path == path)
        };
        match self.cuts.iter_mut().find(same) {
            Some((_, cut)) => cut.dropped += 1,
            None => self.cuts.push((root, Cut { limit, value, dropped: 1, path: path.to_owned() })),
        }
    }
}

/// Why a file or folder could not be read.
pub(super) const SILENT: &str = "it does not answer";

/// A folder that few hosts enter.
const MODULES: &str = "node_modules";
