//! Qwen Code: lists of names that are off, off by default, and on again; trusted folders.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{names, object, pair, pairs, quoted};

pub(crate) const QWEN: Fuzzed = Fuzzed {
    host: &skillpick::hosts::QWEN,
    project: &[".qwen/skills", ".qwen/skills", ".agents/skills", ".claude/skills", "skills"],
    own: &[".qwen/skills", ".qwen/skills", ".agents/skills", ".claude/skills", "own/skills"],
    settings: &[
        Settings { files: &["home/.qwen/settings.json"], chance: 45, make: settings },
        Settings {
            files: &[
                "{}/.qwen/settings.json",
                "{}/.qwen/settings.json",
                "repo/.qwen/settings.json",
            ],
            chance: 40,
            make: settings,
        },
        Settings {
            files: &["home/own/settings.json", "home/system.json", "home/defaults.json"],
            chance: 10,
            make: settings,
        },
        Settings { files: &["home/.qwen/trustedFolders.json"], chance: 15, make: trusted },
    ],
    keys: &[
        "user-invocable: false",
        "user-invocable: \"false\"",
        "user-invocable: no",
        "disable-model-invocation: true",
        "disable-model-invocation: \"true\"",
        "paths: src/**",
        "paths: [\"src/**\"]",
        "paths: \"*.ts\"",
        "priority: 5",
        "priority: high",
        "argument-hint: [x]",
        "when_to_use: x",
        "model: x",
        "hooks: text",
    ],
    variables: &[
        ("QWEN_HOME", &["@TOP@/home/own", "~/own"]),
        ("QWEN_CODE_SYSTEM_SETTINGS_PATH", &["@TOP@/home/system.json"]),
        ("QWEN_CODE_SYSTEM_DEFAULTS_PATH", &["@TOP@/home/defaults.json"]),
    ],
    seeds: 1..3,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, laid: &Laid) -> String {
    let mut all = Vec::new();
    if random.chance(85) {
        let skills = pairs(random, 2, |random| {
            let names = names(random, laid, 6);
            let key = random.word(&["disabled", "disabled", "enabled", "defaultDisabled"]);
            pair(random, key, &names)
        });
        all.push(pair(random, "skills", &skills));
    }
    if random.chance(12) {
        let on = random.word(&["true", "false"]);
        let trust = format!("{{\"folderTrust\": {{\"enabled\": {on}}}}}");
        all.push(pair(random, "security", &trust));
    }
    if random.chance(10) {
        all.push(
            random.word(&["\"$version\": 3", "\"ui\": {\"theme\": \"x\"}", "\"x\": 1"]).to_owned(),
        );
    }
    object(&all)
}

fn trusted(random: &mut Random, _: &Laid) -> String {
    let folders = ["repo", "repo/a", "repo/a/b", "home", "worktree", ""];
    pairs(random, 3, |random| {
        let folder = quoted(&format!("@TOP@/{}", random.word(&folders)));
        let word = random.word(&["TRUST_FOLDER", "TRUST_FOLDER", "TRUST_PARENT", "DO_NOT_TRUST"]);
        format!("{folder}: {}", quoted(word))
    })
}
