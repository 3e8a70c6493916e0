//! `skillpick resolve --hook` as an agent's hook before a prompt, as docs/agents.md has it: what the
//! model is told then.

use crate::mock::{Agent, Mock, Scene, run};
use serde_json::{Value as Json, json};
use std::path::Path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_skillpick");

/// Settings of hooks, as these agents share them.
fn hooks(event: &str, host: &str) -> Json {
    let command = format!("{PROGRAM} resolve --hook --host {host}");
    json!({ "hooks": { event: [{ "hooks": [{ "type": "command", "command": command }] }] } })
}

/// A mention in the middle of a prompt brings the skill's text, and other prompts stay as they are.
#[track_caller]
fn injects(agent: Agent, root: &str, file: &str, event: &str) {
    injects_by(agent, root, file, &hooks(event, agent.name()).to_string());
}

/// The same with this file.
#[track_caller]
fn injects_by(agent: Agent, root: &str, file: &str, text: &str) {
    let scene = Scene::new();
    scene.skill(root, "plain");
    scene.write(file, text);
    scene.program("skillpick", &format!("#!/bin/sh\nexec '{PROGRAM}' \"$@\"\n"));
    for (prompt, injected) in [("please $plain now", true), ("please, nothing", false)] {
        let Some(answered) = agent.ask(&scene, &Mock::start(), &[prompt]) else { return };
        let all = answered.first().all();
        assert_eq!(all.contains(&Scene::body(&format!("{root}/plain"))), injected, "{all}");
        assert_eq!(all.matches(prompt).count(), 1, "the prompt stands there once: {all}");
    }
}

/// What `skillpick init` prints for an agent.
fn extension(agent: Agent) -> String {
    let scene = Scene::new();
    let mut init = scene.command(Path::new(PROGRAM));
    run(init.args(["init", agent.name()])).out
}

#[test]
fn claude_adds_what_the_hook_answers() {
    let file = "repo/.claude/settings.local.json";
    injects(Agent::Claude, "repo/.claude/skills", file, "UserPromptSubmit");
}

#[test]
fn gemini_adds_what_the_hook_answers() {
    injects(Agent::Gemini, "repo/.agents/skills", "repo/.gemini/settings.json", "BeforeAgent");
}

#[test]
fn qwen_adds_what_the_hook_answers() {
    injects(Agent::Qwen, "repo/.qwen/skills", "home/.qwen/settings.json", "UserPromptSubmit");
}

#[test]
fn copilot_adds_what_the_hook_answers() {
    let command = format!("{PROGRAM} resolve --hook --host copilot");
    let hook = json!([{ "type": "command", "bash": command }]);
    let hooks = json!({ "version": 1, "hooks": { "userPromptSubmitted": hook } }).to_string();
    let file = "home/.copilot/hooks/skillpick.json";
    injects_by(Agent::Copilot, "repo/.agents/skills", file, &hooks);
}

#[test]
fn pi_adds_what_the_extension_finds() {
    let file = "home/.pi/agent/extensions/skillpick.ts";
    injects_by(Agent::Pi, "repo/.agents/skills", file, &extension(Agent::Pi));
}

#[test]
fn opencode_adds_what_the_plugin_finds() {
    let file = "home/.config/opencode/plugin/skillpick.js";
    injects_by(Agent::Opencode, "repo/.agents/skills", file, &extension(Agent::Opencode));
}

/// A slash command whose file runs a program of the shell: the model is given what that prints, and
/// the words behind the command.
#[track_caller]
fn commands(agent: Agent, file: &str, text: &str, arguments: &[&str]) {
    let scene = Scene::new();
    // The agents that look here are others.
    let root = if agent == Agent::Claude { "home/.agents/skills" } else { "home/.claude/skills" };
    scene.skill(root, "elsewhere");
    scene.write(file, text);
    scene.program("skillpick", &format!("#!/bin/sh\nexec '{PROGRAM}' \"$@\"\n"));
    let Some(answered) = agent.ask(&scene, &Mock::start(), arguments) else { return };
    let said = answered.first().said_by("user").concat();
    assert!(said.contains("Describes elsewhere.") && said.contains("fill the form"), "{said}");
}

/// The file of that name among the commands of docs/agents.md.
fn documented(name: &str) -> String {
    let docs = include_str!("../../../docs/agents.md");
    let (_, rest) = docs.split_once(&format!("`{name}`:\n\n```")).unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn claude_has_a_command_that_offers_the_skills_of_all_agents() {
    let text = documented(".claude/commands/skillpick.md");
    let file = "repo/.claude/commands/skillpick.md";
    commands(Agent::Claude, file, &text, &["/skillpick fill the form"]);
}

#[test]
fn opencode_has_a_command_that_offers_the_skills_of_all_agents() {
    let text = documented(".claude/commands/skillpick.md");
    let file = "repo/.opencode/command/skillpick.md";
    commands(Agent::Opencode, file, &text, &["--command", "skillpick", "fill the form"]);
}

#[test]
fn gemini_has_a_command_that_offers_the_skills_of_all_agents() {
    let text = documented(".gemini/commands/skillpick.toml");
    let file = "repo/.gemini/commands/skillpick.toml";
    commands(Agent::Gemini, file, &text, &["/skillpick fill the form"]);
}

#[test]
fn qwen_has_a_command_that_offers_the_skills_of_all_agents() {
    let text = documented(".qwen/commands/skillpick.md");
    let file = "repo/.qwen/commands/skillpick.md";
    commands(Agent::Qwen, file, &text, &["/skillpick fill the form"]);
}
