//! Files that change while the picker is open, and files that it changes.

use super::setup::Setup;
use super::terminal::{Terminal, current};
use crate::env::TestEnv;
use std::fs;

fn row_has(terminal: &Terminal, name: &str, sign: &str) {
    terminal.wait_for(&format!("{name} with {sign}"), |screen| {
        screen.rows(0, 40).any(|row| row.contains(name) && row.contains(sign))
    });
}

#[test]
fn a_new_skill_appears_and_the_cursor_stays_on_its_own() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("zebra");
    terminal.type_keys("<down><down>");
    terminal.see_current("pdf-merge");
    env.repo_skill("aardvark", "Comes first");
    terminal.see("aardvark");
    terminal.see_current("pdf-merge");
    fs::remove_dir_all(env.at("repo/.agents/skills/aardvark")).unwrap();
    terminal.miss("aardvark");
    terminal.see_current("pdf-merge");
    terminal.type_keys("<^c>");
    terminal.exit();
}

#[test]
fn a_root_that_appears_is_watched_from_then_on() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("zebra");
    let skill = |name: &str| {
        let text = format!("---\nname: {name}\ndescription: One of the person's own\n---\nText.\n");
        env.write(format!("home/.agents/skills/{name}/SKILL.md"), text);
    };
    skill("mine-first");
    terminal.see("mine-first");
    skill("mine-second");
    terminal.see("mine-second");
    terminal.type_keys("<^c>");
    terminal.exit();
}

#[test]
fn a_root_that_is_replaced_is_watched_from_then_on() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("zebra");
    let text = "---\nname: fresh\ndescription: In the new folder\n---\nText.\n";
    env.write("repo/new/fresh/SKILL.md", text);
    fs::rename(env.at("repo/.agents/skills"), env.at("repo/old")).unwrap();
    fs::rename(env.at("repo/new"), env.at("repo/.agents/skills")).unwrap();
    terminal.see("fresh");
    terminal.miss("zebra");
    env.repo_skill("later", "In the new folder as well");
    terminal.see("later");
    terminal.type_keys("<^c>");
    terminal.exit();
}

#[test]
fn settings_that_change_outside_change_the_row() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    row_has(&terminal, "zebra", "✓");
    let off = "version = 1\n[[skills.config]]\nname = \"zebra\"\nenabled = false\n";
    env.write("home/.config/skillpick/config.toml", off);
    row_has(&terminal, "zebra", "○");
    env.write("home/.config/skillpick/config.toml", off.replace("false", "true"));
    row_has(&terminal, "zebra", "✓");
    terminal.type_keys("<^c>");
    terminal.exit();
}

#[test]
fn a_switch_is_written_at_once_and_undone_byte_for_byte() {
    let env = TestEnv::with_four_skills();
    let original = "# mine\nversion = 1\n\nascii = false # keep\n";
    let file = env.write("home/.config/skillpick/config.toml", original);
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.type_keys("alpha");
    terminal.see_current("alpha");
    terminal.type_keys("<^x>");
    terminal.see_current("○");
    terminal.see("config.toml:");
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.starts_with(original), "{written}");
    assert!(written.contains("enabled = false") && written.contains("alpha/SKILL.md"), "{written}");
    terminal.type_keys("<^x>");
    terminal.see_current("✓");
    assert_eq!(fs::read_to_string(&file).unwrap(), original, "the same key reverts it");
    terminal.type_keys("<^x>");
    terminal.see_current("○");
    terminal.type_keys("<alt-u>");
    terminal.see_current("✓");
    terminal.see("undone");
    assert_eq!(fs::read_to_string(&file).unwrap(), original, "undo reverts it");
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
}

/// Codex alone refuses this file; only its own reader knows.
#[test]
fn a_finding_hurts_where_one_of_several_agents_refuses_the_skill() {
    let env = TestEnv::with_four_skills();
    env.write("home/.codex/config.toml", "");
    env.write("home/.claude/settings.json", "{}");
    let text = "---\nname: one\ndescription: \"Sheets: make\n---\nText.\n";
    env.write("repo/.agents/skills/one/SKILL.md", text);
    for host in ["all", "agents"] {
        let mut terminal = Setup::new(&env, &["--host", host]).start();
        terminal.see("of 5");
        terminal.type_keys("<f2>");
        terminal.see("hurts you 1");
        terminal.type_keys("<enter><down>");
        terminal.see("refused by: codex");
        terminal.type_keys("<^c>");
        assert_eq!(terminal.exit(), 130);
    }
}

