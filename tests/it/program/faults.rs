//! Whatever call of a change of settings fails, and at
//! whichever the program is killed, the file is the old one or the new one, and the next run finds
//! its way. Driven by strace, which makes calls fail.

use crate::support::{House, Ran, skipped};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// The calls that are made to fail.
const CALLS: &str = "openat,read,write,fsync,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,flock,fchmod,fchown,\
                     ftruncate,newfstatat,statx,getdents64,linkat,symlinkat";

/// An agent, its settings file and what stands in it: one of each format.
#[rustfmt::skip]
const FILES: &[(&str, &str, &str)] = &[
    ("agents", "home/.config/skillpick/config.toml", "version = 1 # mine\n"),
    ("claude", "home/.claude/settings.json", "{\n  \"model\": \"x\"\n}\n"),
    ("gemini", "home/.gemini/settings.json", "{\n  // mine\n  \"ui\": {}\n}\n"),
    ("kodelet", "home/.kodelet/config.yaml", "# mine\nmodel: x\n"),
];

/// A settings file that is changed, and how it is before and after.
struct Change {
    house: House,
    host: &'static str,
    file: &'static str,
    before: &'static str,
    after: String,
}

impl Change {
    fn new((host, file, before): (&'static str, &'static str, &'static str)) -> Self {
        let house = House::of(host);
        house.write(file, before);
        let mut change = Self { house, host, file, before, after: String::new() };
        change.make().ended(0);
        change.after = change.house.read(file);
        change.back();
        change
    }

    fn arguments(&self) -> [&str; 6] {
        ["disable", "pdf", "--host", self.host, "--in", "user"]
    }

    fn make(&self) -> Ran {
        self.house.run(&self.arguments())
    }

    /// As it was at first, with nothing to undo.
    fn back(&self) {
        let _ = fs::remove_dir_all(self.house.at("home/.local"));
        self.house.write(self.file, self.before);
    }

    /// Makes the change under strace with these further options.
    fn traced(&self, options: &[&str]) -> Ran {
        let mut strace = Command::new("strace");
        strace.arg("-f").args(options);
        let program = self.house.command(&self.arguments());
        strace.arg(program.get_program()).args(program.get_args()).env_clear().stdin(Stdio::null());
        strace.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = strace.current_dir(self.house.at("repo")).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        Ran { code: output.status.code().unwrap_or(-1), bytes: output.stdout, err }
    }

    /// The calls of the main thread from when it begins to write: each by its name and how many of
    /// that name came before.
    fn calls(&self) -> Vec<(String, usize)> {
        let trace = self.house.text("trace");
        self.traced(&["-e", &format!("trace={CALLS}"), "-o", &trace]).ended(0);
        self.back();
        let trace = fs::read_to_string(trace).unwrap();
        let main = trace.split(' ').next().unwrap().to_owned();
        let (mut calls, mut counts, mut begun) =
            (Vec::new(), std::collections::HashMap::new(), false);
        for line in trace.lines() {
            let Some((process, call)) = line.split_once(' ') else { continue };
            let Some((name, rest)) = call.trim_start().split_once('(') else { continue };
            if process != main || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
                continue;
            }
            let count: &mut usize = counts.entry(name.to_owned()).or_default();
            *count += 1;
            begun |= rest.contains("undo.lock");
            // What is said to the person is another row.
            if begun && !(name == "write" && (rest.starts_with("1,") || rest.starts_with("2,"))) {
                calls.push((name.to_owned(), *count));
            }
        }
        assert!(calls.len() > 20, "{calls:?}");
        calls
    }

    /// The file is the old one or the new one; whether it is the new one.
    #[track_caller]
    fn is_whole(&self, case: &str) -> bool {
        let now = self.house.read(self.file);
        assert!(now == self.before || now == self.after, "{case}: torn: {now}");
        now == self.after
    }

    /// Temporary files beside the settings.
    fn strays(&self) -> Vec<PathBuf> {
        let folder = self.house.at(self.file);
        let beside =
            fs::read_dir(folder.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
        beside.filter(|path| *path != folder).collect()
    }

    /// A later run makes the change, cleans up, and it can be taken back.
    #[track_caller]
    fn goes_on(&self, case: &str) {
        // What is younger than ten minutes may be another process's that still writes.
        let later = SystemTime::now() - Duration::from_secs(601);
        for stray in self.strays() {
            fs::File::options().write(true).open(stray).unwrap().set_modified(later).unwrap();
        }
        // Where it is made already nothing is written, nothing cleaned up, and it can be taken back
        // if it was noted.
        if self.is_whole(case) {
            assert!(self.make().code == 0 && self.is_whole(case), "{case}");
            let undone = self.house.run(&["undo"]);
            assert!(undone.code == i32::from(self.is_whole(case)), "{case}: {undone:?}");
            self.back();
        }
        let again = self.make();
        assert!(again.code == 0 && self.is_whole(case), "{case}: {again:?}");
        assert!(self.strays().is_empty(), "{case}: {:?}", self.strays());
        let undone = self.house.run(&["undo"]);
        // Killed before the change was noted there is nothing to take back; noted and made, it is
        // taken back.
        assert!(undone.code == 0 && !self.is_whole(case), "{case}: {undone:?}");
        self.back();
    }
}

/// One file in short, all where there is time; nothing where calls cannot be made to fail.
fn changes() -> Vec<Change> {
    let works = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    if !works.is_ok_and(|output| output.status.success()) {
        skipped("strace is not here (`just ci` installs it) or may not trace");
        return Vec::new();
    }
    let count = if std::env::var_os("SKILLPICK_THOROUGH").is_some() { FILES.len() } else { 1 };
    FILES[..count].iter().map(|file| Change::new(*file)).collect()
}

#[test]
fn a_call_that_fails_leaves_the_old_file_or_the_new_one_and_says_so() {
    let all: &[&str] = &["EIO", "ENOSPC", "EDQUOT", "EROFS", "EXDEV", "EINTR"];
    for change in changes() {
        let thorough = std::env::var_os("SKILLPICK_THOROUGH").is_some();
        // What is written is the same code for every format.
        let errors = if thorough && change.host == FILES[0].0 { all } else { &all[..1] };
        for (call, count) in change.calls() {
            for error in errors {
                let case = format!("{} {call} {count} {error}", change.host);
                let ran = change.traced(&[
                    "-o",
                    "/dev/null",
                    "-e",
                    &format!("inject={call}:error={error}:when={count}"),
                ]);
                let made = change.is_whole(&case);
                assert!(
                    made || (ran.code > 0 && ran.err.starts_with("skillpick: ")),
                    "{case}: {ran:?}"
                );
                let cannot_remove = call.starts_with("unlink") || call == "rmdir";
                assert!(
                    cannot_remove || change.strays().is_empty(),
                    "{case}: {:?}",
                    change.strays()
                );
                change.goes_on(&case);
            }
        }
    }
}

#[test]
fn killed_at_any_call_it_leaves_a_whole_file_and_the_next_run_cleans_up() {
    for change in changes() {
        for (call, count) in change.calls() {
            let case = format!("{} {call} {count} KILL", change.host);
            let ran = change.traced(&[
                "-o",
                "/dev/null",
                "-e",
                &format!("inject={call}:signal=KILL:when={count}"),
            ]);
            assert_ne!(ran.code, 0, "{case}: it was to be killed");
            change.is_whole(&case);
            change.goes_on(&case);
        }
    }
}
