mod apply;

use super::*;
use crate::files::write::{NewFile, WriteError, replace};

struct TestJournal {
    temp: tempfile::TempDir,
    journal: Journal,
}

impl TestJournal {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let journal = Journal::new(&temp.path().join("state/skillpick"));
        Self { temp, journal }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    /// Takes the last change back; there are no shares.
    fn undo(&self) -> Result<Undone, UndoError> {
        self.journal.undo(&[], |_| Ok(false))
    }

    /// Takes the last change back, and says which.
    #[track_caller]
    fn undone(&self) -> String {
        self.undo().unwrap().change.label
    }

    /// The last change cannot be taken back: why, and which one is next.
    #[track_caller]
    fn refused(&self) -> (Why, Option<String>) {
        match self.undo() {
            Err(UndoError::Left { left, next }) => (left.why, next),
            other => panic!("{other:?}"),
        }
    }

    /// What is in the folder of the journal.
    fn kept(&self) -> Vec<PathBuf> {
        let items = fs::read_dir(self.path("state/skillpick/undo")).unwrap();
        items.map(|item| item.unwrap().path()).collect()
    }

    /// Journals a change, as if it were made.
    fn save(&self, change: &Change) -> EntryName {
        self.journal.make(change, || Ok::<_, ()>(())).unwrap().unwrap().0
    }

    /// Journals the change of these files to this text, and makes it.
    fn make(&self, label: &str, names: &[&str]) -> EntryName {
        let change = self.plan(label, names);
        let entry = self.save(&change);
        for file in &change.files {
            replace(&file.path, file.before.as_deref(), &file.after, NewFile::Plain).unwrap();
        }
        entry
    }

    /// A file that is written and gets another name, as a change that is not made yet.
    #[cfg(unix)]
    fn renamed(&self) -> (Change, [PathBuf; 2]) {
        let (from, to) = (self.path("Skill.md"), self.path("SKILL.md"));
        fs::write(&from, "old").unwrap();
        let (before, after) = (Some(b"old".to_vec()), b"new".to_vec());
        let file = FileChange { path: from.clone(), before, after };
        let moves = vec![Move::Renamed { from: from.clone(), to: to.clone() }];
        let change =
            Change { label: "mended".to_owned(), at_ms: 7, files: vec![file], moves, share: None };
        (change, [from, to])
    }

    fn plan(&self, label: &str, names: &[&str]) -> Change {
        let file = |name: &&str| FileChange {
            path: self.path(name),
            before: fs::read(self.path(name)).ok(),
            after: label.as_bytes().to_vec(),
        };
        Change {
            label: label.to_owned(),
            at_ms: 7,
            files: names.iter().map(file).collect(),
            moves: Vec::new(),
            share: None,
        }
    }
}

#[test]
fn a_change_waits_for_another_process_that_is_writing() {
    let test = TestJournal::new();
    test.make("first", &["a"]);
    let held = Lock::beside(&test.path("state/skillpick/undo")).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Longer than one try waits.
            std::thread::sleep(std::time::Duration::from_millis(800));
            drop(held);
        });
        test.make("second", &["b"]);
    });
    assert_eq!(test.undone(), "second");
}

#[test]
fn folders_that_a_change_made_go_with_it_if_nothing_else_is_in_them() {
    let test = TestJournal::new();
    fs::create_dir(test.path("theirs")).unwrap();
    test.make("made", &["theirs/agent/deep/a", "theirs/agent/b"]);
    assert_eq!(test.undone(), "made");
    assert!(test.path("theirs").is_dir() && !test.path("theirs/agent").exists());
    let redo = || test.journal.redo(|_| Ok(false)).unwrap();
    redo();
    assert_eq!(test.text("theirs/agent/deep/a").as_deref(), Some("made"));
    fs::write(test.path("theirs/agent/own"), "own").unwrap();
    test.undone();
    assert!(!test.path("theirs/agent/deep").exists() && test.path("theirs/agent/own").exists());
    // What a person has made since is theirs.
    redo();
    test.undone();
    assert!(test.path("theirs/agent").is_dir());
    // Of a change that was not made either.
    let plan = test.plan("not made", &["other/x"]);
    let fails = || fs::create_dir(test.path("other")).and_then(|()| Err::<(), _>(NotFound.into()));
    assert!(test.journal.make(&plan, fails).unwrap().is_err());
    assert!(!test.path("other").exists());
}

/// A share, as a change.
fn shared() -> (Change, ShareChange) {
    let share = ShareChange {
        place: "/repo/.claude/skills/pdf".into(),
        source: "/skills/pdf".into(),
        host: "claude".to_owned(),
        copy: false,
        back: false,
        kept: None,
    };
    let change = Change {
        label: "pdf shared".to_owned(),
        at_ms: 8,
        files: Vec::new(),
        moves: Vec::new(),
        share: Some(share.clone()),
    };
    (change, share)
}

