//! Every way out leaves the terminal as it was found (L1, L3).

use super::setup::Setup;
use super::terminal::find;
use crate::env::{TestEnv, bar};
use crate::process;
use rustix::process::Signal;
use std::time::{Duration, Instant};

#[test]
fn keys_leave_the_terminal_as_it_was_found() {
    let env = TestEnv::with_four_skills();
    for (keys, code) in [("<enter>", 0), ("<esc>", 130), ("<^c>", 130)] {
        let mut terminal = Setup::new(&env, &[]).start();
        terminal.see("zebra");
        assert_ne!(terminal.termios(), terminal.termios_before(), "it never took the terminal");
        assert!(terminal.look(|screen| screen.alternate_screen() && screen.bracketed_paste()));
        terminal.type_keys(keys);
        assert_eq!(terminal.exit(), code, "{keys}");
        terminal.assert_restored();
    }
}

#[test]
fn signals_leave_the_terminal_as_it_was_found() {
    let env = TestEnv::with_four_skills();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
        let mut terminal = Setup::new(&env, &[]).start();
        terminal.see("zebra");
        terminal.signal(signal);
        assert_eq!(terminal.exit(), 128 + signal.as_raw().unsigned_abs(), "{signal:?}");
        terminal.assert_restored();
    }
}

#[test]
fn a_signal_at_the_first_byte_leaves_the_terminal_as_it_was_found() {
    let env = TestEnv::with_four_skills();
    for height in [&[] as &[&str], &["--height", "10"]] {
        let mut terminal = Setup::new(&env, height).answers(super::setup::SILENT).start();
        // The terminal is asked something and does not answer: nothing is drawn or read yet.
        terminal.see_bytes(0, b"\x1b[c");
        terminal.signal(Signal::TERM);
        assert_eq!(terminal.exit(), 143);
        terminal.assert_restored();
    }
}

#[test]
fn half_an_escape_sequence_delays_no_key() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("zebra");
    // The beginning of a paste that never ends.
    terminal.send(b"\x1b[200~half");
    env.repo_skill("omega", "Comes last");
    terminal.see("omega");
    terminal.signal(Signal::TERM);
    assert_eq!(terminal.exit(), 143);
    terminal.assert_restored();
}

#[test]
#[cfg(debug_assertions)]
fn a_panic_of_the_loop_restores_the_terminal_and_prints_one_message() {
    let env = TestEnv::with_four_skills();
    for place in ["panic-at-start", "panic-in-draw", "panic-in-input"] {
        let mut terminal = Setup::new(&env, &[]).env("SKILLPICK_FAILPOINT", place).start();
        if place == "panic-in-input" {
            terminal.see("zebra");
            terminal.type_keys("x");
        }
        assert_eq!(terminal.exit(), 101, "{place}");
        bar::tried(1);
        terminal.assert_restored();
        let text = terminal.text();
        assert_eq!(text.matches("this is a bug").count(), 1, "{place}: {text}");
        assert!(text.contains(place), "{text}");
        // What the panic says is other people's text as well.
        assert_eq!(find(&terminal.raw(), b"\x1b]0;"), None);
        assert!(
            !text.contains("zebra"),
            "{place}: what was drawn stands on the shell's screen: {text}"
        );
    }
}

#[test]
#[cfg(debug_assertions)]
fn a_panic_of_a_worker_is_a_notice() {
    let env = TestEnv::with_four_skills();
    for place in ["panic-in-preview", "panic-in-scan", "panic-in-change", "panic-in-ranking"] {
        let mut terminal = Setup::new(&env, &[]).env("SKILLPICK_FAILPOINT", place).start();
        if place == "panic-in-change" {
            terminal.see("zebra");
            terminal.type_keys("<^x>");
        }
        terminal.see("a background task failed");
        bar::tried(1);
        // The rest goes on.
        terminal.type_keys("pdf");
        terminal.wait_for("the query", |screen| {
            screen.rows(0, 20).next().is_some_and(|row| row.contains("pdf"))
        });
        terminal.type_keys("<^c>");
        assert_eq!(terminal.exit(), 130, "{place}");
        terminal.assert_restored();
    }
}

#[test]
fn a_terminal_that_hangs_up_ends_the_program() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("zebra");
    terminal.hang_up();
    assert_eq!(terminal.ended(), 129);
}

/// Within a second and 50 ms of the processor, but a busy machine takes ten times as long.
#[test]
fn a_terminal_that_hangs_up_ends_the_program_though_the_signal_is_ignored() {
    let env = TestEnv::with_four_skills();
    for height in ["", "--height 12"] {
        let line = format!("trap '' HUP; skillpick {height}; code=$?; times >times; exit $code");
        let mut terminal = Setup::sh(&env, &line).start();
        terminal.see("prints $alpha");
        let (_, before) = process::child(terminal.pid());
        let begun = Instant::now();
        terminal.hang_up();
        assert_eq!(terminal.ended(), 129);
        let taken = begun.elapsed();
        assert!(taken < Duration::from_secs(10), "{taken:?}");
        let spent = children_time(&env.read("repo/times")).saturating_sub(before);
        assert!(spent < Duration::from_millis(500), "{spent:?} of the processor");
        bar::tried(1);
    }
}

/// The last line of `times`, user and system: `0m0.120000s 0m0.010000s`.
fn children_time(times: &str) -> Duration {
    let of = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
    };
    let last = times.lines().last().unwrap();
    Duration::from_secs_f64(last.split_whitespace().map(of).sum())
}
