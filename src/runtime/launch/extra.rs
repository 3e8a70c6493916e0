//! What a run has that no rule allows, so that a person is asked whatever the rules say.

use super::RunRequest;
use crate::sandbox::{Prepared, Sandbox, WorkDir};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    NoSandbox,
    /// Variables that the caller names.
    Variables,
    /// A directory that the caller names, which the script may read.
    Directory,
    /// More time than these seconds, which the settings give.
    Time(u64),
    /// An interpreter from a place that the script has chosen.
    Interpreter,
}

impl Extra {
    /// All that a run has; `usual` is the time that the settings give.
    pub(super) fn of(wanted: &RunRequest<'_>, prepared: &Prepared, usual: Duration) -> Vec<Self> {
        let all = [
            (prepared.sandbox == Sandbox::Off, Self::NoSandbox),
            (!wanted.environment.is_empty(), Self::Variables),
            (matches!(wanted.directory, WorkDir::At(_)), Self::Directory),
            (prepared.timeout > usual, Self::Time(usual.as_secs())),
            (prepared.strange_interpreter, Self::Interpreter),
        ];
        all.into_iter().filter_map(|(has, extra)| has.then_some(extra)).collect()
    }

    /// What kind of run it is, for a person.
    pub(super) fn words(self) -> String {
        match self {
            Self::NoSandbox => "without a sandbox".to_owned(),
            Self::Variables => "with variables of its caller".to_owned(),
            Self::Directory => "in a directory of its caller".to_owned(),
            Self::Time(usual) => format!("of more than the {usual} s in your settings"),
            Self::Interpreter => "by an interpreter that the script chooses".to_owned(),
        }
    }

    /// The argument of the tool that asks for it; `None` if there is none, so that no other call
    /// is without it.
    pub fn argument(self) -> Option<String> {
        match self {
            Self::Variables => Some("`env`".to_owned()),
            Self::Directory => Some("a `workdir` of its own".to_owned()),
            Self::Time(usual) => Some(format!("a `timeout` above {usual}")),
            Self::NoSandbox | Self::Interpreter => None,
        }
    }
}