#[test]
fn undo_goes_back_step_by_step_to_no_file_at_all() {
    let test = TestJournal::new();
    assert_eq!(test.undo(), Err(UndoError::Nothing));
    test.make("one", &["sub/a"]);
    test.make("two", &["sub/a", "b"]);
    test.make("three", &["sub/a"]);
    for (label, a, b) in
        [("three", Some("two"), Some("two")), ("two", Some("one"), None), ("one", None, None)]
    {
        assert_eq!(test.undone(), label);
        assert_eq!((test.text("sub/a").as_deref(), test.text("b").as_deref()), (a, b));
    }
    assert_eq!(test.undo(), Err(UndoError::Nothing));
}

#[test]
fn a_file_that_somebody_else_changed_is_left_alone_and_so_are_the_others_of_its_change() {
    let test = TestJournal::new();
    test.make("ours", &["a", "b"]);
    fs::write(test.path("a"), "theirs").unwrap();
    for _ in 0..2 {
        assert_eq!(test.refused(), (Why::Changed { path: test.path("a") }, None));
        assert_eq!(
            (test.text("a").as_deref(), test.text("b").as_deref()),
            (Some("theirs"), Some("ours"))
        );
    }
    fs::remove_file(test.path("a")).unwrap();
    fs::create_dir(test.path("a")).unwrap();
    let not_regular = Why::Io { path: test.path("a"), error: WriteError::NotRegular };
    assert_eq!(test.refused().0, not_regular);
    fs::remove_dir(test.path("a")).unwrap();
    fs::write(test.path("a"), "ours").unwrap();
    assert_eq!(test.undone(), "ours", "it is taken back once it can be");
    assert_eq!(test.undo(), Err(UndoError::Nothing));
}

/// It would find some of the files as they were, and take the change for one that was never made.
#[test]
fn an_undo_waits_for_the_change_that_is_being_made() {
    let test = TestJournal::new();
    test.make("older", &["c"]);
    let change = test.plan("slow", &["a", "b"]);
    let undone = std::thread::scope(|scope| {
        let made = test.journal.make(&change, || {
            let undo = scope.spawn(|| test.undone());
            for file in &change.files {
                std::thread::sleep(std::time::Duration::from_millis(30));
                replace(&file.path, file.before.as_deref(), &file.after, NewFile::Plain)?;
            }
            Ok::<_, WriteError>(undo)
        });
        made.unwrap().unwrap().1.join().unwrap()
    });
    assert_eq!(undone, "slow");
    assert_eq!((test.text("a"), test.text("b")), (None, None));
}

#[test]
fn a_change_that_cannot_be_undone_is_reported_once_and_then_skipped() {
    let test = TestJournal::new();
    test.make("one", &["a"]);
    test.make("two", &["b"]);
    test.make("three", &["a"]);
    test.make("four", &["a", "c"]);
    fs::write(test.path("c"), "theirs").unwrap();
    // The person wanted the last change back and no other, so nothing happens the first time.
    let changed = Why::Changed { path: test.path("c") };
    assert_eq!(test.refused(), (changed.clone(), Some("two".to_owned())));
    assert_eq!(test.text("b").as_deref(), Some("two"));
    let undone = test.undo().unwrap();
    assert_eq!(undone.change.label, "two");
    assert_eq!(test.text("b"), None);
    // A change at the same place as a blocked one is skipped too.
    let label = |label: &str| Some(label.to_owned());
    let newer = Why::Newer { path: test.path("a") };
    assert_eq!(
        undone.left,
        [
            Left { label: label("four"), why: changed.clone() },
            Left { label: label("three"), why: newer }
        ]
    );
    assert_eq!(test.refused(), (changed, None));
    assert_eq!(test.text("a").as_deref(), Some("four"));
    // A newer change comes first again. Then the blocked one is taken back, if it can be now.
    test.make("five", &["b"]);
    fs::write(test.path("c"), "four").unwrap();
    for label in ["five", "four", "three", "one"] {
        assert_eq!(test.undone(), label);
    }
    assert_eq!((test.text("a"), test.text("c")), (None, None));
}

