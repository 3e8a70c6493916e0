//! A finding about a skill: what, where, how severe, and the cure.

use super::{HostId, Skill};
use crate::words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How severe a finding is. It does not depend on a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The skill departs from the specification, but is offered.
    Warning,
    /// The skill cannot be offered.
    Error,
}

words!(Severity, Warning = "warning", Error = "error");

/// A kind of finding: one row of the table in [`super::checks`].
#[derive(Debug, PartialEq, Eq)]
pub struct Check {
    /// The stable code, as in JSON (`name-chars`).
    pub code: &'static str,
    pub severity: Severity,
    /// The cure, one sentence without a full stop.
    pub help: &'static str,
}

/// Where in the file, from 1; a column is a character, not a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    pub line: u32,
    pub column: u32,
    /// How many characters, at least 1.
    pub width: u32,
}

impl Place {
    /// The file's first character: where a finding about the whole file points.
    pub const START: Self = Self { line: 1, column: 1, width: 1 };
}

/// What is known of a finding beyond its check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    #[default]
    Usual,
    /// A tab stands where YAML takes only blanks.
    Tab,
    /// A quote is not closed.
    Quote,
    /// A control character that YAML cannot have.
    Control,
    /// A field is indented otherwise than those above it, so that it may be a part of their values.
    Indent,
    /// The key is a known one in another spelling.
    Spelling,
    /// Not the file is at fault, but the folder, which cannot be entered.
    Folder,
    /// The file begins with the mark of UTF-16, so none of its lines can be read.
    Utf16,
    /// The value has a shape that only its author can turn into another: no rule mends it.
    Shape,
}

/// Whether a host refuses a skill, and for a finding of this check. A function, for rooms that do
/// not know the table of hosts.
#[derive(Clone, Copy, Debug)]
pub struct Refuses(pub fn(HostId, &Skill, &Check) -> bool);

impl Default for Refuses {
    fn default() -> Self {
        Self(|_, _, _| false)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub check: &'static Check,
    /// Where in the `SKILL.md`.
    pub place: Place,
    pub cause: Cause,
    /// What is wrong here, one sentence without a full stop. May quote other people's text: show it
    /// only through [`crate::text::SafeText`].
    pub message: String,
}

impl Diagnostic {
    /// A finding with the usual cause.
    pub fn new(check: &'static Check, place: Place, message: impl Into<String>) -> Self {
        Self { check, place, cause: Cause::Usual, message: message.into() }
    }

    /// The same with a cause.
    #[must_use]
    pub fn of_cause(self, cause: Cause) -> Self {
        Self { cause, ..self }
    }

    /// The cure: that of its cause, else that of its check.
    pub fn help(&self) -> &'static str {
        match self.cause {
            Cause::Tab => "put blanks in place of the tab",
            Cause::Quote => "close the quote, or take it away",
            Cause::Control => "remove the control character",
            Cause::Indent => "indent all fields alike",
            Cause::Spelling => "spell the key as agents know it, or move it below metadata:",
            Cause::Folder => {
                "let this user enter the folder and the folders above it, for example with chmod u+rx"
            }
            Cause::Utf16 => "save the file as UTF-8",
            Cause::Usual | Cause::Shape => self.check.help,
        }
    }

    pub fn severity(&self) -> Severity {
        self.check.severity
    }

    pub fn code(&self) -> &'static str {
        self.check.code
    }
}
