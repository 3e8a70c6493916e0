//! `activity`: the log of calls.

use super::Out;
use super::parts::{exact, lossy};
use crate::catalog::{Call, ExactPath, Use};
use crate::inert;
use crate::runtime::Activity;
use crate::text::SafeText;
use crate::text::time::utc;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// The calls in the log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ActivityDocument<'a> {
    /// The calls, newest first.
    calls: Vec<CallRow<'a>>,
    /// How often and when last each skill was used.
    uses: Vec<UseRow<'a>>,
    /// Log files larger than 1 MiB. Only their first 1 MiB was read.
    cut: Vec<Cow<'a, str>>,
    /// Log files that exist but cannot be read.
    unread: Vec<Cow<'a, str>>,
    /// How many log lines are malformed.
    broken: usize,
}

/// One call.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CallRow<'a> {
    /// `load`, `unload`, `read`, `run` or `approve`.
    #[serde(rename = "deed")]
    kind: &'static str,
    /// When the call was logged: Unix time in milliseconds.
    at_ms: u64,
    /// The skill's name.
    skill: &'a str,
    #[serde(flatten)]
    path: ExactPath<'a>,
    /// The file that was read, or the script that was run.
    file: Option<&'a str>,
    /// The client that called.
    client: &'a str,
    /// The conversation that it belongs to.
    session: Option<&'a str>,
    /// How many bytes were returned.
    bytes: Option<u64>,
    /// Whether the result was cut.
    truncated: bool,
    /// Duration in milliseconds.
    duration_ms: u64,
    /// A script's exit code.
    exit_code: Option<i32>,
    /// The digest of what was loaded or run.
    digest: Option<&'a str>,
    /// The sandbox of the script: `landlock`, `bubblewrap` or `off`.
    sandbox: Option<&'a str>,
    /// The `allowed-tools` of a skill that was loaded; they grant nothing.
    allowed_tools: &'a [String],
    /// Why the call failed.
    error: Option<&'a str>,
    /// What came of it, in words for people.
    #[serde(skip)]
    outcome: SafeText,
}

/// How a skill was used.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UseRow<'a> {
    /// Path of its SKILL.md.
    path: Cow<'a, str>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// Loads that returned the skill's text or added it to the instructions, and runs that
    /// completed.
    count: u32,
    /// When it was last used: Unix time in milliseconds.
    last_ms: u64,
}

impl<'a> ActivityDocument<'a> {
    /// The newest `most` calls, and the uses of every skill.
    pub fn of(activity: &'a Activity, most: usize) -> Self {
        let uses = activity.uses();
        let row = |(path, row): (&Path, &Use)| UseRow {
            path: Cow::Owned(path.to_string_lossy().into_owned()),
            path_b64: exact(path),
            count: row.count,
            last_ms: row.last_ms,
        };
        let mut uses: Vec<UseRow> = uses.iter().map(row).collect();
        uses.sort_by(|one, other| {
            other.last_ms.cmp(&one.last_ms).then_with(|| one.path.cmp(&other.path))
        });
        let calls = activity.calls.iter().rev().take(most).map(CallRow::of).collect();
        let files = |files: &'a [PathBuf]| files.iter().map(|file| lossy(file)).collect();
        let (cut, unread) = (files(&activity.cut), files(&activity.unread));
        Self { calls, uses, cut, unread, broken: activity.broken }
    }

    /// Prints one line for each call, newest first.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn print(&self, out: &mut Out) -> io::Result<()> {
        for call in &self.calls {
            let end = match (call.exit_code, call.bytes) {
                (Some(code), _) => inert!("  exit {}", code),
                (None, Some(bytes)) => inert!("  {} B", bytes),
                (None, None) => SafeText::default(),
            };
            let by = call.session.map(|session| inert!(" in {}", session)).unwrap_or_default();
            let by = inert!("{}{}", call.client, by);
            let what = inert!("{}  {}{}", utc(call.at_ms), call.outcome, end);
            out.line(inert!(
                "{}{}{}  {} ms  {}",
                what,
                if call.truncated { "  cut" } else { "" },
                if call.sandbox == Some("off") { "  without a sandbox" } else { "" },
                call.duration_ms,
                by
            ))?;
        }
        Ok(())
    }
}

impl<'a> CallRow<'a> {
    fn of(call: &'a Call) -> Self {
        Self {
            kind: call.kind.word(),
            at_ms: call.at_ms,
            skill: &call.skill,
            path: ExactPath::of(&call.path),
            file: call.file.as_deref(),
            client: &call.client,
            session: call.session.as_deref(),
            bytes: call.bytes,
            truncated: call.truncated,
            duration_ms: call.duration_ms,
            exit_code: call.exit,
            digest: call.digest.as_deref(),
            sandbox: call.sandbox.as_deref(),
            allowed_tools: &call.allowed_tools,
            error: call.error.as_deref(),
            outcome: call.outcome(),
        }
    }
}
