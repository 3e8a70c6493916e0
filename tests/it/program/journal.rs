//! The undo journal when system calls fail or the program is killed at one: what cannot be tidied
//! does not fail the change, and every entry can still be undone.

use super::strace::{self, Call};
use crate::env::{TestEnv, bar};
use skillpick::state::undo::{Change, FileChange, Journal, KEPT, UndoError, Why};
use std::fs;

const CONFIG: &str = "home/.config/skillpick/config.toml";
const STATE: &str = "home/.local/state/skillpick";
const NOTES: &str = "home/notes";
const DISABLE: &[&str] = &["disable", "pdf", "--host", "agents", "--in", "user"];
const UNDO: &[&str] = &["undo"];

/// An environment whose journal is full, so that each further change removes the oldest entry.
struct Full {
    env: TestEnv,
}

impl Full {
    fn new() -> Self {
        let env = TestEnv::of("agents");
        let full = Self { env };
        full.fill();
        full
    }

    /// Restores the first state: a file that was changed as often as the journal remembers, from
    /// `0` to the last number.
    fn fill(&self) {
        for path in [STATE, "home/.config"] {
            let _ = fs::remove_dir_all(self.env.at(path));
        }
        for number in 1..=KEPT {
            let file = FileChange {
                path: self.env.at(NOTES),
                before: Some((number - 1).to_string().into_bytes()),
                after: number.to_string().into_bytes(),
            };
            let label = format!("note {number}");
            let change =
                Change { label, at_ms: 0, files: vec![file], moves: Vec::new(), share: None };
            self.journal().make(&change, || Ok::<_, ()>(())).unwrap().unwrap();
        }
        self.env.write(NOTES, KEPT.to_string());
    }

    fn journal(&self) -> Journal {
        Journal::new(&self.env.at(STATE))
    }

    /// The system calls on the journal: those that add and remove entries, or all of them in a
    /// thorough run.
    fn calls(&self, arguments: &[&str]) -> Vec<Call> {
        let calls = strace::calls(&self.env, arguments, |call| {
            let moves = call.removes() || call.name.starts_with("rename");
            (bar::is_thorough() || moves || call.name == "getdents64" || call.name == "fsync")
                && call.arguments.contains("skillpick/undo/")
                || call.arguments.contains("skillpick/undo>")
        });
        self.fill();
        assert!(calls.iter().any(|call| call.name.starts_with("rename")), "{calls:?}");
        calls
    }

    /// Every change in the journal can be undone, one after the other, and no unfinished entry is
    /// left. Of a change that was not made, or not noted as undone, that is told.
    #[track_caller]
    fn takes_all_back(&self, case: &str) {
        loop {
            match self.journal().undo(&[], |_| Ok(false)) {
                Ok(undone) => assert!(undone.left.is_empty(), "{case}: {undone:?}"),
                Err(UndoError::Nothing) => break,
                Err(UndoError::Left { left, .. }) if matches!(left.why, Why::Gone { .. }) => {}
                Err(error) => panic!("{case}: {error:?}"),
            }
        }
        assert!(!self.env.at(CONFIG).exists(), "{case}");
        // The oldest entry may have made room for the new one.
        let notes = self.env.read(NOTES);
        assert!(["0", "1"].contains(&notes.as_str()), "{case}: {notes}");
        let names = fs::read_dir(self.env.at(STATE).join("undo")).unwrap();
        let names = names.map(|item| item.unwrap().file_name().into_string().unwrap());
        let unfinished: Vec<String> = names.filter(|name| !name.contains(".undone-")).collect();
        assert!(unfinished.is_empty(), "{case}: {unfinished:?}");
    }
}

/// Makes each system call on the journal fail, and kills the program at each. `is_done` tells
/// whether the run made its change.
fn each_fault(arguments: &[&str], is_done: impl Fn(&TestEnv) -> bool) {
    if !strace::works() {
        return;
    }
    let full = Full::new();
    for call in full.calls(arguments) {
        let case = format!("{call} EIO");
        let ran = call.fails(&full.env, arguments, "EIO");
        let is_tidying = call.removes() || call.arguments.contains("undo/gone-");
        assert!(!is_tidying || is_done(&full.env), "{case}: {ran:?}");
        assert_eq!(ran.code == 0, is_done(&full.env), "{case}: {ran:?}");
        full.takes_all_back(&case);
        full.fill();

        call.kills(&full.env, arguments);
        full.takes_all_back(&format!("{call} KILL"));
        full.fill();
    }
}

#[test]
fn a_fault_while_tidying_the_journal_fails_no_change_and_loses_no_entry() {
    each_fault(DISABLE, |env| env.at(CONFIG).exists());
}

#[test]
fn a_fault_while_tidying_the_journal_fails_no_undo_and_loses_no_entry() {
    each_fault(UNDO, |env| env.read(NOTES) == (KEPT - 1).to_string());
}
