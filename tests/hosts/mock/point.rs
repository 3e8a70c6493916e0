//! How each agent is pointed at the mock: by flags, variables and files that hold nothing else. The
//! agent's other settings belong to the test.

use super::scene::{self, Ran, Scene};
use super::{Asked, Mock};
use serde_json::json;
use std::cell::Cell;
use std::path::{Path, PathBuf};
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
        command.envs(self.variables(scene, mock)).args(flags(self, mock));
        command.args(arguments);
        crate::agent::count();
        let ran = scene::run(&command);
        let turns = mock.turns();
        if let Some(folder) = std::env::var_os("SKILLPICK_MOCK_LOG") {
            keep(Path::new(&folder), self, mock, &ran);
        }
        Some(Answered { ran, turns })
    }

    /// The variables that point the agent at the mock; what it only reads from a file is written.
    pub(crate) fn variables(self, scene: &Scene, mock: &Mock) -> Vec<(&'static str, String)> {
        let set = |name: &'static str, value: &str| (name, value.to_owned());
        let service = mock.url("/v1");
        match self {
            Self::Codex => Vec::new(),
            Self::Claude => vec![
                ("ANTHROPIC_BASE_URL", mock.url("")),
                set("ANTHROPIC_API_KEY", "dummy"),
                set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ],
            Self::Opencode => {
                let provider = json!({ "npm": "@ai-sdk/openai-compatible", "name": "mock",
                    "models": { "m1": {} }, "options": { "baseURL": service, "apiKey": "x" } });
                let settings = json!({ "provider": { "mock": provider }, "model": "mock/m1",
                    "small_model": "mock/m1" });
                vec![
                    ("OPENCODE_CONFIG_CONTENT", settings.to_string()),
                    set("OPENCODE_DISABLE_MODELS_FETCH", "1"),
                    set("OPENCODE_DISABLE_AUTOUPDATE", "1"),
                ]
            }
            // An API key's login would have to be chosen in the settings; Vertex is chosen by
            // variables alone, and says the same. Without a named model, another model is asked
            // first which one to use.
            Self::Gemini => vec![
                set("GOOGLE_GENAI_USE_VERTEXAI", "true"),
                set("GOOGLE_API_KEY", "dummy"),
                ("GOOGLE_VERTEX_BASE_URL", mock.url("")),
                set("GEMINI_CLI_TRUST_WORKSPACE", "true"),
                set("GEMINI_MODEL", "gemini-2.5-pro"),
            ],
            Self::Copilot => vec![
                set("COPILOT_OFFLINE", "true"),
                ("COPILOT_PROVIDER_BASE_URL", service),
                set("COPILOT_MODEL", "gpt-4.1"),
                set("COPILOT_PROVIDER_API_KEY", "x"),
            ],
            Self::Pi => {
                let model = json!({ "id": "m1", "name": "m1", "reasoning": false,
                    "input": ["text"], "contextWindow": 100_000, "maxTokens": 1000,
                    "cost": { "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0 } });
                let provider = json!({ "baseUrl": service, "apiKey": "x",
                    "api": "openai-completions", "models": [model] });
                let providers = json!({ "providers": { "mock": provider } });
                scene.write("home/.pi/agent/models.json", &providers.to_string());
                vec![set("PI_OFFLINE", "1")]
            }
            Self::Qwen => vec![
                ("OPENAI_BASE_URL", service),
                set("OPENAI_API_KEY", "x"),
                set("OPENAI_MODEL", "m1"),
            ],
        }
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

/// The flags with which the agent answers one prompt and ends, before that prompt.
fn flags(agent: Agent, mock: &Mock) -> Vec<String> {
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match agent {
        Agent::Codex => {
            let provider = format!(
                r#"model_providers.mock={{name="mock",base_url="{}",wire_api="responses"}}"#,
                mock.url("/v1")
            );
            let model = r#"model="gpt-5""#;
            let named = r#"model_provider="mock""#;
            let skip = "--skip-git-repo-check";
            own(&["exec", skip, "-c", &provider, "-c", named, "-c", model])
        }
        Agent::Claude => own(&["-p"]),
        Agent::Opencode => own(&["run"]),
        Agent::Gemini => own(&["-y", "-p"]),
        Agent::Copilot => own(&["--allow-all-tools", "-p"]),
        Agent::Pi => own(&["--provider", "mock", "--model", "m1", "--no-session", "-p"]),
        // Without a terminal it refuses a skill that nobody has allowed; `yolo` allows.
        Agent::Qwen => own(&["--auth-type", "openai", "--approval-mode", "yolo", "-p"]),
    }
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
