//! Consent: every request that returns text asks for it, and it is remembered only if the person
//! says *always*.

use super::{Client, NAME, newest, refused, validated, validation};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};
use skillpick::sandbox::Digest;

const SETTINGS: &str = "home/.config/skillpick/config.toml";

pub(super) fn asking() -> TestEnv {
    let env = validated();
    env.run(&["permit", "ask", NAME]).ended(0);
    env
}

pub(super) fn eliciting(env: &TestEnv) -> Client {
    Client::with(env, &[], json!({ "elicitation": {} }))
}

/// Sends a request during which the person is asked once, and answers so; the answer to the
/// request.
#[track_caller]
pub(super) fn asked(client: &mut Client, (method, params): (&str, Json), result: &Json) -> Json {
    let id = client.request(method, params);
    let asked = client.question();
    let schema = &asked["params"]["requestedSchema"];
    assert_eq!(schema["properties"]["always"]["type"], "boolean", "{asked}");
    assert_eq!(schema["properties"]["always"]["default"], false, "{asked}");
    assert!(schema.get("required").is_none(), "{asked}");
    client.reply(&asked, result);
    client.answer(id)
}

pub(super) fn load() -> (&'static str, Json) {
    ("tools/call", json!({ "name": "skill_load", "arguments": { "name": NAME } }))
}

/// The key of a question about a skill of the repository, as it is now.
fn key(env: &TestEnv, name: &str) -> String {
    let shown = env.json("show", &["show", name, "--json"]);
    let text = env.read(&format!("repo/.agents/skills/{name}/SKILL.md"));
    let change = env.json("change", &["permit", "allow", name, "--dry-run", "--json"]);
    let files = change["rule"]["digest"].as_str().unwrap().trim_start_matches("sha256:");
    let id = shown["skill"]["id"].as_str().unwrap();
    format!("load:{id}:{}:{files}", Digest::of(text.as_bytes()))
}

#[test]
fn cod_8_1c_always_writes_the_rule_that_permit_writes() {
    let env = asking();
    let before = env.read(SETTINGS);
    let mut client = eliciting(&env);
    let answer =
        asked(&mut client, load(), &json!({ "action": "accept", "content": { "always": true } }));
    let content = answer["result"]["content"].as_array().unwrap();
    assert!(content[0]["text"].as_str().unwrap().contains("MARKER_BODY"), "{answer}");
    // The notice names the file and the line (S5).
    let notice = content[1]["text"].as_str().unwrap();
    assert!(
        notice.contains("remembered") && notice.contains(&format!("{}:", env.text(SETTINGS))),
        "{notice}"
    );
    let written = env.read(SETTINGS);
    // The same bytes as by hand.
    let other = asking();
    other.run(&["permit", "allow", NAME]).ended(0);
    assert_eq!(written, other.read(SETTINGS).replace(&other.text("repo"), &env.text("repo")));
    assert_ne!(written, before);
    // Nobody is asked again, here and in a new connection without elicitation.
    assert_eq!(client.call("skill_unload", json!({ "all": true })).0["unloaded"], json!([NAME]));
    assert!(client.call("skill_load", json!({ "name": NAME })).1.contains("MARKER_BODY"));
    assert!(
        Client::new(&env, &[])
            .call("skill_load", json!({ "name": NAME }))
            .1
            .contains("MARKER_BODY")
    );
    // And it can be taken back.
    env.run(&["undo"]).ended(0);
    assert_eq!(env.read(SETTINGS), before);
}

#[test]
fn cod_8_1c_the_rule_names_the_tool_and_the_skill() {
    let env = validated();
    env.settings("# mine\n[permissions]\ndefault = \"ask\" # always\n");
    let mut client = eliciting(&env);
    let answer =
        asked(&mut client, load(), &json!({ "action": "accept", "content": { "always": true } }));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let written = env.read(SETTINGS);
    let rule = "[[permissions.allow]]\ntool = \"skill_load\"\nskill_name = \"skills-system-validation\"\n\
         path = \"";
    assert!(written.contains(rule), "{written}");
    assert!(
        written.starts_with("version = 1\n# mine\n[permissions]\ndefault = \"ask\" # always\n"),
        "{written}"
    );
}

#[test]
fn cod_8_1c_nothing_is_written_unless_the_person_says_always() {
    let env = asking();
    let before = env.read(SETTINGS);
    for result in [
        json!({ "action": "accept" }),
        json!({ "action": "accept", "content": {} }),
        json!({ "action": "accept", "content": { "always": false } }),
        json!({ "action": "accept", "content": { "always": "true" } }),
        json!({ "action": "accept", "content": { "always": 1 } }),
        json!({ "action": "accept", "content": { "Always": true } }),
        json!({ "action": "decline", "content": { "always": true } }),
        json!({ "action": "cancel", "content": { "always": true } }),
    ] {
        let mut client = eliciting(&env);
        let answer = asked(&mut client, load(), &result);
        let works = result["action"] == "accept";
        assert_eq!(answer["result"]["isError"], !works, "{result}: {answer}");
        assert_eq!(env.read(SETTINGS), before, "{result}");
    }
}

