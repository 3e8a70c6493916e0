//! Projects, and what changes the count of one.

use super::*;

pub(super) fn all() -> Vec<Case> {
    cases![
        a_new_project_is_empty,
        a_project_is_there_once,
        a_project_has_a_plain_name,
        projects_are_listed_by_name_with_their_precedence,
        an_unknown_project_is_an_error_everywhere,
        a_removed_project_had_no_skills_and_leaves_its_log,
        a_project_made_again_is_another_one,
        two_projects_do_not_see_each_other,
        every_change_raises_the_projects_count,
    ]
}

fn a_new_project_is_empty(bench: &mut Bench) {
    let (project, skills) = bench.store.skills("shop").unwrap();
    assert_eq!((project.name.as_str(), project.revision, project.skills), ("shop", 1, 0));
    assert!(skills.is_empty());
}

fn a_project_is_there_once(bench: &mut Bench) {
    let new = NewProject { name: "shop", precedence: Precedence::Under, author: "b", at_ms: 1 };
    assert_eq!(bench.store.create_project(&new), Err(StoreError::ProjectExists));
    assert_eq!(bench.store.project("shop").unwrap().precedence, Precedence::Over);
}

fn a_project_has_a_plain_name(bench: &mut Bench) {
    for name in ["", "a b", "a/b", "ü", "a\n", &"x".repeat(65)] {
        let new = NewProject { name, precedence: Precedence::Over, author: "b", at_ms: 1 };
        assert_eq!(bench.store.create_project(&new), Err(StoreError::ProjectName), "{name:?}");
    }
}

fn projects_are_listed_by_name_with_their_precedence(bench: &mut Bench) {
    for (name, precedence) in [("b", Precedence::Under), ("Z", Precedence::Error)] {
        let new = NewProject { name, precedence, author: "bob", at_ms: 7 };
        bench.store.create_project(&new).unwrap();
    }
    bench.put("a", "x").unwrap();
    let all = bench.store.projects().unwrap();
    let seen: Vec<_> =
        all.iter().map(|it| (it.name.as_str(), it.precedence.word(), it.skills)).collect();
    assert_eq!(seen, [("Z", "error", 0), ("b", "under", 0), ("shop", "over", 1)]);
    assert_eq!((all[0].created_by.as_str(), all[0].created_ms), ("bob", 7));
}

fn an_unknown_project_is_an_error_everywhere(bench: &mut Bench) {
    let store = &mut bench.store;
    let missing = StoreError::NoProject;
    assert_eq!(store.project("x").err(), Some(missing.clone()));
    assert_eq!(store.skills("x").err(), Some(missing.clone()));
    assert_eq!(store.skill("x", "a").err(), Some(missing.clone()));
    assert_eq!(store.history("x", None, 9).err(), Some(missing.clone()));
    assert_eq!(store.undo("x", None, "ann", 1).err(), Some(missing.clone()));
    assert_eq!(store.remove_project("x", "ann", 1).err(), Some(missing.clone()));
    assert_eq!(store.restore("x", "a", None, "ann", 1).err(), Some(missing.clone()));
    assert_eq!(store.delete("x", "a", "ann", 1, Expected::Anything).err(), Some(missing));
}

fn a_removed_project_had_no_skills_and_leaves_its_log(bench: &mut Bench) {
    bench.put("a", "x").unwrap();
    let version = bench.store.skill("shop", "a").unwrap().version;
    let refused = bench.store.remove_project("shop", "bob", 9);
    assert_eq!(refused, Err(StoreError::ProjectHasSkills));
    bench.store.delete("shop", "a", "ann", 8, Expected::Anything).unwrap();
    bench.store.remove_project("shop", "bob", 9).unwrap();
    assert_eq!(bench.store.project("shop").err(), Some(StoreError::NoProject));
    let (skills, log) = bench
        .store
        .read(|connection| {
            let count = |rows: Vec<database::Row>| rows.len();
            let skills = connection.rows("SELECT name FROM project_skills", &[])?;
            let log = connection.rows("SELECT seq FROM changes", &[])?;
            Ok((count(skills), count(log)))
        })
        .unwrap();
    assert_eq!((skills, log), (0, 4), "created, put, deleted, removed");
    assert_eq!(bench.store.version(&version).unwrap().content, "x");
}

fn a_project_made_again_is_another_one(bench: &mut Bench) {
    bench.put("a", "x").unwrap();
    let before = bench.store.project("shop").unwrap();
    bench.store.delete("shop", "a", "ann", 8, Expected::Anything).unwrap();
    bench.store.remove_project("shop", "ann", 9).unwrap();
    bench.create("shop");
    let after = bench.store.project("shop").unwrap();
    assert!(before.id != after.id && after.skills == 0);
    assert_eq!(bench.restore("a", None), Err(StoreError::NoSkill));
}

fn two_projects_do_not_see_each_other(bench: &mut Bench) {
    bench.create("other");
    let put = bench.put("a", "x").unwrap();
    assert!(bench.store.skills("other").unwrap().1.is_empty());
    assert_eq!(bench.store.skill("other", "a").err(), Some(StoreError::NoSkill));
    let version = put.version.unwrap();
    assert_eq!(
        bench.store.restore("other", "a", Some(&version), "ann", 1),
        Err(StoreError::NoVersion)
    );
    assert_eq!(bench.store.history("other", None, 9).unwrap().len(), 1);
}

fn every_change_raises_the_projects_count(bench: &mut Bench) {
    let mut last = bench.store.project("shop").unwrap().revision;
    let mut raised = |bench: &mut Bench| {
        let now = bench.store.project("shop").unwrap().revision;
        let by = now - last;
        last = now;
        by
    };
    bench.put("a", "1").unwrap();
    assert_eq!(raised(bench), 1);
    bench.put("a", "1").unwrap();
    assert_eq!(raised(bench), 0);
    bench.delete("a").unwrap();
    bench.restore("a", None).unwrap();
    assert_eq!(raised(bench), 2);
    bench.delete("none").unwrap_err();
    assert_eq!(raised(bench), 0);
}
