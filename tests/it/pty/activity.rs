//! The log of calls on the screen: what another process did is a card, at once where the screen is
//! open (REM-9, KOD-7c).

use super::setup::{PROGRAM, Setup};
use super::terminal::eventually;
use crate::env::TestEnv;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the program beside the picker.
fn beside(env: &TestEnv, arguments: &[&str], input: &str) {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(env.at("repo")).env_clear().envs(env.environment());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait().unwrap();
}

#[test]
fn rem_9_and_kod_7c_a_real_load_is_a_card_and_a_newer_call_comes_by_itself() {
    let env = TestEnv::with_four_skills();
    beside(&env, &["load", "alpha", "--session", "chat-1"], "");
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("used once, just now by cli");
    terminal.type_keys("<f7>");
    terminal.see("1 call");
    terminal.see("load    alpha");
    terminal.type_keys("<enter>");
    terminal.see("session  chat-1");
    terminal.see("repo/.agents/skills/alpha/SKILL.md");
    // An agent reads past the skill and loads another, while the screen is open.
    let talk = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"scribe","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"skill_load","arguments":{"name":"zebra"}}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"skill_read","arguments":{"skill":"zebra","path":"../x"}}}"#,
    ];
    beside(&env, &["serve"], &(talk.join("\n") + "\n"));
    terminal.see("3 calls");
    terminal.see("mcp:scribe");
    terminal.see("parent_path");
    terminal.see("session  chat-1");
    // Of that skill alone, and to it.
    terminal.type_keys("gf");
    terminal.see("2 of 3 calls");
    terminal.type_keys("o");
    terminal.see_current("zebra");
    terminal.type_keys("<^l>");
    terminal.see("used once, just now by mcp:scribe");
    terminal.type_keys("is:used");
    terminal.see("2 of 4");
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
    terminal.assert_restored();
}

#[test]
fn rem_9_a_picker_without_a_log_says_how_cards_come_about() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).size(60, 20).start();
    terminal.see("zebra");
    terminal.type_keys("<f7>");
    terminal.see("Nothing was loaded, read or run yet.");
    terminal.see("skillpick serve");
    // The directory did not exist when the screen was opened.
    beside(&env, &["load", "pdf-merge"], "");
    terminal.type_keys("<^l>");
    terminal.see("load    pdf-merge");
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
}

#[test]
fn kod_7c_a_full_log_of_hostile_lines_opens_and_takes_keys() {
    let env = TestEnv::with_four_skills();
    let skill = fs::canonicalize(env.at("repo/.agents/skills/alpha/SKILL.md")).unwrap();
    let mut log = String::from("not a line\n");
    let mut number = 0_u64;
    while log.len() < 500 << 10 {
        number += 1;
        let (name, at) = match number {
            1 => ("\\u001b]0;owned\\u0007\\u202e".repeat(40), u64::MAX),
            number => ("alpha".to_owned(), 1_700_000_000_000 + number),
        };
        let path = skill.display();
        log.push_str(&format!(
            "{{\"deed\":\"load\",\"at_ms\":{at},\"skill\":\"{name}\",\"path\":\"{path}\",\"client\":\"{name}\"}}\n"
        ));
    }
    env.write("home/.local/state/skillpick/activity.1.jsonl", &log);
    env.write("home/.local/state/skillpick/activity.jsonl", &log);
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("The body of alpha");
    terminal.type_keys("<f7>");
    terminal.see("2 lines malformed");
    terminal.type_keys("G<enter>");
    terminal.see("^[]0;owned^G");
    terminal.see("in the future");
    terminal.type_keys("g/alpha");
    terminal.see("❯ alpha");
    terminal.type_keys("<esc>");
    terminal.miss("❯ alpha");
    terminal.type_keys("q");
    terminal.see("The body of alpha");
    let raw = terminal.raw();
    assert_eq!(
        super::terminal::find(&raw, b"\x1b]0;owned"),
        None,
        "nothing of it acts on the terminal"
    );
    terminal.type_keys("<^c>");
    terminal.exit();
    eventually("it has ended", || !terminal.runs());
}
