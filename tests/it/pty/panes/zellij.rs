//! Panes of zellij, which answers the picker's questions, and draws its panes into a terminal of
//! ours.

use super::super::setup::{PROGRAM, Setup};
use super::super::terminal::{Terminal, eventually};
use super::{Pane, dock, end_with, leave_in_every_way};
use crate::env::TestEnv;
use crate::support::skipped;
use std::process::Command;

/// Nothing of zellij's own is on the screen, and every key but one goes to the pane.
const CONFIG: &str = r#"
default_mode "locked"
default_shell "/bin/sh"
pane_frames false
show_startup_tips false
show_release_notes false
session_serialization false
on_force_close "quit"
"#;

/// A session of zellij with one pane.
struct Zellij<'a> {
    env: &'a TestEnv,
    terminal: Terminal,
}

impl<'a> Zellij<'a> {
    /// One pane with a shell.
    fn new(env: &'a TestEnv) -> Option<Self> {
        Self::with(env, "pane", "ready>")
    }

    /// These panes, when this is seen in one.
    fn with(env: &'a TestEnv, panes: &str, seen: &str) -> Option<Self> {
        let version = Command::new("zellij").arg("--version").output();
        if !version.is_ok_and(|output| output.status.success()) {
            skipped("zellij is not here (cargo install --locked zellij)");
            return None;
        }
        env.write("zellij/config.kdl", CONFIG);
        env.write("zellij/layouts/bare.kdl", format!("layout {{\n{panes}\n}}\n"));
        let words = ["zellij", "--session", "test", "--new-session-with-layout", "bare"];
        let setup = Setup::program(env, &words).env("ZELLIJ_CONFIG_DIR", &env.text("zellij"));
        let zellij = Self { env, terminal: setup.env("PS1", "ready> ").start() };
        zellij.terminal.see(seen);
        Some(zellij)
    }

    fn run(&self, words: &[&str]) {
        let mut zellij = Command::new("zellij");
        zellij.args(words).env_clear().envs(self.env.environment());
        zellij.env("ZELLIJ_CONFIG_DIR", self.env.at("zellij")).output().unwrap();
    }
}

impl Pane for Zellij<'_> {
    fn env(&self) -> &TestEnv {
        self.env
    }

    fn text(&self) -> String {
        self.terminal.text()
    }

    fn send(&self, bytes: &[u8]) {
        self.terminal.send(bytes);
    }

    fn modes(&self) -> String {
        self.terminal.wait_for("the cursor", |screen| !screen.hide_cursor());
        String::new()
    }
}

impl Drop for Zellij<'_> {
    fn drop(&mut self) {
        self.run(&["kill-session", "test"]);
    }
}

#[test]
fn each_way_out_leaves_a_pane_of_zellij_as_it_was_found() {
    let env = TestEnv::with_four_skills();
    let Some(zellij) = Zellij::new(&env) else { return };
    leave_in_every_way(&zellij);
}

#[test]
fn a_closed_pane_of_zellij_ends_the_picker() {
    let env = TestEnv::with_four_skills();
    for end in [&["--session", "test", "action", "close-pane"][..], &["kill-session", "test"]] {
        let Some(zellij) = Zellij::new(&env) else { return };
        end_with(&zellij, || zellij.run(end));
    }
}

#[test]
fn a_prompt_arrives_in_a_pane_of_zellij_whole_once_and_not_entered() {
    let env = dock::env();
    let agent = env.text("bin/claude");
    let panes = format!(
        "pane command=\"{agent}\"\npane focus=true size=14 command=\"{PROGRAM}\" {{ args \"dock\"; }}"
    );
    let Some(zellij) = Zellij::with(&env, &panes, "to ▸ claude (zellij pane ") else { return };
    let terminal = &zellij.terminal;
    terminal.see("agent ready");
    terminal.type_keys("Use $pdff");
    terminal.see("▌ pdf-forms");
    terminal.type_keys("<enter>");
    terminal.see("[pdf-forms]");
    terminal.type_keys("now<^j>and `more` $(x)<enter>");
    terminal.see("not entered");
    let paste = "^[[200~Use /pdf-forms now\nand `more` $(x)^[[201~";
    eventually("the prompt", || dock::arrived(&env).ends_with("^[[201~"));
    assert_eq!(dock::arrived(&env), paste);
    terminal.type_keys("yes<^s>");
    terminal.see("sent to claude");
    let expected = format!("{paste}^[[200~yes^[[201~^M");
    eventually("Enter", || dock::arrived(&env) == expected);
}

#[test]
fn an_agent_that_has_ended_in_a_pane_that_zellij_keeps_is_no_agent() {
    let env = dock::env();
    let agent = dock::program(&env, "codex", "#!/bin/sh\necho over\n");
    let panes = format!(
        "pane command=\"{agent}\"\npane focus=true size=14 command=\"{PROGRAM}\" {{ args \"dock\"; }}"
    );
    let Some(zellij) = Zellij::with(&env, &panes, "over") else { return };
    zellij.terminal.see("F1 help");
    // The dock may have looked before the end.
    zellij.terminal.type_keys("<f5>");
    zellij.terminal.see("no agent in another pane");
}
