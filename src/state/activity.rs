//! The log of calls: what was loaded, read and run, by whom and when. It never holds contents.
//!
//! Each call is one line of JSON, appended under a lock, so that any number of processes can write.
//! There are two files of at most 512 KiB each. When the newer one is full, the older one takes its
//! lines, and gives up those that weigh least: no flood of refusals hides what was run.

mod health;
mod weight;

pub use health::LogHealth;

use super::{At as _, StateError, append, line, lock, prepare};
use crate::catalog::{ExactPath, Uses};
use crate::files::lock::{Lock, open_or_create};
use crate::files::write::{WriteError, open_regular};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::fs;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use crate::catalog::{Call, CallKind};

/// A file has no more bytes than this.
pub const MAX_BYTES: u64 = 512 << 10;
/// No more bytes of a file are read.
pub const MAX_READ: u64 = 2 * MAX_BYTES;
/// Longer texts of a call are cut, in bytes, so that no client makes a line long: those of a skill
/// and its files, and those that a client chooses as it likes.
const MAX_TEXT: usize = 4_096;
const MAX_FREE_TEXT: usize = 200;
const CUT: &str = "…";
const FILE: &str = "activity.jsonl";
const OLDER: &str = "activity.1.jsonl";
/// How long we wait for the lock.
const WAIT: Duration = Duration::from_secs(2);

/// The part of a line that says whether, when and by whom a skill was used, and what it weighs.
#[derive(Deserialize)]
struct CallSummary<'a> {
    #[serde(rename = "deed")]
    kind: CallKind,
    at_ms: u64,
    #[serde(borrow)]
    path: Cow<'a, str>,
    #[serde(default)]
    path_b64: Option<String>,
    #[serde(borrow, default)]
    client: Cow<'a, str>,
    #[serde(default)]
    bytes: Option<u64>,
    #[serde(default)]
    begun: bool,
    #[serde(default)]
    error: Option<IgnoredAny>,
}

/// The calls that are remembered, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    pub calls: Vec<Call>,
    /// How many lines could not be read.
    pub broken: usize,
    /// The files that exist and cannot be read.
    pub unread: Vec<PathBuf>,
    /// The files that are larger than any that we write. Only their first [`MAX_READ`] bytes were
    /// read.
    pub cut: Vec<PathBuf>,
}

impl Activity {
    /// The newer file of the log in this directory, to which calls are appended.
    pub fn file(directory: &Path) -> PathBuf {
        directory.join(FILE)
    }

