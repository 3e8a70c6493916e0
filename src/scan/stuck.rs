//! Calls of the file system that have not returned yet.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most calls without an answer in this process. Each keeps a thread.
const MAX_STUCK: usize = 128;

/// The paths that have not answered yet, in this process. They are not asked again.
static STUCK: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The number of paths in [`STUCK`], so that mostly its lock is not needed.
static STUCK_COUNT: AtomicUsize = AtomicUsize::new(0);

/// Whether a path is not to be asked.
pub(super) fn has(path: &Path) -> bool {
    let count = STUCK_COUNT.load(Ordering::Relaxed);
    count >= MAX_STUCK || (count > 0 && among(|paths| paths.contains(path)))
}

/// Looks at these paths, or changes them.
pub(super) fn among<T>(look: impl FnOnce(&mut BTreeSet<PathBuf>) -> T) -> T {
    let mut paths = STUCK.lock().unwrap_or_else(PoisonError::into_inner);
    let seen = look(&mut paths);
    STUCK_COUNT.store(paths.len(), Ordering::Relaxed);
    seen
}
