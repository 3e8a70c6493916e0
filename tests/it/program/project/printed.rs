//! The commands and settings files that `project` names.

use super::{put, rows, shop};
use serde_json::{Value as Json, json};

/// The words of a command that was printed, without the program's name.
fn printed<'a>(said: &'a str, before: &str) -> Vec<&'a str> {
    let line = said.lines().find_map(|line| line.trim().strip_prefix(before));
    let line = line.unwrap_or_else(|| panic!("no {before}: {said}"));
    line.trim().strip_prefix("skillpick ").unwrap().split(' ').collect()
}

#[test]
fn a_printed_command_means_the_store_and_the_project_that_options_named() {
    let env = shop(None);
    put(&env, "deploy", "Team text.\n");
    env.run(&["project", "create", "team"]).ended(0);
    env.raw_skill("tmp/other", "name: other\ndescription: d", "Of another.\n");
    let from = env.text("tmp/other");
    let own = ["--project", "team"];
    let options = ["--store", "sqlite:a.db", "--project", "fresh"];
    let created = env.run(&["--store", "sqlite:a.db", "project", "create", "fresh"]).ended(0);
    for options in [&own[..], &options] {
        let put = [options, &["project", "put", "other", "--from", &from]].concat();
        let done = env.run(&put).ended(0);
        env.run(&printed(&done.err, "to undo it:")).ended(0);
        env.run(&[options, &["project", "show", "other"]].concat()).ended(1);
    }
    assert_eq!(rows(&env, &[])[0]["name"], "deploy", "nothing was undone in shop");
    // What is hidden is looked at in the same project.
    env.raw_skill("tmp/b", "name: b\ndescription: d", "a\u{e0041}\u{e0042}\n");
    let from = env.text("tmp/b");
    let put = [&options[..], &["project", "put", "b", "--from", &from, "--yes"]].concat();
    env.run(&put).ended(0);
    let load = [&options[..], &["load", "b"]].concat();
    let refused = env.run(&load).ended(1);
    let approve = printed(&refused.err, "to look at it:");
    env.run(&[&approve[..], &["--yes"]].concat()).ended(0);
    env.run(&load).ended(0);
    // Only the name is written, so it is said where later commands look.
    let used = env.run(&printed(&created.err, "to use its skills:")).ended(0);
    let other = "but your settings have another store, sqlite:";
    assert!(used.err.contains(other), "{used:?}");
    let used = env.run(&["project", "use", "team"]).ended(0);
    assert!(!used.err.contains(other), "{used:?}");
}

#[test]
fn what_keeps_the_use_of_a_project_without_effect_is_named() {
    let env = shop(None);
    env.run(&["project", "create", "q1"]).ended(0);
    env.write("repo/.skillpick.toml", "version = 1\n[store]\nproject = \"shop\"\n");
    for dry_run in [&["--dry-run"][..], &[]] {
        let used = env.run(&[&["project", "use", "q1"], dry_run].concat()).ended(0);
        let by = format!("but here shop is used: {}:3 says so", env.text("repo/.skillpick.toml"));
        assert!(used.err.contains(&by), "{used:?}");
    }
    let used = env.json("project", &["project", "use", "q1", "--json"]);
    let by = used["overridden_by"].as_str().unwrap();
    assert!(by.ends_with(".skillpick.toml:3"), "{by}");
    let used = env.json("project", &["project", "use", "shop", "--json"]);
    assert_eq!(used["overridden_by"], Json::Null, "both say the same");
    let none = env.run(&["project", "use", "--none"]).ended(0);
    assert!(none.err.contains("use no project: done"), "{none:?}");
    assert!(none.err.contains("but here shop is used"), "{none:?}");
    // Of the repository's file, what the person's own says instead.
    env.run(&["project", "use", "q1"]).ended(0);
    let none = env.run(&["project", "use", "--none", "--in", "project"]).ended(0);
    assert!(none.err.contains("but here q1 is used"), "{none:?}");
    let env = shop(None).variable("SKILLPICK_PROJECT", "shop");
    let none = env.json("project", &["project", "use", "--none", "--json"]);
    assert_eq!(
        (&none["project"], &none["overridden_by"]),
        (&json!(""), &json!("SKILLPICK_PROJECT"))
    );
}
