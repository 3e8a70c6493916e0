//! Gemini CLI: lists of disabled names, a switch for all, trusted folders, system files.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{list, names, object, pair, pairs, quoted};
use crate::fuzz::tree::Tree;

pub(crate) const GEMINI: Fuzzed = Fuzzed {
    host: &skillpick::hosts::GEMINI,
    project: &[
        ".gemini/skills",
        ".gemini/skills",
        ".agents/skills",
        ".agents/skills",
        ".claude/skills",
        "skills",
    ],
    own: &[
        ".gemini/skills",
        ".gemini/skills",
        ".agents/skills",
        "own/.gemini/skills",
        "own/.agents/skills",
        ".claude/skills",
    ],
    settings: &[
        Settings { files: &["home/.gemini/settings.json"], chance: 45, make: settings },
        Settings {
            files: &[
                "{}/.gemini/settings.json",
                "{}/.gemini/settings.json",
                "repo/.gemini/settings.json",
            ],
            chance: 35,
            make: settings,
        },
        Settings {
            files: &["home/own/.gemini/settings.json", "home/system.json", "home/defaults.json"],
            chance: 12,
            make: settings,
        },
        Settings {
            files: &["home/.gemini/trustedFolders.json", "home/trusted.json"],
            chance: 35,
            make: trusted,
        },
        Settings { files: &["home/.gemini/policies/mine.toml"], chance: 8, make: policy },
    ],
    keys: &["disabled: true", "enabled: false"],
    variables: &[
        ("GEMINI_CLI_HOME", &["@TOP@/home/own"]),
        ("GEMINI_CLI_SYSTEM_SETTINGS_PATH", &["@TOP@/home/system.json"]),
        ("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", &["@TOP@/home/defaults.json"]),
        ("GEMINI_CLI_TRUSTED_FOLDERS_PATH", &["@TOP@/home/trusted.json"]),
        ("GEMINI_RESTRICTED_MODE", &["true", "false", "1"]),
    ],
    trusts: &[("GEMINI_CLI_TRUST_WORKSPACE", "true")],
    more,
    seeds: 1..3,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, laid: &Laid) -> String {
    let mut all = Vec::new();
    if random.chance(75) {
        let mut skills = Vec::new();
        if random.chance(85) {
            let names = names(random, laid, 6);
            skills.push(pair(random, "disabled", &names));
        }
        if random.chance(15) {
            let on = random.word(&["true", "true", "false"]);
            skills.push(pair(random, "enabled", on));
        }
        let skills = object(&skills);
        all.push(pair(random, "skills", &skills));
    }
    if random.chance(12) {
        let on = random.word(&["true", "false"]);
        let trust = format!("{{\"folderTrust\": {{\"enabled\": {on}}}}}");
        all.push(pair(random, "security", &trust));
    }
    if random.chance(8) {
        let other = [
            "\"admin\": {\"skills\": {\"enabled\": false}}",
            "\"experimental\": {\"skills\": false}",
            "\"ui\": {\"theme\": \"x\"}",
            "\"unknown\": 1",
            "\"ui\": {\"theme\": \"$HOME\"}",
        ];
        all.push(random.word(&other).to_owned());
    }
    object(&all)
}

fn trusted(random: &mut Random, _: &Laid) -> String {
    let folders = ["repo", "repo/a", "repo/a/b", "home", "worktree", "repo/nested", ""];
    pairs(random, 3, |random| {
        let folder = quoted(&format!("@TOP@/{}", random.word(&folders)));
        let words =
            ["TRUST_FOLDER", "TRUST_FOLDER", "TRUST_PARENT", "DO_NOT_TRUST", "TRUST_NOBODY"];
        format!("{folder}: {}", quoted(random.word(&words)))
    })
}

fn policy(random: &mut Random, laid: &Laid) -> String {
    let name = list(&[laid.name(random)]);
    format!(
        "[[rule]]\ntoolName = \"activate_skill\"\nargsPattern = {}\ndecision = \"deny\"\npriority = 100\n",
        quoted(name.trim())
    )
}

/// Most trees are trusted.
fn more(random: &mut Random, _: &Laid, tree: &mut Tree) {
    if random.chance(65) {
        let word = random.word(&["true", "true", "true", "true", "false"]);
        tree.variables.push(("GEMINI_CLI_TRUST_WORKSPACE".to_owned(), word.to_owned()));
    }
}
