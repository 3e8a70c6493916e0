//! What the terminal is asked, what it answers, and where there is none (L4, L6).

use super::setup::{Answers, SILENT, Setup};
use super::terminal::find;
use crate::env::TestEnv;

#[test]
fn without_a_controlling_terminal_the_error_names_other_commands() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).no_controlling_terminal().start();
    assert_eq!(terminal.exit(), 2);
    let text = terminal.text();
    for word in ["no controlling terminal", "list", "search", "-f"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!terminal.raw().contains(&0x1b), "{text}");
}

#[test]
fn a_dumb_terminal_gets_no_picker() {
    let env = TestEnv::with_four_skills();
    for kind in ["dumb", ""] {
        let mut terminal = Setup::new(&env, &[]).env("TERM", kind).start();
        assert_eq!(terminal.exit(), 2, "TERM={kind}");
        assert!(terminal.text().contains("TERM is unset or dumb"), "{}", terminal.text());
        assert!(!terminal.raw().contains(&0x1b), "TERM={kind}");
    }
}

/// Every parameter of every SGR sequence in these bytes.
fn colours(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let mut found = Vec::new();
    for piece in text.split("\x1b[").skip(1) {
        let Some(end) = piece.find(|character: char| !matches!(character, '0'..='9' | ';' | ':'))
        else {
            continue;
        };
        if piece[end..].starts_with('m') {
            let first = piece[..end].split([';', ':']).next().unwrap_or_default();
            let number: u32 = first.parse().unwrap_or(0);
            if matches!(number, 30..=38 | 40..=48 | 58 | 90..=97 | 100..=107) {
                found.push(piece[..end].to_owned());
            }
        }
    }
    found
}

#[test]
fn no_color_prints_no_colour() {
    let env = TestEnv::with_four_skills();
    for (colourless, setup) in [
        (true, Setup::new(&env, &[]).env("NO_COLOR", "1").env("COLORTERM", "truecolor")),
        (true, Setup::new(&env, &["--theme", "none"])),
        (false, Setup::new(&env, &[])),
    ] {
        let mut terminal = setup.start();
        terminal.see("The body of alpha");
        terminal.type_keys("pdf");
        terminal.miss("zebra");
        terminal.type_keys("<^c>");
        terminal.exit();
        let found = colours(&terminal.raw());
        assert_eq!(found.is_empty(), colourless, "{found:?}");
    }
}

#[test]
fn a_silent_terminal_loses_no_key() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).answers(SILENT).start();
    // The first frame is there before the question is given up, and so are the keys.
    terminal.see_bytes(0, b"\x1b]11;?");
    assert!(terminal.look(vt100::Screen::alternate_screen));
    terminal.type_keys("zeb");
    terminal.type_keys("ra");
    terminal.see_current("zebra");
    terminal.type_keys("<tab><enter>");
    assert_eq!(terminal.exit(), 0);
    assert!(terminal.text().contains("$zebra"), "{}", terminal.text());
}

#[test]
fn a_late_answer_of_the_terminal_is_not_taken_for_a_key() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).answers(SILENT).start();
    terminal.see("zebra");
    terminal.send(b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?62;4c\x1b[12;1R");
    terminal.type_keys("zebra");
    terminal.see_current("zebra");
    terminal.wait_for("the query alone", |screen| {
        screen.rows(0, 100).next().is_some_and(|row| row.contains("zebra") && !row.contains("rgb"))
    });
    terminal.type_keys("<enter>");
    assert_eq!(terminal.exit(), 0);
}

#[test]
fn many_keys_at_once_are_all_read() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("zebra");
    // More than any one read takes, as a multiplexer sends it.
    terminal.type_keys(&"x".repeat(3000));
    terminal.see("No match");
    terminal.type_keys("<^u>zebra");
    terminal.see_current("zebra");
    terminal.type_keys("<enter>");
    assert_eq!(terminal.exit(), 0);
}

#[test]
fn the_colours_suit_the_background_that_the_terminal_reports() {
    let env = TestEnv::with_four_skills();
    let drawn = |background| {
        let answers = Answers { attributes: true, background, cursor: true };
        let mut terminal =
            Setup::new(&env, &[]).env("COLORTERM", "truecolor").answers(answers).start();
        terminal.see("The body of alpha");
        terminal.type_keys("<^c>");
        terminal.exit();
        let raw = terminal.raw();
        // The background itself is never painted.
        assert_eq!(find(&raw, b"[48;"), None);
        colours(&raw).into_iter().filter(|colour| colour.starts_with("38;2;")).collect::<Vec<_>>()
    };
    let dark = drawn(Some("rgb:1e1e/1e1e/2e2e"));
    let light = drawn(Some("rgb:ffff/ffff/ffff"));
    assert!(!dark.is_empty() && !light.is_empty());
    assert!(dark.iter().all(|colour| !light.contains(colour)), "{dark:?} {light:?}");
    assert_eq!(drawn(None), Vec::<String>::new());
}
