//! Paths as text.

use std::path::{Component, Path, PathBuf};

/// Resolves `.` and `..` in the text, without following links.
pub fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}
