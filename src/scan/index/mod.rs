//! What earlier processes have read: heads as they were parsed and judged, in one file for each
//! root. It saves time and nothing depends on it.
//!
//! A row is never trusted over the file's own stat, and only if its times were well before the
//! scan in which it was read, and are well before this one. Whatever is odd about a file of the
//! index (a checksum, a version, another build of this program, an owner, a mode) makes it as good
//! as none: what it would have told is read again, and whoever ends first replaces it.

mod format;
#[cfg(all(test, unix))]
mod tests;

use super::Options;
use super::known::Known;
use super::listed::Tree;
use super::stamp::{is_settled, stamp_of};
use crate::catalog::{Refusers, Root, Severity, Skill, Stamp, checks};
use crate::files::{cache, digest};
use format::Rows;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, Once, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

/// How the names of our files begin.
const PREFIX: &str = "heads-";

/// The most files, and the most bytes of all. The oldest go first.
const MAX_FILES: usize = 64;
const MAX_TOTAL: u64 = 256 << 20;

/// How long a scan waits for the index. Without it, files are read.
const PATIENCE: Duration = Duration::from_secs(1);

/// A file is written again if more than one of so many rows is new: to read a few heads costs less
/// than to write all of them.
const WORTHWHILE: usize = 64;

/// Where the index is, and for what time.
#[derive(Clone, Debug)]
pub struct Index {
    /// The folder, which is the person's own.
    pub folder: PathBuf,
    /// When the scan begins.
    pub now: SystemTime,
}

/// The index of each root of a scan. A thread of its own loads it, so that a disk that does not
/// answer holds up nothing.
#[derive(Debug, Default)]
pub(super) struct Indexes(Option<Arc<Shared>>);

#[derive(Debug)]
struct Shared {
    index: Index,
    /// The roots, each with whether its index may be needed.
    roots: Vec<(Root, bool)>,
    refusers: Refusers,
    begun: Once,
    shelves: OnceLock<Vec<Shelf>>,
    /// Whether nobody waits any more.
    is_late: Mutex<bool>,
    loaded: Condvar,
}

/// The index of one root.
#[derive(Debug, Default)]
struct Shelf {
    /// `None` if there is no such folder.
    place: Option<Place>,
    known: Known,
}

/// Where the index of a root is.
#[derive(Debug)]
struct Place {
    /// The root's canonical path.
    canonical: PathBuf,
    file: PathBuf,
}

/// A skill's file as an index knows it.
#[derive(Debug)]
pub struct KnownFile {
    pub path: PathBuf,
    pub stamp: Stamp,
    pub bytes: u64,
}

impl Index {
    /// Calls `each` with the name, the description and the path of every skill that is known below
    /// a root, whether or not its file is still the same. Whether anything is known.
    pub fn names(&self, root: &Root, each: &mut dyn FnMut(&str, &str, &Path)) -> bool {
        let rows = Place::of(root, self).and_then(|place| place.rows());
        rows.and_then(|rows| rows.names(each)).is_some()
    }

    /// Notes which skills hide nothing in their whole files, so that no later process reads them
    /// again to see it. `hides_nothing` is asked about skills that are known by their heads. One
    /// row is held at a time, since all of them take as much memory as the catalog.
    pub fn note_whole(&self, roots: &[Root], hides_nothing: &dyn Fn(&KnownFile) -> bool) {
        for place in roots.iter().filter_map(|root| Place::of(root, self)) {
            let counted = place.rows().and_then(|rows| rows.count(hides_nothing));
            if let Some((all, new)) = counted
                && new > 0
                && new * WORTHWHILE > all
                && let Some(rows) = place.rows()
            {
                place.write(|to| rows.write_whole(&place.canonical, hides_nothing, to));
            }
        }
    }
}

impl Indexes {
    /// Begins to load the index of these roots, if it is wanted. A root whose tree is known needs
    /// none. Where skills are known, most of them are: then nothing is loaded until one is asked
    /// for that is not, since to have all of them twice takes as much memory as the catalog.
    pub(super) fn load(roots: &[Root], trees: &[Option<Arc<Tree>>], options: &Options) -> Self {
        let Some(index) = options.index.clone() else { return Self(None) };
        let is_unknown = trees.iter().map(Option::is_none);
        let shared = Arc::new(Shared {
            index,
            roots: roots.iter().cloned().zip(is_unknown).collect(),
            refusers: options.refusers,
            begun: Once::new(),
            shelves: OnceLock::new(),
            is_late: Mutex::new(false),
            loaded: Condvar::new(),
        });
        if options.known.is_empty() {
            shared.begin();
        }
        Self(Some(shared))
    }

