//! Our own files when a system call on them fails, or the program is killed at one: what stood
//! there before stays, the file is whole, and the next run works and adds its part.

use super::strace::{self, Call};
use crate::env::{TestEnv, bar};
use crate::support::Ran;
use serde_json::Value as Json;
use std::fs;

const STATE: &str = "home/.local/state/skillpick";

/// A run that writes a file, by the skill that it is about.
struct Writing {
    /// Where the file is below the folder of the state: the beginning of its path.
    file: &'static str,
    words: &'static [&'static str],
    /// The word in `words` that stands for the skill.
    skill: usize,
    /// Whether a fault of this file is one of the run. Picks are a convenience.
    matters: bool,
}

#[rustfmt::skip]
const WRITINGS: [Writing; 5] = [
    Writing { file: "history.jsonl", words: &["-1", "-q", "SKILL"], skill: 2, matters: false },
    Writing { file: "approvals.json", words: &["approve", "SKILL", "--yes"], skill: 1, matters: true },
    Writing { file: "sessions/", words: &["load", "SKILL", "--session", "chat"], skill: 1, matters: true },
    Writing { file: "activity.jsonl", words: &["load", "SKILL"], skill: 1, matters: false },
    Writing { file: "shares.json", words: &["share", "SKILL", "--to", "claude"], skill: 1, matters: true },
];

/// A file that holds a first entry, and a run that adds a second.
struct Adding<'a> {
    env: TestEnv,
    writing: &'a Writing,
    /// Every file of the state, by path, as it is before the run.
    before: Vec<(std::path::PathBuf, Vec<u8>)>,
}

impl<'a> Adding<'a> {
    fn new(writing: &'a Writing) -> Self {
        let env = TestEnv::new();
        if writing.words[0] == "share" {
            env.write("home/.claude/settings.json", "{}\n");
        }
        // What can be approved hides something.
        let body = if writing.file == "approvals.json" { "x\u{202e}" } else { "x" };
        for name in ["alpha", "zebra"] {
            let frontmatter = format!("name: {name}\ndescription: d");
            env.raw_skill(&format!("repo/.agents/skills/{name}"), &frontmatter, body);
        }
        let mut adding = Self { env, writing, before: Vec::new() };
        adding.env.run(&adding.arguments("alpha")).ended(0);
        adding.before = adding.files();
        assert!(adding.of_file().contains("alpha"), "{}", writing.file);
        adding
    }

    fn arguments(&self, skill: &'static str) -> Vec<&'static str> {
        let mut words = self.writing.words.to_vec();
        words[self.writing.skill] = skill;
        words
    }

    fn files(&self) -> Vec<(std::path::PathBuf, Vec<u8>)> {
        let (mut folders, mut found) = (vec![self.env.at(STATE)], Vec::new());
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                match fs::read(&path) {
                    Ok(bytes) => found.push((path, bytes)),
                    Err(_) => folders.push(path),
                }
            }
        }
        found
    }

    /// Restores the state before the run.
    fn back(&self) {
        fs::remove_dir_all(self.env.at(STATE)).unwrap();
        let _ = fs::remove_dir_all(self.env.at("repo/.claude/skills/zebra"));
        let _ = fs::remove_file(self.env.at("repo/.claude/skills/zebra"));
        for (path, bytes) in &self.before {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }

    /// What stands in the file.
    fn of_file(&self) -> String {
        let file = self.env.at(STATE).join(self.writing.file);
        let is_it = |path: &std::path::Path| {
            path.to_str().unwrap().starts_with(file.to_str().unwrap())
                && path.extension().is_some_and(|end| end == "json" || end == "jsonl")
        };
        let files = self.files().into_iter().filter(|(path, _)| is_it(path));
        files.map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect()
    }

    /// The system calls on the file, its lock and its temporary file.
    fn calls(&self) -> Vec<Call> {
        let stem = format!(
            "skillpick/{}",
            self.writing.file.trim_end_matches(".jsonl").trim_end_matches(".json")
        );
        let calls = strace::calls(&self.env, &self.arguments("zebra"), |call| {
            call.arguments.contains(&stem)
                || call.arguments.contains("/state/skillpick/.skillpick")
                || call.arguments.contains("/state/skillpick>")
        });
        self.back();
        assert!(calls.len() >= 4, "{}: {calls:?}", self.writing.file);
        calls
    }

    /// The file is whole and keeps its first entry. What is added to a file may break off: the
    /// next entry begins a line of its own.
    #[track_caller]
    fn is_whole(&self, case: &str) {
        let text = self.of_file();
        assert!(text.contains("alpha"), "{case}: {text:?}");
        let whole = |line: &str| serde_json::from_str::<Json>(line).is_ok();
        let broken = text.lines().filter(|line| !whole(line)).count();
        let may_break = usize::from(self.writing.file.ends_with(".jsonl"));
        assert!(broken <= may_break, "{case}: {text:?}");
    }

    /// After a fault the entry is made, or the run says why not; and the next run works.
    #[track_caller]
    fn survives(&self, ran: &Ran, case: &str) {
        let is_made = self.of_file().contains("zebra");
        let is_told = ran.code > 0 && ran.err.starts_with("skillpick: ");
        assert!(is_made || !self.writing.matters || is_told, "{case}: {ran:?}");
        assert!(!ran.err.contains("panicked"), "{case}: {ran:?}");
        self.goes_on(case);
    }

    /// The next run adds its entry.
    #[track_caller]
    fn goes_on(&self, case: &str) {
        self.is_whole(case);
        let is_shared = self.writing.words[0] == "share" && self.of_file().contains("zebra");
        if !is_shared {
            let ran = self.env.run(&self.arguments("zebra"));
            assert_eq!(ran.code, 0, "{case}: {ran:?}");
        }
        self.is_whole(case);
        let text = self.of_file();
        let last = text.lines().last().unwrap();
        assert!(text.contains("zebra"), "{case}: {text}");
        assert!(serde_json::from_str::<Json>(last).is_ok(), "{case}: {text}");
        self.back();
    }
}

