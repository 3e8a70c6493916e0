//! The picker beside a root that never answers (R2).

use super::setup::{PROGRAM, Setup};
use super::terminal::eventually;
use crate::env::{TestEnv, bar};
use crate::program::silent::beside_silence;
use rustix::process::Signal;
use std::time::{Duration, Instant};

#[test]
fn a_root_that_never_answers_keeps_no_other_and_holds_up_no_way_out() {
    let env = TestEnv::with_four_skills();
    let start = || {
        let words = beside_silence(&env, &[PROGRAM])?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let terminal = Setup::program(&env, &words).start();
        terminal.see("zebra");
        Some(terminal)
    };
    for way in ["<enter>", "<^c>", "TERM", "problems"] {
        let Some(mut terminal) = start() else { return };
        terminal.type_keys("pdf");
        terminal.see_current("pdf-forms");
        if way == "problems" {
            // Until the root is given up, there is no problem to show.
            eventually("the root among the problems", || {
                let is_shown = terminal.look(|screen| screen.contents().contains("it does not"));
                if !is_shown {
                    terminal.type_keys("<^d>");
                }
                is_shown
            });
        }
        let begun = Instant::now();
        match way {
            "TERM" => terminal.signal(Signal::TERM),
            "problems" => terminal.type_keys("<^c>"),
            keys => terminal.type_keys(keys),
        }
        let code = terminal.exit();
        assert!([0, 130, 143].contains(&code), "{way}: {code}");
        // Only a complete list tells whether a name is unique, so a pick may wait until the root is
        // given up, after three seconds.
        let limit = Duration::from_secs(if way == "<enter>" { 10 } else { 1 });
        assert!(begun.elapsed() < limit, "{way}: {:?}", begun.elapsed());
        terminal.assert_restored();
        bar::tried(1);
    }
}
