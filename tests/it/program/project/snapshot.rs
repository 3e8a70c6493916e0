//! What was last read of a project, and a project for which there is no place to keep it.

use super::{put, rows, shop};
use std::fs;

/// The count of changes comes to the same number again, by another change.
#[test]
fn after_a_backup_was_put_back_the_list_has_what_is_stored_now() {
    let env = shop(None);
    put(&env, "a", "Old.\n");
    put(&env, "b", "Old.\n");
    let store = env.at("home/.local/state/skillpick/store/skills.db");
    fs::copy(&store, env.at("backup.db")).unwrap();
    put(&env, "a", "Lost.\n");
    assert!(env.run(&["load", "a"]).ended(0).out().contains("Lost."));
    for end in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", store.display()));
    }
    fs::copy(env.at("backup.db"), &store).unwrap();
    put(&env, "b", "New.\n");
    let text = |name: &str| env.run(&["load", name]).ended(0).out().to_owned();
    assert!(text("a").contains("Old.") && text("b").contains("New."));
}

#[test]
fn without_the_index_the_list_is_what_the_store_says() {
    let env = shop(None);
    put(&env, "a", "Old.\n");
    let versions = |more: &[&str]| -> Vec<String> {
        let row = |row: &serde_json::Value| row["stored"]["author"].as_str().unwrap().to_owned();
        rows(&env, more).iter().map(row).collect()
    };
    assert_eq!(versions(&[]), ["ann"]);
    let folder = env.at("home/.cache/skillpick/store");
    let folder = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let snapshot = rusqlite::Connection::open(folder.join("snapshot-3.db")).unwrap();
    snapshot.execute_batch("UPDATE skills SET author = 'nobody'").unwrap();
    assert_eq!(versions(&[]), ["nobody"], "it is taken");
    assert_eq!(versions(&["--no-index"]), ["ann"]);
}

#[test]
fn a_project_without_a_place_for_its_skills_is_told() {
    let env = shop(None);
    put(&env, "a", "Text.\n");
    let cache = env.text("repo/.cache");
    let env = env.variable("XDG_CACHE_HOME", &cache);
    let why = "the cache folder, which holds its skills, lies in the repository";
    for command in [&["list"][..], &["check"], &["prompt"], &["hosts"]] {
        let ran = env.run(command).ended(0);
        assert!(ran.err.contains(why) || ran.out().contains(why), "{ran:?}");
    }
    assert!(!env.at("repo/.cache").exists());
    let env = env.variable("XDG_CACHE_HOME", "").variable("XDG_STATE_HOME", "");
    assert_eq!(rows(&env, &[]).len(), 1);
}
