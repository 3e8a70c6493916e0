//! Which folders belong to a repository. Skills there are not the person's own, even if a folder of
//! theirs has a link to them.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What makes a folder a repository.
const MARKERS: [&str; 2] = [".git", ".jj"];

/// Whether a folder that has an entry of this name may be the top of a repository.
pub(super) fn is_marker(name: &OsStr) -> bool {
    MARKERS.iter().any(|marker| name.eq_ignore_ascii_case(marker))
}

/// Whether a folder is the top of a repository.
pub fn is_top(folder: &Path) -> bool {
    MARKERS.iter().any(|marker| folder.join(marker).exists())
}

/// Where the person works, by canonical paths.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// The home directory is the person's own even if it is a repository.
    pub home: Option<PathBuf>,
    /// The repository of the working directory, or the working directory if there is none.
    pub working: Option<PathBuf>,
}

/// A [`Ground`] that remembers which directories it has examined.
pub(super) struct RepositoryCache<'a> {
    ground: &'a Ground,
    folders: HashMap<PathBuf, bool>,
}

impl<'a> RepositoryCache<'a> {
    pub(super) fn new(ground: &'a Ground) -> Self {
        Self { ground, folders: HashMap::new() }
    }

    /// Whether a file, by its canonical path, is in the place of work or in any repository. Its own
    /// folder is looked at only if `may_be_top`: whether it may be the top of a repository, the
    /// caller knows from a list of the folder at less cost.
    pub(super) fn is_in_repository(&mut self, file: &Path, may_be_top: bool) -> bool {
        let working = self.ground.working.as_ref();
        working.is_some_and(|working| file.starts_with(working))
            || file.parent().is_some_and(|folder| self.look(folder, may_be_top))
    }

    /// Remembers the folders above only: that of a skill is seldom asked for twice.
    fn look(&mut self, folder: &Path, may_be_top: bool) -> bool {
        self.ground.home.as_deref() != Some(folder)
            && ((may_be_top && is_top(folder))
                || folder.parent().is_some_and(|parent| self.is_repository(parent)))
    }

    fn is_repository(&mut self, folder: &Path) -> bool {
        if let Some(known) = self.folders.get(folder) {
            return *known;
        }
        let is = self.look(folder, true);
        self.folders.insert(folder.to_owned(), is);
        is
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_lies_in_a_repository_is_known_by_its_path_and_the_home_directory_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for path in ["home/.git", "home/src/cloned/.git/x", "home/src/plain", "work/sub"] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        fs::create_dir_all(top.join("tree/deep")).unwrap();
        fs::write(top.join("tree/.git"), "gitdir: elsewhere\n").unwrap();
        let ground = Ground { home: Some(top.join("home")), working: Some(top.join("work")) };
        let mut repositories = RepositoryCache::new(&ground);
        for (path, inside) in [
            ("home/.agents/skills/pdf/SKILL.md", false),
            ("home/src/plain/SKILL.md", false),
            ("home/src/cloned/skills/pdf/SKILL.md", true),
            ("home/src/cloned/SKILL.md", true),
            ("tree/deep/SKILL.md", true),
            ("work/sub/SKILL.md", true),
            ("workshop/SKILL.md", false),
        ] {
            assert_eq!(repositories.is_in_repository(&top.join(path), true), inside, "{path}");
        }
    }
}
