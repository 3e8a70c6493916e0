//! opencode: `permission` and `tools` of many files that are merged, of the agent `build` and of
//! all; further folders; variables that leave folders out.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::{list, object, pair, pairs, quoted};
use crate::fuzz::tree::{Item, Tree};

/// Settings that an environment variable holds.
pub(super) const CONTENTS: &[&str] = &[
    r#"{"permission":{"skill":{"pdf":"deny"}}}"#,
    r#"{"permission":{"skill":"deny"}}"#,
    r#"{"tools":{"skill":true}}"#,
    "{broken",
];

/// Permissions that an environment variable holds.
pub(super) const PERMISSIONS: &[&str] =
    &[r#"{"skill":{"p*":"deny"}}"#, r#"{"skill":"allow"}"#, "{"];

pub(crate) const OPENCODE: Fuzzed = Fuzzed {
    host: &skillpick::hosts::OPENCODE,
    project: &[
        ".opencode/skills",
        ".opencode/skill",
        ".agents/skills",
        ".agents/skills",
        ".claude/skills",
        "skills",
        "further",
    ],
    own: &[
        ".config/opencode/skills",
        ".config/opencode/skill",
        ".opencode/skills",
        ".agents/skills",
        ".claude/skills",
        "own-config/opencode/skills",
        "own-folder/skills",
    ],
    settings: &[
        Settings {
            files: &[
                "home/.config/opencode/opencode.json",
                "home/.config/opencode/opencode.json",
                "home/.config/opencode/opencode.jsonc",
                "home/.config/opencode/config.json",
            ],
            chance: 45,
            make: settings,
        },
        Settings {
            files: &["repo/opencode.json", "{}/opencode.json", "{}/opencode.jsonc"],
            chance: 45,
            make: settings,
        },
        Settings {
            files: &[
                "repo/.opencode/opencode.json",
                "{}/.opencode/opencode.json",
                "{}/.opencode/opencode.jsonc",
                "home/.opencode/opencode.json",
            ],
            chance: 20,
            make: settings,
        },
        Settings {
            files: &[
                "home/own.json",
                "home/own-folder/opencode.json",
                "home/own-config/opencode/opencode.json",
            ],
            chance: 12,
            make: settings,
        },
    ],
    keys: &["slash: false", "slash: true", "slash: text"],
    variables: &[
        ("XDG_CONFIG_HOME", &["@TOP@/home/own-config"]),
        ("OPENCODE_CONFIG", &["@TOP@/home/own.json"]),
        ("OPENCODE_CONFIG_DIR", &["@TOP@/home/own-folder"]),
        ("OPENCODE_CONFIG_CONTENT", CONTENTS),
        ("OPENCODE_PERMISSION", PERMISSIONS),
        ("OPENCODE_DISABLE_PROJECT_CONFIG", &["1", "true", "0", "false"]),
        ("OPENCODE_DISABLE_EXTERNAL_SKILLS", &["1", "true", "0", "yes"]),
        ("OPENCODE_DISABLE_CLAUDE_CODE", &["1", "TRUE"]),
        ("OPENCODE_DISABLE_CLAUDE_CODE_SKILLS", &["1", "0"]),
    ],
    more,
    ..Fuzzed::PLAIN
};

fn settings(random: &mut Random, laid: &Laid) -> String {
    settings_of(random, laid, &["build", "build", "build", "plan", "mine"])
}

/// A settings file, with permissions of all and of one of these agents.
pub(super) fn settings_of(
    random: &mut Random,
    laid: &Laid,
    agents: &'static [&'static str],
) -> String {
    let mut all = Vec::new();
    if random.chance(65) {
        let value = permission(random, laid);
        all.push(pair(random, "permission", &value));
    }
    if random.chance(20) {
        let value = tools(random);
        all.push(pair(random, "tools", &value));
    }
    if random.chance(25) {
        let mut agent = Vec::new();
        if random.chance(70) {
            let value = permission(random, laid);
            agent.push(pair(random, "permission", &value));
        }
        if random.chance(40) {
            let value = tools(random);
            agent.push(pair(random, "tools", &value));
        }
        let name = random.word(agents);
        let agent = object(&[format!("{}: {}", quoted(name), object(&agent))]);
        let key = random.word(&["agent", "agent", "agent", "mode"]);
        all.push(pair(random, key, &agent));
    }
    if random.chance(12) {
        let folder =
            random.word(&["further", "./further", "~/further", "@TOP@/repo/further", "no"]);
        let paths = object(&[format!("\"paths\": {}", list(&[folder.to_owned()]))]);
        all.push(pair(random, "skills", &paths));
    }
    if random.chance(20) {
        all.push("\"$schema\": \"https://opencode.ai/config.json\"".to_owned());
    }
    object(&all)
}

fn permission(random: &mut Random, laid: &Laid) -> String {
    if random.chance(8) {
        return quoted(action(random));
    }
    pairs(random, 3, |random| {
        let key = random.word(&["skill", "skill", "skill", "skill", "*", "bash", "s*", "edit"]);
        if random.chance(25) {
            let action = quoted(action(random));
            return pair(random, key, &action);
        }
        let rules = pairs(random, 3, |random| {
            let pattern = laid.pattern(random);
            let action = quoted(action(random));
            pair(random, &pattern, &action)
        });
        format!("{}: {rules}", quoted(key))
    })
}

fn action(random: &mut Random) -> &'static str {
    random.word(&["allow", "allow", "allow", "ask", "ask", "ask", "deny", "deny", "deny"])
}

fn tools(random: &mut Random) -> String {
    pairs(random, 2, |random| {
        let key = random.word(&["skill", "skill", "*", "sk*", "bash"]);
        let on = random.word(&["true", "false"]);
        pair(random, key, on)
    })
}

/// Agents as files.
fn more(random: &mut Random, laid: &Laid, tree: &mut Tree) {
    if random.chance(5) {
        let folder = random.word(&["repo/.opencode", "home/.config/opencode"]);
        let kind = random.word(&["agent", "agents", "mode"]);
        let rule = quoted(&laid.pattern(random));
        let action = action(random);
        let text = format!("---\npermission:\n  skill:\n    {rule}: {action}\n---\nPrompt\n");
        tree.items.push(Item::text(format!("{folder}/{kind}/build.md"), text));
    }
}
