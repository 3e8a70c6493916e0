//! How the skills of a conversation stand when it is looked at again: by other settings, through
//! another agent.

use super::with_body;
use crate::support::House;
use serde_json::{Value, json};

/// State and error word of the conversation's only skill.
fn state(house: &House, more: &[&str]) -> (Value, Value) {
    let words = [&["session", "chat", "--json"][..], more].concat();
    let session = house.json("session", &words);
    let active = &session["session"]["active"][0];
    assert_eq!(active["error"].is_null(), active["state"] != "refused", "{active}");
    (active["state"].clone(), active["error"]["code"].clone())
}

#[test]
fn run_13_where_skills_are_off_none_is_missing() {
    let house = House::new();
    with_body(&house, "a", "Body.\n");
    house.run(&["load", "a", "--session", "chat"]).ended(0);
    assert_eq!(state(&house, &[]), (json!("current"), json!(null)));
    let off = (json!("refused"), json!("skills_disabled"));
    assert_eq!(state(&house, &["--no-skills"]), off);
    house.settings("[skills]\nenabled = false\n");
    assert_eq!(state(&house, &[]), off);
    assert!(house.run(&["session", "chat"]).ended(0).out().contains("(skills are disabled)"));
    let ran = house.run(&["read", "SKILL.md", "--session", "chat"]).ended(1);
    assert!(ran.err.contains("skills are disabled"), "{ran:?}");
}

#[test]
fn run_13_what_this_agent_does_not_see_is_not_missing() {
    let house = House::new();
    let file = house.skill("repo/.claude/skills", "cl", "d");
    house
        .run(&["load", "cl", "--host", "claude", "--session", "chat", "--as", "instructions"])
        .ended(0);
    assert_eq!(state(&house, &["--host", "claude"]).0, "current");
    assert_eq!(state(&house, &[]).0, "unseen");
    let ran = house.run(&["session", "chat", "--instructions"]).ended(0);
    assert!(ran.out().trim().is_empty() && ran.err.contains("cl  unseen  "), "{ran:?}");
    let read = ["read", "SKILL.md", "--session", "chat"];
    let ran = house.run(&read).ended(1);
    assert_eq!(
        ran.err,
        "skillpick: cl: it is loaded in this conversation, and not among the skills that are seen from here\n"
    );
    std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
    assert_eq!(state(&house, &[]).0, "missing");
    let ran = house.run(&read).ended(1);
    assert_eq!(ran.err, "skillpick: cl: it is loaded in this conversation, and gone since\n");
}

#[test]
fn a_refused_skill_says_why_in_json_as_in_words() {
    let house = House::new();
    with_body(&house, "a", "Body.\n");
    house.run(&["load", "a", "--session", "chat"]).ended(0);
    house.settings("[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"a\"\n");
    assert_eq!(state(&house, &[]), (json!("refused"), json!("denied")));
    let said =
        house.json("session", &["session", "chat", "--json"])["session"]["active"][0]["error"]["message"].clone();
    assert!(
        house
            .run(&["session", "chat"])
            .ended(0)
            .out()
            .contains(&format!("({})", said.as_str().unwrap()))
    );
}
