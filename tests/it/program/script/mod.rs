//! Scripts run by the real launcher.

mod chains;
mod consent;
mod credentials;
mod ends;
mod escapes;
mod reach;
mod rules;
mod secrets;

use crate::env::TestEnv;
use crate::support::skipped;
use skillpick::catalog::{Invocation, Locations, Properties, Scope, Skill, SkillRoot, Stamp};
use skillpick::sandbox::{
    Captured, Interpreters, Launcher, Limits, PrepareError, Prepared, Ran, Request, RunError,
    Sandbox, WorkDir,
};
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A home, a repository, and one skill with scripts.
pub(super) struct Bench {
    pub(super) env: TestEnv,
    pub(super) skill: Skill,
    pub(super) arguments: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) own: Vec<(OsString, OsString)>,
    pub(super) directory: WorkDir,
    pub(super) timeout: Duration,
    pub(super) sandbox: Sandbox,
    pub(super) limits: Limits,
    pub(super) launcher: Launcher,
}

impl Bench {
    pub(super) fn new() -> Self {
        // Not below the temporary folder that scripts get: what lies here is the person's.
        let env = TestEnv::new();
        let text = "---\nname: skill\ndescription: Runs.\nallowed-tools: Bash(*)\n---\n";
        let path = env.write("repo/skill/SKILL.md", text);
        let skill = Skill {
            name: "skill".into(),
            description: "Runs.".into(),
            locations: Locations::default(),
            scope: Scope::Repo,
            in_repository: false,
            root: SkillRoot::plain(&env.at("repo")),
            stamp: Stamp::default(),
            bytes: 0,
            whole: true,
            properties: Properties::default(),
            invocation: Invocation::default(),
            head: None,
            stored: None,
            diagnostics: Vec::new(),
            path,
        };
        let own =
            vec![("PATH".into(), "/usr/bin:/bin".into()), ("HOME".into(), env.at("home").into())];
        let launcher = Launcher::at(env!("CARGO_BIN_EXE_skillpick").into());
        Self {
            skill,
            arguments: Vec::new(),
            environment: Vec::new(),
            own,
            directory: WorkDir::Fresh,
            timeout: Duration::from_secs(20),
            sandbox: Sandbox::On,
            limits: Limits::default(),
            launcher: launcher.with_grace(Duration::from_millis(200)),
            env,
        }
    }

    pub(super) fn script(&self, name: &str, text: &str) -> PathBuf {
        self.env.write(format!("repo/skill/{name}"), text)
    }

    pub(super) fn try_prepare(&self, script: &str) -> Result<Prepared, PrepareError> {
        let launcher = self.launcher.clone().with_variables(self.own.clone());
        let request = Request {
            skill: &self.skill,
            may_copy: &|_| true,
            script,
            arguments: &self.arguments,
            environment: &self.environment,
            directory: &self.directory,
            timeout: self.timeout,
            sandbox: self.sandbox,
            limits: self.limits,
            interpreters: &Interpreters::default(),
            untrusted: &[],
            private: &[],
            launcher: &launcher,
        };
        request.prepare()
    }

    pub(super) fn prepare(&self, script: &str) -> Prepared {
        self.try_prepare(script).unwrap_or_else(|error| panic!("{script}: {error:?}"))
    }

    pub(super) fn try_run(&self, script: &str) -> Result<Ran, RunError> {
        self.prepare(script).run()
    }

    pub(super) fn run(&self, script: &str) -> Ran {
        self.try_run(script).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Runs a text as a shell script.
    pub(super) fn bash(&self, text: &str) -> Ran {
        self.script("run.sh", text);
        self.run("run.sh")
    }
}

/// The ways of shutting a script in that this machine has. Without bubblewrap it is said that it
/// was not tried.
pub(super) fn sandboxes() -> Vec<Sandbox> {
    let mut bench = Bench::new();
    bench.sandbox = Sandbox::Bubblewrap;
    bench.script("run.sh", "echo ran");
    match bench.try_run("run.sh") {
        Ok(_) => vec![Sandbox::On, Sandbox::Bubblewrap],
        Err(error) => {
            skipped(&format!("bubblewrap was not tried (`just ci` installs it): {error}"));
            vec![Sandbox::On]
        }
    }
}

pub(super) fn out(captured: &Captured) -> String {
    captured.text()
}

/// Living processes that have these words among their variables.
pub(super) fn marked(words: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let look = |place: &Path| {
        let environment = fs::read(place.join("environ")).ok()?;
        let text = String::from_utf8_lossy(&environment).into_owned();
        let state = fs::read_to_string(place.join("stat")).ok()?;
        text.contains(words).then(|| (place.display().to_string(), state))
    };
    entries.filter_map(|entry| look(&entry.path())).collect()
}

/// The launcher, started as the library does, with a text for bash and a word among its variables;
/// outside a sandbox.
pub(super) fn started(text: &str, mark: &str) -> (UnixStream, Child) {
    let word = |word: &str| serde_json::json!({"Unix": word.as_bytes()});
    let plan = serde_json::json!({
        "program": word("/bin/bash"), "arguments": [word("-c"), word(text)], "environment": [[word("MARK"), word(mark)]],
        "directory": word("/"), "sandbox": "off", "system": [], "read": [], "write": [], "bubblewrap": null, "timeout_ms": 20_000,
        "limits": { "memory": 1_u64 << 32, "processes": 1_024, "file_size": 1 << 30 },
        "grace_ms": 100, "lacking": [],
    });
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    // By way of a shell that leaves a descriptor open.
    let words = format!("exec 9>/dev/stderr; exec '{}' __sandbox", env!("CARGO_BIN_EXE_skillpick"));
    let mut shell = Command::new("/bin/bash");
    shell
        .args(["-c", &words])
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let child = shell.spawn().unwrap();
    ours.write_all(format!("{plan}\n").as_bytes()).unwrap();
    (ours, child)
}
