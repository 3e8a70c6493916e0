//! What compose keeps: the draft, and the history of a repository.

use super::compose::{choose, end, env, start, start_as};
use super::setup::Setup;
use super::terminal::eventually;
use crate::env::TestEnv;
use rustix::process::Signal;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

/// The files of drafts and of the history.
fn kept(env: &TestEnv) -> Vec<PathBuf> {
    let top = env.at("home/.local/state/skillpick/prompts");
    let folders = fs::read_dir(top).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten());
    let paths = files.flatten().map(|file| file.path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "json")).collect()
}

pub(super) fn draft(env: &TestEnv) -> Option<String> {
    let is_draft = |path: &PathBuf| path.file_name().is_some_and(|name| name == "draft-1.json");
    kept(env).into_iter().find(is_draft).and_then(|path| fs::read_to_string(path).ok())
}

#[test]
fn esc_and_a_kill_keep_the_draft_and_the_next_start_shows_it() {
    let env = env();
    let terminal = start(&env, "");
    terminal.type_keys("Use ");
    choose(&terminal, "pdff", "pdf-forms");
    terminal.type_keys("<^j>half a th<esc>");
    end(terminal, 130);
    assert_eq!(env.read("repo/out"), "", "nothing is printed");
    let mut terminal = start_as(Setup::new(&env, &["compose"]));
    terminal.see("half a th");
    terminal.see("[pdf-forms]");
    terminal.type_keys("ought");
    eventually("the draft is kept", || draft(&env).is_some_and(|it| it.contains("half a thought")));
    terminal.signal(Signal::KILL);
    terminal.exit();
    let terminal = start(&env, "--for codex");
    terminal.see("half a thought");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    assert_eq!(env.read("repo/out"), "Use $pdf-forms \nhalf a thought\n");
    for file in kept(&env) {
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }
}

/// The draft is kept 0.3 s after a change, so the terminal has to go before.
#[test]
fn a_terminal_that_is_closed_loses_no_word() {
    for ignored in ["", "trap '' HUP; "] {
        let env = env();
        let line = format!("{ignored}skillpick compose; exit $?");
        let mut terminal = start_as(Setup::sh(&env, &line));
        terminal.type_keys("kept, ");
        eventually("the draft is kept", || draft(&env).is_some_and(|it| it.contains("kept")));
        terminal.type_keys("and the last words");
        terminal.see("the last words");
        terminal.hang_up();
        eventually("the last words", || draft(&env).is_some_and(|it| it.contains("last words")));
        terminal.ended();
    }
}

#[test]
fn sent_prompts_are_the_history_of_their_repository() {
    let env = env();
    for (options, text) in [("", "first"), ("", "second"), ("--no-history", "secret")] {
        let terminal = start(&env, options);
        terminal.type_keys(text);
        terminal.type_keys("<enter>");
        end(terminal, 0);
    }
    let terminal = start(&env, "");
    terminal.see("Write the prompt");
    eventually("the history is read", || {
        terminal.type_keys("<up>");
        let text = terminal.text();
        text.contains("second") || text.contains("first")
    });
    terminal.type_keys(&"<down>".repeat(9));
    terminal.see("Write the prompt");
    terminal.type_keys("<up>");
    terminal.see("second");
    terminal.type_keys("<up>");
    terminal.see("first");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    assert_eq!(env.read("repo/out"), "first\n");
}

#[test]
fn what_the_editor_has_saved_is_the_draft_if_a_signal_ends_us() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let env = env();
        let script = "printf ', and saved' >>\"$1\"; touch \"$HOME/saved\"; sleep 60";
        let editor = format!("/bin/sh {}", env.write("editor", script).display());
        let setup = Setup::new(&env, &["compose"]).env("EDITOR", &editor);
        let mut terminal = start_as(setup);
        terminal.type_keys("typed<^e>");
        eventually("the editor saves", || env.at("home/saved").exists());
        terminal.signal(signal);
        assert_eq!(terminal.exit(), code);
        terminal.assert_restored();
        assert_eq!(draft(&env).unwrap(), "[\"typed, and saved\"]");
    }
}

#[test]
fn the_settings_can_keep_every_prompt_out_of_the_history() {
    let env = env();
    env.settings("history = false\n");
    env.write("repo/.skillpick.toml", "version = 1\nhistory = true\n");
    let terminal = start(&env, "");
    terminal.type_keys("secret<enter>");
    end(terminal, 0);
    assert_eq!(env.read("repo/out"), "secret\n");
    assert_eq!(kept(&env), Vec::<PathBuf>::new());
}

#[test]
fn a_draft_that_could_not_be_kept_is_said_and_shown_at_the_end() {
    let env = env();
    let setup = Setup::sh(&env, "skillpick compose; echo ended $?");
    let mut terminal = setup.env("XDG_STATE_HOME", "/proc/nope").start();
    terminal.see("to ▸ ");
    terminal.type_keys("half a thought");
    terminal.see("the draft is not kept");
    terminal.type_keys("<esc>");
    terminal.see("ended 2");
    assert!(terminal.text().contains("half a thought"), "{}", terminal.text());
    terminal.exit();
}

#[test]
fn a_draft_that_is_not_for_the_history_stays_out_of_it_later() {
    let env = env();
    let terminal = start(&env, "--no-history");
    terminal.type_keys("secret<esc>");
    end(terminal, 130);
    let terminal = start(&env, "--text open");
    terminal.see("open");
    terminal.see("the earlier draft is kept");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    let terminal = start(&env, "");
    terminal.see("secret");
    terminal.type_keys("<enter>");
    end(terminal, 0);
    let texts: String = kept(&env).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    assert_eq!(texts, "[[\"open\"]]");
}
