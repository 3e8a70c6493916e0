//! The bytes of a settings file, or why there are none.
//!
//! Anybody may have written a project file, so a device, a FIFO or an endless file in its place
//! must not block us or fill the memory.

use super::origin::Problem;
use crate::text::is_nothing;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest size of a settings file, in bytes.
pub(super) const MAX_BYTES: u64 = 1 << 20;

/// What is at a settings file's path.
pub(super) enum Source {
    Missing,
    Text(String),
    /// The problem is always grave.
    Unreadable(Problem),
}

/// Reads a settings file, or its draft.
pub(super) fn read(path: &Arc<Path>, drafts: &BTreeMap<PathBuf, Vec<u8>>) -> Source {
    let unreadable = |line, message: String, help: &str| {
        Source::Unreadable(Problem::at(path, line, message, help))
    };
    match drafts.get(&**path).map_or_else(|| bytes(path), |draft| Ok(draft.clone())) {
        Err(error) if is_nothing(&error) => match std::fs::symlink_metadata(path) {
            Ok(_) => unreadable(
                1,
                "this is a link that leads nowhere".into(),
                "mend the link or remove it",
            ),
            Err(_) => Source::Missing,
        },
        Err(error) => unreadable(1, format!("the settings file cannot be read: {error}"), ""),
        Ok(bytes) if bytes.len() as u64 > MAX_BYTES => unreadable(
            1,
            "the settings file is larger than 1 MiB".into(),
            "settings are a few lines of text",
        ),
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Source::Text(text),
            Err(error) => {
                let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = sound.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
                unreadable(line, "the settings file is not UTF-8".into(), "save it as UTF-8")
            }
        },
    }
}

/// Reads at most one byte more than the limit, and only a regular file.
fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let regular = |is_file| {
        if is_file { Ok(()) } else { Err(std::io::Error::other("it is not a regular file")) }
    };
    regular(std::fs::metadata(path)?.is_file())?;
    let file = open(path)?;
    regular(file.metadata()?.is_file())?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens without waiting for a writer, since the file may have become a FIFO since the check.
fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}
