//! The journal of changes to settings files and of shares: a backup before each, and the way back
//! (S5).
//!
//! Each change is one folder `undo/<number>-<random>` with what the files held before and after. It
//! appears under its name in one step, before the first file is written: after a crash there is
//! either no entry and no change, or an entry, and the files tell how far the change got.

use super::{At as _, SavedPath, StateError, prepare};
use crate::files::lock::Lock;
use crate::files::write::{NewFile, WriteError, final_target, open_regular, remove, replace};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// As many changes are kept.
pub const KEPT: usize = 10;
const INDEX: &str = "change.json";
const STAGED: &str = "staged-";

/// What one change did to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file; links are followed when it is written.
    pub path: PathBuf,
    /// Its bytes before; `None` if it was not there.
    pub before: Option<Vec<u8>>,
    /// Its bytes after.
    pub after: Vec<u8>,
}

/// A skill that was made visible to a host at a further place, or that taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareChange {
    /// The link or copy.
    pub place: PathBuf,
    pub source: PathBuf,
    pub host: String,
    /// A copy, or a link.
    pub copy: bool,
    /// Whether it was taken back.
    pub back: bool,
}

/// One change, of one file or of several at once, or of a share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What was done, in a few words for the notice; it may hold other people's text.
    pub label: String,
    /// When, milliseconds since 1970.
    pub at_ms: u64,
    /// The files, in the order in which they are written.
    pub files: Vec<FileChange>,
    /// What was shared, or not any more.
    pub share: Option<ShareChange>,
}

impl Change {
    /// What it changed on the disk: files, a link or a copy.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let files = self.files.iter().map(|file| file.path.as_path());
        files.chain(self.share.iter().map(|share| share.place.as_path()))
    }
}

/// The name of an entry in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry(String);

/// Why nothing was taken back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UndoError {
    /// There is no change to take back.
    #[error("there is nothing to undo")]
    Nothing,
    /// A file was changed after us.
    #[error("the file was changed after us, so it is left as it is")]
    Conflict {
        /// The entry; [`Journal::discard`] gives it up.
        entry: Entry,
        /// Which file; other people's text.
        path: PathBuf,
        ours: Vec<u8>,
        /// What is there now; `None` if the file is gone.
        present: Option<Vec<u8>>,
    },
    /// A file could not be written; those before it are as they were.
    #[error("{error}")]
    Write {
        /// Which file; other people's text.
        path: PathBuf,
        error: WriteError,
    },
    /// A share could not be taken back, or not be made again.
    #[error("{why}")]
    Share {
        /// The link or copy; other people's text.
        path: PathBuf,
        /// Why; may hold other people's text.
        why: String,
    },
    /// The journal cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
}

impl UndoError {
    /// The file, link or copy that is concerned, where it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Conflict { path, .. }
            | Self::Write { path, .. }
            | Self::Share { path, .. }
            | Self::State(StateError::Broken { path }) => Some(path),
            Self::Nothing | Self::State(_) => None,
        }
    }
}

/// The journal in a state directory.
#[derive(Clone, Debug)]
pub struct Journal {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Index {
    version: u32,
    label: String,
    at_ms: u64,
    files: Vec<IndexFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    share: Option<IndexShare>,
}

#[derive(Serialize, Deserialize)]
struct IndexShare {
    place: SavedPath,
    source: SavedPath,
    host: String,
    copy: bool,
    back: bool,
}

impl IndexShare {
    fn of(share: &ShareChange) -> Self {
        let ShareChange { place, source, host, copy, back } = share;
        let (place, source) = (SavedPath::of(place), SavedPath::of(source));
        Self { place, source, host: host.clone(), copy: *copy, back: *back }
    }

    fn restore(self) -> Option<ShareChange> {
        let Self { place, source, host, copy, back } = self;
        Some(ShareChange { place: place.restore()?, source: source.restore()?, host, copy, back })
    }
}

#[derive(Serialize, Deserialize)]
struct IndexFile {
    #[serde(flatten)]
    path: SavedPath,
    existed: bool,
}

impl Journal {
    /// The journal below this state directory. Nothing is made or read yet.
    pub fn new(directory: &Path) -> Self {
        Self { folder: directory.join("undo") }
    }

