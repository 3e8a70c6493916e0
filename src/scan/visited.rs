//! Which directories have been entered, by device and inode.

use std::collections::HashSet;
use std::path::Path;

/// Identifies a directory under any name: its device and inode.
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

/// The identity of the directory at a path. All directories that cannot be examined have the same
/// one.
#[cfg(unix)]
pub(super) fn identity_of(path: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).map_or((0, 0), |meta| (meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
pub(super) fn identity_of(path: &Path) -> Identity {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    std::fs::canonicalize(path).ok().hash(&mut hasher);
    (0, hasher.finish())
}
