use super::*;

struct House {
    temp: tempfile::TempDir,
    journal: Journal,
}

impl House {
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
    fn undo(&self) -> Result<Change, UndoError> {
        self.journal.undo(|_| Ok(false))
    }

    /// Journals the change of these files to this text, and makes it.
    fn make(&self, label: &str, names: &[&str]) -> Entry {
        let change = self.plan(label, names);
        let entry = self.journal.push(&change).unwrap();
        for file in &change.files {
            replace(&file.path, file.before.as_deref(), &file.after, NewFile::Plain).unwrap();
        }
        entry
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
            share: None,
        }
    }
}

#[test]
fn undo_goes_back_step_by_step_to_no_file_at_all() {
    let house = House::new();
    assert_eq!(house.undo(), Err(UndoError::Nothing));
    assert_eq!(house.journal.last(), Ok(None));
    house.make("one", &["sub/a"]);
    house.make("two", &["sub/a", "b"]);
    house.make("three", &["sub/a"]);
    let (_, last) = house.journal.last().unwrap().unwrap();
    assert_eq!((last.label.as_str(), last.at_ms, last.files.len()), ("three", 7, 1));
    for (label, a, b) in
        [("three", Some("two"), Some("two")), ("two", Some("one"), None), ("one", None, None)]
    {
        assert_eq!(house.undo().unwrap().label, label);
        assert_eq!((house.text("sub/a").as_deref(), house.text("b").as_deref()), (a, b));
    }
    assert_eq!(house.undo(), Err(UndoError::Nothing));
}

#[test]
fn a_file_changed_after_us_is_left_alone_and_so_are_the_others() {
    let house = House::new();
    let entry = house.make("ours", &["a", "b"]);
    fs::write(house.path("a"), "theirs").unwrap();
    let conflict = UndoError::Conflict {
        entry: entry.clone(),
        path: house.path("a"),
        ours: b"ours".to_vec(),
        present: Some(b"theirs".to_vec()),
    };
    assert_eq!(house.undo(), Err(conflict));
    assert_eq!(
        (house.text("a").as_deref(), house.text("b").as_deref()),
        (Some("theirs"), Some("ours"))
    );
    fs::remove_file(house.path("a")).unwrap();
    fs::create_dir(house.path("a")).unwrap();
    let not_regular = UndoError::Write { path: house.path("a"), error: WriteError::NotRegular };
    assert_eq!(house.undo(), Err(not_regular));
    house.journal.discard(&entry).unwrap();
    assert_eq!(house.undo(), Err(UndoError::Nothing));
}

#[cfg(unix)]
#[test]
fn if_one_file_cannot_be_restored_none_is() {
    use std::os::unix::fs::PermissionsExt;
    let house = House::new();
    for name in ["a", "b"] {
        fs::write(house.path(name), "old").unwrap();
    }
    house.make("ours", &["a", "b"]);
    fs::set_permissions(house.path("a"), fs::Permissions::from_mode(0o444)).unwrap();
    let refused = UndoError::Write { path: house.path("a"), error: WriteError::ReadOnly };
    assert_eq!(house.undo(), Err(refused));
    assert_eq!(
        (house.text("a").as_deref(), house.text("b").as_deref()),
        (Some("ours"), Some("ours"))
    );
    fs::set_permissions(house.path("a"), fs::Permissions::from_mode(0o644)).unwrap();
    house.undo().unwrap();
    assert_eq!(
        (house.text("a").as_deref(), house.text("b").as_deref()),
        (Some("old"), Some("old"))
    );
}

#[test]
fn a_change_that_was_journaled_but_never_made_is_dropped() {
    let house = House::new();
    house.make("made", &["a"]);
    house.journal.push(&house.plan("killed before the write", &["a", "b"])).unwrap();
    assert_eq!(house.undo().unwrap().label, "made");
    assert_eq!(house.text("a"), None);
    // Killed between the two files: the one that was written goes back.
    let change = house.plan("half", &["a", "b"]);
    house.journal.push(&change).unwrap();
    fs::write(house.path("a"), "half").unwrap();
    assert_eq!(house.undo().unwrap().label, "half");
    assert_eq!((house.text("a"), house.text("b")), (None, None));
}

#[test]
fn the_last_ten_are_kept_and_private() {
    let house = House::new();
    for round in 0..KEPT + 2 {
        house.make(&format!("{round}"), &["a"]);
    }
    let folder = house.path("state/skillpick/undo");
    fs::create_dir(folder.join("staged-by-a-killed-process")).unwrap();
    house.make("last", &["a"]);
    let entries: Vec<PathBuf> =
        fs::read_dir(&folder).unwrap().map(|item| item.unwrap().path()).collect();
    assert_eq!(entries.len(), KEPT);
    #[cfg(unix)]
    for entry in &entries {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(entry), 0o700);
        assert!(fs::read_dir(entry).unwrap().all(|item| mode(&item.unwrap().path()) == 0o600));
    }
    for _ in 0..KEPT {
        house.undo().unwrap();
    }
    assert_eq!(house.undo(), Err(UndoError::Nothing));
    assert_eq!(house.text("a").as_deref(), Some("2"));
}

#[test]
fn a_broken_entry_is_named_not_skipped() {
    let house = House::new();
    house.make("one", &["a"]);
    let entry = house.make("two", &["a"]);
    let folder = house.path("state/skillpick/undo").join(&entry.0);
    fs::write(folder.join(INDEX), "{").unwrap();
    let broken = StateError::Broken { path: folder };
    assert_eq!(house.undo(), Err(UndoError::State(broken)));
    assert_eq!(house.text("a").as_deref(), Some("two"));
}

#[test]
fn a_state_directory_that_cannot_be_made_is_an_error_before_any_write() {
    let house = House::new();
    fs::write(house.path("state"), "a file").unwrap();
    assert!(house.journal.push(&house.plan("x", &["a"])).is_err());
    assert_eq!(house.undo(), Err(UndoError::Nothing));
}

#[cfg(unix)]
#[test]
fn a_linked_file_is_restored_where_the_link_leads() {
    let house = House::new();
    fs::write(house.path("real"), "old").unwrap();
    std::os::unix::fs::symlink("real", house.path("link")).unwrap();
    house.make("new", &["link"]);
    house.undo().unwrap();
    assert!(house.path("link").is_symlink());
    assert_eq!(house.text("real").as_deref(), Some("old"));
}

#[test]
fn a_share_is_taken_back_in_its_turn_by_who_knows_how() {
    let house = House::new();
    house.make("one", &["a"]);
    let share = ShareChange {
        place: "/repo/.claude/skills/pdf".into(),
        source: "/skills/pdf".into(),
        host: "claude".to_owned(),
        copy: false,
        back: false,
    };
    let change = Change {
        label: "pdf shared".to_owned(),
        at_ms: 8,
        files: Vec::new(),
        share: Some(share.clone()),
    };
    house.journal.push(&change).unwrap();
    let why = UndoError::Share { path: share.place.clone(), why: "changed".to_owned() };
    assert_eq!(house.journal.undo(|_| Err(why.clone())), Err(why));
    assert_eq!(house.text("a").as_deref(), Some("one"), "what stands before it waits");
    let undone = house.journal.undo(|given| Ok(*given == share)).unwrap();
    assert_eq!(undone, change);
    assert_eq!(undone.paths().collect::<Vec<_>>(), [share.place.as_path()]);
    // One that was never made is dropped, and the one before it is meant.
    house.journal.push(&change).unwrap();
    assert_eq!(house.undo().unwrap().label, "one");
}