    /// Reads the log in this directory. Broken lines are skipped and counted; files that cannot be
    /// read are named.
    pub fn load(directory: &Path) -> Self {
        // The lock keeps the files from changing places meanwhile. Reading goes on without it.
        let _turn = Lock::beside(&directory.join(FILE));
        let mut activity = Self::default();
        for file in [OLDER, FILE].map(|name| directory.join(name)) {
            match read(&file) {
                Ok((bytes, cut)) => {
                    activity.take(&bytes);
                    activity.cut.extend(cut.then_some(file));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(_) => activity.unread.push(file),
            }
        }
        activity
    }

    fn take(&mut self, bytes: &[u8]) {
        for line in lines(bytes) {
            match serde_json::from_slice(line) {
                Ok(call) => self.calls.push(call),
                Err(_) => self.broken += 1,
            }
        }
    }

    /// How often and when last each skill was used, from the log in this directory. It is fast,
    /// does not wait for a lock, and skips what cannot be read.
    pub fn uses_in(directory: &Path) -> Uses {
        let mut uses = Uses::default();
        for (bytes, _) in [OLDER, FILE].iter().filter_map(|name| read(&directory.join(name)).ok()) {
            for line in lines(&bytes) {
                let Ok(seen) = serde_json::from_slice::<CallSummary>(line) else { continue };
                if !is_use(seen.kind, seen.bytes, seen.error.is_some() || seen.begun) {
                    continue;
                }
                let path = ExactPath { path: seen.path, path_b64: seen.path_b64 };
                if let Some(path) = path.restore() {
                    uses.add(&path, seen.at_ms, &seen.client);
                }
            }
        }
        uses
    }

    /// Adds a call. If another process holds the log, it waits for that.
    ///
    /// # Errors
    /// [`StateError`], which a caller may ignore, unless the call must not be made unlogged.
    pub fn append(directory: &Path, call: &Call) -> Result<(), StateError> {
        Self::append_by(directory, call, |file| lock(file, WAIT))
    }

    /// Like [`Activity::append`], without waiting.
    ///
    /// # Errors
    /// [`StateError`], which a caller may ignore.
    pub fn append_now(directory: &Path, call: &Call) -> Result<(), StateError> {
        Self::append_by(directory, call, |file| Lock::now(file).at(file))
    }

    fn append_by(
        directory: &Path,
        call: &Call,
        turn: fn(&Path) -> Result<Lock, StateError>,
    ) -> Result<(), StateError> {
        let mut call = call.clone();
        // What was refused need not be the name of anything.
        let most = if call.error.is_some() { MAX_FREE_TEXT } else { MAX_TEXT };
        let texts = [Some(&mut call.skill), call.file.as_mut(), call.session.as_mut()];
        texts.into_iter().flatten().for_each(|text| shorten(text, most));
        shorten(&mut call.client, MAX_FREE_TEXT);
        prepare(directory)?;
        let file = directory.join(FILE);
        let _turn = turn(&file)?;
        add(&file, &line(&call)).at(&file)
    }

    /// How often and when last each skill was used.
    pub fn uses(&self) -> Uses {
        let mut uses = Uses::default();
        let is_use =
            |call: &&Call| is_use(call.kind, call.bytes, call.error.is_some() || call.begun);
        for call in self.calls.iter().filter(is_use) {
            uses.add(&call.path, call.at_ms, &call.client);
        }
        uses
    }
}

fn shorten(text: &mut String, most: usize) {
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most - CUT.len()));
        text.push_str(CUT);
    }
}

/// Adds a line to the log. A full file is emptied into the older one first.
fn add(file: &Path, line: &[u8]) -> io::Result<()> {
    let mut log = open_or_create(file)?;
    let length = log.metadata()?.len();
    if length + line.len() as u64 > MAX_BYTES && length > 0 {
        turn_over(file)?;
        log = open_or_create(file)?;
    }
    append(&mut log, line)
}

/// Gives the lines of the newer file to the older one, as many as fit. If we are killed in between,
/// they are in both files until the next time.
fn turn_over(file: &Path) -> io::Result<()> {
    let older = file.with_file_name(OLDER);
    let bytes_of = |file: &Path| read(file).map(|(bytes, _)| bytes);
    let (old, new) = (bytes_of(&older).unwrap_or_default(), bytes_of(file)?);
    let mut merged = tempfile::NamedTempFile::new_in(file.parent().unwrap_or(file))?;
    merged.write_all(&weight::weightiest(&old, &new, MAX_BYTES))?;
    merged.persist(&older)?;
    fs::remove_file(file)
}

/// Loads and runs are uses, unless they failed or only began. A load that returned no bytes only
/// repeated an earlier one.
fn is_use(kind: CallKind, bytes: Option<u64>, failed_or_begun: bool) -> bool {
    !failed_or_begun && (kind == CallKind::Run || kind == CallKind::Load && bytes != Some(0))
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

/// The whole lines of a file, and whether more of it was not read.
fn read(file: &Path) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    let unopened = |error| match error {
        WriteError::Io(kind) => io::Error::from(kind),
        _ => io::Error::from(io::ErrorKind::Other),
    };
    open_regular(file).map_err(unopened)?.take(MAX_READ + 1).read_to_end(&mut bytes)?;
    let cut = bytes.len() as u64 > MAX_READ;
    if cut {
        bytes.pop();
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1));
    }
    Ok((bytes, cut))
}

#[cfg(test)]
mod tests;
