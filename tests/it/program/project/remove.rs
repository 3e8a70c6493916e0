//! `project remove`.

use super::{put, stores};

#[test]
fn a_project_without_skills_is_removed_and_its_name_is_free() {
    for env in stores() {
        env.run(&["project", "create", "shpo"]).ended(0);
        assert!(
            env.run(&["project", "remove", "shpo", "--dry-run"]).ended(0).err.contains("would")
        );
        assert!(env.run(&["project", "list"]).ended(0).out().contains("shpo"), "nothing was done");
        let change = env.json("project", &["project", "remove", "shpo", "--json"]);
        assert_eq!((&change["action"], &change["done"]), (&"remove".into(), &true.into()));
        assert!(!env.run(&["project", "list"]).ended(0).out().contains("shpo"));
        let ran = env.run(&["project", "remove", "shpo"]).ended(1);
        assert!(ran.err.contains("there is no project of this name"), "{ran:?}");
        env.run(&["project", "create", "shpo"]).ended(0);
    }
}

#[test]
fn what_was_stored_is_not_removed_unasked() {
    for env in stores() {
        put(&env, "pdf", "Team text.\n");
        for options in [&["--yes"][..], &["--dry-run", "--yes"], &[]] {
            let ran = env.run(&[&["project", "remove", "shop"], options].concat()).ended(2);
            assert!(ran.err.contains("the project has skills; delete them first"), "{ran:?}");
        }
        env.run(&["project", "delete", "pdf"]).ended(0);
        let ran = env.run(&["project", "remove", "shop"]).ended(2);
        assert!(ran.err.contains("cannot be restored") && ran.err.contains("--yes"), "{ran:?}");
        env.run(&["project", "restore", "pdf"]).ended(0);
        env.run(&["project", "delete", "pdf"]).ended(0);
        env.run(&["project", "remove", "shop", "--yes"]).ended(0);
        let ran = env.run(&["project", "restore", "pdf"]).ended(1);
        assert!(ran.err.contains("there is no project of this name"), "{ran:?}");
    }
}
