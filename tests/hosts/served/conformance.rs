//! Runs `@modelcontextprotocol/conformance` 0.2.0-alpha.12 against `serve --http`: all scenarios of
//! all versions of the protocol and of its extensions, the Skills extension (SEP-2640) among them.
//!
//! `not_ours.toml` lists the checks that do not apply to our server, each with the reason. The test
//! fails if the list is wrong in either direction.

use super::http::Listening;
use super::tool;
use crate::agent::say;
use crate::mock::{Scene, run};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Scenarios that matter most to us; each must have been run.
const OURS: [&str; 8] = [
    "dns-rebinding-protection",
    "http-header-validation",
    "sep-2640-skills-directory",
    "sep-2640-skills-enumeration",
    "sep-2640-skills-manifest",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "server-stateless",
];

fn not_ours() -> BTreeSet<String> {
    let list: toml_edit::DocumentMut = include_str!("not_ours.toml").parse().unwrap();
    let reasons = list.iter().inspect(|(name, reason)| {
        assert!(reason["because"].as_str().is_some_and(|text| text.len() > 20), "{name}");
    });
    let checks = reasons.flat_map(|(_, reason)| reason["checks"].as_array().unwrap());
    let checks: Vec<String> = checks.map(|check| check.as_str().unwrap().to_owned()).collect();
    let distinct: BTreeSet<String> = checks.iter().cloned().collect();
    assert_eq!(distinct.len(), checks.len(), "a check is listed twice");
    distinct
}

#[test]
fn conformance_scenarios_pass_or_are_listed_as_not_applicable() {
    let Some(program) = tool("conformance") else { return };
    let scene = Scene::new();
    if run(scene.command(&program).arg("--version")).code != Some(0) {
        return say("skipped: conformance does not run here (it wants Node 22)");
    }
    let server = Listening::start(&scene, &[]);
    let folder = scene.at("results");
    let mut command = scene.command(&program);
    command.args(["server", "--suite", "all", "--url", &server.url(), "--output-dir"]);
    let ran = run(command.arg(&folder));
    let outcomes = outcomes(&folder);
    for scenario in OURS {
        let passed = outcomes.get(scenario).is_some_and(|checks| checks.iter().any(Check::passed));
        assert!(passed, "{scenario} was not run: {ran:?}");
    }
    let complaints = outcomes.iter().flat_map(|(scenario, checks)| {
        let bad = checks.iter().filter(|check| check.complains());
        bad.map(move |check| (format!("{scenario}/{}", check.id), check.says.clone()))
    });
    let complaints: BTreeMap<String, String> = complaints.collect();
    let not_ours = not_ours();
    let failed: Vec<_> =
        complaints.iter().filter(|(check, _)| !not_ours.contains(*check)).collect();
    assert!(failed.is_empty(), "these fail, and are not listed: {failed:#?}");
    let stale: Vec<_> = not_ours.iter().filter(|check| !complaints.contains_key(*check)).collect();
    assert!(stale.is_empty(), "these are listed, and do not fail: {stale:#?}");
}

struct Check {
    id: String,
    status: String,
    says: String,
}

impl Check {
    fn passed(&self) -> bool {
        self.status == "SUCCESS"
    }

    fn complains(&self) -> bool {
        ["FAILURE", "WARNING"].contains(&&*self.status)
    }
}

/// The checks of each scenario. It writes them into a folder of its own,
/// `server-<scenario>-2026-11-22T05-14-55-545Z`.
fn outcomes(folder: &Path) -> BTreeMap<String, Vec<Check>> {
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
        let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
        let check = |check: &Json| Check {
            id: text(&check["id"]),
            status: text(&check["status"]),
            says: text(&check["errorMessage"]),
        };
        let checks = checks.as_array().unwrap().iter().map(check).collect();
        outcomes.insert(scenario.to_owned(), checks);
    }
    outcomes
}
