//! Panes of tmux, which tells the modes of each.

use super::{Pane, end_with, leave_in_every_way};
use crate::env::TestEnv;
use crate::support::skipped;
use std::process::{Command, Output};

/// A server of tmux with one pane.
pub(super) struct Tmux<'a> {
    env: &'a TestEnv,
    socket: String,
}

/// What tmux tells of the modes of a pane.
const MODES: &str = "alternate=#{alternate_on} cursor=#{cursor_flag} insert=#{insert_flag} \
     keypad=#{keypad_flag}#{keypad_cursor_flag} origin=#{origin_flag} wrap=#{wrap_flag} \
     mouse=#{mouse_any_flag}#{mouse_button_flag}#{mouse_standard_flag}#{mouse_sgr_flag} \
     region=#{scroll_region_upper}-#{scroll_region_lower}";

impl<'a> Tmux<'a> {
    pub(super) fn new(env: &'a TestEnv) -> Option<Self> {
        let tmux = Self { env, socket: env.text("tmux.socket") };
        let shell = ["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "/bin/sh"];
        let works = tmux.try_run(&shell).is_ok_and(|output| output.status.success());
        if !works {
            skipped("tmux is not here, or cannot start (`just ci` installs it)");
            return None;
        }
        Some(tmux)
    }

    fn try_run(&self, words: &[&str]) -> std::io::Result<Output> {
        let mut tmux = Command::new("tmux");
        tmux.args(["-S", &self.socket]).args(words).env_clear().current_dir(self.env.at("repo"));
        tmux.envs(self.env.environment());
        tmux.env("TERM", "xterm-256color").output()
    }

    pub(super) fn run(&self, words: &[&str]) -> String {
        String::from_utf8(self.try_run(words).unwrap().stdout).unwrap()
    }
}

impl Pane for Tmux<'_> {
    fn env(&self) -> &TestEnv {
        self.env
    }

    fn text(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    fn send(&self, bytes: &[u8]) {
        let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let words = ["send-keys", "-H"].into_iter().chain(bytes.iter().map(String::as_str));
        self.run(&words.collect::<Vec<_>>());
    }

    fn modes(&self) -> String {
        self.run(&["display-message", "-p", MODES])
    }
}

impl Drop for Tmux<'_> {
    fn drop(&mut self) {
        let _ = self.try_run(&["kill-server"]);
    }
}

#[test]
fn each_way_out_leaves_a_pane_of_tmux_as_it_was_found() {
    let env = TestEnv::with_four_skills();
    let Some(tmux) = Tmux::new(&env) else { return };
    leave_in_every_way(&tmux);
}

#[test]
fn a_closed_pane_of_tmux_ends_the_picker() {
    let env = TestEnv::with_four_skills();
    for end in ["kill-pane", "kill-server", "respawn-pane"] {
        let Some(tmux) = Tmux::new(&env) else { return };
        let words: &[&str] = if end == "respawn-pane" { &[end, "-k"] } else { &[end] };
        end_with(&tmux, || drop(tmux.run(words)));
    }
}
