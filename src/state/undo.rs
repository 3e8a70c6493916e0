//! The journal for undo: for each change of settings files and each share, what was there before
//! and after.
//!
//! Each change is one folder, `undo/<number>-<random>`. It is complete on the disk before one
//! rename gives it this name, and that happens before the first file is changed. So after a crash
//! there is either no entry and no change, or a whole entry, and the files tell how far the change
//! got. An entry is removed in the same direction: one rename takes it out, and then its files are
//! deleted. If that fails, they are deleted later; it is never an error of the change.
//!
//! A change that is taken back stays in the journal under another name, so that it can be made
//! again. Whether that is possible, the bytes of the files tell. It is renamed as
//! made again before its first file is written, so that after a crash undo takes it back.

mod apply;
mod entry;
mod error;
mod folders;
mod links;
mod name;
mod restore;

use super::{At as _, StateError, prepare};
use crate::catalog::exact_path;
use crate::files::lock::Lock;
pub use crate::files::moves::Move;
#[cfg(unix)]
use crate::files::write::sync;
pub use crate::text::diff::FileChange;
use apply::by_newer;
pub use error::{UndoError, Why};
pub use name::EntryName;
use name::{REDONE, TOLD, newest};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many changes are kept. Older ones can no longer be undone.
pub const KEPT: usize = 20;
/// How long we wait for the lock: another process may be writing many files, or copying a skill and
/// looking whether its agent takes it.
const WAIT: Duration = Duration::from_secs(10);
/// An entry that is still being written.
const STAGED: &str = "staged-";
/// An entry that is being removed.
const GONE: &str = "gone-";
/// An entry that cannot be read.
const BROKEN: &str = "broken-";

/// A skill that became visible to a host at a further place, or is no longer visible there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareChange {
    /// Where the link or copy is, or was.
    #[serde(with = "exact_path")]
    pub place: PathBuf,
    /// The skill's directory.
    #[serde(with = "exact_path")]
    pub source: PathBuf,
    /// The host's word.
    pub host: String,
    /// Whether it is a copy, and not a link.
    pub copy: bool,
    /// Whether it was removed, and not made.
    pub back: bool,
    /// The name under which a copy is kept once it is taken away, to be put back as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

/// One change, of one file or of several at once, or of a share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What was done, in a few words. May hold other people's text.
    pub label: String,
    /// Unix time in milliseconds.
    pub at_ms: u64,
    /// The files, in the order in which they are written.
    pub files: Vec<FileChange>,
    /// What is renamed or unlinked, after the files are written.
    pub moves: Vec<Move>,
    pub share: Option<ShareChange>,
}

impl Change {
    /// The files, links and copies that it changed, each once, by the name that it had before.
    pub fn places(&self) -> impl Iterator<Item = &Path> {
        let is_written = |path: &Path| self.files.iter().any(|file| file.path == path);
        let moves = self.moves.iter().map(Move::place).filter(move |path| !is_written(path));
        let files = self.files.iter().map(|file| file.path.as_path());
        files.chain(moves).chain(self.share.iter().map(|share| share.place.as_path()))
    }

    /// Every path at which something changed: of what is renamed, the old and the new one.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let files = self.files.iter().map(|file| file.path.as_path());
        let moves = self.moves.iter().flat_map(|one| [Some(one.place()), one.after()]);
        // A file that is written and renamed is named once.
        let moves =
            moves.flatten().filter(|path| self.files.iter().all(|file| file.path != **path));
        files.chain(moves).chain(self.share.iter().map(|share| share.place.as_path()))
    }
}

/// Whether a change is taken back or made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Undo,
    Redo,
}

/// A change of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// By which it is named; a change that is made again keeps it.
    pub number: u64,
    /// `Err` if the entry cannot be read.
    pub change: Result<Change, Why>,
    /// Whether it was taken back.
    pub undone: bool,
}

/// A change that was taken back, or made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// By which it is named.
    pub number: u64,
    pub change: Change,
    /// Newer changes that cannot be taken back, the newest first.
    pub left: Vec<Left>,
}

/// A change that cannot be taken back and stays in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// What was done; `None` if the entry cannot be read. Other people's text.
    pub label: Option<String>,
    pub why: Why,
}

/// The journal in a state directory.
#[derive(Clone, Debug)]
pub struct Journal {
    folder: PathBuf,
}

impl Journal {
    /// The journal of this state directory. Nothing is created or read yet.
    pub fn new(directory: &Path) -> Self {
        Self { folder: directory.join("undo") }
    }

