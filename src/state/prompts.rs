//! The prompts of a repository: the draft that is being written, and those that were sent.
//!
//! Each repository has a folder, whose name is the SHA-256 of the repository's path. A draft
//! belongs to one process at a time: whoever writes it holds its lock, and a second one writes a
//! draft of its own.

use super::{At as _, StateError, bytes_of, prepare, put};
use crate::catalog::{Draft, MAX_PROMPT};
use crate::files::digest::sha256_hex;
use crate::files::lock::{Lock, LockError};
use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

const SENT: &str = "sent.json";

/// A longer file is not ours: a draft in JSON, in which every character may be escaped.
const MAX_BYTES: u64 = 8 * MAX_PROMPT as u64;

/// The most prompts that are kept, and the most bytes of their text; the oldest are forgotten.
pub const MAX_SENT: usize = 200;
const SENT_BYTES: usize = 1 << 20;

/// The free numbers that are tried for a new draft: a process that has not written yet has one.
const MAX_TRIED: usize = 64;

/// The prompts of one repository. Nothing is created before something is written.
#[derive(Debug)]
pub struct Prompts {
    folder: PathBuf,
    /// The file of the draft, and its lock, once it is ours; else why it could not be had.
    own: Mutex<Own>,
    /// The number of the newest draft that was written: workers may finish in another order.
    newest: Mutex<u64>,
}

type Own = Result<(PathBuf, Lock), StateError>;

/// What has become of the draft that was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// There was none.
    Nothing,
    /// It is the newest prompt of the history.
    Remembered,
    /// It stays a draft, and comes again.
    Stays,
}

impl Prompts {
    /// The prompts of a repository, with a draft that no other process holds: the newest that was
    /// left, if there is any.
    ///
    /// # Errors
    /// [`StateError::At`]: the folder cannot be made.
    pub fn open(directory: &Path, repository: &Path) -> Result<Self, StateError> {
        let name = sha256_hex(repository.as_os_str().as_encoded_bytes());
        let folder = directory.join("prompts").join(name);
        prepare(&folder)?;
        let mut left = left(&folder);
        left.sort_by_key(|file| Reverse(written_at(file)));
        let free = left.into_iter().find_map(|file| Some((Lock::now(&file).ok()?, file)));
        let own = free.map_or_else(|| fresh(&folder), |(lock, file)| Ok((file, lock)));
        Ok(Self { folder, own: Mutex::new(own), newest: Mutex::default() })
    }

    /// The file of the draft.
    fn file(&self) -> Result<PathBuf, StateError> {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.as_ref().map(|(file, _)| file.clone()).map_err(StateError::clone)
    }

    /// Makes room for another text: the draft that was left goes into the history if `remember`.
    /// If it shall not, is private, or cannot be written, it stays a draft, and what is kept from
    /// now on is another draft.
    ///
    /// # Errors
    /// Those of [`Self::draft`].
    pub fn begin_anew(&self, remember: bool) -> Result<Earlier, StateError> {
        let draft = self.draft()?;
        if draft.is_blank() {
            return Ok(Earlier::Nothing);
        }
        if remember && !draft.private && self.remember(&draft).is_ok() {
            return Ok(Earlier::Remembered);
        }
        let other = fresh(&self.folder);
        *self.own.lock().unwrap_or_else(PoisonError::into_inner) = other;
        Ok(Earlier::Stays)
    }

    /// The draft that was left here.
    ///
    /// # Errors
    /// [`StateError`]: it cannot be read. It is not overwritten then; see [`Self::keep`].
    pub fn draft(&self) -> Result<Draft, StateError> {
        let Ok(file) = &self.file() else { return Ok(Draft::default()) };
        let broken = || StateError::Broken { path: file.clone() };
        let Some(bytes) = bytes_of(file, MAX_BYTES)? else { return Ok(Draft::default()) };
        let draft: Draft = serde_json::from_slice(&bytes).map_err(|_| broken())?;
        if draft.bytes() > MAX_PROMPT { Err(broken()) } else { Ok(draft) }
    }

    /// How many drafts were left beside ours.
    pub fn others(&self) -> usize {
        let own = self.file().ok();
        let left = left(&self.folder);
        let others = left.iter().filter(|file| Some(*file) != own.as_ref());
        others.filter(|file| Lock::now(file).is_ok()).count()
    }

