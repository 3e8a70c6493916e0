//! pi: a list of folders and of skills with a sign, in two files.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{list, object, pair};

pub(crate) const PI: Fuzzed = Fuzzed {
    host: &skillpick::hosts::PI,
    project: &[
        ".pi/skills",
        ".pi/skills",
        ".agents/skills",
        ".agents/skills",
        ".claude/skills",
        "further",
    ],
    own: &[".pi/agent/skills", ".pi/agent/skills", ".agents/skills", ".pi/skills", "own/skills"],
    settings: &[
        Settings { files: &["home/.pi/agent/settings.json"], chance: 45, make: settings },
        Settings {
            files: &["{}/.pi/settings.json", "{}/.pi/settings.json", "repo/.pi/settings.json"],
            chance: 40,
            make: settings,
        },
        Settings { files: &["home/own/settings.json"], chance: 6, make: settings },
    ],
    keys: &["disable-model-invocation: true", "disable-model-invocation: \"true\""],
    takes_single_files: true,
    variables: &[("PI_CODING_AGENT_DIR", &["@TOP@/home/own", "~/own"])],
    seeds: 1..3,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, laid: &Laid) -> String {
    let mut all = Vec::new();
    if random.chance(85) {
        let entries: Vec<String> = (0..random.between(0, 3)).map(|_| entry(random, laid)).collect();
        let entries = list(&entries);
        all.push(pair(random, "skills", &entries));
    }
    if random.chance(12) {
        all.push(
            random
                .word(&["\"enableSkillCommands\": false", "\"theme\": \"x\"", "\"x\": 1"])
                .to_owned(),
        );
    }
    object(&all)
}

fn entry(random: &mut Random, laid: &Laid) -> String {
    let file = laid.file(random);
    let folder = file.trim_end_matches("/SKILL.md").to_owned();
    let below = |text: &str| {
        let at = text.find("skills/").unwrap_or(0);
        text[at..].to_owned()
    };
    let path = match random.below(10) {
        0 => laid.name(random),
        1 => folder.replace("@TOP@/home", "~"),
        2 => below(&file),
        3 => format!("./{}", below(&folder)),
        4 => format!("{folder}/"),
        5 => format!("../{}", below(&folder)),
        6 => file,
        7 => folder,
        _ => below(&folder),
    };
    match random.below(12) {
        0 => random.word(&["../further", "further", "~/further", "@TOP@/repo/further"]).to_owned(),
        1 => format!("!{}", laid.pattern(random)),
        2 => format!("!**/{}", laid.name(random)),
        3 => format!("!skills/{}", laid.pattern(random)),
        4 => path,
        5 | 6 => format!("+{path}"),
        7 => format!("!{path}"),
        _ => format!("-{path}"),
    }
}
