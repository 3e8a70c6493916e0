//! The versions of the settings files when they were read. A watcher reports a change a moment
//! late, and a call may come before that.

use crate::workspace::Workspace;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The identity and version of a file, links followed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stamp {
    /// Not known. It differs from every file.
    Unknown,
    /// Device, inode, size, and the time of the last change in seconds and nanoseconds.
    There([u64; 5]),
    /// It is missing or cannot be examined.
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
    // `ctime`: nobody can set it, and it includes changes of permissions.
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
    /// The place's files, with unknown versions.
    pub(super) fn unknown(workspace: &Workspace) -> Self {
        Self(workspace.watched().files.into_iter().map(|path| (path, Stamp::Unknown)).collect())
    }

    /// The current versions of the same files.
    pub(super) fn now(&self) -> Self {
        Self(self.0.iter().map(|(path, _)| (path.clone(), Stamp::of(path))).collect())
    }

    /// The files of a place that was read after these versions were taken. A new file has an
    /// unknown version.
    pub(super) fn before(self, read: &Workspace) -> Self {
        let fresh = Self::unknown(read);
        let same = fresh.0.iter().map(|(path, _)| path).eq(self.0.iter().map(|(path, _)| path));
        if same { self } else { fresh }
    }
}
