//! Log messages of the protocol, and their levels.

use super::{Client, NAME, newest, validated};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};

/// The next message of this code, which must be of that level.
#[track_caller]
fn told(client: &mut Client, code: &str, level: &str) -> Json {
    let message = client.expect(|line| {
        line["method"] == "notifications/message" && line["params"]["data"]["code"] == code
    });
    assert_eq!(
        (&message["params"]["level"], &message["params"]["logger"]),
        (&json!(level), &json!("skillpick"))
    );
    let text = message["params"]["data"]["message"].as_str().unwrap();
    assert!(!text.contains(['\n', '\u{1b}', '\u{202e}']), "{text:?}");
    message["params"]["data"].clone()
}

/// Whether a message of this code has come by now: everything before the answer to a request has.
fn has(client: &mut Client, code: &str) -> bool {
    client.result("ping", json!({}));
    client.kept.iter().any(|line| line["params"]["data"]["code"] == code)
}

fn broken(env: &TestEnv, name: &str) -> String {
    env.write(format!("repo/.agents/skills/{name}/SKILL.md"), format!("---\nname: {name}\n---\n"));
    env.text(&format!("repo/.agents/skills/{name}/SKILL.md"))
}

#[test]
fn cod_10_1_the_log_names_skills_that_cannot_be_offered() {
    let env = TestEnv::new();
    let path = broken(&env, "one");
    env.write("repo/.agents/skills/two\u{202e}/SKILL.md", "no frontmatter");
    let mut client = Client::new(&env, &[]);
    let data = told(&mut client, "desc-missing", "warning");
    assert_eq!(data["path"], path);
    assert!(data["message"].as_str().unwrap().contains("'one' cannot be offered"), "{data}");
    told(&mut client, "no-frontmatter", "warning");
    // Logged once, and again only after the settings were valid in between.
    env.skill("repo/.agents/skills", "one", "Well.");
    client.expect(|message| message["method"] == "notifications/resources/list_changed");
    assert!(!has(&mut client, "desc-missing"));
    broken(&env, "one");
    told(&mut client, "desc-missing", "warning");
    // Twenty at a time.
    let mut client = Client::new(&TestEnv::new(), &[]);
    assert!(!has(&mut client, "more"));
    let many = TestEnv::new();
    for number in 0..25 {
        broken(&many, &format!("skill-{number}"));
    }
    let mut client = Client::new(&many, &[]);
    let more = told(&mut client, "more", "warning");
    assert!(more["message"].as_str().unwrap().starts_with("and 5 more"), "{more}");
    let each = |line: &&Json| line["params"]["data"]["code"] == "desc-missing";
    assert_eq!(client.kept.iter().filter(each).count(), 20);
}

#[test]
fn cod_10_1_a_finding_that_only_the_host_refuses_a_skill_for_is_logged_too() {
    let env = TestEnv::new();
    env.write("repo/.agents/skills/one/SKILL.md", "---\nname: other\ndescription: d\n---\n");
    let mut client = Client::new(&env, &["--host", "codelia"]);
    let data = told(&mut client, "name-dir-mismatch", "warning");
    let (list, _) = client.call("skills_list", json!({}));
    let why = list["errors"][0]["message"].as_str().unwrap();
    assert!(!why.is_empty() && data["message"].as_str().unwrap().ends_with(why), "{data} {list}");
}

#[test]
fn settings_that_cannot_be_read_are_logged() {
    let env = validated();
    let mut client = Client::new(&env, &[]);
    client.result("logging/setLevel", json!({ "level": "error" }));
    client.call("skill_load", json!({ "name": NAME }));
    let file = env.settings("[skills\n");
    let data = told(&mut client, "settings", "error");
    let text = data["message"].as_str().unwrap();
    assert!(text.contains(file.to_str().unwrap()) && text.contains("denied"), "{text}");
    assert_eq!(client.refusal("skill_load", json!({ "name": NAME })).0, "denied");
    assert!(!has(&mut client, "denied"), "warnings are not for this client");
}

