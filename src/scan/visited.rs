//! Which directories have been entered, by device and inode.

use hashbrown::{HashMap, HashSet};
use std::path::Path;

/// Identifies a directory under any name: its device and inode.
pub(super) type Identity = (u64, u64);

/// The identity of whatever cannot be examined.
pub(super) const UNKNOWN: Identity = (0, 0);

/// The directories entered below one root, for each device.
#[derive(Default)]
pub(super) struct Visited(HashMap<u64, HashSet<u64>>);

impl Visited {
    /// Records that this directory is entered. Returns whether it was entered before.
    pub(super) fn again(&mut self, directory: Identity) -> bool {
        let (device, inode) = directory;
        !self.0.entry(device).or_default().insert(inode)
    }
}

/// The identity of the directory at a path. All directories that cannot be examined have the same
/// one.
#[cfg(unix)]
pub(super) fn identity_of(path: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).map_or(UNKNOWN, |meta| (meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
pub(super) fn identity_of(path: &Path) -> Identity {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    std::fs::canonicalize(path).ok().hash(&mut hasher);
    (0, hasher.finish())
}