#[test]
fn a_change_that_was_undone_by_hand_is_named_and_no_other_is_undone_in_its_place() {
    let test = TestJournal::new();
    let names = |label: &str| Some(label.to_owned());
    test.make("one", &["a"]);
    test.make("two", &["b"]);
    test.make("three", &["c"]);
    fs::remove_file(test.path("c")).unwrap();
    assert_eq!(test.refused(), (Why::Gone { path: test.path("c") }, names("two")));
    assert_eq!(test.text("b").as_deref(), Some("two"));
    assert_eq!(test.undone(), "two");
    assert_eq!(test.undone(), "one");
    // What would be undone next is named, and where the next undo would stop there is no such name.
    test.make("one", &["a"]);
    test.make("two", &["b"]);
    test.make("three", &["c"]);
    fs::remove_file(test.path("b")).unwrap();
    fs::write(test.path("c"), "theirs").unwrap();
    assert_eq!(test.refused(), (Why::Changed { path: test.path("c") }, None));
    assert_eq!(test.refused(), (Why::Gone { path: test.path("b") }, names("one")));
    assert_eq!(test.text("a").as_deref(), Some("one"));
    assert_eq!(test.undone(), "one");
    // A change that the person was told of comes first again where it can be taken back by now.
    test.make("four", &["d"]);
    test.make("five", &["e"]);
    fs::write(test.path("d"), "theirs").unwrap();
    fs::write(test.path("e"), "theirs").unwrap();
    assert_eq!(test.refused().1, None, "the next undo stops at the one before");
    assert_eq!(test.refused().0, Why::Changed { path: test.path("d") });
    fs::write(test.path("d"), "four").unwrap();
    test.make("six", &["f"]);
    fs::write(test.path("f"), "theirs").unwrap();
    assert_eq!(test.refused().1, names("four"));
    assert_eq!(test.undone(), "four");
}

#[cfg(unix)]
#[test]
fn if_one_file_cannot_be_restored_none_is() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestJournal::new();
    for name in ["a", "b"] {
        fs::write(test.path(name), "old").unwrap();
    }
    test.make("ours", &["a", "b"]);
    fs::set_permissions(test.path("a"), fs::Permissions::from_mode(0o444)).unwrap();
    let read_only = Why::Io { path: test.path("a"), error: WriteError::ReadOnly };
    assert_eq!(test.refused().0, read_only);
    assert_eq!(
        (test.text("a").as_deref(), test.text("b").as_deref()),
        (Some("ours"), Some("ours"))
    );
    fs::set_permissions(test.path("a"), fs::Permissions::from_mode(0o644)).unwrap();
    test.undo().unwrap();
    assert_eq!((test.text("a").as_deref(), test.text("b").as_deref()), (Some("old"), Some("old")));
}

#[test]
fn a_change_that_was_journaled_but_never_made_is_named_and_dropped() {
    let test = TestJournal::new();
    test.make("made", &["a"]);
    test.save(&test.plan("killed before the write", &["a", "b"]));
    let gone = Why::Gone { path: test.path("a") };
    assert_eq!(test.refused(), (gone, Some("made".to_owned())));
    assert_eq!(test.undone(), "made");
    assert_eq!(test.text("a"), None);
    // The process was killed between the two files: the written one is restored.
    let change = test.plan("half", &["a", "b"]);
    test.save(&change);
    fs::write(test.path("a"), "half").unwrap();
    assert_eq!(test.undone(), "half");
    assert_eq!((test.text("a"), test.text("b")), (None, None));
}

#[test]
fn only_the_last_changes_are_kept_and_they_are_private() {
    let test = TestJournal::new();
    for round in 0..KEPT + 2 {
        test.make(&format!("{round}"), &["a"]);
    }
    let folder = test.path("state/skillpick/undo");
    for leftover in ["staged-by-a-killed-process", "gone-by-a-killed-process"] {
        fs::create_dir(folder.join(leftover)).unwrap();
        fs::write(folder.join(leftover).join(entry::INDEX), "").unwrap();
    }
    test.make("last", &["a"]);
    let entries = test.kept();
    assert_eq!(entries.len(), KEPT);
    #[cfg(unix)]
    for entry in &entries {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(entry), 0o700);
        assert!(fs::read_dir(entry).unwrap().all(|item| mode(&item.unwrap().path()) == 0o600));
    }
    for _ in 0..KEPT {
        test.undo().unwrap();
    }
    assert_eq!(test.undo(), Err(UndoError::Nothing));
    assert_eq!(test.text("a").as_deref(), Some("2"));
}

#[test]
fn an_entry_that_cannot_be_read_is_set_aside_and_named_and_the_next_undo_goes_on() {
    let breaks: [fn(&Path); 4] = [
        |entry| fs::remove_dir_all(entry).and_then(|()| fs::create_dir(entry)).unwrap(),
        |entry| fs::remove_file(entry.join("0.before")).unwrap(),
        |entry| fs::remove_file(entry.join("0.after")).unwrap(),
        |entry| fs::write(entry.join(entry::INDEX), "{").unwrap(),
    ];
    for breaks in breaks {
        let test = TestJournal::new();
        test.make("zero", &["a"]);
        test.make("one", &["b"]);
        let entry = test.make("two", &["a"]);
        let folder = test.path("state/skillpick/undo");
        breaks(&folder.join(&entry.0));
        let aside = folder.join(format!("broken-{}", entry.0));
        let broken = Why::Broken { path: aside.clone() };
        assert_eq!(test.refused(), (broken, Some("one".to_owned())));
        assert!(aside.is_dir());
        assert_eq!(test.text("a").as_deref(), Some("two"));
        assert_eq!(test.undone(), "one");
        // Its bytes before are not those that the older change wrote.
        assert_eq!(test.refused().0, Why::Changed { path: test.path("a") });
    }
}