#[test]
fn cod_8_1_the_log_names_what_was_refused() {
    let env = validated();
    env.skill("repo/.agents/skills", "kept", "Denied.");
    env.settings("[scripts]\nenabled = true\n");
    assert_eq!(env.run(&["permit", "deny", "kept"]).code, 0);
    let mut client = Client::new(&env, &[]);
    client.refusal("skill_load", json!({ "name": "kept" }));
    let data = told(&mut client, "denied", "warning");
    assert!(data["message"].as_str().unwrap().starts_with("skill_load: "), "{data}");
    client.refusal("skill_read", json!({ "skill": NAME, "path": "../x" }));
    told(&mut client, "parent_path", "warning");
    client.call("skill_load", json!({ "name": NAME }));
    client.refusal("skill_run_script", json!({ "path": "scripts/hello.sh" }));
    told(&mut client, "needs_consent", "warning");
    let id = client.request("resources/read", json!({ "uri": format!("skill://{NAME}/none") }));
    client.answer(id);
    assert!(
        told(&mut client, "not_found", "warning")["message"]
            .as_str()
            .unwrap()
            .starts_with("resources/read: ")
    );
    // A call that returns no text is not logged.
    client.refusal("skill_search", json!({ "query": 1 }));
    assert!(!has(&mut client, "invalid_input"));
    client.result("logging/setLevel", json!({ "level": "emergency" }));
    client.refusal("skill_load", json!({ "name": "kept" }));
    assert!(!has(&mut client, "denied"));
}

#[test]
fn cod_8_1c_a_rule_that_a_resource_or_prompt_has_written_is_logged() {
    for (method, params) in [
        ("resources/read", json!({ "uri": format!("skill://{NAME}/SKILL.md") })),
        ("prompts/get", json!({ "name": NAME })),
    ] {
        let env = validated();
        env.settings("[permissions]\ndefault = \"ask\"\n");
        let mut client = Client::with(&env, &[], json!({ "elicitation": {} }));
        client.result("logging/setLevel", json!({ "level": "info" }));
        let id = client.request(method, params);
        let asked = client.question();
        let yes = json!({ "action": "accept", "content": { "always": true } });
        client.reply(&asked, &yes);
        let answer = client.answer(id);
        assert!(answer.get("error").is_none(), "{answer}");
        let data = told(&mut client, "remembered", "info");
        let text = data["message"].as_str().unwrap();
        assert!(
            text.contains("config.toml:") && text.contains("skillpick undo"),
            "{method}: {text}"
        );
    }
}

#[test]
fn in_the_newest_protocol_a_request_sets_the_log_level() {
    let env = validated();
    broken(&env, "one");
    let mut client = Client::silent(&env, &[]);
    let call = |level: Option<&str>| {
        let mut meta = newest(json!({}));
        if let Some(level) = level {
            meta["io.modelcontextprotocol/logLevel"] = json!(level);
        }
        json!({ "name": "skill_load", "arguments": { "name": "none" }, "_meta": meta })
    };
    for level in [None, Some("error")] {
        client.result("tools/call", call(level));
        assert!(
            client.kept.iter().all(|message| message["method"] != "notifications/message"),
            "{level:?}"
        );
    }
    client.result("tools/call", call(Some("warning")));
    let codes: Vec<&str> =
        client.kept.iter().filter_map(|line| line["params"]["data"]["code"].as_str()).collect();
    assert_eq!(codes, ["desc-missing", "unknown"]);
}

/// Whether this answer of a tool says that calls are not logged.
fn says_unlogged(result: &Json) -> bool {
    let texts = result["content"].as_array().unwrap().iter();
    texts.filter_map(|part| part["text"].as_str()).any(|text| text.contains("are not logged"))
}

#[test]
fn a_call_that_cannot_be_logged_is_reported_once_and_again_after_the_log_has_worked() {
    let env = validated();
    let log = env.at("home/.local/state/skillpick/activity.jsonl");
    std::fs::create_dir_all(&log).unwrap();
    let mut client = Client::new(&env, &[]);
    let read =
        json!({ "name": "skill_read", "arguments": { "skill": NAME, "path": "scripts/hello.sh" } });
    let first = client.result("tools/call", read.clone());
    assert!(says_unlogged(&first), "{first}");
    let data = told(&mut client, "unlogged", "warning");
    assert!(data["message"].as_str().unwrap().contains("activity.jsonl"), "{data}");
    assert!(!says_unlogged(&client.result("tools/call", read.clone())));
    assert!(!has(&mut client, "unlogged"));
    std::fs::remove_dir(&log).unwrap();
    assert!(!says_unlogged(&client.result("tools/call", read.clone())));
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();
    // A resource has no place for it but the log of the protocol.
    client.result("resources/read", json!({ "uri": format!("skill://{NAME}/SKILL.md") }));
    told(&mut client, "unlogged", "warning");
    assert!(!says_unlogged(&client.result("tools/call", read)));
}