#[test]
fn cod_8_1c_the_model_cannot_say_it() {
    let env = asking();
    let before = env.read(SETTINGS);
    let yes = json!({ "action": "accept", "content": { "always": true } });
    let responses = json!({ key(&env, NAME): yes });
    let meta = newest(json!({}));
    // A client without elicitation cannot send an answer along, in the old protocol or the new.
    for (mut client, meta) in
        [(Client::new(&env, &[]), json!({})), (Client::silent(&env, &[]), meta)]
    {
        for arguments in [
            json!({ "name": NAME, "always": true }),
            json!({ "name": NAME, "content": { "always": true } }),
            json!({ "name": NAME, "inputResponses": responses }),
            json!({ "name": NAME }),
        ] {
            let params = json!({ "name": "skill_load", "arguments": arguments, "inputResponses": responses, "_meta": meta });
            let (code, text) = refused(&client.result("tools/call", params));
            assert!(
                ["invalid_input", "needs_consent"].contains(&code.as_str()),
                "{arguments}: {code}"
            );
            assert!(!text.contains("MARKER_BODY"), "{text}");
        }
    }
    assert_eq!(env.read(SETTINGS), before);
}

#[test]
fn cod_8_1c_always_by_the_newest_protocol_is_for_what_was_needed_and_nothing_else() {
    let env = asking();
    env.skill("repo/.agents/skills", "other", "Other.");
    env.run(&["permit", "ask", "other"]).ended(0);
    let before = env.read(SETTINGS);
    let (own, foreign) = (key(&env, NAME), key(&env, "other"));
    let meta = newest(json!({ "elicitation": {} }));
    let mut client = Client::silent(&env, &[]);
    let always = json!({ "action": "accept", "content": { "always": true } });
    let mut params = json!({ "name": "skill_load", "arguments": { "name": NAME }, "_meta": meta });
    params["inputResponses"] =
        json!({ own.as_str(): { "action": "accept" }, foreign.as_str(): always });
    assert_eq!(client.result("tools/call", params.clone())["isError"], false);
    assert_eq!(env.read(SETTINGS), before, "nobody was asked about the other one");
    params["inputResponses"] = json!({ own.as_str(): always });
    // A loaded skill needs no question, so a crafted answer allows nothing.
    assert_eq!(client.result("tools/call", params.clone())["isError"], false);
    assert_eq!(env.read(SETTINGS), before, "it is loaded");
    let all =
        json!({ "name": "skill_unload", "arguments": { "all": true }, "_meta": params["_meta"] });
    client.result("tools/call", all);
    client.result("tools/call", params);
    assert!(
        env.read(SETTINGS) != before
            && !env.read(SETTINGS).contains("allow\", skill_name = \"other\"")
    );
    env.run(&["load", "other"]).ended(1);
}

#[test]
fn cod_8_1c_it_is_said_what_a_rule_cannot_express() {
    // A wider rule that asks stays above the new one: then nothing is written, and the load goes on
    // once.
    let env = validated();
    env.run(&["permit", "ask", "skills-*"]).ended(0);
    let before = env.read(SETTINGS);
    let mut client = eliciting(&env);
    let answer =
        asked(&mut client, load(), &json!({ "action": "accept", "content": { "always": true } }));
    let content = answer["result"]["content"].as_array().unwrap();
    assert!(content[0]["text"].as_str().unwrap().contains("MARKER_BODY"), "{answer}");
    assert!(content[1]["text"].as_str().unwrap().starts_with("[not remembered: "), "{answer}");
    assert_eq!(env.read(SETTINGS), before);
    // A rule goes by name: with two of them it would allow the one that nobody was asked about.
    let env = asking();
    env.skill("home/.agents/skills", NAME, "Its twin.");
    let before = env.read(SETTINGS);
    let path = env.text("repo/.agents/skills/skills-system-validation");
    let params = json!({ "name": "skill_load", "arguments": { "path": path } });
    let yes = json!({ "action": "accept", "content": { "always": true } });
    let answer = asked(&mut eliciting(&env), ("tools/call", params), &yes);
    assert!(
        answer["result"]["content"][1]["text"].as_str().unwrap().starts_with("[not remembered: "),
        "{answer}"
    );
    assert_eq!(env.read(SETTINGS), before);
}

