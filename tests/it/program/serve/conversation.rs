//! What a conversation remembers of the skills that it has loaded.

use super::{Client, NAME, names, validated};
use crate::env::TestEnv;
use serde_json::json;
use std::fs;

#[test]
fn rem_8_a_conversation_goes_on_in_another_process() {
    let env = validated();
    let refused = env.run(&["serve", "--session", ""]).ended(2);
    assert!(
        refused.err.contains("1 to 512 bytes"),
        "a call could tell the model only: {refused:?}"
    );
    let mut client = Client::new(&env, &["--session", "chat-1"]);
    client.call("skill_load", json!({ "name": NAME }));
    client.end();
    let mut client = Client::new(&env, &["--session", "chat-1"]);
    let (data, _) = client.call("skill_load", json!({ "name": NAME }));
    assert_eq!(data["kind"], "reminder", "{data}");
    let mut other = Client::new(&env, &["--session", "chat-2"]);
    assert_eq!(other.call("skill_load", json!({ "name": NAME })).0["kind"], "text");
    // Names and digests only, and the log names the client.
    let state = env.at("home/.local/state/skillpick");
    let mut waiting = vec![state];
    let mut all = String::new();
    while let Some(path) = waiting.pop() {
        match path.is_dir() {
            true => waiting.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path())),
            false => all.push_str(&String::from_utf8_lossy(&fs::read(path).unwrap())),
        }
    }
    assert!(all.contains("mcp:tester") && !all.contains("MARKER_BODY"), "{all}");
}

#[test]
fn rem_8_a_prompt_that_is_called_by_hand_is_remembered_and_told_from_the_start() {
    let env = validated();
    let mut client = Client::new(&env, &["--session", "chat"]);
    let called = client.result("prompts/get", json!({ "name": NAME }));
    assert!(called.to_string().contains("MARKER_BODY"), "{called}");
    let data = client.call("context_inspect", json!({})).0;
    assert_eq!(data["loaded_skill_versions"][0]["name"], NAME, "{data}");
    let (data, text) = client.call("skill_load", json!({ "name": NAME }));
    assert_eq!(data["kind"], "reminder", "{data}");
    // The reminder carries its reference (COD-6.3).
    for reference in [&data["path"], &data["digest"]] {
        assert!(text.contains(reference.as_str().unwrap()), "{reference}: {text}");
    }
    client.end();
    let rule = format!("Loaded in this conversation: {NAME}.");
    let mut client = Client::silent(&env, &["--session", "chat"]);
    let begun = client.initialize("2025-06-18", json!({}));
    assert!(begun["instructions"].as_str().unwrap().contains(&rule), "{begun}");
    client.end();
    // The catalog may be late, but what is loaded is known without it.
    let mut slow = env.command(&["serve", "--session", "chat"]);
    slow.env("SKILLPICK_FAILPOINT", "slow-catalog");
    let mut client = Client::over(slow);
    let begun = client.initialize("2025-06-18", json!({}));
    assert!(begun["instructions"].as_str().unwrap().contains(&rule), "{begun}");
    client.end();
    let told = |arguments: &[&str]| {
        let begun = Client::silent(&env, arguments).initialize("2025-06-18", json!({}));
        begun["instructions"].as_str().unwrap().contains("Loaded in this")
    };
    assert!(!told(&[]));
    // Nor is one told that is denied by now.
    assert_eq!(env.run(&["permit", "deny", NAME]).code, 0);
    assert!(!told(&["--session", "chat"]));
}

