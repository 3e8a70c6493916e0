//! Droid: lists of disabled names in two files of each directory, joined over the directories.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{names, object, pair};

pub(crate) const DROID: Fuzzed = Fuzzed {
    host: &skillpick::hosts::DROID,
    project: &[
        ".factory/skills",
        ".factory/skills",
        ".agents/skills",
        ".agent/skills",
        ".claude/skills",
    ],
    own: &[
        ".factory/skills",
        ".factory/skills",
        ".agents/skills",
        ".agent/skills",
        "own/.factory/skills",
    ],
    settings: &[
        Settings { files: &["home/.factory/settings.json"], chance: 40, make: settings },
        Settings { files: &["home/.factory/settings.local.json"], chance: 10, make: settings },
        Settings {
            files: &["{}/.factory/settings.json", "repo/.factory/settings.json"],
            chance: 40,
            make: settings,
        },
        Settings {
            files: &["{}/.factory/settings.local.json", "repo/.factory/settings.local.json"],
            chance: 20,
            make: settings,
        },
        Settings { files: &["home/own/.factory/settings.json"], chance: 8, make: settings },
    ],
    keys: &[
        "user-invocable: false",
        "user-invocable: \"false\"",
        "disable-model-invocation: true",
        "enabled: true",
        "enabled: false",
        "version: 1.0",
        "tools: [Read]",
        "compatibility:",
    ],
    variables: &[("FACTORY_HOME_OVERRIDE", &["@TOP@/home/own", "~/own"])],
    seeds: 1..3,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, laid: &Laid) -> String {
    let mut all = Vec::new();
    if random.chance(85) {
        let names = names(random, laid, 6);
        all.push(pair(random, "disabledSkills", &names));
    }
    if random.chance(20) {
        all.push(random.word(&["\"model\": \"opus\"", "\"theme\": \"x\""]).to_owned());
    }
    object(&all)
}
