//! The index of parsed heads, with the real program: it saves reading, and nothing else depends on
//! it.

use super::strace;
use crate::env::{TestEnv, bar};
use crate::support::Ran;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const LIST: [&str; 2] = ["list", "--json"];
const CACHE: &str = "home/.cache/skillpick";

/// Skills in the repository and at home, whose times lie well in the past.
fn settled() -> TestEnv {
    let env = TestEnv::new();
    for number in 0..40 {
        env.skill("repo/.agents/skills", &format!("repo-{number}"), "In the repository.");
        env.skill("home/.agents/skills", &format!("home-{number}"), "At home.");
    }
    env.raw_skill("repo/.agents/skills/hides", "name: hides\ndescription: d", "x\u{202e}");
    env.raw_skill("repo/.agents/skills/broken", "name: broken", "");
    let meta = fs::metadata(env.at("repo/.agents/skills/broken/SKILL.md")).unwrap();
    let changed = UNIX_EPOCH + Duration::new(meta.ctime() as u64, meta.ctime_nsec() as u32);
    let deadline = SystemTime::now() + Duration::from_secs(30);
    while changed + Duration::from_millis(2_100) > SystemTime::now() {
        assert!(SystemTime::now() < deadline, "the clock stands still");
        std::thread::sleep(Duration::from_millis(20));
    }
    env
}

fn index(env: &TestEnv) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(env.at(CACHE)) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// The calls of this kind that a command makes.
fn traced(env: &TestEnv, arguments: &[&str], calls: &str) -> String {
    let trace = env.text("trace");
    let calls = format!("trace={calls}");
    let options = ["-e", &*calls, "-o", &trace];
    let output = strace::command(env, arguments, &options).output().unwrap();
    assert!(output.status.success());
    fs::read_to_string(trace).unwrap()
}

/// How often a `SKILL.md` is opened.
fn opened(env: &TestEnv, arguments: &[&str]) -> usize {
    let trace = traced(env, arguments, "openat");
    // By its path, or by its name in the folder that is open.
    ["/SKILL.md\"", "\"SKILL.md\""].iter().map(|name| trace.matches(name).count()).sum()
}

#[test]
fn a_second_list_opens_only_what_is_not_in_the_index_and_prints_the_same() {
    if !strace::works() {
        return;
    }
    let env = settled().variable("SKILLPICK_INDEX", "true");
    let without = env.run(&["list", "--json", "--no-index"]).ended(0);
    assert_eq!(index(&env), Vec::<PathBuf>::new());
    // What hides something is read once more, to see whether it was approved.
    assert_eq!(opened(&env, &LIST), 83);
    let files = index(&env);
    assert_eq!(files.len(), 4, "heads and folders of each root");
    let stamps = || files.iter().map(|file| fs::metadata(file).unwrap().ino()).collect::<Vec<_>>();
    let first = stamps();
    // What hides something or is refused is read each time.
    assert_eq!(opened(&env, &LIST), 3);
    assert_eq!(env.run(&LIST).ended(0).bytes, without.bytes);
    assert_eq!(stamps(), first, "a run without changes writes nothing");
    assert_eq!(opened(&env, &["list", "--json", "--no-index"]), 83);
    env.skill("repo/.agents/skills", "repo-7", "Something else.");
    assert_eq!(opened(&env, &LIST), 4);
    assert!(env.run(&LIST).out().contains("Something else."));
    let checked = env.run(&["check", "--json"]);
    assert_eq!(checked.bytes, env.run(&["check", "--json", "--no-index"]).bytes);
}

/// Some file systems are not believed (docs/performance.md); that of the tests' folder should be.
#[test]
fn a_second_list_looks_into_no_folder_that_has_not_changed() {
    if !strace::works() {
        return;
    }
    let env = settled().variable("SKILLPICK_INDEX", "true");
    let listed = |arguments: &[&str]| {
        let trace = traced(&env, arguments, "open,openat");
        let folders = trace.lines().filter(|line| line.contains("O_DIRECTORY"));
        folders.filter(|line| line.contains("/skills")).count()
    };
    // Two roots, and 82 folders in them.
    assert_eq!(listed(&LIST), 84);
    assert_eq!(listed(&LIST), 0);
    env.skill("repo/.agents/skills/repo-7/more", "inner", "In a folder that is new.");
    assert_eq!(listed(&LIST), 3, "the changed one, the new one, and the skill in it");
    assert_eq!(listed(&["list", "--json", "--no-index"]), 86);
}

