//! What a pick prints, and where.

use super::setup::Setup;
use super::terminal::{count, eventually};
use crate::env::TestEnv;
use std::fs;

#[test]
fn enter_prints_the_mention_on_stdout_alone() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "skillpick >out 2>err; echo \"code $?\"").start();
    terminal.see("pdf-merge");
    terminal.type_keys("pdf-forms");
    terminal.see_current("pdf-forms");
    terminal.type_keys("<enter>");
    terminal.see("code 0");
    assert_eq!(terminal.exit(), 0);
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$pdf-forms\n");
    assert_eq!(fs::read_to_string(env.at("repo/err")).unwrap(), "");
    terminal.assert_modes_off();
    // Nothing of the picker's stands on the screen that was there before.
    assert_eq!(terminal.text().trim(), "code 0");
}

#[test]
#[cfg(debug_assertions)]
fn enter_right_after_a_query_picks_the_first_row_of_its_result() {
    let env = TestEnv::with_four_skills();
    let mut terminal =
        Setup::new(&env, &["--format", "name"]).env("SKILLPICK_FAILPOINT", "slow-ranking").start();
    terminal.see_current("alpha");
    terminal.type_keys("zeb<tab><^u>merge<tab><enter>");
    assert_eq!(terminal.exit(), 0);
    let printed: Vec<String> = terminal.text().split_whitespace().map(str::to_owned).collect();
    assert_eq!(printed, ["zebra", "pdf-merge"]);
}

/// The best match of all skills is meant, though the screen shows rows of the first ones alone.
#[test]
#[cfg(debug_assertions)]
fn keys_that_come_while_skills_are_read_are_about_all_of_them() {
    let env = TestEnv::with_four_skills();
    for number in 0..200 {
        env.skill("repo/.agents/skills", &format!("a-pdf-{number}"), "d");
    }
    env.skill("home/.agents/skills", "pdf", "d");
    for (keys, wanted) in
        [("pdf<enter>", &["pdf"][..]), ("pdf<tab><^u>zebra<tab><enter>", &["pdf", "zebra"])]
    {
        let mut terminal =
            Setup::new(&env, &["--format", "name"]).env("SKILLPICK_FAILPOINT", "slow-scan").start();
        terminal.see("a-pdf-");
        terminal.type_keys(keys);
        assert_eq!(terminal.exit(), 0);
        let printed: Vec<String> = terminal.text().split_whitespace().map(str::to_owned).collect();
        assert_eq!(printed, wanted);
    }
}

#[test]
fn marks_are_printed_in_mark_order() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "skillpick --format name >out").start();
    terminal.see("zebra");
    terminal.type_keys("zebra");
    terminal.see_current("zebra");
    terminal.type_keys("<tab><^u>alpha");
    terminal.see_current("alpha");
    terminal.type_keys("<tab><^u>merge");
    terminal.see_current("pdf-merge");
    terminal.type_keys("<tab>");
    terminal.see("3 marked");
    terminal.type_keys("<enter>");
    assert_eq!(terminal.exit(), 0);
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "zebra\nalpha\npdf-merge\n");
}

#[test]
fn a_skill_that_vanishes_while_it_is_shown_is_neither_picked_nor_marked_nor_copied() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "skillpick >out; echo \"code $?\"").start();
    terminal.see("zebra");
    terminal.type_keys("zebra");
    terminal.see_current("zebra");
    terminal.type_keys("<right>");
    terminal.see("pick");
    let folder = env.at("repo/.agents/skills/zebra");
    fs::rename(&folder, env.at("away")).unwrap();
    terminal.type_keys("<f5>");
    terminal.see("‹ this skill is gone");
    for key in ["p", "m", "e", "y", "<space>"] {
        terminal.type_keys(key);
        terminal.see("✗ this skill is gone");
        // Any key takes the message away.
        terminal.type_keys("j");
        eventually("it is taken away", || !terminal.text().contains("✗ this skill is gone"));
    }
    fs::rename(env.at("away"), &folder).unwrap();
    terminal.type_keys("<f5>");
    eventually("it is back", || !terminal.text().contains("this skill is gone"));
    terminal.type_keys("p");
    terminal.see("code 0");
    assert_eq!(terminal.exit(), 0);
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$zebra\n");
}

#[test]
fn escape_closes_clears_and_leaves_with_130() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "skillpick >out").start();
    terminal.see("zebra");
    terminal.type_keys("pdf");
    terminal.miss("zebra");
    terminal.type_keys("<esc>");
    terminal.see("zebra");
    terminal.type_keys("<esc>");
    assert_eq!(terminal.exit(), 130);
    assert_eq!(fs::read(env.at("repo/out")).unwrap(), b"");
    terminal.assert_modes_off();
}

#[test]
fn control_c_leaves_at_once_with_130() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "skillpick >out").start();
    terminal.see("zebra");
    terminal.type_keys("pdf");
    terminal.miss("zebra");
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
    assert_eq!(fs::read(env.at("repo/out")).unwrap(), b"");
}