const ERRORS: [&str; 6] = ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EINTR"];

#[test]
fn a_fault_at_any_call_on_our_own_files_loses_no_entry_and_the_next_run_works() {
    if !strace::works() {
        return;
    }
    let mut tried = 0;
    for writing in &WRITINGS {
        let adding = Adding::new(writing);
        let calls = adding.calls();
        for (index, call) in calls.iter().enumerate() {
            let errors = if bar::is_thorough() { &ERRORS[..] } else { &[ERRORS[index % 6]][..] };
            for error in errors {
                let case = format!("{} {call} {error}", writing.file);
                let ran = call.fails(&adding.env, &adding.arguments("zebra"), error);
                adding.survives(&ran, &case);
                tried += 1;
            }
        }
    }
    bar::tried(tried);
}

#[test]
fn a_kill_at_any_call_on_our_own_files_loses_no_entry_and_the_next_run_works() {
    if !strace::works() {
        return;
    }
    let mut tried = 0;
    for writing in &WRITINGS {
        let adding = Adding::new(writing);
        let calls = adding.calls();
        let step = if bar::is_thorough() { 1 } else { 4 };
        for call in calls.iter().step_by(step) {
            call.kills(&adding.env, &adding.arguments("zebra"));
            adding.goes_on(&format!("{} {call} KILL", writing.file));
            tried += 1;
        }
    }
    bar::tried(tried);
}

/// A file may be longer than the limit only if it was before: the write that crosses it is short,
/// and the next one fails, as on a full disk.
#[test]
fn a_short_write_of_our_own_files_loses_no_entry_and_the_next_run_works() {
    let mut tried = 0;
    for writing in &WRITINGS {
        let adding = Adding::new(writing);
        let first = adding.of_file().len();
        let step = if bar::is_thorough() { 3 } else { 41 };
        for limit in (0..first * 2 + 40).step_by(step) {
            let case = format!("{} at {limit} bytes", writing.file);
            let ran = strace::limited(&adding.env, &adding.arguments("zebra"), limit);
            adding.survives(&ran, &case);
            tried += 1;
        }
    }
    bar::tried(tried);
}

/// A link that leads to itself stands for a folder of another user: nobody, not even the
/// superuser, can look into it.
#[cfg(unix)]
#[test]
fn a_state_folder_that_cannot_be_read_is_not_an_empty_one() {
    let env = TestEnv::new();
    fs::create_dir_all(env.at("home/.local/state")).unwrap();
    std::os::unix::fs::symlink("skillpick", env.at(STATE)).unwrap();
    let commands: [&[&str]; 8] = [
        &["undo"],
        &["undo", "1"],
        &["undo", "--list"],
        &["redo"],
        &["approve", "--list"],
        &["approve", "--revoke", "aaaa"],
        &["activity"],
        &["token", "list"],
    ];
    for arguments in commands {
        let ran = env.run(arguments).ended(2);
        assert!(ran.out().is_empty() && ran.err.contains("/skillpick"), "{ran:?}");
        let untrue = ["nothing", "no change", "no approval", "no tokens", "remove it"];
        assert!(untrue.iter().all(|words| !ran.err.contains(words)), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn a_file_in_place_of_the_state_folder_is_not_an_empty_journal() {
    let env = TestEnv::new();
    env.write("home/.local/state", "x");
    for arguments in [&["undo"][..], &["undo", "1"], &["undo", "--list"], &["redo"]] {
        let ran = env.run(arguments).ended(2);
        assert!(ran.err.contains("/skillpick"), "{arguments:?}: {ran:?}");
    }
}