    /// Saves a change before it is made; older ones than the last ten go.
    ///
    /// Must succeed before the first file is written. If the files are then not written,
    /// [`Journal::discard`] it.
    pub fn push(&self, change: &Change) -> Result<Entry, StateError> {
        prepare(&self.folder)?;
        let _lock = self.lock()?;
        self.sweep();
        let entries = self.entries()?;
        let number = entries
            .last()
            .and_then(|last| number_of(&last.0))
            .map_or(1, |number| number.saturating_add(1));
        let mut builder = tempfile::Builder::new();
        builder.prefix(STAGED).rand_bytes(12);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let staged = builder.tempdir_in(&self.folder).at(&self.folder)?;
        save(staged.path(), change).at(staged.path())?;
        let random =
            staged.path().file_name().map(|name| name.to_string_lossy().replace(STAGED, ""));
        let entry = Entry(format!("{number:08}-{}", random.unwrap_or_default()));
        fs::rename(staged.keep(), self.folder.join(&entry.0)).at(&self.folder)?;
        #[cfg(unix)]
        fs::File::open(&self.folder).and_then(|folder| folder.sync_all()).at(&self.folder)?;
        for old in entries.iter().rev().skip(KEPT - 1) {
            self.delete(old)?;
        }
        Ok(entry)
    }

    /// The last change that can be taken back.
    pub fn last(&self) -> Result<Option<(Entry, Change)>, StateError> {
        match self.entries()?.pop() {
            Some(entry) => self.load(&entry).map(|change| Some((entry, change))),
            None => Ok(None),
        }
    }

    /// Gives up an entry: its change was not made, or is to stay.
    pub fn discard(&self, entry: &Entry) -> Result<(), StateError> {
        let _lock = self.lock()?;
        self.delete(entry)
    }

    /// Takes the last change back: every file gets the bytes that it had before, or none does.
    /// Called again, it takes back the change before that.
    ///
    /// A file that holds something else than what we wrote is a [`UndoError::Conflict`]. A change
    /// that was journaled but never made is dropped, and the one before it is meant. `share` takes
    /// back what was shared, and says whether there was anything to take back.
    pub fn undo(
        &self,
        share: impl Fn(&ShareChange) -> Result<bool, UndoError>,
    ) -> Result<Change, UndoError> {
        if !self.folder.is_dir() {
            return Err(UndoError::Nothing);
        }
        let _lock = self.lock()?;
        while let Some(entry) = self.entries()?.pop() {
            let change = self.load(&entry)?;
            let pending = pending(&entry, &change)?;
            restore(&pending)?;
            let shared = change.share.as_ref().map_or(Ok(false), &share)?;
            let made = shared || !pending.is_empty();
            self.delete(&entry)?;
            if made {
                return Ok(change);
            }
        }
        Err(UndoError::Nothing)
    }

    fn lock(&self) -> Result<Lock, StateError> {
        Lock::beside(&self.folder).at(&self.folder)
    }

    /// The entries, the oldest first.
    fn entries(&self) -> Result<Vec<Entry>, StateError> {
        let items = match fs::read_dir(&self.folder) {
            Ok(items) => items,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).at(&self.folder),
        };
        let names = items.flatten().filter_map(|item| item.file_name().into_string().ok());
        let mut entries: Vec<Entry> =
            names.filter(|name| number_of(name).is_some()).map(Entry).collect();
        entries.sort_by_key(|entry| number_of(&entry.0));
        Ok(entries)
    }

