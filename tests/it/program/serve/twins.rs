//! An allow rule by name covers a person's own skill, and no skill of that name that a repository
//! brings, through the commands and the server.

use super::Client;
use super::consent::{asked, eliciting};
use crate::env::TestEnv;
use serde_json::{Value as Json, json};
use std::fs;
use std::os::unix::fs::symlink;

const OWN: &str = "home/.agents/skills/forms";
const TWIN: &str = "repo/.agents/skills/forms";
const SETTINGS: &str = "home/.config/skillpick/config.toml";
const FILL: &str = "scripts/fill.sh";

fn skill(env: &TestEnv, folder: &str, says: &str) {
    env.write(
        format!("{folder}/SKILL.md"),
        format!("---\nname: forms\ndescription: Fills forms.\n---\nBODY-{says}\n"),
    );
    env.write(format!("{folder}/{FILL}"), format!("echo {says}\n"));
}

fn rule(rest: &str) -> String {
    format!("[scripts]\nenabled = true\n[[permissions.allow]]\ntool = \"skill_script\"\n{rest}\n")
}

/// The person's own skill, and a rule for it by name.
fn env(rules: &str) -> TestEnv {
    let env = TestEnv::new();
    skill(&env, OWN, "OWN");
    env.settings(rules);
    env
}

/// Ways to name skills without binding the rule to one.
const NAMES: [&str; 4] = ["skill_name = \"forms\"", "skill_name = \"for*\"", "", "script = \"s*\""];

#[test]
fn an_allow_rule_by_name_runs_no_repository_script() {
    for name in NAMES {
        let env = env(&rule(name));
        assert_eq!(env.run(&["run", "forms", FILL]).ended(0).out(), "OWN\n", "{name}");
        skill(&env, TWIN, "TWIN");
        skill(&env, "clone/skills/forms", "CLONE");
        env.write("clone/.git/HEAD", "ref: refs/heads/main\n");
        symlink(env.at("clone/skills/forms"), env.at("home/.agents/skills/linked")).unwrap();
        skill(&env, "repo/.agents/skills/outer/inner/forms", "NESTED");
        skill(&env, "repo/sub/here/forms", "NAMED");
        env.write(
            "repo/.agents/skills/outer/SKILL.md",
            "---\nname: outer\ndescription: Around another.\n---\n",
        );
        let asks = |arguments: &[&str]| {
            let ran = env.run(arguments).ended(1);
            assert!(
                ran.out().is_empty() && ran.err.contains("needs the user's consent"),
                "{ran:?}"
            );
            let why = "is not bound to this skill's path and files, so it does not reach what a \
                       repository brings";
            assert!(
                ran.err.contains("but:       permissions.allow")
                    && ran.err.contains(why)
                    && ran.err.contains("config.toml:4"),
                "{name}: {ran:?}"
            );
        };
        asks(&["run", &env.text(TWIN), FILL]);
        asks(&["run", &env.text("clone/skills/forms"), FILL]);
        asks(&["run", &env.text("home/.agents/skills/linked"), FILL]);
        asks(&["run", &env.text("repo/.agents/skills/outer/inner/forms"), FILL]);
        for root in ["repo/sub/here", "clone/skills"] {
            asks(&["run", "forms", FILL, "--root", &env.text(root)]);
        }
        // The person's own skill runs as before. Without it the rule covers no other.
        assert_eq!(env.run(&["run", &env.text(OWN), FILL]).ended(0).out(), "OWN\n");
        fs::remove_dir_all(env.at("home/.agents/skills")).unwrap();
        asks(&["run", &env.text(TWIN), FILL]);
    }
}

/// Runs the command that a refusal suggests.
#[track_caller]
fn obey(env: &TestEnv, text: &str) {
    let told = text.split_once("skillpick permit allow ").unwrap_or_else(|| panic!("{text}")).1;
    let words: Vec<&str> = ["permit", "allow"].into_iter().chain(told.split(' ')).collect();
    env.run(&words).ended(0);
}

