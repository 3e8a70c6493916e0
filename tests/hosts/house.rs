//! A house that is nobody's: a home and a repository, in which agents may write as they please.

use std::fs;
use std::path::{Path, PathBuf};

/// `repo/` with `a/b/` in it, and `home/`, in a folder of the build's own (some agents complain about a home in the
/// system's temporary folder). It is gone when the house is dropped.
pub struct House {
    top: PathBuf,
}

impl House {
    pub fn new(name: &str) -> Self {
        let top = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hosts-{name}"));
        let _ = fs::remove_dir_all(&top);
        for folder in ["home", "tmp", "repo/a/b", "repo/.git/objects", "repo/.git/refs/heads"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        let house = Self { top: fs::canonicalize(top).unwrap() };
        // A repository as far as git itself is concerned, without asking for git.
        house.write("repo/.git/HEAD", "ref: refs/heads/main\n");
        house.write("repo/.git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
        house
    }

    /// A path below the house.
    pub fn path(&self, path: &str) -> PathBuf {
        self.top.join(path)
    }

    /// As it would be written in a setting.
    pub fn text(&self, path: &str) -> String {
        self.path(path).to_str().unwrap().to_owned()
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A sound skill `<folder>/SKILL.md`, with its folder's name.
    pub fn skill(&self, folder: &str) {
        self.named(folder, folder.rsplit('/').next().unwrap());
    }

    /// A sound skill under a name of its own.
    pub fn named(&self, folder: &str, name: &str) {
        self.raw(folder, &format!("name: {name}\ndescription: d"));
    }

    /// A skill with this frontmatter.
    pub fn raw(&self, folder: &str, frontmatter: &str) {
        self.write(&format!("{folder}/SKILL.md"), format!("---\n{frontmatter}\n---\nBody\n"));
    }

    pub fn link(&self, target: &str, link: &str) {
        let link = self.path(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(self.path(target), link).unwrap();
    }

    pub fn remove(&self, path: &str) {
        let path = self.path(path);
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.top);
    }
}
