//! Where the versions of stored skills become folders: in the cache or, where that cannot be
//! written, in a private folder in the system's temporary folder.

use super::digits;
use crate::files::access::{may_hold, real};
use crate::files::scratch;
use std::io;
use std::path::{Path, PathBuf};

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

    /// The folder of a version, which may not be there yet.
    pub(super) fn of(&self, version: &str) -> PathBuf {
        let usual = self.usual.join(digits(version));
        let instead = self.instead.as_ref().filter(|_| !usual.is_dir());
        instead.map_or(usual, |instead| instead.join(digits(version)))
    }

    /// Sees to it that nobody else can change a folder of a version.
    ///
    /// # Errors
    /// It is in the temporary folder, and somebody else has made that one.
    pub(super) fn secure(&self, folder: &Path) -> io::Result<()> {
        let instead = self.instead.as_deref().filter(|instead| folder.starts_with(instead));
        instead.and_then(Path::parent).map_or(Ok(()), scratch::private)
    }

    /// All that have folders of versions.
    pub(super) fn all(&self) -> impl Iterator<Item = &Path> {
        [Some(&self.usual), self.instead.as_ref()].into_iter().flatten().map(PathBuf::as_path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_is_in_the_cache_stays_there() {
        let temp = tempfile::tempdir().unwrap();
        let at = |path: &str| temp.path().join(path);
        std::fs::create_dir_all(at("cache/aa")).unwrap();
        let folders = Folders { usual: at("cache"), instead: Some(at("temporary")) };
        assert_eq!(folders.of("aa"), at("cache/aa"));
        assert_eq!(folders.of("bb"), at("temporary/bb"));
        let usual = Folders { instead: None, ..folders };
        assert_eq!(usual.of("bb"), at("cache/bb"));
    }
}
