//! Odd circumstances at the start: the clock, the mask of modes, the language, places that cannot be
//! written. Everything starts, and every file of ours is private.

use crate::env::{TestEnv, bar};
use serde_json::Value as Json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

const STATE: &str = "home/.local/state/skillpick";

/// Runs that write every file of ours: picks, the conversation, the log, the journal, settings.
const RUNS: [&[&str]; 5] = [
    &["-1", "-q", "pdf-forms"],
    &["load", "pdf-forms", "--session", "chat"],
    &["disable", "pdf-forms", "--host", "agents", "--in", "user"],
    &["undo"],
    &["activity", "--json"],
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn state_files(env: &TestEnv) -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&env.at(STATE), &mut found);
    found
}

#[test]
fn under_any_mask_and_in_any_language_files_are_private_and_answers_the_same() {
    let plain = TestEnv::furnished();
    let wanted: Vec<String> = RUNS[..3]
        .iter()
        .map(|run| plain.run(run).ended(0).out().replace(&plain.text(""), ""))
        .collect();
    let mut tried = 0;
    for mask in ["000", "022", "077", "777"] {
        for (language, zone) in [("C", "UTC"), ("POSIX", "Nowhere/Odd"), ("tr_TR.UTF-8", ":bad")] {
            let env = TestEnv::furnished()
                .variable("LC_ALL", language)
                .variable("LANG", language)
                .variable("TZ", zone);
            for (index, run) in RUNS.iter().enumerate() {
                let case = format!("umask {mask}, {language}, {run:?}");
                let program = env.command(run);
                let mut shell = Command::new("sh");
                shell.args(["-c", &format!("umask {mask}; exec \"$@\""), "sh"]);
                shell.arg(program.get_program()).args(program.get_args()).env_clear();
                shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
                let ran = shell.current_dir(env.at("repo")).output().unwrap();
                assert!(ran.status.success(), "{case}: {ran:?}");
                if let Some(wanted) = wanted.get(index) {
                    let out = String::from_utf8(ran.stdout).unwrap().replace(&env.text(""), "");
                    assert_eq!(out, *wanted, "{case}");
                }
            }
            let files = state_files(&env);
            assert!(files.len() >= 3, "{files:?}");
            for file in files {
                let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
                assert_eq!(mode & 0o077, 0, "umask {mask}: {} has mode {mode:o}", file.display());
            }
            tried += 1;
        }
    }
    bar::tried(tried);
}

/// Sets every time in a document of ours, and says how many there were.
fn shift(document: &mut Json, by_ms: i64) -> usize {
    match document {
        Json::Array(items) => items.iter_mut().map(|item| shift(item, by_ms)).sum(),
        Json::Object(fields) => fields
            .iter_mut()
            .map(|(key, value)| match value.as_i64() {
                Some(at) if key.ends_with("_ms") => {
                    *value = (at.saturating_add(by_ms)).into();
                    1
                }
                _ => shift(value, by_ms),
            })
            .sum(),
        _ => 0,
    }
}

/// A jump of the clock is the same as files from another time.
#[test]
fn files_from_the_future_and_from_the_beginning_of_time_are_read_and_written_on() {
    const YEARS: i64 = 30 * 365 * 24 * 3_600 * 1_000;
    let mut tried = 0;
    for by_ms in [YEARS, -YEARS, i64::MAX, 1_000, -1_000] {
        let env = TestEnv::furnished();
        RUNS.iter().for_each(|run| drop(env.run(run).ended(0)));
        let mut times = 0;
        for file in state_files(&env) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            let shifted: Vec<String> = text
                .split_inclusive('\n')
                .map(|line| match serde_json::from_str::<Json>(line) {
                    Ok(mut document) => {
                        times += shift(&mut document, by_ms);
                        format!("{document}\n")
                    }
                    Err(_) => line.to_owned(),
                })
                .collect();
            fs::write(&file, shifted.concat()).unwrap();
            let now = SystemTime::now();
            let by = Duration::from_millis(by_ms.unsigned_abs().min(YEARS.unsigned_abs()));
            let at = if by_ms > 0 { now + by } else { now - by };
            fs::File::options().write(true).open(&file).unwrap().set_modified(at).unwrap();
        }
        assert!(times >= 2, "no file holds a time");
        for run in RUNS {
            let ran = env.run(run);
            assert!(ran.code == 0 && !ran.err.contains("panic"), "{by_ms} {run:?}: {ran:?}");
        }
        env.run(&["list", "--json"]).ended(0);
        tried += 1;
    }
    bar::tried(tried);
}
