//! `@modelcontextprotocol/inspector` 2.12.0, `--cli`, as a client on stdio: every method, every
//! tool, every sort of error.
//!
//! - Each run is a connection of its own, so that what one run has loaded is remembered for the
//!   next by `--session`.
//! - It does not send a call of an unlisted tool, but fails by itself.
//!   `tests/it/program/serve/frames.rs` makes that call.
//! - It checks answers against the output schemas, and fails where they differ; we check them once
//!   more.
//! - It has no elicitation.

use super::{NAME, ROOT, SCRIPTS, program, serving, settings, tool};
use crate::mock::{Ran, Scene, run};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The inspector, connected to our server.
struct Inspector {
    scene: Scene,
    program: PathBuf,
    words: Vec<String>,
}

impl Inspector {
    /// With these settings; `None` if it is not installed.
    fn new(text: &str) -> Option<Self> {
        let program = tool("mcp-inspector")?;
        let scene = Scene::new();
        settings(&scene, text);
        let mut words = serving(&scene);
        words.extend(["--structured", "--session", "inspected"].map(str::to_owned));
        Some(Self { scene, program, words })
    }

    /// With settings that allow the skill's scripts.
    fn allowed() -> Option<Self> {
        let inspector = Self::new(SCRIPTS)?;
        let mut command = inspector.scene.command(Path::new(program()));
        let path = inspector.scene.at(ROOT).join(NAME);
        command.args(["permit", "allow"]).arg(path).arg("--script");
        let ran = run(&command);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        Some(inspector)
    }

    fn run(&self, more: &[&str]) -> Ran {
        let mut command = self.scene.command(&self.program);
        command.arg("--cli").arg(program()).args(&self.words).args(more);
        run(&command)
    }

    /// What it prints. The run must succeed.
    #[track_caller]
    fn ask(&self, method: &str, more: &[&str]) -> Json {
        let ran = self.run(&[&["--method", method], more].concat());
        assert_eq!(ran.code, Some(0), "{method}: {ran:?}");
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
    }

    fn call(&self, tool: &str, arguments: &Json) -> Ran {
        let arguments = arguments.to_string();
        self.run(&["--method", "tools/call", "--tool-name", tool, "--tool-args-json", &arguments])
    }

    /// The code and the text of a call that is refused.
    #[track_caller]
    fn refusal(&self, tool: &str, arguments: &Json) -> (String, String) {
        let ran = self.call(tool, arguments);
        assert!(ran.code == Some(5) && ran.err.contains("tool_is_error"), "{ran:?}");
        let result: Json = serde_json::from_str(&ran.out).unwrap();
        let text = |value: &Json| value.as_str().unwrap().to_owned();
        (text(&result["_meta"]["skillpick/code"]), text(&result["content"][0]["text"]))
    }

    /// The error of a request that is no call of a tool.
    #[track_caller]
    fn error(&self, method: &str, more: &[&str]) -> String {
        let ran = self.run(&[&["--method", method], more].concat());
        assert_eq!(ran.code, Some(1), "{method}: {ran:?}");
        let line = ran.err.lines().last().unwrap_or_default();
        let said: Json =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        said["error"]["message"].as_str().unwrap().to_owned()
    }
}

/// Calls of all tools, in an order in which each finds what it needs, and a text that the answer
/// contains.
fn calls() -> [(&'static str, Json, &'static str); 10] {
    [
        ("skill_search", json!({ "query": "loaded, read and run" }), NAME),
        ("skills_list", json!({}), NAME),
        ("skill_load", json!({ "name": NAME }), "MARKER_BODY"),
        ("skill_load", json!({ "name": NAME }), "reminder"),
        (
            "skill_read",
            json!({ "skill": NAME, "path": "references/REFERENCE.md" }),
            "MARKER_REFERENCE",
        ),
        // Base64 of `PNG\0MARKER_ASSET\0`.
        (
            "skill_read",
            json!({ "path": "assets/data.bin", "encoding": "binary" }),
            "UE5HAE1BUktFUl9BU1NFVAA=",
        ),
        (
            "skill_run_script",
            json!({ "path": "scripts/hello.sh", "args": ["now"] }),
            "MARKER_SCRIPT now",
        ),
        ("context_inspect", json!({ "include_skills": true }), NAME),
        ("skill_unload", json!({ "names": [NAME] }), NAME),
        ("skill_load", json!({ "name": NAME }), "MARKER_BODY"),
    ]
}

#[test]
fn rem_12_the_inspector_calls_every_tool() {
    let Some(inspector) = Inspector::allowed() else { return };
    let listed = inspector.ask("tools/list", &[]);
    let tools: BTreeMap<&str, &Json> = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| (tool["name"].as_str().unwrap(), tool))
        .collect();
    let calls = calls();
    let called: BTreeSet<&str> = calls.iter().map(|(tool, ..)| *tool).collect();
    assert_eq!(
        tools.keys().copied().collect::<BTreeSet<_>>(),
        called,
        "each tool that is listed is called"
    );
    for (tool, arguments, mark) in &calls {
        let ran = inspector.call(tool, arguments);
        assert!(ran.code == Some(0), "{tool}: {ran:?}");
        let result: Json = serde_json::from_str(&ran.out).unwrap();
        let data = &result["structuredContent"];
        assert!(data.to_string().contains(mark), "{tool}: {result}");
        assert!(!result["content"][0]["text"].as_str().unwrap().is_empty(), "{tool}: {result}");
        let validator = jsonschema::validator_for(&tools[tool]["outputSchema"]).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(data).map(|error| error.to_string()).collect();
        assert!(data.is_object() && errors.is_empty(), "{tool}: {errors:?}");
    }
}

