//! The skills that a program brings itself or fetches, seen and switched.

use crate::agent::Agent;
use crate::env::TestEnv;
use crate::mock::http::{Outgoing, Service};
use crate::mock::{Scene, run as run_in};
use crate::ours;
use crate::plugins::does;
use serde_json::Value as Json;
use skillpick::catalog::Plugin;
use skillpick::hosts::probe::{COPILOT, GEMINI, OPENCODE, QWEN};
use std::collections::BTreeSet;
use std::path::Path;

/// The built-in skills that the agent has on.
fn bundled(agent: &Agent, env: &TestEnv) -> BTreeSet<String> {
    let bundled = agent.ask(env, "repo").skills.into_iter().filter(|skill| skill.bundled);
    bundled.filter(|skill| skill.enabled != Some(false)).map(|skill| skill.name).collect()
}

/// The built-in skills that are on in our list.
fn built_in(agent: &Agent, env: &TestEnv) -> BTreeSet<String> {
    let list: Json =
        serde_json::from_str(&ours::done(agent, env, "repo", &["list", "--json"])).unwrap();
    let rows = list["skills"].as_array().unwrap().iter();
    let on = rows.filter(|row| row["plugin"]["kind"] == Plugin::BUILT_IN && row["state"] != "off");
    on.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

/// Both list the same built-in skills, and this one is switched off and on again by us.
#[track_caller]
fn switches_built_in(agent: &Agent, env: &TestEnv, name: &str, source: &str) {
    let theirs = bundled(agent, env);
    let ours = built_in(agent, env);
    assert!(ours.contains(name) && ours.is_subset(&theirs), "{ours:?} {theirs:?}");
    assert!(!agent.probe.paths || ours == theirs, "{ours:?} {theirs:?}");
    ours::done(agent, env, "repo", &["verify"]);
    let shown = ours::done(agent, env, "repo", &["show", name]);
    assert!(shown.contains(source), "{shown}");
    ours::done(agent, env, "repo", &["disable", name, "--in", "user"]);
    let off: BTreeSet<String> = [name.to_owned()].into();
    assert_eq!(&theirs - &bundled(agent, env), off);
    assert_eq!(&ours - &built_in(agent, env), off);
    ours::done(agent, env, "repo", &["verify"]);
    ours::done(agent, env, "repo", &["undo"]);
    assert_eq!(bundled(agent, env), theirs);
}

#[test]
fn gemini_and_we_see_and_switch_what_is_built_in() {
    let Some(agent) = Agent::find(&GEMINI) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("home/.gemini/skills/own");
    switches_built_in(&agent, &env, "skill-creator", "built in Gemini CLI 0.61.0");
    // What an extension brings wins, unless the extension is off here; the person's own always.
    env.sound_skill("extension/skills/skill-creator");
    env.write("extension/gemini-extension.json", r#"{"name": "tools", "version": "1.2.3"}"#);
    does(&agent, &env, &["extensions", "install", &env.text("extension"), "--consent"]);
    assert!(!bundled(&agent, &env).contains("skill-creator"));
    ours::done(&agent, &env, "repo", &["verify"]);
    does(&agent, &env, &["extensions", "disable", "tools", "--scope", "workspace"]);
    assert!(bundled(&agent, &env).contains("skill-creator"));
    assert!(built_in(&agent, &env).contains("skill-creator"));
    ours::done(&agent, &env, "repo", &["verify"]);
    env.sound_skill("home/.agents/skills/skill-creator");
    assert!(!built_in(&agent, &env).contains("skill-creator"));
    ours::done(&agent, &env, "repo", &["verify"]);
}

#[test]
fn qwen_and_we_see_and_switch_what_is_built_in() {
    let Some(agent) = Agent::find(&QWEN) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("home/.qwen/skills/own");
    switches_built_in(&agent, &env, "review", "built in Qwen Code 0.24.4");
    env.write("home/.qwen/settings.json", r#"{"skills": {"disabledLevels": ["bundled"]}}"#);
    assert!(!bundled(&agent, &env).contains("review"));
    assert_eq!(built_in(&agent, &env), BTreeSet::new());
}

#[test]
fn copilot_and_we_see_and_switch_what_is_built_in() {
    let Some(agent) = Agent::find(&COPILOT) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("home/.copilot/skills/own");
    switches_built_in(&agent, &env, "github-pr-media", "built in Copilot CLI 1.0.102");
    env.sound_skill("home/.agents/skills/github-pr-media");
    assert!(!bundled(&agent, &env).contains("github-pr-media"));
    assert!(!built_in(&agent, &env).contains("github-pr-media"));
    ours::done(&agent, &env, "repo", &["verify"]);
}

#[test]
fn opencode_and_we_see_what_it_has_fetched() {
    let Some(agent) = Agent::find(&OPENCODE) else { return };
    let service = Service::start(|incoming| match &*incoming.target {
        "/index.json" => Outgoing::new(
            200,
            "application/json",
            r#"{"skills": [{"name": "far", "version": "1.2", "files": ["SKILL.md"]}]}"#,
        ),
        "/far/SKILL.md" => {
            Outgoing::new(200, "text/markdown", "---\nname: far\ndescription: d\n---\nBody\n")
        }
        _ => Outgoing::new(404, "text/plain", ""),
    });
    let scene = Scene::new();
    let address = service.url("");
    scene.write(
        "home/.config/opencode/opencode.json",
        &format!(r#"{{"skills": {{"urls": ["{address}"]}}}}"#),
    );
    let run = |program: &Path, arguments: &[&str]| {
        let mut command = scene.command(program);
        command.args(arguments);
        command.envs(agent.probe.environment.iter().copied());
        crate::agent::count();
        let ran = run_in(&command);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        ran.out
    };
    let opencode = crate::agent::programs().join("opencode");
    let ours = |arguments: &[&str]| {
        let host = ["--host", "opencode"];
        run(Path::new(env!("CARGO_BIN_EXE_skillpick")), &[arguments, &host].concat())
    };
    let theirs: Json = serde_json::from_str(&run(&opencode, &["debug", "skill"])).unwrap();
    let far = theirs.as_array().unwrap().iter().find(|skill| skill["name"] == "far").unwrap();
    let list: Json = serde_json::from_str(&ours(&["list", "--json"])).unwrap();
    let row = list["skills"].as_array().unwrap().iter().find(|row| row["name"] == "far").unwrap();
    assert_eq!(row["path"], far["location"]);
    assert_eq!(row["plugin"]["version"], "1.2");
    let shown = ours(&["show", "far"]);
    assert!(shown.contains(&format!("download {address} 1.2")), "{shown}");
    // Switched like any other; what it cannot reach, it does not list.
    ours(&["disable", "far"]);
    let rules = run(&opencode, &["debug", "agent", "build"]);
    let rules: Json = serde_json::from_str(&rules).unwrap();
    let denied = rules["permission"].as_array().unwrap().iter();
    let mut denied = denied.filter(|rule| rule["pattern"] == "far" && rule["action"] == "deny");
    assert!(denied.any(|rule| rule["permission"] == "skill"), "{rules}");
    drop(service);
    assert!(!run(&opencode, &["debug", "skill"]).contains("skills/far"));
    let verified = ours(&["verify"]);
    assert!(verified.contains("asks the skill's address first"), "{verified}");
}
