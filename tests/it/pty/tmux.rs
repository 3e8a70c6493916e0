//! Every way out in a pane of tmux: it keeps the modes of the terminal apart from the picker's, and
//! tells them.

use super::setup::PROGRAM;
use super::terminal::eventually;
use crate::env::{TestEnv, bar};
use crate::support::skipped;
use std::process::{Command, Output};

/// A server of tmux with one pane, in which a shell waits.
struct Pane<'a> {
    env: &'a TestEnv,
    socket: String,
}

/// What tmux tells of the modes of a pane.
const MODES: &str = "alternate=#{alternate_on} cursor=#{cursor_flag} insert=#{insert_flag} \
     keypad=#{keypad_flag}#{keypad_cursor_flag} origin=#{origin_flag} wrap=#{wrap_flag} \
     mouse=#{mouse_any_flag}#{mouse_button_flag}#{mouse_standard_flag}#{mouse_sgr_flag} \
     region=#{scroll_region_upper}-#{scroll_region_lower}";

impl<'a> Pane<'a> {
    fn new(env: &'a TestEnv) -> Option<Self> {
        let pane = Self { env, socket: env.text("tmux.socket") };
        let shell = ["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "/bin/sh"];
        let works = pane.try_tmux(&shell).is_ok_and(|output| output.status.success());
        if !works {
            skipped("tmux is not here, or cannot start (`just ci` installs it)");
            return None;
        }
        Some(pane)
    }

    fn try_tmux(&self, words: &[&str]) -> std::io::Result<Output> {
        let mut tmux = Command::new("tmux");
        tmux.args(["-S", &self.socket]).args(words).env_clear().current_dir(self.env.at("repo"));
        tmux.envs(self.env.environment());
        tmux.env("TERM", "xterm-256color").output()
    }

    fn tmux(&self, words: &[&str]) -> String {
        String::from_utf8(self.try_tmux(words).unwrap().stdout).unwrap()
    }

    fn shows(&self, text: &str) -> bool {
        self.tmux(&["capture-pane", "-p"]).contains(text)
    }

    fn see(&self, text: &str) {
        eventually(text, || self.shows(text));
    }

    /// Types a line into the shell.
    fn line(&self, line: &str) {
        self.tmux(&["send-keys", "-l", line]);
        self.tmux(&["send-keys", "Enter"]);
    }

    /// The modes of the pane and of its terminal.
    fn state(&self, name: &str) -> String {
        let file = self.env.at(format!("stty-{name}"));
        self.line(&format!("stty -a > '{}'; echo to''ld-{name}", file.display()));
        self.see(&format!("told-{name}"));
        let modes = self.tmux(&["display-message", "-p", MODES]);
        format!("{modes}{}", std::fs::read_to_string(file).unwrap())
    }

    /// The picker's process.
    fn picker(&self) -> Option<i32> {
        let shell = self.tmux(&["display-message", "-p", "#{pane_pid}"]);
        let shell = shell.trim();
        let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children"));
        children.unwrap_or_default().split_whitespace().next()?.parse().ok()
    }
}

impl Drop for Pane<'_> {
    fn drop(&mut self) {
        let _ = self.try_tmux(&["kill-server"]);
    }
}

/// The picker, and how it is left: keys of tmux, a signal, or a panic.
const WAYS: [(&str, &str); 11] = [
    ("key", "Enter"),
    ("key", "Escape"),
    ("key", "C-c"),
    ("signal", "TERM"),
    ("signal", "INT"),
    ("signal", "HUP"),
    ("signal", "QUIT"),
    ("panic", "panic-at-start"),
    ("panic", "panic-in-draw"),
    ("panic", "panic-in-input"),
    ("stop", "C-z"),
];

#[test]
fn each_way_out_leaves_a_pane_of_tmux_as_it_was_found() {
    let env = TestEnv::with_four_skills();
    let Some(pane) = Pane::new(&env) else { return };
    for height in ["", "--height 12"] {
        for (index, (kind, way)) in WAYS.into_iter().enumerate() {
            let case = format!("{kind} {way} {height}");
            let name = format!("{index}{}", height.len());
            let before = pane.state(&format!("before-{name}"));
            pane.tmux(&["send-keys", "-R"]);
            let failpoint =
                if kind == "panic" { format!("SKILLPICK_FAILPOINT={way} ") } else { String::new() };
            pane.line(&format!("{failpoint}{PROGRAM} {height}; echo le''ft-{name}"));
            if kind != "panic" || way == "panic-in-input" {
                pane.see("zebra");
            }
            match kind {
                "key" => drop(pane.tmux(&["send-keys", way])),
                // The others panic by themselves; the shell would get the key.
                "panic" if way != "panic-in-input" => {}
                "panic" => drop(pane.tmux(&["send-keys", "x"])),
                "stop" => {
                    pane.tmux(&["send-keys", way]);
                    eventually("the stop", || pane.shows("Stopped"));
                    pane.line("kill -CONT %1; fg");
                    pane.see("zebra");
                    pane.tmux(&["send-keys", "C-c"]);
                }
                _ => {
                    let process = pane.picker().unwrap().to_string();
                    Command::new("kill").args(["-s", way, &process]).status().unwrap();
                }
            }
            pane.see(&format!("left-{name}"));
            let after = pane.state(&format!("after-{name}"));
            assert_eq!(after, before, "{case}");
            bar::tried(1);
        }
    }
}

#[test]
fn a_closed_pane_of_tmux_ends_the_picker() {
    let env = TestEnv::with_four_skills();
    for end in ["kill-pane", "kill-server", "respawn-pane"] {
        let Some(pane) = Pane::new(&env) else { return };
        pane.line(PROGRAM);
        pane.see("zebra");
        let process = pane.picker().unwrap();
        let words: &[&str] = if end == "respawn-pane" { &[end, "-k"] } else { &[end] };
        pane.tmux(words);
        let gone = || !std::path::Path::new(&format!("/proc/{process}")).exists();
        eventually("the end of the picker", gone);
        bar::tried(1);
    }
}
