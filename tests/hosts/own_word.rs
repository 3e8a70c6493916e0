//! What only the agents' own programs have: it comes as rows by their own word, and where a switch
//! by name exists, what we turn off is off by the program's own word. What comes as files of a
//! package is a row anyway, if the program on `PATH` leads there; here scripts stand before it.

use crate::agent::Agent;
use crate::env::TestEnv;
use crate::ours;
use serde_json::Value as Json;
use skillpick::hosts::probe::{AgentProbe, CLAUDE, COPILOT, DROID, GEMINI, OPENCODE, QWEN};

/// The row of a skill in our list, where the program was asked.
#[track_caller]
fn row(agent: &Agent, env: &TestEnv, name: &str) -> Json {
    let list = ours::done(agent, env, "repo", &["list", "--ask", "--json"]);
    let list: Json = serde_json::from_str(&list).unwrap();
    let rows = list["skills"].as_array().unwrap();
    let of_name = rows.iter().find(|row| row["name"] == name);
    of_name.unwrap_or_else(|| panic!("{name} is not in {rows:?}")).clone()
}

/// Whether the program itself has the skill on.
fn is_on(agent: &Agent, env: &TestEnv, name: &str) -> bool {
    let skills = agent.ask(env, "repo").skills;
    skills.iter().any(|skill| skill.name == name && skill.enabled != Some(false))
}

/// A skill that the program brings comes as a row, and is turned off and on again.
#[track_caller]
fn comes_and_is_switched(probe: &'static AgentProbe, name: &str) -> Option<(Agent, TestEnv)> {
    // Its answer with what it brings.
    let whole = Agent::find(probe.all.unwrap_or(probe))?;
    let env = TestEnv::for_agents();
    let agent = Agent::find(probe)?.behind_a_script(&env);
    env.sound_skill("home/.agents/skills/own");
    let came = row(&agent, &env, name);
    let word = &came["own_word"];
    assert_eq!(word["host"], probe.program);
    assert_eq!((&word["bundled"], &word["switch"]), (&true.into(), &true.into()), "{came}");
    assert_eq!((&came["state"], &came["scope"]), (&"on".into(), &"system".into()));
    assert!(!came["description"].as_str().unwrap().is_empty() || !probe.paths, "{came}");
    assert!(is_on(&whole, &env, name));
    ours::done(&agent, &env, "repo", &["disable", name, "--ask", "--in", "user"]);
    assert!(!is_on(&whole, &env, name), "{name} is on by the program's own word");
    let off = row(&agent, &env, name);
    assert_eq!(off["state"], "off");
    assert!(off["diagnostics"].as_array().unwrap().is_empty(), "{off}");
    ours::done(&agent, &env, "repo", &["undo"]);
    assert_eq!(row(&agent, &env, name)["state"], "on");
    Some((agent, env))
}

#[test]
fn what_gemini_brings_comes_with_its_file_and_is_switched() {
    let Some((agent, env)) = comes_and_is_switched(&GEMINI, "skill-creator") else { return };
    let shown = ours::done(&agent, &env, "repo", &["show", "skill-creator", "--ask"]);
    assert!(shown.contains("by Gemini CLI's own word"), "{shown}");
    assert!(shown.contains("About Skills"), "{shown}");
}

#[test]
fn what_copilot_brings_comes_by_its_word_until_it_has_unpacked_it() {
    let Some((agent, env)) = comes_and_is_switched(&COPILOT, "github-pr-media") else { return };
    // It unpacks its skills where it runs: in the copy first, and then, asked by the test, at home.
    let came = row(&agent, &env, "github-pr-media");
    assert!(came["own_word"].is_null() && came["scope"] == "system", "{came}");
}

#[test]
fn what_claude_brings_comes_and_is_switched() {
    let Some((agent, env)) = comes_and_is_switched(&CLAUDE, "dataviz") else { return };
    let shown = ours::done(&agent, &env, "repo", &["show", "dataviz", "--ask"]);
    assert!(shown.contains("it is built into Claude Code"), "{shown}");
}

#[test]
fn what_droid_brings_comes_and_is_switched() {
    let Some((agent, env)) = comes_and_is_switched(&DROID, "simplify") else { return };
    let shown = ours::done(&agent, &env, "repo", &["show", "simplify", "--ask"]);
    assert!(shown.contains("it is built into Droid"), "{shown}");
}

/// Its list does not tell commands from skills.
#[test]
fn what_qwen_brings_is_known_by_its_files_alone() {
    let Some(agent) = Agent::find(&QWEN) else { return };
    let env = TestEnv::for_agents();
    env.sound_skill("home/.agents/skills/own");
    let came = row(&agent, &env, "review");
    assert!(came["own_word"].is_null() && came["scope"] == "system", "{came}");
    let hidden = agent.behind_a_script(&env);
    let list = ours::done(&hidden, &env, "repo", &["list", "--ask", "--json"]);
    let list: Json = serde_json::from_str(&list).unwrap();
    let rows = list["skills"].as_array().unwrap().iter();
    let names: Vec<&str> = rows.filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(names, ["own"]);
}

#[test]
fn what_opencode_brings_comes_and_says_that_there_is_no_switch() {
    let Some(agent) = Agent::find(&OPENCODE) else { return };
    let env = TestEnv::for_agents();
    let came = row(&agent, &env, "customize-opencode");
    assert_eq!(came["own_word"]["switch"], false, "{came}");
    let nearest = came["own_word"]["nearest"].as_str().unwrap();
    let disable = ["disable", "customize-opencode", "--ask"];
    let (code, _, why) = ours::run(&agent, &env, "repo", &disable);
    assert_eq!(code, Some(1), "{why}");
    assert!(why.contains(nearest), "{why}");
}