#[test]
fn all_skills_of_one_cause_are_mended_by_two_keys_and_undone_byte_for_byte() {
    let env = TestEnv::with_four_skills();
    let text = |name: &str| format!("# {name}\r\n\r\nTells of {name}.\r\n");
    let files = ["one", "two", "three"].map(|name| {
        let file = env.write(format!("repo/.agents/skills/{name}/SKILL.md"), text(name));
        (name, file)
    });
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("3 problems");
    terminal.type_keys("<f2>");
    terminal.see("hurts you 3");
    terminal.type_keys("<home>x");
    terminal.see("mend 3 findings in 3 skills");
    terminal.agree("+name: one");
    terminal.see("hurts you 0 · cosmetic 0 · mended 3");
    terminal.see("undoes it");
    for (name, file) in &files {
        let head = format!("---\r\nname: {name}\r\ndescription: Tells of {name}.\r\n---\r\n");
        assert_eq!(fs::read_to_string(file).unwrap(), head + &text(name));
    }
    terminal.type_keys("u");
    terminal.see("hurts you 3 · cosmetic 0 · mended 0");
    for (name, file) in &files {
        assert_eq!(fs::read_to_string(file).unwrap(), text(name));
    }
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
}

#[test]
fn broken_settings_are_reported_and_never_written() {
    let env = TestEnv::with_four_skills();
    let broken = "version = 1\n[skills\nenabled = maybe\n";
    let file = env.write("home/.config/skillpick/config.toml", broken);
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("✗ settings");
    terminal.see("4 of 4");
    terminal.type_keys("<^x>");
    terminal.type_keys("<down>");
    terminal.see_current("pdf");
    terminal.type_keys("<^x>");
    terminal.see("nothing is written");
    assert_eq!(fs::read_to_string(&file).unwrap(), broken);
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
    assert_eq!(
        fs::read_dir(file.parent().unwrap()).unwrap().count(),
        1,
        "nothing is left beside it"
    );
}

#[test]
fn a_file_that_becomes_a_pipe_holds_up_no_preview() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("The body of alpha");
    let file = env.at("repo/.agents/skills/pdf-forms/SKILL.md");
    fs::remove_file(&file).unwrap();
    crate::env::named_pipe(&file).unwrap();
    terminal.wait_for("its row", |screen| {
        screen.rows(0, 40).any(|row| row.contains("pdf-forms") && row.contains('✗'))
    });
    terminal.type_keys("merge");
    terminal.see("The body of pdf-merge");
    assert!(terminal.look(current).is_some_and(|row| row.contains("pdf-merge")));
    terminal.type_keys("<^c>");
    terminal.exit();
}

#[test]
fn refresh_repaints_everything() {
    let env = TestEnv::with_four_skills();
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("The body of alpha");
    let tty = terminal.device();
    fs::write(&tty, "\x1b[5;1HJUNK FROM ELSEWHERE\x1b[20;40HMORE OF IT").unwrap();
    terminal.see("JUNK FROM ELSEWHERE");
    terminal.see("MORE OF IT");
    terminal.type_keys("<^l>");
    terminal.miss("JUNK FROM ELSEWHERE");
    terminal.miss("MORE OF IT");
    terminal.see("zebra");
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
}

#[test]
fn a_file_that_changes_is_shown_anew() {
    let env = TestEnv::with_four_skills();
    let file = env.write("repo/.agents/skills/alpha/notes.txt", "old words\n");
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.see("zebra");
    terminal.see_current("alpha");
    terminal.type_keys("<f3>");
    terminal.see("notes.txt");
    terminal.type_keys("<down>");
    terminal.see("old words");
    fs::write(file, "new words\n").unwrap();
    terminal.see("new words");
    terminal.type_keys("<^c>");
    terminal.exit();
}

#[test]
fn a_pick_does_not_wait_for_the_end_of_the_scan() {
    let env = TestEnv::with_four_skills();
    for index in 0..1500 {
        env.repo_skill(&format!("many-{index:04}"), "One of many");
    }
    let mut terminal = Setup::sh(&env, "skillpick -q zebra >out").start();
    terminal.see_current("zebra");
    terminal.type_keys("<enter>");
    assert_eq!(terminal.exit(), 0);
    assert_eq!(fs::read_to_string(env.at("repo/out")).unwrap(), "$zebra\n");
    terminal.assert_restored();
}

