//! The dock beside a real agent: what is written in one pane arrives in the agent's prompt whole and
//! once, and the model is asked only when the person says so.

use crate::mock::{Agent, Mock, Scene};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a test waits for what it wants.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of tmux in a scene; the agent has its first pane.
struct Panes<'a> {
    scene: &'a Scene,
    environment: Vec<(String, String)>,
}

impl Panes<'_> {
    fn run(&self, words: &[&str]) -> Option<String> {
        let socket = self.scene.at("tmux.socket");
        let mut tmux = self.scene.command(Path::new("tmux"));
        tmux.arg("-S").arg(socket).args(words).env("TERM", "xterm-256color");
        tmux.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let output = tmux.output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then_some(text)
    }

    fn text(&self, pane: &str) -> String {
        self.run(&["capture-pane", "-p", "-J", "-t", pane]).unwrap_or_default()
    }

    #[track_caller]
    fn see(&self, pane: &str, wanted: &str) {
        let shown = || self.text(pane);
        eventually(wanted, || shown().contains(wanted), shown);
    }

    fn type_text(&self, pane: &str, text: &str) {
        self.run(&["send-keys", "-t", pane, "-l", "--", text]).unwrap();
    }

    fn press(&self, pane: &str, key: &str) {
        self.run(&["send-keys", "-t", pane, key]).unwrap();
    }
}

impl Drop for Panes<'_> {
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
fn eventually(what: &str, wanted: impl Fn() -> bool, shown: impl Fn() -> String) {
    let deadline = Instant::now() + PATIENCE;
    while !wanted() {
        assert!(Instant::now() < deadline, "waited for: {what}\n{}", shown());
        std::thread::yield_now();
    }
}

/// The settings with which an agent begins without questions, and its command line.
fn prepare(agent: Agent, scene: &Scene, mock: &Mock) -> (PathBuf, Vec<(String, String)>) {
    let program = agent.program().unwrap();
    let repo = scene.at("repo").display().to_string();
    let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    match agent {
        Agent::Codex => {
            let settings = format!(
                "model = \"gpt-5\"\nmodel_provider = \"mock\"\ncheck_for_update_on_startup = false\n\
                 [model_providers.mock]\nname = \"mock\"\nbase_url = \"{}\"\nwire_api = \"responses\"\n\
                 [projects.{repo:?}]\ntrust_level = \"trusted\"\n",
                mock.url("/v1")
            );
            scene.write("home/.codex/config.toml", &settings);
            (program, Vec::new())
        }
        _ => {
            let settings = json!({
                "hasCompletedOnboarding": true,
                "theme": "dark",
                "customApiKeyResponses": { "approved": ["dummy"], "rejected": [] },
                "projects": { repo: { "hasTrustDialogAccepted": true,
                    "hasCompletedProjectOnboarding": true } },
            });
            scene.write("home/.claude.json", &settings.to_string());
            scene.write("home/.claude/settings.json", "{}");
            let address = set("ANTHROPIC_BASE_URL", &mock.url(""));
            let quiet = set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
            (program, vec![address, set("ANTHROPIC_API_KEY", "dummy"), quiet])
        }
    }
}

/// `compose --exec` in the agent's own terminal.
fn starts(agent: Agent) {
    if agent.program().is_none() {
        return;
    }
    if Command::new("tmux").arg("-V").output().is_err() {
        return crate::agent::say(
            "skipped: tmux is not here, so no agent is started in a terminal",
        );
    }
    let (scene, mock) = (Scene::new(), Mock::start());
    let (_, environment) = prepare(agent, &scene, &mock);
    let panes = Panes { scene: &scene, environment };
    let name = agent.name();
    let line = format!(
        "'{}' compose --exec --for {name} --text '--help; `x` \"y\"'",
        env!("CARGO_BIN_EXE_skillpick")
    );
    panes.run(&["-f", "/dev/null", "new-session", "-d", "-x", "110", "-y", "50", &line]).unwrap();
    panes.see("%0", &format!("to ▸ {name} · starts it"));
    panes.press("%0", "Enter");
    eventually("a turn", || !mock.turns().is_empty(), || panes.text("%0"));
    let said = mock.turns().remove(0).said_by("user");
    assert!(said.iter().any(|text| text.ends_with("--help; `x` \"y\"")), "{said:?}");
}

#[test]
fn compose_starts_codex_with_a_prompt_that_looks_like_an_option() {
    starts(Agent::Codex);
}

#[test]
fn compose_starts_claude_with_a_prompt_that_looks_like_an_option() {
    starts(Agent::Claude);
}

fn arrives(agent: Agent, ready: &str, folder: &str, call: &str) {
    if agent.program().is_none() {
        return;
    }
    if Command::new("tmux").arg("-V").output().is_err() {
        return crate::agent::say("skipped: tmux is not here, so no prompt is sent into a pane");
    }
    let (scene, mock) = (Scene::new(), Mock::start());
    scene.skill(folder, "pdf-forms");
    let (program, environment) = prepare(agent, &scene, &mock);
    let panes = Panes { scene: &scene, environment };
    let size = ["-f", "/dev/null", "new-session", "-d", "-x", "110", "-y", "60"];
    let program = program.display().to_string();
    panes.run(&[&size[..], &[&program]].concat()).unwrap();
    panes.see("%0", ready);
    let dock = format!("'{}' dock", env!("CARGO_BIN_EXE_skillpick"));
    panes.run(&["split-window", "-t", "%0", "-l", "14", &dock]).unwrap();
    panes.see("%1", &format!("to ▸ {} (tmux pane %0)", agent.name()));
    panes.type_text("%1", "Use $pdff");
    panes.see("%1", "▌ pdf-forms");
    panes.press("%1", "Enter");
    panes.see("%1", "[pdf-forms]");
    panes.type_text("%1", "now");
    panes.press("%1", "C-j");
    panes.type_text("%1", "--second line `x`");
    panes.press("%1", "Enter");
    panes.see("%1", "not entered");
    panes.see("%0", &format!("Use {call} now"));
    panes.see("%0", "--second line `x`");
    assert!(mock.turns().is_empty(), "nothing is asked before Enter");
    panes.type_text("%1", ", please");
    panes.press("%1", "C-s");
    eventually("a turn", || !mock.turns().is_empty(), || panes.text("%0"));
    let asked = mock.turns().remove(0);
    let prompt = format!("Use {call} now\n--second line `x`, please");
    let said: Vec<String> = asked.said_by("user");
    let count: usize = said.iter().map(|text| text.matches(&prompt).count()).sum();
    assert_eq!(count, 1, "{said:?}");
}

#[test]
fn a_prompt_arrives_in_codex_whole_once_and_is_asked_only_after_enter() {
    arrives(Agent::Codex, "Ask Codex to do anything", "repo/.agents/skills", "$pdf-forms");
}

#[test]
fn a_prompt_arrives_in_claude_whole_once_and_is_asked_only_after_enter() {
    arrives(Agent::Claude, "❯", "repo/.claude/skills", "/pdf-forms");
}
