//! The environment of a test: a home directory and a repository of its own, gone when it is dropped.
//! Unit tests, the tests of the program and those of the agents share it.

#![allow(dead_code, reason = "each test binary uses its own part")]

pub(crate) mod bar;
pub(crate) mod hostile;
#[cfg(unix)]
pub(crate) mod postgres;
pub(crate) mod random;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// `home/`, `tmp/` and `repo/`, which is a repository by its `.git`, below one temporary folder.
pub(crate) struct TestEnv {
    /// The folder, canonical.
    pub(crate) top: PathBuf,
    /// Further variables for the programs that are run here.
    pub(crate) variables: Vec<(&'static str, String)>,
    _folder: TempDir,
}

impl TestEnv {
    pub(crate) fn new() -> Self {
        Self::in_folder(tempfile::tempdir().unwrap())
    }

    /// As [`TestEnv::new`], below the build's own folder: some agents complain about a home in the
    /// system's temporary folder.
    pub(crate) fn in_build_folder(parent: &Path) -> Self {
        fs::create_dir_all(parent).unwrap();
        Self::in_folder(TempDir::new_in(parent).unwrap())
    }

    fn in_folder(folder: TempDir) -> Self {
        let top = fs::canonicalize(folder.path()).unwrap();
        for path in ["home", "tmp", "repo/.git"] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        // Where coverage is measured: what a program ran is written there, not into its folder.
        let coverage = std::env::var("LLVM_PROFILE_FILE").ok();
        let variables = coverage.map(|file| ("LLVM_PROFILE_FILE", file)).into_iter().collect();
        Self { top, variables, _folder: folder }
    }

    /// With this variable set for every program that is run.
    pub(crate) fn variable(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// A path below the top.
    pub(crate) fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.top.join(path)
    }

    /// A path below the top as text.
    pub(crate) fn text(&self, path: &str) -> String {
        self.at(path).to_str().unwrap().to_owned()
    }

    /// Writes a file below the top, with its folders.
    pub(crate) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The text of a file below the top.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    /// A skill of this name and description in a folder of that name.
    pub(crate) fn skill(&self, folder: &str, name: &str, description: &str) -> PathBuf {
        let frontmatter = format!("name: {name}\ndescription: {description}");
        self.raw_skill(&format!("{folder}/{name}"), &frontmatter, "")
    }

    /// A `SKILL.md` in this folder with this frontmatter and body.
    pub(crate) fn raw_skill(&self, folder: &str, frontmatter: &str, body: &str) -> PathBuf {
        self.write(format!("{folder}/SKILL.md"), format!("---\n{frontmatter}\n---\n{body}"))
    }

    /// The person's settings, below `version = 1`.
    pub(crate) fn settings(&self, text: &str) -> PathBuf {
        self.write("home/.config/skillpick/config.toml", format!("version = 1\n{text}"))
    }

    /// A link at `link` that leads to `target`, both below the top.
    #[cfg(unix)]
    pub(crate) fn link(&self, target: &str, link: &str) {
        let link = self.at(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(self.at(target), link).unwrap();
    }
}

/// Makes a named pipe. Whoever opens it to read waits for a writer.
///
/// # Errors
/// The system's `mkfifo` fails, for example since something is there.
#[cfg(unix)]
pub(crate) fn named_pipe(path: &Path) -> io::Result<()> {
    let made = Command::new("mkfifo").arg(path).stderr(Stdio::null()).status()?;
    if made.success() { Ok(()) } else { Err(io::Error::other("mkfifo fails")) }
}