#[test]
fn cod_8_1c_always_for_a_script_is_for_exactly_this_run() {
    let env = TestEnv::new();
    let folder = validation(&env);
    env.settings("[scripts]\nenabled = true\n");
    let before = env.read(SETTINGS);
    let mut client = eliciting(&env);
    client.call("skill_load", json!({ "name": NAME }));
    let run = |word: &str| {
        let arguments = json!({ "path": "scripts/hello.sh", "args": [word] });
        ("tools/call", json!({ "name": "skill_run_script", "arguments": arguments }))
    };
    // A yes without *always* is asked for again.
    assert_eq!(
        asked(&mut client, run("now"), &json!({ "action": "accept" }))["result"]["structuredContent"]
            ["exit_code"],
        3
    );
    let yes = json!({ "action": "accept", "content": { "always": true } });
    let answer = asked(&mut client, run("now"), &yes);
    assert_eq!(answer["result"]["structuredContent"]["exit_code"], 3, "{answer}");
    assert!(answer.to_string().contains("remembered: exactly this run"), "{answer}");
    // No request asks about the same run again; settings stay as they are.
    assert_eq!(client.result(run("now").0, run("now").1)["structuredContent"]["exit_code"], 3);
    env.run(&["run", NAME, "scripts/hello.sh", "--", "now"]).ended(3);
    assert_eq!(env.read(SETTINGS), before);
    // Another argument, or another byte, is.
    assert_eq!(
        refused(&asked(&mut client, run("then"), &json!({ "action": "decline" }))["result"]).0,
        "declined"
    );
    env.write(format!("{folder}/references/REFERENCE.md"), "CHANGED\n");
    assert_eq!(
        refused(&asked(&mut client, run("now"), &json!({ "action": "decline" }))["result"]).0,
        "declined"
    );
}

#[test]
fn a_change_during_a_question_is_asked_about_again() {
    let env = TestEnv::new();
    let folder = validation(&env);
    env.settings("[scripts]\nenabled = true\n");
    let mut client = eliciting(&env);
    client.call("skill_load", json!({ "name": NAME }));
    let run = json!({ "name": "skill_run_script", "arguments": { "path": "scripts/hello.sh", "args": ["now"] } });
    let id = client.request("tools/call", run.clone());
    let first = client.question();
    env.write(format!("{folder}/scripts/hello.sh"), "echo SWAPPED\n");
    client.reply(&first, &json!({ "action": "accept" }));
    let second = client.question();
    assert_ne!(first["params"]["message"], second["params"]["message"]);
    client.reply(&second, &json!({ "action": "decline" }));
    assert_eq!(refused(&client.answer(id)["result"]).0, "declined");
    // So is a rule.
    let id = client.request("tools/call", run);
    let asked = client.question();
    env.run(&["permit", "deny", NAME, "--script"]).ended(0);
    client.reply(&asked, &json!({ "action": "accept" }));
    assert_eq!(refused(&client.answer(id)["result"]).0, "denied");
    let env = asking();
    let mut client = eliciting(&env);
    let id = client.request(load().0, load().1);
    let asked = client.question();
    env.run(&["permit", "deny", NAME]).ended(0);
    client.reply(&asked, &json!({ "action": "accept" }));
    assert_eq!(refused(&client.answer(id)["result"]).0, "denied");
}

#[test]
fn cod_8_1_the_command_in_a_refusal_has_any_name_as_one_word() {
    let env = TestEnv::new();
    env.write(
        "home/.agents/skills/odd/SKILL.md",
        "---\nname: \"x'; touch y; '\"\ndescription: d\n---\n",
    );
    let path = env.text("home/.agents/skills/odd");
    let said =
        |env: &TestEnv| Client::new(env, &[]).refusal("skill_load", json!({ "path": path })).1;
    let told = r"skillpick permit allow 'x'\''; touch y; '\'''";
    env.settings("[permissions]\ndefault = \"ask\"\n");
    assert!(said(&env).contains(told), "{}", said(&env));
    env.settings("[permissions]\ndefault = \"deny\"\n");
    let denied = said(&env);
    assert!(
        denied.contains("is denied")
            && denied.contains("permit allow")
            && !denied.contains("allow x'"),
        "{denied}"
    );
}

