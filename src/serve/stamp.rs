//! What the settings files were when they were read. The notice of a change comes a moment after
//! the change, and a call may come between them.

use crate::workspace::Workspace;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// One file: which one it is behind all links, and which version of it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stamp {
    /// Nobody has looked: no file is like it.
    Unknown,
    /// Device, inode, size, and when it was changed last: seconds and nanoseconds.
    There([u64; 5]),
    /// It is missing, or cannot be looked at.
    Failed(ErrorKind),
}

impl Stamp {
    fn of(path: &Path) -> Self {
        path.metadata()
            .map_or_else(|error| Self::Failed(error.kind()), |found| Self::There(version(&found)))
    }
}

#[cfg(unix)]
fn version(found: &Metadata) -> [u64; 5] {
    use std::os::unix::fs::MetadataExt;
    // The time of the last change of any kind: nobody can set it, and new rights count as well.
    [
        found.dev(),
        found.ino(),
        found.size(),
        found.ctime().cast_unsigned(),
        found.ctime_nsec().cast_unsigned(),
    ]
}

#[cfg(not(unix))]
fn version(found: &Metadata) -> [u64; 5] {
    let changed =
        found.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let changed = changed.unwrap_or_default();
    [0, 0, found.len(), changed.as_secs(), changed.subsec_nanos().into()]
}

/// All settings files of a place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stamps(Vec<(PathBuf, Stamp)>);

impl Stamps {
    /// The place's files, and nothing about them.
    pub(super) fn unknown(workspace: &Workspace) -> Self {
        Self(workspace.watched().files.into_iter().map(|path| (path, Stamp::Unknown)).collect())
    }

    /// The same files as they are now.
    pub(super) fn now(&self) -> Self {
        Self(self.0.iter().map(|(path, _)| (path.clone(), Stamp::of(path))).collect())
    }

    /// Those of a place that was read after these were looked at; a file that was not among them is
    /// unknown.
    pub(super) fn before(self, read: &Workspace) -> Self {
        let fresh = Self::unknown(read);
        let same = fresh.0.iter().map(|(path, _)| path).eq(self.0.iter().map(|(path, _)| path));
        if same { self } else { fresh }
    }
}
