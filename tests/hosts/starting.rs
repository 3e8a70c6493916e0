//! A prompt that is written in `skillpick compose` and begins in an agent's own screen: as its
//! argument, or by the key of the agent for an editor.

use crate::mock::{Agent, Scene, run};
use crate::panes::{Desk, eventually};
use std::path::Path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_skillpick");

/// `compose --exec`: the prompt arrives whole and once.
fn starts(agent: Agent) {
    let prompts = ["--help; `x` \"y\"\nsecond $(x) line, 日本", "@x is a word"];
    for prompt in prompts {
        let Some(desk) = Desk::new(agent) else { return };
        let name = agent.name();
        desk.scene.write("prompt", prompt);
        let file = desk.scene.at("prompt");
        desk.start(&format!("'{PROGRAM}' compose --exec --for {name} --file '{}'", file.display()));
        desk.see("%0", &format!("to ▸ {name} · starts it"));
        desk.press("%0", "Enter");
        let said = desk.asked();
        let count: usize = said.iter().map(|text| text.matches(prompt).count()).sum();
        assert_eq!(count, 1, "{said:?}");
    }
}

#[test]
fn compose_starts_codex() {
    starts(Agent::Codex);
}

#[test]
fn compose_starts_claude() {
    starts(Agent::Claude);
}

#[test]
fn compose_starts_opencode() {
    starts(Agent::Opencode);
}

#[test]
fn compose_starts_gemini() {
    starts(Agent::Gemini);
}

#[test]
fn compose_starts_copilot() {
    starts(Agent::Copilot);
}

#[test]
fn compose_starts_pi() {
    starts(Agent::Pi);
}

#[test]
fn compose_starts_qwen() {
    starts(Agent::Qwen);
}

/// The agent's own key for an editor opens compose on its prompt, for that agent; what is sent there
/// is the agent's prompt then.
fn edits(agent: Agent, ready: &str, keys: &str, root: &str, call: &str) {
    let Some(mut desk) = Desk::new(agent) else { return };
    desk.scene.skill(root, "pdf-forms");
    // As docs/agents.md has it.
    let script = format!("#!/bin/sh\nexec '{PROGRAM}' compose --edit \"$1\"\n");
    // Beside an editor of any other name Gemini CLI goes on reading keys.
    let name = if agent == Agent::Gemini { "skillpick-nano" } else { "skillpick-edit" };
    let editor = desk.scene.program(name, &script);
    desk.set("VISUAL", editor.display().to_string());
    desk.start(&agent.program().unwrap().display().to_string());
    desk.see("%0", ready);
    desk.type_text("%0", "first ");
    desk.see("%0", "first");
    desk.press("%0", keys);
    desk.see("%0", &format!("to ▸ {}", agent.name()));
    desk.see("%0", "put it back");
    desk.press("%0", "Home");
    desk.type_text("%0", "$pdff");
    desk.see("%0", "▌ pdf-forms");
    desk.press("%0", "Enter");
    desk.see("%0", "[pdf-forms]");
    desk.press("%0", "Enter");
    desk.see("%0", &format!("{call}first"));
    assert!(desk.mock.turns().is_empty(), "nothing is asked before Enter");
    desk.type_text("%0", "more");
    desk.see("%0", "more");
    desk.press("%0", keys);
    desk.see("%0", "put it back");
    desk.type_text("%0", "not this");
    desk.see("%0", "not this");
    desk.press("%0", "Escape");
    let shown = || desk.text("%0");
    eventually("the agent", || !shown().contains("put it back") && shown().contains("more"), shown);
    assert!(!shown().contains("not this"), "{}", shown());
}

#[test]
fn pi_opens_compose_by_the_command_of_its_extension() {
    let Some(desk) = Desk::new(Agent::Pi) else { return };
    desk.scene.skill("repo/.agents/skills", "pdf-forms");
    desk.scene.program("skillpick", &format!("#!/bin/sh\nexec '{PROGRAM}' \"$@\"\n"));
    let mut init = desk.scene.command(Path::new(PROGRAM));
    let extension = run(init.args(["init", "pi"])).out;
    desk.scene.write("home/.pi/agent/extensions/skillpick.ts", &extension);
    desk.start(&Agent::Pi.program().unwrap().display().to_string());
    desk.see("%0", "(main)");
    desk.type_text("%0", "/skillpick first");
    desk.see("%0", "/skillpick first");
    desk.press("%0", "Enter");
    desk.see("%0", "to ▸ pi");
    desk.see("%0", "put it back");
    desk.press("%0", "Home");
    desk.type_text("%0", "$pdff");
    desk.see("%0", "▌ pdf-forms");
    desk.press("%0", "Enter");
    desk.see("%0", "[pdf-forms]");
    desk.press("%0", "Enter");
    desk.see("%0", "/skill:pdf-forms first");
    assert!(desk.mock.turns().is_empty(), "nothing is asked before Enter");
    desk.press("%0", "Enter");
    let said = desk.asked().concat();
    assert!(said.contains(&Scene::body("repo/.agents/skills/pdf-forms")), "{said}");
}

#[test]
fn codex_opens_compose_with_its_key_for_an_editor() {
    // Before it names its model it ignores the key.
    edits(Agent::Codex, "gpt-5 default", "C-g", "repo/.agents/skills", "$pdf-forms ");
}

#[test]
fn claude_opens_compose_with_its_key_for_an_editor() {
    edits(Agent::Claude, "❯", "C-g", "repo/.claude/skills", "/pdf-forms ");
}

#[test]
fn opencode_opens_compose_with_its_key_for_an_editor() {
    edits(Agent::Opencode, "Ask anything", "C-x e", "repo/.agents/skills", "/pdf-forms ");
}

#[test]
fn gemini_opens_compose_with_its_key_for_an_editor() {
    edits(Agent::Gemini, "Type your message", "C-g", "repo/.agents/skills", "/pdf-forms ");
}

#[test]
fn copilot_opens_compose_with_its_key_for_an_editor() {
    let call = "Use the /pdf-forms skill to ";
    edits(Agent::Copilot, "Manual Approval", "C-g", "repo/.agents/skills", call);
}

#[test]
fn pi_opens_compose_with_its_key_for_an_editor() {
    edits(Agent::Pi, "(main)", "C-g", "repo/.agents/skills", "/skill:pdf-forms ");
}

#[test]
fn qwen_opens_compose_with_its_key_for_an_editor() {
    edits(Agent::Qwen, "Type your message", "C-x", "repo/.qwen/skills", "/pdf-forms ");
}
