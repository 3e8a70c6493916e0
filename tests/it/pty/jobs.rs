//! Job control: the picker as a job of an interactive shell (L2).

use super::setup::{PROGRAM, Setup};
use super::terminal::{Terminal, eventually};
use crate::env::{TestEnv, bar};
use crate::process;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;

fn shell(env: &TestEnv) -> Terminal {
    let terminal = Setup::program(env, &["/bin/sh", "-i"]).env("PS1", "ready> ").start();
    terminal.see("ready> ");
    terminal
}

fn run(terminal: &Terminal, line: &str) {
    terminal.type_keys(line);
    terminal.type_keys("<enter>");
}

/// Waits until the picker has the screen.
fn picker(terminal: &Terminal) {
    terminal.wait_for("the picker", |screen| {
        screen.alternate_screen() && screen.contents().contains("zebra")
    });
}

/// Waits until the shell has it again, in whole.
fn prompt(terminal: &Terminal) {
    terminal.wait_for("the prompt", |screen| {
        !screen.alternate_screen() && screen.contents().trim_end().ends_with("ready>")
    });
    terminal.assert_modes_off();
}

/// What the process does: `T` where it is stopped, `Z` where it has ended and nobody has asked how.
fn state(pid: i32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Names that more than one thread of the process carries.
fn doubled_threads(pid: i32) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let names = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    let doubled = names.windows(2).filter(|pair| pair[0] == pair[1]);
    doubled.map(|pair| pair[0].trim().to_owned()).collect()
}

#[test]
fn a_stopped_picker_gives_the_terminal_back_and_comes_again() {
    let env = TestEnv::with_four_skills();
    let mut terminal = shell(&env);
    let cooked = terminal.termios();
    run(&terminal, &format!("{PROGRAM} >out"));
    picker(&terminal);
    let pid = terminal.foreground().unwrap();
    let (mut early, rounds) = (None, bar::share(100));
    for round in 0..rounds {
        if round % 2 == 0 {
            terminal.type_keys("<^z>");
        } else {
            kill_process(Pid::from_raw(pid).unwrap(), Signal::TSTP).unwrap();
        }
        prompt(&terminal);
        assert_eq!(terminal.termios(), cooked, "round {round}");
        run(&terminal, "fg");
        picker(&terminal);
        if round == rounds / 10 {
            early = Some((process::kib(pid, "VmRSS"), process::open_files(pid)));
        }
        bar::tried(1);
    }
    let (memory, files) = early.unwrap();
    let grown = process::kib(pid, "VmRSS").saturating_sub(memory);
    assert!(grown < 10 << 10, "{grown} KiB more memory after {rounds} stops");
    eventually("no file more is open", || process::open_files(pid) <= files);
    // The scan after each return has helpers for a moment.
    eventually("no thread is there twice", || doubled_threads(pid).is_empty());
    terminal.type_keys("<^z>");
    prompt(&terminal);
    terminal.resize(60, 12);
    run(&terminal, "fg");
    terminal.wait_for("a frame of the new size", |screen| {
        let last = screen.rows(0, 60).last().unwrap_or_default();
        screen.alternate_screen() && screen.contents().contains("zebra") && last.contains("help")
    });
    terminal.type_keys("zebra");
    terminal.see_current("zebra");
    terminal.type_keys("<enter>");
    prompt(&terminal);
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$zebra\n");
    run(&terminal, "exit 7");
    assert_eq!(terminal.exit(), 7);
}

#[test]
fn a_stopped_picker_stays_out_of_the_foreground_and_can_be_ended() {
    let env = TestEnv::with_four_skills();
    let mut terminal = shell(&env);
    run(&terminal, PROGRAM);
    picker(&terminal);
    let pid = terminal.foreground().unwrap();
    terminal.type_keys("<^z>");
    prompt(&terminal);
    // Continued in the background it draws nothing, and stops again.
    let before = terminal.mark();
    run(&terminal, "bg; echo n''ow");
    terminal.see_bytes(before, b"now\r\n");
    eventually("it has stopped again", || state(pid) == Some('T'));
    run(&terminal, "kill %1; kill -CONT %1");
    eventually("it has ended", || matches!(state(pid), None | Some('Z')));
    // The shell hears of the stop before it hears of the end, and not of both at once.
    eventually("the shell knows how it ended", || {
        run(&terminal, "jobs");
        terminal.text().contains("Done(143)")
    });
    assert!(!terminal.look(vt100::Screen::alternate_screen));
    let raw = terminal.raw();
    assert_eq!(
        super::terminal::find(&raw[before..], b"\x1b[?1049h"),
        None,
        "it drew in the background"
    );
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
    run(&terminal, "exit 0");
    terminal.exit();
}

#[test]
fn without_job_control_the_picker_does_not_stop() {
    let env = TestEnv::with_four_skills();
    // It leads the session itself, as in `xterm -e skillpick`.
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("zebra");
    terminal.type_keys("<^z>");
    terminal.see("no shell here");
    terminal.signal(Signal::TSTP);
    terminal.type_keys("pdf");
    terminal.miss("zebra");
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
    terminal.assert_restored();
}

/// The shell leads no session where `login` or another shell has started it.
#[test]
fn in_a_substitution_of_any_shell_the_picker_does_not_stop() {
    let env = TestEnv::with_four_skills();
    let mut terminal = shell(&env);
    run(&terminal, "PS1='inner> ' /bin/sh -i");
    terminal.see("inner> ");
    run(&terminal, &format!("x=$({PROGRAM})"));
    picker(&terminal);
    terminal.type_keys("<^z>");
    terminal.see("no shell here");
    terminal.type_keys("<^c>");
    terminal.see("inner> ");
    run(&terminal, "exit 0");
    run(&terminal, "exit 0");
    terminal.exit();
}

#[test]
fn an_inline_picker_comes_again_below_the_prompt() {
    let env = TestEnv::with_four_skills();
    let mut terminal = shell(&env);
    run(&terminal, &format!("{PROGRAM} --height 8"));
    terminal.see("zebra");
    terminal.type_keys("<^z>");
    terminal.wait_for("the prompt", |screen| screen.contents().trim_end().ends_with("ready>"));
    terminal.miss("zebra");
    run(&terminal, "echo between; fg");
    terminal.see("zebra");
    // What the shell wrote is still there.
    assert!(terminal.text().contains("\nbetween\n"), "{}", terminal.text());
    terminal.type_keys("<^c>");
    terminal.miss("zebra");
    run(&terminal, "exit 0");
    terminal.exit();
    assert!(terminal.text().contains("\nbetween\n"), "{}", terminal.text());
}

#[test]
fn stopping_the_editor_stops_the_job() {
    let env = TestEnv::with_four_skills();
    let script = env.write("editor", "printf 'EDITOR HERE\\n'\nread line\n");
    let mut terminal = shell(&env);
    run(&terminal, &format!("EDITOR='/bin/sh {}' {PROGRAM}", script.display()));
    picker(&terminal);
    terminal.type_keys("<^o>");
    terminal.see("EDITOR HERE");
    let before = terminal.mark();
    terminal.type_keys("<^z>");
    terminal.see_bytes(before, b"ready> ");
    run(&terminal, "fg");
    // The editor goes on where it was, and the picker behind it.
    terminal.type_keys("done<enter>");
    picker(&terminal);
    terminal.type_keys("<^c>");
    prompt(&terminal);
    run(&terminal, "exit 0");
    terminal.exit();
}