#[test]
fn the_server_asks_before_it_runs_a_namesake_and_again_when_its_files_change() {
    let env = env(&rule("skill_name = \"forms\""));
    skill(&env, TWIN, "TWIN");
    let mut client = Client::new(&env, &[]);
    let run = |client: &mut Client| {
        let path = env.text(TWIN);
        client.refusal("skill_run_script", json!({ "skill": path, "path": FILL }))
    };
    client.call("skill_load", json!({ "path": env.text(TWIN) }));
    let (code, text) = run(&mut client);
    assert!(code == "needs_consent" && text.contains("does not reach what a repository"), "{text}");
    obey(&env, &text);
    let written = env.read(SETTINGS);
    let path = format!("path = \"{}\"\ndigest = \"sha256:", env.text(&format!("{TWIN}/SKILL.md")));
    assert!(written.contains(&path), "{written}");
    let ran = |client: &mut Client| {
        let path = env.text(TWIN);
        client.call("skill_run_script", json!({ "skill": path, "path": FILL })).1
    };
    assert!(ran(&mut client).contains("TWIN"));
    assert_eq!(env.run(&["run", &env.text(TWIN), FILL]).ended(0).out(), "TWIN\n");
    // Another copy with the very same files is another skill.
    skill(&env, "repo/.agents/skills/copy", "TWIN");
    let copy = env.text("repo/.agents/skills/copy");
    assert!(env.run(&["run", &copy, FILL]).ended(1).err.contains("needs the user's consent"));
    // Any file of the skill counts, not the script alone.
    env.write(format!("{TWIN}/scripts/lib.sh"), "echo CHANGED\n");
    let (code, text) = run(&mut client);
    assert!(code == "needs_consent", "{text}");
    assert!(text.contains("its files have changed since they were allowed by perm"), "{text}");
    let ran_by_hand = env.run(&["run", &env.text(TWIN), FILL]).ended(1);
    assert!(ran_by_hand.err.contains("but:       its files have changed"), "{ran_by_hand:?}");
    // The new rule replaces the one that no longer covers anything.
    obey(&env, &text);
    assert!(ran(&mut client).contains("TWIN"));
    assert_eq!(env.read(SETTINGS).matches("digest").count(), 1);
    env.run(&["undo"]).ended(0);
    assert_eq!(env.read(SETTINGS), written);
}

#[test]
fn a_rule_by_name_loads_no_namesake_where_the_default_asks() {
    for name in ["skill_name = \"forms\"", "skill_name = \"f*\"", ""] {
        let env = env(&format!(
            "[permissions]\ndefault = \"ask\"\n[[permissions.allow]]\ntool = \"skill_load\"\n{name}\n"
        ));
        skill(&env, TWIN, "TWIN");
        let mut client = Client::new(&env, &[]);
        let (own, twin) = (env.text(OWN), env.text(TWIN));
        assert!(client.call("skill_load", json!({ "path": own })).1.contains("BODY-OWN"));
        let (code, text) = client.refusal("skill_load", json!({ "path": twin }));
        assert!(code == "needs_consent" && !text.contains("BODY"), "{code} {text}");
        assert!(text.contains("does not reach what a repository brings"), "{text}");
        let (code, text) = client.refusal("skill_read", json!({ "skill": twin, "path": FILL }));
        assert!(["needs_consent", "not_active"].contains(&code.as_str()), "{code} {text}");
        let listed = client.call("skills_list", json!({})).0;
        let permission = |path: &str| {
            let rows = listed["skills"].as_array().unwrap();
            let row = rows.iter().find(|row| row["path"].as_str().unwrap().starts_with(path));
            row.unwrap()["permission"].clone()
        };
        assert_eq!((permission(&own), permission(&twin)), (json!("allow"), json!("ask")));
        let (_, text) = client.refusal("skill_load", json!({ "path": twin }));
        obey(&env, &text);
        assert!(client.call("skill_load", json!({ "path": twin })).1.contains("BODY-TWIN"));
        skill(&env, "repo/.agents/skills/third", "THIRD");
        let third = env.text("repo/.agents/skills/third");
        let mut client = Client::new(&env, &[]);
        assert_eq!(client.refusal("skill_load", json!({ "path": third })).0, "needs_consent");
    }
}