#[test]
fn the_index_is_off_where_an_option_a_variable_or_a_setting_says_so() {
    let env = settled();
    let off = |env: &TestEnv, arguments: &[&str]| {
        env.run(arguments).ended(0);
        assert_eq!(index(env), Vec::<PathBuf>::new(), "{arguments:?}");
    };
    off(&env, &["list", "--no-index"]);
    env.settings("index = false\n");
    off(&env, &["list"]);
    // A repository cannot undo it.
    env.write("repo/.skillpick.toml", "version = 1\nindex = true\n");
    off(&env, &["list"]);
    env.settings("");
    env.write("repo/.skillpick.toml", "version = 1\nindex = false\n");
    off(&env, &["list"]);
    fs::remove_file(env.at("repo/.skillpick.toml")).unwrap();
    let env = env.variable("SKILLPICK_INDEX", "false");
    off(&env, &["list"]);
    let mut env = env;
    env.variables.clear();
    env.run(&["list"]).ended(0);
    assert_eq!(index(&env).len(), 4);
}

#[test]
fn an_index_in_the_repository_is_neither_read_nor_written() {
    let env = settled();
    let inside = env.text("repo/cache");
    let env = env.variable("XDG_CACHE_HOME", &inside);
    env.run(&["list"]).ended(0);
    assert!(!env.at("repo/cache").exists());
}

/// Every way to be killed or to fail at a call on the index.
fn calls(env: &TestEnv) -> Vec<strace::Call> {
    let calls = strace::calls(env, &LIST, |call| {
        call.arguments.contains("/.cache/skillpick") || call.arguments.contains("/.cache\"")
    });
    assert!(calls.len() >= 6, "{calls:?}");
    calls
}

fn forget(env: &TestEnv) {
    let _ = fs::remove_dir_all(env.at("home/.cache"));
}

#[test]
fn a_list_that_is_killed_while_it_writes_the_index_leaves_one_that_the_next_can_use() {
    if !strace::works() {
        return;
    }
    let env = settled().variable("SKILLPICK_INDEX", "true");
    let without = env.run(&["list", "--json", "--no-index"]).ended(0);
    let calls = calls(&env);
    let kills = bar::share(200);
    for call in calls.iter().cycle().take(kills) {
        forget(&env);
        call.kills(&env, &LIST);
        assert_eq!(env.run(&LIST).ended(0).bytes, without.bytes, "{call} KILL");
        assert_eq!(env.run(&LIST).ended(0).bytes, without.bytes, "{call} KILL, twice");
    }
    bar::tried(kills);
}

#[test]
fn a_list_whose_index_cannot_be_written_prints_the_same_and_ends_well() {
    if !strace::works() {
        return;
    }
    let env = settled().variable("SKILLPICK_INDEX", "true");
    let without = env.run(&["list", "--json", "--no-index"]).ended(0);
    let same = |ran: Ran, case: &str| {
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{case}");
        assert_eq!(ran.bytes, without.bytes, "{case}");
    };
    // Calls are counted in each thread, so only those that no scanning thread makes.
    let of_scans = ["openat", "read", "statx", "newfstatat", "getdents64"];
    let mut calls = calls(&env);
    calls.retain(|call| !of_scans.contains(&call.name.as_str()));
    assert!(calls.len() >= 4, "{calls:?}");
    for (at, call) in calls.iter().enumerate() {
        let error = ["ENOSPC", "EROFS", "EACCES", "EIO", "EDQUOT"][at % 5];
        forget(&env);
        same(call.fails(&env, &LIST, error), &format!("{call} {error}"));
        let strays = index(&env).into_iter().filter(|path| path.extension().is_some());
        assert_eq!(strays.count(), 0, "{call} {error}");
        same(env.run(&LIST), &format!("after {call} {error}"));
    }
    // A full disk: the write that crosses the limit is short.
    for limit in (0..16_384).step_by(if bar::is_thorough() { 512 } else { 2_048 }) {
        forget(&env);
        same(strace::limited(&env, &LIST, limit), &format!("{limit} bytes"));
        same(env.run(&LIST), &format!("after {limit} bytes"));
    }
    // No folder can be made.
    forget(&env);
    env.write("home/.cache", "x");
    same(env.run(&LIST), "a file in its place");
}

#[test]
fn programs_at_once_list_the_same_and_leave_an_index_that_all_can_use() {
    let env = settled();
    let without = env.run(&["list", "--json", "--no-index"]).ended(0);
    for _ in 0..5 {
        forget(&env);
        let piped = || env.command(&LIST).stdout(std::process::Stdio::piped()).spawn().unwrap();
        let running: Vec<_> = (0..4).map(|_| piped()).collect();
        for one in running {
            assert!(one.wait_with_output().unwrap().stdout == without.bytes);
        }
        assert_eq!(index(&env).len(), 4);
    }
    assert!(env.run(&LIST).bytes == without.bytes);
}
