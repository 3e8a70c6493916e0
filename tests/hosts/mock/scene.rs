//! A home and a repository that an agent runs in, and its run: a time limit, and an end to all that it started.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// No run may take longer; it is killed and its test fails with what it printed.
const LIMIT: Duration = Duration::from_secs(60);

/// A home and a repository below one folder, which goes with it.
pub(crate) struct Scene {
    top: PathBuf,
    _folder: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code; none after a signal.
    pub(crate) code: Option<i32>,
    /// stdout.
    pub(crate) out: String,
    /// stderr; it is also what a failed test shows.
    pub(crate) err: String,
}

impl Scene {
    /// An empty one. It lies outside the system's folder for temporary files, which some agents distrust.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for path in ["home", "repo"] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        // A true repository: `git` would look past an empty `.git`, to the one around this scene.
        let git = Command::new("git").args(["init", "-q"]).current_dir(top.join("repo")).status().unwrap();
        assert!(git.success());
        let scene = Self { top, _folder: folder };
        // opencode lists a skill's files by ripgrep, and would download one. Where none is installed, this one finds nothing.
        let stub = scene.write("bin/rg", "#!/bin/sh\nexit 1\n");
        fs::set_permissions(stub, fs::Permissions::from_mode(0o755)).unwrap();
        scene
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

    /// The only line of the skill in that folder, by which it is told from all others.
    pub(crate) fn body(folder: &str) -> String {
        format!("This is the body of {folder}.")
    }

    /// The program, in the repository, in an environment where only this scene is.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.at("repo")).env_clear();
        let path = std::env::var("PATH").unwrap_or_default();
        // The agents' folder has the Node that they want; the scene's own programs only stand in for missing ones.
        let path = format!("{}:{path}:{}", agents().display(), self.at("bin").display());
        command.env("PATH", path).env("TERM", "dumb").env("NO_COLOR", "1");
        command.env("HOME", self.at("home")).env("LANG", "C.UTF-8");
        command
    }
}

/// Where the agents' programs are: what `.ci/agents` has installed, or the like of it elsewhere.
pub(super) fn agents() -> PathBuf {
    let folder = std::env::var_os("SKILLPICK_AGENTS").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/agents"));
    let programs = folder.join("node_modules/.bin");
    if programs.is_dir() { programs } else { folder }
}

/// Runs it to its end, and kills what it left behind.
pub(crate) fn run(mut command: Command) -> Ran {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().unwrap();
    let group = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    let (out, err) = (reader(child.stdout.take().unwrap()), reader(child.stderr.take().unwrap()));
    let (tell, ended) = mpsc::channel();
    thread::spawn(move || {
        // It is not fetched yet: until it is, its number is given to nobody else, whom we would kill.
        let ended = waitid(WaitId::Pid(group), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).is_ok();
        let _ = tell.send(ended);
    });
    let in_time = ended.recv_timeout(LIMIT) == Ok(true);
    // What it has started may outlive it, in its group.
    let _ = kill_process_group(group, Signal::KILL);
    let status = child.wait().unwrap();
    let ran = Ran { code: status.code(), out: out.join().unwrap(), err: err.join().unwrap() };
    assert!(in_time, "killed after {LIMIT:?}: {command:?}: {ran:?}");
    ran
}

fn reader(mut stream: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_leaves_behind_ends_with_it() {
        let mut command = Command::new("sh");
        // The child keeps the streams open; were it to live on, their readers would wait for it.
        command.args(["-c", "sleep 3600 & echo out; echo err >&2; exit 3"]);
        let ran = run(command);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(3), "out\n", "err\n"));
    }
}