#[test]
fn a_setting_says_where_the_preview_is() {
    let env = TestEnv::with_four_skills();
    for (place, has_text) in [("auto", true), ("below", true), ("none", false)] {
        let text = format!("version = 1\npreview = \"{place}\"\n");
        env.write("home/.config/skillpick/config.toml", text);
        let mut terminal = Setup::new(&env, &[]).start();
        match has_text {
            true => terminal.see("The body of alpha"),
            false => {
                terminal.see("skills/alpha · ");
                terminal.miss("The body of alpha");
            }
        }
        terminal.type_keys("<^c>");
        terminal.exit();
    }
}

/// The description is not in the body: the preview begins with it, and raw shows the whole file.
#[test]
fn the_preview_begins_with_the_description_and_raw_is_the_whole_file() {
    let env = TestEnv::with_four_skills();
    env.repo_skill("a-name-that-is-too-long-for-a-description-beside-it", "Says when it is wanted");
    let mut terminal = Setup::new(&env, &[]).start();
    terminal.wait_for("the description above the body", |screen| {
        let rows: Vec<String> = screen.rows(0, 100).collect();
        // The list is above the preview and has the description as well.
        let row = |text: &str| rows.iter().rposition(|row| row.contains(text));
        matches!((row("Says when it is wanted"), row("The body of")), (Some(first), Some(then)) if first < then)
    });
    terminal.miss("description:");
    terminal.type_keys("<^t><^t>");
    terminal.see("description: Says when it is wanted");
    terminal.type_keys("<f3>");
    terminal.see("SKILL.md");
    terminal.miss("description: Says");
    terminal.type_keys("r");
    terminal.see("description: Says when it is wanted");
    terminal.type_keys("<^c>");
    terminal.exit();
}

#[test]
fn a_picture_is_drawn_where_the_terminal_has_the_colours_and_named_elsewhere() {
    let env = TestEnv::new();
    let skill = env.repo_skill("pictured", "Has a picture.");
    let folder = skill.parent().unwrap();
    image::RgbImage::from_pixel(16, 8, image::Rgb([200, 30, 40]))
        .save_with_format(folder.join("a.png"), image::ImageFormat::Png)
        .unwrap();
    fs::write(folder.join("b.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0").unwrap();
    for (colours, drawn) in [("truecolor", true), ("", false)] {
        let mut terminal = Setup::new(&env, &[]).env("COLORTERM", colours).start();
        terminal.see_current("pictured");
        terminal.type_keys("<right>");
        terminal.see("a.png");
        terminal.type_keys("j");
        match drawn {
            true => {
                terminal.see("16 × 8 pixels");
                terminal.see(&"▀".repeat(16));
                let raw = terminal.raw();
                let colour = b"38;2;200;30;40";
                assert!(raw.windows(colour.len()).any(|part| part == colour));
            }
            false => terminal.see("not text: PNG image"),
        }
        // One that is broken is named, and nothing fails.
        terminal.type_keys("j");
        terminal.see("b.png · rendered");
        terminal.see("not text: PNG image");
        terminal.type_keys("<^c>");
        assert_eq!(terminal.exit(), 130);
    }
}

#[test]
#[cfg(debug_assertions)]
fn no_change_is_lost_to_a_key_that_comes_too_soon() {
    const CONFIG: &str = "home/.config/skillpick/config.toml";
    let env = TestEnv::with_four_skills();
    let start = |place: &str, current: &str| {
        let terminal = Setup::new(&env, &[]).env("SKILLPICK_FAILPOINT", place).start();
        terminal.see("zebra");
        terminal.see_current(current);
        terminal
    };
    let mut terminal = start("slow-plan", "alpha");
    terminal.type_keys("<^x><^c>");
    assert_eq!(terminal.exit(), 130);
    assert!(terminal.text().contains("it is not made"), "{}", terminal.text());
    terminal.assert_restored();
    assert!(!env.at(CONFIG).exists());
    let mut terminal = start("slow-plan", "alpha");
    terminal.type_keys("<^x><enter>");
    terminal.see("alpha is off");
    assert!(env.read(CONFIG).contains("enabled = false"));
    terminal.type_keys("<^c>");
    assert_eq!(terminal.exit(), 130);
    assert!(!terminal.text().contains("not made"), "{}", terminal.text());
    // What is being written when somebody leaves is written.
    let mut terminal = start("slow-undo", "pdf-forms");
    terminal.type_keys("<alt-u><^c>");
    assert_eq!(terminal.exit(), 130);
    assert!(!env.at(CONFIG).exists() || !env.read(CONFIG).contains("enabled = false"));
}
