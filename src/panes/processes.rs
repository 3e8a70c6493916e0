//! Which program runs in a terminal. Many agents are programs of node, so the name of the process
//! does not tell; its command line does.

use super::Agent;
use crate::catalog::HostId;
use std::path::Path;

/// What `ps` is asked: every process with its terminal, its group, the group in the foreground of
/// its terminal, and its command line.
pub(super) const ASK: [&str; 4] = ["-A", "-ww", "-o", "tty=,pgid=,tpgid=,args="];

/// Programs that run another program, whose path follows.
const INTERPRETERS: [&str; 8] = ["node", "bun", "deno", "python", "python3", "sh", "bash", "npx"];

/// A process in the foreground of its terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    /// `pts/3`
    tty: String,
    pub(super) command: String,
}

impl Process {
    /// Whether it runs in this terminal, `/dev/pts/3`.
    pub(super) fn is_in(&self, tty: &str) -> bool {
        let own = |name: &str| name.trim_start_matches("/dev/").to_owned();
        // macOS leaves the first letters out: `s003` for `/dev/ttys003`.
        !tty.is_empty() && (own(tty) == own(&self.tty) || own(tty) == format!("tty{}", self.tty))
    }
}

pub(super) fn read(answer: &[u8]) -> Vec<Process> {
    let text = String::from_utf8_lossy(answer);
    let process = |line: &str| {
        let mut rest = line.trim_start();
        let mut word = || {
            let (word, behind) = rest.split_once(char::is_whitespace)?;
            rest = behind.trim_start();
            Some(word.to_owned())
        };
        let (tty, group, foreground) = (word()?, word()?, word()?);
        (group == foreground).then(|| Process { tty, command: rest.to_owned() })
    };
    text.lines().filter_map(process).collect()
}

/// The agent to which one of these command lines belongs.
pub(super) fn agent_of<'a>(
    commands: impl Iterator<Item = &'a str>,
    agents: &[Agent],
) -> Option<HostId> {
    let names: Vec<&str> = commands.filter_map(program_of).collect();
    let is = |(_, programs): &&Agent| programs.iter().any(|program| names.contains(program));
    agents.iter().find(is).map(|(host, _)| *host)
}

/// The name of the program that a command line runs.
fn program_of(command: &str) -> Option<&str> {
    let mut words = command.split_whitespace();
    let first = name_of(words.next()?);
    if !INTERPRETERS.contains(&first) {
        return Some(first);
    }
    words.find(|word| !word.starts_with('-')).map(name_of)
}

/// The last part of a path, without the end of a script.
fn name_of(path: &str) -> &str {
    let name = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path);
    let ends = [".js", ".mjs", ".cjs", ".py", ".exe"];
    ends.into_iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}
