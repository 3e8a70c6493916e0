//! Undo.

use super::*;

pub(super) fn all() -> Vec<Case> {
    cases![
        undo_takes_back_ones_own_newest_change,
        undo_of_a_first_put_removes_the_skill,
        undo_of_a_delete_brings_the_skill_back,
        undo_goes_back_further_each_time,
        undo_goes_back_to_the_first_of_many_changes,
        undo_does_not_touch_what_others_have_changed,
        undo_of_one_skill_reaches_behind_what_others_have_changed,
        a_restored_version_has_the_metadata_that_it_had_last,
        a_projects_newest_change_is_known,
        undo_without_a_change_is_an_error,
        undo_and_restore_bring_metadata_back,
        undo_does_not_touch_metadata_of_others,
        undo_goes_on_behind_metadata_that_were_not_kept,
    ]
}

fn undo(bench: &mut Bench, author: &str) -> Result<Put, StoreError> {
    let at_ms = bench.now();
    bench.store.undo("shop", None, author, at_ms).map(|(_, put)| put)
}

fn undo_takes_back_ones_own_newest_change(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    bench.put("a", "2").unwrap();
    bench.put_as("bob", "b", "1", Expected::Anything).unwrap();
    let at_ms = bench.now();
    let tried = bench.store.dry_run(|store| store.undo("shop", None, "ann", at_ms));
    let (change, _) = tried.as_ref().unwrap();
    assert_eq!((change.seq, change.name_norm.as_str()), (3, "a"));
    assert_eq!(bench.content("a"), "2", "a dry run changes nothing");
    assert_eq!(bench.store.undo("shop", None, "ann", at_ms), tried);
    assert_eq!((bench.content("a").as_str(), bench.names().len()), ("1", 2));
    let log = bench.store.history("shop", None, 1).unwrap();
    assert_eq!((log[0].action, log[0].undoes), (Action::Undo, Some(3)));
}

fn undo_of_a_first_put_removes_the_skill(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    assert_eq!(undo(bench, "ann").unwrap().version, None);
    assert!(bench.names().is_empty());
}

fn undo_of_a_delete_brings_the_skill_back(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    bench.delete("a").unwrap();
    undo(bench, "ann").unwrap();
    assert_eq!(bench.content("a"), "1");
}

fn undo_goes_back_further_each_time(bench: &mut Bench) {
    for text in ["1", "2", "3"] {
        bench.put("a", text).unwrap();
    }
    for text in ["2", "1"] {
        undo(bench, "ann").unwrap();
        assert_eq!(bench.content("a"), text);
    }
    undo(bench, "ann").unwrap();
    assert!(bench.names().is_empty());
    assert_eq!(undo(bench, "ann"), Err(StoreError::NothingToUndo));
}

fn undo_goes_back_to_the_first_of_many_changes(bench: &mut Bench) {
    for number in 0..120 {
        bench.put("a", &number.to_string()).unwrap();
    }
    for number in (0..119).rev() {
        undo(bench, "ann").unwrap();
        assert_eq!(bench.content("a"), number.to_string());
    }
    undo(bench, "ann").unwrap();
    assert_eq!(undo(bench, "ann"), Err(StoreError::NothingToUndo));
}

fn undo_does_not_touch_what_others_have_changed(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    bench.put_as("bob", "a", "2", Expected::Anything).unwrap();
    let Err(StoreError::Overtaken(found)) = undo(bench, "ann") else { panic!() };
    let Overtaken { change, by } = *found;
    assert_eq!((change.number, change.name_norm.as_str(), by.as_str()), (1, "a", "bob"));
    assert_eq!(bench.content("a"), "2");
}

fn undo_and_restore_bring_metadata_back(bench: &mut Bench) {
    let metadata = |bench: &mut Bench| bench.store.skill("shop", "a").unwrap().metadata;
    with_metadata(bench, Some("{}")).unwrap();
    for number in 1..=3 {
        with_metadata(bench, Some(&format!("{{\"a\":{number}}}"))).unwrap();
    }
    assert!(undo(bench, "ann").unwrap().changed);
    assert_eq!(metadata(bench), "{\"a\":2}");
    assert!(undo(bench, "ann").unwrap().changed);
    assert_eq!(metadata(bench), "{\"a\":1}");
    bench.delete("a").unwrap();
    undo(bench, "ann").unwrap();
    assert_eq!(metadata(bench), "{\"a\":1}");
    bench.delete("a").unwrap();
    bench.restore("a", None).unwrap();
    assert_eq!(metadata(bench), "{\"a\":1}");
    // The restore, and the deletion.
    undo(bench, "ann").unwrap();
    undo(bench, "ann").unwrap();
    undo(bench, "ann").unwrap();
    assert_eq!(metadata(bench), "{}");
    assert_eq!(undo(bench, "ann").unwrap().version, None);
    assert_eq!(undo(bench, "ann"), Err(StoreError::NothingToUndo));
}