    /// Removes what a process left that was killed while it saved. Only under the lock: nobody else
    /// is saving.
    fn sweep(&self) {
        for item in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if item.file_name().as_encoded_bytes().starts_with(STAGED.as_bytes()) {
                let _ = fs::remove_dir_all(item.path());
            }
        }
    }

    fn delete(&self, entry: &Entry) -> Result<(), StateError> {
        let folder = self.folder.join(&entry.0);
        fs::remove_dir_all(&folder).at(&folder)
    }

    fn load(&self, entry: &Entry) -> Result<Change, StateError> {
        let folder = self.folder.join(&entry.0);
        let broken = || StateError::Broken { path: folder.clone() };
        let index: Index = fs::read(folder.join(INDEX))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .ok_or_else(broken)?;
        let mut files = Vec::new();
        for (number, file) in index.files.into_iter().enumerate() {
            let read =
                |name| fs::read(folder.join(format!("{number}.{name}"))).map_err(|_| broken());
            let before = if file.existed { Some(read("before")?) } else { None };
            files.push(FileChange {
                path: file.path.restore().ok_or_else(broken)?,
                before,
                after: read("after")?,
            });
        }
        let share = index.share.map(|share| share.restore().ok_or_else(broken)).transpose()?;
        Ok(Change { label: index.label, at_ms: index.at_ms, files, share })
    }
}

fn number_of(name: &str) -> Option<u64> {
    name.split_once('-')?.0.parse().ok()
}

fn save(folder: &Path, change: &Change) -> std::io::Result<()> {
    let write = |name: &str, bytes: &[u8]| -> std::io::Result<()> {
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(folder.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    let files = change.files.iter();
    let index = Index {
        version: 1,
        label: change.label.clone(),
        at_ms: change.at_ms,
        files: files
            .map(|file| IndexFile {
                path: SavedPath::of(&file.path),
                existed: file.before.is_some(),
            })
            .collect(),
        share: change.share.as_ref().map(IndexShare::of),
    };
    for (number, file) in change.files.iter().enumerate() {
        if let Some(before) = &file.before {
            write(&format!("{number}.before"), before)?;
        }
        write(&format!("{number}.after"), &file.after)?;
    }
    let index = serde_json::to_vec_pretty(&index).map_err(std::io::Error::from)?;
    write(INDEX, &index)
}

/// The files that hold what we wrote; those that hold what was before are back already.
fn pending<'c>(entry: &Entry, change: &'c Change) -> Result<Vec<&'c FileChange>, UndoError> {
    let mut pending = Vec::new();
    for file in &change.files {
        let present = present(&file.path)
            .map_err(|error| UndoError::Write { path: file.path.clone(), error })?;
        if present == file.before {
            continue;
        }
        if present.as_ref() != Some(&file.after) {
            let (entry, path, ours) = (entry.clone(), file.path.clone(), file.after.clone());
            return Err(UndoError::Conflict { entry, path, ours, present });
        }
        pending.push(file);
    }
    Ok(pending)
}

fn present(path: &Path) -> Result<Option<Vec<u8>>, WriteError> {
    let target = final_target(path)?;
    match target.metadata {
        None => Ok(None),
        Some(metadata) if metadata.is_file() => {
            let mut bytes = Vec::new();
            open_regular(&target.path)?.read_to_end(&mut bytes)?;
            Ok(Some(bytes))
        }
        Some(_) => Err(WriteError::NotRegular),
    }
}

/// Restores all, the last written first; on a failure those restored get our bytes again.
fn restore(files: &[&FileChange]) -> Result<(), UndoError> {
    for (index, file) in files.iter().enumerate().rev() {
        let result = match &file.before {
            Some(before) => {
                replace(&file.path, Some(&file.after), before, NewFile::Plain).map(|_| ())
            }
            None => final_target(&file.path).and_then(|target| remove(&target.path, &file.after)),
        };
        if let Err(error) = result {
            for again in &files[index + 1..] {
                // What was changed in this instant is its writer's; there is nothing better to do
                // than leave it.
                let _ = replace(&again.path, again.before.as_deref(), &again.after, NewFile::Plain);
            }
            return Err(UndoError::Write { path: file.path.clone(), error });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
