//! Where the versions of stored skills become folders: in the cache or, where that cannot be
//! written, in a private folder in the system's temporary folder.

use super::digits;
use crate::files::access::{may_hold, real};
use crate::files::scratch;
use crate::store::{folder_name, sweep};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folders of one project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folders {
    /// In the cache, canonical: for the snapshot, and for the versions.
    pub(super) usual: PathBuf,
    /// For versions that are not in the cache, if that cannot be written.
    instead: Option<PathBuf>,
}

impl Folders {
    /// Those in this cache folder; `key` tells the projects apart.
    pub(super) fn new(cache: &Path, key: &str) -> Self {
        let usual = real(&cache.join("store").join(key));
        let instead = if may_hold(&usual) { None } else { scratch::lasting() };
        let instead = instead.filter(|top| may_hold(top)).map(|top| top.join(key));
        Self { usual, instead }
    }

    /// The folder of a skill's version, which may not be there yet.
    pub(super) fn of(&self, version: &str, name: &str) -> PathBuf {
        let within = Path::new(digits(version)).join(folder_name(name));
        let usual = self.usual.join(&within);
        // A full disk may have had room for the folder of the version, and none for the skill.
        let instead = self.instead.as_ref().filter(|_| !usual.is_dir());
        instead.map_or(usual, |instead| instead.join(within))
    }

    /// Sees to it that nobody else can change a folder of a version.
    ///
    /// # Errors
    /// It is in the temporary folder, and somebody else has made that one.
    pub(super) fn secure(&self, folder: &Path) -> io::Result<()> {
        let instead = self.instead.as_deref().filter(|instead| folder.starts_with(instead));
        instead.and_then(Path::parent).map_or(Ok(()), scratch::private)
    }

    /// Removes folders of versions that were not used for long; see [`sweep`].
    pub(super) fn sweep(&self, now: SystemTime, is_live: impl Fn(&str) -> bool) {
        sweep(&self.usual, now, &is_live);
        // Anybody may have made the other one meanwhile, and have put links there.
        let is_ours = |instead: &&PathBuf| instead.parent().is_some_and(scratch::is_private);
        if let Some(instead) = self.instead.as_ref().filter(is_ours) {
            sweep(instead, now, &is_live);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_is_in_the_cache_stays_there() {
        let temp = tempfile::tempdir().unwrap();
        let at = |path: &str| temp.path().join(path);
        std::fs::create_dir_all(at("cache/aa/pdf")).unwrap();
        std::fs::create_dir_all(at("cache/cc")).unwrap();
        let folders = Folders { usual: at("cache"), instead: Some(at("temporary")) };
        assert_eq!(folders.of("aa", "pdf"), at("cache/aa/pdf"));
        assert_eq!(folders.of("bb", "pdf"), at("temporary/bb/pdf"));
        assert_eq!(folders.of("cc", "pdf"), at("temporary/cc/pdf"), "it has no skill");
        let usual = Folders { instead: None, ..folders };
        assert_eq!(usual.of("bb", "pdf"), at("cache/bb/pdf"));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_removed_from_a_folder_that_others_may_write_or_behind_a_link() {
        use std::fs::{self, File, Permissions};
        use std::os::unix::fs::{PermissionsExt, symlink};
        use std::time::Duration;
        let temp = tempfile::tempdir().unwrap();
        let at = |path: &str| temp.path().join(path);
        let long_ago = SystemTime::now() - Duration::from_secs(60 * 24 * 60 * 60);
        let old = |path: &str| {
            fs::create_dir_all(at(path)).unwrap();
            File::open(at(path)).unwrap().set_modified(long_ago).unwrap();
        };
        let folders = Folders { usual: at("cache"), instead: Some(at("top/key")) };
        let sweep = |mode: u32| {
            fs::set_permissions(at("top"), Permissions::from_mode(mode)).unwrap();
            old("cache/aa");
            folders.sweep(SystemTime::now(), |_| false);
            assert!(!at("cache/aa").exists());
        };
        for path in ["theirs/aa", "theirs/bb", "top/key/cc"] {
            old(path);
        }
        symlink(at("theirs/bb"), at("top/key/bb")).unwrap();
        sweep(0o755);
        assert!(at("top/key/cc").is_dir());
        sweep(0o700);
        assert!(!at("top/key/cc").exists() && at("theirs/bb").is_dir());
        fs::rename(at("top/key"), at("top/before")).unwrap();
        symlink(at("theirs"), at("top/key")).unwrap();
        for mode in [0o755, 0o700] {
            sweep(mode);
            assert!(at("theirs/aa").is_dir(), "{mode:o}");
        }
    }
}
