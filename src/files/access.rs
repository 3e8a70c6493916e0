//! What a path leads to, and whether something may be written there, asked without writing.

use crate::text::reason;
use std::path::{Path, PathBuf};

/// A path with its links resolved, as far as it exists.
pub fn real(path: &Path) -> PathBuf {
    let above = |above: &Path| {
        let (real, rest) = (above.canonicalize().ok()?, path.strip_prefix(above).ok()?);
        Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
    };
    path.ancestors().find_map(above).unwrap_or_else(|| path.to_owned())
}

/// Whether the file at `path` may be written, or created if there is none: then the nearest
/// existing folder above it counts. A hint for a person: only a write can tell for certain.
pub fn may_write(path: &Path) -> bool {
    let nearest = path.ancestors().find(|place| place.symlink_metadata().is_ok());
    nearest.is_some_and(|place| admits(place) && (place == path || place.is_dir()))
}

#[cfg(unix)]
fn admits(place: &Path) -> bool {
    rustix::fs::access(place, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn admits(place: &Path) -> bool {
    std::fs::metadata(place).is_ok_and(|data| !data.permissions().readonly())
}

/// Whether files can be made in a folder, which may not be there yet: as [`may_write`] says, and as
/// far as the disk tells how much room there is.
pub fn may_hold(folder: &Path) -> bool {
    may_write(folder) && has_room(folder)
}

/// The fewest bytes that must be free, since it is not known how many are wanted.
#[cfg(unix)]
const ROOM: u64 = 1 << 20;

#[cfg(unix)]
fn has_room(folder: &Path) -> bool {
    let disk = folder.ancestors().find_map(|place| rustix::fs::statvfs(place).ok());
    // Some file systems count neither blocks nor files.
    disk.is_none_or(|it| {
        (it.f_blocks == 0 || it.f_bavail.saturating_mul(it.f_frsize) >= ROOM)
            && (it.f_files == 0 || it.f_favail > 0)
    })
}

#[cfg(not(unix))]
fn has_room(_: &Path) -> bool {
    true
}

/// Checks that a path leads to a folder.
///
/// # Errors
/// What it is instead, in words.
pub fn directory(path: &Path) -> Result<(), String> {
    // A folder that was deleted is still there for the processes that work in it.
    if path.is_relative() && std::env::current_dir().is_err() {
        return Err("the working directory is gone; go to another one (`cd`)".to_owned());
    }
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => Ok(()),
        Ok(_) => Err("this is not a folder".to_owned()),
        Err(error) => Err(match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            _ => reason(&error),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_there_may_be_written_where_a_folder_is() {
        let temp = tempfile::tempdir().unwrap();
        assert!(may_write(&temp.path().join("a/b/settings.json")));
        std::fs::write(temp.path().join("a"), "").unwrap();
        assert!(may_write(&temp.path().join("a")));
        assert!(!may_write(&temp.path().join("a/b")), "a file is no folder");
    }
}