/// The refusal of a call: either a command that allows it, or the file and line to change.
#[track_caller]
fn told_rightly(
    (user, project): (&str, &str),
    (tool, arguments): (&str, &Json),
    decider: Option<&str>,
) {
    let env = validated();
    env.settings("[scripts]\nenabled = true\n");
    let mut client = Client::new(&env, &[]);
    if tool != "skill_load" {
        client.call("skill_load", json!({ "name": NAME }));
    }
    env.settings(&format!("[scripts]\nenabled = true\n{user}"));
    env.write("repo/.skillpick.toml", format!("version = 1\n{project}"));
    let (code, text) = client.refusal(tool, arguments.clone());
    assert!(["denied", "needs_consent"].contains(&code.as_str()), "{code} {text}");
    let told = text.split_once("skillpick permit allow ").map(|(_, words)| words);
    // The rule that goes is named behind the command.
    let told = told.and_then(|words| words.split(" (it replaces ").next());
    match (told, decider) {
        (Some(words), None) => {
            let words: Vec<&str> =
                ["permit", "allow"].into_iter().chain(words.split(' ')).collect();
            env.run(&words).ended(0);
            client.call(tool, arguments.clone());
        }
        (None, Some(place)) => {
            let by_hand =
                text.rsplit_once("change the settings by hand, since ").map(|(_, why)| why);
            assert!(by_hand.is_some_and(|why| why.contains(place)), "{place}: {text}");
        }
        (told, decider) => panic!("{decider:?} {told:?}: {text}"),
    }
}

#[test]
fn cod_8_1_the_command_in_a_refusal_allows_the_skill() {
    let rule = |effect: &str, tool: &str, more: &str| {
        format!("[[permissions.{effect}]]\ntool = \"{tool}\"\n{more}")
    };
    let one = format!("skill_name = \"{NAME}\"\n");
    let (load, run) = (json!({ "name": NAME }), json!({ "path": "scripts/hello.sh" }));
    let (load, run) = (("skill_load", &load), ("skill_run_script", &run));
    let (user, project) = (Some(".config/skillpick/config.toml"), Some(".skillpick.toml"));
    told_rightly(("nonsense =\n", ""), load, user);
    for effect in ["ask", "deny"] {
        told_rightly((&rule(effect, "skill_load", &one), ""), load, None);
        told_rightly((&format!("[permissions]\ndefault = \"{effect}\"\n"), ""), load, None);
        told_rightly(("", &rule(effect, "skill_load", &one)), load, project);
        told_rightly((&rule(effect, "skill_load", ""), ""), load, user);
    }
    told_rightly(("", ""), run, None);
    // The suggested narrow rule does not override a wider one that asks.
    told_rightly((&rule("ask", "skill_script", &one), ""), run, user);
    told_rightly(("", &rule("ask", "skill_script", &one)), run, project);
    told_rightly((&rule("ask", "skill_script", ""), ""), run, user);
}

#[test]
fn cod_8_1_the_command_in_a_refusal_names_the_host_that_asks() {
    let env = TestEnv::new();
    let folder = "home/.claude/skills/of-claude";
    env.write(format!("{folder}/SKILL.md"), "---\nname: of-claude\ndescription: d\n---\n");
    env.run(&["permit", "deny", "of-claude", "--host", "claude"]).ended(0);
    let mut client = Client::new(&env, &["--host", "claude"]);
    let (_, text) = client.refusal("skill_load", json!({ "name": "of-claude" }));
    assert!(text.contains("skillpick permit allow of-claude --host claude"), "{text}");
    env.run(&["permit", "allow", "of-claude", "--host", "claude"]).ended(0);
    client.call("skill_load", json!({ "name": "of-claude" }));
    // No rule allows a script seen through another host: there, scripts are always asked about.
    env.write(format!("{folder}/s.sh"), "echo RAN\n");
    env.settings("[scripts]\nenabled = true\n[[permissions.allow]]\ntool = \"skill_script\"\n");
    let (code, text) = client.refusal("skill_run_script", json!({ "path": "s.sh" }));
    let told =
        "no rule can where skills are seen through Claude Code; `skillpick run` asks in a terminal";
    assert!(code == "needs_consent" && text.contains(told), "{code} {text}");
}

#[test]
fn the_suggested_command_allows_that_script_alone() {
    let env = TestEnv::new();
    let folder = validation(&env);
    env.write(format!("{folder}/scripts/two words.sh"), "echo other\n");
    env.settings("[scripts]\nenabled = true\n");
    let mut client = Client::new(&env, &[]);
    client.call("skill_load", json!({ "name": NAME }));
    let (code, text) =
        client.refusal("skill_run_script", json!({ "path": "scripts/two words.sh" }));
    let path = env.text(&format!("{folder}/SKILL.md"));
    let told = format!("skillpick permit allow {path} --script --path 'scripts/two words.sh'");
    assert!(code == "needs_consent" && text.contains(&told), "{code} {text}");
    env.run(&["permit", "allow", NAME, "--script", "--path", "scripts/two words.sh"]).ended(0);
    assert!(
        client
            .call("skill_run_script", json!({ "path": "scripts/two words.sh" }))
            .1
            .contains("other")
    );
}
