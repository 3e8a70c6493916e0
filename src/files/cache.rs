//! Files of ours that may be lost, since they can be made again. They are not flushed to the disk:
//! their reader must notice what a power failure has left.

use super::write::Turn;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file with at most `most` bytes, and how many it has. `None` if it is not the person's own,
/// alone: no link, with mode 600.
pub fn open(path: &Path, most: u64) -> Option<(File, u64)> {
    let file = super::write::open_regular(path).ok()?;
    let meta = file.metadata().ok()?;
    (is_private(&meta) && meta.len() <= most).then_some((file, meta.len()))
}

#[cfg(unix)]
fn is_private(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    meta.uid() == rustix::process::geteuid().as_raw() && meta.mode() & 0o7777 == 0o600
}

#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}

/// Replaces a file at once by what `fill` writes, and makes its folder with mode 700.
///
/// # Errors
/// Those of `fill` and of the system. The file is as it was.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    let mut folders = fs::DirBuilder::new();
    folders.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
    folders.create(folder)?;
    let turn = Turn::take(folder, SystemTime::now());
    let mut staged = turn.staging()?;
    let mut buffered = BufWriter::with_capacity(64 << 10, staged.as_file_mut());
    fill(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    staged.persist(path)?;
    Ok(())
}

/// Removes the oldest files of a folder whose names begin so, until there are at most `count` and
/// they have at most `bytes`. Errors are ignored, since nothing depends on it.
pub fn bound(folder: &Path, prefix: &str, count: usize, bytes: u64) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let of = |entry: fs::DirEntry| {
        let is_ours = entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes());
        let meta = entry.metadata().ok().filter(|meta| is_ours && meta.is_file())?;
        Some((meta.modified().ok()?, meta.len(), entry.path()))
    };
    let mut files: Vec<(SystemTime, u64, PathBuf)> = entries.flatten().filter_map(of).collect();
    files.sort_unstable_by(|one, other| other.cmp(one));
    let mut total = 0;
    for (place, (_, length, path)) in files.into_iter().enumerate() {
        total += length;
        if place >= count || total > bytes {
            let _ = fs::remove_file(path);
        }
    }
}
