//! Asking an agent's own program from the picker.

use super::setup::Setup;
use super::terminal::{Terminal, eventually};
use crate::env::TestEnv;
use crate::program::own_word;
use std::fs;

fn start(env: &TestEnv, arguments: &[&str]) -> Terminal {
    let path = format!("{}:{}", env.text("bin"), crate::support::path_without_agents().display());
    let arguments = [&["--host", "copilot"], arguments].concat();
    Setup::new(env, &arguments).env("PATH", &path).start()
}

#[test]
fn a_key_brings_what_only_the_program_has_and_a_switch_holds_by_its_word() {
    let env = own_word::env();
    let mut terminal = start(&env, &[]);
    terminal.see("own");
    assert!(!terminal.text().contains("held"));
    terminal.type_keys("<alt-w>");
    terminal.see("Copilot CLI: 1 more by its own word; 1 differs");
    terminal.see("own word · Writes to");
    terminal.type_keys("held");
    terminal.see_current("held");
    terminal.see("by Copilot CLI's own word");
    terminal.see("it is built into");
    terminal.type_keys("<^x>");
    eventually("the switch", || {
        fs::read_to_string(env.at("home/.copilot/settings.json"))
            .unwrap_or_default()
            .contains("held")
    });
    // The program is asked again, and says the same as we do.
    terminal.wait_for("the new state", |screen| {
        screen.contents().contains("○  held") && !screen.contents().contains("warning")
    });
    terminal.type_keys("<^x>");
    terminal.see("✓  held");
    terminal.type_keys("<esc><esc>");
    terminal.exit();
    terminal.assert_restored();
}

#[test]
fn the_picker_can_begin_with_the_question() {
    let env = own_word::env();
    let mut terminal = start(&env, &["--ask"]);
    terminal.see("Copilot CLI: 1 more by its own word; 1 differs");
    terminal.type_keys("held<enter>");
    terminal.exit();
    assert!(terminal.text().contains("Use the /held skill to"), "{}", terminal.text());
}

#[test]
fn leaving_ends_a_program_that_is_still_being_asked() {
    let env = own_word::env();
    let script = format!("#!/bin/sh\necho $$ > '{}'\nexec sleep 600\n", env.text("asked"));
    env.write("bin/copilot", script);
    let mut terminal = start(&env, &["--ask"]);
    terminal.see("own");
    eventually("the program", || {
        fs::read_to_string(env.at("asked")).is_ok_and(|pid| pid.ends_with('\n'))
    });
    // Keys are answered meanwhile.
    terminal.type_keys("one");
    terminal.see_current("one");
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
    let pid = env.read("asked");
    let is_gone = || !fs::exists(format!("/proc/{}", pid.trim())).unwrap();
    eventually("its end", is_gone);
    let left = fs::read_dir(env.at("tmp")).unwrap().count();
    assert_eq!(left, 0, "the copy is gone");
    terminal.assert_restored();
}
