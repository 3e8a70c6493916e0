//! `--ask`: what an agent's own program has and no folder shows. The program is a stand-in. (The
//! real ones: `tests/hosts`.)

use crate::env::TestEnv;
use crate::support::Ran;
use serde_json::Value as Json;

/// Copilot as a script that obeys the switches of its settings. It lists one of the two skills that
/// we find, and `held`, which it brings itself and of which there is no file.
const SCRIPT: &str = r#"case "$(cat "$HOME/.copilot/settings.json" 2>/dev/null)" in
  *held*) on=false;;
  *) on=true;;
esac
echo "[{\"name\":\"one\",\"description\":\"d\",\"source\":\"project\",\"path\":\"$PWD/.github/skills/one\",\"enabled\":true},
  {\"name\":\"held\",\"description\":\"Writes to \u001b[31mred moons\",\"source\":\"builtin\",\"path\":\"/nowhere/held\",\"enabled\":$on}]""#;

pub(crate) fn env() -> TestEnv {
    let env = TestEnv::new();
    env.skill("repo/.github/skills", "one", "d");
    env.skill("home/.copilot/skills", "own", "d");
    env.program("copilot", SCRIPT)
}

fn asked(env: &TestEnv, arguments: &[&str]) -> Ran {
    let ran = env.run(&[arguments, &["--ask", "--host", "copilot"]].concat());
    ran.is_inert();
    ran
}

fn row<'a>(list: &'a Json, name: &str) -> &'a Json {
    list["skills"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap()
}

#[test]
fn what_only_the_program_has_is_listed_by_its_own_word() {
    let env = env();
    let ran = asked(&env, &["list"]).ended(0);
    let line = ran.out().lines().find(|line| line.contains("held")).unwrap();
    assert!(line.contains("by Copilot CLI's own word · Writes to ^[[31mred moons"), "{line}");
    assert!(!env.run(&["list", "--host", "copilot"]).out().contains("held"));
    assert_eq!(ran.err, "skillpick: Copilot CLI: 1 more by its own word; 1 differs\n");
    let list = asked(&env, &["list", "--json"]).ended(0).document("list");
    let word = &row(&list, "held")["own_word"];
    assert_eq!((&word["host"], &word["bundled"]), (&"copilot".into(), &true.into()));
    assert_eq!((&word["file"], &word["switch"]), (&false.into(), &true.into()));
    let finding = &row(&list, "own")["diagnostics"][0];
    assert_eq!(finding["code"], "agent-unlisted");
    assert!(finding["help"].as_str().unwrap().contains("report it"), "{finding}");
    assert!(row(&list, "one")["diagnostics"].as_array().unwrap().is_empty());
    let checked = asked(&env, &["check"]);
    assert!(checked.out().contains("Copilot CLI itself does not list it"), "{checked:?}");
}

#[test]
fn it_is_shown_found_mentioned_and_switched() {
    let env = env();
    let shown = asked(&env, &["show", "held"]).ended(0);
    for words in [
        "by Copilot CLI's own word\n",
        "Writes to ^[[31mred moons",
        "it is built into Copilot CLI, so there is no file to read",
    ] {
        assert!(shown.out().contains(words), "{words}: {shown:?}");
    }
    let json = asked(&env, &["show", "held", "--json"]).ended(0).document("show");
    assert_eq!((&json["text"], &json["bytes"]), (&Json::Null, &Json::Null));
    assert!(json["files"].as_array().unwrap().is_empty());
    let raw = asked(&env, &["show", "held", "--raw"]).ended(2);
    assert!(raw.err.contains("it is built into"), "{raw:?}");
    assert!(asked(&env, &["search", "moons"]).ended(0).out().contains("held"));
    assert_eq!(asked(&env, &["mention", "held"]).ended(0).out().trim(), "Use the /held skill to");
    assert_eq!(asked(&env, &["-f", "held"]).ended(0).out().trim(), "Use the /held skill to");
    asked(&env, &["disable", "held"]).ended(0);
    let list = asked(&env, &["list", "--json"]).ended(0).document("list");
    let held = row(&list, "held");
    assert_eq!(held["state"], "off");
    // The program says so too.
    assert!(held["diagnostics"].as_array().unwrap().is_empty(), "{held}");
    env.run(&["undo"]).ended(0);
    let list = asked(&env, &["list", "--json"]).ended(0).document("list");
    assert_eq!(row(&list, "held")["state"], "on");
}

#[test]
fn who_cannot_be_asked_is_said_in_one_sentence_and_the_plain_list_stays() {
    let env = env();
    let plain = env.run(&["list", "--host", "copilot"]).ended(0);
    for (script, why) in [
        ("exit 3", "Copilot CLI gave no answer: the program gave no list of its skills"),
        ("echo '[{]'", "Copilot CLI gave no answer: the program gave no list of its skills"),
        (
            "head -c 100000000 /dev/zero",
            "Copilot CLI gave no answer: the program's answer was too long",
        ),
    ] {
        env.write("bin/copilot", format!("#!/bin/sh\n{script}\n"));
        let ran = asked(&env, &["list"]).ended(0);
        assert_eq!(ran.err, format!("skillpick: {why}\n"));
        assert_eq!(ran.out(), plain.out());
    }
    std::fs::remove_file(env.at("bin/copilot")).unwrap();
    let ran = asked(&env, &["list"]).ended(0);
    assert!(ran.err.contains("Copilot CLI was not asked: its program is not on PATH"), "{ran:?}");
    assert!(env.run(&["list", "--ask", "--host", "agents"]).ended(2).err.contains("no program"));
    let browsed = env.run(&["list", "--ask", "--host", "copilot", "--root", "."]).ended(2);
    assert!(browsed.err.contains("others are browsed here"), "{browsed:?}");
    let all = env.run(&["list", "--ask", "--host", "all"]).ended(0);
    assert!(all.err.contains("no agent on this machine can be asked"), "{all:?}");
    for command in ["hosts", "verify", "serve", "load"] {
        let refused = env.run(&[command, "--ask"]).ended(2);
        assert!(
            refused.err.contains("takes no --ask") || refused.err.contains("required"),
            "{refused:?}"
        );
    }
}

#[test]
fn nothing_is_kept_where_a_person_wants_nothing_kept() {
    let env = env();
    asked(&env, &["list", "--no-index"]).ended(0);
    let kept = || {
        let files = std::fs::read_dir(env.at("home/.cache/skillpick"));
        let names = files.into_iter().flatten().flatten().map(|entry| entry.file_name());
        names.filter(|name| name.to_string_lossy().starts_with("asked-")).count()
    };
    assert_eq!(kept(), 0);
    asked(&env, &["list"]).ended(0);
    assert_eq!(kept(), 1);
    let left = std::fs::read_dir(env.at("tmp")).unwrap().count();
    assert_eq!(left, 0, "the copies are gone");
}
