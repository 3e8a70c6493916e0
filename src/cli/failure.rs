//! The exit codes, and how a failure is reported.

use crate::inert;
use crate::output::Out;
use crate::output::failure::ErrorDocument;
use crate::policy::Refusal;
use crate::text::{Inert, SafeText};
use std::io;
use std::process::ExitCode;

/// The exit code of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done, or picked.
    Done,
    /// 1: nothing matched, an unknown or ambiguous name, or something was found wrong.
    Missing,
    /// 2: usage, settings or IO.
    Failed,
    /// 130: the picker was left without a pick.
    Left,
    /// 128 + n: ended by signal n.
    Signal(i32),
    /// The exit code of a script (`run`).
    Script(i32),
}

impl Exit {
    fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Missing => 1,
            Self::Failed => 2,
            Self::Left => 130,
            Self::Script(code) => u8::try_from(code).unwrap_or(u8::MAX),
            Self::Signal(number) => u8::try_from(128 + number).unwrap_or(u8::MAX),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why a command has no result.
#[derive(Debug)]
pub(super) enum Failure {
    Message {
        exit: Exit,
        /// A stable word for JSON.
        code: &'static str,
        /// The message, then details: candidates, what to do.
        lines: Vec<SafeText>,
    },
    /// stdout cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Exit code 1.
    pub(super) fn missing(message: impl Inert) -> Self {
        let lines = vec![message.inert().into_owned()];
        Self::Message { exit: Exit::Missing, code: "refused", lines }
    }

    /// Exit code 2.
    pub(super) fn failed(message: impl Inert) -> Self {
        let lines = vec![message.inert().into_owned()];
        Self::Message { exit: Exit::Failed, code: "failed", lines }
    }

    /// Sets the stable word for JSON.
    #[must_use]
    pub(super) fn coded(mut self, word: &'static str) -> Self {
        if let Self::Message { code, .. } = &mut self {
            *code = word;
        }
        self
    }

    /// Adds a line.
    #[must_use]
    pub(super) fn with(mut self, line: impl Inert) -> Self {
        if let Self::Message { lines, .. } = &mut self {
            lines.push(line.inert().into_owned());
        }
        self
    }

    /// What a command that judges has printed. A closed pipe changes nothing about its verdict.
    pub(super) fn unless_closed(printed: Result<(), Self>) -> Result<(), Self> {
        match printed {
            Err(Self::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            printed => printed,
        }
    }

    /// Prints the message on stderr and, with `json`, a document on stdout. A closed pipe is no
    /// failure: its reader had enough.
    pub(super) fn report(self, json: bool, out: &mut Out) -> Exit {
        match self {
            Self::Message { exit, code, lines } => {
                if json {
                    // If stdout is closed, stderr still has the message.
                    let _ = out.json_instead(&ErrorDocument::of(code, &lines, exit.code()));
                    let _ = out.finish();
                }
                out.message(&lines);
                exit
            }
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            Self::Output(error) => {
                out.say(unwritten(&error));
                Exit::Failed
            }
        }
    }
}

fn unwritten(error: &io::Error) -> SafeText {
    inert!("stdout cannot be written: {}", error.to_string())
}

/// How a hook ends: agents throw a prompt away if its hook ends with 2, and keep it at any other
/// code.
pub(super) fn of_hook(done: Result<Exit, Failure>) -> Result<Exit, Failure> {
    match done {
        Ok(Exit::Failed) => Ok(Exit::Missing),
        Err(Failure::Message { exit: Exit::Failed, code, lines }) => {
            Err(Failure::Message { exit: Exit::Missing, code, lines })
        }
        Err(Failure::Output(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::missing(unwritten(&error)))
        }
        done => done,
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let exit = if refusal.failed { Exit::Failed } else { Exit::Missing };
        Self::Message { exit, code: refusal.code, lines: refusal.lines() }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
