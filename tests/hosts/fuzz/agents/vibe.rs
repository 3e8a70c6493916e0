//! Mistral Vibe: lists of names and patterns in two files and in variables, further folders, trusted
//! folders.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{WRONG, list, quoted};

pub(crate) const VIBE: Fuzzed = Fuzzed {
    host: &skillpick::hosts::VIBE,
    project: &[
        ".vibe/skills",
        ".vibe/skills",
        ".agents/skills",
        ".agents/skills",
        ".claude/skills",
        "further",
    ],
    own: &[
        ".vibe/skills",
        ".vibe/skills",
        ".agents/skills",
        ".agents/skills",
        "own/skills",
        "further",
    ],
    settings: &[
        Settings { files: &["home/.vibe/config.toml"], chance: 50, make: settings },
        Settings {
            files: &["{}/.vibe/config.toml", "{}/.vibe/config.toml", "repo/.vibe/config.toml"],
            chance: 40,
            make: settings,
        },
        Settings { files: &["home/own/config.toml"], chance: 8, make: settings },
        Settings { files: &["home/.vibe/trusted_folders.toml"], chance: 92, make: trusted },
        Settings { files: &["home/own/trusted_folders.toml"], chance: 8, make: trusted },
    ],
    keys: &[
        "user-invocable: false",
        "user-invocable: \"no\"",
        "user_invocable: off",
        "user-invocable: 0",
        "user-invocable: maybe",
        "user-invocable:",
        "disable-model-invocation: true",
        "disable-model-invocation: \"text\"",
        "disable_model_invocation: 1",
        "allowed_tools: [a]",
        "license: 2024-01-01",
        "foo: 2024-13-45",
        "foo: ! 5",
        "foo: on",
        "enabled: false",
    ],
    variables: &[
        ("VIBE_HOME", &["@TOP@/home/own", "~/own"]),
        ("VIBE_DISABLED_SKILLS", &["[\"pdf\"]", "[\"d*\", \"re:.*e.*\"]", "pdf", "[5]"]),
        ("VIBE_ENABLED_SKILLS", &["[\"pdf\", \"*e*\"]", "[]", "[\"\"]"]),
        ("VIBE_SKILL_PATHS", &["[\"further\"]", "[\"~/further\"]", "further"]),
    ],
    trusts: &[("VIBE_SKILL_PATHS", "[\".vibe/skills\"]")],
    seeds: 1..3,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, laid: &Laid) -> String {
    let mut out = random.word(&["", "", "# mine\n", "x = 1\n"]).to_owned();
    let mut add = |random: &mut Random, key: &str, value: &str| {
        let wrong = || WRONG.iter().filter(|value| !value.contains("null") && !value.contains(':'));
        let wrong: Vec<&str> = wrong().copied().collect();
        let value = if random.chance(3) { random.word(&wrong) } else { value };
        out.push_str(&format!("{key} = {value}\n"));
    };
    if random.chance(60) {
        let names = covering(random, laid);
        add(random, "disabled_skills", &names);
    }
    if random.chance(15) {
        let names = covering(random, laid);
        add(random, "enabled_skills", &names);
    }
    if random.chance(20) {
        let folders =
            ["further", "./further", "~/further", "@TOP@/home/further", "../further", "no", "~"];
        let named = (0..random.between(0, 2)).map(|_| random.word(&folders).to_owned());
        let named = list(&named.collect::<Vec<_>>());
        add(random, "skill_paths", &named);
    }
    out.push_str(random.word(&["", "", "", "[disabled_tools]\n", "[session_logging]\n"]));
    out
}

/// A list of up to three names, globs and expressions.
fn covering(random: &mut Random, laid: &Laid) -> String {
    let mut texts = Vec::new();
    for _ in 0..random.between(0, 3) {
        let name = laid.name(random);
        texts.push(match random.below(16) {
            0 | 1 => laid.pattern(random),
            2 => format!("re:{name}"),
            3 => format!("re:{}.*", name.chars().take(2).collect::<String>()),
            4 => "re:[a-d].*|sql".to_owned(),
            5 => format!("[{}]*", name.chars().take(3).collect::<String>()),
            6 => format!("[!{}]*", name.chars().take(1).collect::<String>()),
            7 => random
                .word(&["re:", "re:[", "re:*", "[", "[]", "[!]", " ", "re:(a|p).+"])
                .to_owned(),
            _ => name,
        });
    }
    list(&texts)
}

fn trusted(random: &mut Random, _: &Laid) -> String {
    let folders =
        ["", "", "", "/repo", "/repo/a", "/repo/a/b", "/home", "/home/project", "/worktree"];
    let mut named = |least: usize, most: usize| {
        let texts = (0..random.between(least, most))
            .map(|_| format!("@TOP@{}", random.word(&folders)))
            .map(|path| quoted(&path));
        texts.collect::<Vec<_>>().join(", ")
    };
    let (trusted, untrusted) = (named(1, 4), named(0, 1));
    match random.below(40) {
        0 => "trusted = \"/\"\n".to_owned(),
        1 => "trusted = 5\n".to_owned(),
        2 => format!("trusted = [{trusted}]\n"),
        _ => format!("trusted = [{trusted}]\nuntrusted = [{untrusted}]\n"),
    }
}