    /// What is known of the skills of a root. Waits for it, but not long.
    pub(super) fn of(&self, root: usize) -> Option<&Known> {
        let shared = self.0.as_ref()?;
        shared.begin();
        if shared.shelves.get().is_none() {
            let late = shared.late();
            let waited = shared.loaded.wait_timeout_while(late, PATIENCE, |late| !*late);
            *waited.unwrap_or_else(PoisonError::into_inner).0 = true;
        }
        shared.shelves.get()?.get(root).map(|shelf| &shelf.known)
    }

    /// Writes what a scan has read, if it has read much that is not there yet. `anew` are the skills
    /// whose files were read. Errors are ignored: the next scan takes longer, that is all.
    pub(super) fn end(&self, roots: &[Root], skills: &[Arc<Skill>], anew: &[Arc<Skill>]) {
        let Some(shared) = &self.0 else { return };
        let Some(shelves) = shared.shelves.get() else { return };
        for (root, shelf) in roots.iter().zip(shelves) {
            let kept = |skill: &&Arc<Skill>| {
                skill.root.as_os_str() == root.path.as_os_str() && is_kept(skill, shared.index.now)
            };
            let new = anew.iter().filter(kept).count();
            if new > 0 && new * WORTHWHILE > skills.iter().filter(kept).count() {
                shelf.replace(skills, kept, shared.index.now);
            }
        }
    }
}

impl Shared {
    /// Starts the thread that loads, once.
    fn begin(self: &Arc<Self>) {
        self.begun.call_once(|| {
            let here = Arc::clone(self);
            let body = move || {
                let load = |root: &Root| Shelf::load(root, &here.index, here.refusers);
                let shelf = |(root, is_needed): &(Root, bool)| is_needed.then(|| load(root));
                let shelves = here.roots.iter().map(|one| shelf(one).flatten().unwrap_or_default());
                let shelves = shelves.collect();
                let _ = here.shelves.set(shelves);
                *here.late() = true;
                here.loaded.notify_all();
            };
            let started = thread::Builder::new().name("index".to_owned()).spawn(body);
            *self.late() |= started.is_err();
        });
    }

    fn late(&self) -> std::sync::MutexGuard<'_, bool> {
        self.is_late.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn load(root: &Root, index: &Index, refusers: Refusers) -> Option<Self> {
        let place = Place::of(root, index)?;
        let skills = place.rows().and_then(|rows| rows.skills(root, refusers)).unwrap_or_default();
        Some(Self { place: Some(place), known: Known::settled(skills, index.now) })
    }

    /// Writes these skills of a scan, and what other scans have found below the same root.
    fn replace(&self, skills: &[Arc<Skill>], kept: impl Fn(&&Arc<Skill>) -> bool, now: SystemTime) {
        let found: HashSet<&OsStr> = skills.iter().map(|skill| skill.path.as_os_str()).collect();
        let others = self.known.skills().filter(|skill| {
            !found.contains(skill.path.as_os_str()) && is_kept(skill, now) && is_there(skill)
        });
        let mut rows: Vec<&Arc<Skill>> = skills.iter().filter(kept).chain(others).collect();
        rows.sort_unstable_by_key(|skill| skill.path.as_os_str().as_encoded_bytes());
        if let Some(place) = &self.place {
            place.write(|to| format::write(&place.canonical, rows.into_iter(), to));
        }
    }
}

impl Place {
    /// `None` if there is no such folder, or it is closed.
    fn of(root: &Root, index: &Index) -> Option<Self> {
        if root.closed.is_some() {
            return None;
        }
        let canonical = fs::canonicalize(&root.path).ok()?;
        let digest = digest::sha256_hex(canonical.as_os_str().as_encoded_bytes());
        let file = index.folder.join(format!("{PREFIX}{}", &digest[..24]));
        Some(Self { canonical, file })
    }

    /// What the file holds, if it is one of ours.
    fn rows(&self) -> Option<Rows<File>> {
        let (file, bytes) = cache::open(&self.file, format::MAX_BYTES)?;
        Rows::of(file, bytes, &self.canonical)
    }

    /// Replaces the file. Errors are ignored: what is not in the index is read again.
    fn write(&self, body: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if cache::write(&self.file, body).is_ok() {
            cache::bound(self.file.parent().unwrap_or(&self.file), PREFIX, MAX_FILES, MAX_TOTAL);
        }
    }
}

/// Whether a skill is in the index: a later change of its file will show, and its text is neither
/// refused nor hides something.
fn is_kept(skill: &Skill, now: SystemTime) -> bool {
    let is_plain = skill.diagnostics.iter().all(|found| {
        found.severity() != Severity::Error
            && found.check != &checks::HIDDEN_TEXT
            && found.check != &checks::FILE_FOLDED
    });
    is_plain && is_settled(skill.stamp, now)
}

/// Whether the file of a skill is still what was read.
fn is_there(skill: &Skill) -> bool {
    let meta = fs::symlink_metadata(&skill.path);
    meta.is_ok_and(|meta| meta.len() == skill.bytes && stamp_of(&meta) == skill.stamp)
}
