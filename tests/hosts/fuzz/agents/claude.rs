//! Claude Code: `skillOverrides` and `permissions` of four layers, and many keys of its own.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{list, object, pair, pairs, quoted};

pub(crate) const CLAUDE: Fuzzed = Fuzzed {
    host: &skillpick::hosts::CLAUDE,
    project: &[
        ".claude/skills",
        ".claude/skills",
        ".claude/skills",
        ".claude/skills",
        ".agents/skills",
        "skills",
    ],
    own: &[".claude/skills", ".claude/skills", "own/skills", ".agents/skills"],
    settings: &[
        Settings { files: &["home/.claude/settings.json"], chance: 40, make: settings },
        Settings {
            files: &[
                "{}/.claude/settings.json",
                "{}/.claude/settings.json",
                "repo/.claude/settings.json",
            ],
            chance: 35,
            make: settings,
        },
        Settings {
            files: &[
                "{}/.claude/settings.local.json",
                "{}/.claude/settings.local.json",
                "repo/.claude/settings.local.json",
                "home/.claude/settings.local.json",
            ],
            chance: 30,
            make: settings,
        },
        Settings { files: &["home/own/settings.json"], chance: 6, make: settings },
    ],
    keys: &[
        "user-invocable: false",
        "user-invocable: true",
        "user-invocable: \"false\"",
        "user-invocable: no",
        "user-invocable: 0",
        "user-invocable: False",
        "user-invocable:",
        "disable-model-invocation: true",
        "disable-model-invocation: yes",
        "disable-model-invocation: \"true\"",
        "when_to_use: When asked",
        "when_to_use: [a]",
        "argument-hint: [x]",
        "arguments: [a, b]",
        "arguments: a b",
        "context: fork",
        "context: inline",
        "agent: Explore",
        "agent: 5",
        "model: sonnet",
        "model: 5",
        "effort: high",
        "effort: wrong",
        "paths: src/**",
        "paths: [\"src/**\", \"*.ts\"]",
        "paths: \"*.ts\"",
        "paths: 5",
        "paths: **/*.ts",
        "enabled: false",
        "disabled: true",
        "hooks:\n  PreToolUse: []",
        "hooks: text",
        "shell: bash",
        "shell: wrong",
        "background: true",
        "disallowed-tools: Bash",
    ],
    variables: &[("CLAUDE_CONFIG_DIR", &["@TOP@/home/own"])],
    seeds: 1..3,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, laid: &Laid) -> String {
    let mut all = Vec::new();
    if random.chance(80) {
        let overrides = pairs(random, 3, |random| {
            let words = ["off", "off", "off", "on", "on", "name-only", "user-invocable-only"];
            let word = if random.chance(2) { "maybe" } else { random.word(&words) };
            let name = laid.name(random);
            pair(random, &name, &quoted(word))
        });
        all.push(pair(random, "skillOverrides", &overrides));
    }
    if random.chance(30) {
        let permissions = pairs(random, 2, |random| {
            let rules: Vec<String> =
                (0..random.between(0, 2)).map(|_| rule(random, laid)).collect();
            let rules = list(&rules);
            let key = random.word(&["deny", "deny", "allow", "ask"]);
            pair(random, key, &rules)
        });
        all.push(pair(random, "permissions", &permissions));
    }
    if random.chance(12) {
        let others = [
            "\"disableBundledSkills\": true",
            "\"enabledPlugins\": {}",
            "\"model\": \"sonnet\"",
            "\"unknown\": 1",
            "\"skillListingBudgetFraction\": 0.02",
            "\"includeCoAuthoredBy\": \"no\"",
            "\"env\": {\"A\": \"b\"}",
            "\"hooks\": {}",
        ];
        all.push(random.word(&others).to_owned());
    }
    object(&all)
}

fn rule(random: &mut Random, laid: &Laid) -> String {
    match random.below(8) {
        0 => "Skill".to_owned(),
        1 => "Skill(*)".to_owned(),
        2 => format!("Skill({}:*)", laid.name(random)),
        3 => "Bash(git:*)".to_owned(),
        4 => format!("Skill({})", laid.pattern(random)),
        _ => format!("Skill({})", laid.name(random)),
    }
}
