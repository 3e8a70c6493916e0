//! Other people's text is shown with marks in every output (T2, T6).

use crate::env::TestEnv;

/// Terminal sequences and hidden characters.
const HOSTILE: [&str; 8] = [
    "\u{1b}]0;owned\u{7}",
    "\u{1b}]52;c;AAAA\u{1b}\\",
    "\u{9d}8;;http://x\u{9c}y",
    "\u{1b}[2J\u{1b}[31m",
    "\u{202e}drowssap",
    "a\u{200b}b\u{2060}c",
    "\u{e0041}\u{e0042}\u{e007f}",
    "\r\u{8}\u{8}\u{7f}\u{85}\u{2028}",
];

/// An environment with a skill for each hostile text, in name, description, body, metadata and file
/// names.
fn env() -> TestEnv {
    let env = TestEnv::new();
    for (number, text) in HOSTILE.iter().enumerate() {
        let quoted: String = text.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect();
        let skill = format!(
            "---\nname: \"n{quoted}{number}\"\ndescription: \"d{quoted} words\"\nmetadata:\n  \"k{quoted}\": \"v{quoted}\"\n\
             odd{text}key: 1\n---\n# body {text}\n\n`{text}` [{text}]({text})\n"
        );
        env.write(format!("repo/.agents/skills/plain{number}/SKILL.md"), skill);
        env.write(
            format!("repo/.agents/skills/plain{number}/f{}.md", text.replace(['/', '\\'], "")),
            text,
        );
        env.write(
            format!("repo/.agents/skills/dir{}/SKILL.md", text.replace(['/', '\\'], "")),
            "---\nname: x\n---\n",
        );
    }
    env
}

#[test]
fn foreign_text_is_inert_in_every_output() {
    let env = env();
    let odd = HOSTILE.concat();
    for arguments in [
        ["list"].as_slice(),
        &["list", "--json"],
        &["search", "words", "--limit", "50"],
        &["search", "words", "--json"],
        &["check"],
        &["check", "--strict"],
        &["check", "--json"],
        &["-f", ""],
        &["-f", "", "--format", "name"],
        &["-f", "", "--format", "link"],
        &["-f", "", "--format", "path"],
        &["-f", "", "--format", "json"],
        &["-f", "", "--format", "block"],
        &["-f", "", "--format", "name", "--print0"],
        &["show", ".agents/skills/plain0"],
        &["show", ".agents/skills/plain3", "--tree"],
        &["show", ".agents/skills/plain4", "--json"],
        &["show", &odd],
        &["show", ".agents/skills/plain0", &odd],
        &["disable", ".agents/skills/plain1", "--dry-run"],
        &["disable", ".agents/skills/plain1", "--dry-run", "--json"],
        &["permit", "deny", &odd, "--dry-run"],
        &["-f", &odd],
        &["search", &odd],
        &["list", "-C", &odd],
        &["list", "--root", &odd],
        &["list", "--host", &odd],
        &["list", "--config", &odd],
        &["list", &odd],
        &["list", "--theme", &odd],
        &[&odd],
        &[&format!("--{odd}")],
    ] {
        crate::env::bar::tried(1);
        let mut ran = env.run(arguments);
        // What ends each skill, when asked for.
        ran.bytes.retain(|byte| *byte != 0);
        assert!(ran.code >= 0, "{arguments:?}: {ran:?}");
        ran.is_inert();
    }
}

#[test]
fn foreign_text_in_settings_is_inert() {
    let env = env();
    let odd: String =
        HOSTILE.concat().chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect();
    env.write(
        "repo/.skillpick.toml",
        format!("version = 1\n\"{odd}\" = 1\n[[permissions.deny]]\ntool = \"skill_load\"\nskill_name = \"n{odd}*\"\n"),
    );
    for arguments in [["list"].as_slice(), &["list", "--json"], &["config"], &["config", "--json"]]
    {
        env.run(arguments).ended(0).is_inert();
    }
    env.settings(&format!("theme = \"{odd}\"\n"));
    for arguments in [["list"].as_slice(), &["config"], &["config", "--json"]] {
        env.run(arguments).ended(2).is_inert();
    }
}
