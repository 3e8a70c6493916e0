//! What we remember between runs, in one directory that the caller names
//! (`$XDG_STATE_HOME/skillpick`).
//!
//! Files have mode 600, folders 700. The history of picks may be lost: everything works without it.
//! The undo journal may not: a change that cannot be journaled is not made. This room knows paths
//! and bytes, no skills and no settings formats.

pub mod activity;
pub mod approvals;
pub mod history;
pub mod preferred;
pub mod prompts;
pub mod sessions;
pub mod shares;
pub mod tokens;
pub mod undo;

use crate::files::lock::{Lock, LockError};
use crate::files::write::{NewFile, WriteError, replace};
use crate::text::{SafeText, human_size};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why something was not remembered. The messages name the file, as safe text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The file could not be locked, read or written.
    #[error("{}: {fault}", SafeText::path(.path))]
    At { path: PathBuf, fault: Fault },
    /// It cannot be read; a newer version of ours may have written it.
    #[error("{}: what is saved here cannot be read; remove it to begin anew", SafeText::path(.path))]
    Broken { path: PathBuf },
    /// As `Broken`, of the tokens: what is done about it must not open the server.
    #[error(
        "{}: the tokens cannot be read, so the server lets nobody in; once the file is gone, it lets \
         in everybody on this machine: if you remove it, make a token right after, with \
         `skillpick token create NAME`",
        SafeText::path(.path)
    )]
    BrokenTokens { path: PathBuf },
    /// What was to be kept is larger than all that is kept.
    #[error("it has more than {}", human_size(*.most))]
    TooLarge { most: u64 },
    /// There is no state directory that is the person's own.
    #[error("there is no place to remember things: no home directory, or it is in the repository")]
    Nowhere,
    /// Other processes have every draft that one of ours could write.
    #[error("too many other windows write prompts in this repository; close one, and begin again")]
    Crowded,
}

/// What is wrong with a file of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Write(error.into())
    }
}

/// Adds to an error the path where it happened.
trait At<T> {
    fn at(self, path: &Path) -> Result<T, StateError>;
}

impl<T, E: Into<Fault>> At<T> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T, StateError> {
        self.map_err(|error| StateError::At { path: path.to_owned(), fault: error.into() })
    }
}

/// The bytes of a file of ours; `None` if there is none.
///
/// Errors: [`StateError::Broken`] if it is no file, or larger than any that we write;
/// [`StateError::At`] if it cannot be read, as one that belongs to another user.
fn bytes_of(file: &Path, most: u64) -> Result<Option<Vec<u8>>, StateError> {
    match std::fs::metadata(file) {
        Ok(metadata) if metadata.is_file() && metadata.len() <= most => {
            Ok(Some(std::fs::read(file).at(file)?))
        }
        Ok(_) => Err(StateError::Broken { path: file.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).at(file),
    }
}

/// Takes the lock beside a file, for which it waits this long at most.
fn lock(file: &Path, wait: Duration) -> Result<Lock, StateError> {
    Lock::within(file, wait).at(file)
}

/// Replaces a file of ours in its directory. `change` gets the present bytes, or `None` if there is
/// no file. Processes that do so at once wait for each other.
///
/// Errors: those of `change` and of [`bytes_of`], and [`StateError::At`] if the lock is held for
/// longer than half a second or a write fails. Then the file is as it was.
fn rewrite(
    directory: &Path,
    name: &str,
    most: u64,
    change: impl FnOnce(Option<&[u8]>) -> Result<Vec<u8>, StateError>,
) -> Result<(), StateError> {
    prepare(directory)?;
    let file = directory.join(name);
    let _lock = Lock::beside(&file).at(&file)?;
    let old = bytes_of(&file, most)?;
    let new = change(old.as_deref())?;
    put(&file, old.as_deref(), &new)
}

/// Replaces a file of ours if it holds these bytes. A link in its place is not followed: what it
/// leads to is not ours.
fn put(file: &Path, old: Option<&[u8]>, new: &[u8]) -> Result<(), StateError> {
    if file.is_symlink() {
        return Err(WriteError::NotRegular).at(file);
    }
    replace(file, old, new, NewFile::Private).at(file)?;
    Ok(())
}

/// Adds lines to a file of ours, which is made if it is missing. Nothing is flushed: a power
/// failure can cost the newest lines, and no older one.
fn append(file: &mut File, lines: &[u8]) -> io::Result<()> {
    // A process that was killed while it wrote left an incomplete line.
    let torn = file.seek(SeekFrom::End(0))? > 0 && {
        let mut last = [b'\n'];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        last != *b"\n"
    };
    let lines = if torn { Cow::Owned([b"\n", lines].concat()) } else { Cow::Borrowed(lines) };
    file.seek(SeekFrom::End(0))?;
    file.write_all(&lines)
}

/// Makes a directory of ours, and those above it, with mode 700.
///
/// # Errors
/// [`StateError::At`].
pub fn prepare(directory: &Path) -> Result<(), StateError> {
    let mut folders = std::fs::DirBuilder::new();
    folders.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
    folders.create(directory).at(directory)
}

/// The lines that are sound rows, one JSON document each.
fn rows<T: DeserializeOwned>(bytes: &[u8]) -> impl Iterator<Item = T> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok())
}

/// A row as one line.
fn line(row: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(row).unwrap_or_default();
    line.push(b'\n');
    line
}
