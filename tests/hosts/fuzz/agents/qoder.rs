//! Qoder CLI: lists of disabled names in three files, joined.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{names, object, pair, pairs};

pub(crate) const QODER: Fuzzed = Fuzzed {
    host: &skillpick::hosts::QODER,
    project: &[".qoder/skills", ".qoder/skills", ".agents/skills", ".claude/skills", "skills"],
    own: &[".qoder/skills", ".qoder/skills", ".agents/skills", ".claude/skills", "own/skills"],
    settings: &[
        Settings { files: &["home/.qoder/settings.json"], chance: 45, make: settings },
        Settings {
            files: &[
                "{}/.qoder/settings.json",
                "{}/.qoder/settings.json",
                "repo/.qoder/settings.json",
            ],
            chance: 40,
            make: settings,
        },
        Settings { files: &["{}/.qoder/settings.local.json"], chance: 25, make: settings },
        Settings { files: &["home/own/settings.json"], chance: 8, make: settings },
    ],
    keys: &[
        "user-invocable: false",
        "disable-model-invocation: true",
        "disable-model-invocation: \"true\"",
        "paths: src/**",
        "when_to_use: x",
        "enabled: false",
        "hooks: text",
    ],
    variables: &[("QODER_CONFIG_DIR", &["@TOP@/home/own", "~/own"])],
    seeds: 0..0,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, laid: &Laid) -> String {
    let mut all = Vec::new();
    if random.chance(85) {
        let skills = pairs(random, 2, |random| {
            let names = names(random, laid, 6);
            if random.chance(5) {
                let on = random.word(&["true", "false"]);
                return pair(random, "enabled", on);
            }
            pair(random, "disabled", &names)
        });
        all.push(pair(random, "skills", &skills));
    }
    if random.chance(10) {
        all.push(random.word(&["\"ui\": {\"theme\": \"x\"}", "\"x\": 1"]).to_owned());
    }
    object(&all)
}
