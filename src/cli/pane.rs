//! `skillpick pane`: in a popup of tmux, types the mention of a picked skill into the pane below.

use super::pick;
use super::{Exit, Failure, Place};
use crate::inert;
use crate::output::Out;
use crate::text::shell::{Shell, apart};
use crate::workspace::host_of_command;
use clap::Args;
use std::process::{Command, Output};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The pane, as tmux numbers it (%3); by default the active one
    #[arg(long, value_name = "PANE")]
    pane: Option<String>,
}

/// The name of tmux's buffer that holds the mention for a moment.
const BUFFER: &str = "skillpick";

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let target: Vec<&str> = options.pane.iter().flat_map(|pane| ["-t", pane.as_str()]).collect();
    let ask = [&["display-message", "-p"][..], &target, &["#{pane_id} #{pane_tty}"]].concat();
    let answer = tmux(&ask)?;
    let Some((pane, tty)) = answer.trim().split_once(' ') else {
        return Err(Failure::failed("tmux does not say which pane is active"));
    };
    let running = foreground(tty)?;
    let commands = || running.iter().map(|line| line.split_whitespace());
    let agent = commands().find_map(host_of_command).map(|(host, _)| host.id);
    let text = match pick::mentions(place, &pick::Options::default(), agent, out)? {
        Ok(text) => text,
        Err(exit) => return Ok(exit),
    };
    // A shell would expand `$name`, so it gets a word in quotes.
    let shell =
        commands().find_map(|mut words| shell_of(words.next()?)).filter(|_| agent.is_none());
    let text = match shell {
        Some(shell) => {
            let (word, close) = apart(&text, shell);
            format!("{word}{close}")
        }
        None => text,
    };
    tmux(&["set-buffer", "-b", BUFFER, "--", &format!("{text} ")])?;
    tmux(&["paste-buffer", "-p", "-d", "-b", BUFFER, "-t", pane])?;
    Ok(Exit::Done)
}

/// The command lines of the terminal's foreground processes.
fn foreground(tty: &str) -> Result<Vec<String>, Failure> {
    let listed = output(Command::new("ps").args(["-o", "stat=,args=", "-t", tty]))?;
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    let lines = text.lines().filter_map(|line| line.trim().split_once(char::is_whitespace));
    let of_foreground = lines.filter(|(state, _)| state.contains('+'));
    Ok(of_foreground.map(|(_, command)| command.trim().to_owned()).collect())
}

fn shell_of(word: &str) -> Option<Shell> {
    let name = word.trim_start_matches('-').rsplit('/').next()?;
    match name {
        "sh" | "dash" | "ksh" => Some(Shell::Bash),
        "pwsh" => Some(Shell::Powershell),
        name => Shell::from_word(name),
    }
}

fn tmux(words: &[&str]) -> Result<String, Failure> {
    let ended = output(Command::new("tmux").args(words))?;
    if !ended.status.success() {
        let why = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
        return Err(Failure::failed(inert!("tmux: {}", why)));
    }
    Ok(String::from_utf8_lossy(&ended.stdout).into_owned())
}

fn output(command: &mut Command) -> Result<Output, Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.output().map_err(|error| Failure::failed(inert!("{}: {}", name, error.to_string())))
}
