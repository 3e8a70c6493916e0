//! Panes of tmux, zellij, kitty and wezterm: in which of them an agent runs, and writing into one.
//!
//! A text is written as a paste in brackets, so that an agent takes it as text. A control character
//! in it could end the brackets or be a key, so none is written.

mod processes;
mod speak;
#[cfg(test)]
mod tests;

use crate::catalog::{HostId, Multiplexer, Pane};
use crate::files::child::{self, Failure, Run};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// How long a multiplexer may take to answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How often a list is asked for: zellij 0.45 now and then succeeds and says nothing, at the start
/// of a session above all.
const TRIES: usize = 5;

/// The most bytes of an answer.
const MAX_ANSWER: u64 = 4 << 20;

/// Which agent a command line starts.
pub type AgentOf = fn(&str) -> Option<HostId>;

/// How a text is written into a pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// Enter is pressed behind it.
    pub submit: bool,
    /// Several lines are written even if the pane takes no paste in brackets, or tmux does not say
    /// whether it does.
    pub unbracketed: bool,
}

/// Why a pane cannot be found or written into.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaneError {
    #[error(
        "the dock needs tmux, zellij, kitty or wezterm, and this terminal is none of them; \
         compose --exec starts an agent without"
    )]
    NoMultiplexer,
    /// Its program is not on PATH.
    #[error("{} is around, but its program is not on PATH", .0.word())]
    NoProgram(Multiplexer),
    /// Its program fails; with the first line of what it says.
    #[error("{} does not answer: {said}", .of.word())]
    Failed { of: Multiplexer, said: String },
    #[error("{} in {} pane {} has gone; the prompt stays here", .0.host.word(), .0.of.word(), .0.id)]
    Gone(Pane),
    /// Several lines, and the pane takes no paste in brackets: each line end would be Enter.
    #[error(
        "{} in {} pane {} takes no paste in brackets, so each line would be entered by itself; \
         the same key again sends it", .0.host.word(), .0.of.word(), .0.id
    )]
    Unbracketed(Pane),
    /// Several lines, and tmux does not say whether the pane takes a paste in brackets.
    #[error(
        "this tmux does not say whether {} in pane {} takes a paste in brackets; if not, each line \
         is entered: the same key again sends it", .0.host.word(), .0.id
    )]
    Unsaid(Pane),
}

/// The multiplexers around this process, by the variables that they set. One inside another keeps
/// the other's variables; those that run in terminals come first.
pub fn around(environment: &BTreeMap<String, OsString>) -> Vec<Multiplexer> {
    let is_set = |name: &str| environment.get(name).is_some_and(|it| !it.is_empty());
    let each = [
        ("TMUX_PANE", Multiplexer::Tmux),
        ("ZELLIJ", Multiplexer::Zellij),
        ("KITTY_WINDOW_ID", Multiplexer::Kitty),
        ("WEZTERM_PANE", Multiplexer::Wezterm),
    ];
    each.into_iter().filter(|(name, _)| is_set(name)).map(|(_, found)| found).collect()
}

/// The innermost of several multiplexers: the first whose program is among those that started this
/// one. If none is, the first of them.
fn innermost(around: &[Multiplexer], callers: impl FnOnce() -> Vec<String>) -> Option<Multiplexer> {
    if let [] | [_] = around {
        return around.first().copied();
    }
    let of_caller = |line: &String| processes::multiplexer(line).filter(|of| around.contains(of));
    callers().iter().find_map(of_caller).or(around.first().copied())
}

/// The command lines of the programs that started this one, the nearest first; none if `ps` cannot
/// be asked.
pub fn callers(environment: &BTreeMap<String, OsString>, folder: PathBuf) -> Vec<String> {
    let path = environment.get("PATH").cloned().unwrap_or_default();
    let Some(program) = child::find("ps", &path) else { return Vec::new() };
    let arguments = processes::ASK_CALLERS.map(OsString::from).to_vec();
    let output = child::run(&Run {
        program,
        arguments,
        folder,
        environment: environment
            .iter()
            .map(|(name, value)| (OsString::from(name), value.clone()))
            .collect(),
        timeout: TIMEOUT,
        cap: MAX_ANSWER,
        ..Run::default()
    });
    let own = std::process::id();
    output.map(|output| processes::callers(&output.stdout, own)).unwrap_or_default()
}