#[test]
fn a_state_directory_that_cannot_be_made_is_an_error_before_any_write() {
    let test = TestJournal::new();
    fs::write(test.path("state"), "a file").unwrap();
    assert!(test.journal.make(&test.plan("x", &["a"]), || Ok::<_, ()>(())).is_err());
    assert!(matches!(test.undo(), Err(UndoError::State(_))));
}

#[cfg(unix)]
#[test]
fn a_linked_file_is_restored_where_the_link_leads() {
    let test = TestJournal::new();
    fs::write(test.path("real"), "old").unwrap();
    std::os::unix::fs::symlink("real", test.path("link")).unwrap();
    test.make("new", &["link"]);
    test.undo().unwrap();
    assert!(test.path("link").is_symlink());
    assert_eq!(test.text("real").as_deref(), Some("old"));
}

#[test]
fn a_share_is_taken_back_in_its_turn_by_who_knows_how() {
    let test = TestJournal::new();
    test.make("one", &["a"]);
    let (change, share) = shared();
    test.save(&change);
    let why = Why::Share { path: share.place.clone(), why: "changed".to_owned(), failed: false };
    let refused = test.journal.undo(&[], |_| Err(why.clone()));
    let left = Left { label: Some("pdf shared".to_owned()), why };
    assert_eq!(refused, Err(UndoError::Left { left, next: Some("one".to_owned()) }));
    assert_eq!(test.text("a").as_deref(), Some("one"), "what stands before it waits");
    let undone = test.journal.undo(&[], |given| Ok(*given == share)).unwrap().change;
    assert_eq!(undone, change);
    assert_eq!(undone.paths().collect::<Vec<_>>(), [share.place.as_path()]);
    // An entry without a change is dropped, and then the one before it is taken back.
    test.save(&change);
    assert_eq!(test.refused().1, Some("one".to_owned()));
    assert_eq!(test.undone(), "one");
}

#[cfg(unix)]
#[test]
fn a_file_that_was_written_and_renamed_comes_back_by_its_old_name() {
    let test = TestJournal::new();
    let (change, [from, to]) = test.renamed();
    assert_eq!(change.paths().collect::<Vec<_>>(), [&*from, &*to]);
    assert_eq!(change.places().collect::<Vec<_>>(), [&*from], "one file is counted once");
    let [place, old, new] = ["link", "old", "new"].map(|name| test.path(name));
    let relinked = Move::Relinked { place: place.clone(), from: old, to: new };
    let relinked = Change { files: Vec::new(), moves: vec![relinked], ..change.clone() };
    assert_eq!(relinked.places().collect::<Vec<_>>(), [&*place]);
    test.save(&change);
    fs::write(&from, "new").unwrap();
    change.moves[0].make().unwrap();
    let unchanged = |_: &ShareChange| Ok(false);
    fs::write(&to, "theirs").unwrap();
    let why = Why::Changed { path: from.clone() };
    let left = Left { label: Some("mended".to_owned()), why };
    assert_eq!(test.journal.undo(&[], unchanged), Err(UndoError::Left { left, next: None }));
    assert_eq!(fs::read(&to).unwrap(), b"theirs");
    fs::write(&to, "new").unwrap();
    assert_eq!(test.journal.undo(&[], unchanged).unwrap().change, change);
    assert_eq!(fs::read(&from).unwrap(), b"old");
    assert!(!to.exists());
}

#[test]
fn of_a_file_that_is_gone_that_is_said() {
    let test = TestJournal::new();
    fs::write(test.path("a"), "old").unwrap();
    test.make("ours", &["a"]);
    fs::remove_file(test.path("a")).unwrap();
    assert_eq!(test.refused().0, Why::Deleted { path: test.path("a") });
    assert_eq!(test.text("a"), None);
}

#[test]
fn ones_own_change_is_taken_back_before_a_newer_one_of_another_process() {
    let test = TestJournal::new();
    let own = test.make("own", &["a"]).number().unwrap();
    test.make("theirs", &["b"]);
    let undo = || test.journal.undo(&[own], |_| Ok(false)).unwrap().change.label;
    assert_eq!([undo(), undo()], ["own", "theirs"]);
}
