//! Agents start our server, their models call its tools, and the answers come back to the model.
//!
//! A load needs no consent. A run of a script does (`ask`), and without a terminal each agent
//! treats the question in its own way:
//!
//! - opencode 1.18.33, Gemini CLI 0.61.0 and Qwen Code 0.24.4 cannot be asked: the model is told
//!   how a person allows it.
//! - Codex 0.171.0 can be asked (`elicitation` with `form` and `url`, protocol 2025-06-18), and
//!   `codex exec` declines. Unless its settings approve the tool, it refuses such a call
//!   (`destructiveHint`) by itself, and our server never receives it.
//! - Claude Code 2.1.332 can be asked, by the protocol of 2026-07-28 (`server/discover`, no
//!   handshake: it calls again with the answer); `claude -p` cancels, unless an `Elicitation` hook
//!   answers. The model is told the names of the tools, and a tool's schema once it has called
//!   it.
//! - Copilot CLI 1.0.102 does as Claude Code does, and `copilot -p` declines.

use super::{NAME, SCRIPTS, program, serving, settings};
use crate::mock::{Agent, Answered, Call, Mock, Scene};
use serde_json::{Value as Json, json};

/// A scene in which a run of a script needs consent, and the words that start our server.
fn scene() -> (Scene, Vec<String>) {
    let scene = Scene::new();
    settings(&scene, SCRIPTS);
    let words = serving(&scene);
    (scene, words)
}

/// The model loads the skill, which it must get, and runs its script, the result of which is given
/// back. `prefix` stands before the names of our tools there.
#[track_caller]
fn runs(
    scene: &Scene,
    agent: Agent,
    (prefix, flags): (&str, &[&str]),
) -> Option<(String, Answered)> {
    let call = |tool: &str, arguments: Json| Call::new(&format!("{prefix}{tool}"), arguments);
    let mock = Mock::calling([
        call("skill_load", json!({ "name": NAME })),
        call("skill_run_script", json!({ "path": "scripts/hello.sh", "args": ["now"] })),
    ]);
    let arguments: Vec<&str> = ["hello"].iter().chain(flags).copied().collect();
    let answered = agent.ask(scene, &mock, &arguments)?;
    let results = answered.results();
    let [loaded, ran] = results.as_slice() else { panic!("{results:?} {:?}", answered.ran) };
    assert!(
        loaded.contains("MARKER_BODY") && loaded.contains("references/REFERENCE.md"),
        "{loaded}"
    );
    Some((ran.clone(), answered))
}

/// What every refusal tells the model, so that it can tell the person.
fn says_how_to_allow(ran: &str) {
    let allows = format!("{NAME}/SKILL.md --script");
    assert!(ran.contains("skillpick permit allow /") && ran.contains(&allows), "{ran}");
    assert!(!ran.contains("MARKER_SCRIPT"), "{ran}");
}

fn codex(scene: &Scene, words: &[String], more: &str) {
    let settings =
        format!("[mcp_servers.skills]\ncommand = {:?}\nargs = {words:?}\n{more}", program());
    scene.write("home/.codex/config.toml", &settings);
}

#[test]
fn codex_loads_a_skill_and_declines_a_script_for_its_person() {
    let (scene, words) = scene();
    codex(
        &scene,
        &words,
        "[mcp_servers.skills.tools.skill_run_script]\napproval_mode = \"approve\"\n",
    );
    let Some((ran, _)) = runs(&scene, Agent::Codex, ("mcp__skills/", &[])) else { return };
    assert!(ran.contains("declined"), "{ran}");
    says_how_to_allow(&ran);
}

#[test]
fn codex_refuses_a_script_without_approval() {
    let (scene, words) = scene();
    codex(&scene, &words, "");
    let Some((ran, _)) = runs(&scene, Agent::Codex, ("mcp__skills/", &[])) else { return };
    assert!(ran.contains("MCP tool call requires approval"), "{ran}");
}

fn claude(scene: &Scene, words: &[String]) -> Option<(String, Answered)> {
    let servers = json!({ "mcpServers": { "skills": { "command": program(), "args": words } } });
    let file = scene.write("servers.json", &servers.to_string());
    let tools = "mcp__skills__skill_load,mcp__skills__skill_run_script";
    let flags = ["--mcp-config", file.to_str().unwrap(), "--allowedTools", tools];
    runs(scene, Agent::Claude, ("mcp__skills__", &flags))
}

#[test]
fn claude_loads_a_skill_and_cancels_a_script_for_its_person() {
    let (scene, words) = scene();
    let Some((ran, _)) = claude(&scene, &words) else { return };
    assert!(ran.contains("declined"), "{ran}");
    says_how_to_allow(&ran);
}

/// A question goes from our server through Claude Code to a person, for whom a hook answers, and
/// the answer comes back.
#[test]
fn run_11_claude_asks_its_person_and_the_script_runs() {
    let (scene, words) = scene();
    let yes = json!({ "hookSpecificOutput": { "hookEventName": "Elicitation", "action": "accept", "content": {} } });
    let answer = scene.write("answer.json", &yes.to_string());
    let (asked, answer) = (scene.at("asked.json"), answer.display().to_string());
    let hook = json!({ "type": "command", "command": format!("cat > '{}'; cat '{answer}'", asked.display()) });
    let hooks = json!({ "hooks": { "Elicitation": [{ "hooks": [hook] }] } });
    scene.write("home/.claude/settings.json", &hooks.to_string());
    let Some((ran, answered)) = claude(&scene, &words) else { return };
    assert!(ran.contains("MARKER_SCRIPT now"), "{ran} {:?}", answered.ran);
    let asked: Json = serde_json::from_slice(&std::fs::read(asked).unwrap()).unwrap();
    let message = asked["message"].as_str().unwrap();
    for part in ["scripts/hello.sh", NAME, "digest:    sha256:", "network:   no"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn opencode_loads_a_skill_and_hears_how_its_script_is_allowed() {
    let (scene, words) = scene();
    let command: Vec<&str> =
        std::iter::once(program()).chain(words.iter().map(String::as_str)).collect();
    let server = json!({ "mcp": { "skills": { "type": "local", "command": command } } });
    scene.write("repo/opencode.json", &server.to_string());
    let Some((ran, answered)) = runs(&scene, Agent::Opencode, ("skills_", &[])) else { return };
    assert!(ran.contains("This client cannot ask for it"), "{ran}");
    says_how_to_allow(&ran);
    assert!(
        !answered.ran.err.contains("ignored"),
        "it complains about a schema: {}",
        answered.ran.err
    );
}
