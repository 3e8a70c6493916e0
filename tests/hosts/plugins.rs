//! Skills that come with plugins, installed by the agents' own programs from a folder, without a
//! network: both sides see the same ones, and our switch is the one that works.

mod copilot;

use crate::agent::Agent;
use crate::env::TestEnv;
use crate::ours;
use skillpick::hosts::probe::{CLAUDE, CODEX, GEMINI, PI, QWEN, Step};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The program's own command, which must end well.
#[track_caller]
pub(super) fn does(agent: &Agent, env: &TestEnv, arguments: &[&str]) {
    let output = agent.run(env, "repo", arguments, &[]).unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert_eq!(output.code, Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&said));
}

/// The same, for a command that asks whether it may.
#[track_caller]
fn does_and_agrees(agent: &Agent, env: &TestEnv, arguments: &[&str]) {
    let yes = |_: &Path| b"y\n".to_vec();
    let step = Step { input: yes, ..Step::plain(&[]) };
    let output = agent.step((env, "repo"), &step, (arguments, &[])).unwrap();
    assert_eq!(output.code, Some(0), "{arguments:?}");
}

/// The names that the agent has on.
fn on(agent: &Agent, env: &TestEnv) -> BTreeSet<String> {
    let own = agent.ask(env, "repo").skills.into_iter().filter(|skill| !skill.bundled);
    own.filter(|skill| skill.enabled != Some(false)).map(|skill| skill.name).collect()
}

/// Runs the command that a refusal names, in a folder that is not below the home directory.
#[track_caller]
fn enabled_as_told(agent: &Agent, env: &TestEnv, why: &str) {
    let (_, command) = why.trim_end().split_once("to enable that: ").expect(why);
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(words[0], agent.probe.program);
    does(agent, env, &words[1..]);
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
    assert_eq!(code, Some(1), "{why}");
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
fn claude_and_we_take_a_folder_of_commands_with_a_skill_file_for_one_skill() {
    let Some(agent) = Agent::find(&CLAUDE) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("market/tools/skills", &["alpha"]);
    let text = "---\nname: written\ndescription: d\n---\nText.\n";
    for place in ["commands", "commands/below"] {
        env.write(format!("market/tools/{place}/SKILL.md"), text);
    }
    env.write(
        "market/.claude-plugin/marketplace.json",
        r#"{"name": "shop", "owner": {"name": "o"}, "plugins": [
            {"name": "tools", "source": "./tools"}]}"#,
    );
    does(&agent, &env, &["plugin", "marketplace", "add", &env.text("market")]);
    does(&agent, &env, &["plugin", "install", "tools@shop"]);
    assert_eq!(on(&agent, &env), ["tools:alpha", "tools:commands"].map(str::to_owned).into());
    ours::done(&agent, &env, "repo", &["verify"]);
}

