//! The folders that are ours: for what we remember, and for what can be made again.

use crate::hosts::Context;
use std::path::{Path, PathBuf};

/// Our folder in the platform's folder for state (`~/.local/state`), or in that for local data.
pub(super) fn state_dir() -> Option<PathBuf> {
    let folders = directories::BaseDirs::new()?;
    ours(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()))
}

/// Our folder in the platform's folder for what can be made again (`~/.cache`).
pub(super) fn cache_dir() -> Option<PathBuf> {
    ours(directories::BaseDirs::new()?.cache_dir())
}

/// A relative home directory (`HOME=x`) is none: its folders would lie wherever we are.
fn ours(folder: &Path) -> Option<PathBuf> {
    folder.is_absolute().then(|| folder.join("skillpick"))
}

/// Whether a repository may have brought what is in our folder, such as approvals of its own texts.
/// Then nothing there counts, and nothing is written.
pub(super) fn is_brought(dir: &Path, context: &Context) -> bool {
    // The folder may not exist, and a folder above it may be a link.
    let real = |path: &Path| path.ancestors().find_map(|above| above.canonicalize().ok());
    let repository = context.repo_root.as_deref().and_then(|root| root.canonicalize().ok());
    repository.is_some_and(|root| real(dir).is_some_and(|dir| dir.starts_with(root)))
}
