//! Copilot CLI: a list of disabled names and one of further folders, in the person's settings.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{list, names, object, pair};

pub(crate) const COPILOT: Fuzzed = Fuzzed {
    host: &skillpick::hosts::COPILOT,
    project: &[
        ".github/skills",
        ".github/skills",
        ".agents/skills",
        ".agents/skills",
        ".claude/skills",
        ".copilot/skills",
        "further",
    ],
    own: &[
        ".copilot/skills",
        ".copilot/skills",
        ".agents/skills",
        ".claude/skills",
        "own/skills",
        ".github/skills",
    ],
    settings: &[
        Settings { files: &["home/.copilot/settings.json"], chance: 50, make: settings },
        Settings {
            files: &["home/own/settings.json", "home/.copilot/config.json"],
            chance: 10,
            make: settings,
        },
        Settings {
            files: &[
                "repo/.github/copilot/settings.json",
                "{}/.github/copilot/settings.json",
                "{}/.copilot/settings.json",
            ],
            chance: 15,
            make: settings,
        },
    ],
    keys: &[
        "user-invocable: false",
        "user-invocable: true",
        "user-invocable: \"false\"",
        "user-invocable: no",
        "user-invocable: 0",
        "user-invocable: [a]",
        "disable-model-invocation: true",
        "disable-model-invocation: \"true\"",
        "disable-model-invocation: yes",
        "disable-model-invocation: 1",
        "when_to_use: When asked",
        "when_to_use: 5",
        "when_to_use: [a]",
        "argument-hint: \"[x]\"",
        "argument-hint: [x]",
        "context: fork",
        "model: x",
        "tools: [a]",
        "allowed-tools: [5]",
        "allowed-tools: [[a]]",
        "allowed-tools: true",
    ],
    variables: &[("COPILOT_HOME", &["@TOP@/home/own"])],
    seeds: 1..3,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, laid: &Laid) -> String {
    let mut all = Vec::new();
    if random.chance(85) {
        let names = names(random, laid, 5);
        all.push(pair(random, "disabledSkills", &names));
    }
    if random.chance(15) {
        let folders =
            ["further", "./further", "~/further", "@TOP@/repo/further", "@TOP@/repo/.agents", "no"];
        let folders = list(&[random.word(&folders).to_owned()]);
        all.push(pair(random, "skillDirectories", &folders));
    }
    if random.chance(15) {
        all.push(
            random.word(&["\"banner\": \"never\"", "\"model\": \"x\"", "\"x\": 1"]).to_owned(),
        );
    }
    object(&all)
}
