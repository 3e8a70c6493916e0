//! Settings files on the disk. Several files are written all or none, and never over what another
//! program wrote.

use super::MAX_BYTES;
use crate::files::write::{NewFile, WriteError, final_target, open_regular, remove, replace};
use crate::text::diff::FileChange;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A settings file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The path that was asked for; it may be a link.
    pub path: PathBuf,
    /// The file where the links end. A write changes this file, and a person is shown this path.
    pub target: PathBuf,
    /// Its bytes; `None` if there is no file yet.
    pub bytes: Option<Vec<u8>>,
    /// Whether nobody may write the file.
    pub read_only: bool,
}

/// Why a settings file was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The path does not lead to a regular file that can be read.
    #[error(transparent)]
    Place(#[from] WriteError),
    /// It is larger than [`MAX_BYTES`].
    #[error("the file is larger than 1 MiB")]
    TooLarge,
}

/// One change that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub change: FileChange,
    /// The file that was written: where the links end.
    pub target: PathBuf,
    /// False if the file had these bytes already.
    pub written: bool,
}

/// Why no file was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct CommitError {
    /// The file at which it failed; other people's text.
    pub path: PathBuf,
    /// What went wrong there.
    pub error: WriteError,
    /// Files that were written and could not be restored, because another program changed them
    /// again or the disk fails.
    pub stranded: Vec<PathBuf>,
}

impl CommitError {
    /// Whether another program wrote the file meanwhile, so that the change can be tried again on
    /// the new content. Nothing is lost.
    pub fn overtaken(&self) -> bool {
        self.error == WriteError::Changed && self.stranded.is_empty()
    }
}

/// Reads a settings file, following links. A missing file is no error.
pub fn read(path: &Path) -> Result<Document, ReadError> {
    let target = final_target(path)?;
    let (bytes, read_only) = match target.metadata {
        None => (None, false),
        Some(metadata) if !metadata.is_file() => return Err(WriteError::NotRegular.into()),
        Some(metadata) => (Some(read_whole(&target.path)?), metadata.permissions().readonly()),
    };
    Ok(Document { path: path.to_owned(), target: target.path, bytes, read_only })
}

fn read_whole(path: &Path) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    open_regular(path)?
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(WriteError::from)?;
    if bytes.len() > MAX_BYTES { Err(ReadError::TooLarge) } else { Ok(bytes) }
}

/// Writes several files, all or none: if one cannot be written, those before it are restored.
pub fn commit(changes: Vec<FileChange>) -> Result<Vec<Written>, CommitError> {
    let mut done: Vec<Written> = Vec::new();
    for change in changes {
        match replace(&change.path, change.before.as_deref(), &change.after, NewFile::Plain) {
            Ok(replaced) => {
                done.push(Written { change, target: replaced.target, written: replaced.written })
            }
            Err(error) => {
                return Err(CommitError { path: change.path, error, stranded: take_back(&done) });
            }
        }
    }
    Ok(done)
}

/// Restores files, the last one first. Returns those for which that failed.
fn take_back(done: &[Written]) -> Vec<PathBuf> {
    let restore = |written: &Written| match &written.change.before {
        Some(old) => {
            replace(&written.target, Some(&written.change.after), old, NewFile::Plain).map(|_| ())
        }
        None => remove(&written.target, &written.change.after),
    };
    let written = done.iter().rev().filter(|written| written.written);
    written
        .filter(|written| restore(written).is_err())
        .map(|written| written.target.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn change(path: &Path, old: Option<&str>, new: &str) -> FileChange {
        FileChange {
            path: path.to_owned(),
            before: old.map(|old| old.as_bytes().to_vec()),
            after: new.as_bytes().to_vec(),
        }
    }

    #[test]
    fn what_is_read_can_be_committed() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("deep/er/config.toml");
        assert_eq!(read(&path).unwrap().bytes, None);
        let written = commit(vec![change(&path, None, "a = 1\n")]).unwrap();
        assert!(written[0].written);
        let document = read(&path).unwrap();
        assert_eq!(document.bytes.as_deref(), Some(&b"a = 1\n"[..]));
        assert_eq!(document.target, written[0].target);
        assert!(!commit(vec![change(&path, Some("a = 1\n"), "a = 1\n")]).unwrap()[0].written);
        assert_eq!(read(temp.path()), Err(ReadError::Place(WriteError::NotRegular)));
        fs::write(&path, "#".repeat(MAX_BYTES + 1)).unwrap();
        assert_eq!(read(&path), Err(ReadError::TooLarge));
    }

    #[test]
    fn if_one_file_cannot_be_written_none_is() {
        let temp = tempfile::tempdir().unwrap();
        let [first, fresh, third] =
            ["first", "sub/fresh", "third"].map(|name| temp.path().join(name));
        fs::write(&first, "1").unwrap();
        fs::write(&third, "theirs").unwrap();
        let changes = vec![
            change(&first, Some("1"), "one"),
            change(&fresh, None, "new"),
            change(&third, Some("3"), "x"),
        ];
        let error = commit(changes).unwrap_err();
        assert_eq!(
            error,
            CommitError { path: third.clone(), error: WriteError::Changed, stranded: Vec::new() }
        );
        assert_eq!(fs::read(&first).unwrap(), b"1");
        assert!(!fresh.exists());
        assert_eq!(fs::read(&third).unwrap(), b"theirs");
    }
}
