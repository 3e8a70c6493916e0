//! The folders that a change makes for its files and links. They are kept with its entry, so that
//! they go with it if nothing else is in them.

use super::{Change, entry};
use crate::catalog::exact_path;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// In an entry. Without it, nothing is known of folders.
const FILE: &str = "folders.json";

#[derive(Serialize, Deserialize)]
struct Folder {
    #[serde(flatten, with = "exact_path")]
    path: PathBuf,
}

/// The folders above the places of a change that are not there, each before those in it.
pub(super) fn missing(change: &Change) -> Vec<PathBuf> {
    let is_missing = |folder: &&Path| {
        let looked = folder.symlink_metadata();
        looked.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    };
    let above = |place: &Path| -> Vec<PathBuf> {
        let above = place.ancestors().skip(1).filter(|folder| folder.is_absolute());
        above.take_while(is_missing).map(Path::to_owned).collect()
    };
    let missing: BTreeSet<PathBuf> = change.paths().flat_map(above).collect();
    missing.into_iter().collect()
}

/// Writes them into an entry, in place of those that are in it.
pub(super) fn save(folder: &Path, folders: Vec<PathBuf>) -> io::Result<()> {
    let file = folder.join(FILE);
    match file.exists() {
        false if folders.is_empty() => return Ok(()),
        false => {}
        // Without the file, nothing is known of folders, which does no harm.
        true => fs::remove_file(&file)?,
    }
    let folders: Vec<Folder> = folders.into_iter().map(|path| Folder { path }).collect();
    entry::write(&file, &serde_json::to_vec(&folders)?)
}

/// Removes the folders of an entry that are empty. Errors are ignored, since an empty folder does
/// no harm.
pub(super) fn remove(entry: &Path) {
    let read = fs::read(entry.join(FILE)).unwrap_or_default();
    let folders: Vec<Folder> = serde_json::from_slice(&read).unwrap_or_default();
    for folder in folders.iter().rev() {
        // This fails if the folder is not empty, and for a link.
        let _ = fs::remove_dir(&folder.path);
    }
}
