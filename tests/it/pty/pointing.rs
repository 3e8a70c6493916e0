//! Mouse, paste and clipboard.

use super::setup::Setup;
use super::terminal::{Terminal, find};
use crate::env::TestEnv;
use base64::Engine;
use std::fs;

/// The cell of a skill's name in the list.
fn cell(terminal: &Terminal, name: &str) -> (u16, u16) {
    terminal.look(|screen| {
        let row = screen.rows(0, 40).position(|row| row.contains(name)).unwrap();
        (8, u16::try_from(row).unwrap())
    })
}

#[test]
fn the_mouse_points_turns_and_picks() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "skillpick >out").start();
    terminal.see("zebra");
    terminal.see_current("alpha");
    let zebra = cell(&terminal, "zebra");
    terminal.mouse(0, zebra);
    terminal.see_current("zebra");
    terminal.mouse(64, zebra);
    terminal.see_current("pdf-merge");
    terminal.mouse(65, zebra);
    terminal.see_current("zebra");
    let forms = cell(&terminal, "pdf-forms");
    terminal.mouse(0, forms);
    terminal.mouse(0, forms);
    assert_eq!(terminal.exit(), 0);
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$pdf-forms\n");
    terminal.assert_restored();
}

#[test]
fn one_key_releases_and_captures_the_mouse() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("zebra");
    let mode = |terminal: &Terminal| terminal.look(vt100::Screen::mouse_protocol_mode);
    // A movement without a button would wake the program up for nothing.
    assert_eq!(mode(&terminal), vt100::MouseProtocolMode::ButtonMotion);
    terminal.type_keys("<f4>");
    terminal.wait_for("no mouse", |screen| {
        screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
    });
    terminal.type_keys("<f4>");
    terminal.wait_for("the mouse", |screen| {
        screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None
    });
    terminal.type_keys("<^c>");
    terminal.exit();
    terminal.assert_restored();
}

#[test]
fn no_mouse_turns_mouse_reports_off() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &["--no-mouse"]).start();
    terminal.see("zebra");
    terminal.type_keys("<^c>");
    terminal.exit();
    assert_eq!(find(&terminal.raw(), b"\x1b[?1000h"), None);
}

#[test]
fn a_paste_is_one_edit_and_presses_nothing() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "skillpick >out").start();
    terminal.see("zebra");
    terminal.paste("pdf\r\nforms\n\x03\x1b");
    terminal.see_current("pdf-forms");
    terminal.wait_for("line breaks as spaces", |screen| {
        screen.rows(0, 40).next().is_some_and(|row| row.contains("pdf") && row.contains(" forms"))
    });
    assert!(terminal.runs());
    terminal.type_keys("<^u>alpha");
    terminal.see_current("alpha");
    terminal.type_keys("<enter>");
    assert_eq!(terminal.exit(), 0);
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$alpha\n");
}

#[test]
fn a_paste_before_the_first_answer_presses_nothing() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).answers(super::setup::SILENT).start();
    terminal.see_bytes(0, b"\x1b]11;?");
    terminal.paste("zebra\r");
    terminal.see_current("zebra");
    assert!(terminal.runs());
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
}

#[test]
fn the_clipboard_is_written_on_a_key_only() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("The body of alpha");
    terminal.type_keys("<^y>");
    terminal.see("mention");
    assert_eq!(find(&terminal.raw(), b"\x1b]52"), None);
    terminal.type_keys("<enter>");
    terminal.see("copied");
    let raw = terminal.raw();
    let at = find(&raw, b"\x1b]52;c;").unwrap() + 7;
    let end = at + raw[at..].iter().position(|byte| matches!(byte, 0x07 | 0x1b)).unwrap();
    let copied = base64::engine::general_purpose::STANDARD.decode(&raw[at..end]).unwrap();
    assert_eq!(String::from_utf8(copied).unwrap(), "$alpha");
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
    terminal.assert_restored();
}

/// Such a terminal types a paste. What it comes to is one edit, so nothing waits for 2,500 of them.
#[test]
fn what_a_terminal_types_at_once_comes_into_the_query_whole_and_ends_at_the_next_key() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "skillpick >out").start();
    terminal.see("zebra");
    terminal.type_keys(&format!("{}<^u>zebra", "the quick fox ".repeat(160)));
    terminal.see_current("zebra");
    terminal.type_keys("<enter>");
    assert_eq!(terminal.exit(), 0);
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$zebra\n");
}
