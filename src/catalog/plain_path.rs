//! Paths as text.

use std::path::{Component, Path, PathBuf};

/// The part after `~/` of a path that begins in the home directory; `None` for any other path.
pub fn below_home(text: &str) -> Option<&str> {
    if text == "~" { Some("") } else { text.strip_prefix("~/") }
}

/// What somebody has written as a path: `~` is the home directory, and relative paths begin at
/// `base`. `None` if it begins in the home directory and there is none.
pub fn written_path(text: &str, home: Option<&Path>, base: &Path) -> Option<PathBuf> {
    match below_home(text) {
        Some(rest) => home.map(|home| home.join(rest)),
        None => Some(base.join(text)),
    }
}

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
