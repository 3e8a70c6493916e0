//! Runs the program in a test environment, and reads what it prints.

#[cfg(unix)]
pub(crate) mod paths;

use crate::env::{TestEnv, bar};
use serde_json::Value as Json;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    /// What stood on stdout.
    pub(crate) bytes: Vec<u8>,
    /// What stood on stderr.
    pub(crate) err: String,
}

impl TestEnv {
    /// An environment with the skills of `fixtures/good` in the repository.
    pub(crate) fn furnished() -> Self {
        let env = Self::new();
        env.fixture("good", "repo/.agents/skills");
        env
    }

    /// An environment with two skills that this agent sees once each, in a folder that Gemini
    /// trusts. With one alone Kodelet would be told to have no skills at all, for it has no word
    /// for one.
    pub(crate) fn of(host: &str) -> Self {
        let env = Self::new().variable("GEMINI_CLI_TRUST_WORKSPACE", "true");
        let folder = match host {
            "claude" => ".claude",
            "kodelet" => ".kodelet",
            _ => ".agents",
        };
        for name in ["pdf", "zip"] {
            env.skill(&format!("repo/{folder}/skills"), name, "Forms.");
        }
        env
    }

    /// With this shell script as a program on `PATH`, and no agent's.
    #[cfg(unix)]
    pub(crate) fn program(self, name: &str, script: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let program = self.write(format!("bin/{name}"), format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", self.text("bin"));
        self.variable("PATH", &path)
    }

    /// Copies a folder of `fixtures/`.
    pub(crate) fn fixture(&self, name: &str, to: &str) {
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name), &self.at(to));
    }

    /// The program, in the repository, in an environment where only this environment is. There is
    /// no terminal to draw on.
    pub(crate) fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skillpick"));
        command.args(arguments).current_dir(self.at("repo")).env_clear().stdin(Stdio::null());
        command.env("PATH", path_without_agents()).env("TERM", "dumb");
        for (name, path) in [
            ("HOME", "home"),
            ("TMPDIR", "tmp"),
            ("XDG_CONFIG_HOME", "home/.config"),
            ("XDG_STATE_HOME", "home/.local/state"),
            ("XDG_DATA_HOME", "home/.local/share"),
        ] {
            command.env(name, self.at(path));
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Ran {
        let output = self.command(arguments).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        Ran { code: output.status.code().unwrap_or(-1), bytes: output.stdout, err }
    }

    /// Runs it, and reads the JSON document that it prints, which must be one of that schema.
    pub(crate) fn json(&self, schema: &str, arguments: &[&str]) -> Json {
        self.run(arguments).document(schema)
    }

    /// The calls in the log, newest first.
    pub(crate) fn calls(&self) -> Vec<Json> {
        self.json("activity", &["activity", "--json"])["calls"].as_array().unwrap().clone()
    }

    /// Runs it, which must fail, and reads the JSON document that says why.
    pub(crate) fn fails(&self, arguments: &[&str]) -> Json {
        let ran = self.run(arguments);
        let json = ran.document("error");
        assert!(ran.code != 0 && json["exit_code"] == ran.code && !ran.err.is_empty(), "{ran:?}");
        json
    }
}

/// The published schema of a document.
pub(crate) fn published(schema: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/schema");
    fs::read_to_string(folder.join(format!("{schema}.json"))).unwrap()
}

impl Ran {
    pub(crate) fn out(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap()
    }

    /// The JSON document on stdout, which must be one of that schema.
    #[track_caller]
    pub(crate) fn document(&self, schema: &str) -> Json {
        self.is_inert();
        let json: Json = serde_json::from_str(self.out().trim_end())
            .unwrap_or_else(|error| panic!("{error}: {self:?}"));
        let schema: Json = serde_json::from_str(&published(schema)).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{json}: {errors:?}");
        json
    }

    /// Fails unless the run ended with this code.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// Fails if either stream holds a character that could act on a terminal or hide from a reader
    /// (T2, T6).
    #[track_caller]
    pub(crate) fn is_inert(&self) {
        for text in [self.out(), &self.err] {
            let acts = |c: char| {
                (c.is_control() && c != '\n')
                    || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
                    || matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
            };
            assert!(!text.contains(acts), "{text:?}");
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Longer than anything here takes; a test that waits so long has failed.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

/// Waits for a condition that no descriptor tells of: looks every millisecond, until the deadline.
#[track_caller]
pub(crate) fn wait(mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < DEADLINE, "this never comes");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Reports a skipped test on a line of its own, which CI counts. It writes to stderr directly,
/// since the test runner swallows what `eprintln!` prints in a test that passes.
pub(crate) fn skipped(what: &str) {
    bar::tried(0);
    std::io::stderr().write_all(format!("\nskipped: {what}\n").as_bytes()).unwrap();
}

/// `PATH` without the folders in which an agent of this machine lies: what the tests see is the
/// same everywhere.
pub(crate) fn path_without_agents() -> std::ffi::OsString {
    let programs: Vec<&str> =
        skillpick::hosts::every().flat_map(|host| host.detect.programs).copied().collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let free = |folder: &PathBuf| !programs.iter().any(|program| folder.join(program).exists());
    std::env::join_paths(std::env::split_paths(&path).filter(free)).unwrap()
}
