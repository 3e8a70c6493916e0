//! `read` and `run`: a file of a skill, and what came of a script.

use super::skill::{VERSION, exact, lossy};
use crate::runtime::{Fetched, Launch, ResourceBody, exit_code};
use crate::sandbox::{Exit, Ran};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::path::PathBuf;

/// A file of a skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReadDocument<'a> {
    /// 1.
    version: u32,
    /// The skill's name.
    name: &'a str,
    /// Path of its SKILL.md.
    skill_path: Cow<'a, str>,
    /// The path's bytes, base64, where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// The file, as it was asked for.
    path: &'a str,
    /// `text` or `binary`.
    encoding: &'static str,
    /// The media type.
    media_type: &'static str,
    /// Size of the whole file.
    bytes: u64,
    /// Whether only its first part is here.
    truncated: bool,
    /// What is said of a cut.
    notice: Option<String>,
    /// The text; null for `binary`.
    content: Option<&'a str>,
    /// The bytes, base64; null for `text`.
    content_b64: Option<String>,
}

impl<'a> ReadDocument<'a> {
    /// The document of a file that was asked for by this path.
    pub fn of(fetched: &'a Fetched, path: &'a str) -> Self {
        let resource = &fetched.resource;
        let (encoding, content, content_b64) = match &resource.body {
            ResourceBody::Text(text) => ("text", Some(text.as_str()), None),
            ResourceBody::Binary(bytes) => ("binary", None, Some(STANDARD.encode(bytes))),
        };
        Self {
            version: VERSION,
            name: &fetched.skill.name,
            skill_path: lossy(&fetched.skill.path),
            path_b64: exact(&fetched.skill.path),
            path,
            encoding,
            media_type: resource.media_type,
            bytes: resource.total,
            truncated: resource.cut,
            notice: fetched.notice(),
            content,
            content_b64,
        }
    }
}

/// What was shown of a run before it happened.
#[derive(Clone, Debug)]
pub struct Shown {
    name: String,
    skill_path: PathBuf,
    script: PathBuf,
    argv: Vec<String>,
    digest: String,
    environment: Vec<String>,
    sandbox: &'static str,
    writes: Option<Vec<PathBuf>>,
}

impl Shown {
    /// What is kept of a prepared run for its document.
    pub fn of(launch: &Launch) -> Self {
        let prepared = &launch.prepared;
        Self {
            name: launch.skill.name.clone(),
            skill_path: launch.skill.path.clone(),
            script: prepared.script.clone(),
            argv: prepared.argv().iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            digest: format!("sha256:{}", prepared.digest),
            environment: prepared.environment.clone(),
            sandbox: prepared.sandbox.word(),
            writes: prepared.writes.clone(),
        }
    }
}

/// How a script ended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunDocument<'a> {
    /// 1.
    version: u32,
    /// The skill's name.
    name: &'a str,
    /// Path of its SKILL.md.
    skill_path: Cow<'a, str>,
    /// The script's real path.
    path: Cow<'a, str>,
    /// The whole command.
    argv: &'a [String],
    /// `sha256:` and the digest of all files of the skill as they ran.
    digest: &'a str,
    /// The names of the variables it got.
    environment: &'a [String],
    /// `landlock`, `bubblewrap` or `off`.
    sandbox: &'static str,
    /// Where it could write; null: wherever you may.
    writes: Option<Vec<Cow<'a, str>>>,
    /// `code`, `signal`, `timed_out` or `cancelled`.
    exit: &'static str,
    /// Its exit code; 128 + n for signal n, 124 where its time was up.
    exit_code: i32,
    /// What it wrote, as text.
    stdout: String,
    /// What it wrote on stderr, as text.
    stderr: String,
    /// Bytes of each that were dropped.
    dropped: DroppedBytes,
    /// How long it took, milliseconds.
    duration_ms: u64,
    /// Processes of it that had to be ended.
    stragglers: usize,
    /// Processes of it that could not be ended.
    survivors: usize,
    /// The directory with what it left; null where it left nothing.
    kept: Option<Cow<'a, str>>,
}

/// Bytes that are not in the document.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct DroppedBytes {
    /// Of stdout.
    stdout: u64,
    /// Of stderr.
    stderr: u64,
}

impl<'a> RunDocument<'a> {
    /// The document of a run.
    pub fn of(shown: &'a Shown, ran: &'a Ran) -> Self {
        Self {
            version: VERSION,
            name: &shown.name,
            skill_path: lossy(&shown.skill_path),
            path: lossy(&shown.script),
            argv: &shown.argv,
            digest: &shown.digest,
            environment: &shown.environment,
            sandbox: shown.sandbox,
            writes: shown
                .writes
                .as_ref()
                .map(|paths| paths.iter().map(|path| lossy(path)).collect()),
            exit: match ran.exit {
                Exit::Code(_) => "code",
                Exit::Signal(_) => "signal",
                Exit::TimedOut => "timed_out",
                Exit::Cancelled => "cancelled",
            },
            exit_code: exit_code(ran.exit),
            stdout: ran.stdout.text(),
            stderr: ran.stderr.text(),
            dropped: DroppedBytes { stdout: ran.stdout.dropped, stderr: ran.stderr.dropped },
            duration_ms: u64::try_from(ran.duration.as_millis()).unwrap_or(u64::MAX),
            stragglers: ran.stragglers,
            survivors: ran.survivors,
            kept: ran.kept.as_deref().map(lossy),
        }
    }
}
