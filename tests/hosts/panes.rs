//! An agent's own screen, in a pane of tmux, before the mock.

use crate::mock::{Agent, Mock, Scene};
use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a test waits for what it wants.
const PATIENCE: Duration = Duration::from_secs(60);

/// A scene, the mock, and a server of tmux in which the agent begins without questions. The first
/// pane is `%0`.
pub(crate) struct Desk {
    pub(crate) scene: Scene,
    pub(crate) mock: Mock,
    environment: Vec<(&'static str, String)>,
}

impl Desk {
    /// `None`, said, if the agent or tmux is not there.
    pub(crate) fn new(agent: Agent) -> Option<Self> {
        agent.program()?;
        if Command::new("tmux").arg("-V").output().is_err() {
            crate::agent::say("skipped: tmux is not here, so no agent is run in a terminal");
            return None;
        }
        let (scene, mock) = (Scene::new(), Mock::start());
        let environment = prepare(agent, &scene, &mock);
        crate::agent::count();
        Some(Self { scene, mock, environment })
    }

    /// Sets a variable of what the first pane runs.
    pub(crate) fn set(&mut self, name: &'static str, value: String) {
        self.environment.push((name, value));
    }

    /// Starts tmux with this in the first pane; a shell reads it.
    pub(crate) fn start(&self, line: &str) {
        let size = ["-f", "/dev/null", "new-session", "-d", "-x", "110", "-y", "60"];
        self.run(&[&size[..], &[line]].concat()).unwrap();
    }

    pub(crate) fn run(&self, words: &[&str]) -> Option<String> {
        let socket = self.scene.at("tmux.socket");
        let mut tmux = self.scene.command(Path::new("tmux"));
        tmux.arg("-S").arg(socket).args(words).env("TERM", "xterm-256color");
        // What an agent wants from other machines it asks of the mock, which refuses.
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            tmux.env(name, self.mock.url(""));
        }
        tmux.env("NO_PROXY", "127.0.0.1,localhost").env("no_proxy", "127.0.0.1,localhost");
        tmux.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let output = tmux.output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then_some(text)
    }

    pub(crate) fn text(&self, pane: &str) -> String {
        self.run(&["capture-pane", "-p", "-J", "-t", pane]).unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn see(&self, pane: &str, wanted: &str) {
        let shown = || self.text(pane);
        eventually(wanted, || shown().contains(wanted), shown);
    }

    pub(crate) fn type_text(&self, pane: &str, text: &str) {
        self.run(&["send-keys", "-t", pane, "-l", "--", text]).unwrap();
    }

    pub(crate) fn press(&self, pane: &str, keys: &str) {
        for key in keys.split(' ') {
            self.run(&["send-keys", "-t", pane, key]).unwrap();
        }
    }

    /// What the person says in the first turn, which is waited for.
    #[track_caller]
    pub(crate) fn asked(&self) -> Vec<String> {
        eventually("a turn", || !self.mock.turns().is_empty(), || self.text("%0"));
        self.mock.turns().remove(0).said_by("user")
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
        // Codex leaves a service behind, whose program lies in the scene's home.
        let own = self.scene.at("home").display().to_string();
        let Ok(ps) = Command::new("ps").args(["-A", "-ww", "-o", "pid=,args="]).output() else {
            return;
        };
        for line in String::from_utf8_lossy(&ps.stdout).lines().filter(|it| it.contains(&own)) {
            if let Some(pid) = line.split_whitespace().next() {
                let _ = Command::new("kill").arg(pid).status();
            }
        }
    }
}

#[track_caller]
pub(crate) fn eventually(what: &str, wanted: impl Fn() -> bool, shown: impl Fn() -> String) {
    let deadline = Instant::now() + PATIENCE;
    while !wanted() {
        assert!(Instant::now() < deadline, "waited for: {what}\n{}", shown());
        let pause = rustix::event::Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
        rustix::event::poll(&mut [], Some(&pause)).unwrap();
    }
}

/// The settings with which an agent begins without questions, and its variables.
fn prepare(agent: Agent, scene: &Scene, mock: &Mock) -> Vec<(&'static str, String)> {
    let repo = scene.at("repo").display().to_string();
    match agent {
        Agent::Codex => {
            let settings = format!(
                "model = \"gpt-5\"\nmodel_provider = \"mock\"\ncheck_for_update_on_startup = false\n\
                 [model_providers.mock]\nname = \"mock\"\nbase_url = \"{}\"\nwire_api = \"responses\"\n\
                 [projects.{repo:?}]\ntrust_level = \"trusted\"\n",
                mock.url("/v1")
            );
            scene.write("home/.codex/config.toml", &settings);
        }
        Agent::Claude => {
            let settings = json!({
                "hasCompletedOnboarding": true,
                "theme": "dark",
                "customApiKeyResponses": { "approved": ["dummy"], "rejected": [] },
                "projects": { repo: { "hasTrustDialogAccepted": true,
                    "hasCompletedProjectOnboarding": true } },
            });
            scene.write("home/.claude.json", &settings.to_string());
            scene.write("home/.claude/settings.json", "{}");
        }
        Agent::Gemini => {
            let settings = json!({ "security": { "auth": { "selectedType": "vertex-ai" } },
                "general": { "enableAutoUpdate": false } });
            scene.write("home/.gemini/settings.json", &settings.to_string());
        }
        Agent::Qwen => {
            let settings = json!({ "security": { "auth": { "selectedType": "openai" } } });
            scene.write("home/.qwen/settings.json", &settings.to_string());
        }
        Agent::Copilot => {
            let settings = json!({ "trustedFolders": [repo] });
            scene.write("home/.copilot/config.json", &settings.to_string());
        }
        Agent::Pi => {
            let settings = json!({ "defaultProvider": "mock", "defaultModel": "m1" });
            scene.write("home/.pi/agent/settings.json", &settings.to_string());
        }
        Agent::Opencode => {}
    }
    agent.variables(scene, mock)
}