#[test]
fn the_suggested_command_allows_a_skill_of_another_directory() {
    let env = env("[scripts]\nenabled = true\n[permissions]\ndefault = \"ask\"\n");
    skill(&env, "clone/skills/forms", "CLONE");
    env.write("clone/.git/HEAD", "ref: refs/heads/main\n");
    let root = env.text("clone/skills");
    let mut client = Client::new(&env, &["--root", &root]);
    let (code, text) = client.refusal("skill_load", json!({ "name": "forms" }));
    assert_eq!(code, "needs_consent");
    obey(&env, &text);
    client.call("skill_load", json!({ "name": "forms" }));
    let call = json!({ "skill": "forms", "path": FILL });
    let (_, text) = client.refusal("skill_run_script", call.clone());
    obey(&env, &text);
    assert!(client.call("skill_run_script", call).1.contains("CLONE"));
    // The rule does not allow the person's own skill of that name.
    let own = env.text(OWN);
    assert_eq!(
        Client::new(&env, &[]).refusal("skill_load", json!({ "path": own })).0,
        "needs_consent"
    );
    env.run(&["permit", "allow", &env.text("clone/none")]).ended(1);
    env.run(&["permit", "allow", &env.text("clone")]).ended(1);
}

#[test]
fn always_allows_that_skill_and_no_namesake() {
    let env = env("[permissions]\ndefault = \"ask\"\n");
    skill(&env, TWIN, "TWIN");
    let mut client = eliciting(&env);
    let load = |path: &str| {
        ("tools/call", json!({ "name": "skill_load", "arguments": { "path": env.text(path) } }))
    };
    let always = json!({ "action": "accept", "content": { "always": true } });
    let answer = asked(&mut client, load(TWIN), &always);
    assert!(answer.to_string().contains("remembered: loading 'forms' is allowed"), "{answer}");
    let written = env.read(SETTINGS);
    let path = env.text(&format!("{TWIN}/SKILL.md"));
    let rule = format!(
        "tool = \"skill_load\"\nskill_name = \"forms\"\npath = \"{path}\"\ndigest = \"sha256:"
    );
    assert!(written.contains(&rule), "{written}");
    let mut client = Client::new(&env, &[]);
    client.call("skill_load", json!({ "path": env.text(TWIN) }));
    let own = client.refusal("skill_load", json!({ "path": env.text(OWN) }));
    assert_eq!(own.0, "needs_consent", "{}", own.1);
}

#[test]
fn a_rule_of_another_agent_hands_over_no_namesake() {
    let env = TestEnv::new();
    let text = "---\nname: forms\ndescription: d\nallowed-tools: Bash\n---\nBODY\n";
    env.write("repo/.claude/skills/forms/SKILL.md", text);
    env.write("home/.claude/skills/own/SKILL.md", text.replace("forms", "own"));
    env.write(
        "home/.claude/settings.json",
        "{ \"permissions\": { \"allow\": [\"Skill(forms)\", \"Skill(own)\"] } }",
    );
    let shown = env.json("show", &["show", "forms", "--host", "claude", "--json"]);
    assert_eq!(shown["skill"]["verdict"]["model"], "allow", "so Claude Code does: {shown}");
    let mut client = Client::new(&env, &["--host", "claude"]);
    assert!(client.call("skill_load", json!({ "name": "own" })).1.contains("BODY"));
    let (code, text) = client.refusal("skill_load", json!({ "name": "forms" }));
    assert!(code == "needs_consent" && !text.contains("BODY"), "{code} {text}");
    assert!(text.contains("no rule can: the rules of Claude Code go by name"), "{text}");
    let mut client = Client::with(&env, &["--host", "claude"], json!({ "elicitation": {} }));
    let before = env.read("home/.claude/settings.json");
    let load = ("tools/call", json!({ "name": "skill_load", "arguments": { "name": "forms" } }));
    let always = json!({ "action": "accept", "content": { "always": true } });
    let answer: Json = asked(&mut client, load, &always);
    let text = answer.to_string();
    assert!(text.contains("BODY") && text.contains("not remembered"), "{answer}");
    assert_eq!(env.read("home/.claude/settings.json"), before);
}

