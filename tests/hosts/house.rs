//! A house that is nobody's: a home and a repository, in which agents may write as they please.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// `repo/` with `a/b/` in it, and `home/`, in a folder of the build's own (some agents complain
/// about a home in the system's temporary folder). It is gone when the house is dropped.
pub(crate) struct House {
    top: PathBuf,
}

impl House {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let top = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("hosts/{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&top);
        for folder in ["home", "tmp", "repo/a/b"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        let house = Self { top: fs::canonicalize(top).unwrap() };
        house.repository("repo");
        house
    }

    /// Makes a folder a repository as far as git itself is concerned, without asking for git.
    pub(crate) fn repository(&self, folder: &str) {
        for below in ["objects", "refs/heads"] {
            fs::create_dir_all(self.path(folder).join(".git").join(below)).unwrap();
        }
        self.write(&format!("{folder}/.git/HEAD"), "ref: refs/heads/main\n");
        self.write(
            &format!("{folder}/.git/config"),
            "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
        );
    }

    /// A path below the house.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.top.join(path)
    }

    /// As it would be written in a setting.
    pub(crate) fn text(&self, path: &str) -> String {
        self.path(path).to_str().unwrap().to_owned()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A sound skill `<folder>/SKILL.md`, with its folder's name.
    pub(crate) fn skill(&self, folder: &str) {
        self.named(folder, folder.rsplit('/').next().unwrap());
    }

    /// Sound skills of these names, side by side.
    pub(crate) fn skills(&self, root: &str, names: &[&str]) {
        names.iter().for_each(|name| self.skill(&format!("{root}/{name}")));
    }

    /// A sound skill under a name of its own.
    pub(crate) fn named(&self, folder: &str, name: &str) {
        self.raw(folder, &format!("name: {name}\ndescription: d"));
    }

    /// A skill with this frontmatter.
    pub(crate) fn raw(&self, folder: &str, frontmatter: &str) {
        self.write(&format!("{folder}/SKILL.md"), format!("---\n{frontmatter}\n---\nBody\n"));
    }

    pub(crate) fn link(&self, target: &str, link: &str) {
        let link = self.path(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(self.path(target), link).unwrap();
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.top);
    }
}
