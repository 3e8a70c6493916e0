//! The folders that are ours: for what we remember, and for what can be made again.

use crate::config::xdg_folder;
use crate::hosts::Context;
use directories::BaseDirs;
use std::path::{Path, PathBuf};

/// Our folder in the platform's folder for state (`~/.local/state`), or in that for local data
/// (`~/Library/Application Support`).
pub(super) fn state_dir() -> Option<PathBuf> {
    let state = || BaseDirs::new()?.state_dir().map(Path::to_owned);
    let data = || Some(BaseDirs::new()?.data_local_dir().to_owned());
    let named = xdg_folder("XDG_STATE_HOME").or_else(state);
    ours(named.or_else(|| xdg_folder("XDG_DATA_HOME")).or_else(data)?)
}

/// Our folder in the platform's folder for what can be made again (`~/.cache`, `~/Library/Caches`).
pub(super) fn cache_dir() -> Option<PathBuf> {
    let usual = || Some(BaseDirs::new()?.cache_dir().to_owned());
    ours(xdg_folder("XDG_CACHE_HOME").or_else(usual)?)
}

/// A relative home directory (`HOME=x`) is none: its folders would lie wherever we are.
fn ours(folder: PathBuf) -> Option<PathBuf> {
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
