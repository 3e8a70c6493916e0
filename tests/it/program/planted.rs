//! Links and files that somebody planted where the program writes beside: it neither follows nor
//! overwrites them.

use crate::env::{TestEnv, bar};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

const VICTIM: &str = "outside/victim";

/// Runs that write each file of ours, and settings of ours and of an agent.
const RUNS: [&[&str]; 7] = [
    &["-1", "-q", "pdf"],
    &["load", "pdf", "--session", "chat"],
    &["approve", "sly", "--yes"],
    &["share", "pdf", "--to", "claude"],
    &["disable", "pdf", "--host", "agents", "--in", "user"],
    &["disable", "pdf", "--host", "claude", "--in", "user"],
    &["undo"],
];

fn env() -> TestEnv {
    let env = TestEnv::of("agents");
    env.raw_skill("repo/.agents/skills/sly", "name: sly\ndescription: d", "x\u{202e}");
    env.write("home/.claude/settings.json", "{}\n");
    env.settings("");
    fs::create_dir(env.at("outside")).unwrap();
    env
}

/// Every file in the home, by its path below the top.
fn files(env: &TestEnv) -> BTreeSet<PathBuf> {
    let (mut folders, mut found) = (vec![env.at("home")], BTreeSet::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(&env.top).unwrap().to_owned());
            }
        }
    }
    found
}

/// The names that the runs make, each planted before the runs as a link to a file of somebody else,
/// to one that holds what ours does, and to nothing.
#[test]
fn no_name_that_we_write_leads_our_bytes_elsewhere() {
    let first = env();
    let before = files(&first);
    RUNS.iter().for_each(|run| drop(first.run(run)));
    let names: Vec<PathBuf> = files(&first).difference(&before).cloned().collect();
    assert!(names.len() >= 10, "{names:?}");
    for name in &names {
        let ours = fs::read(first.at(name)).unwrap();
        for target in [Some(b"mine".to_vec()), Some(ours), None] {
            let env = env();
            let planted = env.at(name);
            fs::create_dir_all(planted.parent().unwrap()).unwrap();
            if let Some(bytes) = &target {
                env.write(VICTIM, bytes);
            }
            symlink(env.at(VICTIM), &planted).unwrap();
            for run in RUNS {
                let ran = env.run(run);
                assert!(
                    ran.code >= 0 && !ran.err.contains("panicked"),
                    "{name:?} {run:?}: {ran:?}"
                );
            }
            assert_eq!(fs::read(env.at(VICTIM)).ok(), target, "{name:?}");
        }
        bar::tried(1);
    }
}
