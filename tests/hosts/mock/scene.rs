//! A home and a repository that an agent runs in, and its run.

use skillpick::files::child;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// No run may take longer; it is killed and its test fails with what it printed.
const LIMIT: Duration = Duration::from_secs(60);

/// A home and a repository below one temporary folder.
pub(crate) struct Scene {
    top: PathBuf,
    _folder: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code; none after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    /// stderr; it is also what a failed test shows.
    pub(crate) err: String,
}

impl Scene {
    /// An empty one. It lies outside the system's folder for temporary files, which some agents
    /// distrust.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for path in ["home", "repo/.git/objects", "repo/.git/refs/heads"] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        let scene = Self { top, _folder: folder };
        // Git must take it for a repository: behind an empty `.git` it would find the one around
        // this scene.
        scene.write("repo/.git/HEAD", "ref: refs/heads/main\n");
        scene.write("repo/.git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
        // opencode lists a skill's files by ripgrep, and would download one. Where none is
        // installed, this one finds nothing.
        scene.program("rg", "#!/bin/sh\nexit 1\n");
        scene
    }

    /// A program of this name.
    pub(crate) fn program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.write(&format!("bin/{name}"), script);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A path below the top, which holds `home` and `repo`.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.top.join(path)
    }

    /// Writes a file below the top, with its folders.
    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A skill of that name in the folder `<root>/<name>`; its body is the line [`Scene::body`].
    pub(crate) fn skill(&self, root: &str, name: &str) -> PathBuf {
        let folder = format!("{root}/{name}");
        let body = Self::body(&folder);
        let text = format!("---\nname: {name}\ndescription: Describes {name}.\n---\n{body}\n");
        self.write(&format!("{folder}/SKILL.md"), &text)
    }

    /// The only line of the skill in that folder, which identifies it.
    pub(crate) fn body(folder: &str) -> String {
        format!("This is the body of {folder}.")
    }

    /// The program, in the repository, in an environment that has only this scene.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.at("repo")).env_clear();
        let path = std::env::var("PATH").unwrap_or_default();
        // The agents' folder has the Node that they want; the scene's own programs only stand in
        // for missing ones.
        let path =
            format!("{}:{path}:{}", crate::agent::programs().display(), self.at("bin").display());
        command.env("PATH", path).env("TERM", "dumb").env("NO_COLOR", "1");
        command.env("HOME", self.at("home")).env("LANG", "C.UTF-8");
        command
    }
}

/// Runs it to its end, and ends what it left behind.
pub(crate) fn run(command: &Command) -> Ran {
    let given =
        |(name, value): (&OsStr, Option<&OsStr>)| Some((name.to_owned(), value?.to_owned()));
    let run = child::Run {
        program: command.get_program().into(),
        arguments: command.get_args().map(OsStr::to_owned).collect(),
        folder: command.get_current_dir().unwrap().to_owned(),
        environment: command.get_envs().filter_map(given).collect(),
        timeout: LIMIT,
        cap: 1 << 20,
        ..child::Run::default()
    };
    let output = child::run(&run).unwrap_or_else(|failure| panic!("{command:?}: {failure:?}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.code, out: text(&output.stdout), err: text(&output.stderr) }
}
