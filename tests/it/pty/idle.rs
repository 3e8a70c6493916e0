//! A picker in which nothing happens does not wake up.

use super::setup::Setup;
use super::terminal::eventually;
use crate::env::TestEnv;
use rustix::event::{Timespec, poll};
use std::fs;

/// How often the threads of a process have gone to sleep, all together.
fn sleeps(pid: i32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let status = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("status")).ok());
    let count = |text: String| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:").map(str::to_owned));
        line.and_then(|number| number.trim().parse::<u64>().ok())
    };
    status.filter_map(count).sum()
}

/// Waits for a second in which next to nothing woke up.
fn sleeps_soon(pid: i32) {
    // What the start began (the second scan, colours) may still end within the first windows; a
    // clock never does.
    let mut grown = Vec::new();
    let quiet = (0..10).any(|_| {
        let before = sleeps(pid);
        poll(&mut [], Some(&Timespec { tv_sec: 1, tv_nsec: 0 })).unwrap();
        // A thread that has ended takes its count away: that is no quiet second either.
        grown.push(sleeps(pid).checked_sub(before));
        grown.last().is_some_and(|growth| growth.is_some_and(|growth| growth <= 3))
    });
    assert!(quiet, "it woke up so often in each second: {grown:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_quiet_picker_sleeps() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("The body of alpha");
    sleeps_soon(terminal.pid());
    terminal.type_keys("<^c>");
    terminal.exit();
}

#[test]
#[cfg(target_os = "linux")]
fn rem_9_a_log_that_is_looked_at_and_does_not_grow_wakes_nobody() {
    let env = TestEnv::with_four_skills();
    let alpha = env.at("repo/.agents/skills/alpha/SKILL.md");
    let call = format!(
        r#"{{"deed":"load","at_ms":1,"skill":"alpha","path":"{}","client":"cli"}}"#,
        alpha.display()
    );
    env.write("home/.local/state/skillpick/activity.jsonl", call);
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("The body of alpha");
    terminal.type_keys("<f7>");
    terminal.see("1 call");
    sleeps_soon(terminal.pid());
    terminal.type_keys("<^c>");
    terminal.exit();
}

/// How many reads a process has asked for.
fn reads(pid: i32) -> usize {
    let text = fs::read_to_string(format!("/proc/{pid}/io")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("syscr: "));
    line.unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn with_the_index_a_picker_sleeps_and_reads_once_what_changes_at_once() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    const SKILLS: usize = 5_000;
    let env = TestEnv::new();
    for (folder, what) in [("repo/.agents/skills", "before"), ("repo/next", "after")] {
        for number in 0..SKILLS {
            env.skill(folder, &format!("skill-{number}"), what);
        }
    }
    let listed = env.text("home/.cache/skillpick");
    // What changed in the last two seconds is not kept.
    eventually("an index", || {
        env.run(&["list"]).ended(0);
        fs::read_dir(&listed).is_ok_and(|files| files.count() > 0)
    });
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("before");
    sleeps_soon(terminal.pid());
    let before = reads(terminal.pid());
    let (next, skills) = (env.at("repo/next"), env.at("repo/.agents/skills"));
    // At once: a scan between two renames would find none.
    renameat_with(CWD, next, CWD, skills, RenameFlags::EXCHANGE).unwrap();
    terminal.see("after");
    sleeps_soon(terminal.pid());
    let read = reads(terminal.pid()) - before;
    assert!((SKILLS..SKILLS + SKILLS / 2).contains(&read), "{read} reads");
    terminal.type_keys("<^c>");
    terminal.exit();
}
