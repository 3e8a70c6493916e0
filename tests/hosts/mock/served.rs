//! `skillpick serve` is the server: agents start it, their models call `skill_load`, and the body comes back to the model.

use super::{Agent, Call, Mock, Scene};
use serde_json::{Value as Json, json};

/// Where only our server looks: no agent knows the folder by itself.
const FOLDER: &str = "served/measuring";

fn words(scene: &Scene) -> Vec<String> {
    scene.skill("served", "measuring");
    let root = scene.at("served").to_str().unwrap().to_owned();
    ["serve", "--root", &root].map(str::to_owned).to_vec()
}

fn program() -> &'static str {
    env!("CARGO_BIN_EXE_skillpick")
}

fn servers(scene: &Scene) -> Json {
    json!({ "mcpServers": { "skills": { "command": program(), "args": words(scene) } } })
}

/// The model calls `skill_load` by the name that this agent gives it, and hears the skill's body.
#[track_caller]
fn loads(scene: &Scene, agent: Agent, (tool, flags): (&str, &[&str])) {
    let mock = Mock::calling([Call::new(tool, json!({ "name": "measuring" }))]);
    let arguments: Vec<&str> = ["hello"].iter().chain(flags).copied().collect();
    let Some(answered) = agent.ask(scene, &mock, &arguments) else { return };
    assert!(answered.result().contains(&Scene::body(FOLDER)), "{} {:?}", answered.result(), answered.ran);
}

#[test]
fn codex_loads_a_skill_from_our_server() {
    let scene = Scene::new();
    let settings = format!("[mcp_servers.skills]\ncommand = {:?}\nargs = {:?}\n", program(), words(&scene));
    scene.write("home/.codex/config.toml", &settings);
    loads(&scene, Agent::Codex, ("mcp__skills/skill_load", &[]));
}

#[test]
fn claude_loads_a_skill_from_our_server() {
    let scene = Scene::new();
    let file = scene.write("servers.json", &servers(&scene).to_string());
    let flags = ["--mcp-config", file.to_str().unwrap(), "--allowedTools", "mcp__skills__skill_load"];
    loads(&scene, Agent::Claude, ("mcp__skills__skill_load", &flags));
}

#[test]
fn opencode_loads_a_skill_from_our_server() {
    let scene = Scene::new();
    let command: Vec<String> = std::iter::once(program().to_owned()).chain(words(&scene)).collect();
    let server = json!({ "mcp": { "skills": { "type": "local", "command": command } } });
    scene.write("repo/opencode.json", &server.to_string());
    loads(&scene, Agent::Opencode, ("skills_skill_load", &[]));
}

/// The protocol's own inspector as a client: lists, calls, reads.
#[test]
fn the_inspector_lists_calls_and_reads() {
    let scene = Scene::new();
    let program_of_theirs = crate::agent::programs().join("mcp-inspector");
    if !program_of_theirs.exists() {
        let line = format!("\nskipped: {} is not there\n", program_of_theirs.display());
        std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()).unwrap();
        return;
    }
    let words = words(&scene);
    let ask = |more: &[&str]| -> Json {
        let mut command = scene.command(&program_of_theirs);
        command.arg("--cli").arg(program()).args(&words).args(more);
        let ran = super::scene::run(&command);
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
    };
    let listed = ask(&["--method", "tools/list"]);
    assert!(listed["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "skill_load"), "{listed}");
    let call = ["--method", "tools/call", "--tool-name", "skill_load", "--tool-arg", "name=measuring"];
    let loaded = ask(&call);
    assert!(loaded["content"][0]["text"].as_str().unwrap().contains(&Scene::body(FOLDER)), "{loaded}");
    let read = ask(&["--method", "resources/read", "--uri", "skill://measuring/SKILL.md"]);
    assert!(read["contents"][0]["text"].as_str().unwrap().contains(&Scene::body(FOLDER)), "{read}");
    assert_eq!(ask(&["--method", "resources/list"])["resources"].as_array().unwrap().len(), 1);
    assert_eq!(ask(&["--method", "prompts/list"])["prompts"][0]["name"], "measuring");
    let got = ask(&["--method", "prompts/get", "--prompt-name", "measuring"]);
    assert!(got["messages"][0]["content"]["text"].as_str().unwrap().contains(&Scene::body(FOLDER)), "{got}");
}
