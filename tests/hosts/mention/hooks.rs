//! `skillpick resolve --hook` as an agent's hook before a prompt, as docs/agents.md has it: what the
//! model is told then.

use crate::mock::{Agent, Mock, Scene};
use serde_json::{Value as Json, json};

/// Settings of hooks, as these agents share them.
fn hooks(event: &str, host: &str) -> Json {
    let command = format!("{} resolve --hook --host {host}", env!("CARGO_BIN_EXE_skillpick"));
    json!({ "hooks": { event: [{ "hooks": [{ "type": "command", "command": command }] }] } })
}

/// A mention in the middle of a prompt brings the skill's text, and other prompts stay as they are.
#[track_caller]
fn injects(agent: Agent, root: &str, file: &str, event: &str) {
    let scene = Scene::new();
    scene.skill(root, "plain");
    scene.write(file, &hooks(event, agent.name()).to_string());
    for (prompt, injected) in [("please $plain now", true), ("please, nothing", false)] {
        let Some(answered) = agent.ask(&scene, &Mock::start(), &[prompt]) else { return };
        let all = answered.first().all();
        assert_eq!(all.contains(&Scene::body(&format!("{root}/plain"))), injected, "{all}");
        assert_eq!(all.matches(prompt).count(), 1, "the prompt stands there once: {all}");
    }
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
