//! A change of settings or a share whose system calls fail, or that is killed at one: the file is
//! the old one or the new one, a link is recorded as ours or absent, and the next run works.

use super::strace::{self, Call};
use crate::env::{TestEnv, bar};
use crate::support::Ran;
use std::fs;
use std::path::PathBuf;

/// An agent, its settings file and what stands in it: one of each format.
#[rustfmt::skip]
const FILES: &[(&str, &str, &str)] = &[
    ("agents", "home/.config/skillpick/config.toml", "version = 1 # mine\n"),
    ("claude", "home/.claude/settings.json", "{\n  \"model\": \"x\"\n}\n"),
    ("gemini", "home/.gemini/settings.json", "{\n  // mine\n  \"ui\": {}\n}\n"),
    ("codelia", "home/.codelia/config.json", "{\"version\":1}"),
    ("opencode", "home/.config/opencode/opencode.json", "{\n  \"model\": \"x\", // mine\n}\n"),
    ("kodelet", "home/.kodelet/config.yaml", "# mine\nmodel: x\n"),
];

/// A settings file that is changed, and how it is before and after.
struct Change {
    env: TestEnv,
    host: &'static str,
    file: &'static str,
    before: &'static str,
    after: String,
}

impl Change {
    fn new((host, file, before): (&'static str, &'static str, &'static str)) -> Self {
        let env = TestEnv::of(host);
        env.write(file, before);
        let mut change = Self { env, host, file, before, after: String::new() };
        change.make().ended(0);
        change.after = change.env.read(file);
        change.back();
        change
    }

    fn arguments(&self) -> [&str; 6] {
        ["disable", "pdf", "--host", self.host, "--in", "user"]
    }

    fn make(&self) -> Ran {
        self.env.run(&self.arguments())
    }

    /// Restores the first state, with nothing to undo.
    fn back(&self) {
        let _ = fs::remove_dir_all(self.env.at("home/.local"));
        self.env.write(self.file, self.before);
    }

    /// The system calls from the first write on.
    fn calls(&self) -> Vec<Call> {
        let mut begun = false;
        let calls = strace::calls(&self.env, &self.arguments(), |call| {
            begun |= call.arguments.contains("undo.lock");
            // Messages to the person have a test of their own.
            let is_said = call.name == "write"
                && (call.arguments.starts_with("1<") || call.arguments.starts_with("2<"));
            begun && !is_said
        });
        self.back();
        assert!(calls.len() > 20, "{calls:?}");
        calls
    }

    /// Fails unless the file is the old one or the new one. Returns whether it is the new one.
    #[track_caller]
    fn is_whole(&self, case: &str) -> bool {
        let now = self.env.read(self.file);
        assert!(now == self.before || now == self.after, "{case}: torn: {now}");
        now == self.after
    }

    /// Temporary files beside the settings.
    fn strays(&self) -> Vec<PathBuf> {
        let folder = self.env.at(self.file);
        let beside =
            fs::read_dir(folder.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
        beside.filter(|path| *path != folder).collect()
    }

    /// A later run makes the change and cleans up, and `undo` reverts it.
    #[track_caller]
    fn goes_on(&self, case: &str) {
        // If the change was made already, nothing is written, and it can be undone if the journal has
        // it.
        if self.is_whole(case) {
            assert!(self.make().code == 0 && self.is_whole(case), "{case}");
            let undone = self.env.run(&["undo"]);
            assert!(undone.code == i32::from(self.is_whole(case)), "{case}: {undone:?}");
            self.back();
        }
        let again = self.make();
        assert!(again.code == 0 && self.is_whole(case), "{case}: {again:?}");
        assert!(self.strays().is_empty(), "{case}: {:?}", self.strays());
        let undone = self.env.run(&["undo"]);
        // Killed before the journal had the change, there is nothing to undo; otherwise it is
        // undone.
        assert!(undone.code == 0 && !self.is_whole(case), "{case}: {undone:?}");
        self.back();
    }
}

/// One file in a short run, all in a thorough one; none where strace does not work.
fn changes() -> Vec<Change> {
    let count = if bar::is_thorough() { FILES.len() } else { 1 };
    let count = if strace::works() { count } else { 0 };
    FILES[..count].iter().map(|file| Change::new(*file)).collect()
}

#[test]
fn a_failing_system_call_leaves_the_old_file_or_the_new_one_and_is_reported() {
    let all: &[&str] = &["EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EXDEV", "EINTR"];
    let mut tried = 0;
    for change in changes() {
        // The same code writes every format.
        let every = bar::is_thorough() && change.host == FILES[0].0;
        for (index, call) in change.calls().into_iter().enumerate() {
            let one = &all[index % all.len()..][..1];
            for error in if every { all } else { one } {
                tried += 1;
                let case = format!("{} {call} {error}", change.host);
                let ran = call.fails(&change.env, &change.arguments(), error);
                let made = change.is_whole(&case);
                assert!(
                    made || (ran.code > 0 && ran.err.starts_with("skillpick: ")),
                    "{case}: {ran:?}"
                );
                assert!(
                    call.removes() || change.strays().is_empty(),
                    "{case}: {:?}",
                    change.strays()
                );
                change.goes_on(&case);
            }
        }
    }
    bar::tried(tried);
}

#[test]
fn a_short_write_at_any_byte_leaves_the_old_file_or_the_new_one() {
    let mut tried = 0;
    for change in changes() {
        let step = if bar::is_thorough() { 1 } else { 17 };
        for limit in (0..change.after.len() + 2).step_by(step) {
            let case = format!("{} at {limit} bytes", change.host);
            let ran = strace::limited(&change.env, &change.arguments(), limit);
            let made = change.is_whole(&case);
            assert!(
                made || (ran.code > 0 && ran.err.starts_with("skillpick: ")),
                "{case}: {ran:?}"
            );
            change.goes_on(&case);
            tried += 1;
        }
    }
    bar::tried(tried);
}

#[test]
fn a_kill_at_any_system_call_leaves_a_whole_file_and_the_next_run_cleans_up() {
    let mut tried = 0;
    for change in changes() {
        for call in change.calls() {
            let case = format!("{} {call} KILL", change.host);
            call.kills(&change.env, &change.arguments());
            change.is_whole(&case);
            change.goes_on(&case);
            tried += 1;
        }
    }
    bar::tried(tried);
}

/// A skill whose share or unshare fails halfway.
struct Sharing {
    env: TestEnv,
    is_shared: bool,
    /// How it is shared.
    how: &'static [&'static str],
}

impl Sharing {
    const UNSHARE: &[&str] = &["unshare", "pdf", "--from", "claude"];
    const ALL: [(bool, &[&str]); 4] =
        [(false, &[]), (true, &[]), (false, &["--copy"]), (true, &["--copy"])];

