//! Amp: a list of permissions of which the first match decides, a further folder, and a switch for
//! Claude's folders.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{names, object, pair, quoted};

pub(crate) const AMP: Fuzzed = Fuzzed {
    host: &skillpick::hosts::AMP,
    project: &[".agents/skills", ".agents/skills", ".claude/skills", ".amp/skills", "further"],
    own: &[
        ".config/agents/skills",
        ".agents/skills",
        ".config/amp/skills",
        ".claude/skills",
        "own/amp/skills",
        "own/agents/skills",
    ],
    settings: &[
        Settings {
            files: &["home/.config/amp/settings.json", "home/.config/amp/settings.jsonc"],
            chance: 50,
            make: settings,
        },
        Settings {
            files: &["home/own/amp/settings.json", "home/own.json"],
            chance: 10,
            make: settings,
        },
        Settings {
            files: &["repo/.amp/settings.json", "{}/.amp/settings.json"],
            chance: 15,
            make: settings,
        },
    ],
    // A name that is no text makes it hang.
    spared: &[
        "name: 1",
        "name: 0",
        "name: true",
        "name: null",
        "name: ~",
        "name: [",
        "name: {",
        "name: 2",
        "name: \n  -",
    ],
    keys: &["isolatedContext: true", "disable-model-invocation: true", "argument-hint: x"],
    variables: &[
        ("XDG_CONFIG_HOME", &["@TOP@/home/own"]),
        ("AMP_SETTINGS_FILE", &["@TOP@/home/own.json"]),
    ],
    seeds: 1..3,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, laid: &Laid) -> String {
    let mut all = Vec::new();
    if random.chance(85) {
        let rules: Vec<String> = (0..random.between(0, 3)).map(|_| rule(random, laid)).collect();
        let rules = format!("[\n{}\n]", rules.join(",\n"));
        all.push(pair(random, "amp.permissions", &rules));
    }
    if random.chance(10) {
        let folder = random.word(&["further", "~/further", "@TOP@/repo/further", "a:b"]);
        all.push(pair(random, "amp.skills.path", &quoted(folder)));
    }
    if random.chance(10) {
        let on = random.word(&["true", "false"]);
        all.push(pair(random, "amp.skills.disableClaudeCodeSkills", on));
    }
    object(&all)
}

fn rule(random: &mut Random, laid: &Laid) -> String {
    let tool = random.word(&["skill", "skill", "skill", "*", "sk*", "Bash"]);
    let action = random.word(&["allow", "reject", "reject", "ask", "delegate"]);
    let name = match random.below(6) {
        0 => String::new(),
        1 => format!(", \"matches\": {{\"name\": {}}}", names(random, laid, 30)),
        _ => format!(", \"matches\": {{\"name\": {}}}", quoted(&laid.pattern(random))),
    };
    let to = if action == "delegate" { ", \"to\": \"x\"" } else { "" };
    format!("  {{\"tool\": \"{tool}\", \"action\": \"{action}\"{name}{to}}}")
}
