//! `list --tree`: what an agent sees from each directory of a repository.

use crate::env::TestEnv;
use serde_json::{Value as Json, json};

/// Two packages: one with a skill of its own, one that switches a common one off.
fn env() -> TestEnv {
    let env = TestEnv::new();
    env.skill("home/.claude/skills", "own", "The person's.");
    env.skill("repo/.claude/skills", "common", "For all.");
    env.skill("repo/packages/a/.claude/skills", "deploy", "Of one package.");
    env.write(
        "repo/packages/b/.claude/settings.json",
        "{\"skillOverrides\": {\"common\": \"off\"}}",
    );
    env.write("repo/packages/c/src/main.rs", "");
    // What no agent works in.
    env.skill("repo/node_modules/x/.claude/skills", "dependency", "d");
    env.skill("repo/target/x/.claude/skills", "built", "d");
    env.write("repo/.gitignore", "target/\n");
    env.skill("repo/vendor/other/.claude/skills", "other", "d");
    env.write("repo/vendor/other/.git", "gitdir: elsewhere\n");
    env
}

#[test]
fn each_directory_sees_its_own_skills_and_those_above() {
    let env = env();
    let ran = env.run(&["list", "--tree", "--host", "claude"]).ended(0);
    assert_eq!(
        ran.out(),
        "\
◐ common  repo     on from ., packages/a; off from packages/b
✓ own     user     everywhere
✓ deploy  repo     packages/a
"
    );
    let below =
        env.run(&["list", "--tree", "--host", "claude", "-C", &env.text("repo/packages/c")]);
    assert_eq!(below.out(), ran.out(), "from wherever it is asked");
}

#[test]
fn the_document_names_the_directories_and_each_status() {
    let env = env();
    let json = env.json("tree", &["list", "--tree", "--host", "claude", "--json"]);
    assert_eq!(json["directories"], json!([".", "packages/a", "packages/b"]));
    assert_eq!(
        (&json["repository"], &json["truncated"]),
        (&json!(env.text("repo")), &json!(false))
    );
    let skill = |name: &str| -> Json {
        let rows = json["skills"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap()["seen"].clone()
    };
    assert_eq!(skill("deploy"), json!([{"directory": "packages/a", "status": "on"}]));
    assert_eq!(skill("common")[2], json!({"directory": "packages/b", "status": "off"}));
    let names = json["skills"].as_array().unwrap().len();
    assert_eq!(names, 3);
}

#[test]
fn what_is_seen_is_what_the_list_of_each_directory_says() {
    let env = env();
    let tree = env.json("tree", &["list", "--tree", "--host", "all", "--json"]);
    for directory in tree["directories"].as_array().unwrap() {
        let directory = directory.as_str().unwrap();
        let place = env.text(&format!("repo/{directory}"));
        let list = env.json("list", &["list", "--host", "all", "--json", "-C", &place]);
        let mut listed: Vec<&Json> =
            list["skills"].as_array().unwrap().iter().map(|row| &row["path"]).collect();
        let is_seen = |row: &&Json| {
            row["seen"].as_array().unwrap().iter().any(|seen| seen["directory"] == directory)
        };
        let skills = tree["skills"].as_array().unwrap();
        let mut seen: Vec<&Json> = skills.iter().filter(is_seen).map(|row| &row["path"]).collect();
        listed.sort_by_key(|path| path.to_string());
        seen.sort_by_key(|path| path.to_string());
        assert_eq!(seen, listed, "{directory}");
    }
}

#[test]
fn a_tree_is_not_of_folders_that_are_browsed() {
    let env = env();
    let ran = env.run(&["list", "--tree", "--root", &env.text("repo")]).ended(2);
    assert!(ran.err.contains("cannot be used with"), "{ran:?}");
}