fn undo_does_not_touch_metadata_of_others(bench: &mut Bench) {
    with_metadata(bench, Some("{\"a\":1}")).unwrap();
    with_metadata(bench, Some("{\"a\":2}")).unwrap();
    let (at_ms, files) = (bench.now(), Bundle::default());
    let draft = Draft {
        name: "a",
        description: "d",
        content: "x",
        metadata: Some("{\"a\":3}"),
        files: Some(&files),
        author: "bob",
        at_ms,
        expected: Expected::Anything,
    };
    bench.store.put("shop", &draft).unwrap();
    assert!(matches!(undo(bench, "ann"), Err(StoreError::Overtaken(_))));
}

fn undo_of_one_skill_reaches_behind_what_others_have_changed(bench: &mut Bench) {
    bench.put("b", "1").unwrap();
    bench.put("B", "2").unwrap();
    bench.put("a", "1").unwrap();
    bench.put_as("bob", "a", "2", Expected::Anything).unwrap();
    let mut undo_of = |name: &str| {
        let at_ms = bench.now();
        let done = bench.store.undo("shop", Some(name), "ann", at_ms);
        done.map(|(change, put)| (change.name_norm, put.version.is_some()))
    };
    assert!(matches!(undo_of("a"), Err(StoreError::Overtaken(_))));
    assert_eq!(undo_of(" B "), Ok(("b".to_owned(), true)));
    assert_eq!(undo_of("b"), Ok(("b".to_owned(), false)));
    for none in ["b", "c", "\0"] {
        assert_eq!(undo_of(none), Err(StoreError::NothingToUndo), "{none:?}");
    }
}

fn a_restored_version_has_the_metadata_that_it_had_last(bench: &mut Bench) {
    let metadata = |bench: &mut Bench| bench.store.skill("shop", "a").unwrap().metadata;
    with_metadata(bench, Some("{\"a\":1}")).unwrap();
    with_metadata(bench, Some("{\"a\":2}")).unwrap();
    let with = bench.version("a");
    bench.put("a", "other").unwrap();
    let other = bench.version("a");
    let (at_ms, files) = (bench.now(), Bundle::default());
    let content = bench.store.version(&other).unwrap().content;
    let draft = Draft {
        name: "a",
        description: "d",
        content: &content,
        metadata: Some("{\"a\":3}"),
        files: Some(&files),
        author: "ann",
        at_ms,
        expected: Expected::Anything,
    };
    bench.store.put("shop", &draft).unwrap();
    bench.restore("a", Some(&with)).unwrap();
    assert_eq!(metadata(bench), "{\"a\":2}");
    bench.restore("a", Some(&other)).unwrap();
    assert_eq!(metadata(bench), "{\"a\":3}");
}

fn a_projects_newest_change_is_known(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    let project = |bench: &mut Bench| bench.store.project("shop").unwrap();
    let before = project(bench);
    bench.put("a", "2").unwrap();
    let now = project(bench);
    assert!(before.newest != now.newest && now.newest.contains(&bench.version("a")));
    assert_eq!(project(bench), now);
    bench.delete("a").unwrap();
    assert!(project(bench).newest.contains(" - a "));
}

fn undo_goes_on_behind_metadata_that_were_not_kept(bench: &mut Bench) {
    with_metadata(bench, Some("{\"a\":1}")).unwrap();
    with_metadata(bench, Some("{\"a\":2}")).unwrap();
    // As an older program leaves it.
    let old = |connection: &mut dyn Connection| {
        connection.run("DELETE FROM project_skills WHERE deleted_ms IS NOT NULL", &[])
    };
    bench.store.write(old).unwrap();
    assert!(!undo(bench, "ann").unwrap().changed);
    assert_eq!(undo(bench, "ann").unwrap().version, None);
}

fn undo_without_a_change_is_an_error(bench: &mut Bench) {
    bench.put("a", "1").unwrap();
    assert_eq!(undo(bench, "bob"), Err(StoreError::NothingToUndo));
}
