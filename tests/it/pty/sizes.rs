//! Any size, any order of sizes (L5), and the rows below a prompt.

use super::setup::Setup;
use super::terminal::{count, picture};
use crate::env::TestEnv;
use std::fs;
use std::time::Instant;

#[test]
fn every_size_can_be_started_in() {
    let env = TestEnv::with_four_skills();
    for (columns, rows) in [(1, 1), (0, 0), (2, 1), (1, 40), (20, 3), (300, 100)] {
        let mut terminal = Setup::new(&env, &[]).size(columns, rows).start();
        terminal.see_bytes(0, b"\x1b[?2026l");
        terminal.type_keys("z<^c>");
        assert_eq!(terminal.exit(), 130, "{columns}x{rows}");
        terminal.assert_restored();
    }
}

#[test]
fn a_storm_of_sizes_ends_in_the_right_picture() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    // With all that streams in.
    for part in ["4 of 4", "1 file", "The body of alpha", "~22 tok", "of 32.7k", "F1 help"] {
        terminal.see(part);
    }
    let before = terminal.still();
    let (begun, from) = (Instant::now(), terminal.mark());
    for step in 0..300_u16 {
        let sizes = [(1, 1), (300, 100), (2, 50), (90, 2), (40 + step % 60, 10 + step % 20)];
        let (columns, rows) = sizes[usize::from(step) % sizes.len()];
        terminal.resize(columns, rows);
        if step % 50 == 0 {
            terminal.type_keys("<down><up>");
        }
    }
    terminal.resize(100, 30);
    terminal.wait_for("the picture from before", |screen| picture(screen) == before);
    let frames = count(&terminal.raw()[from..], b"\x1b[?2026h");
    let most = begun.elapsed().as_millis() / 16 + 2;
    assert!(frames as u128 <= most, "{frames} frames, where {most} have room");
    terminal.type_keys("<enter>");
    assert_eq!(terminal.exit(), 0);
    terminal.assert_restored();
}

#[test]
fn an_inline_picker_keeps_the_rows_above_it() {
    let env = TestEnv::with_four_skills();
    let line = "i=1; while [ $i -le 24 ]; do echo row $i; i=$((i+1)); done; skillpick --height 40% >out; echo after";
    let mut terminal = Setup::sh(&env, line).start();
    terminal.see("zebra");
    terminal.see("row 24");
    assert!(!terminal.look(vt100::Screen::alternate_screen));
    let used = terminal.look(|screen| {
        let rows: Vec<String> = screen.rows(0, 100).collect();
        rows.iter().position(|row| row.contains("row 24")).map(|last| (last, rows.len() - last - 1))
    });
    assert_eq!(
        used,
        Some((17, 12)),
        "12 of 30 rows, scrolled just as far as they need\n{}",
        terminal.text()
    );
    terminal.type_keys("zebra");
    terminal.see_current("zebra");
    terminal.type_keys("<enter>");
    terminal.see("after");
    terminal.exit();
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$zebra\n");
    let text = terminal.text();
    assert!(text.trim_end().ends_with("row 24\nafter"), "{text}");
    assert!(!text.contains("zebra"), "{text}");
    terminal.assert_restored();
}

#[test]
fn below_the_prompt_a_resize_leaves_no_stale_rows() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "echo above; skillpick --height 10; echo after").start();
    terminal.see("zebra");
    terminal.resize(70, 8);
    terminal.wait_for("a frame of the new size", |screen| {
        screen.rows(0, 70).last().is_some_and(|row| row.contains("help"))
    });
    terminal.resize(100, 30);
    terminal.wait_for("a frame of the old size", |screen| screen.contents().contains("zebra"));
    terminal.type_keys("<^c>");
    terminal.see("after");
    terminal.exit();
    assert!(!terminal.text().contains("zebra"), "{}", terminal.text());
    terminal.assert_restored();
}