#[test]
fn a_refusal_that_cannot_be_logged_says_so_where_no_log_is_wanted() {
    let env = validated();
    env.settings("[permissions]\ndefault = \"deny\"\n");
    std::fs::create_dir_all(env.at("home/.local/state/skillpick/activity.jsonl")).unwrap();
    let mut client = Client::new(&env, &[]);
    client.result("logging/setLevel", json!({ "level": "emergency" }));
    let id = client.request("resources/read", json!({ "uri": format!("skill://{NAME}/SKILL.md") }));
    client.answer(id);
    let load = json!({ "name": "skill_load", "arguments": { "name": NAME } });
    assert!(says_unlogged(&client.result("tools/call", load)));
}

#[test]
fn a_log_that_reaches_the_size_limit_of_files_ends_neither_server_nor_command() {
    let env = validated();
    let log = env.write("home/.local/state/skillpick/activity.jsonl", "x".repeat(8 << 10) + "\n");
    let limited = |arguments: &[&str]| {
        let inner = env.command(arguments);
        let mut outer = std::process::Command::new("/bin/sh");
        outer.args(["-c", "ulimit -f 1; exec \"$@\"", "sh"]).arg(inner.get_program());
        outer.args(inner.get_args()).current_dir(inner.get_current_dir().unwrap()).env_clear();
        for (name, value) in inner.get_envs() {
            outer.env(name, value.unwrap_or_default());
        }
        outer
    };
    let mut client = Client::over(limited(&["serve"])).begun(json!({}));
    let load = json!({ "name": "skill_load", "arguments": { "name": NAME } });
    let result = client.result("tools/call", load);
    assert!(says_unlogged(&result) && result["isError"] == false, "{result}");
    client.ends_soon();
    let ran = limited(&["load", NAME]).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success() && said.contains("not logged"), "{ran:?}");
    let ran = limited(&["load", NAME, "--session", "chat"]).output().unwrap();
    assert!(ran.status.code().is_some(), "no signal ends it: {ran:?}");
    assert_eq!(std::fs::metadata(log).unwrap().len(), (8 << 10) + 1, "and nothing is torn");
}

#[test]
fn no_repository_brings_what_we_remember() {
    let mut env = validated();
    let folder = env.text(&format!("repo/.agents/skills/{NAME}"));
    env.variables.push(("XDG_STATE_HOME", folder.clone()));
    env.write(format!("{folder}/skillpick/history.jsonl"), "");
    let ran = env.run(&["load", NAME]).ended(0);
    assert!(ran.err.contains("it is in the repository"), "{ran:?}");
    assert!(!std::path::Path::new(&folder).join("skillpick/activity.jsonl").exists());
    let mut client = Client::new(&env, &["--session", "chat"]);
    assert_eq!(client.refusal("skill_load", json!({ "name": NAME })).0, "state");
}

/// REM-4.1 and REM-11.1: a folder that settings name and that is not there, and a text that is given
/// in part, are told once.
#[test]
fn rem_4_1_and_11_1_a_missing_folder_and_a_cut_are_told_once() {
    let env = validated();
    env.settings("[skills.load]\nmax_skill_md_bytes = 60\nmax_resource_bytes = 5\n");
    env.write("repo/.skillpick.toml", "version = 1\nroots = [\"gone\"]\n");
    let words = "settings name it, and there is no such directory";
    let ran = env.run(&["list"]).ended(0);
    assert_eq!(ran.err.matches(words).count(), 1, "{ran:?}");
    assert!(ran.err.contains(&env.text("repo/gone")), "{ran:?}");
    let mut client = Client::new(&env, &[]);
    let missing = told(&mut client, "root", "warning");
    assert!(missing["message"].as_str().unwrap().contains(words), "{missing}");
    for _ in 0..2 {
        client.call("skill_load", json!({ "name": NAME }));
        client.call("skill_unload", json!({ "all": true }));
        let file = json!({ "skill": NAME, "path": "references/REFERENCE.md" });
        client.call("skill_read", file);
    }
    client.result("ping", json!({}));
    let cut = |line: &&Json| line["params"]["data"]["code"] == "cut";
    let cuts: Vec<&Json> = client.kept.iter().filter(cut).collect();
    assert_eq!(cuts.len(), 2, "{cuts:?}");
    for (line, file) in cuts.iter().zip(["SKILL.md", "references/REFERENCE.md"]) {
        let data = &line["params"]["data"];
        assert!(data["path"].as_str().unwrap().ends_with(file), "{data}");
        assert!(data["message"].as_str().unwrap().starts_with("only "), "{data}");
    }
    env.write("repo/gone/new/SKILL.md", "---\nname: new\ndescription: Words.\n---\n");
    assert!(!env.run(&["list"]).ended(0).err.contains(words));
}
