//! What earlier processes have read: heads as they were parsed and judged, and what folders held,
//! in two files for each root. It saves time and nothing depends on it.
//!
//! A row is never trusted over the file's own stat, and only if its times were well before the
//! scan in which it was read, and are well before this one. Whatever is odd about a file of the
//! index (a checksum, a version, another build of this program, an owner, a mode) makes it as good
//! as none: what it would have told is read again, and whoever ends first replaces it.

mod awaited;
mod folders;
mod format;
#[cfg(all(test, unix))]
mod tests;

use super::Options;
use super::known::Known;
use super::listed::Tree;
use super::listing::Contents;
use super::stamp::{is_settled, stamp_of};
use crate::catalog::{Root, Severity, Skill, Stamp, checks};
use crate::files::{cache, digest};
use awaited::Awaited;
pub(super) use folders::Folders;
use format::Rows;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};
use std::thread;
use std::time::{Duration, SystemTime};

/// How the names of the files with heads begin.
const PREFIX: &str = "heads-";

/// The most files of a kind, and the most bytes of all. The oldest go first.
const MAX_FILES: usize = 64;
const MAX_TOTAL: u64 = 256 << 20;

/// How long a scan waits for the index. Without it, files are read.
const TIMEOUT: Duration = Duration::from_secs(1);

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
    begun: Once,
    /// Those of each root. They come first, since the walk waits for them.
    folders: Awaited<Vec<Folders>>,
    root_indexes: Awaited<Vec<RootIndex>>,
}

/// The folders that are known below a root, for a scan that began at this time.
#[derive(Clone, Copy)]
pub(super) struct KnownFolders<'a> {
    folders: &'a Folders,
    now: SystemTime,
}

impl<'a> KnownFolders<'a> {
    /// What this folder holds, unless it has changed or may have changed.
    pub(super) fn unchanged(self, stamp: Stamp) -> Option<&'a Arc<Contents>> {
        self.folders.unchanged(stamp, self.now)
    }
}

/// The index of one root.
#[derive(Debug, Default)]
struct RootIndex {
    /// `None` if there is no such folder.
    place: Option<Place>,
    known: Known,
}

/// Where the index of a root is.
#[derive(Debug)]
struct Place {
    /// The root's canonical path.
    canonical: PathBuf,
    folder: PathBuf,
    /// The end of the names of its files.
    name: String,
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
        let rows = Place::of(root, self).and_then(|place| place.rows(PREFIX));
        rows.and_then(|rows| rows.names(each)).is_some()
    }

    /// Notes which skills hide nothing in their whole files, so that no later process reads them
    /// again to see it. `hides_nothing` is asked about skills that are known by their heads. One
    /// row is held at a time, since all of them take as much memory as the catalog.
    pub fn note_whole(&self, roots: &[Root], hides_nothing: &dyn Fn(&KnownFile) -> bool) {
        for place in roots.iter().filter_map(|root| Place::of(root, self)) {
            let counted = place.rows(PREFIX).and_then(|rows| rows.count(hides_nothing));
            if let Some((all, new)) = counted
                && new > 0
                && new * WORTHWHILE > all
                && let Some(rows) = place.rows(PREFIX)
            {
                place.write(PREFIX, |to| rows.write_whole(&place.canonical, hides_nothing, to));
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
            begun: Once::new(),
            folders: Awaited::default(),
            root_indexes: Awaited::default(),
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
        shared.root_indexes.get(TIMEOUT)?.get(root).map(|root_index| &root_index.known)
    }

    /// What is known of the folders below a root, if the index was begun. Waits for it, but not
    /// long.
    pub(super) fn folders(&self, root: usize) -> Option<KnownFolders<'_>> {
        let shared = self.0.as_ref().filter(|shared| shared.begun.is_completed())?;
        let folders = shared.folders.get(TIMEOUT)?.get(root)?;
        Some(KnownFolders { folders, now: shared.index.now })
    }

    /// Writes what the walk of each root has listed; see [`Self::end`].
    pub(super) fn end_folders(&self, walked: &[Folders]) {
        let Some(shared) = &self.0 else { return };
        let Some(root_indexes) = shared.root_indexes.now() else { return };
        for (folders, root_index) in walked.iter().zip(root_indexes) {
            if let Some(place) = &root_index.place {
                folders.end(place, shared.index.now);
            }
        }
    }

    /// Writes what a scan has read, if it has read much that is not there yet. `anew` are the
    /// skills whose files were read. Errors are ignored: the next scan takes longer, that is all.
    pub(super) fn end(&self, roots: &[Root], skills: &[Arc<Skill>], anew: &[Arc<Skill>]) {
        let Some(shared) = &self.0 else { return };
        let Some(root_indexes) = shared.root_indexes.now() else { return };
        for (root, root_index) in roots.iter().zip(root_indexes) {
            let kept = |skill: &&Arc<Skill>| {
                skill.root.as_os_str() == root.path.as_os_str() && is_kept(skill, shared.index.now)
            };
            let new = anew.iter().filter(kept).count();
            if new > 0 && new * WORTHWHILE > skills.iter().filter(kept).count() {
                root_index.replace(skills, kept, shared.index.now);
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
                let needed = || here.roots.iter().map(|(root, needed)| needed.then_some(root));
                let folders = |root| Folders::load(&Place::of(root, &here.index)?);
                let folders = needed().map(|root| root.and_then(folders).unwrap_or_default());
                here.folders.set(folders.collect());
                let root_index = |root| RootIndex::load(root, &here.index);
                let root_indexes =
                    needed().map(|root| root.and_then(root_index).unwrap_or_default());
                here.root_indexes.set(root_indexes.collect());
            };
            if thread::Builder::new().name("index".to_owned()).spawn(body).is_err() {
                self.folders.give_up();
                self.root_indexes.give_up();
            }
        });
    }
}

