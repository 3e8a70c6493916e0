use super::*;
use crate::catalog::{Piece, Pill};

fn open(directory: &Path) -> Prompts {
    Prompts::open(directory, Path::new("/repo")).unwrap()
}

#[test]
fn a_draft_is_found_again_and_a_blank_one_is_removed() {
    let temp = tempfile::tempdir().unwrap();
    let mut draft = Draft::of_text("Fill it\nwith ");
    draft.pieces.push(Piece::Pill(Pill { name: "pdf".into(), path: "/s/SKILL.md".into() }));
    open(temp.path()).keep(&draft, 1).unwrap();
    assert_eq!(open(temp.path()).draft(), Ok(draft));
    let other = Prompts::open(temp.path(), Path::new("/other")).unwrap();
    assert_eq!(other.draft(), Ok(Draft::default()));
    open(temp.path()).keep(&Draft::of_text(" \n"), 1).unwrap();
    assert_eq!(open(temp.path()).draft(), Ok(Draft::default()));
}

#[test]
fn a_broken_draft_is_set_aside_by_the_first_new_one_alone() {
    let temp = tempfile::tempdir().unwrap();
    let prompts = open(temp.path());
    let file = prompts.file().unwrap();
    let aside = file.with_extension("json.broken");
    fs::write(&file, "{").unwrap();
    prompts.keep(&Draft::of_text("a"), 1).unwrap();
    assert_eq!(fs::read(&aside).unwrap(), b"{");
    fs::remove_file(&aside).unwrap();
    fs::write(&file, "[").unwrap();
    prompts.keep(&Draft::of_text("b"), 2).unwrap();
    assert!(!aside.exists(), "it is not read again while the person writes");
    assert_eq!(prompts.draft(), Ok(Draft::of_text("b")));
}

#[cfg(unix)]
#[test]
fn files_and_folders_are_the_persons_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let temp = tempfile::tempdir().unwrap();
    let prompts = open(&temp.path().join("state"));
    prompts.keep(&Draft::of_text("a"), 1).unwrap();
    prompts.remember(&Draft::of_text("b")).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&prompts.folder), 0o700);
    for entry in fs::read_dir(&prompts.folder).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
}

#[test]
fn two_processes_have_drafts_of_their_own_and_a_left_one_is_taken_first() {
    let temp = tempfile::tempdir().unwrap();
    let (one, two) = (open(temp.path()), open(temp.path()));
    two.keep(&Draft::of_text("two"), 1).unwrap();
    assert_eq!(one.draft(), Ok(Draft::default()));
    drop((one, two));
    assert_eq!(open(temp.path()).draft(), Ok(Draft::of_text("two")));
}

#[test]
fn drafts_that_may_not_be_in_the_history_leave_room_for_a_new_one() {
    let temp = tempfile::tempdir().unwrap();
    for number in 1..=70 {
        let prompts = open(temp.path());
        prompts.begin_anew(true).unwrap();
        let private = Draft { private: true, ..Draft::of_text(&number.to_string()) };
        prompts.keep(&private, 1).unwrap();
    }
    let prompts = open(temp.path());
    assert_eq!(prompts.begin_anew(true), Ok(Earlier::Stays));
    prompts.keep(&Draft::of_text("new"), 1).unwrap();
    assert_eq!((prompts.draft(), prompts.others()), (Ok(Draft::of_text("new")), 70));
}

#[test]
fn where_other_processes_have_every_number_the_error_says_so() {
    let temp = tempfile::tempdir().unwrap();
    let mut all: Vec<Prompts> = (0..=MAX_TRIED).map(|_| open(temp.path())).collect();
    let last = all.pop().unwrap();
    assert_eq!(last.keep(&Draft::of_text("a"), 1), Err(StateError::Crowded));
}

#[test]
fn of_two_drafts_the_newer_one_comes_first_and_the_other_is_counted() {
    use std::time::Duration;
    for newer in [0, 1] {
        let temp = tempfile::tempdir().unwrap();
        let both = [open(temp.path()), open(temp.path())];
        for (number, prompts) in both.iter().enumerate() {
            prompts.keep(&Draft::of_text(&number.to_string()), 1).unwrap();
            assert_eq!(prompts.others(), 0, "another process has the other one");
        }
        let file = fs::File::options().write(true).open(both[newer].file().unwrap()).unwrap();
        file.set_modified(SystemTime::now() + Duration::from_secs(9)).unwrap();
        drop(both);
        let prompts = open(temp.path());
        assert_eq!(prompts.draft(), Ok(Draft::of_text(&newer.to_string())));
        assert_eq!(prompts.others(), 1);
        prompts.keep(&Draft::default(), 1).unwrap();
        drop(prompts);
        let prompts = open(temp.path());
        assert_eq!(prompts.draft(), Ok(Draft::of_text(&(1 - newer).to_string())));
        assert_eq!(prompts.others(), 0);
    }
}

#[test]
fn an_older_draft_does_not_replace_a_newer_one() {
    let temp = tempfile::tempdir().unwrap();
    let prompts = open(temp.path());
    prompts.keep(&Draft::of_text("new"), 2).unwrap();
    prompts.keep(&Draft::of_text("old"), 1).unwrap();
    assert_eq!(prompts.draft(), Ok(Draft::of_text("new")));
}

