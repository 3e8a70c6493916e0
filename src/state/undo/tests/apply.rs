//! Any change taken back and made again.

use super::*;
use crate::test_env::random::Random;

mod interrupted;

impl TestJournal {
    fn apply(&self, number: u64, direction: Direction) -> Result<Undone, UndoError> {
        self.journal.apply(number, direction, |_| Ok(false))
    }

    fn redo(&self) -> Result<Undone, UndoError> {
        self.journal.redo(|_| Ok(false))
    }

    /// Number, label, and whether it is undone; the newest first.
    fn listed(&self) -> Vec<(u64, String, bool)> {
        let kept = self.journal.list().unwrap().into_iter();
        kept.map(|kept| (kept.number, kept.change.unwrap().label, kept.undone)).collect()
    }
}

#[test]
fn what_was_undone_is_made_again_the_last_one_first() {
    let test = TestJournal::new();
    assert_eq!(test.redo(), Err(UndoError::NothingUndone));
    for label in ["one", "two", "three"] {
        test.make(label, &["a", label]);
    }
    assert_eq!([test.undone(), test.undone()], ["three", "two"]);
    let row = |number, label: &str, undone| (number, label.to_owned(), undone);
    assert_eq!(test.listed(), [row(3, "three", true), row(2, "two", true), row(1, "one", false)]);
    assert_eq!(test.redo().unwrap().change.label, "two");
    assert_eq!(
        [test.text("a"), test.text("two"), test.text("three")],
        [Some("two".to_owned()), Some("two".to_owned()), None]
    );
    assert_eq!(test.redo().unwrap().change.label, "three");
    assert_eq!(test.redo(), Err(UndoError::NothingUndone));
    // A new change stands in the direction of what it has overwritten, and of nothing else.
    test.undone();
    test.make("four", &["a"]);
    let left = |label: &str, why| {
        Err(UndoError::Left { left: Left { label: Some(label.to_owned()), why }, next: None })
    };
    let newer = Why::Newer { path: test.path("a") };
    assert_eq!(test.redo(), left("three", newer));
    assert_eq!(test.text("a").as_deref(), Some("four"));
    assert_eq!([test.undone(), test.undone(), test.undone()], ["four", "two", "one"]);
    assert_eq!((test.text("a"), test.undo()), (None, Err(UndoError::Nothing)));
}

#[test]
fn what_was_made_again_last_is_undone_first_and_keeps_its_number() {
    let test = TestJournal::new();
    test.make("one", &["a"]);
    test.make("two", &["b"]);
    assert_eq!([test.undone(), test.undone()], ["two", "one"]);
    test.make("three", &["c"]);
    assert_eq!(test.redo().unwrap().change.label, "one");
    assert_eq!(test.redo().unwrap().change.label, "two");
    let row = |number, label: &str| (number, label.to_owned(), false);
    assert_eq!(test.listed(), [row(2, "two"), row(1, "one"), row(3, "three")]);
    test.make("four", &["d"]);
    assert_eq!(test.listed()[0], row(4, "four"));
    // One that could not be undone once keeps its place.
    fs::write(test.path("d"), "theirs").unwrap();
    test.refused();
    fs::write(test.path("b"), "theirs").unwrap();
    test.refused();
    fs::write(test.path("b"), "two").unwrap();
    assert_eq!([test.undone(), test.undone(), test.undone()], ["two", "one", "three"]);
}

#[test]
fn any_change_is_taken_back_that_nothing_newer_stands_on() {
    let test = TestJournal::new();
    test.make("one", &["a"]);
    test.make("two", &["b"]);
    test.make("three", &["a"]);
    let newer = Why::Newer { path: test.path("a") };
    let refused = test.apply(1, Direction::Undo);
    let left = Left { label: Some("one".to_owned()), why: newer };
    assert_eq!(refused, Err(UndoError::Left { left, next: None }));
    assert_eq!(test.apply(2, Direction::Undo).unwrap().change.label, "two");
    assert_eq!((test.text("a").as_deref(), test.text("b")), (Some("three"), None));
    assert_eq!(test.apply(2, Direction::Undo), Err(UndoError::UndoneAlready(2)));
    assert_eq!(test.apply(3, Direction::Redo), Err(UndoError::NotUndone(3)));
    assert_eq!(test.apply(9, Direction::Undo), Err(UndoError::NoChange(9)));
    assert_eq!(test.apply(2, Direction::Redo).unwrap().change.label, "two");
    assert_eq!(test.text("b").as_deref(), Some("two"));
    // Somebody else has changed it: nothing is lost.
    fs::write(test.path("b"), "theirs").unwrap();
    let why = Why::Changed { path: test.path("b") };
    let left = Left { label: Some("two".to_owned()), why };
    assert_eq!(test.apply(2, Direction::Undo), Err(UndoError::Left { left, next: None }));
    assert_eq!(test.text("b").as_deref(), Some("theirs"));
}

