//! A tree that changes and vanishes all the time: whatever is loaded, read and listed is one whole
//! version of a file, or a refusal.

use super::Client;
use crate::env::{TestEnv, bar};
use serde_json::{Value as Json, json};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

const LINES: usize = 300;

/// The repeated line of a version.
fn line(letter: char) -> String {
    letter.to_string().repeat(60)
}

fn text(letter: char) -> String {
    let body = format!("{}\n", line(letter)).repeat(LINES);
    format!("---\nname: turn\ndescription: {}\n---\n{body}", line(letter))
}

/// Writes a version of the skill to a folder of its own.
fn stage(env: &TestEnv, folder: &str, letter: char) {
    env.write(format!("{folder}/SKILL.md"), text(letter));
    env.write(format!("{folder}/references/r.md"), text(letter));
}

/// One change after the other, until it is over: files replaced, folders exchanged, all gone.
fn change(env: &TestEnv, over: &AtomicBool) {
    let (skill, away) = (env.at("repo/.agents/skills/turn"), env.at("away"));
    for round in 0.. {
        if over.load(Ordering::Relaxed) {
            return;
        }
        let letter = ['A', 'B'][round % 2];
        match round % 7 {
            0..=2 => {
                for file in ["SKILL.md", "references/r.md"] {
                    let fresh = env.write("fresh", text(letter));
                    fs::rename(fresh, skill.join(file)).unwrap();
                }
            }
            3 | 4 => {
                stage(env, "staged", letter);
                fs::rename(&skill, &away).unwrap();
                fs::rename(env.at("staged"), &skill).unwrap();
                fs::remove_dir_all(&away).unwrap();
            }
            5 => {
                fs::remove_file(skill.join("SKILL.md")).unwrap();
                fs::remove_dir_all(skill.join("references")).unwrap();
                stage(env, "repo/.agents/skills/turn", letter);
            }
            _ => {
                fs::remove_dir_all(&skill).unwrap();
                stage(env, "staged", letter);
                fs::rename(env.at("staged"), &skill).unwrap();
            }
        }
    }
}

/// The version whose whole text this is; nothing if it has none of it.
#[track_caller]
fn version(answer: &Json, tool: &str) -> Option<char> {
    let text = answer.to_string();
    let counts = ['A', 'B'].map(|letter| text.matches(&line(letter)).count());
    match counts {
        [0, 0] => None,
        [_, 0] => Some('A'),
        [0, _] => Some('B'),
        _ => panic!("{tool}: a mix of {counts:?} lines"),
    }
}

#[test]
fn what_is_loaded_read_and_listed_while_a_tree_changes_is_one_version_or_a_refusal() {
    let mut env = TestEnv::new();
    env.skill("repo/.agents/skills", "quiet", "Stays.");
    stage(&env, "repo/.agents/skills/turn", 'A');
    env = env.variable("TZ", "UTC");
    let over = AtomicBool::new(false);
    let rounds = bar::share(10_000);
    let mut seen = [0_usize; 3];
    std::thread::scope(|scope| {
        scope.spawn(|| change(&env, &over));
        let mut client = Client::new(&env, &[]);
        let answers: Vec<(&str, Json)> = (0..rounds)
            .map(|round| {
                let (tool, arguments) = match round % 3 {
                    0 => ("skill_load", json!({ "name": "turn" })),
                    1 => ("skill_read", json!({ "skill": "turn", "path": "references/r.md" })),
                    _ => ("skills_list", json!({})),
                };
                let params = json!({ "name": tool, "arguments": arguments });
                (tool, client.result("tools/call", params)["content"].clone())
            })
            .collect();
        over.store(true, Ordering::Relaxed);
        for (tool, answer) in &answers {
            if *tool == "skills_list" {
                assert!(answer.to_string().contains("quiet"), "{answer}");
            }
            let at = match version(answer, tool) {
                Some('A') => 0,
                Some(_) => 1,
                None => 2,
            };
            seen[at] += 1;
        }
    });
    assert!(seen[0] > 0 && seen[1] > 0, "nothing changed: {seen:?}");
    bar::tried(rounds);
}
