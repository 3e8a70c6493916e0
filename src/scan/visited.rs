//! Which directories have been entered, by device and inode.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The directories entered below one root.
///
/// The inode number comes with the directory entry for free; the device is asked for only when two
/// directories share it, which is when a link leads to a directory twice.
#[derive(Default)]
pub(super) struct Visited(HashMap<u64, PathBuf>);

impl Visited {
    /// Whether `path`, whose inode is `inode`, was entered before; if not, it counts as entered now.
    pub(super) fn again(&mut self, inode: u64, path: &Path) -> bool {
        match self.0.get(&inode) {
            Some(earlier) => same(earlier, path),
            None => {
                self.0.insert(inode, path.to_owned());
                false
            }
        }
    }
}

#[cfg(unix)]
fn same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino()));
    // Two that cannot be asked about are taken for the same: entering neither twice is the safe side.
    identity(one) == identity(other)
}

#[cfg(not(unix))]
fn same(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).ok() == fs::canonicalize(other).ok()
}
