//! What an agent's own program says it sees: the check on everything that the other files of this
//! room claim.
//!
//! One file for each agent holds what to run and how to read it. Agents write into their home
//! directory even when they only list, and some run what a repository tells them to: who asks
//! decides on home, environment and network ([`Place`]). What a program prints is other people's
//! text: it is taken apart here, shown nowhere.

mod amp;
mod ask;
mod claude;
mod codex;
mod copilot;
mod gemini;
mod opencode;
mod pi;
mod qwen;
mod read;

#[cfg(test)]
mod tests;

pub use amp::AMP;
pub use ask::{Place, ProbeError, without_network};
pub use claude::CLAUDE;
pub use codex::CODEX;
pub use copilot::COPILOT;
pub use gemini::GEMINI;
pub use opencode::OPENCODE;
pub use pi::PI;
pub use qwen::QWEN;

use crate::files::child;
use std::path::{Path, PathBuf};

/// What can be proved by asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Only what is on: what is off is missing.
    OnOnly,
    OnOff,
    /// All skills, and beside them the rules in the order in which they are judged.
    Rules,
}

/// One run of a program.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub arguments: &'static [&'static str],
    /// What it reads, for this working directory.
    pub input: fn(&Path) -> Vec<u8>,
    /// How long its input stays open, in milliseconds.
    pub hold: u64,
    /// When it has said what we want to know, and may be ended.
    pub enough: Option<fn(&[u8]) -> bool>,
}

impl Step {
    /// A step that reads nothing and is run to its end.
    const fn plain(arguments: &'static [&'static str]) -> Self {
        Self { arguments, input: |_| Vec::new(), hold: 0, enough: None }
    }
}

/// How to ask one agent.
#[derive(Debug)]
pub struct AgentProbe {
    /// Its program's name on `PATH`.
    pub program: &'static str,
    /// What is asked, for a person.
    pub what: &'static str,
    /// The version of the program with which all this was proved.
    pub proved: &'static str,
    /// What to run, in this order.
    pub steps: &'static [Step],
    /// What its environment needs besides `HOME` and `PATH`.
    pub environment: &'static [(&'static str, &'static str)],
    /// Which variables of a person's environment decide what it sees. None of them is a key.
    pub variables: &'static [&'static str],
    /// What it may show besides and we do not look for: neither is it in our view, nor in a copy in
    /// which it is asked.
    pub unseen: &'static str,
    /// How long one step may take, in seconds.
    pub timeout: u64,
    /// What the answer can prove.
    pub shows: Shows,
    /// Whether it says where a skill lies.
    pub paths: bool,
    /// Reads what the steps left.
    pub parse: fn(&[child::Output], &Path) -> Result<Report, BadAnswer>,
}

/// What an agent says of one skill.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkillReport {
    /// The name that it goes by there; Claude Code names the directory instead.
    pub name: String,
    /// The skill's directory, or its file where that is not called `SKILL.md`; links may or may not
    /// be followed.
    pub path: Option<PathBuf>,
    /// Whether it is on; nothing where the agent lists only what is on.
    pub enabled: Option<bool>,
    /// It came with the agent, or its name is one that comes with it.
    pub bundled: bool,
}

/// A skill that an agent refuses, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The file; relative ones begin at the working directory.
    pub path: PathBuf,
    pub reason: String,
}

/// A rule for skills as the agent has understood it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub pattern: String,
    /// `allow`, `ask`, `deny` or what the agent says instead.
    pub action: String,
}

/// Everything that the agent said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The skills, in the agent's order.
    pub skills: Vec<SkillReport>,
    /// What it says that it refuses. Most agents say nothing.
    pub refused: Vec<Refused>,
    /// The rules, in the order in which it judges them.
    pub rules: Vec<Rule>,
    /// Everything that a person may call by `/name`, the agent's own commands included; empty where
    /// it does not say.
    pub callable: Vec<String>,
}

/// The answer was not understood. It holds the beginning of what was said: other people's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program's answer was not understood")]
pub struct BadAnswer(pub String);

/// Every agent that can be asked.
pub const PROBES: &[&AgentProbe] =
    &[&CODEX, &CLAUDE, &OPENCODE, &GEMINI, &COPILOT, &PI, &QWEN, &AMP];