#[test]
fn of_a_change_that_was_undone_by_hand_nothing_is_left_and_it_can_be_redone() {
    let test = TestJournal::new();
    test.make("one", &["a"]);
    fs::remove_file(test.path("a")).unwrap();
    let left = Left { label: Some("one".to_owned()), why: Why::Gone { path: test.path("a") } };
    assert_eq!(test.apply(1, Direction::Undo), Err(UndoError::Left { left, next: None }));
    assert_eq!(test.apply(1, Direction::Undo), Err(UndoError::UndoneAlready(1)));
    assert_eq!(test.apply(1, Direction::Redo).unwrap().change.label, "one");
    assert_eq!(test.text("a").as_deref(), Some("one"));
}

#[test]
fn the_bytes_tell_what_the_name_of_an_entry_does_not() {
    let test = TestJournal::new();
    test.make("one", &["a"]);
    test.apply(1, Direction::Undo).unwrap();
    // Killed after the file was written again, before the entry got its name.
    fs::write(test.path("a"), "one").unwrap();
    assert_eq!(test.apply(1, Direction::Undo).unwrap().change.label, "one");
    assert_eq!(test.text("a"), None);
    fs::write(test.path("a"), "one").unwrap();
    let left = Left { label: Some("one".to_owned()), why: Why::Made { path: test.path("a") } };
    assert_eq!(test.redo(), Err(UndoError::Left { left, next: None }), "nothing was done");
    assert_eq!(test.undone(), "one");
}

#[test]
fn a_redo_with_nothing_left_to_do_leaves_the_order_alone() {
    let test = TestJournal::new();
    test.make("one", &["a"]);
    test.undone();
    test.make("two", &["b"]);
    fs::write(test.path("a"), "one").unwrap();
    let left = Left { label: Some("one".to_owned()), why: Why::Made { path: test.path("a") } };
    assert_eq!(test.redo(), Err(UndoError::Left { left, next: None }));
    let row = |number, label: &str| (number, label.to_owned(), false);
    assert_eq!(test.listed(), [row(2, "two"), row(1, "one")]);
    assert_eq!([test.undone(), test.undone()], ["two", "one"]);
}

#[test]
fn what_a_newer_change_of_ours_has_done_was_not_done_by_hand() {
    let test = TestJournal::new();
    let (change, share) = shared();
    let unshared = ShareChange { back: true, ..share.clone() };
    let back = Change { share: Some(unshared), ..change.clone() };
    test.save(&change);
    test.save(&back);
    let left = Left { label: Some(change.label.clone()), why: Why::Newer { path: share.place } };
    let newer = Err(UndoError::Left { left, next: None });
    assert_eq!(test.apply(1, Direction::Undo), newer);
    assert!(test.listed().iter().all(|(_, _, undone)| !undone));
    assert_eq!(test.redo(), Err(UndoError::NothingUndone));
    // The other way round: it was undone, and a newer change of ours has made it again.
    let test = TestJournal::new();
    test.save(&change);
    test.journal.undo(&[], |_| Ok(true)).unwrap();
    test.save(&change);
    assert_eq!(test.redo(), newer);
    assert_eq!(
        test.listed().iter().map(|(_, _, undone)| *undone).collect::<Vec<_>>(),
        [false, true]
    );
}

#[test]
fn what_another_process_has_changed_after_an_own_change_was_not_changed_by_hand() {
    for is_taken_back in [false, true] {
        let test = TestJournal::new();
        fs::write(test.path("a"), "old").unwrap();
        let own = test.make("own", &["a"]).number().unwrap();
        let mut theirs = test.plan("theirs", &["a"]);
        if is_taken_back {
            theirs.files[0].after = b"old".to_vec();
        }
        test.save(&theirs);
        fs::write(test.path("a"), &theirs.files[0].after).unwrap();
        let left = Left { label: Some("own".to_owned()), why: Why::Newer { path: test.path("a") } };
        // However often it is asked for: no other change is taken back in its place.
        for _ in 0..2 {
            let undone = test.journal.undo(&[own], |_| Ok(false));
            assert_eq!(undone, Err(UndoError::Left { left: left.clone(), next: None }));
            assert_eq!(fs::read(test.path("a")).unwrap(), theirs.files[0].after);
            assert!(test.listed().iter().all(|(_, _, undone)| !undone));
        }
        test.apply(own + 1, Direction::Undo).unwrap();
        assert_eq!(test.undone(), "own");
    }
}

