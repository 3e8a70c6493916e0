//! Skills that come with plugins, installed by the agents' own programs from a folder, without a
//! network: both sides see the same ones, and our switch is the one that works.

use crate::agent::Agent;
use crate::env::TestEnv;
use crate::ours;
use skillpick::hosts::probe::{CLAUDE, CODEX, GEMINI};
use std::collections::BTreeSet;
use std::fs;

/// The program's own command, which must end well.
#[track_caller]
fn does(agent: &Agent, env: &TestEnv, arguments: &[&str]) {
    let output = agent.run(env, "repo", arguments, &[]).unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert_eq!(output.code, Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&said));
}

/// The names that the agent has on.
fn on(agent: &Agent, env: &TestEnv) -> BTreeSet<String> {
    let own = agent.ask(env, "repo").skills.into_iter().filter(|skill| !skill.bundled);
    own.filter(|skill| skill.enabled != Some(false)).map(|skill| skill.name).collect()
}

#[test]
fn claude_and_we_see_and_switch_the_skills_of_a_plugin() {
    let Some(agent) = Agent::find(&CLAUDE) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("home/.claude/skills", &["own"]);
    env.sound_skills("market/tools/skills", &["alpha", "beta"]);
    env.sound_skills("market/tools/extra", &["gamma"]);
    env.write(
        "market/tools/.claude-plugin/plugin.json",
        r#"{"name": "tools", "version": "1.2.3", "skills": ["./extra/"]}"#,
    );
    env.write(
        "market/.claude-plugin/marketplace.json",
        r#"{"name": "shop", "owner": {"name": "o"}, "plugins": [
            {"name": "tools", "source": "./tools", "version": "1.2.3"}]}"#,
    );
    does(&agent, &env, &["plugin", "marketplace", "add", &env.text("market")]);
    does(&agent, &env, &["plugin", "install", "tools@shop"]);
    let all: BTreeSet<String> =
        ["own", "tools:alpha", "tools:beta", "tools:gamma"].map(str::to_owned).into();
    assert_eq!(on(&agent, &env), all);
    ours::done(&agent, &env, "repo", &["verify"]);
    let shown = ours::done(&agent, &env, "repo", &["show", "tools:alpha"]);
    assert!(shown.contains("plugin tools@shop 1.2.3"), "{shown}");

    let settings = env.at("home/.claude/settings.json");
    let before = fs::read(&settings).unwrap();
    let (code, _, why) = ours::run(&agent, &env, "repo", &["disable", "tools:alpha"]);
    assert_eq!(code, Some(2), "{why}");
    assert!(why.contains("switches tools@shop only as a whole"), "{why}");
    let whole = ["disable", "tools:alpha", "tools:beta", "tools:gamma", "--in", "user"];
    ours::done(&agent, &env, "repo", &whole);
    assert_eq!(on(&agent, &env), ["own".to_owned()].into());
    ours::done(&agent, &env, "repo", &["verify"]);
    ours::done(&agent, &env, "repo", &["undo"]);
    assert_eq!(fs::read(&settings).unwrap(), before, "every byte is back");
    assert_eq!(on(&agent, &env), all);
}

#[test]
fn codex_and_we_see_and_switch_the_skills_of_a_plugin() {
    let Some(agent) = Agent::find(&CODEX) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("home/.agents/skills", &["own"]);
    env.sound_skills("market/plugins/tools/skills", &["alpha", "beta"]);
    env.write(
        "market/plugins/tools/.codex-plugin/plugin.json",
        r#"{"name": "tools", "version": "1.2.3", "description": "d"}"#,
    );
    env.write(
        "market/.agents/plugins/marketplace.json",
        r#"{"name": "shop", "plugins": [{"name": "tools", "category": "Productivity",
            "source": {"source": "local", "path": "./plugins/tools"},
            "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}}]}"#,
    );
    does(&agent, &env, &["plugin", "marketplace", "add", &env.text("market")]);
    does(&agent, &env, &["plugin", "add", "tools@shop"]);
    let all: BTreeSet<String> = ["own", "tools:alpha", "tools:beta"].map(str::to_owned).into();
    assert_eq!(on(&agent, &env), all);
    ours::done(&agent, &env, "repo", &["verify"]);
    let shown = ours::done(&agent, &env, "repo", &["show", "tools:alpha"]);
    assert!(shown.contains("plugin tools@shop 1.2.3"), "{shown}");

    // One skill alone, and back.
    let before = env.read("home/.codex/config.toml");
    ours::done(&agent, &env, "repo", &["disable", "tools:alpha"]);
    assert_eq!(on(&agent, &env), ["own", "tools:beta"].map(str::to_owned).into());
    ours::done(&agent, &env, "repo", &["verify"]);
    ours::done(&agent, &env, "repo", &["undo"]);
    assert_eq!(env.read("home/.codex/config.toml"), before, "every byte is back");
    // The whole plugin, by its own setting.
    env.write("home/.codex/config.toml", before.replace("enabled = true", "enabled = false"));
    assert_eq!(on(&agent, &env), ["own".to_owned()].into());
    ours::done(&agent, &env, "repo", &["verify"]);
}

#[test]
fn gemini_and_we_see_and_switch_the_skills_of_an_extension() {
    let Some(agent) = Agent::find(&GEMINI) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("home/.gemini/skills", &["own", "both"]);
    env.sound_skills("extension/skills", &["alpha", "beta", "both"]);
    env.write("extension/gemini-extension.json", r#"{"name": "tools", "version": "1.2.3"}"#);
    does(&agent, &env, &["extensions", "install", &env.text("extension"), "--consent"]);
    let all: BTreeSet<String> = ["own", "both", "alpha", "beta"].map(str::to_owned).into();
    assert_eq!(on(&agent, &env), all);
    ours::done(&agent, &env, "repo", &["verify"]);
    let shown = ours::done(&agent, &env, "repo", &["show", "alpha"]);
    assert!(shown.contains("extension tools 1.2.3"), "{shown}");

    ours::done(&agent, &env, "repo", &["disable", "alpha", "--in", "user"]);
    assert_eq!(on(&agent, &env), ["own", "both", "beta"].map(str::to_owned).into());
    ours::done(&agent, &env, "repo", &["verify"]);
    ours::done(&agent, &env, "repo", &["undo"]);
    assert_eq!(on(&agent, &env), all);
    does(&agent, &env, &["extensions", "disable", "tools", "--scope", "workspace"]);
    assert_eq!(on(&agent, &env), ["own", "both"].map(str::to_owned).into());
    ours::done(&agent, &env, "repo", &["verify"]);
}
