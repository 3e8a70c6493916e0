//! Undo and redo that are interrupted, refused or made by two processes at once.

use super::*;

#[test]
fn a_redo_that_is_killed_halfway_is_the_change_that_the_next_undo_takes_back() {
    let test = TestJournal::new();
    test.make("older", &["b"]);
    test.make("killed", &["a", "b", "new/deep/c"]);
    test.undone();
    let undone = test.journal.entries().unwrap()[1].clone();
    let change = entry::load(&test.journal.folder.join(&undone.0)).unwrap();
    // What the killed process did until then.
    test.journal.begin(&undone, &change).unwrap();
    for name in ["a", "new/deep/c"] {
        replace(&test.path(name), None, b"killed", NewFile::Plain).unwrap();
    }
    assert!(test.listed().iter().all(|(_, _, undone)| !undone));
    assert_eq!(test.undone(), "killed");
    assert_eq!((test.text("a"), test.text("b").as_deref()), (None, Some("older")));
    assert!(!test.path("new").exists(), "nor are the folders left");
    assert_eq!(test.redo().unwrap().change.label, "killed");
    test.undone();
    // Killed before it wrote anything: nothing is left to undo, and it can still be made again.
    let undone = test.journal.entries().unwrap()[1].clone();
    test.journal.begin(&undone, &change).unwrap();
    assert_eq!(test.refused(), (Why::Gone { path: test.path("a") }, Some("older".to_owned())));
    assert_eq!(test.redo().unwrap().change.label, "killed");
    assert_eq!(test.text("new/deep/c").as_deref(), Some("killed"));
}

#[test]
fn a_change_is_no_longer_undone_while_it_is_made_again_and_a_refused_one_still_is() {
    let test = TestJournal::new();
    test.make("older", &["a"]);
    let (change, share) = shared();
    test.save(&change);
    test.journal.undo(&[], |_| Ok(true)).unwrap();
    let before = test.journal.entries().unwrap();
    let why = Why::Share { path: share.place, why: "no".to_owned(), failed: false };
    let refused = test.journal.redo(|_| {
        assert_eq!(test.listed()[0], (2, change.label.clone(), false));
        Err(why.clone())
    });
    let left = Left { label: Some(change.label.clone()), why: why.clone() };
    assert_eq!(refused, Err(UndoError::Left { left, next: None }));
    assert_eq!(test.journal.entries().unwrap(), before);
    // Of a redo that fails, no folder is left either.
    test.make("made", &["new/a", "b"]);
    test.undone();
    fs::create_dir(test.path("b")).unwrap();
    test.redo().unwrap_err();
    assert!(!test.path("new").exists());
}

#[test]
fn why_a_change_that_is_undone_in_part_cannot_be_undone_is_said() {
    let test = TestJournal::new();
    test.make("one", &["a", "b"]);
    test.undone();
    fs::write(test.path("b"), "theirs").unwrap();
    assert_eq!(test.apply(1, Direction::Undo), Err(UndoError::UndoneAlready(1)));
    fs::write(test.path("a"), "one").unwrap();
    let why = Why::Changed { path: test.path("b") };
    let left = Left { label: Some("one".to_owned()), why };
    assert_eq!(test.apply(1, Direction::Undo), Err(UndoError::Left { left, next: None }));
}

#[test]
fn two_processes_that_redo_at_once_make_two_changes_again() {
    let test = TestJournal::new();
    test.make("one", &["a"]);
    test.make("two", &["b"]);
    assert_eq!([test.undone(), test.undone()], ["two", "one"]);
    let held = Lock::beside(&test.path("state/skillpick/undo")).unwrap();
    std::thread::scope(|scope| {
        let redo = || test.redo().map(|done| done.change.label);
        let both = [scope.spawn(redo), scope.spawn(redo)];
        std::thread::sleep(std::time::Duration::from_millis(200));
        drop(held);
        let mut both = both.map(|one| one.join().unwrap().unwrap());
        both.sort();
        assert_eq!(both, ["one", "two"]);
    });
}

#[cfg(unix)]
#[test]
fn a_file_that_is_made_again_is_as_private_as_it_was() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestJournal::new();
    test.make("one", &["a", "b"]);
    let mode = |name: &str| fs::metadata(test.path(name)).unwrap().permissions().mode() & 0o777;
    let plain = mode("b");
    fs::set_permissions(test.path("a"), fs::Permissions::from_mode(0o600)).unwrap();
    test.undone();
    test.redo().unwrap();
    assert_eq!((mode("a"), mode("b")), (0o600, plain));
}

#[test]
fn what_a_killed_process_left_goes_with_an_undo() {
    let test = TestJournal::new();
    test.make("one", &["a"]);
    fs::write(test.path(".skillpick-abcdefghijkl.tmp"), "one").unwrap();
    test.undone();
    assert!(!test.path(".skillpick-abcdefghijkl.tmp").exists());
    test.redo().unwrap();
    test.make("two", &["a"]);
    fs::write(test.path("a"), "one").unwrap();
    fs::write(test.path(".skillpick-abcdefghijkl.tmp"), "two").unwrap();
    test.refused();
    assert!(!test.path(".skillpick-abcdefghijkl.tmp").exists());
}
