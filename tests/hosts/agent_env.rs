//! The environment in which an agent runs: it may write as it pleases there.

use crate::env::TestEnv;
use std::fs;
use std::path::Path;

impl TestEnv {
    /// A home and a repository with `a/b/` in it, which git itself takes for one.
    pub(crate) fn for_agents() -> Self {
        let env = Self::in_build_folder(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosts"));
        fs::create_dir_all(env.at("repo/a/b")).unwrap();
        env.repository("repo");
        env
    }

    /// A home, and nothing else but a folder for temporary files.
    pub(crate) fn bare() -> Self {
        let env = Self::in_build_folder(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosts"));
        fs::remove_dir_all(env.at("repo")).unwrap();
        env
    }

    /// Makes a folder a repository as far as git itself is concerned, without asking for git.
    pub(crate) fn repository(&self, folder: &str) {
        for below in ["objects", "refs/heads"] {
            fs::create_dir_all(self.at(folder).join(".git").join(below)).unwrap();
        }
        self.write(format!("{folder}/.git/HEAD"), "ref: refs/heads/main\n");
        self.write(
            format!("{folder}/.git/config"),
            "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
        );
    }

    /// A sound skill `<folder>/SKILL.md`, with its folder's name.
    pub(crate) fn sound_skill(&self, folder: &str) {
        self.named(folder, folder.rsplit('/').next().unwrap());
    }

    /// Sound skills of these names, side by side.
    pub(crate) fn sound_skills(&self, root: &str, names: &[&str]) {
        names.iter().for_each(|name| self.sound_skill(&format!("{root}/{name}")));
    }

    /// A sound skill under a name of its own.
    pub(crate) fn named(&self, folder: &str, name: &str) {
        self.raw(folder, &format!("name: {name}\ndescription: d"));
    }

    /// A skill with this frontmatter.
    pub(crate) fn raw(&self, folder: &str, frontmatter: &str) {
        self.raw_skill(folder, frontmatter, "Body\n");
    }
}
