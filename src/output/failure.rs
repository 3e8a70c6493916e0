//! What a command with `--json` prints if it fails: a document of its own, so that a script need
//! not read stderr.

use crate::text::SafeText;
use schemars::JsonSchema;
use serde::Serialize;

/// A failure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorDocument<'a> {
    /// What went wrong.
    error: ErrorRow<'a>,
    /// The program's exit code.
    exit_code: u8,
}

/// What went wrong.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ErrorRow<'a> {
    /// A stable word: `unknown`, `ambiguous`, `denied`, `needs_consent`, `hidden_text`,
    /// `parent_path` …; `usage` for invalid options; `refused` or `failed` if no other word fits.
    code: &'a str,
    /// The message, as on stderr.
    message: &'a str,
    /// Further lines: candidates, the rule that decided, what to do.
    details: Vec<&'a str>,
}

impl<'a> ErrorDocument<'a> {
    /// The first line is the message, the others are details.
    pub fn of(code: &'a str, lines: &'a [SafeText], exit_code: u8) -> Self {
        let mut texts = lines.iter().map(SafeText::as_str);
        let message = texts.next().unwrap_or_default();
        Self { error: ErrorRow { code, message, details: texts.collect() }, exit_code }
    }
}