/// Clients warn of parts of a schema that they do not know, and some model services refuse them.
#[test]
fn the_inspector_accepts_the_schemas() {
    let Some(inspector) = Inspector::allowed() else { return };
    let ran = inspector.run(&["--method", "tools/list", "--strict"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    let ran = inspector.call("skill_load", &json!({ "name": NAME }));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
}

#[test]
fn the_inspector_reads_the_resources() {
    let Some(inspector) = Inspector::new("") else { return };
    let listed = inspector.ask("resources/list", &[]);
    let base = format!("skill://{NAME}");
    let address = |file: &str| format!("{base}/{file}");
    let seen: BTreeSet<&str> = listed["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["uri"].as_str().unwrap())
        .collect();
    let files =
        ["SKILL.md", "assets/data.bin", "references/REFERENCE.md", "scripts/hello.sh"].map(address);
    assert_eq!(seen, files.iter().map(String::as_str).collect());
    let read = |file: &str| {
        inspector.ask("resources/read", &["--uri", &address(file)])["contents"][0].clone()
    };
    assert!(read("SKILL.md")["text"].as_str().unwrap().contains("MARKER_BODY"));
    assert_eq!(read("references/REFERENCE.md")["text"], "MARKER_REFERENCE\n");
    assert_eq!(read("assets/data.bin")["blob"], "UE5HAE1BUktFUl9BU1NFVAA=");
    assert_eq!(inspector.ask("resources/templates/list", &[]), json!({ "resourceTemplates": [] }));
    let inside = inspector.ask("resources/directory/read", &["--uri", &base]);
    assert_eq!(inside["resources"].as_array().unwrap().len(), 4, "{inside}");
    let refused = |file: &str| inspector.error("resources/read", &["--uri", &address(file)]);
    assert_eq!(refused("none.md"), "there is no such resource");
    assert!(refused("../../secret.txt").contains("leaves the skill's directory"));
}

/// The inspector's own checks of the Skills extension: the frontmatter, the manifests, and the
/// digest of every file.
#[test]
fn the_inspector_verifies_the_skills_extension() {
    let Some(inspector) = Inspector::new("") else { return };
    let uri = format!("skill://{NAME}/SKILL.md");
    for (method, more) in [("skills/list", &[][..]), ("skills/get", &["--uri", &uri])] {
        let report = inspector.ask(method, &[&["--verify", "--require-digests"], more].concat());
        assert_eq!(
            (&report["outcome"], &report["conformance"]),
            (&json!("verified"), &json!([])),
            "{report}"
        );
        assert_eq!(report["files"].as_array().unwrap().len(), 4, "{report}");
    }
}

#[test]
fn the_inspector_gets_the_prompts() {
    let Some(inspector) = Inspector::new("") else { return };
    assert_eq!(inspector.ask("prompts/list", &[])["prompts"][0]["name"], NAME);
    let got = inspector
        .ask("prompts/get", &["--prompt-name", NAME, "--prompt-args", "input=this branch"]);
    let text = got["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("MARKER_BODY") && text.ends_with("this branch"), "{text}");
    assert_eq!(
        inspector.error("prompts/get", &["--prompt-name", "none"]),
        "there is no such prompt"
    );
}

#[test]
fn the_inspector_hears_why_a_call_is_refused() {
    let Some(inspector) = Inspector::new(SCRIPTS) else { return };
    let (code, text) = inspector.refusal("skill_load", &json!({ "name": "none" }));
    assert!(code == "unknown" && text.contains(NAME), "{code} {text}");
    assert_eq!(inspector.refusal("skill_load", &json!({ "nme": NAME })).0, "invalid_input");
    let script = json!({ "skill": NAME, "path": "scripts/hello.sh" });
    assert_eq!(inspector.refusal("skill_run_script", &script).0, "not_active");
    assert_eq!(inspector.call("skill_load", &json!({ "name": NAME })).code, Some(0));
    assert_eq!(
        inspector.refusal("skill_read", &json!({ "path": "../../secret.txt" })).0,
        "parent_path"
    );
    // The inspector cannot ask anybody.
    let (code, text) = inspector.refusal("skill_run_script", &script);
    let allows = format!("{NAME}/SKILL.md --script");
    let told = text.contains("skillpick permit allow /") && text.contains(&allows);
    assert!(code == "needs_consent" && told, "{code} {text}");
    let ran = inspector.call("none", &json!({}));
    assert!(ran.code == Some(5) && ran.err.contains("tool_not_found"), "{ran:?}");
}

/// The protocol of 2026-07-28, which has no handshake.
#[test]
fn the_inspector_speaks_the_protocol_without_a_handshake() {
    let Some(inspector) = Inspector::new("") else { return };
    let arguments = json!({ "name": NAME }).to_string();
    let call =
        ["--protocol-era", "modern", "--tool-name", "skill_load", "--tool-args-json", &arguments];
    let loaded = inspector.ask("tools/call", &call);
    assert!(loaded["content"][0]["text"].as_str().unwrap().contains("MARKER_BODY"), "{loaded}");
}
