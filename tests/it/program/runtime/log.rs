//! The log of calls: `activity`.

use super::calls::resolve;
use super::{SKILL, env, with_body};
use crate::env::TestEnv;
use serde_json::{Value, json};

#[test]
fn rem_9_every_load_and_read_is_in_the_log_without_its_text() {
    let env = env();
    env.run(&["load", SKILL, "--session", "chat"]).ended(0);
    env.run(&["read", SKILL, "references/REFERENCE.md"]).ended(0);
    env.run(&["read", SKILL, "../x"]);
    let log = env.json("activity", &["activity", "--json"]);
    let calls = log["calls"].as_array().unwrap();
    let rows: Vec<_> =
        calls.iter().map(|call| (call["deed"].as_str().unwrap(), call["error"].as_str())).collect();
    assert_eq!(
        rows,
        [("read", Some("parent_path")), ("read", None), ("load", None)],
        "the newest first"
    );
    assert_eq!((&calls[2]["session"], &calls[2]["client"]), (&"chat".into(), &"cli".into()));
    assert_eq!((&log["uses"][0]["count"], calls[1]["bytes"].as_u64()), (&1.into(), Some(22)));
    let text = env.read("home/.local/state/skillpick/activity.jsonl");
    assert!(!text.contains("MARKER") && !text.contains("validate it"), "{text}");
}

/// CallKind, skill and error of each call in the log, oldest first.
fn rows(env: &TestEnv) -> Vec<String> {
    let calls = env.calls();
    let word = |call: &Value, key: &str| call[key].as_str().unwrap_or("-").to_owned();
    let row = |call: &Value| ["deed", "skill", "error"].map(|key| word(call, key)).join(" ");
    calls.iter().rev().map(row).collect()
}

#[test]
fn rem_9_what_is_refused_is_in_the_log_once_and_what_is_given_once() {
    let env = TestEnv::new();
    for name in ["outer", "outer/inner", "beta"] {
        let last = name.rsplit('/').next().unwrap();
        let text = format!("---\nname: {last}\ndescription: d\n---\n");
        env.write(format!("repo/.agents/skills/{name}/SKILL.md"), text);
        env.write(format!("repo/.agents/skills/{name}/s.sh"), "echo\n");
    }
    let rule = |effect: &str, name: &str| {
        format!("[[permissions.{effect}]]\ntool = \"skill_load\"\nskill_name = \"{name}\"\n")
    };
    env.settings(&format!(
        "[scripts]\nenabled = true\n{}{}",
        rule("deny", "beta"),
        rule("ask", "inner")
    ));
    env.run(&["read", "beta", "s.sh"]).ended(1);
    env.run(&["read", "inner", "s.sh"]).ended(1);
    env.run(&["read", "outer", "inner/s.sh"]).ended(1);
    env.run(&["read", "outer", "inner/s.sh", "--yes"]).ended(0);
    env.run(&["load", "inner", "--yes", "--session", "chat"]).ended(0);
    // Consent holds as long as the text is unchanged.
    assert!(
        env.run(&["load", "inner", "--session", "chat"]).ended(0).out().contains("already loaded")
    );
    env.run(&["session", "chat", "--compacted"]).ended(0);
    assert!(
        env.run(&["load", "inner", "--session", "chat"]).ended(0).out().contains("<skill_context")
    );
    let expected = [
        "read beta denied",
        "read inner needs_consent",
        "read outer needs_consent",
        "read outer -",
        "load inner -",
        "load inner -",
        "load inner -",
    ];
    assert_eq!(rows(&env), expected);
    if cfg!(target_os = "linux") {
        env.run(&["run", "outer", "s.sh"]).ended(1);
        assert_eq!(rows(&env)[expected.len()..], ["run outer needs_consent"]);
    }
}

#[test]
fn kod_7b_a_logged_call_has_its_tool_its_time_its_result_and_the_path_of_the_skill() {
    let env = env();
    env.run(&["load", SKILL]).ended(0);
    env.settings(&format!(
        "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"{SKILL}\"\n"
    ));
    env.run(&["load", SKILL]).ended(1);
    let calls = env.calls();
    for (call, error) in [(&calls[0], Value::from("denied")), (&calls[1], Value::Null)] {
        assert_eq!(
            (&call["deed"], &call["error"], &call["skill"]),
            (&"load".into(), &error, &SKILL.into())
        );
        assert!(call["at_ms"].as_u64().is_some_and(|at| at > 0), "{call}");
        assert_eq!(call["path"], env.text(&format!("repo/.agents/skills/{SKILL}/SKILL.md")));
    }
}

