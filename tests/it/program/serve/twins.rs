//! Skills that have the name of one's own: what a rule allows one's own by name it does not allow
//! what a repository brings, through the commands and the server.

use super::Client;
use super::consent::{asked, eliciting};
use crate::support::House;
use serde_json::{Value as Json, json};
use std::fs;
use std::os::unix::fs::symlink;

const OWN: &str = "home/.agents/skills/forms";
const TWIN: &str = "repo/.agents/skills/forms";
const SETTINGS: &str = "home/.config/skillpick/config.toml";
const FILL: &str = "scripts/fill.sh";

fn skill(house: &House, folder: &str, says: &str) {
    house.write(
        &format!("{folder}/SKILL.md"),
        format!("---\nname: forms\ndescription: Fills forms.\n---\nBODY-{says}\n"),
    );
    house.write(&format!("{folder}/{FILL}"), format!("echo {says}\n"));
}

fn rule(rest: &str) -> String {
    format!("[scripts]\nenabled = true\n[[permissions.allow]]\ntool = \"skill_script\"\n{rest}\n")
}

/// One's own skill, and a rule for it by name.
fn house(rules: &str) -> House {
    let house = House::new();
    skill(&house, OWN, "OWN");
    house.settings(rules);
    house
}

/// Ways to name skills without binding the rule to one.
const NAMES: [&str; 4] = ["skill_name = \"forms\"", "skill_name = \"for*\"", "", "script = \"s*\""];

#[test]
fn a_rule_by_name_runs_no_script_that_a_repository_brings() {
    for name in NAMES {
        let house = house(&rule(name));
        assert_eq!(house.run(&["run", "forms", FILL]).ended(0).out(), "OWN\n", "{name}");
        skill(&house, TWIN, "TWIN");
        skill(&house, "clone/skills/forms", "CLONE");
        house.write("clone/.git/HEAD", "ref: refs/heads/main\n");
        symlink(house.at("clone/skills/forms"), house.at("home/.agents/skills/linked")).unwrap();
        skill(&house, "repo/.agents/skills/outer/inner/forms", "NESTED");
        skill(&house, "repo/sub/here/forms", "NAMED");
        house.write(
            "repo/.agents/skills/outer/SKILL.md",
            "---\nname: outer\ndescription: Around another.\n---\n",
        );
        let asks = |arguments: &[&str]| {
            let ran = house.run(arguments).ended(1);
            assert!(ran.out().is_empty() && ran.err.contains("needs your consent"), "{ran:?}");
            let why = "is not bound to this skill's path and files, so it does not reach what a \
                       repository brings";
            assert!(
                ran.err.contains("but:       permissions.allow")
                    && ran.err.contains(why)
                    && ran.err.contains("config.toml:4"),
                "{name}: {ran:?}"
            );
        };
        asks(&["run", &house.text(TWIN), FILL]);
        asks(&["run", &house.text("clone/skills/forms"), FILL]);
        asks(&["run", &house.text("home/.agents/skills/linked"), FILL]);
        asks(&["run", &house.text("repo/.agents/skills/outer/inner/forms"), FILL]);
        for root in ["repo/sub/here", "clone/skills"] {
            asks(&["run", "forms", FILL, "--root", &house.text(root)]);
        }
        // One's own runs as before; where it is gone, the twin is no heir.
        assert_eq!(house.run(&["run", &house.text(OWN), FILL]).ended(0).out(), "OWN\n");
        fs::remove_dir_all(house.at("home/.agents/skills")).unwrap();
        asks(&["run", &house.text(TWIN), FILL]);
    }
}

/// The command that a refusal tells, run.
#[track_caller]
fn obey(house: &House, text: &str) {
    let told = text.split_once("skillpick permit allow ").unwrap_or_else(|| panic!("{text}")).1;
    let words: Vec<&str> = ["permit", "allow"].into_iter().chain(told.split(' ')).collect();
    house.run(&words).ended(0);
}

#[test]
fn the_server_asks_before_it_runs_a_twin_and_again_when_its_files_have_changed() {
    let house = house(&rule("skill_name = \"forms\""));
    skill(&house, TWIN, "TWIN");
    let mut client = Client::new(&house, &[]);
    let run = |client: &mut Client| {
        let path = house.text(TWIN);
        client.refusal("skill_run_script", json!({ "skill": path, "path": FILL }))
    };
    client.call("skill_load", json!({ "path": house.text(TWIN) }));
    let (code, text) = run(&mut client);
    assert!(code == "needs_consent" && text.contains("does not reach what a repository"), "{text}");
    obey(&house, &text);
    let written = house.read(SETTINGS);
    let path =
        format!("path = \"{}\"\ndigest = \"sha256:", house.text(&format!("{TWIN}/SKILL.md")));
    assert!(written.contains(&path), "{written}");
    let ran = |client: &mut Client| {
        let path = house.text(TWIN);
        client.call("skill_run_script", json!({ "skill": path, "path": FILL })).1
    };
    assert!(ran(&mut client).contains("TWIN"));
    assert_eq!(house.run(&["run", &house.text(TWIN), FILL]).ended(0).out(), "TWIN\n");
    // Another copy with the very same files is another skill.
    skill(&house, "repo/.agents/skills/copy", "TWIN");
    let copy = house.text("repo/.agents/skills/copy");
    assert!(house.run(&["run", &copy, FILL]).ended(1).err.contains("needs your consent"));
    // Any file of the skill counts, not the script alone.
    house.write(&format!("{TWIN}/scripts/lib.sh"), "echo CHANGED\n");
    let (code, text) = run(&mut client);
    assert!(code == "needs_consent", "{text}");
    assert!(text.contains("its files have changed since they were allowed by perm"), "{text}");
    let ran_by_hand = house.run(&["run", &house.text(TWIN), FILL]).ended(1);
    assert!(ran_by_hand.err.contains("but:       its files have changed"), "{ran_by_hand:?}");
    // The new rule takes the place of the one that is worth nothing any more.
    obey(&house, &text);
    assert!(ran(&mut client).contains("TWIN"));
    assert_eq!(house.read(SETTINGS).matches("digest").count(), 1);
    house.run(&["undo"]).ended(0);
    assert_eq!(house.read(SETTINGS), written);
}

