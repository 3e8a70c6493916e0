//! Other people's text never reaches the terminal as anything but text (T1–T3).

use super::audit::foreign;
use super::setup::Setup;
use crate::env::TestEnv;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Sequences by which a hostile skill tries to control the terminal.
const ATTACKS: [&str; 12] = [
    "\x1b]0;owned\x07",
    "\x1b]52;c;b3duZWQ=\x07",
    "\x1b]8;;http://owned.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1bP1;1|owned\x1b\\",
    "\x1b_owned\x1b\\",
    "\x1b]0;unterminated",
    "\u{9b}31mred\u{9d}0;owned\u{9c}",
    "\u{202e}desrever\u{202c}\u{2066}x\u{2069}",
    "\u{200b}\u{2060}\u{feff}\u{e0041}",
    "\x07\x08\x0b\x0c\x7f\r",
    "\x1b[2J\x1b[?1049l\x1bc",
    "\u{2028}\u{2029}\u{ad}",
];

/// The text in a double-quoted scalar: what no file may hold raw is written as an escape.
fn quoted(text: &str) -> String {
    let escape = |character: char| {
        if character.is_ascii_graphic() || character == ' ' {
            character.to_string()
        } else {
            format!("\\U{:08x}", character as u32)
        }
    };
    text.chars().filter(|character| !matches!(character, '"' | '\\')).map(escape).collect()
}

#[test]
fn no_text_of_a_skill_controls_the_terminal() {
    let env = TestEnv::with_four_skills();
    let all = ATTACKS.join(" ");
    for (index, attack) in ATTACKS.iter().enumerate() {
        let named = format!(
            "---\nname: \"h{index}{}\"\ndescription: \"{}\"\n---\n# {attack}\n",
            quoted(attack),
            quoted(&all)
        );
        let body = format!(
            "\n{attack}\n\n- {attack}\n\n```sh\n{attack}\n```\n\n[{attack}](missing{attack}.md)\n"
        );
        env.write(format!("repo/.agents/skills/h{index}/SKILL.md"), format!("{named}{body}"));
        let file = attack.replace(['/', '\0'], "_");
        env.write(format!("repo/.agents/skills/h{index}/{file}.md"), format!("{all}\n"));
        let folder = format!("repo/.agents/skills/dir{index}{file}/SKILL.md");
        env.write(folder, format!("---\nname: {}\n---\n{attack}", attack.replace('\n', " ")));
    }
    // Halves of sequences, and bytes that are no text at all.
    let folder =
        env.at("repo/.agents/skills").join(OsStr::from_bytes(b"raw\x9b31m\xff\x1b]0;x\x07"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("SKILL.md"),
        b"---\nname: raw\ndescription: \x9b31m\xff\n---\n\x9b31m\x1b\xc2",
    )
    .unwrap();

    let mut terminal = Setup::new(&env, &[]).size(160, 45).start();
    terminal.see("zebra");
    for _ in 0..30 {
        let before = terminal.mark();
        terminal.type_keys("<down>");
        terminal.see_bytes(before, b"\x1b[?2026l");
    }
    // Detail, with the tree of files and its texts; problems, with their excerpts; rules; copy;
    // help.
    for keys in [
        "<up><f3>", "<down>", "<down>", "<right>", "r", "w", "<esc>", "<f2>", "n", "n", "n",
        // Esc and what follows at once could be taken for one key with Alt.
        "<esc>", "<^r>", "<esc>",
    ] {
        let before = terminal.mark();
        terminal.type_keys(keys);
        terminal.see_bytes(before, b"\x1b[?2026l");
    }
    terminal.type_keys("<^x>");
    let before = terminal.mark();
    terminal.type_keys("owned");
    terminal.see_bytes(before, b"\x1b[?2026l");
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
    assert_eq!(foreign(&terminal.raw()), None);
    terminal.assert_restored();
}
