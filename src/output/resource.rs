//! `read` and `run`: a file of a skill, and the result of a script.

use super::parts::{VERSION, exact, lossy};
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
    /// The version of this format: 1.
    version: u32,
    /// The skill's name.
    name: &'a str,
    /// Path of its SKILL.md.
    skill_path: Cow<'a, str>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// The file's path as it was requested.
    path: &'a str,
    /// `text` or `binary`.
    encoding: &'static str,
    /// The media type.
    media_type: &'static str,
    /// Size of the whole file, bytes.
    bytes: u64,
    /// Whether only the first part is included.
    truncated: bool,
    /// The notice about the cut; null if nothing was cut.
    notice: Option<String>,
    /// The text; null for `binary`.
    content: Option<&'a str>,
    /// The bytes, base64; null for `text`.
    content_b64: Option<String>,
}

impl<'a> ReadDocument<'a> {
    /// `path` is the path that was requested.
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

/// What the document says of the prepared run, copied since the run consumes the [`Launch`].
#[derive(Clone, Debug)]
pub struct PreparedRun {
    name: String,
    skill_path: PathBuf,
    script: PathBuf,
    argv: Vec<String>,
    digest: String,
    environment: Vec<String>,
    sandbox: &'static str,
    writes: Option<Vec<PathBuf>>,
}

impl PreparedRun {
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
    /// The version of this format: 1.
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
    /// The names of its environment variables.
    environment: &'a [String],
    /// `landlock`, `bubblewrap` or `off`.
    sandbox: &'static str,
    /// The folders it could write to; null if it had all of your rights.
    writes: Option<Vec<Cow<'a, str>>>,
    /// `code`, `signal`, `timed_out` or `cancelled`.
    exit: &'static str,
    /// Its exit code: 128 + n after signal n, 124 after a timeout.
    exit_code: i32,
    /// Its stdout, as text.
    stdout: String,
    /// Its stderr, as text.
    stderr: String,
    /// How many bytes of each stream were dropped.
    dropped: DroppedBytes,
    /// Duration in milliseconds.
    duration_ms: u64,
    /// How many of its processes were still running and were ended.
    stragglers: usize,
    /// How many of its processes could not be ended.
    survivors: usize,
    /// The directory with the files that it wrote; null if it wrote none.
    kept: Option<Cow<'a, str>>,
}

/// Bytes from the middle of a stream that are not in the document.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct DroppedBytes {
    /// Dropped bytes of stdout.
    stdout: u64,
    /// Dropped bytes of stderr.
    stderr: u64,
}

impl<'a> RunDocument<'a> {
    pub fn of(prepared: &'a PreparedRun, ran: &'a Ran) -> Self {
        Self {
            version: VERSION,
            name: &prepared.name,
            skill_path: lossy(&prepared.skill_path),
            path: lossy(&prepared.script),
            argv: &prepared.argv,
            digest: &prepared.digest,
            environment: &prepared.environment,
            sandbox: prepared.sandbox,
            writes: prepared
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