#[test]
fn rem_9_a_skill_says_how_it_was_used_and_is_found_by_that() {
    let env = env();
    with_body(&env, "unloved", "text");
    assert_eq!(env.json("show", &["show", SKILL, "--json"])["used"], serde_json::Value::Null);
    env.run(&["search", "is:used"]).ended(1);
    env.run(&["load", SKILL, "--session", "one"]).ended(0);
    env.run(&["load", SKILL, "--session", "two"]).ended(0);
    env.run(&["read", SKILL, "../x"]);
    let used = &env.json("show", &["show", SKILL, "--json"])["used"];
    assert_eq!((&used["count"], &used["client"]), (&2.into(), &"cli".into()));
    assert!(used["last_ms"].as_u64().unwrap() > 1_700_000_000_000);
    assert_eq!(env.run(&["-f", "is:used"]).ended(0).out(), format!("${SKILL}\n"));
    assert_eq!(env.run(&["-f", "is:unused"]).ended(0).out(), "$unloved\n");
}

#[test]
fn kod_7c_a_call_is_a_line_for_people_with_its_error() {
    let env = env();
    env.run(&["load", SKILL]).ended(0);
    env.run(&["read", SKILL, "../x\u{202e}"]);
    let ran = env.run(&["activity"]).ended(0);
    ran.is_inert();
    let lines: Vec<&str> = ran.out().lines().collect();
    assert!(
        lines.len() == 2
            && lines[0].contains(&format!("Z  Error: parent_path (read {SKILL} ../x"))
            && lines[1].contains(&format!("Z  Skill {SKILL} loaded  ")),
        "{ran:?}"
    );
}

#[test]
fn rem_9_a_log_that_cannot_be_read_says_so_in_json_and_on_stderr() {
    let env = TestEnv::new();
    with_body(&env, "a", "Body.\n");
    env.run(&["load", "a"]).ended(0);
    let file = env.text("home/.local/state/skillpick/activity.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}nonsense\n")).unwrap();
    let ran = env.run(&["activity", "--json"]).ended(0);
    let log = ran.document("activity");
    assert_eq!(
        (&log["broken"], &log["unread"], log["calls"].as_array().unwrap().len()),
        (&json!(1), &json!([]), 1)
    );
    assert_eq!(ran.err, "skillpick: Error: Invalid metadata type for skill (1 line of the log)\n");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let ran = env.run(&["activity", "--json"]).ended(2);
    assert_eq!(
        (&ran.document("activity")["unread"], &ran.err[..]),
        (&json!([file]), &*format!("skillpick: {file} cannot be read\n"))
    );
}

#[test]
fn kod_7c_a_reminder_is_logged_with_no_bytes_and_is_no_use_of_its_own() {
    let env = TestEnv::new();
    with_body(&env, "a", "Body.\n");
    env.run(&["load", "a", "--session", "chat"]).ended(0);
    env.run(&["load", "a", "--session", "chat"]).ended(0);
    let log = env.json("activity", &["activity", "--json"]);
    let bytes: Vec<u64> = log["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["bytes"].as_u64().unwrap())
        .collect();
    assert!(bytes.len() == 2 && bytes[0] == 0 && bytes[1] > 0, "{bytes:?}");
    assert_eq!(log["uses"][0]["count"], 1);
    assert_eq!(env.json("show", &["show", "a", "--json"])["used"]["count"], 1);
}

#[test]
fn a_command_whose_call_cannot_be_logged_says_so_on_stderr() {
    let env = env();
    env.run(&["load", SKILL]).ended(0);
    let log = env.at("home/.local/state/skillpick/activity.jsonl");
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();
    let prompt = format!("use ${SKILL}");
    for ran in [
        env.run(&["load", SKILL]).ended(0),
        env.run(&["read", SKILL, "references/REFERENCE.md", "--json"]).ended(0),
        env.run(&["read", SKILL, "../x"]).ended(2),
        resolve(&env, &prompt, &["--inject"]).ended(0),
    ] {
        let said: Vec<&str> = ran.err.lines().filter(|line| line.contains("not logged")).collect();
        assert_eq!(said.len(), 1, "{ran:?}");
        assert!(said[0].contains("activity.jsonl"), "{ran:?}");
    }
}
