//! Asks an agent's own program what it sees, to check everything that the other files here say.
//!
//! One file for each agent says what to run and how to read the answer. Agents write into their
//! home directory even when they only list, and some run what a repository tells them to. So the
//! caller decides on home, environment and network ([`Surroundings`]). What a program prints is
//! other people's text: it is parsed here and never shown.

mod acp;
mod amp;
mod ask;
mod claude;
mod codex;
mod copilot;
mod droid;
mod gemini;
mod kilo;
mod kimi;
mod opencode;
mod pi;
mod qoder;
mod qwen;
mod read;
mod vibe;

#[cfg(test)]
mod tests;

pub use amp::AMP;
pub use ask::{Patience, ProbeError, Surroundings, without_network};
pub use claude::CLAUDE;
pub use codex::CODEX;
pub use copilot::COPILOT;
pub use droid::DROID;
pub use gemini::GEMINI;
pub use kilo::KILO;
pub use kimi::KIMI;
pub use opencode::OPENCODE;
pub use pi::PI;
pub use qoder::QODER;
pub use qwen::QWEN;
pub use vibe::VIBE;

use crate::files::child;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What an answer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Only enabled skills.
    OnOnly,
    OnOff,
    /// All skills, and the rules in the order in which they are judged.
    Rules,
}

/// One run of a program.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub arguments: &'static [&'static str],
    /// Its standard input, for this working directory.
    pub input: fn(&Path) -> Vec<u8>,
    /// How long its input stays open, in milliseconds.
    pub hold: u64,
    /// Whether the output so far is enough, so that the program may be ended.
    pub enough: Option<fn(&[u8]) -> bool>,
    /// How long its output must not change after that, in milliseconds. For a program that does not
    /// mark the end of its answer.
    pub settle: u64,
    /// Whether it writes to a pipe only, where others write to a file.
    pub piped: bool,
}

impl AgentProbe {
    /// What most answers are like; a probe says what differs.
    const PLAIN: Self = Self {
        program: "",
        what: "",
        proved: "",
        steps: &[],
        environment: &[],
        variables: &[],
        any_case: false,
        unseen: "",
        timeout: 30,
        shows: Shows::OnOff,
        paths: true,
        climbs: false,
        all: None,
        brings_commands: false,
        hides_faults: false,
        no_switch: None,
        parse: |_, _| Ok(Report::default()),
    };
}

impl Step {
    /// A step without input that is run to its end.
    pub const fn plain(arguments: &'static [&'static str]) -> Self {
        let input = |_: &Path| Vec::new();
        Self { arguments, input, hold: 0, enough: None, settle: 0, piped: false }
    }

    /// A step whose answer is one JSON value. After it, some programs take seconds to end.
    const fn json(arguments: &'static [&'static str]) -> Self {
        Self { enough: Some(read::is_json), ..Self::plain(arguments) }
    }
}

/// How to ask one agent.
#[derive(Debug)]
pub struct AgentProbe {
    /// On `PATH`.
    pub program: &'static str,
    /// The command, for a person.
    pub what: &'static str,
    /// The version of the program with which this was checked.
    pub proved: &'static str,
    pub steps: &'static [Step],
    /// Added to its environment.
    pub environment: &'static [(&'static str, &'static str)],
    /// The variables of a person's environment that decide what it sees. None is a secret.
    pub variables: &'static [&'static str],
    /// Whether upper and lower case in their names are one.
    pub any_case: bool,
    /// What it may show in addition and we do not look for: it is neither in our view nor in a copy
    /// in which it is asked.
    pub unseen: &'static str,
    /// How long one step may take, in seconds.
    pub timeout: u64,
    /// What the answer can prove.
    pub shows: Shows,
    /// Whether it says where a skill lies.
    pub paths: bool,
    /// Whether it looks in every folder above the working directory if none of them is a
    /// repository.
    pub climbs: bool,
    /// How it is asked with the skills that it brings itself; `None` if its usual answer has them.
    pub all: Option<&'static AgentProbe>,
    /// Whether what it says is built in may be commands and no skills. Its own skills are known by
    /// their files then.
    pub brings_commands: bool,
    /// Whether it says of a skill that is switched off only this, also if it refuses the skill.
    pub hides_faults: bool,
    /// `None` if its switch by name turns off what it brings itself too. Otherwise what comes
    /// nearest to a switch.
    pub no_switch: Option<&'static str>,
    /// Reads the outputs of the steps.
    pub parse: fn(&[child::Output], &Path) -> Result<Report, BadAnswer>,
}

impl AgentProbe {
    /// Whether a variable of a person's environment decides what it sees.
    pub fn reads(&self, variable: &str) -> bool {
        let folded = variable.to_lowercase();
        let mut names = self.variables.iter();
        names.any(|name| *name == variable || self.any_case && name.to_lowercase() == folded)
    }
}

/// What an agent says of one skill.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SkillReport {
    /// Its name in the agent; Claude Code gives the directory's name.
    pub name: String,
    /// The skill's directory, or its file if that is not called `SKILL.md`. Links may or may not be
    /// followed.
    pub path: Option<PathBuf>,
    /// Its description as the agent shows it, which may shorten it; `None` if it shows none.
    pub description: Option<String>,
    /// `None` if the agent lists only enabled skills, or has a rule that we do not understand.
    pub enabled: Option<bool>,
    /// It is built in, or has the name of a built-in skill.
    pub bundled: bool,
}

/// A skill that an agent refuses, in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The file; relative ones begin at the working directory.
    pub path: PathBuf,
    pub reason: String,
}

/// A rule for skills, as the agent understood it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    pub pattern: String,
    /// `allow`, `ask`, `deny` or the agent's own word.
    pub action: String,
}

/// Everything that the agent said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The skills, in the agent's order.
    pub skills: Vec<SkillReport>,
    /// The refused skills. Most agents do not report them.
    pub refused: Vec<Refused>,
    /// In the order in which it judges them.
    pub rules: Vec<Rule>,
    /// Everything that a person may call by `/name`, the agent's own commands included; empty if
    /// the agent does not say.
    pub callable: Vec<String>,
    /// The files of skills that it has read itself, though it was asked in a copy and should have
    /// read theirs: it has looked beyond the copy.
    #[serde(default)]
    pub beyond: Vec<PathBuf>,
}

/// The answer is no list of skills, but an error, or something that was not understood. Holds its
/// beginning: other people's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program gave no list of its skills")]
pub struct BadAnswer(pub String);