#[test]
fn kod_7c_and_rem_9_a_load_that_the_conversation_refuses_is_logged_as_refused() {
    let env = TestEnv::new();
    for name in ["a", "b", "c"] {
        env.skill("repo/.agents/skills", name, "One.");
    }
    env.settings("[skills.session]\nmax_active = 2\n");
    let mut client = Client::new(&env, &["--strict"]);
    client.call("skill_load", json!({ "name": "a" }));
    client.call("skill_load", json!({ "name": "b" }));
    let (code, text) = client.refusal("skill_load", json!({ "name": "c" }));
    assert_eq!(code, "too_many");
    assert!(text.contains("first: a, b. Give up") && text.contains("skill_unload"), "{text}");
    assert_eq!(client.refusal("skill_load", json!({ "name": "a" })).0, "already_active");
    let calls = env.calls();
    let rows: Vec<_> = calls.iter().rev().map(|call| (&call["skill"], &call["error"])).collect();
    let expected = [
        ("a", json!(null)),
        ("b", json!(null)),
        ("c", json!("too_many")),
        ("a", json!("already_active")),
    ];
    assert_eq!(rows.len(), expected.len(), "{calls:?}");
    for (row, (name, error)) in rows.iter().zip(&expected) {
        assert_eq!((row.0.as_str().unwrap(), row.1), (*name, error), "{calls:?}");
    }
}

#[test]
fn run_9_to_unload_from_an_unknown_conversation_begins_none() {
    let env = TestEnv::furnished();
    let mut client = Client::new(&env, &["--session", "chat"]);
    let (data, _) = client.call("skill_unload", json!({ "all": true }));
    assert_eq!((&data["unloaded"], &data["active_skills"]), (&json!([]), &json!([])), "{data}");
    assert!(!env.at("home/.local/state/skillpick/sessions").exists());
    env.run(&["session", "chat"]).ended(1);
}

#[test]
fn a_prompt_gives_up_the_oldest_skill_and_says_so() {
    let env = TestEnv::new();
    for name in ["a", "b", "c"] {
        env.skill("repo/.agents/skills", name, "One.");
    }
    env.settings("[skills.session]\nmax_active = 2\n");
    let mut client = Client::new(&env, &["--session", "chat"]);
    client.call("skill_load", json!({ "name": "a" }));
    let text = |result: serde_json::Value| {
        result["messages"][0]["content"]["text"].as_str().unwrap().to_owned()
    };
    let second = text(client.result("prompts/get", json!({ "name": "b" })));
    assert!(!second.contains("given up"), "{second}");
    let third = json!({ "name": "c", "arguments": { "input": "do it" } });
    let third = text(client.result("prompts/get", third));
    assert!(third.contains("given up, since at most 2 skills are loaded at once: a;"), "{third}");
    assert!(third.ends_with("do it"), "{third}");
}

#[test]
fn a_setting_gives_up_the_oldest_skill_for_a_new_one_and_the_model_is_told() {
    let env = TestEnv::new();
    for name in ["a", "b", "c", "d"] {
        env.skill("repo/.agents/skills", name, "One.");
    }
    env.settings("[skills.session]\nmax_active = 2\nwhen_full = \"drop_oldest\"\n");
    let mut client = Client::new(&env, &["--strict", "--session", "chat"]);
    client.call("skill_load", json!({ "name": "a" }));
    client.call("skill_load", json!({ "name": "b" }));
    let load = json!({ "name": "skill_load", "arguments": { "name": "c" } });
    let result = client.result("tools/call", load);
    assert_eq!(result["structuredContent"]["dropped"], json!(["a"]), "{result}");
    let told = result["content"][1]["text"].as_str().unwrap();
    assert!(
        told.contains("given up") && told.contains("at most 2") && told.contains(": a;"),
        "{told}"
    );
    // What is refused gives up nothing, and logs nothing of the kind.
    assert_eq!(client.refusal("skill_load", json!({ "name": "c" })).0, "already_active");
    let session = env.json("session", &["session", "chat", "--json"]);
    assert_eq!(names(&session["session"]["active"]), ["b", "c"]);
    let unloads =
        |env: &TestEnv| env.calls().iter().filter(|call| call["deed"] == "unload").count();
    assert_eq!(unloads(&env), 1);
    // By the command as well.
    let ran = env.run(&["load", "a", "d", "--session", "chat", "--json"]).ended(0);
    assert_eq!(ran.document("load")["dropped"], json!(["b", "c"]));
    assert!(ran.err.contains("given up") && ran.err.contains("at most 2"), "{ran:?}");
    let ran = env.run(&["load", "a", "b", "c", "--session", "chat"]).ended(1);
    assert!(ran.err.contains("at most 2 may be"), "{ran:?}");
    assert_eq!(unloads(&env), 3);
}
