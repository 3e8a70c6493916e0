//! `budget`: what of its skills an agent puts into its model's prompt.

use super::layouts::fifo;
use crate::env::TestEnv;
use serde_json::{Value as Json, json};

/// Claude Code with three skills, and room for the names and one description.
fn env() -> TestEnv {
    let env = TestEnv::new();
    let settings = json!({
        "disableBundledSkills": true,
        "env": { "SLASH_COMMAND_TOOL_CHAR_BUDGET": "370" },
        "skillOverrides": { "off": "off" },
    });
    env.write("home/.claude/settings.json", settings.to_string());
    env.write("home/.codex/config.toml", "model_context_window = 100000\n");
    for name in ["one", "two", "off"] {
        env.skill("home/.claude/skills", name, &"x".repeat(60));
    }
    env
}

fn skills(document: &Json) -> Vec<(&str, &str)> {
    let rows = document["hosts"][0]["skills"].as_array().unwrap().iter();
    rows.map(|row| (row["name"].as_str().unwrap(), row["part"].as_str().unwrap())).collect()
}

#[test]
fn what_an_agent_leaves_out_is_told_by_its_own_rule() {
    let env = env();
    let document = env.json("budget", &["budget", "--host", "claude", "--json"]);
    assert_eq!(skills(&document), [("one", "whole"), ("two", "name")]);
    let claude = &document["hosts"][0];
    assert_eq!((&claude["unit"], &claude["limit"]), (&json!("characters"), &json!(370)));
    assert_eq!((&claude["cut"], &claude["skills"][1]["cut"]), (&json!(1), &json!(true)));
    env.run(&["disable", "one", "--host", "claude"]).ended(0);
    let document = env.json("budget", &["budget", "--host", "claude", "--json"]);
    assert_eq!(skills(&document), [("two", "whole")]);
}

#[test]
fn the_table_has_the_limit_between_what_stays_and_what_is_cut() {
    let env = env();
    let ran = env.run(&["budget", "--host", "claude"]).ended(0);
    ran.is_inert();
    let lines: Vec<&str> = ran.out().lines().collect();
    assert_eq!(lines[0], "Claude Code: 350 of 370 characters · 1 of 2 cut");
    assert!(lines[1].starts_with("a forecast: beyond the limit"), "{lines:?}");
    assert!(lines[3].ends_with("one") && lines[4].contains("the limit"), "{lines:?}");
    assert!(lines[5].contains("name") && lines[5].ends_with("two"), "{lines:?}");
    let every = env.run(&["budget", "--host", "all"]).ended(0);
    let lines: Vec<&str> = every.out().lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[2].starts_with("Claude Code   350 of 370"), "{lines:?}");
}

#[test]
fn a_window_is_taken_for_the_models_and_a_wrong_one_is_refused() {
    let env = env();
    let limit = |arguments: &[&str]| {
        let words = [&["budget", "--host", "codex", "--json"], arguments].concat();
        env.json("budget", &words)["hosts"][0]["limit"].clone()
    };
    assert_eq!((limit(&[]), limit(&["--window", "1m"])), (json!(2_000), json!(20_000)));
    let ran = env.run(&["budget", "--window", "many"]).ended(2);
    assert!(ran.err.contains("not a number of tokens"), "{}", ran.err);
}

#[test]
fn a_pipe_where_claude_code_keeps_its_memory_is_not_waited_for() {
    let env = env();
    fifo(&env.at("home/.claude.json"));
    let document = env.json("budget", &["budget", "--host", "claude", "--json"]);
    assert_eq!(skills(&document), [("one", "whole"), ("two", "name")]);
}
