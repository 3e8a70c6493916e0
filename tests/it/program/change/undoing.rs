//! `undo` and `history`.

use super::*;

#[test]
fn undo_reverts_one_change_after_the_other() {
    let env = TestEnv::furnished();
    env.run(&["disable", "pdf-forms", "release-notes"]).ended(0);
    env.run(&["permit", "deny", "pdf-*"]).ended(0);
    assert!(
        env.run(&["undo"]).ended(0).err.starts_with("skillpick: undone: deny pdf-* (change 2): ")
    );
    assert!(!verdict(&env, "release-notes").0);
    let undone = env.json("undo", &["undo", "--json"]);
    let file = env.text(CONFIG);
    assert_eq!(
        undone,
        json!({
            "version": 1,
            "number": 1,
            "label": "pdf-forms, release-notes off",
            "files": [file],
            "left": []
        })
    );
    assert!(!env.at(CONFIG).exists(), "the file was not there before");
    assert_eq!(env.run(&["undo"]).ended(1).err, "skillpick: there is nothing to undo\n");
}

#[test]
fn undo_leaves_a_file_that_someone_else_changed() {
    let env = TestEnv::furnished();
    env.run(&["disable", "pdf-forms"]).ended(0);
    let theirs = env.read(CONFIG) + "# theirs\n";
    env.write(CONFIG, &theirs);
    let ran = env.run(&["undo"]).ended(1);
    assert!(ran.err.contains("config.toml: the file was changed since"), "{ran:?}");
    assert_eq!(env.read(CONFIG), theirs);
}

#[test]
fn undo_of_a_change_that_was_undone_by_hand_undoes_no_other_one() {
    let env = TestEnv::furnished();
    let project = "repo/.skillpick.toml";
    env.run(&["permit", "deny", "pdf-forms"]).ended(0);
    env.run(&["disable", "pdf-forms", "--in", "project"]).ended(0);
    std::fs::remove_file(env.at(project)).unwrap();
    let ran = env.run(&["undo"]).ended(1);
    assert!(
        ran.err.contains("not undone: pdf-forms off: ")
            && ran.err.contains("nothing of it is left to undo")
            && ran.err.contains("undo the change before it (deny pdf-forms): skillpick undo"),
        "{ran:?}"
    );
    assert!(env.read(CONFIG).contains("permissions.deny"), "it was not asked for");
    let ran = env.run(&["undo"]).ended(0);
    assert!(ran.err.contains("undone: deny pdf-forms (change 1): "), "{ran:?}");
}

#[test]
fn a_hand_edited_file_does_not_block_undo_of_another_file() {
    let env = TestEnv::furnished();
    let project = "repo/.skillpick.toml";
    env.run(&["disable", "pdf-forms", "--in", "project"]).ended(0);
    env.run(&["disable", "release-notes"]).ended(0);
    let theirs = env.read(CONFIG) + "# theirs\n";
    env.write(CONFIG, &theirs);
    let ran = env.run(&["undo"]).ended(1);
    assert!(
        ran.err.contains("not undone: release-notes off: ")
            && ran.err.contains("undo the change before it (pdf-forms off): skillpick undo"),
        "{ran:?}"
    );
    assert!(env.at(project).exists(), "another change than the last was not asked for");
    let ran = env.run(&["undo"]).ended(0);
    assert!(
        ran.err.contains("not undone: release-notes off: ")
            && ran.err.contains("undone: pdf-forms off (change 1): "),
        "{ran:?}"
    );
    assert!(!env.at(project).exists());
    assert_eq!(env.read(CONFIG), theirs);
}

#[test]
fn undo_works_where_the_settings_are_broken() {
    let env = TestEnv::furnished();
    env.run(&["disable", "pdf-forms"]).ended(0);
    env.write("repo/.skillpick.toml", "nonsense");
    env.run(&["undo"]).ended(0);
}

#[test]
fn any_change_is_listed_undone_and_made_again() {
    let env = TestEnv::of("agents");
    for name in ["one", "two"] {
        env.skill("home/.agents/skills", name, "d");
        env.run(&["disable", name, "--host", "agents", "--in", "user"]).ended(0);
    }
    let config = "home/.config/skillpick/config.toml";
    let whole = env.read(config);
    let listed = || env.json("undo-list", &["undo", "--list", "--json"])["changes"].clone();
    let changes = listed();
    assert_eq!((&changes[0]["number"], &changes[0]["label"]), (&json!(2), &json!("two off")));
    assert_eq!(changes[1]["undone"], json!(false));
    // The newer one has changed the same file.
    let refused = env.run(&["undo", "1"]).ended(1);
    let cure = "a newer change to the same file is not undone\n  \
                to undo that first: skillpick undo 2\n";
    assert!(refused.err.ends_with(cure), "{refused:?}");
    assert_eq!(env.read(config), whole);
    env.run(&["undo", "2"]).ended(0);
    env.run(&["undo"]).ended(0);
    assert!(listed().as_array().unwrap().iter().all(|change| change["undone"] == true));
    let text = env.run(&["undo", "--list"]).ended(0);
    assert!(text.out().contains("one off (undone)"), "{}", text.out());
    let redone = env.json("undo", &["redo", "--json"]);
    assert_eq!(redone["label"], "one off");
    env.run(&["redo", "2"]).ended(0);
    assert_eq!(env.read(config), whole);
    for (arguments, said) in [
        (&["redo"][..], "nothing to redo"),
        (&["redo", "2"], "was not undone"),
        (&["undo", "77"], "no change 77"),
    ] {
        let ran = env.run(arguments).ended(1);
        assert!(ran.err.contains(said), "{ran:?}");
    }
}

#[test]
fn undo_takes_the_folders_along_that_a_change_made() {
    let env = TestEnv::new();
    env.skill("repo/.kodelet/skills", "k1", "d");
    env.skill("repo/.agents/skills", "pdf", "d");
    env.run(&["disable", "k1", "--host", "kodelet", "--in", "user"]).ended(0);
    assert!(env.at("home/.kodelet/config.yaml").is_file());
    env.run(&["undo"]).ended(0);
    assert!(!env.at("home/.kodelet").exists());
    env.run(&["redo"]).ended(0);
    assert!(env.at("home/.kodelet/config.yaml").is_file());
    env.run(&["undo"]).ended(0);
    assert!(!env.at("home/.kodelet").exists());
    // A share too.
    env.run(&["share", "pdf", "--to", "claude"]).ended(0);
    assert!(env.at("repo/.claude/skills/pdf").exists());
    env.run(&["undo"]).ended(0);
    assert!(!env.at("repo/.claude").exists());
}