/// A pane of tmux below a popup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Below {
    /// Its number.
    pub id: String,
    /// The command lines in its foreground.
    pub running: Vec<String>,
    /// Whether its program knows a paste from keys, so that the end of a line is not Enter. `None`
    /// if tmux does not say.
    pub bracketed: Option<bool>,
}

/// The multiplexer around this process.
#[derive(Clone, Debug)]
pub struct Panes {
    of: Multiplexer,
    program: PathBuf,
    environment: Vec<(OsString, OsString)>,
    folder: PathBuf,
    path: OsString,
    /// The pane of this process.
    own: String,
}

impl Panes {
    /// # Errors
    /// There is no multiplexer, or no program of it.
    pub fn open(
        environment: &BTreeMap<String, OsString>,
        folder: PathBuf,
    ) -> Result<Self, PaneError> {
        let callers = || callers(environment, folder.clone());
        let of = innermost(&around(environment), callers).ok_or(PaneError::NoMultiplexer)?;
        Self::of(of, environment, folder)
    }

    /// The panes of this multiplexer, which need not be the one around this process.
    ///
    /// # Errors
    /// There is no program of it.
    pub fn of(
        of: Multiplexer,
        environment: &BTreeMap<String, OsString>,
        folder: PathBuf,
    ) -> Result<Self, PaneError> {
        let value = |name: &str| environment.get(name).cloned().unwrap_or_default();
        let path = value("PATH");
        let (programs, own): (&[&str], &str) = match of {
            Multiplexer::Tmux => (&["tmux"], "TMUX_PANE"),
            Multiplexer::Zellij => (&["zellij"], "ZELLIJ_PANE_ID"),
            Multiplexer::Kitty => (&["kitten", "kitty"], "KITTY_WINDOW_ID"),
            Multiplexer::Wezterm => (&["wezterm"], "WEZTERM_PANE"),
        };
        let program = programs.iter().find_map(|name| child::find(name, &path));
        let program = program.ok_or(PaneError::NoProgram(of))?;
        let environment =
            environment.iter().map(|(name, value)| (OsString::from(name), value.clone()));
        let own = value(own).to_string_lossy().into_owned();
        Ok(Self { of, program, environment: environment.collect(), folder, path, own })
    }

    /// The other panes in which an agent runs, the nearest first.
    ///
    /// # Errors
    /// The multiplexer does not answer.
    pub fn agents(&self, agent_of: AgentOf) -> Result<Vec<Pane>, PaneError> {
        let listed = self.listed(&self.of.list(&self.own))?;
        let processes = match listed.iter().any(|pane| !pane.tty.is_empty()) {
            true => self.processes(),
            false => Vec::new(),
        };
        let others = listed.into_iter().filter(|pane| pane.id != self.own);
        let found = others.filter_map(|pane| {
            let running = processes.iter().filter(|it| it.is_in(&pane.tty)).map(|it| &*it.command);
            let mut commands = pane.commands.iter().map(String::as_str).chain(running);
            let host = commands.find_map(agent_of)?;
            Some(Pane { of: self.of, id: pane.id, host, bracketed: pane.bracketed })
        });
        Ok(found.collect())
    }