/// As the program keeps them: a fetched plugin with two versions, for all projects and for one.
#[test]
fn claude_and_we_take_the_version_of_a_plugin_that_was_installed_for_the_project() {
    let Some(agent) = Agent::find(&CLAUDE) else { return };
    let env = TestEnv::for_agents();
    let (kept, time) = ("home/.claude/plugins", "2026-01-02T03:04:05.678Z");
    let cache = |version: &str| format!("{kept}/cache/shop/tools/{version}");
    env.sound_skills(&format!("{}/skills", cache("1.0.0")), &["old"]);
    for place in ["commands/grouped/new", "commands/newer"] {
        env.sound_skill(&format!("{}/{place}", cache("2.0.0")));
    }
    let itself = "---\nname: itself\ndescription: d\n---\n";
    env.write(format!("{}/SKILL.md", cache("2.0.0")), itself);
    for version in ["1.0.0", "2.0.0"] {
        let manifest = format!(r#"{{"name": "tools", "version": "{version}"}}"#);
        env.write(format!("{}/.claude-plugin/plugin.json", cache(version)), manifest);
    }
    env.write(
        format!("{kept}/marketplaces/shop/.claude-plugin/marketplace.json"),
        r#"{"name": "shop", "owner": {"name": "o"}, "plugins": [
            {"name": "tools", "source": "./tools"}]}"#,
    );
    let place = env.text(&format!("{kept}/marketplaces/shop"));
    let source = r#"{"source": "git", "url": "https://shop.invalid/shop.git"}"#;
    let known = format!(
        r#"{{"shop": {{"source": {source}, "installLocation": "{place}", "lastUpdated": "{time}"}}}}"#
    );
    env.write(format!("{kept}/known_marketplaces.json"), known);
    let entry = |scope: &str, version: &str| {
        let folder = env.text(&cache(version));
        let times = format!(r#""installedAt": "{time}", "lastUpdated": "{time}""#);
        format!(r#"{scope}, "installPath": "{folder}", "version": "{version}", {times}"#)
    };
    let project = format!(r#""scope": "project", "projectPath": "{}""#, env.text("repo"));
    let (one, all) = (entry(&project, "2.0.0"), entry(r#""scope": "user""#, "1.0.0"));
    let own = env.text("repo/.git/worktrees/tree");
    env.write("tree/.git", format!("gitdir: {own}\n"));
    env.write("repo/.git/worktrees/tree/commondir", "../..\n");
    env.write("repo/.git/worktrees/tree/gitdir", format!("{}\n", env.text("tree/.git")));
    env.write("repo/.git/worktrees/tree/HEAD", "ref: refs/heads/tree\n");
    env.write("other/.git/HEAD", "ref: refs/heads/main\n");
    let enabled = r#"{"enabledPlugins": {"tools@shop": true}}"#;
    env.write("home/.claude/settings.json", enabled);
    let new = ["tools:grouped:new", "tools:itself", "tools:newer"].as_slice();
    for (folder, entries, expected) in [
        ("repo", [&*one, &*all].as_slice(), new),
        ("repo", &[&*all, &*one], &["tools:old"]),
        ("tree", &[&*one], new),
        ("other", &[&*one, &*all], &["tools:old"]),
        ("other", &[&*one], &[]),
    ] {
        let entries = entries.iter().map(|entry| format!("{{{entry}}}")).collect::<Vec<_>>();
        let text =
            format!(r#"{{"version": 2, "plugins": {{"tools@shop": [{}]}}}}"#, entries.join(", "));
        env.write(format!("{kept}/installed_plugins.json"), &text);
        ours::done(&agent, &env, folder, &["verify"]);
        let own = agent.ask(&env, folder).skills.into_iter().filter(|skill| !skill.bundled);
        let seen: BTreeSet<String> = own.map(|skill| skill.name).collect();
        assert_eq!(seen, expected.iter().map(|&name| name.to_owned()).collect(), "{folder}");
    }
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
    let without: BTreeSet<String> = ["own", "tools:beta"].map(str::to_owned).into();
    assert_eq!(on(&agent, &env), without);
    ours::done(&agent, &env, "repo", &["verify"]);
    // With the next version it is off as well.
    let cache = env.at("home/.codex/plugins/cache/shop/tools");
    fs::rename(cache.join("1.2.3"), cache.join("1.3.0")).unwrap();
    assert_eq!(on(&agent, &env), without);
    ours::done(&agent, &env, "repo", &["verify"]);
    fs::rename(cache.join("1.3.0"), cache.join("1.2.3")).unwrap();
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
    let (_, _, why) = ours::run(&agent, &env, "repo", &["enable", "alpha"]);
    enabled_as_told(&agent, &env, &why);
    assert_eq!(on(&agent, &env), all);
}

#[test]
fn qwen_and_we_see_and_switch_the_skills_of_extensions() {
    let Some(agent) = Agent::find(&QWEN) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("home/.qwen/skills/own");
    env.sound_skills("extension/skills", &["alpha", "beta", "own"]);
    env.write("extension/qwen-extension.json", r#"{"name": "tools", "version": "1.2.3"}"#);
    // The Agent Plugins format, Claude Code's, and an extension that is linked.
    env.sound_skill("plugin/skills/gamma");
    let schema = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
    env.write("plugin/plugin.json", format!(r#"{{"$schema": "{schema}", "name": "open"}}"#));
    env.sound_skill("claude/skills/delta");
    env.write("claude/.claude-plugin/plugin.json", r#"{"name": "claude-one", "version": "2"}"#);
    env.sound_skills("linked/skills", &["far", "near"]);
    let states = r#"{"name": "far", "version": "3", "skillStates": {"near": false}}"#;
    env.write("linked/qwen-extension.json", states);
    for folder in ["extension", "plugin", "claude"] {
        does(&agent, &env, &["extensions", "install", &env.text(folder), "--consent"]);
    }
    does_and_agrees(&agent, &env, &["extensions", "link", &env.text("linked")]);
    let all = ["own", "tools:alpha", "tools:beta", "tools:own", "open:gamma", "claude-one:delta"];
    let all: BTreeSet<String> = all.into_iter().chain(["far:far"]).map(str::to_owned).collect();
    assert_eq!(on(&agent, &env), all);
    ours::done(&agent, &env, "repo", &["verify"]);
    let shown = ours::done(&agent, &env, "repo", &["show", "tools:alpha"]);
    assert!(shown.contains("extension tools 1.2.3"), "{shown}");

    let without = |names: &[&str]| -> BTreeSet<String> {
        all.iter().filter(|name| !names.contains(&name.as_str())).cloned().collect()
    };
    ours::done(&agent, &env, "repo", &["disable", "tools:alpha", "open:gamma", "--in", "user"]);
    assert_eq!(on(&agent, &env), without(&["tools:alpha", "open:gamma"]));
    ours::done(&agent, &env, "repo", &["verify"]);
    ours::done(&agent, &env, "repo", &["undo"]);
    assert_eq!(on(&agent, &env), all);
    // A name without the extension's means all of this name.
    env.write("home/.qwen/settings.json", r#"{"skills": {"disabled": ["own"]}}"#);
    assert_eq!(on(&agent, &env), without(&["own", "tools:own"]));
    ours::done(&agent, &env, "repo", &["verify"]);
    // What the extension has off by default.
    env.write("home/.qwen/settings.json", "{}");
    ours::done(&agent, &env, "repo", &["enable", "far:near", "--in", "user"]);
    assert!(on(&agent, &env).contains("far:near"));
    ours::done(&agent, &env, "repo", &["verify"]);
    // Extensions as a whole, here and everywhere.
    does(&agent, &env, &["extensions", "disable", "tools", "--scope", "workspace"]);
    does(&agent, &env, &["extensions", "disable", "open"]);
    let seen = on(&agent, &env);
    assert!(!seen.contains("tools:alpha") && seen.contains("own"), "{seen:?}");
    ours::done(&agent, &env, "repo", &["verify"]);
    let (code, _, why) = ours::run(&agent, &env, "repo", &["enable", "tools:alpha"]);
    assert!(code == Some(1) && why.contains("state.json"), "{why}");
    enabled_as_told(&agent, &env, &why);
    assert!(on(&agent, &env).contains("tools:alpha"), "{why}");
    env.write("home/.qwen/settings.json", r#"{"skills": {"disabledLevels": ["extension"]}}"#);
    assert_eq!(on(&agent, &env), ["own".to_owned()].into());
    ours::done(&agent, &env, "repo", &["verify"]);
}

#[test]
fn pi_and_we_see_and_switch_the_skills_of_packages() {
    let Some(agent) = Agent::find(&PI) else { return };
    let env = TestEnv::for_agents();
    env.sound_skills("home/.pi/agent/skills", &["own", "both"]);
    env.sound_skills("package/skills", &["alpha", "beta", "both"]);
    env.sound_skills("other/more", &["gamma", "delta"]);
    env.sound_skill("other/skills/not-listed");
    env.write("package/package.json", r#"{"name": "package", "version": "1.2.3"}"#);
    env.write("other/one.md", "---\nname: single\ndescription: d\n---\n");
    let listed = r#"{"name": "other", "pi": {"skills": ["./more", "./one.md"]}}"#;
    env.write("other/package.json", listed);
    does(&agent, &env, &["install", &env.text("package")]);
    does(&agent, &env, &["install", &env.text("other"), "-l"]);
    let all = ["own", "both", "alpha", "beta", "gamma", "delta", "single"].map(str::to_owned);
    let all: BTreeSet<String> = all.into();
    assert_eq!(on(&agent, &env), all);
    ours::done(&agent, &env, "repo", &["verify"]);
    let shown = ours::done(&agent, &env, "repo", &["show", "alpha"]);
    assert!(shown.contains("package ../../../package 1.2.3"), "{shown}");

    for (name, layer, settings) in [
        ("alpha", "user", "home/.pi/agent/settings.json"),
        ("gamma", "project", "repo/.pi/settings.json"),
        ("single", "project", "repo/.pi/settings.json"),
    ] {
        let before = env.read(settings);
        let without: BTreeSet<String> = all.iter().filter(|one| *one != name).cloned().collect();
        ours::done(&agent, &env, "repo", &["disable", name, "--in", layer]);
        assert_eq!(on(&agent, &env), without, "{}", env.read(settings));
        ours::done(&agent, &env, "repo", &["verify"]);
        ours::done(&agent, &env, "repo", &["enable", name, "--in", layer]);
        assert_eq!(on(&agent, &env), all, "{}", env.read(settings));
        ours::done(&agent, &env, "repo", &["undo"]);
        ours::done(&agent, &env, "repo", &["undo"]);
        assert_eq!(env.read(settings), before, "every byte is back");
    }
}

/// Claude Code takes skills from the folders of `--add-dir`, which belong to one session, but not
/// from those that settings name (`permissions.additionalDirectories`).
#[test]
fn claude_takes_skills_from_further_folders_only_if_the_command_names_them() {
    let Some(agent) = Agent::find(&CLAUDE) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("home/.claude/skills/own");
    env.sound_skill("further/.claude/skills/added");
    let further = env.text("further");
    for settings in ["home/.claude/settings.json", "repo/.claude/settings.json"] {
        let text = format!(r#"{{"permissions": {{"additionalDirectories": ["{further}"]}}}}"#);
        env.write(settings, text);
    }
    assert_eq!(on(&agent, &env), ["own".to_owned()].into());
    ours::done(&agent, &env, "repo", &["verify"]);
    let step = &CLAUDE.steps[0];
    let (_, options) = step.arguments.split_last().unwrap();
    let options = Step { arguments: options, ..*step };
    let named = ["--add-dir", &further, "--", "hi"];
    let output = agent.step((&env, "repo"), &options, (&named, &[])).unwrap();
    let report = (CLAUDE.parse)(&[output], &env.at("repo")).unwrap();
    assert!(report.skills.iter().any(|skill| skill.name == "added"), "{report:?}");
}
