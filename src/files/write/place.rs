//! Finds the file that a path leads to, before anything is written.

use super::WriteError;
use crate::text::is_nothing;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// As many links as Linux follows.
const MAX_LINKS: usize = 40;

/// Where the links end that start at a path.
#[derive(Debug)]
pub struct Target {
    /// In a canonical directory, if that directory exists.
    pub path: PathBuf,
    /// `None` if nothing is there.
    pub metadata: Option<Metadata>,
    /// How many links were followed in the last component; 0 if the path is no link.
    pub links: usize,
}

/// Follows the links of the path's last component to their end (absolute, relative, chained).
///
/// A person should see this path before a write: a link in a repository may lead anywhere. Errors:
/// [`WriteError::Dangling`], [`WriteError::Cycle`], [`WriteError::Denied`], [`WriteError::Io`].
pub fn final_target(path: &Path) -> Result<Target, WriteError> {
    let mut path = std::path::absolute(path)?;
    for links in 0..=MAX_LINKS {
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => Some(metadata),
            Err(error) if is_nothing(&error) => None,
            Err(error) => return Err(error.into()),
        };
        match metadata {
            Some(metadata) if metadata.is_symlink() => {
                // `..` is not resolved in the text, since `link/..` may be elsewhere.
                path = directory_of(&path).join(fs::read_link(&path)?);
            }
            None if links > 0 => return Err(WriteError::Dangling),
            metadata => {
                if let (Ok(directory), Some(name)) =
                    (directory_of(&path).canonicalize(), path.file_name())
                {
                    path = directory.join(name);
                }
                return Ok(Target { path, metadata, links });
            }
        }
    }
    Err(WriteError::Cycle)
}

/// The directory that holds the path; the working directory for a bare name.
pub(super) fn directory_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Refuses what must not be replaced: anything but a regular file, and a file that nobody may write
/// (Nix store).
pub(super) fn require_writable(metadata: &Metadata) -> Result<(), WriteError> {
    if !metadata.is_file() {
        return Err(WriteError::NotRegular);
    }
    if metadata.permissions().readonly() { Err(WriteError::ReadOnly) } else { Ok(()) }
}

/// The error if folders above a new file cannot be made. A dangling link among them has its own.
pub(super) fn parent_error(parent: &Path, error: io::Error) -> WriteError {
    let dangling = parent.ancestors().any(|above| above.is_symlink() && !above.exists());
    match error.kind() {
        _ if dangling => WriteError::Dangling,
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            WriteError::Io(io::ErrorKind::NotADirectory)
        }
        _ => error.into(),
    }
}

/// Whether an error means that the plain file is no longer there (a link in its place counts).
pub(super) fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || super::error::is_loop(error)
}
