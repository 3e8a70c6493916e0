//! `resolve` and `activity`.

use super::{SKILL, env, with_body};
use crate::env::TestEnv;
use crate::support::Ran;
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;

pub(super) fn resolve(env: &TestEnv, prompt: &str, more: &[&str]) -> Ran {
    let arguments: Vec<&str> = ["resolve"].into_iter().chain(more.iter().copied()).collect();
    let mut command = env.command(&arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(prompt.as_bytes());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    Ran { code: output.status.code().unwrap(), bytes: output.stdout, err }
}

#[test]
fn rem_6_2_the_mentions_of_a_prompt_are_listed_with_their_places() {
    let env = env();
    env.fixture("shadowed/repo", "repo/.agents/skills");
    env.fixture("shadowed/user", "home/.agents/skills");
    let prompt = format!("/{SKILL} then $deploy, not $HOME or $5 but $nothing");
    let json = resolve(&env, &prompt, &[]).ended(0).document("resolve");
    assert_eq!(json["resolved"][0]["skill"]["name"], SKILL);
    assert_eq!(json["resolved"][0]["end"], SKILL.len() + 1);
    assert_eq!(json["ambiguous"][0]["mention"], "$deploy");
    assert_eq!(json["ambiguous"][0]["candidates"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&json["ignored"][0]["mention"], json["ignored"].as_array().unwrap().len()),
        (&"$nothing".into(), 1)
    );
    assert_eq!(json["remaining"], "then $deploy, not $HOME or $5 but $nothing");
}

#[test]
fn rem_6_3_a_prompt_is_printed_with_the_texts_of_its_skills() {
    let env = env();
    let ran = resolve(&env, &format!("/{SKILL} go"), &["--inject"]).ended(0);
    assert!(
        ran.out().contains("MARKER-BODY-7f3a") && ran.out().ends_with("</skill_context>\n\ngo\n"),
        "{ran:?}"
    );
    env.fixture("shadowed/repo", "repo/.agents/skills");
    env.fixture("shadowed/user", "home/.agents/skills");
    let ran = resolve(&env, "use $deploy", &["--inject"]).ended(1);
    assert!(ran.out().is_empty() && ran.err.contains("could mean 2 skills"), "{ran:?}");
}

/// Claude Code, Qwen Code and Gemini CLI throw a prompt away if its hook ends with 2.
#[test]
fn a_hook_that_fails_never_ends_with_2_and_broken_settings_are_told_where_a_skill_is_called() {
    let ask = |env: &TestEnv, prompt: &str, more: &[&str]| {
        let options: Vec<&str> = ["--hook"].into_iter().chain(more.iter().copied()).collect();
        resolve(env, &json!({ "prompt": prompt }).to_string(), &options)
    };
    let calling = format!("use ${SKILL}");
    let by_file = env();
    by_file.settings("theme = 3\n");
    for env in [by_file, env().variable("SKILLPICK_THEME", "pink")] {
        for prompt in ["hello", "it costs $nothing"] {
            let ran = ask(&env, prompt, &[]).ended(0);
            assert_eq!((ran.out(), &*ran.err), ("", ""), "{prompt}");
        }
        let ran = ask(&env, &calling, &[]).ended(1);
        assert!(ran.out().is_empty() && ran.err.to_lowercase().contains("theme"), "{ran:?}");
        resolve(&env, &calling, &["--inject"]).ended(2);
    }
    let env = env();
    ask(&env, &"x".repeat(9 << 20), &[]).ended(1);
    resolve(&env, "no JSON", &["--hook"]).ended(1);
    let more: [&[&str]; 4] =
        [&["--host", "nobody"], &["-C", "nowhere"], &["--nope", "x"], &["--session", "chat"]];
    for wrong in more {
        let ran = ask(&env, "hello", wrong).ended(1);
        assert!(!ran.err.is_empty(), "{wrong:?}");
    }
    let ran = ask(&env, &calling, &["--json"]).ended(1);
    let document: Value = serde_json::from_str(ran.out()).unwrap();
    assert_eq!(document["exit_code"], 1, "it says how it ends: {document}");
    assert!(ask(&env, &calling, &[]).ended(0).out().contains("MARKER-BODY-7f3a"));
}

#[test]
fn a_hook_adds_the_texts_of_the_skills_and_nothing_of_the_prompt() {
    let env = env();
    with_body(&env, "second", "SECOND_BODY\n");
    for (prompt, bodies) in [
        (format!("/{SKILL} do it"), 1),
        (format!("/{SKILL} do it with $second"), 2),
        (format!("do it with ${SKILL}"), 1),
    ] {
        let ran = resolve(&env, &json!({ "prompt": prompt }).to_string(), &["--hook"]).ended(0);
        let answer: Value = serde_json::from_str(ran.out()).unwrap();
        let text = answer["additionalContext"].as_str().unwrap();
        assert_eq!(text.matches("</skill_context>").count(), bodies, "{text}");
        assert!(text.ends_with("</skill_context>") && !text.contains("do it"), "{text}");
    }
}

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
fn resolve_says_why_a_mention_stays_text() {
    let env = env();
    env.write("repo/.agents/skills/bare/SKILL.md", "no frontmatter");
    env.settings(&format!("[[skills.config]]\nname = \"{SKILL}\"\nenabled = false\n"));
    let prompt = format!("${SKILL} and $bare, not $nothing");
    for more in [&["--inject"][..], &[]] {
        let ran = resolve(&env, &prompt, more).ended(0);
        let off = format!("`${SKILL}` stays text: {SKILL} is off (");
        assert!(ran.err.contains(&off) && ran.err.contains("config.toml:2"), "{ran:?}");
        assert!(
            ran.err.contains(&format!("; to switch it on: skillpick enable {SKILL}")),
            "{ran:?}"
        );
        assert!(ran.err.contains("`$bare` stays text: bare cannot be offered: "), "{ran:?}");
        assert!(ran.err.contains("(no-frontmatter)") && !ran.err.contains("nothing"), "{ran:?}");
    }
    let json = resolve(&env, &prompt, &[]).document("resolve");
    let reasons: Vec<&str> = json["ignored"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["reason"].as_str().unwrap())
        .collect();
    assert_eq!(reasons, ["off", "invalid", "unknown"]);
}

#[test]
fn a_person_may_call_a_denied_skill_and_sees_the_rule() {
    let env = env();
    env.settings(&format!(
        "[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"{SKILL}\"\n"
    ));
    let ran = resolve(&env, &format!("use ${SKILL}"), &["--inject"]).ended(0);
    assert!(ran.out().contains("MARKER-BODY-7f3a"), "{ran:?}");
    assert!(
        ran.err.contains(&format!("{SKILL}: loading this skill is denied to models")),
        "{ran:?}"
    );
    assert!(ran.err.contains("config.toml:2"), "{ran:?}");
}

#[test]
fn scope_always_selects_whose_skill() {
    let env = TestEnv::new();
    for (folder, of) in [("repo", "the repository"), ("home", "the person")] {
        let own = if folder == "repo" { "ours" } else { "mine" };
        for name in ["twin", own] {
            let text = format!("---\nname: {name}\ndescription: Of {of}.\n---\nBody of {of}.\n");
            env.write(format!("{folder}/.agents/skills/{name}/SKILL.md"), text);
            env.write(format!("{folder}/.agents/skills/{name}/f.md"), format!("File of {of}.\n"));
        }
    }
    for (scope, of, own, other) in
        [("repo", "the repository", "ours", "mine"), ("user", "the person", "mine", "ours")]
    {
        let run = |words: &[&str]| env.run(&[words, &["--scope", scope]].concat());
        assert!(run(&["load", "twin"]).ended(0).out().contains(&format!("Body of {of}.")));
        assert_eq!(run(&["read", "twin", "f.md"]).ended(0).out(), format!("File of {of}.\n"));
        for words in
            [&["load", other][..], &["read", other, "f.md"], &["approve", other], &["show", other]]
        {
            assert!(run(words).ended(1).err.contains("unknown skill"), "{words:?}");
        }
        let prompt = run(&["prompt"]).ended(0);
        assert!(prompt.out().contains(own) && !prompt.out().contains(other), "{prompt:?}");
        let document =
            resolve(&env, "$twin $ours $mine", &["--scope", scope]).ended(0).document("resolve");
        let path = document["resolved"][0]["skill"]["path"].as_str().unwrap();
        assert_eq!(path.contains("/home/"), scope == "user");
        let count = |list: &str| document[list].as_array().unwrap().len();
        assert_eq!((count("resolved"), count("ambiguous"), count("ignored")), (2, 0, 1));
        // Loaded skills have any scope, and some commands name no skill: they refuse --scope.
        let others: [&[&str]; 5] = [
            &["activity"],
            &["verify"],
            &["hosts"],
            &["config"],
            &["unshare", "twin", "--from", "codex"],
        ];
        for words in
            [&["session", "chat"][..], &["unload", "twin", "--session", "chat"], &["serve"]]
                .into_iter()
                .chain(others)
        {
            assert!(run(words).ended(2).err.contains("takes no --scope"), "{words:?}");
        }
    }
    env.run(&["load", "ours", "mine", "--session", "chat"]).ended(0);
    let read = env.run(&["read", "f.md", "--session", "chat", "--scope", "repo"]).ended(0);
    assert_eq!(read.out(), "File of the repository.\n", "the newest of that scope");
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
    let ran = env.run(&["activity", "--json"]).ended(0);
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
fn an_empty_path_is_refused_in_words() {
    let env = TestEnv::new();
    with_body(&env, "a", "Body.\n");
    assert_eq!(env.run(&["read", "a", ""]).ended(2).err, "skillpick: the path is empty\n");
}

#[test]
fn cod_1_3_what_mention_prints_for_an_agent_is_found_again_by_resolve() {
    for (host, folder) in
        [("claude", ".claude/skills"), ("pi", ".pi/skills"), ("qwen", ".qwen/skills")]
    {
        let env = TestEnv::new();
        for name in ["日本", "PDF", "pdf-2"] {
            env.write(
                format!("repo/{folder}/{name}/SKILL.md"),
                format!("---\nname: {name}\ndescription: d\n---\nx"),
            );
            let printed = env
                .run(&["mention", name, "--host", host, "--args", "go"])
                .ended(0)
                .out()
                .to_owned();
            let json = resolve(&env, printed.trim_end(), &["--host", host]).document("resolve");
            assert_eq!(
                (&json["resolved"][0]["skill"]["name"], &json["remaining"]),
                (&name.into(), &"go".into()),
                "{json}"
            );
        }
    }
}

#[test]
fn what_mention_prints_through_all_agents_is_found_again_by_resolve() {
    let env = TestEnv::new();
    let skills = [
        ("home/.pi/agent/skills", "pis-own"),
        ("repo/.claude/skills", "twin"),
        ("repo/.codex/skills", "twin"),
        ("repo/.agents/skills", "everyones"),
    ];
    for agent in [".claude", ".codex", ".pi/agent"] {
        env.write(format!("home/{agent}/used"), "");
    }
    for (folder, name) in skills {
        let path = env.skill(folder, name, "d");
        let path = path.to_str().unwrap();
        let ran = env.run(&["mention", path, "--host", "all", "--args", "go"]).ended(0);
        let json = resolve(&env, ran.out().trim_end(), &["--host", "all"]).document("resolve");
        assert_eq!(json["resolved"][0]["skill"]["path"], path, "{}: {json}", ran.out());
    }
    // Claude Code takes the folder's name, and only that calls it.
    let path = env
        .write("repo/.claude/skills/folder/SKILL.md", "---\nname: within\ndescription: d\n---\n");
    let ran = env.run(&["mention", "within", "--host", "all"]).ended(0);
    assert_eq!(ran.out(), "/folder\n");
    let json = resolve(&env, "/folder", &["--host", "all"]).document("resolve");
    assert_eq!(json["resolved"][0]["skill"]["path"], path.to_str().unwrap(), "{json}");
}

#[test]
fn indented_code_holds_no_mention() {
    let env = env();
    for prompt in [
        format!("* a\n    ```sh\n    cd x\n\n    echo ${SKILL}\n    ```\n"),
        format!("see:\n\n    echo ${SKILL}\n"),
    ] {
        let json = resolve(&env, &prompt, &[]).document("resolve");
        assert_eq!(json["resolved"], serde_json::json!([]), "{prompt}");
    }
}

#[test]
fn a_skill_that_people_cannot_call_is_not_reported_as_off() {
    let env = TestEnv::new();
    let text = "---\nname: nui\ndescription: d\nuser-invocable: false\n---\nx";
    env.write("repo/.claude/skills/nui/SKILL.md", text);
    for more in [&["--host", "claude"][..], &["--host", "claude", "--inject"]] {
        let ran = resolve(&env, "/nui x", more).ended(0);
        let told = "`/nui` stays text: nui cannot be called by a person (user-invocable: false)";
        assert!(ran.err.contains(told) && !ran.err.contains("off"), "{ran:?}");
    }
    let json = resolve(&env, "/nui x", &["--host", "claude"]).document("resolve");
    assert_eq!(json["ignored"][0]["reason"], "not_for_people");
    // The model may load it all the same.
    env.run(&["load", "nui", "--host", "claude"]).ended(0);
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

#[test]
fn rem_8_a_catalog_and_an_injected_prompt_list_what_the_conversation_has_loaded() {
    let env = env();
    with_body(&env, "second", "SECOND_BODY\n");
    env.run(&["load", SKILL, "--session", "chat"]).ended(0);
    let rule = format!("Loaded in this conversation: {SKILL}.");
    for format in ["codelia", "agentskills", "json", "markdown", "codex"] {
        let arguments = ["prompt", "--format", format];
        let listed = env.run(&[&arguments[..], &["--session", "chat"]].concat()).ended(0);
        assert!(listed.out().contains(&rule), "{format}: {listed:?}");
        for more in [&[][..], &["--session", "another"]] {
            let other = env.run(&[&arguments[..], more].concat()).ended(0);
            assert!(!other.out().contains("Loaded in this conversation"), "{format}: {other:?}");
        }
    }
    let inject = |prompt: &str| {
        let ran = resolve(&env, prompt, &["--inject", "--session", "chat"]).ended(0);
        ran.out().to_owned()
    };
    let both = format!("Loaded in this conversation: {SKILL}, second.");
    let text = inject("Use $second now");
    assert!(text.contains("SECOND_BODY") && text.ends_with("\n\nUse $second now\n"), "{text}");
    assert!(text.contains(&both), "{text}");
    // It is remembered, so that its text is not given twice.
    let again = inject("Use $second again");
    assert!(!again.contains("SECOND_BODY") && again.contains("is already loaded"), "{again}");
    let text = inject("nothing is called");
    assert_eq!(text, format!("{both}\n\nnothing is called\n"));
    let active = env.json("session", &["session", "chat", "--json"])["session"]["active"].clone();
    assert_eq!(active[1]["name"], "second", "{active}");
    // What is denied by now is not said to be loaded.
    env.run(&["permit", "deny", SKILL]).ended(0);
    let (first, text) = ("Loaded in this conversation: second.", inject("nothing is called"));
    assert!(text.starts_with(first) && text.matches("second").count() == 1, "{text}");
    let listed = env.run(&["prompt", "--session", "chat"]).ended(0);
    assert!(listed.out().contains(first), "{listed:?}");
    env.run(&["resolve", "--session", "chat"]).ended(2);
    for more in [&[][..], &["--json"]] {
        let ran = resolve(&env, "x", &[&["--session", "chat"], more].concat()).ended(2);
        assert!(ran.err.contains("--session goes with --inject only"), "{ran:?}");
    }
}