#[test]
fn a_skill_that_changed_since_it_was_always_allowed_is_asked_about_again() {
    let asks = "[permissions]\ndefault = \"ask\"\n";
    // Where the default allows, the rule that asked must not just go.
    let asked_by_name = "[[permissions.ask]]\ntool = \"skill_load\"\nskill_name = \"forms\"\n";
    for (settings, changed) in
        [(asks, FILL), (asks, "SKILL.md"), (asked_by_name, FILL), (asked_by_name, "SKILL.md")]
    {
        let env = env(settings);
        fs::remove_dir_all(env.at("home/.agents/skills")).unwrap();
        skill(&env, TWIN, "TWIN");
        let load = json!({ "path": env.text(TWIN) });
        let read = json!({ "skill": env.text(TWIN), "path": FILL });
        let always = json!({ "action": "accept", "content": { "always": true } });
        let request = ("tools/call", json!({ "name": "skill_load", "arguments": load }));
        let mut first = eliciting(&env);
        let answer = asked(&mut first, request, &always);
        assert!(answer.to_string().contains("while its files stay the same"), "{answer}");
        // Unchanged, nobody is asked: no client here can ask.
        let mut client = Client::new(&env, &[]);
        client.call("skill_read", read.clone());
        client.call("skill_load", load.clone());
        let file = format!("{TWIN}/{changed}");
        env.write(&file, env.read(&file).replace("TWIN", "TWIM"));
        let why = "the skill's files have changed since they were allowed";
        let mut new = Client::new(&env, &[]);
        for (tool, arguments) in [("skill_load", &load), ("skill_read", &read)] {
            // Also in conversations that have loaded it as it was.
            for client in [&mut new, &mut client] {
                let (code, text) = client.refusal(tool, arguments.clone());
                assert!(code == "needs_consent" && text.contains(why), "{changed} {tool}: {text}");
                assert!(!text.contains("TWIM"), "{text}");
            }
            let id = first.request("tools/call", json!({ "name": tool, "arguments": arguments }));
            let question = first.question();
            assert!(question["params"]["message"].as_str().unwrap().contains(why), "{question}");
            first.reply(&question, &json!({ "action": "decline" }));
            first.answer(id);
        }
        let by_hand = env.run(&["load", &env.text(TWIN)]).ended(1);
        assert!(by_hand.err.contains(why) && by_hand.out().is_empty(), "{by_hand:?}");
        let (_, text) = new.refusal("skill_load", load.clone());
        obey(&env, &text);
        assert!(Client::new(&env, &[]).call("skill_load", load).1.contains("BODY-TWI"));
        assert_eq!(env.read(SETTINGS).matches("digest").count(), 1, "the rule was renewed");
    }
}

#[test]
fn a_rule_with_the_path_alone_asks_for_a_skill_of_a_repository() {
    for default in ["allow", "ask", "deny"] {
        let env = env("");
        skill(&env, TWIN, "TWIN");
        let rule = |path: &str| {
            let path = env.text(&format!("{path}/SKILL.md"));
            format!("[[permissions.allow]]\ntool = \"skill_load\"\npath = \"{path}\"\n")
        };
        let default = format!("[permissions]\ndefault = \"{default}\"\n");
        env.settings(&format!("{default}{}{}", rule(OWN), rule(TWIN)));
        let (own, twin) = (env.text(OWN), env.text(TWIN));
        let mut client = Client::new(&env, &[]);
        client.call("skill_load", json!({ "path": own }));
        env.write(format!("{OWN}/{FILL}"), "echo CHANGED\n");
        Client::new(&env, &[]).call("skill_load", json!({ "path": own }));
        let (code, text) = client.refusal("skill_load", json!({ "path": twin }));
        assert!(code == "needs_consent", "{text}");
        assert!(text.contains("it allowed the path alone, and does not reach"), "{text}");
        obey(&env, &text);
        assert!(client.call("skill_load", json!({ "path": twin })).1.contains("BODY-TWIN"));
    }
}

#[test]
fn a_yes_ends_when_any_file_of_the_skill_changes() {
    let env = env("[permissions]\ndefault = \"ask\"\n");
    let load = ("tools/call", json!({ "name": "skill_load", "arguments": { "name": "forms" } }));
    let read = json!({ "path": FILL });
    let mut client = eliciting(&env);
    asked(&mut client, load, &json!({ "action": "accept" }));
    assert!(client.call("skill_read", read.clone()).1.contains("OWN"));
    env.write(format!("{OWN}/scripts/other.sh"), "echo OTHER\n");
    let again = ("tools/call", json!({ "name": "skill_read", "arguments": read }));
    let answer = asked(&mut client, again, &json!({ "action": "decline" }));
    assert!(answer.to_string().contains("declined"), "{answer}");
}
