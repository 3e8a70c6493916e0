//! The changes of the journal: listed, and any of them undone or redone.

use super::{
    Change, Direction, EntryName, Journal, Kept, Left, ShareChange, StateError, UndoError, Undone,
    Why, entry, folders, is_blocked, restore,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

impl Journal {
    /// The changes; the one that was made or made again last comes first.
    ///
    /// # Errors
    /// [`StateError`] if the folder cannot be read.
    pub fn list(&self) -> Result<Vec<Kept>, StateError> {
        let kept = |entry: &EntryName| Kept {
            number: entry.number().unwrap_or_default(),
            change: entry::load(&self.folder.join(&entry.0)),
            undone: entry.undone().is_some(),
        };
        Ok(self.entries()?.iter().rev().map(kept).collect())
    }

    /// Undoes or redoes one change, whichever it is. Its files must hold what this change wrote, or
    /// what was there before it. `share` does the same with a share. A change that was undone or
    /// made again by hand, and not by a newer change of ours, counts as that afterwards, and keeps its
    /// place among the others.
    ///
    /// # Errors
    /// [`UndoError`]; then nothing has changed.
    pub fn apply(
        &self,
        number: u64,
        direction: Direction,
        share: impl Fn(&ShareChange) -> Result<bool, Why>,
    ) -> Result<Undone, UndoError> {
        let _lock = self.existing_lock(UndoError::NoChange(number))?;
        self.apply_to(&self.entries()?, number, direction, share)
    }

    /// The same while the lock is held.
    fn apply_to(
        &self,
        entries: &[EntryName],
        number: u64,
        direction: Direction,
        share: impl Fn(&ShareChange) -> Result<bool, Why>,
    ) -> Result<Undone, UndoError> {
        let at = entries.iter().position(|entry| entry.number() == Some(number));
        let at = at.ok_or(UndoError::NoChange(number))?;
        let entry = &entries[at];
        let failed = |label, why| UndoError::Left { left: Left { label, why }, next: None };
        let change = entry::load(&self.folder.join(&entry.0)).map_err(|why| failed(None, why))?;
        let already = match (direction, entry.undone()) {
            (Direction::Undo, Some(_)) => Some(UndoError::UndoneAlready(number)),
            (Direction::Redo, None) => Some(UndoError::NotUndone(number)),
            (Direction::Undo, None) | (Direction::Redo, Some(_)) => None,
        };
        let newer = || self.newer(entries, entry);
        // A process that was killed may not have renamed the entry; the files show what was done.
        match (self.attempt((entry, &change), direction, &[], &share), already) {
            (Ok(false), None) => {
                let path = change.paths().next().map(Path::to_owned).unwrap_or_default();
                let why = match (is_blocked(&change, &newer()), direction) {
                    (Some(path), _) => Why::Newer { path: path.to_owned() },
                    (None, Direction::Undo) => {
                        self.note(entry, direction, entries);
                        Why::Gone { path }
                    }
                    (None, Direction::Redo) => {
                        // Only what we make again ourselves becomes the newest.
                        self.rename(entry, entry.stem());
                        Why::Made { path }
                    }
                };
                return Err(failed(Some(change.label), why));
            }
            (Ok(true), _) => {}
            (Ok(false), Some(already)) => return Err(already),
            (Err(_), Some(already)) if !restore::is_in_part(&change, direction) => {
                return Err(already);
            }
            (Err(why), _) => {
                let why = match by_newer(why, &newer()) {
                    Why::Changed { path } | Why::Deleted { path }
                        if direction == Direction::Redo
                            && self.undone_before(entries, at).contains(&path) =>
                    {
                        Why::Older { path }
                    }
                    why => why,
                };
                return Err(failed(Some(change.label), why));
            }
        }
        // An undone one has been renamed already.
        if direction == Direction::Undo || entry.undone().is_none() {
            self.note(entry, direction, entries);
        }
        Ok(Undone { number, change, left: Vec::new() })
    }

    /// Gives an undone entry the name of one that is made again, and the list of the folders that
    /// are made for it. This comes before the first write: if the process is killed then, it is the
    /// change that is taken back next. One that has such a name keeps both.
    pub(super) fn begin(&self, entry: &EntryName, change: &Change) -> Result<EntryName, Why> {
        if entry.undone().is_none() {
            return Ok(entry.clone());
        }
        let from = self.folder.join(&entry.0);
        let failed = |error: io::Error| Why::Io { path: from.clone(), error: error.into() };
        folders::save(&from, folders::missing(change)).map_err(failed)?;
        let entries = self.entries().map_err(|error| failed(io::Error::other(error)))?;
        let begun = EntryName(entry.made_again(&entries));
        fs::rename(&from, self.folder.join(&begun.0)).map_err(failed)?;
        Ok(begun)
    }

    /// What changes of ours that are newer than this one, and not undone, have changed.
    pub(super) fn newer(&self, entries: &[EntryName], than: &EntryName) -> Vec<PathBuf> {
        let newer = entries.iter().skip_while(|entry| *entry != than).skip(1);
        self.paths(newer.filter(|entry| entry.undone().is_none()))
    }

    /// What the changes before this one have changed that are undone.
    fn undone_before(&self, entries: &[EntryName], at: usize) -> Vec<PathBuf> {
        self.paths(entries[..at].iter().filter(|entry| entry.undone().is_some()))
    }

    fn paths<'a>(&self, entries: impl Iterator<Item = &'a EntryName>) -> Vec<PathBuf> {
        let changes = entries.filter_map(|entry| entry::load(&self.folder.join(&entry.0)).ok());
        changes.flat_map(|change| change.paths().map(Path::to_owned).collect::<Vec<_>>()).collect()
    }

    /// Makes the change again that was taken back last.
    ///
    /// # Errors
    /// [`UndoError`]; then nothing has changed.
    pub fn redo(
        &self,
        share: impl Fn(&ShareChange) -> Result<bool, Why>,
    ) -> Result<Undone, UndoError> {
        let _lock = self.existing_lock(UndoError::NothingUndone)?;
        let entries = self.entries()?;
        let last = entries.iter().filter(|entry| entry.undone().is_some());
        let last = last.max_by_key(|entry| entry.undone()).and_then(EntryName::number);
        self.apply_to(&entries, last.ok_or(UndoError::NothingUndone)?, Direction::Redo, share)
    }

    /// Notes that a change was taken back, or made again. If that fails, the bytes of the files
    /// still tell.
    pub(super) fn note(&self, entry: &EntryName, direction: Direction, entries: &[EntryName]) {
        let name = match direction {
            Direction::Undo => entry.undone_now(entries),
            Direction::Redo => entry.made_again(entries),
        };
        self.rename(entry, &name);
    }

    pub(super) fn rename(&self, entry: &EntryName, name: &str) {
        let _ = fs::rename(self.folder.join(&entry.0), self.folder.join(name));
    }
}

/// Why a change cannot be taken back or made again, if newer changes of ours have changed these
/// paths: nobody has changed them by hand then.
pub(super) fn by_newer(why: Why, newer: &[PathBuf]) -> Why {
    match why {
        Why::Changed { path } | Why::Deleted { path } if newer.contains(&path) => {
            Why::Newer { path }
        }
        why => why,
    }
}
