//! Whose turn it is to write in a directory, and the temporary files there.

use super::{NewFile, WriteError, place, sync};
use crate::files::lock::Lock;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::{Builder, NamedTempFile, TempPath};

/// The names of temporary files begin and end so.
pub(super) const STAGED: (&str, &str) = (".skillpick-", ".tmp");
/// How many random letters and digits are between.
const RANDOM: usize = 12;
/// The end of the name if the directory could not be locked.
const UNLOCKED: &str = ".unlocked.tmp";
/// The end of the name of a copy that may be the only one: it is never removed by others.
pub(super) const KEPT: &str = ".kept";
/// A temporary file that is older than this was left by a process that was killed.
const STRAY_AFTER: Duration = Duration::from_secs(600);

/// The turn of this process in a directory. The lock is only between our own processes; without it
/// the comparison of the bytes still protects the file.
#[derive(Debug)]
pub(in crate::files) struct Turn {
    directory: PathBuf,
    lock: Option<Lock>,
}

impl Turn {
    /// Waits until no other process of ours writes in the directory, half a second at most, and
    /// removes what those left that were killed.
    pub(in crate::files) fn take(directory: &Path, now: SystemTime) -> Self {
        let lock = Lock::of_directory(directory).ok();
        let turn = Self { directory: directory.to_owned(), lock };
        turn.clear(now);
        turn
    }

    /// Whoever has the lock finds temporary files of dead processes only. Files that were made
    /// without the lock, which have another name, must be old; if we have no lock, all must be. Only
    /// regular files are touched. Errors are ignored, since nothing depends on it.
    fn clear(&self, now: SystemTime) {
        let Ok(items) = fs::read_dir(&self.directory) else { return };
        for item in items.take(10_000).flatten() {
            let name = item.file_name();
            let random = name.as_encoded_bytes().strip_prefix(STAGED.0.as_bytes());
            let random = random.and_then(|rest| rest.strip_suffix(STAGED.1.as_bytes()));
            let Some(random) = random else { continue };
            let Ok(metadata) = item.metadata() else { continue };
            let modified = metadata.modified().ok();
            let age = modified.and_then(|modified| now.duration_since(modified).ok());
            let is_left = self.lock.is_some()
                && random.len() == RANDOM
                && random.iter().all(u8::is_ascii_alphanumeric);
            if metadata.is_file() && (is_left || age.is_some_and(|age| age > STRAY_AFTER)) {
                let _ = fs::remove_file(item.path());
            }
        }
    }

    pub(super) fn builder(
        &self,
        permissions: Option<fs::Permissions>,
    ) -> Builder<'static, 'static> {
        let end = if self.lock.is_some() { STAGED.1 } else { UNLOCKED };
        let mut builder = Builder::new();
        builder.prefix(STAGED.0).suffix(end).rand_bytes(RANDOM);
        if let Some(permissions) = permissions {
            builder.permissions(permissions);
        }
        builder
    }

    /// Writes the bytes completely to a new file with a random name (`O_EXCL`, so a planted link is
    /// not followed).
    pub(super) fn staged(
        &self,
        bytes: &[u8],
        permissions: Option<fs::Permissions>,
    ) -> Result<TempPath, WriteError> {
        self.written(&self.builder(permissions), bytes)
    }

    /// The same for a copy of what is overwritten in place. If the process is killed meanwhile, it
    /// stays for a person to find.
    pub(super) fn copy(&self, bytes: &[u8]) -> Result<TempPath, WriteError> {
        self.written(self.builder(None).suffix(KEPT), bytes)
    }

    fn written(&self, builder: &Builder<'_, '_>, bytes: &[u8]) -> Result<TempPath, WriteError> {
        let mut temp = builder.tempfile_in(&self.directory)?;
        temp.write_all(bytes)?;
        sync(temp.as_file())?;
        Ok(temp.into_temp_path())
    }

    /// A new private file with a random name, for what is renamed when it is complete.
    pub(in crate::files) fn staging(&self) -> io::Result<NamedTempFile> {
        self.builder(NewFile::Private.permissions()).tempfile_in(&self.directory)
    }
}

/// Removes files that a killed process of ours left beside `target`: at once if no process of ours
/// is writing in that directory, and else those that are older than ten minutes.
pub fn sweep(target: &Path, now: SystemTime) {
    Turn::take(&place::directory_of(target), now);
}