    fn new((is_shared, how): (bool, &'static [&'static str])) -> Self {
        let env = TestEnv::of("agents");
        env.write("home/.claude/settings.json", "{}\n");
        let sharing = Self { env, is_shared, how };
        sharing.begin();
        sharing
    }

    /// Restores the state before the run.
    fn begin(&self) {
        for path in ["repo/.claude", "home/.local"] {
            let _ = fs::remove_dir_all(self.env.at(path));
        }
        if self.is_shared {
            self.env.run(&self.share()).ended(0);
        }
    }

    fn share(&self) -> Vec<&'static str> {
        [&["share", "pdf", "--to", "claude"], self.how].concat()
    }

    fn arguments(&self) -> Vec<&'static str> {
        if self.is_shared { Self::UNSHARE.to_vec() } else { self.share() }
    }

    fn is_there(&self) -> bool {
        self.env.at("repo/.claude/skills/pdf").symlink_metadata().is_ok()
    }

    /// The system calls that change a folder.
    fn calls(&self) -> Vec<Call> {
        let names = ["rename", "renameat", "renameat2", "symlink", "symlinkat", "mkdir", "fsync"];
        let calls = strace::calls(&self.env, &self.arguments(), |call| {
            call.removes() || names.contains(&&*call.name)
        });
        self.begin();
        assert!(calls.len() > 8, "{calls:?}");
        calls
    }

    /// After any failure, what exists is recorded as ours, and what is missing can be made. What
    /// was left beside it is cleared.
    #[track_caller]
    fn goes_on(&self, case: &str) {
        let steps = [self.share(), Self::UNSHARE.to_vec()];
        for step in &steps[usize::from(self.is_there())..] {
            let ran = self.env.run(step);
            assert_eq!(ran.code, 0, "{case}: {ran:?}");
        }
        assert!(!self.is_there(), "{case}");
        let beside = self.env.at("repo/.claude/skills").read_dir().into_iter().flatten();
        let left: Vec<_> = beside.map(|entry| entry.unwrap().path()).collect();
        assert!(left.is_empty(), "{case}: {left:?}");
        self.begin();
    }
}

#[test]
fn a_share_killed_at_any_system_call_is_recorded_or_absent() {
    if !strace::works() {
        return;
    }
    for sharing in Sharing::ALL.map(Sharing::new) {
        for call in sharing.calls() {
            let case = format!("{call} EIO");
            let ran = call.fails(&sharing.env, &sharing.arguments(), "EIO");
            let is_done = sharing.is_there() != sharing.is_shared;
            assert_eq!(ran.code == 0, is_done, "{case}: {ran:?}");
            sharing.goes_on(&case);
            call.kills(&sharing.env, &sharing.arguments());
            sharing.goes_on(&format!("{call} KILL"));
        }
    }
}
