//! A scripted call reaches a tool of an MCP server that the agent has started, and its result comes
//! back to the model.

use super::{Agent, Call, Mock, Scene};
use serde_json::{Value as Json, json};

/// A server on stdio with one tool, `echo`, in the language that the agents bring with them.
const SERVER: &str = r#"
const tool = { name: "echo", description: "Says it again.", inputSchema: { type: "object",
  properties: { message: { type: "string" } }, required: ["message"] }, annotations: { readOnlyHint: true } };
const answers = {
  initialize: (it) => ({ protocolVersion: it.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "ev", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": (it) => ({ content: [{ type: "text", text: "Again: " + it.arguments.message }] }),
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const asked = JSON.parse(line);
  if (asked.id === undefined) return;
  const answer = answers[asked.method];
  const said = answer ? { result: answer(asked.params ?? {}) } : { error: { code: -32601, message: "no such method" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id: asked.id, ...said }));
});
"#;

/// The model calls the tool by the name that this agent gives it; the model then hears the tool's
/// own answer.
#[track_caller]
fn reaches(scene: &Scene, agent: Agent, (tool, flags): (&str, &[&str])) {
    let mock = Mock::calling([Call::new(tool, json!({ "message": "these words" }))]);
    let arguments: Vec<&str> = ["hello"].iter().chain(flags).copied().collect();
    let Some(answered) = agent.ask(scene, &mock, &arguments) else { return };
    // Claude and Qwen only name a server's tools to the model, which may call them at once or read
    // their schemas first.
    let known = answered
        .turns
        .iter()
        .any(|turn| turn.tools().iter().any(|name| name == tool) || turn.all().contains(tool));
    assert!(known, "the model does not know {tool}: {:?}", answered.ran);
    assert!(
        answered.result().contains("Again: these words"),
        "{} {:?}",
        answered.result(),
        answered.ran
    );
}

fn server(scene: &Scene) -> String {
    scene.write("server.js", SERVER).to_str().unwrap().to_owned()
}

/// What most agents call a server in their settings.
fn servers(scene: &Scene) -> Json {
    json!({ "mcpServers": { "ev": { "command": "node", "args": [server(scene)] } } })
}

#[test]
fn codex_calls_a_tool_of_a_server() {
    let scene = Scene::new();
    let server = format!("[mcp_servers.ev]\ncommand = \"node\"\nargs = [{:?}]\n", server(&scene));
    scene.write("home/.codex/config.toml", &server);
    reaches(&scene, Agent::Codex, ("mcp__ev/echo", &[]));
}

#[test]
fn claude_calls_a_tool_of_a_server() {
    let scene = Scene::new();
    let file = scene.write("servers.json", &servers(&scene).to_string());
    let flags = ["--mcp-config", file.to_str().unwrap(), "--allowedTools", "mcp__ev__echo"];
    reaches(&scene, Agent::Claude, ("mcp__ev__echo", &flags));
}

#[test]
fn opencode_calls_a_tool_of_a_server() {
    let scene = Scene::new();
    let server =
        json!({ "mcp": { "ev": { "type": "local", "command": ["node", server(&scene)] } } });
    scene.write("repo/opencode.json", &server.to_string());
    reaches(&scene, Agent::Opencode, ("ev_echo", &[]));
}

#[test]
fn gemini_calls_a_tool_of_a_server() {
    let scene = Scene::new();
    scene.write("home/.gemini/settings.json", &servers(&scene).to_string());
    reaches(&scene, Agent::Gemini, ("mcp_ev_echo", &[]));
}

#[test]
fn copilot_calls_a_tool_of_a_server() {
    let scene = Scene::new();
    let mut servers = servers(&scene);
    servers["mcpServers"]["ev"]["tools"] = json!(["*"]);
    scene.write("home/.copilot/mcp-config.json", &servers.to_string());
    reaches(&scene, Agent::Copilot, ("ev-echo", &[]));
}

#[test]
fn qwen_calls_a_tool_of_a_server() {
    let scene = Scene::new();
    scene.write("home/.qwen/settings.json", &servers(&scene).to_string());
    reaches(&scene, Agent::Qwen, ("mcp__ev__echo", &[]));
}