#[test]
fn a_rule_by_name_loads_no_twin_where_the_default_asks() {
    for name in ["skill_name = \"forms\"", "skill_name = \"f*\"", ""] {
        let house = house(&format!(
            "[permissions]\ndefault = \"ask\"\n[[permissions.allow]]\ntool = \"skill_load\"\n{name}\n"
        ));
        skill(&house, TWIN, "TWIN");
        let mut client = Client::new(&house, &[]);
        let (own, twin) = (house.text(OWN), house.text(TWIN));
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
        obey(&house, &text);
        assert!(client.call("skill_load", json!({ "path": twin })).1.contains("BODY-TWIN"));
        skill(&house, "repo/.agents/skills/third", "THIRD");
        let third = house.text("repo/.agents/skills/third");
        let mut client = Client::new(&house, &[]);
        assert_eq!(client.refusal("skill_load", json!({ "path": third })).0, "needs_consent");
    }
}

#[test]
fn what_is_told_of_a_skill_elsewhere_allows_it_there() {
    let house = house("[scripts]\nenabled = true\n[permissions]\ndefault = \"ask\"\n");
    skill(&house, "clone/skills/forms", "CLONE");
    house.write("clone/.git/HEAD", "ref: refs/heads/main\n");
    let root = house.text("clone/skills");
    let mut client = Client::new(&house, &["--root", &root]);
    let (code, text) = client.refusal("skill_load", json!({ "name": "forms" }));
    assert_eq!(code, "needs_consent");
    obey(&house, &text);
    client.call("skill_load", json!({ "name": "forms" }));
    let call = json!({ "skill": "forms", "path": FILL });
    let (_, text) = client.refusal("skill_run_script", call.clone());
    obey(&house, &text);
    assert!(client.call("skill_run_script", call).1.contains("CLONE"));
    // One's own of that name is none the freer for it.
    let own = house.text(OWN);
    assert_eq!(
        Client::new(&house, &[]).refusal("skill_load", json!({ "path": own })).0,
        "needs_consent"
    );
    house.run(&["permit", "allow", &house.text("clone/none")]).ended(1);
    house.run(&["permit", "allow", &house.text("clone")]).ended(1);
}

#[test]
fn always_allows_the_skill_that_was_asked_about_and_no_twin() {
    let house = house("[permissions]\ndefault = \"ask\"\n");
    skill(&house, TWIN, "TWIN");
    let mut client = eliciting(&house);
    let load = |path: &str| {
        ("tools/call", json!({ "name": "skill_load", "arguments": { "path": house.text(path) } }))
    };
    let always = json!({ "action": "accept", "content": { "always": true } });
    let answer = asked(&mut client, load(TWIN), &always);
    assert!(answer.to_string().contains("remembered: loading 'forms' is allowed"), "{answer}");
    let written = house.read(SETTINGS);
    let path = house.text(&format!("{TWIN}/SKILL.md"));
    let rule = format!("tool = \"skill_load\"\nskill_name = \"forms\"\npath = \"{path}\"\n");
    assert!(written.contains(&rule) && !written.contains("digest"), "{written}");
    let mut client = Client::new(&house, &[]);
    client.call("skill_load", json!({ "path": house.text(TWIN) }));
    let own = client.refusal("skill_load", json!({ "path": house.text(OWN) }));
    assert_eq!(own.0, "needs_consent", "{}", own.1);
}

#[test]
fn a_rule_of_another_agent_says_what_that_agent_does_and_hands_over_no_twin() {
    let house = House::new();
    let text = "---\nname: forms\ndescription: d\nallowed-tools: Bash\n---\nBODY\n";
    house.write("repo/.claude/skills/forms/SKILL.md", text);
    house.write("home/.claude/skills/own/SKILL.md", text.replace("forms", "own"));
    house.write(
        "home/.claude/settings.json",
        "{ \"permissions\": { \"allow\": [\"Skill(forms)\", \"Skill(own)\"] } }",
    );
    let shown = house.json("show", &["show", "forms", "--host", "claude", "--json"]);
    assert_eq!(shown["skill"]["verdict"]["model"], "allow", "so Claude Code does: {shown}");
    let mut client = Client::new(&house, &["--host", "claude"]);
    assert!(client.call("skill_load", json!({ "name": "own" })).1.contains("BODY"));
    let (code, text) = client.refusal("skill_load", json!({ "name": "forms" }));
    assert!(code == "needs_consent" && !text.contains("BODY"), "{code} {text}");
    assert!(text.contains("no rule can: the rules of Claude Code go by name"), "{text}");
    let mut client = Client::with(&house, &["--host", "claude"], json!({ "elicitation": {} }));
    let before = house.read("home/.claude/settings.json");
    let load = ("tools/call", json!({ "name": "skill_load", "arguments": { "name": "forms" } }));
    let always = json!({ "action": "accept", "content": { "always": true } });
    let answer: Json = asked(&mut client, load, &always);
    let text = answer.to_string();
    assert!(text.contains("BODY") && text.contains("not remembered"), "{answer}");
    assert_eq!(house.read("home/.claude/settings.json"), before);
}
