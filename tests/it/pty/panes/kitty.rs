//! Windows of kitty, which draws on a screen that nobody looks at.

use super::dock::{arrived, beside, env as with_agents};
use super::{Pane, end_with, leave_in_every_way, see};
use crate::env::TestEnv;
use crate::support::skipped;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Output, Stdio};

/// kitty with one window, on a display of its own.
struct Kitty<'a> {
    env: &'a TestEnv,
    socket: String,
    programs: Vec<Child>,
}

impl<'a> Kitty<'a> {
    /// With this in its window.
    fn new(env: &'a TestEnv, program: &str) -> Option<Self> {
        let socket = format!("unix:{}", env.text("kitty.socket"));
        let mut kitty = Self { env, socket, programs: Vec::new() };
        if kitty.open(program).is_none() {
            skipped("kitty or Xvfb is not here, or cannot start (`just ci` installs them)");
            return None;
        }
        Some(kitty)
    }

    fn open(&mut self, program: &str) -> Option<()> {
        let mut screen = Command::new("Xvfb");
        screen.args(["-displayfd", "1", "-screen", "0", "1200x800x24", "-nolisten", "tcp"]);
        screen.stdout(Stdio::piped()).stderr(Stdio::null());
        self.programs.push(screen.spawn().ok()?);
        let mut display = String::new();
        BufReader::new(self.programs[0].stdout.as_mut()?).read_line(&mut display).ok()?;
        let mut kitty = self.command();
        kitty.args(["--config", "NONE", "-o", "allow_remote_control=yes"]);
        kitty.args(["-o", "enable_audio_bell=no", "-o", "confirm_os_window_close=0"]);
        kitty.args(["-o", "initial_window_width=100c", "-o", "initial_window_height=30c"]);
        kitty.args(["-o", "remember_window_size=no", "--listen-on", &self.socket, program]);
        kitty.env("DISPLAY", format!(":{}", display.trim()));
        kitty.env("LIBGL_ALWAYS_SOFTWARE", "1").env("XDG_RUNTIME_DIR", self.env.text("home"));
        kitty.stdout(Stdio::null()).stderr(Stdio::null());
        self.programs.push(kitty.spawn().ok()?);
        super::eventually("kitty's answer or its end", || {
            self.ask(&["ls"], b"").status.success() || self.has_ended()
        });
        (!self.has_ended()).then_some(())
    }

    fn has_ended(&mut self) -> bool {
        self.programs.iter_mut().any(|program| !matches!(program.try_wait(), Ok(None)))
    }

    fn command(&self) -> Command {
        let mut command = Command::new("kitty");
        command.env_clear().current_dir(self.env.at("repo")).envs(self.env.environment());
        command
    }

    fn ask(&self, words: &[&str], input: &[u8]) -> Output {
        let mut kitty = self.command();
        kitty.args(["@", "--to", &self.socket]).args(words);
        kitty.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut asked = kitty.spawn().unwrap();
        asked.stdin.take().unwrap().write_all(input).unwrap();
        asked.wait_with_output().unwrap()
    }
}

impl Pane for Kitty<'_> {
    fn env(&self) -> &TestEnv {
        self.env
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.ask(&["get-text"], b"").stdout).into_owned()
    }

    fn send(&self, bytes: &[u8]) {
        assert!(self.ask(&["send-text", "--stdin"], bytes).status.success());
    }

    fn modes(&self) -> String {
        String::new()
    }
}

impl Drop for Kitty<'_> {
    fn drop(&mut self) {
        for program in self.programs.iter_mut().rev() {
            let _ = program.kill();
            let _ = program.wait();
        }
    }
}

#[test]
fn each_way_out_leaves_a_window_of_kitty_as_it_was_found() {
    let env = TestEnv::with_four_skills();
    let Some(kitty) = Kitty::new(&env, "/bin/sh") else { return };
    leave_in_every_way(&kitty);
}

#[test]
fn a_closed_window_of_kitty_ends_the_picker() {
    let env = TestEnv::with_four_skills();
    let Some(kitty) = Kitty::new(&env, "/bin/sh") else { return };
    end_with(&kitty, || {
        kitty.ask(&["close-window"], b"");
    });
}

#[test]
fn a_prompt_arrives_in_a_window_of_kitty_once_and_with_enter_only_if_it_is_asked_for() {
    let env = with_agents();
    let Some(kitty) = Kitty::new(&env, &env.text("bin/claude")) else { return };
    see(&kitty, "agent ready");
    let variables = [("KITTY_WINDOW_ID", "99"), ("KITTY_LISTEN_ON", kitty.socket.as_str())];
    let mut terminal = beside(&env, &[], &variables);
    terminal.see("to ▸ claude (kitty pane 1)");
    terminal.type_keys("a<^j>b<enter>");
    terminal.see("not entered");
    super::eventually("the prompt", || arrived(&env).contains("201~"));
    assert_eq!(arrived(&env), "^[[200~a\nb^[[201~");
    terminal.type_keys("<esc>");
    assert_eq!(terminal.exit(), 0);
    let mut terminal = beside(&env, &["--submit"], &variables);
    terminal.see("to ▸ claude (kitty pane 1)");
    terminal.type_keys("c<enter>");
    super::eventually("Enter", || arrived(&env).ends_with("^M"));
    assert_eq!(arrived(&env), "^[[200~a\nb^[[201~^[[200~c^[[201~^M");
    terminal.type_keys("<esc>");
    assert_eq!(terminal.exit(), 0);
}