#[test]
fn what_cannot_be_read_is_set_aside_and_not_lost() {
    let huge = serde_json::to_vec(&Draft::of_text(&"x".repeat(10_000_000))).unwrap();
    for bytes in [b"{".as_slice(), &huge] {
        let temp = tempfile::tempdir().unwrap();
        let prompts = open(temp.path());
        let file = prompts.file().unwrap();
        fs::write(&file, bytes).unwrap();
        assert!(matches!(prompts.draft(), Err(StateError::Broken { .. })));
        prompts.keep(&Draft::of_text("new"), 1).unwrap();
        assert_eq!(prompts.draft(), Ok(Draft::of_text("new")));
        assert_eq!(fs::read(file.with_extension("json.broken")).unwrap(), bytes);
    }
}

#[test]
fn the_oldest_prompts_are_forgotten_by_number_and_by_size() {
    let temp = tempfile::tempdir().unwrap();
    let prompts = open(temp.path());
    for index in 0..MAX_SENT + 2 {
        prompts.remember(&Draft::of_text(&format!("p{index}"))).unwrap();
    }
    prompts.remember(&Draft::of_text("p9")).unwrap();
    let sent = prompts.sent().unwrap();
    assert_eq!((sent.len(), &sent[0]), (MAX_SENT, &Draft::of_text("p2")));
    assert_eq!(sent.last(), Some(&Draft::of_text("p9")));
    prompts.remember(&Draft::of_text(&"y".repeat(SENT_BYTES))).unwrap();
    assert_eq!(prompts.sent().unwrap().len(), 1);
}

#[test]
fn a_history_that_cannot_be_read_is_set_aside_and_not_overwritten() {
    let temp = tempfile::tempdir().unwrap();
    let prompts = open(temp.path());
    let file = prompts.folder.join(SENT);
    fs::write(&file, "{").unwrap();
    assert_eq!(prompts.sent(), Err(StateError::Broken { path: file.clone() }));
    prompts.remember(&Draft::of_text("a")).unwrap();
    prompts.remember(&Draft::of_text("b")).unwrap();
    assert_eq!(fs::read(file.with_extension("json.broken")).unwrap(), b"{");
    assert_eq!(prompts.sent(), Ok(vec![Draft::of_text("a"), Draft::of_text("b")]));
    for (bytes, aside) in [("[", "json.broken-2"), ("]", "json.broken-3")] {
        fs::write(&file, bytes).unwrap();
        prompts.remember(&Draft::of_text("c")).unwrap();
        assert_eq!(fs::read(file.with_extension(aside)).unwrap(), bytes.as_bytes());
    }
    assert_eq!(fs::read(file.with_extension("json.broken")).unwrap(), b"{");
}

#[test]
fn a_prompt_that_is_too_large_for_the_history_drives_no_other_out() {
    let temp = tempfile::tempdir().unwrap();
    let prompts = open(temp.path());
    prompts.remember(&Draft::of_text("small")).unwrap();
    let large = Draft::of_text(&"y".repeat(SENT_BYTES + 1));
    let refused = prompts.remember(&large).unwrap_err();
    assert!(matches!(refused, StateError::TooLarge { .. }));
    assert!(refused.to_string().ends_with("MB"), "{refused}");
    assert_eq!(prompts.sent(), Ok(vec![Draft::of_text("small")]));
}

#[test]
fn a_private_draft_comes_again_and_never_gets_into_the_history() {
    let temp = tempfile::tempdir().unwrap();
    let secret = Draft { private: true, ..Draft::of_text("secret") };
    open(temp.path()).keep(&secret, 1).unwrap();
    let prompts = open(temp.path());
    assert_eq!(prompts.draft(), Ok(secret.clone()));
    assert_eq!(prompts.begin_anew(true), Ok(Earlier::Stays));
    prompts.remember(&secret).unwrap();
    assert_eq!(prompts.sent(), Ok(Vec::new()));
    drop(prompts);
    assert_eq!(open(temp.path()).draft(), Ok(secret));
}

#[test]
fn a_draft_makes_room_in_the_history_or_stays_one_if_it_may_not_or_is_too_large() {
    let large = "y".repeat(SENT_BYTES + 1);
    for (text, remember, expected) in [
        (" ", true, Earlier::Nothing),
        ("old", true, Earlier::Remembered),
        ("old", false, Earlier::Stays),
        (&large, true, Earlier::Stays),
    ] {
        let temp = tempfile::tempdir().unwrap();
        let old = Draft::of_text(text);
        open(temp.path()).keep(&old, 1).unwrap();
        let prompts = open(temp.path());
        assert_eq!(prompts.begin_anew(remember), Ok(expected));
        let is_remembered = expected == Earlier::Remembered;
        assert_eq!(prompts.sent(), Ok(is_remembered.then(|| old.clone()).into_iter().collect()));
        prompts.keep(&Draft::of_text("new"), 1).unwrap();
        prompts.keep(&Draft::default(), 2).unwrap();
        drop(prompts);
        let left = if expected == Earlier::Stays { old } else { Draft::default() };
        assert_eq!(open(temp.path()).draft(), Ok(left), "{expected:?}");
    }
}
