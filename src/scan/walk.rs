//! The walk: finds the places of skills below the roots.

use super::visited::{Identity, Visited, identity, identity_of};
use super::{BATCH, Options};
use crate::catalog::validate::Unreadable;
use crate::catalog::{Cut, Limit, Root, RootReport, RootState};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use walkdir::{DirEntry, WalkDir};

/// A folder that is never entered.
const GIT: &str = ".git";

/// A folder that few hosts enter.
const MODULES: &str = "node_modules";

/// The place of a skill, or of something else with a skill's name.
#[derive(Debug)]
pub(super) struct FoundFile {
    /// Position in the walk.
    pub(super) ordinal: usize,
    /// Index of the root.
    pub(super) root: usize,
    /// The directory's path in the walk, links not resolved.
    pub(super) location: PathBuf,
    /// The directory's canonical path.
    pub(super) canonical: PathBuf,
    /// `SKILL.md`, or `skill.md` where that alone is there.
    pub(super) file: String,
    pub(super) kind: Kind,
}

/// What is at a place.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    /// A link that the walk has not followed: to a regular file, or to nothing.
    Link,
    /// Neither a file nor a link.
    Other(Unreadable),
    /// The directory cannot be read; the operating system's reason.
    Unreadable(String),
}

/// Walks every root and sends its places. Returns a report for each root, and the limits that were
/// reached.
pub(super) fn roots(
    roots: &[Root],
    options: &Options,
    out: &SyncSender<Vec<FoundFile>>,
) -> (Vec<RootReport>, Vec<Cut>) {
    let mut outbox = Outbox { out, batch: Vec::new(), ordinal: 0 };
    let mut reports = Vec::new();
    let mut cuts = Vec::new();
    for (index, root) in roots.iter().enumerate() {
        let mut walk =
            Walk { root, index, options, outbox: &mut outbox, cuts: Vec::new(), broken_off: None };
        let state = walk.run();
        cuts.append(&mut walk.cuts);
        reports.push(RootReport { root: root.clone(), state, found: 0 });
    }
    outbox.flush();
    (reports, cuts)
}

/// Collects places into batches.
struct Outbox<'a> {
    out: &'a SyncSender<Vec<FoundFile>>,
    batch: Vec<FoundFile>,
    ordinal: usize,
}

impl Outbox<'_> {
    fn push(&mut self, mut place: FoundFile) {
        place.ordinal = self.ordinal;
        self.ordinal += 1;
        self.batch.push(place);
        // The very first places go out at once, so that a screen has rows after the first
        // directory.
        if self.batch.len() >= BATCH || self.ordinal < 8 {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.batch.is_empty() {
            // The receiver is gone only when the scan is being abandoned.
            let _ = self.out.send(std::mem::take(&mut self.batch));
        }
    }
}

/// A directory that the walk is in.
struct Open {
    canonical: PathBuf,
    identity: Identity,
}

struct Walk<'a, 'b> {
    root: &'a Root,
    index: usize,
    options: &'a Options,
    outbox: &'a mut Outbox<'b>,
    cuts: Vec<Cut>,
    /// The reason of the first directory that was not read to its end.
    broken_off: Option<String>,
}

impl Walk<'_, '_> {
    fn run(&mut self) -> RootState {
        if let Some(why) = self.root.closed {
            return RootState::Closed { why, there: self.root.path.is_dir() };
        }
        let canonical = match fs::canonicalize(&self.root.path) {
            Ok(canonical) => canonical,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return RootState::Missing,
            Err(error) => return RootState::Failed(reason(&error)),
        };
        if let Err(error) = fs::read_dir(&canonical) {
            return RootState::Failed(reason(&error));
        }
        self.entries(canonical);
        self.broken_off.take().map_or(RootState::Read, RootState::Failed)
    }

