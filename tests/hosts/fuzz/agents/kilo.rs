//! Kilo Code: opencode's settings in files and folders of its own, for an agent with two names.

use super::opencode::{CONTENTS, PERMISSIONS, settings_of};
use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::tree::Item;

pub(crate) const KILO: Fuzzed = Fuzzed {
    host: &skillpick::hosts::KILO,
    project: &[
        ".kilo/skills",
        ".kilocode/skills",
        ".kilo/skill",
        ".agents/skills",
        ".claude/skills",
        "further",
    ],
    own: &[
        ".config/kilo/skills",
        ".config/kilo/skill",
        ".kilo/skills",
        ".kilocode/skills",
        ".agents/skills",
        ".claude/skills",
        "own-config/kilo/skills",
        "own-folder/skills",
    ],
    settings: &[
        Settings {
            files: &[
                "home/.config/kilo/kilo.json",
                "home/.config/kilo/kilo.jsonc",
                "home/.config/kilo/config.json",
                "home/.config/kilo/opencode.json",
            ],
            chance: 45,
            make: settings,
        },
        Settings {
            files: &["repo/kilo.json", "{}/kilo.json", "{}/kilo.jsonc", "{}/opencode.json"],
            chance: 45,
            make: settings,
        },
        Settings {
            files: &[
                "repo/.kilo/kilo.json",
                "{}/.kilo/kilo.jsonc",
                "{}/.kilocode/opencode.json",
                "home/.kilo/kilo.json",
            ],
            chance: 20,
            make: settings,
        },
        Settings {
            files: &[
                "home/own.json",
                "home/own-folder/kilo.json",
                "home/own-config/kilo/kilo.json",
            ],
            chance: 12,
            make: settings,
        },
    ],
    variables: &[
        ("XDG_CONFIG_HOME", &["@TOP@/home/own-config"]),
        ("KILO_CONFIG", &["@TOP@/home/own.json"]),
        ("KILO_CONFIG_DIR", &["@TOP@/home/own-folder"]),
        ("KILO_CONFIG_CONTENT", CONTENTS),
        ("KILO_PERMISSION", PERMISSIONS),
        ("KILO_DISABLE_PROJECT_CONFIG", &["1", "true", "0", "false"]),
        ("KILO_DISABLE_EXTERNAL_SKILLS", &["1", "true", "0", "yes"]),
        ("KILO_DISABLE_CLAUDE_CODE", &["1", "TRUE"]),
        ("KILO_DISABLE_CLAUDE_CODE_SKILLS", &["1", "0"]),
    ],
    more: |_, _, tree| tree.items.extend(SECOND_START.map(|place| Item::text(place, ""))),
    seeds: 0..0,
    ..Fuzzed::PLAIN
};

/// By these files it knows that this is not its first start, at which it mends `permission` in a
/// person's settings: later it stops at a fault there, as we say.
const SECOND_START: [&str; 2] = [
    "home/.config/kilo/.bash-permission-migrated",
    "home/own-config/kilo/.bash-permission-migrated",
];

fn settings(random: &mut Random, laid: &Laid) -> String {
    settings_of(random, laid, &["code", "code", "build", "plan", "mine"])
}
