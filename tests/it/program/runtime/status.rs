//! The state of a conversation's skills when settings or the agent have changed.

use super::with_body;
use crate::env::TestEnv;
use serde_json::{Value, json};

/// State and error word of the conversation's only skill.
fn state(env: &TestEnv, more: &[&str]) -> (Value, Value) {
    let words = [&["session", "chat", "--json"][..], more].concat();
    let session = env.json("session", &words);
    let active = &session["session"]["active"][0];
    assert_eq!(active["error"].is_null(), active["state"] != "refused", "{active}");
    (active["state"].clone(), active["error"]["code"].clone())
}

#[test]
fn run_13_where_skills_are_off_none_is_missing() {
    let env = TestEnv::new();
    with_body(&env, "a", "Body.\n");
    env.run(&["load", "a", "--session", "chat"]).ended(0);
    assert_eq!(state(&env, &[]), (json!("current"), json!(null)));
    let off = (json!("refused"), json!("skills_disabled"));
    assert_eq!(state(&env, &["--no-skills"]), off);
    env.settings("[skills]\nenabled = false\n");
    assert_eq!(state(&env, &[]), off);
    assert!(env.run(&["session", "chat"]).ended(0).out().contains("(skills are disabled)"));
    let ran = env.run(&["read", "SKILL.md", "--session", "chat"]).ended(1);
    assert!(ran.err.contains("skills are disabled"), "{ran:?}");
}

#[test]
fn run_13_what_this_agent_does_not_see_is_not_missing() {
    let env = TestEnv::new();
    let file = env.skill("repo/.claude/skills", "cl", "d");
    env.run(&["load", "cl", "--host", "claude", "--session", "chat", "--as", "instructions"])
        .ended(0);
    assert_eq!(state(&env, &["--host", "claude"]).0, "current");
    assert_eq!(state(&env, &[]).0, "unseen");
    let ran = env.run(&["session", "chat", "--instructions"]).ended(0);
    assert!(ran.out().trim().is_empty() && ran.err.contains("cl  unseen  "), "{ran:?}");
    let read = ["read", "SKILL.md", "--session", "chat"];
    let ran = env.run(&read).ended(1);
    assert_eq!(
        ran.err,
        "skillpick: cl: it is loaded in this conversation, and not among the skills that are seen from here\n"
    );
    std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
    assert_eq!(state(&env, &[]).0, "missing");
    let ran = env.run(&read).ended(1);
    assert_eq!(ran.err, "skillpick: cl: it was loaded in this conversation, and is gone now\n");
}

#[test]
fn a_refusal_gives_the_same_reason_in_json_and_in_words() {
    let env = TestEnv::new();
    with_body(&env, "a", "Body.\n");
    env.run(&["load", "a", "--session", "chat"]).ended(0);
    env.settings("[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"a\"\n");
    assert_eq!(state(&env, &[]), (json!("refused"), json!("denied")));
    let said = env.json("session", &["session", "chat", "--json"])["session"]["active"][0]["error"]
        ["message"]
        .clone();
    assert!(
        env.run(&["session", "chat"])
            .ended(0)
            .out()
            .contains(&format!("({})", said.as_str().unwrap()))
    );
}
