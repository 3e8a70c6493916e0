//! What decides where a host looks: working directory, repository, home directory and environment.

use super::Folder;
use crate::catalog::{Scope, plain_path, written_path};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The working directory, canonical as far as it exists.
    pub cwd: PathBuf,
    /// The repository root: the nearest directory from `cwd` up that holds a `.git` (file or
    /// directory) or `.jj`. It is never the home directory.
    pub repo_root: Option<PathBuf>,
    /// The home directory, canonical as far as it exists.
    pub home: Option<PathBuf>,
    pub environment: BTreeMap<String, OsString>,
}

impl Context {
    /// The context of `cwd` in this process' environment. Variables whose name is not UTF-8 are
    /// left out.
    pub fn discover(cwd: &Path) -> Self {
        let variables =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
        let home = directories::BaseDirs::new().map(|folders| folders.home_dir().to_owned());
        let home = home.filter(|home| home.is_absolute());
        Self::at(cwd, home, variables.collect())
    }

    pub fn at(cwd: &Path, home: Option<PathBuf>, environment: BTreeMap<String, OsString>) -> Self {
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (cwd, home) = (real(cwd), home.map(|home| real(&home)));
        let marked =
            |folder: &&Path| [".git", ".jj"].iter().any(|marker| folder.join(marker).exists());
        let repo_root =
            cwd.ancestors().filter(|folder| home.as_deref() != Some(*folder)).find(marked);
        Self { repo_root: repo_root.map(Path::to_owned), cwd, home, environment }
    }

    /// The directories from the working directory up to the repository root, nearest first. Outside
    /// a repository only the working directory. The home directory is left out, since its skills
    /// are the person's.
    pub fn chain(&self) -> Vec<PathBuf> {
        let top = self.repo_root.as_deref().unwrap_or(&self.cwd);
        let inside = self.cwd.ancestors().take_while(|folder| folder.starts_with(top));
        inside.filter(|folder| self.home.as_deref() != Some(*folder)).map(Path::to_owned).collect()
    }

    /// A variable of the environment that is not empty.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment.get(name).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// The same for a program to which upper and lower case in the name are one. Of several
    /// spellings it takes the last in its environment, whose order we do not know: here that is
    /// the last in a dictionary, as in a copy in which it is asked.
    pub fn variable_in_any_case(&self, name: &str) -> Option<&OsStr> {
        let name = name.to_lowercase();
        let mut set = self.environment.iter().rev().filter(|(_, value)| !value.is_empty());
        set.find(|(other, _)| other.to_lowercase() == name).map(|(_, value)| value.as_os_str())
    }

    /// A variable that switches something on: set, and neither `0` nor `false`.
    pub fn flag(&self, name: &str) -> bool {
        self.variable(name)
            .is_some_and(|value| value != "0" && !value.eq_ignore_ascii_case("false"))
    }

    /// Where a host's folder is: the value of its variable, relative to the working directory, or
    /// its default in the home directory. A default in `.config` follows `XDG_CONFIG_HOME`.
    pub fn folder(&self, folder: Folder) -> Option<PathBuf> {
        let config =
            || Some((folder.default.strip_prefix(".config/")?, self.variable("XDG_CONFIG_HOME")?));
        match (self.variable(folder.variable), config()) {
            (Some(named), _) => match named.to_str().filter(|_| folder.tilde) {
                Some(text) => self.path(text, &self.cwd),
                None => Some(self.cwd.join(named)),
            },
            (None, Some((below, config))) => Some(self.cwd.join(config).join(below)),
            (None, None) => self.home.as_ref().map(|home| home.join(folder.default)),
        }
    }

    /// The directories from the working directory up to the nearest with one of these markers,
    /// nearest first. Only the working directory if none has one. The home directory is not left
    /// out: each host decides that.
    pub fn chain_to(&self, markers: &[&str]) -> Vec<PathBuf> {
        let marked = |folder: &&Path| markers.iter().any(|marker| folder.join(marker).exists());
        match self.cwd.ancestors().find(marked) {
            Some(top) => self
                .cwd
                .ancestors()
                .take_while(|folder| folder.starts_with(top))
                .map(Path::to_owned)
                .collect(),
            None => vec![self.cwd.clone()],
        }
    }

    /// A text of a settings file as a path: `~` is the home directory, and relative paths begin at
    /// `base`.
    pub fn path(&self, text: &str, base: &Path) -> Option<PathBuf> {
        written_path(text, self.home.as_deref(), base)
    }

    /// What a person or a model has written as a path: `~` is the home directory, and relative
    /// paths begin at the working directory. `..` stays, since behind a link it leads elsewhere than
    /// the text says.
    pub fn from_here(&self, text: &str) -> PathBuf {
        self.path(text, &self.cwd).unwrap_or_else(|| self.cwd.join(text))
    }

    /// `path` from the working directory, with `.` and `..` resolved in the text, as most programs
    /// do before they open a path.
    pub fn resolve(&self, path: impl AsRef<Path>) -> PathBuf {
        plain_path(&self.cwd.join(path))
    }

    /// The scope of a folder that was named explicitly: the repository's if it lies in the
    /// repository (links followed), otherwise the person's.
    pub fn scope(&self, folder: &Path) -> Scope {
        let real = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let inside = self.repo_root.as_deref().is_some_and(|root| real.starts_with(root));
        if inside { Scope::Repo } else { Scope::User }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn at(cwd: &Path, home: &Path) -> Context {
        Context::at(cwd, Some(home.to_owned()), BTreeMap::new())
    }

    #[test]
    fn the_repository_is_the_nearest_marker_and_never_the_home_directory() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        let home = top.join("home");
        for path in [
            "home/.git",
            "home/project/.jj",
            "home/project/sub/deep",
            "home/project/tree",
            "home/plain/sub",
        ] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        fs::write(home.join("project/tree/.git"), "gitdir: elsewhere\n").unwrap();
        for (cwd, root, chain) in [
            (
                "project/sub/deep",
                Some("project"),
                vec!["project/sub/deep", "project/sub", "project"],
            ),
            ("project", Some("project"), vec!["project"]),
            ("project/tree", Some("project/tree"), vec!["project/tree"]),
            ("plain/sub", None, vec!["plain/sub"]),
            ("", None, vec![]),
        ] {
            let context = at(&home.join(cwd), &home);
            assert_eq!(context.repo_root, root.map(|root| home.join(root)), "{cwd}");
            assert_eq!(
                context.chain(),
                chain.iter().map(|path| home.join(path)).collect::<Vec<_>>(),
                "{cwd}"
            );
        }
    }

    #[test]
    fn no_home_and_a_working_directory_that_is_gone() {
        let context = Context::at(Path::new("/no/such/folder"), None, BTreeMap::new());
        assert_eq!(context.cwd, Path::new("/no/such/folder"));
        assert_eq!((context.repo_root.is_none(), context.home.is_none()), (true, true));
        assert_eq!(context.chain(), [PathBuf::from("/no/such/folder")]);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_the_repositorys_by_where_it_really_lies() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for path in ["repo/.git", "repo/in", "repository-twin", "home"] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        std::os::unix::fs::symlink(top.join("home"), top.join("repo/link")).unwrap();
        let context = at(&top.join("repo"), &top.join("home"));
        let scopes = ["repo/in", "repo/link", "repository-twin", "repo/in/../../home"]
            .map(|path| context.scope(&top.join(path)));
        assert_eq!(scopes, [Scope::Repo, Scope::User, Scope::User, Scope::User]);
    }
}
