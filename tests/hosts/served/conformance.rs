//! Runs `@modelcontextprotocol/conformance` 0.1.16 against our server. It speaks only HTTP, so a
//! bridge stands between the two.
//!
//! All its scenarios are tried. Those that our server need not pass are listed here, each with the
//! reason and the expected failure. The test fails if such a scenario passes or fails in another
//! way, and if an unlisted one fails.

use super::bridge::Bridge;
use super::{server, tool};
use crate::agent::say;
use crate::mock::{Scene, run};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// What is expected of a scenario.
#[derive(Clone, Copy)]
enum Expected {
    Passes,
    NotOurs {
        /// Why it need not pass.
        #[expect(dead_code, reason = "it is for who reads the table")]
        because: &'static str,
        /// What its failure says.
        says: &'static str,
    },
}

use Expected::Passes;

/// Most scenarios expect the tools and texts of the protocol's example server.
const fn example(says: &'static str) -> Expected {
    Expected::NotOurs { because: "it wants something that only the example server has", says }
}

const fn not_ours(because: &'static str, says: &'static str) -> Expected {
    Expected::NotOurs { because, says }
}

const NO_TOOL: Expected = example("-32602: there is no such tool");
const NO_PROMPT: Expected = example("-32602: there is no such prompt");
const NO_RESOURCE: Expected = example("-32002: there is no such resource");
const NO_SUBSCRIBING: Expected =
    not_ours("the server tells of changed lists, and declares no more", "-32601");

const SCENARIOS: [(&str, Expected); 32] = [
    ("server-initialize", Passes),
    ("ping", Passes),
    ("tools-list", Passes),
    ("resources-list", Passes),
    ("prompts-list", Passes),
    ("server-sse-multiple-streams", Passes),
    (
        "completion-complete",
        not_ours("the server completes nothing, and declares no completions", "-32601"),
    ),
    ("logging-set-level", Passes),
    ("tools-call-with-logging", NO_TOOL),
    ("resources-subscribe", NO_SUBSCRIBING),
    ("resources-unsubscribe", NO_SUBSCRIBING),
    (
        "dns-rebinding-protection",
        not_ours("the server has no HTTP; the bridge is a test's own", "got 200"),
    ),
    (
        "server-sse-polling",
        not_ours("the server has no HTTP; the bridge is a test's own", "priming event"),
    ),
    ("json-schema-2020-12", example("'json_schema_2020_12_tool' not found")),
    ("tools-call-simple-text", NO_TOOL),
    ("tools-call-image", NO_TOOL),
    ("tools-call-audio", NO_TOOL),
    ("tools-call-embedded-resource", NO_TOOL),
    ("tools-call-mixed-content", NO_TOOL),
    ("tools-call-error", NO_TOOL),
    ("tools-call-with-progress", NO_TOOL),
    ("tools-call-sampling", NO_TOOL),
    ("tools-call-elicitation", NO_TOOL),
    ("elicitation-sep1034-defaults", NO_TOOL),
    ("elicitation-sep1330-enums", NO_TOOL),
    ("resources-read-text", NO_RESOURCE),
    ("resources-read-binary", NO_RESOURCE),
    ("resources-templates-read", NO_RESOURCE),
    ("prompts-get-simple", NO_PROMPT),
    ("prompts-get-with-args", NO_PROMPT),
    ("prompts-get-embedded-resource", NO_PROMPT),
    ("prompts-get-with-image", NO_PROMPT),
];

#[test]
fn conformance_scenarios_pass_or_are_listed_as_not_applicable() {
    let Some(program) = tool("conformance") else { return };
    let scene = Arc::new(Scene::new());
    if run(scene.command(&program).arg("--version")).code != Some(0) {
        return say("skipped: conformance does not run here (it wants Node 22)");
    }
    let served = Arc::clone(&scene);
    let bridge = Bridge::start(move || server(&served));
    let folder = scene.at("results");
    let mut command = scene.command(&program);
    command.args(["server", "--suite", "all", "--url", &bridge.url(), "--output-dir"]).arg(&folder);
    let ran = run(&command);
    let mut outcomes = outcomes(&folder);
    assert!(!outcomes.is_empty(), "{ran:?}");
    for (scenario, expected) in SCENARIOS {
        let outcome = outcomes
            .remove(scenario)
            .unwrap_or_else(|| panic!("{scenario} is no scenario any more"));
        match (expected, outcome) {
            (Passes, Ok(())) => {}
            (Passes, Err(said)) => panic!("{scenario}: {said}"),
            (Expected::NotOurs { says, .. }, Err(said)) => {
                assert!(said.contains(says), "{scenario}: {said}")
            }
            (Expected::NotOurs { .. }, Ok(())) => panic!("{scenario} passes: the table is stale"),
        }
    }
    assert!(outcomes.is_empty(), "not in the table: {outcomes:?}");
}

/// The failures of each scenario. It writes them into a folder of its own,
/// `server-<scenario>-2026-11-22T05-14-55-545Z`.
fn outcomes(folder: &Path) -> BTreeMap<String, Result<(), String>> {
    let mut outcomes = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let scenario = name
            .strip_prefix("server-")
            .and_then(|name| name.get(..name.len().checked_sub(25)?))
            .unwrap();
        let checks: Json =
            serde_json::from_slice(&fs::read(entry.path().join("checks.json")).unwrap()).unwrap();
        let checks = checks.as_array().unwrap();
        let complaints: Vec<&str> = checks
            .iter()
            .filter(|check| check["status"] == "FAILURE" || check["status"] == "WARNING")
            .map(|check| check["errorMessage"].as_str().unwrap_or("it does not say why"))
            .collect();
        let passed =
            complaints.is_empty() && checks.iter().any(|check| check["status"] == "SUCCESS");
        outcomes
            .insert(scenario.to_owned(), if passed { Ok(()) } else { Err(complaints.join("; ")) });
    }
    outcomes
}
