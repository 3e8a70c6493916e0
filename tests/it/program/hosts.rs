//! `hosts`.

use crate::env::TestEnv;
use serde_json::json;

fn row(env: &TestEnv, id: &str) -> serde_json::Value {
    let hosts = env.json("hosts", &["hosts", "--json"]);
    hosts["hosts"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["id"] == id)
        .unwrap_or_else(|| panic!("{hosts}"))
        .clone()
}

#[test]
fn without_agents_hosts_lists_the_standard_and_all_lists_every_agent() {
    let env = TestEnv::furnished();
    let ran = env.run(&["hosts"]).ended(0);
    ran.is_inert();
    assert!(ran.out().starts_with("agents  Agent Skills\n"), "{ran:?}");
    for words in [
        format!("{}  repo, 2 skills", env.text("repo/.agents/skills")),
        format!("{}  user, missing", env.text("home/.agents/skills")),
        format!("{}  user, missing", env.text("home/.config/skillpick/config.toml")),
        "$name, [$name](path)".to_owned(),
    ] {
        assert!(ran.out().contains(&words), "{words}: {}", ran.out());
    }
    assert!(!ran.out().contains("unseen"), "{}", ran.out());
    assert!(!ran.out().contains("codex") && ran.err.contains("no agent was found"), "{ran:?}");
    let all = env.run(&["hosts", "--all"]).ended(0);
    assert!(all.out().contains("  unseen    its own plugins\n"), "{}", all.out());
    assert!(
        all.out().contains("codex  ") && all.out().contains("(not on this machine)"),
        "{}",
        all.out()
    );
    env.run(&["hosts", "--host", "codxe"]).ended(2);
}

#[test]
fn a_named_agent_is_told_of_also_if_only_its_folders_are_known() {
    let env = TestEnv::new();
    let ran = env.run(&["hosts", "--host", "windsurf"]).ended(0);
    assert!(ran.out().starts_with("windsurf  ") && ran.out().contains("not on this machine"));
    let folder = env.text("repo/.windsurf/skills");
    assert!(ran.out().contains(&format!("{folder}  repo, missing")), "{ran:?}");
    assert!(ran.err.is_empty(), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn the_version_of_a_bare_program_is_asked_in_a_temporary_home() {
    let env =
        TestEnv::new().program("codex", "touch \"$HOME/was-here\"; echo \"codex-cli 999.1.2\"");
    let codex = row(&env, "codex");
    assert_eq!((&codex["version"], &codex["version_from"]), (&json!("999.1.2"), &json!("program")));
    assert_eq!(
        (&codex["program"], &codex["unproved"]),
        (&json!(env.text("bin/codex")), &json!(true))
    );
    assert!(
        !env.at("home/was-here").exists() && !env.at("home/.codex").exists(),
        "nothing reaches the home"
    );
    let ran = env.run(&["hosts"]).ended(0);
    assert!(ran.out().contains("the installed 999.1.2 is newer"), "{}", ran.out());
    // The package file beside the program tells it without running anything.
    env.write("package.json", "{ \"version\": \"0.169.0\" }");
    let codex = row(&env, "codex");
    assert_eq!((&codex["version"], &codex["version_from"]), (&json!("0.169.0"), &json!("package")));
}

#[cfg(unix)]
#[test]
fn a_program_that_prints_rubbish_or_hangs_is_reported() {
    let env = TestEnv::new().program("codex", "printf '\\033]0;owned\\007\\377'; exit 3");
    let codex = row(&env, "codex");
    assert_eq!(
        (&codex["version"], &codex["version_failure"]),
        (&json!(null), &json!("it said no version"))
    );
    let ran = env.run(&["hosts"]).ended(0);
    ran.is_inert();
    assert!(ran.out().contains("(version unknown: it said no version)"), "{}", ran.out());
    let env = TestEnv::new().program("codex", "exec sleep 60");
    assert_eq!(row(&env, "codex")["version_failure"], "it did not say its version within 5 s");
}

#[test]
fn roots_and_settings_files_have_their_status() {
    let env = TestEnv::furnished();
    env.write("home/.codex/config.toml", "model = \"x\"\nskills = \n");
    let codex = row(&env, "codex");
    let file =
        codex["files"].as_array().unwrap().iter().find(|file| file["layer"] == "user").unwrap();
    assert_eq!(
        (&file["path"], &file["state"], &file["line"]),
        (&json!(env.text("home/.codex/config.toml")), &json!("broken"), &json!(2))
    );
    assert_eq!(file["writable"], true);
    let root =
        codex["roots"].as_array().unwrap().iter().find(|root| root["state"] == "read").unwrap();
    assert_eq!(
        (&root["path"], &root["found"]),
        (&json!(env.text("repo/.agents/skills")), &json!(2))
    );
    assert_eq!(
        (&codex["detected"], &codex["program"], &codex["version"]),
        (&json!(true), &json!(null), &json!(null))
    );
}