    /// Writes a text into the prompt of an agent, which must still be there. Only tmux says whether
    /// a pane takes a paste in brackets; of the others' panes it is assumed.
    ///
    /// # Errors
    /// [`PaneError`]. If the agent has gone, or may take no brackets, nothing was written.
    pub fn send(
        &self,
        pane: &Pane,
        text: &str,
        manner: Manner,
        agent_of: AgentOf,
    ) -> Result<(), PaneError> {
        let there = self.agents(agent_of)?;
        let is_its = |one: &&Pane| (&one.id, one.host) == (&pane.id, pane.host);
        let Some(pane) = there.iter().find(is_its) else {
            return Err(PaneError::Gone(pane.clone()));
        };
        let text = without_controls(text);
        if !manner.unbracketed && text.contains(['\n', '\t']) {
            match (pane.bracketed, pane.of) {
                (Some(false), _) => return Err(PaneError::Unbracketed(pane.clone())),
                (None, Multiplexer::Tmux) => return Err(PaneError::Unsaid(pane.clone())),
                _ => {}
            }
        }
        self.paste(&pane.id, &text)?;
        if manner.submit {
            let step = self.of.enter(&pane.id);
            self.ask(&step.arguments, &step.input)?;
        }
        Ok(())
    }

    /// The pane of tmux with this number, by default the active one.
    ///
    /// # Errors
    /// tmux does not answer, or has no such pane.
    pub fn tmux_pane(&self, id: Option<&str>) -> Result<Below, PaneError> {
        let pane = self.listed(&speak::one_of_tmux(id))?.pop().unwrap_or_default();
        let here = self.processes().into_iter().filter(|process| process.is_in(&pane.tty));
        let running = here.map(|process| process.command).collect();
        Ok(Below { id: pane.id, running, bracketed: pane.bracketed })
    }

    /// Shows a text below the panes of tmux, where a popup that ends leaves nothing.
    ///
    /// # Errors
    /// tmux does not answer.
    pub fn tell(&self, text: &str) -> Result<(), PaneError> {
        self.ask(&speak::tell_tmux(text), b"").map(drop)
    }

    /// Pastes a text into a pane, whatever runs there.
    ///
    /// # Errors
    /// The multiplexer does not answer.
    pub fn paste(&self, id: &str, text: &str) -> Result<(), PaneError> {
        for step in self.of.paste(id, &without_controls(text)) {
            self.ask(&step.arguments, &step.input)?;
        }
        Ok(())
    }

    fn listed(&self, question: &[String]) -> Result<Vec<speak::Listed>, PaneError> {
        let mut answer = Vec::new();
        for _ in 0..TRIES {
            answer = self.ask(question, b"")?;
            if !answer.is_empty() {
                break;
            }
        }
        self.of.listed(&answer).ok_or_else(|| PaneError::Failed {
            of: self.of,
            said: "its list of panes cannot be read".to_owned(),
        })
    }

    /// Runs the multiplexer's program; what it says.
    fn ask(&self, arguments: &[String], input: &[u8]) -> Result<Vec<u8>, PaneError> {
        let failed = |said: &str| PaneError::Failed { of: self.of, said: said.to_owned() };
        let output = self.run(self.program.clone(), arguments, input);
        let output = output.map_err(|error| failed(&error.to_string()))?;
        if output.code != Some(0) {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(failed(said.lines().next().unwrap_or("it fails without a word")));
        }
        Ok(output.stdout)
    }

    /// The processes of all terminals; none if `ps` cannot be asked.
    fn processes(&self) -> Vec<processes::Process> {
        let Some(ps) = child::find("ps", &self.path) else { return Vec::new() };
        let arguments = processes::ASK.map(str::to_owned);
        let output = self.run(ps, &arguments, b"");
        output.map(|output| processes::read(&output.stdout)).unwrap_or_default()
    }

    fn run(
        &self,
        program: PathBuf,
        arguments: &[String],
        input: &[u8],
    ) -> Result<child::Output, Failure> {
        child::run(&Run {
            program,
            arguments: arguments.iter().map(OsString::from).collect(),
            folder: self.folder.clone(),
            environment: self.environment.clone(),
            input: input.to_vec(),
            timeout: TIMEOUT,
            cap: MAX_ANSWER,
            ..Run::default()
        })
    }
}

/// The text without control characters other than line ends and tabs.
fn without_controls(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|one| matches!(one, '\n' | '\t') || !one.is_control()).collect()
}
