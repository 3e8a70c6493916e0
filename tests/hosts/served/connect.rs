//! Adds our server to each agent by the command that docs/agents.md gives, and shows that the agent
//! connects to it.
//!
//! - Codex 0.171.0 starts servers in its app server and says which tools they have
//!   (`mcpServerStatus/list`).
//! - Claude Code 2.1.332, opencode 1.18.33, Gemini CLI 0.61.0 and Qwen Code 0.24.4 start them for
//!   `mcp list`.
//! - Copilot CLI 1.0.102 only reads its settings for `mcp list`; the tools that its
//!   model is offered show that it has connected.
//! - Amp 0.0.1790142911 starts no server without an account: the test only sees that it
//!   keeps the setting.

use super::program;
use crate::agent::Agent;
use crate::env::TestEnv;
use crate::mock::{self, Mock, Scene};
use serde_json::{Value as Json, json};
use skillpick::hosts::probe::{
    AMP, AgentProbe, CLAUDE, CODEX, COPILOT, GEMINI, OPENCODE, QWEN, Step,
};
use std::collections::BTreeSet;
use std::path::Path;

/// The agents that are tried here.
const TRIED: [&AgentProbe; 7] = [&CODEX, &CLAUDE, &OPENCODE, &GEMINI, &COPILOT, &QWEN, &AMP];

const TOOLS: [&str; 6] =
    ["skill_search", "skill_load", "skill_unload", "skill_read", "skills_list", "context_inspect"];

/// The commands of docs/agents.md that add our server to an agent, as words.
fn lines() -> Vec<Vec<&'static str>> {
    let section = include_str!("../../../docs/agents.md")
        .split("\n## ")
        .find(|part| part.starts_with("As a server"));
    let lines = section.unwrap().lines().filter(|line| line.contains(" mcp add "));
    // A comment follows a `#`.
    lines.map(|line| line.split('#').next().unwrap().split_whitespace().collect()).collect()
}

/// The words behind this program's name.
fn words(program: &str) -> Vec<&'static str> {
    let line = lines().into_iter().find(|words| words[0] == program);
    line.unwrap_or_else(|| panic!("docs/agents.md does not say how {program} is told"))[1..]
        .to_vec()
}

#[test]
fn every_connect_line_of_the_page_is_tried() {
    let written: Vec<&str> = lines().iter().map(|words| words[0]).collect();
    let tried: BTreeSet<&str> = TRIED.iter().map(|probe| probe.program).collect();
    assert_eq!(written.len(), tried.len(), "{written:?}");
    assert_eq!(written.into_iter().collect::<BTreeSet<_>>(), tried);
}

/// The agent, to which our server was added, with our program on the path.
struct Told {
    agent: Agent,
    env: TestEnv,
    path: String,
}

impl Told {
    fn new(probe: &'static AgentProbe) -> Option<Self> {
        let (agent, env) = (Agent::find(probe)?, TestEnv::for_agents());
        env.sound_skill("repo/.agents/skills/measuring");
        let path =
            agent.environment(&env, &[]).into_iter().find(|(name, _)| name == "PATH").unwrap().1;
        let ours = Path::new(program()).parent().unwrap().display().to_string();
        let told = Self { agent, env, path: format!("{}:{ours}", path.to_str().unwrap()) };
        let said = told.run(&words(probe.program));
        assert!(said.contains("skills"), "{said}");
        Some(told)
    }

    /// What it prints. The run must succeed.
    #[track_caller]
    fn run(&self, arguments: &[&str]) -> String {
        let output = self.agent.run(&self.env, "repo", arguments, &[("PATH", &self.path)]).unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.code, Some(0), "{arguments:?}: {said}");
        said
    }

    /// Asserts that its list of servers contains this text.
    #[track_caller]
    fn lists(&self, wanted: &str) {
        let said = self.run(&["mcp", "list"]);
        assert!(said.contains(wanted), "{said}");
    }
}

fn requests(_: &Path) -> Vec<u8> {
    let lines = [
        json!({ "id": 1, "method": "initialize", "params": { "clientInfo": { "name": "tester", "version": "1" } } }),
        json!({ "method": "initialized" }),
        json!({ "id": 2, "method": "mcpServerStatus/list", "params": {} }),
    ];
    lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

fn answer(said: &[u8]) -> Option<Json> {
    let lines = said
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Json>(line).ok());
    lines.into_iter().find(|message| message["id"] == 2)
}

#[test]
fn codex_connects_by_its_own_command() {
    let Some(told) = Told::new(&CODEX) else { return };
    let enough = |said: &[u8]| answer(said).is_some();
    let more = Step::plain(&["app-server"]);
    let step = Step { input: requests, hold: 20_000, enough: Some(enough), ..more };
    let output =
        told.agent.step((&told.env, "repo"), &step, (&[], &[("PATH", &told.path)])).unwrap();
    let status =
        answer(&output.stdout).unwrap_or_else(|| panic!("{output:?}"))["result"]["data"][0].clone();
    assert_eq!(status["serverInfo"]["name"], "skillpick", "{status}");
    let tools: BTreeSet<&str> =
        status["tools"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(tools, TOOLS.into());
}

#[test]
fn claude_connects_by_its_own_command() {
    let Some(told) = Told::new(&CLAUDE) else { return };
    told.lists("skills: skillpick serve - ✔ Connected");
}

#[test]
fn opencode_connects_by_its_own_command() {
    let Some(told) = Told::new(&OPENCODE) else { return };
    let said = told.run(&["mcp", "list"]);
    let line =
        said.lines().find(|line| line.contains("skills")).unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains("✓ skills") && line.ends_with("connected"), "{said}");
    // Anything else that it prints about a server is a complaint about the schemas.
    assert!(!said.contains("ignored"), "{said}");
}

#[test]
fn gemini_connects_by_its_own_command() {
    let Some(told) = Told::new(&GEMINI) else { return };
    told.lists("✓ skills: skillpick serve (stdio) - Connected");
}

#[test]
fn qwen_connects_by_its_own_command() {
    let Some(told) = Told::new(&QWEN) else { return };
    told.lists("skills: skillpick serve (stdio) - Connected");
}

#[test]
fn amp_keeps_our_server_by_its_own_command() {
    let Some(told) = Told::new(&AMP) else { return };
    told.lists("skillpick serve");
}

#[test]
fn copilot_connects_by_its_own_command() {
    let Some(told) = Told::new(&COPILOT) else { return };
    told.lists("skills (local)");
    // A turn of the model needs the loopback, which is only in a scene: its settings move there.
    let scene = Scene::new();
    let settings = std::fs::read_to_string(told.env.at("home/.copilot/mcp-config.json")).unwrap();
    let mut settings: Json = serde_json::from_str(&settings).unwrap();
    settings["mcpServers"]["skills"]["command"] = program().into();
    scene.write("home/.copilot/mcp-config.json", &settings.to_string());
    let Some(answered) = mock::Agent::Copilot.ask(&scene, &Mock::start(), &["hello"]) else {
        return;
    };
    let offered = answered.first().tools();
    for tool in TOOLS {
        assert!(offered.contains(&format!("skills-{tool}")), "{offered:?}");
    }
}
