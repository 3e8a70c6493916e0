//! A small world of its own for each test: a repository with skills, a home, settings; nothing of
//! the machine's.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The folders; gone when dropped.
pub(super) struct House {
    _folder: TempDir,
    top: PathBuf,
}

impl House {
    /// A repository with four skills and a home without any.
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        let house = Self { _folder: folder, top };
        for path in ["repo/.git", "repo/.agents/skills", "home", "tmp"] {
            fs::create_dir_all(house.path(path)).unwrap();
        }
        house.skill("alpha", "Writes the first letter");
        house.skill("pdf-forms", "Fill in forms of portable documents");
        house.skill("pdf-merge", "Join portable documents");
        house.skill("zebra", "Draws stripes");
        house
    }

    /// A path below the top.
    pub(super) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.top.join(relative)
    }

    /// Writes a file, with the folders above it.
    pub(super) fn write(&self, relative: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Writes a skill of the repository.
    pub(super) fn skill(&self, name: &str, description: &str) -> PathBuf {
        let text = format!(
            "---\nname: {name}\ndescription: {description}\n---\n# About {name}\n\nThe body of {name}.\n"
        );
        self.write(format!("repo/.agents/skills/{name}/SKILL.md"), text)
    }

    /// The environment of every program: nothing of the machine's but where programs are.
    pub(super) fn environment(&self) -> Vec<(String, String)> {
        let below = |path: &str| self.path(path).to_str().unwrap().to_owned();
        [
            ("PATH", crate::support::path_without_agents().into_string().unwrap()),
            ("TERM", "xterm-256color".to_owned()),
            ("LC_ALL", "C.UTF-8".to_owned()),
            ("HOME", below("home")),
            ("TMPDIR", below("tmp")),
            ("XDG_CONFIG_HOME", below("home/config")),
            ("XDG_STATE_HOME", below("home/state")),
            ("XDG_DATA_HOME", below("home/data")),
            ("XDG_CACHE_HOME", below("home/cache")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}