#[test]
fn below_the_prompt_a_lower_terminal_scrolls_and_loses_no_rows() {
    let env = TestEnv::with_four_skills();
    let line = "i=1; while [ $i -le 24 ]; do echo row $i; i=$((i+1)); done; skillpick --height 10; echo after";
    let mut terminal = Setup::sh(&env, line).start();
    terminal.see("zebra");
    terminal.still();
    // The frame stays at row 20, and the rows that are left out are its last ones.
    terminal.resize(100, 25);
    terminal.wait_for("a frame of the new size", |screen| {
        screen.rows(0, 100).last().is_some_and(|row| row.contains("help"))
    });
    assert!(terminal.still().contains("row 24"), "{}", terminal.text());
    terminal.type_keys("<^c>");
    terminal.see("after");
    terminal.exit();
    assert!(terminal.text().trim_end().ends_with("row 24\nafter"), "{}", terminal.text());
    terminal.assert_restored();
}

#[test]
fn below_the_prompt_the_rows_that_a_narrower_terminal_wraps_anew_are_cleared() {
    let env = TestEnv::with_four_skills();
    let line = "i=1; while [ $i -le 24 ]; do echo row $i; i=$((i+1)); done; skillpick --height 10; echo after";
    for screen in ["", "<right>"] {
        let mut terminal = Setup::sh(&env, line).start();
        terminal.see("zebra");
        terminal.type_keys(screen);
        terminal.still();
        // The frame begins at row 20, and stands at row 14 when its rows are wrapped: the terminal
        // moves all of it, with its cursor.
        let below: String = (13..30).map(|row| format!("\x1b[{};1Hstale\x1b[K", row + 1)).collect();
        let column = terminal.look(|screen| screen.cursor_position().1);
        terminal.paint(&format!("{below}\x1b[14;{}H", column + 1));
        terminal.resize(60, 30);
        terminal.miss("stale");
        assert!(terminal.text().contains("row 17"), "{screen}: {}", terminal.text());
        terminal.type_keys("<^c>");
        terminal.see("after");
        terminal.exit();
        assert!(terminal.text().trim_end().ends_with("row 17\nafter"), "{}", terminal.text());
    }
}

#[test]
fn below_the_prompt_the_first_frame_covers_what_stood_there() {
    let env = TestEnv::with_four_skills();
    let line = "printf 'Fetching origin: receiving objects 100%%, done.'; skillpick --height 10";
    let mut terminal = Setup::sh(&env, line).start();
    terminal.see("zebra");
    assert!(!terminal.still().contains("receiving"), "{}", terminal.text());
    terminal.type_keys("<^c>");
    terminal.exit();
}

#[test]
fn keys_typed_before_the_program_runs_are_its_keys() {
    let env = TestEnv::with_four_skills();
    for height in ["", "--height 10"] {
        // The keys are typed while the shell waits, so they are in the terminal's queue.
        let line = format!(
            "rm -f go; mkfifo go; echo now; read go <go; skillpick {height} >out; echo after"
        );
        let mut terminal = Setup::sh(&env, &line).start();
        terminal.see("now");
        terminal.type_keys("zebra<enter>");
        terminal.see("now\nzebra");
        fs::write(env.at("repo/go"), "\n").unwrap();
        terminal.see("after");
        terminal.exit();
        assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$zebra\n", "{height}");
        terminal.assert_restored();
    }
}

#[test]
fn a_terminal_that_hides_its_cursor_gives_the_whole_screen() {
    let env = TestEnv::with_four_skills();
    let setup = Setup::sh(&env, "echo above; skillpick --height 10; echo after");
    let mut terminal = setup.answers(super::setup::SILENT).start();
    terminal.wait_for("the alternate screen", |screen| {
        screen.alternate_screen() && screen.contents().contains("zebra")
    });
    terminal.resize(90, 20);
    terminal.wait_for("a frame of the new size", |screen| {
        screen.rows(0, 90).last().is_some_and(|row| row.contains("help"))
    });
    terminal.type_keys("<^c>");
    terminal.see("after");
    terminal.exit();
    terminal.assert_restored();
    assert_eq!(terminal.text().trim_end(), "above\nafter");
}