    /// Saves a change and makes it. If that fails, its entry is removed. The journal is locked
    /// meanwhile, since an undo would find the change half made. Only the last [`KEPT`] changes are
    /// kept.
    ///
    /// # Errors
    /// [`StateError`] if the change cannot be saved; then `make` was not called. The inner error is
    /// that of `make`.
    pub fn make<T, E>(
        &self,
        change: &Change,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Result<(EntryName, T), E>, StateError> {
        prepare(&self.folder)?;
        let _lock = self.lock()?;
        let entry = self.push(change)?;
        Ok(match make() {
            Ok(made) => Ok((entry, made)),
            Err(error) => {
                // If that fails, [`Journal::undo`] finds nothing to take back, and says so.
                folders::remove(&self.folder.join(&entry.0));
                self.take_out(&entry);
                Err(error)
            }
        })
    }

    /// Saves a change before it is made. The journal is locked, and there.
    fn push(&self, change: &Change) -> Result<EntryName, StateError> {
        self.remove_leftovers();
        let entries = self.entries()?;
        let number = newest(&entries).saturating_add(1);
        let mut builder = tempfile::Builder::new();
        builder.prefix(STAGED).rand_bytes(12);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let staged = builder.tempdir_in(&self.folder).at(&self.folder)?;
        entry::save(staged.path(), change).at(staged.path())?;
        folders::save(staged.path(), folders::missing(change)).at(staged.path())?;
        let random =
            staged.path().file_name().map(|name| name.to_string_lossy().replace(STAGED, ""));
        let entry = EntryName(format!("{number:08}-{}", random.unwrap_or_default()));
        fs::rename(staged.path(), self.folder.join(&entry.0)).at(&self.folder)?;
        let _ = staged.keep();
        #[cfg(unix)]
        if let Err(error) = fs::File::open(&self.folder).and_then(|folder| sync(&folder)) {
            self.take_out(&entry);
            return Err(error).at(&self.folder);
        }
        for old in entries.iter().rev().skip(KEPT - 1) {
            self.take_out(old);
        }
        Ok(entry)
    }

    /// The lock of a journal; `without` if there is none. One that cannot be read is not none.
    fn existing_lock(&self, without: UndoError) -> Result<Lock, UndoError> {
        match fs::metadata(&self.folder) {
            Err(error) if error.kind() == NotFound => return Err(without),
            found => found.at(&self.folder)?,
        };
        let lock = self.lock()?;
        self.remove_leftovers();
        Ok(lock)
    }

    /// Takes the last change back: every file gets the bytes that it had before, or none does.
    /// Called again, it takes back the change before that.
    ///
    /// When a change cannot be taken back, the first call only says so, because the person wanted
    /// that change back and no other. The next call tries again; if the change still cannot be
    /// taken back, it takes back the next older change that concerns other files. A change that was
    /// never made, or was reverted by hand, leaves the journal; one that was made again counts as
    /// taken back.
    ///
    /// The changes with the numbers in `own` come before all others: whoever has just made one
    /// wants that one back, though another process may have made a newer one. `share` takes a share
    /// back, and returns whether there was anything to take back.
    ///
    /// # Errors
    /// [`UndoError`]; then nothing has changed.
    pub fn undo(
        &self,
        own: &[u64],
        share: impl Fn(&ShareChange) -> Result<bool, Why>,
    ) -> Result<Undone, UndoError> {
        let _lock = self.existing_lock(UndoError::Nothing)?;
        let all = self.entries()?;
        let mut entries: Vec<EntryName> =
            all.iter().filter(|entry| entry.undone().is_none()).cloned().collect();
        entries.sort_by_key(|entry| entry.number().is_some_and(|number| own.contains(&number)));
        let (mut left, mut blocked) = (Vec::new(), Vec::new());
        while let Some(entry) = entries.pop() {
            // A person was told of it already.
            let mut is_passed_over = entry.0.ends_with(TOLD);
            let tried = entry::load(&self.folder.join(&entry.0)).map(|change| {
                let done = self.attempt((&entry, &change), Direction::Undo, &blocked, &share);
                (done, change)
            });
            let (label, why) = match tried {
                Ok((Ok(true), change)) => {
                    self.note(&entry, Direction::Undo, &all);
                    let number = entry.number().unwrap_or_default();
                    return Ok(Undone { number, change, left });
                }
                Ok((done, change)) => {
                    let newer = self.newer(&all, &entry);
                    let by_ours = is_blocked(&change, &newer).map(Path::to_owned);
                    let why = match (done, by_ours) {
                        (Err(why), _) => by_newer(why, &newer),
                        (Ok(_), Some(path)) => Why::Newer { path },
                        (Ok(_), None) => {
                            // The process that made it again may have been killed before.
                            match entry.0.contains(REDONE) {
                                true => self.note(&entry, Direction::Undo, &all),
                                false => self.take_out(&entry),
                            }
                            let path = change.paths().next().map(Path::to_owned);
                            Why::Gone { path: path.unwrap_or_default() }
                        }
                    };
                    is_passed_over |= is_blocked(&change, &blocked).is_some();
                    if !matches!(why, Why::Gone { .. }) {
                        blocked.extend(change.paths().map(Path::to_owned));
                    }
                    (Some(change.label), why)
                }
                Err(why) => (None, why),
            };
            if is_passed_over {
                left.push(Left { label, why });
                continue;
            }
            let left = Left { label, why: self.set_aside(&entry, why) };
            return Err(UndoError::Left { left, next: self.next(&entries, blocked) });
        }
        match left.into_iter().next() {
            Some(left) => Err(UndoError::Left { left, next: None }),
            None => Err(UndoError::Nothing),
        }
    }

    /// Takes one change back or makes it again, with its folders, unless a newer one at the same
    /// place could not be taken back. Returns whether there was anything to do.
    fn attempt(
        &self,
        (entry, change): (&EntryName, &Change),
        direction: Direction,
        blocked: &[PathBuf],
        share: &impl Fn(&ShareChange) -> Result<bool, Why>,
    ) -> Result<bool, Why> {
        let newer = is_blocked(change, blocked).map(Path::to_owned);
        if let Some(path) = newer.or_else(|| self.moved_since(entry, change)) {
            return Err(Why::Newer { path });
        }
        if let Some(path) = self.link_to_gone(entry, change, direction) {
            return Err(Why::Linked { path });
        }
        let begun = match direction {
            Direction::Undo => entry.clone(),
            Direction::Redo => self.begin(entry, change)?,
        };
        let folder = self.folder.join(&begun.0);
        let done = match &change.share {
            Some(shared) => {
                // To make it again is to take back that it was taken back.
                let back = shared.back != (direction == Direction::Redo);
                share(&ShareChange { back, ..shared.clone() })
            }
            None => restore::restore(change, &folder, direction),
        };
        let is_left_empty = match direction {
            Direction::Undo => done == Ok(true),
            Direction::Redo => done.is_err(),
        };
        if is_left_empty {
            folders::remove(&folder);
        }
        if done != Ok(true) && begun != *entry {
            self.rename(&begun, &entry.0);
        }
        done
    }

    /// Renames an entry that cannot be taken back, so that the next undo may skip it. An entry that
    /// cannot be read gets a name that is no entry's.
    fn set_aside(&self, entry: &EntryName, why: Why) -> Why {
        let from = self.folder.join(&entry.0);
        if !matches!(why, Why::Broken { .. }) {
            let _ = fs::rename(from, self.folder.join(format!("{}{TOLD}", entry.0)));
            return why;
        }
        let path = self.folder.join(format!("{BROKEN}{}", entry.0));
        if fs::rename(from, &path).is_ok() { Why::Broken { path } } else { why }
    }

    /// The label of the change that the next undo takes back. It is looked for as `undo` does it,
    /// but nothing is written. `None` if `undo` would stop at another change. A share that could
    /// not be taken back once is taken for one that cannot be.
    fn next(&self, entries: &[EntryName], mut blocked: Vec<PathBuf>) -> Option<String> {
        for entry in entries.iter().rev() {
            let change = entry::load(&self.folder.join(&entry.0)).ok()?;
            let is_told = entry.0.ends_with(TOLD);
            let is_newer = is_blocked(&change, &blocked).is_some();
            let is_there = match &change.share {
                _ if self.link_to_gone(entry, &change, Direction::Undo).is_some() => None,
                Some(_) if is_told => None,
                Some(share) => Some(share.place.symlink_metadata().is_err() == share.back),
                None => restore::is_there(&change.files, &change.moves).ok(),
            };
            match is_there {
                Some(true) if !is_newer => return Some(change.label),
                Some(false) if is_told && !is_newer => {}
                _ if is_told || is_newer => blocked.extend(change.paths().map(Path::to_owned)),
                _ => return None,
            }
        }
        None
    }

    fn lock(&self) -> Result<Lock, StateError> {
        super::lock(&self.folder, WAIT)
    }

    /// The entries, the one that was made or made again last at the end.
    fn entries(&self) -> Result<Vec<EntryName>, StateError> {
        let items = match fs::read_dir(&self.folder) {
            Ok(items) => items,
            Err(error) if error.kind() == NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).at(&self.folder),
        };
        let mut entries = Vec::new();
        for item in items {
            let name = item.at(&self.folder)?.file_name();
            entries.extend(name.into_string().ok().map(EntryName));
        }
        entries.retain(|entry| entry.number().is_some());
        entries.sort_by_key(EntryName::made);
        Ok(entries)
    }

    /// Takes an entry out by one rename, then deletes its files.
    fn take_out(&self, entry: &EntryName) {
        let gone = self.folder.join(format!("{GONE}{}", entry.0));
        if fs::rename(self.folder.join(&entry.0), &gone).is_ok() {
            let _ = fs::remove_dir_all(gone);
        }
    }

    /// Deletes entries that could not be deleted before, and those that a killed process was
    /// writing. The caller holds the lock, so no other process is using them.
    fn remove_leftovers(&self) {
        for item in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = item.file_name();
            let is = |prefix: &str| name.as_encoded_bytes().starts_with(prefix.as_bytes());
            if is(STAGED) || is(GONE) {
                let _ = fs::remove_dir_all(item.path());
            }
        }
    }
}

/// The place of a change that a newer one holds.
fn is_blocked<'a>(change: &'a Change, blocked: &[PathBuf]) -> Option<&'a Path> {
    change.paths().find(|path| blocked.iter().any(|other| other == path))
}

#[cfg(test)]
mod tests;