impl RootIndex {
    fn load(root: &Root, index: &Index) -> Option<Self> {
        let place = Place::of(root, index)?;
        let skills = place.rows(PREFIX).and_then(|rows| rows.skills(root)).unwrap_or_default();
        Some(Self { place: Some(place), known: Known::settled(skills, index.now) })
    }

    /// Writes these skills of a scan, and what other scans have found below the same root.
    fn replace(&self, skills: &[Arc<Skill>], kept: impl Fn(&&Arc<Skill>) -> bool, now: SystemTime) {
        let mut found: HashSet<&OsStr> = HashSet::new();
        if !self.known.is_empty() {
            found.extend(skills.iter().map(|skill| skill.path.as_os_str()));
        }
        let others = self.known.skills().filter(|skill| {
            !found.contains(skill.path.as_os_str()) && is_kept(skill, now) && is_there(skill)
        });
        let mut rows: Vec<&Arc<Skill>> = skills.iter().filter(kept).chain(others).collect();
        rows.sort_unstable_by_key(|skill| skill.path.as_os_str().as_encoded_bytes());
        if let Some(place) = &self.place {
            place.write(PREFIX, |to| format::write(&place.canonical, rows.into_iter(), to));
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
        Some(Self { canonical, folder: index.folder.clone(), name: digest[..24].to_owned() })
    }

    fn file(&self, prefix: &str) -> PathBuf {
        self.folder.join(format!("{prefix}{}", self.name))
    }

    /// What the file of a kind holds, if it is one of ours.
    fn rows(&self, prefix: &str) -> Option<Rows<File>> {
        let (file, bytes) = cache::open(&self.file(prefix), format::MAX_BYTES)?;
        Rows::of(prefix, file, bytes, &self.canonical)
    }

    /// Replaces the file. Errors are ignored: what is not in the index is read again.
    fn write(&self, prefix: &str, body: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if cache::write(&self.file(prefix), body).is_ok() {
            cache::bound(&self.folder, prefix, MAX_FILES, MAX_TOTAL);
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
    // What a host makes of a single file depends on more than a row has.
    is_plain && !skill.is_single_file() && is_settled(skill.stamp, now)
}

/// Whether the file of a skill is still what was read.
fn is_there(skill: &Skill) -> bool {
    let meta = fs::symlink_metadata(&skill.path);
    meta.is_ok_and(|meta| meta.len() == skill.bytes && stamp_of(&meta) == skill.stamp)
}
