//! The mapping for Neovim, as docs/shells.md has it.

use super::setup::{PROGRAM, Setup};
use super::terminal::eventually;
use crate::env::TestEnv;
use crate::support::skipped;
use std::process::Command;

#[test]
fn the_mapping_of_the_docs_inserts_a_pick_at_the_cursor_and_nothing_after_escape() {
    if Command::new("nvim").arg("--version").output().is_err() {
        return skipped("nvim is not here (`just ci` installs it)");
    }
    let env = TestEnv::with_four_skills();
    std::fs::create_dir_all(env.at("bin")).unwrap();
    std::os::unix::fs::symlink(PROGRAM, env.at("bin/skillpick")).unwrap();
    let page = include_str!("../../../docs/shells.md");
    let mapping = page.split("```lua\n").nth(1).unwrap().split("```").next().unwrap();
    let init = env.write("init.lua", format!("vim.g.mapleader = ','\n{mapping}"));
    let path = format!("{}:/usr/bin:/bin", env.text("bin"));
    let file = env.write("repo/prompt.md", "Use \n");
    let words = ["nvim", "-n", "-u", init.to_str().unwrap(), file.to_str().unwrap()];
    let mut terminal = Setup::program(&env, &words).size(100, 40).env("PATH", &path).start();
    terminal.see("Use");
    for (place, leave, expected) in [
        ("$", "zebra<enter>", "Use $zebra\n"),
        ("$", "<esc>", "Use $zebra\n"),
        // Within a word.
        ("0", "zebra<enter>", "U $zebra se $zebra\n"),
    ] {
        terminal.type_keys(place);
        terminal.type_keys(",k");
        terminal.see("pdf-merge");
        terminal.see("TERMINAL");
        terminal.type_keys(leave);
        terminal.miss("pdf-merge");
        terminal.miss("TERMINAL");
        terminal.type_keys(":w<enter>");
        // While it is written, it may be missing.
        let written = || std::fs::read_to_string(&file).unwrap_or_default();
        eventually("the file", || written() == expected);
    }
    terminal.type_keys(":qa!<enter>");
    assert_eq!(terminal.exit(), 0);
}