#[test]
fn a_change_is_made_again_only_after_the_older_one_of_its_file() {
    let test = TestJournal::new();
    fs::write(test.path("a"), "old").unwrap();
    test.make("one", &["a"]);
    test.make("two", &["a"]);
    test.undo().unwrap();
    test.undo().unwrap();
    let left = Left { label: Some("two".to_owned()), why: Why::Older { path: test.path("a") } };
    assert_eq!(test.apply(2, Direction::Redo), Err(UndoError::Left { left, next: None }));
    test.apply(1, Direction::Redo).unwrap();
    test.apply(2, Direction::Redo).unwrap();
    assert_eq!(test.text("a").as_deref(), Some("two"));
}

#[cfg(unix)]
#[test]
fn files_and_names_are_made_again_together_or_not_at_all() {
    let test = TestJournal::new();
    let (change, [from, to]) = test.renamed();
    test.save(&change);
    fs::write(&from, "new").unwrap();
    change.moves[0].make().unwrap();
    test.undo().unwrap();
    // Something else has the new name.
    fs::write(&to, "theirs").unwrap();
    assert!(matches!(test.redo(), Err(UndoError::Left { .. })));
    assert_eq!(
        (fs::read(&from).unwrap(), fs::read(&to).unwrap()),
        (b"old".to_vec(), b"theirs".to_vec())
    );
    fs::remove_file(&to).unwrap();
    test.redo().unwrap();
    assert_eq!((fs::read(&to).unwrap(), from.exists()), (b"new".to_vec(), false));
    assert_eq!(test.undone(), "mended");
    assert_eq!((fs::read(&from).unwrap(), to.exists()), (b"old".to_vec(), false));
}

#[test]
fn a_share_is_made_again_by_taking_back_that_it_was_taken_back() {
    let test = TestJournal::new();
    let (change, _) = shared();
    test.save(&change);
    test.journal.undo(&[], |given| Ok(!given.back)).unwrap();
    assert_eq!(test.journal.redo(|given| Ok(given.back)).unwrap().change, change);
}

