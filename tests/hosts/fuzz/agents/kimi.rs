//! Kimi Code CLI: one list of further folders, and no switch.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{WRONG, list};

pub(crate) const KIMI: Fuzzed = Fuzzed {
    host: &skillpick::hosts::KIMI,
    project: &[
        ".kimi-code/skills",
        ".kimi-code/skills",
        ".agents/skills",
        ".agents/skills",
        ".claude/skills",
        "further",
    ],
    own: &[".kimi-code/skills", ".agents/skills", ".kimi/skills", "own/skills", "further"],
    settings: &[
        Settings { files: &["home/.kimi-code/config.toml"], chance: 40, make: settings },
        Settings { files: &["home/own/config.toml"], chance: 8, make: settings },
        Settings { files: &["repo/.kimi-code/config.toml"], chance: 5, make: settings },
    ],
    // It then lists no skills at all.
    spared: &["disable-model-invocation: \"true\""],
    takes_single_files: true,
    keys: &[
        "disable-model-invocation: true",
        "type: prompt",
        "type: flow",
        "whenToUse: x",
        "has-sub-skill: false",
        "arguments: [a]",
    ],
    variables: &[("KIMI_CODE_HOME", &["@TOP@/home/own", "~/own"])],
    seeds: 0..0,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, _: &Laid) -> String {
    let folders = ["further", "./further", "~/further", "@TOP@/home/further", "../further", "no"];
    let named = (0..random.between(0, 2)).map(|_| random.word(&folders).to_owned());
    let named = list(&named.collect::<Vec<_>>());
    let value = if random.chance(5) { random.word(WRONG).replace(':', "=") } else { named };
    let other = random.word(&["", "default_model = \"x\"\n", "x = 1\n", "[loop_control]\n"]);
    match random.chance(50) {
        true => format!("extra_skill_dirs = {value}\n{other}"),
        false => format!("{other}extra_skill_dirs = {value}\n"),
    }
}
