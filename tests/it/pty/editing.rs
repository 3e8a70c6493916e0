//! The person's own editor.

use super::setup::Setup;
use crate::env::TestEnv;
use rustix::process::Signal;
use std::fs;

/// An editor that tells what it was given, waits for a line, and changes the description.
const EDITOR: &str = r#"
printf '%s\n' "$@" >"$HOME/arguments"
[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo terminal >>"$HOME/arguments"
echo $$ >"$HOME/pid"
trap '' INT
printf 'EDITOR HERE\n'
read line
echo "$line" >>"$HOME/arguments"
sed 's/^description: .*/description: Edited by hand/' "$1" >"$1.new" && mv "$1.new" "$1"
"#;

#[test]
fn the_editor_gets_the_line_and_the_terminal_and_the_skill_is_shown_as_edited() {
    let env = TestEnv::with_four_skills();
    let script = env.write("editor", EDITOR);
    let setup = Setup::sh(&env, "trap '' INT; printf x | skillpick >out; echo \"code $?\"");
    let mut terminal = setup.env("EDITOR", &format!("/bin/sh {}", script.display())).start();
    terminal.see("zebra");
    let cooked = terminal.termios_before().to_owned();
    terminal.type_keys("merge");
    terminal.see("The body of pdf-merge");
    terminal.type_keys("<^o>");
    terminal.see("EDITOR HERE");
    assert_eq!(terminal.termios(), cooked, "the editor gets the terminal as it was found");
    terminal.assert_modes_off();
    // The editor handles its interrupt itself.
    terminal.type_keys("<^c>");
    terminal.type_keys("typed for the editor<enter>");
    terminal.see("Edited by hand");
    terminal.see_current("pdf-merge");
    assert!(terminal.look(vt100::Screen::alternate_screen));
    let file = env.at("repo/.agents/skills/pdf-merge/SKILL.md");
    // An editor that is not known gets no line, which it might take for a file.
    let expected = format!("{}\nterminal\ntyped for the editor\n", file.display());
    assert_eq!(fs::read_to_string(env.at("home/arguments")).unwrap(), expected);
    terminal.type_keys("<enter>");
    terminal.see("code 0");
    terminal.exit();
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$pdf-merge\n");
    terminal.assert_restored();
}

#[test]
fn a_signal_during_the_editor_ends_both() {
    let env = TestEnv::with_four_skills();
    let script = env.write("editor", EDITOR);
    let setup = Setup::new(&env, &[]).env("EDITOR", &format!("/bin/sh {}", script.display()));
    let mut terminal = setup.start();
    terminal.see("zebra");
    terminal.type_keys("<^o>");
    terminal.see("EDITOR HERE");
    let editor = fs::read_to_string(env.at("home/pid")).unwrap();
    terminal.signal(Signal::TERM);
    assert_eq!(terminal.exit(), 143);
    terminal.assert_restored();
    let alive = fs::read_to_string(format!("/proc/{}/stat", editor.trim()))
        .is_ok_and(|stat| !stat.contains(") Z"));
    assert!(!alive, "the editor outlives us");
}

#[test]
fn an_editor_that_fails_or_is_missing_is_reported() {
    let env = TestEnv::with_four_skills();
    for (variable, editor, said) in [
        ("VISUAL", "/nowhere/editor -w", "not started: `/nowhere/editor` of $VISUAL: no such file"),
        ("EDITOR", "'/nowhere/my editor'", "not started: `'/nowhere/my` of $EDITOR: no such file"),
        ("VISUAL", "false", "the editor ended with code 1"),
    ] {
        let mut terminal = Setup::new(&env, &[]).env(variable, editor).start();
        terminal.see("zebra");
        terminal.type_keys("<^o>");
        terminal.see(said);
        terminal.type_keys("pdf");
        terminal.miss("zebra");
        terminal.type_keys("<^c>");
        assert_eq!(terminal.exit(), 130);
        terminal.assert_restored();
    }
}

#[test]
fn the_modes_that_an_editor_leaves_are_not_those_of_the_terminal() {
    let env = TestEnv::with_four_skills();
    for (arguments, key, end, back) in [
        (&[][..], "<^o>", "kill -9 $$", "the editor ended by signal 9"),
        (&[], "<^o>", "exit 0", "zebra"),
        (&["compose"], "<^e>", "exit 0", "Write the prompt"),
    ] {
        let script = format!("printf 'EDITOR HERE\\n'\nread line\nstty raw -echo\n{end}\n");
        let editor = format!("/bin/sh {}", env.write("editor", script).display());
        let mut terminal = Setup::new(&env, arguments).env("EDITOR", &editor).start();
        terminal.see(if key == "<^o>" { "zebra" } else { "Write the prompt" });
        terminal.type_keys(key);
        terminal.see("EDITOR HERE");
        terminal.type_keys("<enter>");
        terminal.see(back);
        terminal.type_keys("<^c>");
        terminal.exit();
        terminal.assert_restored();
    }
}

#[test]
fn a_file_that_the_editor_removed_is_not_named() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &["compose"]).env("EDITOR", "rm").start();
    terminal.see("Write the prompt");
    terminal.type_keys("kept<^e>");
    terminal.see("the edited prompt cannot be read: no such file or directory");
    assert!(!terminal.text().contains("what was edited"), "{}", terminal.text());
    terminal.see("kept");
    terminal.type_keys("<^c>");
    terminal.exit();
    terminal.assert_restored();
}

#[test]
fn no_editor_waits_for_a_pipe() {
    let env = TestEnv::new();
    let folder = env.at("repo/.agents/skills/pipe");
    fs::create_dir_all(&folder).unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.join("SKILL.md")).status().unwrap();
    assert!(made.success());
    let mut terminal = Setup::new(&env, &[]).env("VISUAL", "tail").start();
    terminal.see("1 error");
    terminal.type_keys("<^o>");
    terminal.see("SKILL.md is no regular file");
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
    terminal.assert_restored();
}

#[test]
#[cfg(debug_assertions)]
fn a_panic_on_the_way_back_from_the_editor_leaves_the_terminal() {
    let env = TestEnv::with_four_skills();
    let setup =
        Setup::new(&env, &[]).env("VISUAL", "true").env("SKILLPICK_FAILPOINT", "panic-in-return");
    let mut terminal = setup.start();
    terminal.see("zebra");
    terminal.type_keys("<^o>");
    assert_eq!(terminal.exit(), 101);
    terminal.assert_restored();
}
