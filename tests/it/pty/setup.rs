//! How a program is started, and what its terminal answers.

use super::terminal::Terminal;
use crate::env::TestEnv;
use std::path::PathBuf;

pub(super) const PROGRAM: &str = env!("CARGO_BIN_EXE_skillpick");

/// What the terminal answers when it is asked something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answers {
    /// What are you? (`ESC[c`)
    pub(super) attributes: bool,
    /// Which colour has your background? (OSC 11)
    pub(super) background: Option<&'static str>,
    /// Where is the cursor? (`ESC[6n`)
    pub(super) cursor: bool,
}

/// A terminal that answers nothing.
pub(super) const SILENT: Answers = Answers { attributes: false, background: None, cursor: false };

/// How a program is started.
pub(super) struct Setup {
    pub(super) columns: u16,
    pub(super) rows: u16,
    pub(super) command: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) folder: PathBuf,
    pub(super) answers: Answers,
    pub(super) controlling: bool,
    /// Whether no key holds up the output (`^s`) or drops what was written and is not yet read
    /// (`^Z`, `^C`). By default they do so while the terminal is not in raw mode.
    pub(super) lossless: bool,
}

impl Setup {
    /// skillpick in an environment's repository, with these arguments, on 100×30 cells.
    pub(super) fn new(env: &TestEnv, arguments: &[&str]) -> Self {
        let words = [PROGRAM].iter().chain(arguments);
        Self {
            columns: 100,
            rows: 30,
            command: words.map(|word| (*word).to_owned()).collect(),
            environment: env.environment(),
            folder: env.at("repo"),
            answers: Answers { attributes: true, background: None, cursor: true },
            controlling: true,
            lossless: false,
        }
    }

    /// A line for `sh` instead, in which `skillpick` stands for the program.
    pub(super) fn sh(env: &TestEnv, line: &str) -> Self {
        let line = format!("skillpick() {{ \"{PROGRAM}\" \"$@\"; }}\n{line}");
        Self { command: vec!["/bin/sh".to_owned(), "-c".to_owned(), line], ..Self::new(env, &[]) }
    }

    pub(super) fn program(env: &TestEnv, words: &[&str]) -> Self {
        Self {
            command: words.iter().map(|word| (*word).to_owned()).collect(),
            ..Self::new(env, &[])
        }
    }

    pub(super) fn size(mut self, columns: u16, rows: u16) -> Self {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    pub(super) fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn answers(mut self, answers: Answers) -> Self {
        self.answers = answers;
        self
    }

    pub(super) fn lossless(mut self) -> Self {
        self.lossless = true;
        self
    }

    /// The terminal is on the three streams, but controls nobody.
    pub(super) fn no_controlling_terminal(mut self) -> Self {
        self.controlling = false;
        self
    }

    pub(super) fn start(mut self) -> Terminal {
        // A terminal that answers does so within the picker's patience, however busy this machine
        // is.
        if self.answers.attributes
            && self.environment.iter().all(|(name, _)| name != "SKILLPICK_FAILPOINT")
        {
            self = self.env("SKILLPICK_FAILPOINT", "patient");
        }
        Terminal::start(self)
    }
}