/// Whatever is done in whatever order, no byte is lost: a change is taken back or made again where
/// its files are as it left them, and refused otherwise.
#[test]
fn in_any_order_a_change_is_undone_or_redone_exactly_where_its_files_allow_it() {
    for seed in 0..40 {
        let mut random = Random::new(seed + 1);
        let test = TestJournal::new();
        let mut made: Vec<(Change, bool)> = Vec::new();
        for step in 0..KEPT as u64 * 2 {
            let now = |name: &Path| fs::read(name).ok();
            if made.len() < KEPT && (made.is_empty() || random.below(3) == 0) {
                let names: Vec<&str> =
                    ["a", "b", "c"].into_iter().filter(|_| random.below(2) == 0).collect();
                let names = if names.is_empty() { vec!["a"] } else { names };
                let label = format!("{step}");
                made.push((test.plan(&label, &names), false));
                test.make(&label, &names);
                continue;
            }
            let at = random.below(made.len());
            let (change, undone) = &mut made[at];
            let direction = if random.below(2) == 0 { Direction::Undo } else { Direction::Redo };
            let wants = (direction == Direction::Redo) == *undone;
            let (mut fits, mut left) = (true, false);
            for file in &change.files {
                let after = Some(file.after.clone());
                let (from, to) = match direction {
                    Direction::Undo => (after, file.before.clone()),
                    Direction::Redo => (file.before.clone(), after),
                };
                let present = now(&file.path);
                fits &= present == from || present == to;
                left |= present != to;
            }
            let all = ["a", "b", "c"].map(|name| test.text(name));
            let number = at as u64 + 1;
            let applied = test.apply(number, direction);
            // Done by hand: it counts as done, and the answer says so.
            let gone = fits && wants && !left;
            let told = |error: &UndoError| matches!(error, UndoError::Left { left, .. } if matches!(left.why, Why::Gone { .. } | Why::Made { .. }));
            assert_eq!(applied.as_ref().is_err_and(told), gone, "{seed} {step}: {applied:?}");
            if gone {
                *undone = direction == Direction::Undo;
            }
            let is_done = fits && (wants || left) && !gone;
            assert_eq!(applied.is_ok(), is_done, "{seed} {step}: {applied:?}");
            if applied.is_err() {
                assert_eq!(all, ["a", "b", "c"].map(|name| test.text(name)), "{seed} {step}");
                continue;
            }
            *undone = direction == Direction::Undo;
            for file in &change.files {
                let wanted = match direction {
                    Direction::Undo => file.before.clone(),
                    Direction::Redo => Some(file.after.clone()),
                };
                assert_eq!(now(&file.path), wanted, "{seed} {step}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn no_folder_goes_to_which_a_link_of_another_change_leads() {
    use std::os::unix::fs::symlink;
    let test = TestJournal::new();
    let change = |files, moves, share| Change { label: "it".into(), at_ms: 7, files, moves, share };
    let [alpha, beta, link] = ["skills/alpha", "skills/beta", "claude/it"].map(|at| test.path(at));
    fs::create_dir_all(test.path("claude")).unwrap();
    // 1 makes a skill, and 2 gives it another name.
    let file = FileChange { path: alpha.join("SKILL.md"), before: None, after: b"one".to_vec() };
    test.save(&change(vec![file], Vec::new(), None));
    fs::create_dir_all(&alpha).unwrap();
    fs::write(alpha.join("SKILL.md"), "one").unwrap();
    let renamed = Move::Renamed { from: alpha.clone(), to: beta.clone() };
    renamed.make().unwrap();
    test.save(&change(Vec::new(), vec![renamed], None));
    let shared = |source: &Path, back| {
        let (place, host) = (link.clone(), "claude".to_owned());
        let share =
            ShareChange { place, source: source.to_owned(), host, copy: false, back, kept: None };
        test.save(&change(Vec::new(), Vec::new(), Some(share)));
        let _ = fs::remove_file(&link);
        symlink(source, &link).unwrap();
    };
    let left = Left { label: Some("it".to_owned()), why: Why::Linked { path: link.clone() } };
    let refused = || Err(UndoError::Left { left: left.clone(), next: None });
    shared(&beta, false);
    assert_eq!(test.apply(2, Direction::Undo), refused());
    assert!(beta.is_dir() && link.is_dir());
    fs::remove_file(&link).unwrap();
    test.apply(2, Direction::Undo).unwrap();
    // A link that a removal had taken away, and that is there again.
    shared(&alpha, true);
    test.apply(4, Direction::Undo).unwrap_err();
    assert_eq!(test.apply(2, Direction::Redo), refused());
    assert_eq!(test.apply(1, Direction::Undo), refused());
    fs::remove_file(&link).unwrap();
    test.apply(2, Direction::Redo).unwrap();
    test.apply(2, Direction::Undo).unwrap();
    // A folder in which a file is made is not all that is below it.
    fs::create_dir_all(test.path("claude/skills/own")).unwrap();
    test.make("settings", &["claude/settings"]);
    shared(&test.path("claude/skills/own"), false);
    assert_eq!(test.apply(5, Direction::Undo).unwrap().change.label, "settings");
    fs::remove_file(&link).unwrap();
    test.apply(1, Direction::Undo).unwrap();
    assert!(!alpha.exists());
}

#[cfg(unix)]
#[test]
fn a_link_that_has_taken_the_place_of_a_folder_is_not_renamed_in_its_stead() {
    let test = TestJournal::new();
    let [one, two, kept] = ["a/one", "a/two", "b/one"].map(|at| test.path(at));
    for folder in [&one, &kept] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("SKILL.md"), "old").unwrap();
    }
    let (before, after) = (Some(b"old".to_vec()), b"new".to_vec());
    let file = FileChange { path: one.join("SKILL.md"), before, after };
    let renamed = Move::Renamed { from: one.clone(), to: two };
    let change = |label: &str, files, moves| Change {
        label: label.to_owned(),
        at_ms: 7,
        files,
        moves,
        share: None,
    };
    test.save(&change("renamed", vec![file], vec![renamed]));
    test.apply(1, Direction::Undo).unwrap_err();
    let linked = Move::Replaced { place: one.clone(), kept: test.path("kept"), target: kept };
    linked.make().unwrap();
    test.save(&change("kept", Vec::new(), vec![linked]));
    let left = Left { label: Some("renamed".to_owned()), why: Why::Newer { path: one } };
    assert_eq!(test.redo(), Err(UndoError::Left { left, next: None }));
    assert_eq!(test.text("b/one/SKILL.md").as_deref(), Some("old"));
    test.apply(2, Direction::Undo).unwrap();
    test.apply(1, Direction::Redo).unwrap();
    assert_eq!(test.text("a/two/SKILL.md").as_deref(), Some("new"));
}
