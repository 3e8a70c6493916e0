//! How each agent is pointed at the mock: by flags, variables and files that hold nothing else. The
//! agent's other settings belong to the test.

use super::scene::{self, Ran, Scene};
use super::{Asked, Mock};
use serde_json::json;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

/// The agents that a mock can be put before.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Agent {
    Codex,
    Claude,
    /// opencode, V1.
    Opencode,
    Gemini,
    Copilot,
    Pi,
    Qwen,
}

thread_local! {
    /// Each test has its own thread, and says once that it is skipped.
    static SAID: Cell<bool> = const { Cell::new(false) };
}

impl Agent {
    /// The name of its program.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::Claude => "claude",
            Self::Opencode => "opencode",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Pi => "pi",
            Self::Qwen => "qwen",
        }
    }

    /// Where its program is. If it is not installed: `None`, and a line says so.
    pub(crate) fn program(self) -> Option<PathBuf> {
        let program = crate::agent::programs().join(self.name());
        let there = program.exists();
        if !there && !SAID.replace(true) {
            let test = thread::current().name().unwrap_or("a test").to_owned();
            crate::agent::say(&format!(
                "skipped: {test}: {} is not there (.ci/agents)",
                program.display()
            ));
        }
        there.then_some(program)
    }

    /// Runs the agent with one prompt until it has its answer. The prompt comes first in
    /// `arguments`, or behind the flags that the agent needs. `None` if the agent is not installed.
    pub(crate) fn ask(self, scene: &Scene, mock: &Mock, arguments: &[&str]) -> Option<Answered> {
        let mut command = scene.command(&self.program()?);
        // What the agent wants from other machines it asks of the mock, which refuses.
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            command.env(name, mock.url(""));
        }
        command.env("NO_PROXY", "127.0.0.1,localhost").env("no_proxy", "127.0.0.1,localhost");
        match self {
            Self::Codex => codex(&mut command, mock),
            Self::Claude => claude(&mut command, mock),
            Self::Opencode => opencode(&mut command, mock),
            Self::Gemini => gemini(&mut command, mock),
            Self::Copilot => copilot(&mut command, mock),
            Self::Pi => pi(&mut command, scene, mock),
            Self::Qwen => qwen(&mut command, mock),
        }
        command.args(arguments);
        crate::agent::count();
        let ran = scene::run(&command);
        let turns = mock.turns();
        if let Some(folder) = std::env::var_os("SKILLPICK_MOCK_LOG") {
            keep(Path::new(&folder), self, mock, &ran);
        }
        Some(Answered { ran, turns })
    }
}

/// A run, and what the model was told in it.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) ran: Ran,
    /// The turns put to the model.
    pub(crate) turns: Vec<Asked>,
}

impl Answered {
    /// The first turn of the model. Fails if there is none, or if the agent failed.
    #[track_caller]
    pub(crate) fn first(&self) -> &Asked {
        assert_eq!(self.ran.code, Some(0), "{:?}", self.ran);
        self.turns.first().unwrap_or_else(|| panic!("the model was not asked: {:?}", self.ran))
    }

    /// The result of the scripted call. Fails if no request brought one.
    #[track_caller]
    pub(crate) fn result(&self) -> String {
        let results: Vec<String> =
            self.turns.iter().flat_map(|turn| turn.said_by("tool")).collect();
        results.first().cloned().unwrap_or_else(|| panic!("no call came back: {:?}", self.ran))
    }

    /// The results of all scripted calls, in their order, as the last turn has them.
    #[track_caller]
    pub(crate) fn results(&self) -> Vec<String> {
        let last =
            self.turns.last().unwrap_or_else(|| panic!("the model was not asked: {:?}", self.ran));
        last.said_by("tool")
    }
}

fn codex(command: &mut Command, mock: &Mock) {
    let provider = format!(
        r#"model_providers.mock={{name="mock",base_url="{}",wire_api="responses"}}"#,
        mock.url("/v1")
    );
    command.args([
        "exec",
        "--skip-git-repo-check",
        "-c",
        &provider,
        "-c",
        r#"model_provider="mock""#,
    ]);
    command.args(["-c", r#"model="gpt-5""#]);
}

fn claude(command: &mut Command, mock: &Mock) {
    command.env("ANTHROPIC_BASE_URL", mock.url("")).env("ANTHROPIC_API_KEY", "dummy");
    command.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1").arg("-p");
}

fn opencode(command: &mut Command, mock: &Mock) {
    let provider = json!({ "npm": "@ai-sdk/openai-compatible", "name": "mock", "models": { "m1": {} },
        "options": { "baseURL": mock.url("/v1"), "apiKey": "x" } });
    let settings =
        json!({ "provider": { "mock": provider }, "model": "mock/m1", "small_model": "mock/m1" });
    command
        .env("OPENCODE_CONFIG_CONTENT", settings.to_string())
        .env("OPENCODE_DISABLE_MODELS_FETCH", "1");
    command.env("OPENCODE_DISABLE_AUTOUPDATE", "1").arg("run");
}

fn gemini(command: &mut Command, mock: &Mock) {
    // An API key's login would have to be chosen in the settings; Vertex is chosen by variables
    // alone, and says the same.
    command.env("GOOGLE_GENAI_USE_VERTEXAI", "true").env("GOOGLE_API_KEY", "dummy");
    command.env("GOOGLE_VERTEX_BASE_URL", mock.url("")).env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    // Without a named model, another model is asked first which one to use.
    command.args(["-m", "gemini-2.5-pro", "-y", "-p"]);
}

fn copilot(command: &mut Command, mock: &Mock) {
    command.env("COPILOT_OFFLINE", "true").env("COPILOT_PROVIDER_BASE_URL", mock.url("/v1"));
    command
        .env("COPILOT_MODEL", "gpt-4.1")
        .env("COPILOT_PROVIDER_API_KEY", "x")
        .args(["--allow-all-tools", "-p"]);
}

fn pi(command: &mut Command, scene: &Scene, mock: &Mock) {
    let model = json!({ "id": "m1", "name": "m1", "reasoning": false, "input": ["text"], "contextWindow": 100_000,
        "maxTokens": 1000, "cost": { "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0 } });
    let provider = json!({ "baseUrl": mock.url("/v1"), "apiKey": "x", "api": "openai-completions", "models": [model] });
    scene.write(
        "home/.pi/agent/models.json",
        &json!({ "providers": { "mock": provider } }).to_string(),
    );
    command.env("PI_OFFLINE", "1").args([
        "--provider",
        "mock",
        "--model",
        "m1",
        "--no-session",
        "-p",
    ]);
}

fn qwen(command: &mut Command, mock: &Mock) {
    command
        .env("OPENAI_BASE_URL", mock.url("/v1"))
        .env("OPENAI_API_KEY", "x")
        .env("OPENAI_MODEL", "m1");
    // Without a terminal it refuses a skill that nobody has allowed; `yolo` allows.
    command.args(["--auth-type", "openai", "--approval-mode", "yolo", "-p"]);
}

/// For debugging: all requests, and what the agent printed.
fn keep(folder: &Path, agent: Agent, mock: &Mock, ran: &Ran) {
    std::fs::create_dir_all(folder).unwrap();
    let place = folder.join(format!("{}-{}", agent.name(), mock.service.port()));
    let log: Vec<String> = mock
        .log()
        .iter()
        .map(|it| format!("{} {}\n{:#}\n", it.method, it.target, it.body))
        .collect();
    std::fs::write(place.with_extension("log"), log.concat() + &format!("{ran:#?}")).unwrap();
}