#[test]
fn a_pick_can_be_taken_by_a_shell() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "x=$(skillpick); echo \"[$x] $?\"").start();
    terminal.see("zebra");
    terminal.type_keys("zebra");
    terminal.see_current("zebra");
    terminal.type_keys("<enter>");
    terminal.see("[$zebra] 0");
    assert_eq!(terminal.exit(), 0);
    assert_eq!(count(&terminal.raw(), b"$zebra"), 1);
}

#[test]
fn keys_come_from_the_terminal_whatever_stdin_is() {
    let env = TestEnv::with_four_skills();
    for line in [
        "printf 'no\\nkeys\\n' | skillpick >out",
        "skillpick </dev/null >out",
        "skillpick <&- >out",
    ] {
        let mut terminal = Setup::sh(&env, &format!("{line}; echo \"code $?\"")).start();
        terminal.see("zebra");
        terminal.type_keys("alpha");
        terminal.see_current("alpha");
        terminal.type_keys("<enter>");
        terminal.see("code 0");
        terminal.exit();
        assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$alpha\n", "{line}");
        terminal.assert_restored();
    }
}

#[test]
fn query_prefills_and_no_multi_allows_one_pick() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::sh(&env, "skillpick -q merge --no-multi >out").start();
    terminal.see_current("pdf-merge");
    terminal.miss("zebra");
    terminal.type_keys("<tab><^u>zebra");
    terminal.see_current("zebra");
    assert!(!terminal.text().contains("marked"), "{}", terminal.text());
    terminal.type_keys("<enter>");
    assert_eq!(terminal.exit(), 0);
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$zebra\n");
}

#[test]
fn a_closed_stdout_ends_the_picker_quietly() {
    let env = TestEnv::with_four_skills();
    // The runtime puts /dev/null where a stream is closed; a full disk is an error that is told.
    for (line, code, lines) in
        [("skillpick >&-", 0, 0), ("skillpick 2>err | true", 0, 0), ("skillpick >/dev/full", 2, 1)]
    {
        let mut terminal =
            Setup::sh(&env, &format!("{{ {line}; }} 2>err; echo \"code $?\"")).start();
        terminal.see("zebra");
        terminal.type_keys("zebra");
        terminal.see_current("zebra");
        terminal.type_keys("<enter>");
        terminal.see(&format!("code {code}"));
        terminal.exit();
        let said = fs::read_to_string(env.at("repo/err")).unwrap();
        assert!(!said.contains("panic") && said.lines().count() == lines, "{line}: {said}");
        terminal.assert_modes_off();
    }
}

#[test]
fn a_skill_that_no_mention_can_carry_is_refused_and_no_mark_is_lost() {
    let env = TestEnv::with_four_skills();
    env.repo_skill("par)x", "A path that a link cannot hold.");
    let terminal = Setup::sh(&env, "skillpick >out 2>err; echo \"code $?\"").start();
    terminal.see("pdf-merge");
    terminal.type_keys("par");
    terminal.see_current("par)x");
    terminal.see("↵ refuses: no mention can carry it");
    terminal.type_keys("<enter>");
    terminal.see("--format path --print0");
    terminal.type_keys("<esc><esc>");
    terminal.see("code 130");
}

#[test]
fn a_copy_goes_to_the_terminal_and_to_the_systems_clipboard() {
    use std::os::unix::fs::PermissionsExt;
    let env = TestEnv::with_four_skills();
    let program = |name: &str, script: String| {
        let file = env.write(format!("bin/{name}"), script);
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    };
    // The first one fails, so the next is asked.
    program("wl-copy", "#!/bin/sh\nexit 1\n".to_owned());
    let copied = env.at("copied");
    program(
        "xclip",
        format!(
            "#!/bin/sh\ncat > '{0}.new'; echo \"$@\" >> '{0}.new'; mv '{0}.new' '{0}'\n",
            copied.display()
        ),
    );
    let path = format!("{}:/usr/bin:/bin", env.text("bin"));
    let start = || {
        let setup = Setup::new(&env, &[]).env("PATH", &path).env("DISPLAY", ":9");
        setup.env("WAYLAND_DISPLAY", "w")
    };
    for ssh in [true, false] {
        let setup = if ssh { start().env("SSH_CONNECTION", "x") } else { start() };
        let mut terminal = setup.start();
        terminal.see("zebra");
        terminal.type_keys("zebra");
        terminal.see_current("zebra");
        let from = terminal.mark();
        terminal.type_keys("<^y>");
        terminal.see("copy this skill as");
        terminal.type_keys("<enter>");
        // `$zebra` in base 64
        terminal.see_bytes(from, b"\x1b]52;c;JHplYnJh");
        if !ssh {
            eventually("the copy", || copied.exists());
            assert_eq!(env.read("copied"), "$zebra-selection clipboard\n");
        }
        terminal.type_keys("<^c>");
        terminal.exit();
        assert_eq!(copied.exists(), !ssh);
    }
}
