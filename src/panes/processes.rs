//! The processes of terminals. Many agents are programs of node, so the name of a process does not
//! say which one it is; its command line does.

use crate::catalog::Multiplexer;
use std::collections::BTreeMap;

/// What `ps` is asked: every process with its terminal, its group, the group in the foreground of
/// its terminal, and its command line.
pub(super) const ASK: [&str; 4] = ["-A", "-ww", "-o", "tty=,pgid=,tpgid=,args="];

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

/// What `ps` is asked for the programs that started another one: every process with its parent and
/// its command line.
pub(super) const ASK_CALLERS: [&str; 4] = ["-A", "-ww", "-o", "pid=,ppid=,args="];

/// The command lines of the processes above this one, its parent first.
pub(super) fn callers(answer: &[u8], process: u32) -> Vec<String> {
    let text = String::from_utf8_lossy(answer);
    let number = |text: &str| {
        let (number, rest) = text.trim_start().split_once(char::is_whitespace)?;
        Some((number.parse::<u32>().ok()?, rest.trim_start().to_owned()))
    };
    let line = |line: &str| {
        let (id, rest) = number(line)?;
        let (parent, command) = number(&rest)?;
        Some((id, (parent, command)))
    };
    let mut all: BTreeMap<u32, (u32, String)> = text.lines().filter_map(line).collect();
    let mut parent = all.remove(&process).map(|(parent, _)| parent);
    // Each is taken out, so that this ends.
    std::iter::from_fn(|| {
        let (next, command) = all.remove(&parent?)?;
        parent = Some(next);
        Some(command)
    })
    .collect()
}

/// The multiplexer whose program a command line starts. The server of tmux has a title of its own
/// on some systems, `tmux: server`.
pub(super) fn multiplexer(line: &str) -> Option<Multiplexer> {
    let program = line.split_whitespace().next()?.trim_end_matches(':');
    match program.rsplit('/').next()? {
        "wezterm-gui" | "wezterm-mux-server" => Some(Multiplexer::Wezterm),
        name => Multiplexer::ALL.into_iter().find(|of| of.word() == name),
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
