//! Codex: `skills.config` of the person's `config.toml`, other tables of `skills`, the markers of a
//! project's root, `agents/openai.yaml`.

use super::{Fuzzed, Settings};
use crate::env::random::Random;
use crate::fuzz::places::Laid;
use crate::fuzz::settings::quoted;

pub(crate) const CODEX: Fuzzed = Fuzzed {
    host: &skillpick::hosts::CODEX,
    project: &[
        ".agents/skills",
        ".agents/skills",
        ".agents/skills",
        ".codex/skills",
        ".codex/skills",
        ".claude/skills",
        "skills",
    ],
    own: &[
        ".agents/skills",
        ".agents/skills",
        ".codex/skills",
        ".codex/skills",
        "own-codex/skills",
        ".claude/skills",
    ],
    settings: &[
        Settings { files: &["home/.codex/config.toml"], chance: 55, make: own },
        Settings { files: &["home/own-codex/config.toml"], chance: 8, make: own },
        Settings {
            files: &["repo/.codex/config.toml", "{}/.codex/config.toml"],
            chance: 15,
            make: own,
        },
    ],
    keys: &["short-description: x", "interface:\n  display_name: x", "policy: {a: b}"],
    variables: &[("CODEX_HOME", &["@TOP@/home/own-codex", "@TOP@/home/.codex"])],
    beside,
    seeds: 1..3,
    ..Fuzzed::PLAIN
};

fn own(random: &mut Random, laid: &Laid) -> String {
    let mut out = String::new();
    let mut add = |text: String| out.push_str(&text);
    if random.chance(30) {
        add("# mine\nmodel = \"x\"\n".to_owned());
    }
    if random.chance(10) {
        let markers = ["[\".git\"]", "[]", "[\".jj\", \"MARK\"]", "\".git\"", "[5]", "[\"\"]"];
        add(format!("project_root_markers = {}\n", random.pick(&markers)));
    }
    if random.chance(8) {
        let tables = [
            "[skills]\nunknown = 1\n",
            "[skills]\nmax_context_tokens = 100\n",
            "[skills]\ninclude_instructions = false\n",
            "[skills.bundled]\nenabled = false\n",
            "[skills.bundled]\nenabled = true\n",
            "[skills.bundled]\nenabled = \"no\"\n",
            "[skills.bundled]\n",
            "[features]\nskills = false\n",
            "[features]\nskills = true\n",
            "[[skills]]\n",
        ];
        add(random.word(&tables).to_owned());
    }
    if random.chance(15) {
        let trust =
            random.pick(&["trusted", "trusted", "trusted", "untrusted", "untrusted", "maybe"]);
        let folder = format!("@TOP@/{}", random.pick(&["repo", "repo/a", "home", "worktree"]));
        add(format!("[projects.{}]\ntrust_level = \"{trust}\"\n", quoted(&folder)));
    }
    for _ in 0..random.between(0, 3) {
        add(entry(random, laid));
    }
    out
}

/// An entry of `skills.config`.
fn entry(random: &mut Random, laid: &Laid) -> String {
    let name = format!("name = {}\n", quoted(&laid.name(random)));
    let file = laid.file(random);
    let path = match random.below(12) {
        0 => file.trim_end_matches("/SKILL.md").to_owned(),
        1 => format!("{}/./SKILL.md", file.trim_end_matches("/SKILL.md")),
        2 => file.replace("@TOP@/home/", "~/"),
        3 => file.replace("@TOP@/home/", "../"),
        4 => file.replace("@TOP@/", ""),
        5 => format!(" {file} "),
        6 => String::new(),
        _ => file,
    };
    let path = format!("path = {}\n", quoted(&path));
    let target = match random.below(60) {
        0 => name + &path,
        1 => String::new(),
        2 => "name = 5\n".to_owned(),
        3 => "name = \"\"\n".to_owned(),
        4..30 => name,
        _ => path,
    };
    let enabled = match random.below(100) {
        0 => "",
        1 => "enabled = \"false\"\n",
        2 => "enabled = 0\n",
        3..20 => "enabled = true\n",
        20 => "enabled = false\nunknown = 1\n",
        _ => "enabled = false\n",
    };
    format!("\n[[skills.config]]\n{target}{enabled}")
}

fn beside(random: &mut Random) -> Option<(&'static str, String)> {
    if !random.chance(8) {
        return None;
    }
    let texts = [
        "policy:\n  allow_implicit_invocation: false\n",
        "policy:\n  allow_implicit_invocation: true\n",
        "policy:\n  allow_implicit_invocation: \"false\"\n",
        "policy: {allow_implicit_invocation: no}\n",
        "policy: text\n",
        "interface:\n  display_name: X\n  short_description: Y\n",
        "interface:\n  short_description: *x\n",
        "interface: [a]\n",
        "dependencies:\n  tools:\n    - type: mcp\n      value: x\n",
        "dependencies: 5\n",
        "[broken",
        "",
        "\u{feff}policy:\n  allow_implicit_invocation: false\n",
        "policy:\n  products: [codex]\n",
        "policy:\n  products: [chatgpt]\n",
        "policy:\n  products: [atlas]\n",
        "policy:\n  products: []\n",
    ];
    let name = random.word(&["agents/openai.yaml", "agents/openai.yaml", "agents/openai.yml"]);
    Some((name, random.word(&texts).to_owned()))
}