    /// Keeps a draft, unless a newer one was kept; a blank one is removed. A file that cannot be
    /// read is set aside by the first one kept here: it gets `.broken` at its end, or `.broken-2`.
    ///
    /// # Errors
    /// [`StateError::At`]: nothing was written.
    pub fn keep(&self, draft: &Draft, number: u64) -> Result<(), StateError> {
        let file = &self.file()?;
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if number < *newest {
            return Ok(());
        }
        // What was kept since then is our own.
        if *newest == 0 && self.draft().is_err() {
            set_aside(file)?;
        }
        if draft.is_blank() {
            match fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).at(file)?,
                _ => {}
            }
        } else {
            let bytes = serde_json::to_vec(draft).unwrap_or_default();
            put(file, fs::read(file).ok().as_deref(), &bytes)?;
        }
        *newest = number;
        Ok(())
    }

    /// The prompts that were sent, the oldest first.
    ///
    /// # Errors
    /// [`StateError`]: they cannot be read. They are not overwritten then; see
    /// [`Self::remember`].
    pub fn sent(&self) -> Result<Vec<Draft>, StateError> {
        let file = self.folder.join(SENT);
        let Some(bytes) = bytes_of(&file, MAX_BYTES)? else { return Ok(Vec::new()) };
        serde_json::from_slice(&bytes).map_err(|_| StateError::Broken { path: file })
    }

    /// Adds a prompt, unless it is blank or private; one that was sent before is only once there. A
    /// file that cannot be read is set aside first: it gets `.broken` at its end, or `.broken-2`.
    ///
    /// # Errors
    /// [`StateError::TooLarge`], so that it does not drive out all others; [`StateError::At`].
    pub fn remember(&self, draft: &Draft) -> Result<(), StateError> {
        if draft.is_blank() || draft.private {
            return Ok(());
        }
        if draft.bytes() > SENT_BYTES {
            return Err(StateError::TooLarge { most: SENT_BYTES as u64 });
        }
        let file = self.folder.join(SENT);
        // It may have been removed meanwhile.
        prepare(&self.folder)?;
        let _lock = Lock::beside(&file).at(&file)?;
        let mut sent = match self.sent() {
            Ok(sent) => sent,
            Err(_) => {
                set_aside(&file)?;
                Vec::new()
            }
        };
        sent.retain(|old| old != draft);
        sent.push(draft.clone());
        let mut room = SENT_BYTES;
        let kept = sent.iter().rev().take(MAX_SENT).take_while(|old| {
            let fits = old.bytes() <= room;
            room = room.saturating_sub(old.bytes());
            fits
        });
        let many = sent.len() - kept.count();
        let bytes = serde_json::to_vec(&sent[many..]).unwrap_or_default();
        put(&file, bytes_of(&file, MAX_BYTES)?.as_deref(), &bytes)
    }
}

/// Gives a file that cannot be read another name, so that nothing of it is lost, nor of those that
/// were set aside before.
fn set_aside(file: &Path) -> Result<(), StateError> {
    let named = |end: &str| {
        let mut aside = file.as_os_str().to_owned();
        aside.push(end);
        PathBuf::from(aside)
    };
    let mut aside = named(".broken");
    let mut number = 2;
    while aside.exists() {
        aside = named(&format!(".broken-{number}"));
        number += 1;
    }
    fs::rename(file, &aside).at(file)
}

/// The drafts that were left, in no order: those that may not be in the history can be many.
fn left(folder: &Path) -> Vec<PathBuf> {
    let is_draft = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let number = name.strip_prefix("draft-").and_then(|name| name.strip_suffix(".json"));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_draft).collect()
}

/// When it was written; `None`, which is less than any time, if there is none.
fn written_at(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|found| found.modified()).ok()
}

/// The first file without a draft that no process has, which is ours then.
fn fresh(folder: &Path) -> Own {
    let mut why = StateError::Crowded;
    let files = (1_u32..).map(|number| folder.join(format!("draft-{number}.json")));
    for file in files.filter(|file| !file.exists()).take(MAX_TRIED) {
        match Lock::now(&file) {
            // Another process may have written it and ended since we looked.
            Ok(lock) if !file.exists() => return Ok((file, lock)),
            Ok(_) | Err(LockError::Busy) => {}
            Err(error) => why = StateError::At { path: file, fault: error.into() },
        }
    }
    Err(why)
}

#[cfg(test)]
mod tests;
