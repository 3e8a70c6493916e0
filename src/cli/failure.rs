//! How a run ends: the exit codes, and the message of a failure.

use crate::output::Out;
use crate::output::failure::ErrorDocument;
use crate::policy::Refusal;
use crate::text::SafeText;
use std::io;
use std::process::ExitCode;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done, or picked.
    Done,
    /// 1: nothing matched, an unknown or ambiguous name, or something was found wrong.
    Missing,
    /// 2: usage, settings or IO.
    Failed,
    /// 130: the picker was left.
    Left,
    /// 128 + n: by signal n.
    Signal(i32),
    /// As a script ended (`run`).
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

/// Why a command ends without its result.
#[derive(Debug)]
pub(super) enum Failure {
    Said {
        /// How the run ends.
        exit: Exit,
        /// A stable word for JSON.
        code: &'static str,
        /// The message, and what there is to add: candidates, the cure.
        lines: Vec<SafeText>,
    },
    /// stdout could not be written.
    Output(io::Error),
}

impl Failure {
    /// Exit code 1.
    pub(super) fn missing(message: SafeText) -> Self {
        Self::Said { exit: Exit::Missing, code: "refused", lines: vec![message] }
    }

    /// Exit code 2.
    pub(super) fn failed(message: SafeText) -> Self {
        Self::Said { exit: Exit::Failed, code: "failed", lines: vec![message] }
    }

    /// The same with a closer word for JSON.
    #[must_use]
    pub(super) fn coded(mut self, word: &'static str) -> Self {
        if let Self::Said { code, .. } = &mut self {
            *code = word;
        }
        self
    }

    /// The same with a further line.
    #[must_use]
    pub(super) fn with(mut self, line: SafeText) -> Self {
        if let Self::Said { lines, .. } = &mut self {
            lines.push(line);
        }
        self
    }

    /// Tells the person, and with `json` the program that reads stdout; says how the run ends. A
    /// reader of stdout that had enough is no failure.
    pub(super) fn tell(self, json: bool, out: &mut Out) -> Exit {
        match self {
            Self::Said { exit, code, lines } => {
                if json {
                    // Where stdout is gone there is still stderr.
                    let _ = out.json_instead(&ErrorDocument::of(code, &lines, exit.code()));
                    let _ = out.finish();
                }
                let mut lines = lines.iter();
                lines.next().into_iter().for_each(|line| out.say(line));
                lines.for_each(|line| out.add(line));
                exit
            }
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            Self::Output(error) => {
                let reason = SafeText::line(&error.to_string());
                out.say(&crate::inert!("stdout cannot be written: {}", reason));
                Exit::Failed
            }
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let exit = if refusal.failed { Exit::Failed } else { Exit::Missing };
        Self::Said { exit, code: refusal.code, lines: refusal.lines() }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