    fn entries(&mut self, canonical: PathBuf) {
        let mut visited = Visited::default();
        let identity = identity_of(&canonical);
        visited.again(identity);
        // open[d] is the directory that is open at depth d.
        let mut open = vec![Open { canonical, identity }];
        let mut seen = 0;
        let mut walk = WalkDir::new(&self.root.path)
            .follow_links(self.root.walk.links)
            .min_depth(1)
            .max_depth(self.root.walk.depth.saturating_add(1))
            .sort_by(|one, other| one.file_name().cmp(other.file_name()))
            .into_iter();
        while let Some(entry) = walk.next() {
            seen += 1;
            if seen > self.options.entries {
                return self.cut(Limit::Entries, self.options.entries, &self.root.path.clone());
            }
            if seen % 256 == 0 && self.options.stop.load(Ordering::Relaxed) {
                return;
            }
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.error(&error, &open);
                    continue;
                }
            };
            open.truncate(entry.depth());
            if is_skill_file(&entry) && self.counts(&entry) {
                self.skill_file(&entry, &open);
            }
            if entry.file_type().is_dir() && !self.enter(&entry, &mut open, &mut visited) {
                walk.skip_current_dir();
            }
        }
    }

    /// Whether the walk enters this directory. If so, it becomes the open one at its depth.
    fn enter(&mut self, entry: &DirEntry, open: &mut Vec<Open>, visited: &mut Visited) -> bool {
        let name = entry.file_name();
        let walk = self.root.walk;
        if name == GIT || (name == MODULES && !walk.modules) || (!walk.hidden && is_hidden(name)) {
            return false;
        }
        if entry.depth() > walk.depth {
            // For a host that reads only immediate children this is no cut: its skills are there.
            if walk.depth > 1 {
                self.cut(Limit::Depth, walk.depth, entry.path());
            }
            return false;
        }
        let Some(parent) = open.last() else { return false };
        // Folders in a skill belong to it, unless the host looks there too.
        if !walk.nested && entry.depth() > 1 && parent.canonical.join(SKILL_FILES[0]).is_file() {
            return false;
        }
        let Some(canonical) = canonical_of(entry, &parent.canonical) else { return false };
        let identity = identity(entry, parent.identity);
        if visited.again(identity) {
            self.met_again(entry, canonical);
            return false;
        }
        open.push(Open { canonical, identity });
        true
    }

    /// A directory that a link reaches again is not walked again, but its skill gains a location.
    fn met_again(&mut self, entry: &DirEntry, canonical: PathBuf) {
        for file in SKILL_FILES {
            if canonical.join(file).is_file() {
                let location = entry.path().to_owned();
                self.push(location, canonical, file, Kind::File);
                return;
            }
        }
    }

    /// Whether such a file counts for the host at this place.
    fn counts(&self, entry: &DirEntry) -> bool {
        let walk = self.root.walk;
        (walk.itself || entry.depth() > 1)
            && (walk.linked_file || !entry.path_is_symlink())
            && (walk.lower_case || entry.file_name() == SKILL_FILES[0])
    }

    fn skill_file(&mut self, entry: &DirEntry, open: &[Open]) {
        let (Some(location), Some(Open { canonical, .. })) = (entry.path().parent(), open.last())
        else {
            return;
        };
        let file = entry.file_name().to_string_lossy();
        // `SKILL.md` sorts before `skill.md`, so it has been met if it is there.
        if file == SKILL_FILES[1] && canonical.join(SKILL_FILES[0]).symlink_metadata().is_ok() {
            return;
        }
        let kind = match entry.file_type() {
            _ if entry.path_is_symlink() => Kind::Link,
            kind if kind.is_file() => Kind::File,
            kind => Kind::Other(other_kind(kind)),
        };
        self.push(location.to_owned(), canonical.clone(), &file, kind);
    }

    /// A directory that cannot be read, or a dangling or circular link.
    fn error(&mut self, error: &walkdir::Error, open: &[Open]) {
        let reason = error.io_error().map_or_else(|| "it cannot be read".to_owned(), reason);
        // The list of the directory ended here, so the rest of it is unknown.
        let Some(path) = error.path() else {
            self.broken_off.get_or_insert(reason);
            return;
        };
        // A circle is no error: its target has been walked.
        if error.loop_ancestor().is_some() {
            return;
        }
        let name = path.file_name().unwrap_or_default();
        if SKILL_FILES.iter().any(|file| name == *file) {
            let parent = open.get(error.depth().saturating_sub(1));
            if let (Some(location), Some(Open { canonical, .. })) = (path.parent(), parent) {
                self.push(
                    location.to_owned(),
                    canonical.clone(),
                    &name.to_string_lossy(),
                    Kind::Link,
                );
            }
            return;
        }
        // Other dangling links are no skills. A folder that exists but is closed may contain a
        // skill.
        if path.is_dir() {
            self.push(path.to_owned(), path.to_owned(), SKILL_FILES[0], Kind::Unreadable(reason));
        }
    }

    fn push(&mut self, location: PathBuf, canonical: PathBuf, file: &str, kind: Kind) {
        let place = FoundFile {
            ordinal: 0,
            root: self.index,
            location,
            canonical,
            file: file.to_owned(),
            kind,
        };
        self.outbox.push(place);
    }

    fn cut(&mut self, limit: Limit, value: usize, path: &Path) {
        match self.cuts.iter_mut().find(|cut| cut.limit == limit) {
            Some(cut) => cut.dropped += 1,
            None => self.cuts.push(Cut { limit, value, dropped: 1, path: path.to_owned() }),
        }
    }
}

/// The names of a skill's file: the standard's, and the one that its reference also accepts.
const SKILL_FILES: [&str; 2] = ["SKILL.md", "skill.md"];

fn is_skill_file(entry: &DirEntry) -> bool {
    SKILL_FILES.iter().any(|file| entry.file_name() == *file)
}

fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// The canonical path of a directory. The system is asked only if a link was followed.
fn canonical_of(entry: &DirEntry, parent: &Path) -> Option<PathBuf> {
    if entry.path_is_symlink() {
        fs::canonicalize(entry.path()).ok()
    } else {
        Some(parent.join(entry.file_name()))
    }
}

#[cfg(unix)]
fn other_kind(kind: fs::FileType) -> Unreadable {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_dir() => Unreadable::Directory,
        _ if kind.is_fifo() => Unreadable::Pipe,
        _ if kind.is_socket() => Unreadable::Socket,
        _ => Unreadable::Device,
    }
}

#[cfg(not(unix))]
fn other_kind(kind: fs::FileType) -> Unreadable {
    if kind.is_dir() { Unreadable::Directory } else { Unreadable::Device }
}

/// The operating system's reason without its error number.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
