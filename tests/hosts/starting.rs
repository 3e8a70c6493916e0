//! A prompt that is written in `skillpick compose` and begins in an agent's own screen: as its
//! argument, or by the key of the agent for an editor.

use crate::mock::Agent;
use crate::panes::Desk;

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
