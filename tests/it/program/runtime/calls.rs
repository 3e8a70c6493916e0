//! `resolve`: the mentions of a prompt, and the texts that it gets.

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
