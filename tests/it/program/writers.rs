//! Twenty of us change one settings file at the same moment, alone and beside an editor that knows
//! nothing of us.

use crate::env::{TestEnv, bar};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

const WRITERS: usize = 20;

/// An agent and its settings file: one of each format.
#[rustfmt::skip]
const FILES: [(&str, &str, &str); 3] = [
    ("agents", "home/.config/skillpick/config.toml", "version = 1\n"),
    ("gemini", "home/.gemini/settings.json", "{\n  \"ui\": {}\n}\n"),
    ("kodelet", "home/.kodelet/config.yaml", "model: x\n"),
];

fn env(host: &str) -> TestEnv {
    let env = TestEnv::of(host);
    let folder = if host == "kodelet" { ".kodelet" } else { ".agents" };
    for number in 0..WRITERS {
        env.skill(&format!("repo/{folder}/skills"), &format!("turn-{number:02}"), "Turns.");
    }
    env
}

/// Every writer switches its own skill off. Returns who was told of a conflict.
fn all_write(env: &TestEnv, host: &str, writers: usize) -> Vec<usize> {
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..writers)
            .map(|number| {
                scope.spawn(move || {
                    let skill = format!("turn-{number:02}");
                    let ran = env.run(&["disable", &skill, "--host", host, "--in", "user"]);
                    let is_told = ran.err.starts_with("skillpick: ");
                    // What the others do is not taken for an effect of ours. Only a whole list of
                    // what is on, made from an older file, would undo what they did.
                    let is_mistaken = host != "kodelet" && ran.err.contains("it would switch");
                    assert!(ran.code == 0 || is_told && !is_mistaken, "{ran:?}");
                    (ran.code != 0).then_some(number)
                })
            })
            .collect();
        writers.into_iter().filter_map(|writer| writer.join().unwrap()).collect()
    })
}

/// Each of them is overtaken only by one that got through, so that all do.
#[test]
fn a_few_writers_at_once_all_make_their_change() {
    for _ in 0..bar::share(5) {
        let env = env("agents");
        let (host, file, before) = FILES[0];
        env.write(file, before);
        assert_eq!(all_write(&env, host, 8), [0; 0]);
        let text = env.read(file);
        assert!((0..8).all(|number| text.contains(&format!("turn-{number:02}"))), "{text}");
    }
}

#[test]
fn a_few_writers_at_once_that_find_no_file_all_make_their_change() {
    for _ in 0..bar::share(10) {
        let env = env("gemini");
        let (host, file, _) = FILES[1];
        assert_eq!(all_write(&env, host, 6), [0; 0]);
        let text = env.read(file);
        assert!((0..6).all(|number| text.contains(&format!("turn-{number:02}"))), "{text}");
    }
}

#[test]
fn twenty_writers_at_once_all_make_their_change_or_are_told() {
    let mut tried = 0;
    for (host, file, before) in FILES {
        for _ in 0..bar::share(10) {
            let env = env(host);
            env.write(file, before);
            let told = all_write(&env, host, WRITERS);
            let text = env.read(file);
            for number in (0..WRITERS).filter(|number| !told.contains(number)) {
                // Kodelet has a list of what is on, the others say what is off.
                let is_off = text.contains(&format!("turn-{number:02}")) != (host == "kodelet");
                assert!(is_off, "{host}: {number} is lost: {text}");
            }
            assert!(told.len() < WRITERS, "{host}: nobody got through");
            let list = env.run(&["list", "--host", host]).ended(0);
            assert!(list.err.is_empty(), "{host}: {list:?}");
            let folder = env.at(file);
            let beside = fs::read_dir(folder.parent().unwrap()).unwrap().count();
            assert_eq!(beside, 1, "{host}: something is left beside {file}");
            tried += WRITERS;
        }
    }
    bar::tried(tried);
}

/// The editor adds a comment after the other: whatever it wrote stays.
#[test]
fn an_outside_editor_beside_twenty_writers_loses_nothing() {
    let mut tried = 0;
    for truncates in [false, true] {
        for _ in 0..bar::share(10) {
            let env = env("agents");
            let path = env.write(FILES[0].1, "version = 1\n# end\n");
            let over = AtomicBool::new(false);
            let edits = std::thread::scope(|scope| {
                let editor = scope.spawn(|| {
                    let mut edits = 0;
                    while !over.load(Ordering::Relaxed) {
                        let text = fs::read_to_string(&path).unwrap_or_default();
                        // It sees its own last edit, as soon as we have put it back.
                        let last = edits == 0 || text.contains(&format!("# edit {edits}\n"));
                        if !last || !text.contains("# end\n") {
                            continue;
                        }
                        edits += 1;
                        let new = text.replace("# end\n", &format!("# edit {edits}\n# end\n"));
                        if truncates {
                            fs::write(&path, new).unwrap();
                        } else {
                            fs::write(env.at("editor"), new).unwrap();
                            fs::rename(env.at("editor"), &path).unwrap();
                        }
                    }
                    edits
                });
                // Ends the editor, also where a writer fails.
                let written = std::panic::catch_unwind(|| all_write(&env, "agents", WRITERS));
                over.store(true, Ordering::Relaxed);
                let edits = editor.join().unwrap();
                written.unwrap();
                edits
            });
            let text = env.read(FILES[0].1);
            for edit in 1..=edits {
                assert!(text.contains(&format!("# edit {edit}\n")), "{edit} of {edits}: {text}");
            }
            env.run(&["list"]).ended(0);
            tried += WRITERS;
        }
    }
    bar::tried(tried);
}
