//! The commands and settings files that `project` names.

use super::{put, rows, shop, stores};
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

/// Somebody else has changed a skill: who, which change of one's own stands below, and what helps.
#[test]
fn an_undo_that_is_blocked_says_by_whom_and_reaches_other_skills_by_name() {
    for env in stores() {
        put(&env, "x", "One.\n");
        put(&env, "x", "Two.\n");
        let before = put(&env, "y", "One.\n")["skill_version"].as_str().unwrap()[..12].to_owned();
        put(&env, "y", "Two.\n");
        let bob = env.variable("SKILLPICK_AUTHOR", "bob");
        put(&bob, "y", "Three.\n");
        let env = bob.variable("SKILLPICK_AUTHOR", "ann");
        let ran = env.run(&["project", "undo"]).ended(2);
        assert!(ran.err.contains("your last change is #2 of y; bob has changed that"), "{ran:?}");
        assert!(ran.err.contains(&format!("skillpick project restore y {before}")), "{ran:?}");
        assert!(ran.err.contains("skillpick project history y"), "{ran:?}");
        env.run(&["project", "undo", "x"]).ended(0);
        assert!(env.run(&["load", "x"]).ended(0).out().contains("One."));
        let none = env.fails(&["project", "undo", "z", "--json"]);
        assert_eq!(none["error"]["code"], "nothing_to_undo");
    }
}

#[test]
fn a_printed_command_has_the_name_that_was_given_though_it_looks_like_an_option() {
    let env = shop(None);
    put(&env, "pdf", "One.\n");
    let ran = env.run(&["project", "restore", "pdf", "0000"]).ended(1);
    assert!(ran.err.contains("skillpick project history pdf"), "{ran:?}");
    let ran = env.run(&["project", "create", "--", "-x"]).ended(0);
    assert!(ran.err.contains("skillpick project use -- -x"), "{ran:?}");
    env.run(&["project", "use", "--", "-x"]).ended(0);
    let ran = env.run(&["project", "show", "none"]).ended(1);
    assert!(ran.err.contains("skillpick project list -- -x"), "{ran:?}");
}

#[test]
fn what_is_stored_for_others_is_counted_and_what_may_be_secret_is_named() {
    let env = shop(None);
    env.raw_skill("tmp/pdf", "name: pdf\ndescription: d", "Text.\n");
    let put = || env.run(&["project", "put", "pdf", "--from", &env.text("tmp/pdf")]).ended(0);
    assert!(!put().err.contains("beside its SKILL.md"));
    env.write("tmp/pdf/notes.md", "Notes.\n");
    let ran = put();
    assert!(ran.err.contains("with 1 file beside its SKILL.md"), "{ran:?}");
    assert!(!ran.err.contains("warning"), "{ran:?}");
    for path in ["config/.env", "deploy.KEY", "id_ed25519", ".env.example"] {
        env.write(format!("tmp/pdf/{path}"), "x");
    }
    let ran = put();
    assert!(ran.err.contains("with 5 files beside its SKILL.md"), "{ran:?}");
    for (path, named) in
        [("config/.env:", true), ("deploy.KEY:", true), ("id_ed25519:", true), (".example:", false)]
    {
        assert_eq!(ran.err.contains(&format!("{path} files of this name")), named, "{ran:?}");
    }
    let there = ["project", "put", "pdf", "--from", &env.text("tmp/pdf"), "--expect", "none"];
    let ran = env.run(&there).ended(2);
    assert!(ran.err.contains("there is a skill of this name already"), "{ran:?}");
}

#[test]
fn no_password_of_a_store_is_shown_from_a_wrong_setting() {
    let env = shop(None);
    let url = "postgres://u:secret@h/d";
    for (settings, code) in [
        (format!("project = \"{url}\""), 0),
        ("project = \"u:secret@h/d\"".to_owned(), 0),
        (format!("author = \"{url}\""), 0),
        (format!("\"{url}\" = \"x\""), 2),
        (format!("[\"{url}\"]"), 2),
    ] {
        env.settings(&format!("[store]\n{settings}\n"));
        for words in [
            &["config"][..],
            &["list"],
            &["check"],
            &["project", "show", "x"],
            &["project", "use", "q", "--dry-run"],
            &["project", "use", "q", "--in", "project", "--dry-run"],
        ] {
            for more in [&[][..], &["--json"]] {
                let ran = env.run(&[words, more].concat());
                let shown = format!("{}{}", ran.out(), ran.err);
                assert!(!shown.contains("secret"), "{settings} {words:?}: {shown}");
            }
        }
        assert_eq!(env.run(&["list"]).code, code, "{settings}");
    }
}

#[test]
fn an_author_has_a_name_of_a_limited_length() {
    let env = shop(None).variable("SKILLPICK_AUTHOR", &"x".repeat(120_000));
    env.raw_skill("tmp/pdf", "name: pdf\ndescription: d", "Text.\n");
    let refused = env.fails(&["project", "put", "pdf", "--from", &env.text("tmp/pdf"), "--json"]);
    assert_eq!(refused["error"]["code"], "invalid", "{refused}");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("SKILLPICK_AUTHOR") && message.len() < 1_000, "{message}");
}
