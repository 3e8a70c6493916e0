//! How one change is kept on the disk: a folder with an index, and the bytes of each file before
//! and after.

use super::{Change, FileChange, Move, ShareChange, Why};
use crate::catalog::exact_path;
use crate::files::write::{NewFile, WriteError, sync};
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(super) const INDEX: &str = "change.json";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Index {
    version: u32,
    label: String,
    at_ms: u64,
    files: Vec<IndexFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<Move>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<ShareChange>,
}

#[derive(Serialize, Deserialize)]
struct IndexFile {
    #[serde(flatten, with = "exact_path")]
    path: PathBuf,
    existed: bool,
}

/// Writes a change into an empty folder that only this person can read.
pub(super) fn save(folder: &Path, change: &Change) -> io::Result<()> {
    for (number, file) in change.files.iter().enumerate() {
        if let Some(before) = &file.before {
            write(&folder.join(format!("{number}.before")), before)?;
        }
        write(&folder.join(format!("{number}.after")), &file.after)?;
    }
    let file =
        |file: &FileChange| IndexFile { path: file.path.clone(), existed: file.before.is_some() };
    let index = Index {
        version: VERSION,
        label: change.label.clone(),
        at_ms: change.at_ms,
        files: change.files.iter().map(file).collect(),
        moves: change.moves.clone(),
        share: change.share.clone(),
    };
    write(&folder.join(INDEX), &serde_json::to_vec_pretty(&index)?)
}

/// Notes who may read the files that a change has made, before they are removed. Where that fails,
/// they come back as new files.
pub(super) fn note_modes(folder: &Path, files: &[FileChange]) {
    for (number, file) in files.iter().enumerate().filter(|(_, file)| file.before.is_none()) {
        if let Ok(NewFile::Again(mode)) = fs::metadata(&file.path).map(|it| NewFile::like(&it)) {
            let note = mode_file(folder, number);
            let _ = fs::remove_file(&note);
            let _ = write(&note, format!("{mode:o}").as_bytes());
        }
    }
}

/// How each file is made if it is not there.
pub(super) fn births(folder: &Path, files: &[FileChange]) -> Vec<NewFile> {
    let mode = |number| {
        let noted = fs::read_to_string(mode_file(folder, number)).ok()?;
        u32::from_str_radix(&noted, 8).ok()
    };
    (0..files.len()).map(|number| mode(number).map_or(NewFile::Plain, NewFile::Again)).collect()
}

fn mode_file(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number}.mode"))
}

/// Writes a new file that nobody else may read.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    sync(&file)
}

/// Reads a change back. Errors: [`Why::Broken`] if a part is missing or makes no sense, [`Why::Io`]
/// if the system does not let us read it now.
pub(super) fn load(folder: &Path) -> Result<Change, Why> {
    let broken = || Why::Broken { path: folder.to_owned() };
    let read = |name: &str| {
        fs::read(folder.join(name)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => broken(),
            _ => Why::Io { path: folder.to_owned(), error: WriteError::from(error) },
        })
    };
    let index: Index = serde_json::from_slice(&read(INDEX)?).map_err(|_| broken())?;
    if index.version != VERSION {
        return Err(broken());
    }
    let mut files = Vec::new();
    for (number, file) in index.files.into_iter().enumerate() {
        let before = if file.existed { Some(read(&format!("{number}.before"))?) } else { None };
        let after = read(&format!("{number}.after"))?;
        files.push(FileChange { path: file.path, before, after });
    }
    Ok(Change {
        label: index.label,
        at_ms: index.at_ms,
        files,
        moves: index.moves,
        share: index.share,
    })
}
