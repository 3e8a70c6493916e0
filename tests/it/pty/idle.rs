//! A picker in which nothing happens does not wake up.

use super::setup::Setup;
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
        grown.push(sleeps(pid) - before);
        grown.last().is_some_and(|growth| *growth <= 3)
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
