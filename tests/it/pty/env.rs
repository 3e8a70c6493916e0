//! The environment of a test in a terminal: a repository with four skills, and nothing of the
//! machine's.

use crate::env::TestEnv;
use std::path::PathBuf;

impl TestEnv {
    /// A repository with four skills and a home without any.
    pub(super) fn with_four_skills() -> Self {
        let env = Self::new();
        env.repo_skill("alpha", "Writes the first letter");
        env.repo_skill("pdf-forms", "Fill in forms of portable documents");
        env.repo_skill("pdf-merge", "Join portable documents");
        env.repo_skill("zebra", "Draws stripes");
        env
    }

    /// Writes a skill of the repository.
    pub(super) fn repo_skill(&self, name: &str, description: &str) -> PathBuf {
        let frontmatter = format!("name: {name}\ndescription: {description}");
        let body = format!("# About {name}\n\nThe body of {name}.\n");
        self.raw_skill(&format!("repo/.agents/skills/{name}"), &frontmatter, &body)
    }

    /// The environment of every program: nothing of the machine's but where programs are.
    pub(super) fn environment(&self) -> Vec<(String, String)> {
        [
            ("PATH", crate::support::path_without_agents().into_string().unwrap()),
            ("TERM", "xterm-256color".to_owned()),
            ("LC_ALL", "C.UTF-8".to_owned()),
            ("HOME", self.text("home")),
            ("TMPDIR", self.text("tmp")),
            ("XDG_CONFIG_HOME", self.text("home/.config")),
            ("XDG_STATE_HOME", self.text("home/.local/state")),
            ("XDG_DATA_HOME", self.text("home/.local/share")),
            ("XDG_CACHE_HOME", self.text("home/.cache")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}
