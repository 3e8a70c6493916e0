//! Which directories have been entered, by device and inode.

use std::collections::HashSet;
use std::path::Path;
use walkdir::DirEntry;

/// Identifies a directory under any name.
pub(super) type Identity = (u64, u64);

/// The directories entered below one root.
#[derive(Default)]
pub(super) struct Visited(HashSet<Identity>);

impl Visited {
    /// Whether this directory was entered before. From now on it was.
    pub(super) fn again(&mut self, directory: Identity) -> bool {
        !self.0.insert(directory)
    }
}

/// The identity of a directory in `parent`.
///
/// The entry has the inode, and the device is the parent's. The system is asked only if a link was
/// followed, which is the only way to meet a directory twice.
#[cfg(unix)]
pub(super) fn identity(entry: &DirEntry, parent: Identity) -> Identity {
    use walkdir::DirEntryExt;
    if entry.path_is_symlink() { identity_of(entry.path()) } else { (parent.0, entry.ino()) }
}

/// The identity of the directory at a path. All directories that cannot be examined have the same
/// one.
#[cfg(unix)]
pub(super) fn identity_of(path: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).map_or((0, 0), |meta| (meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
pub(super) fn identity(entry: &DirEntry, _parent: Identity) -> Identity {
    identity_of(entry.path())
}

#[cfg(not(unix))]
pub(super) fn identity_of(path: &Path) -> Identity {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    std::fs::canonicalize(path).ok().hash(&mut hasher);
    (0, hasher.finish())
}
