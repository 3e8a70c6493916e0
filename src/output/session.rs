//! `load`, `unload` and `session`: what a conversation has loaded.

use super::parts::lossy;
use super::prompt::NamedRow;
use crate::catalog::{Skill, directory_of};
use crate::runtime::Loaded;
use crate::runtime::session::{Handed, LoadedState, SavedSkill, Session, Style};
use crate::text::SafeText;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// The loaded skills, and the conversation afterwards.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LoadDocument<'a> {
    /// The loaded skills, in the order of the request.
    loaded: Vec<LoadedRow<'a>>,
    /// The names of the skills that were unloaded for them, oldest first.
    dropped: Vec<&'a str>,
    /// The conversation; null without `--session`.
    session: Option<SessionRow<'a>>,
}

/// A conversation's loaded skills.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SessionDocument<'a> {
    /// The conversation.
    session: SessionRow<'a>,
    /// The text for the instructions of the next call; null if texts are tool results.
    instructions: Option<&'a str>,
    /// The names of the skills that this call unloaded.
    unloaded: Vec<&'a str>,
}

/// A conversation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SessionRow<'a> {
    /// Its id.
    id: &'a str,
    /// `tool_result` or `instructions`.
    style: &'static str,
    /// The name of the newest loaded skill; null if none is loaded.
    current: Option<&'a str>,
    /// The loaded skills, newest last.
    active: Vec<ActiveRow<'a>>,
}

/// A loaded skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ActiveRow<'a> {
    #[serde(flatten)]
    skill: NamedRow<'a>,
    /// Its directory; of a single file, the file itself.
    dir: Cow<'a, str>,
    /// `sha256:` and the digest of the SKILL.md when it was loaded.
    digest: String,
    /// Its modification time when it was loaded: Unix time in milliseconds.
    mtime_ms: u64,
    /// When it was loaded: Unix time in milliseconds.
    loaded_ms: u64,
    /// Whether the conversation contains its text.
    told: bool,
    /// Its `allowed-tools` when it was loaded; they grant nothing.
    allowed_tools: &'a [String],
    /// Its state now: `current`, `updated`, `missing` (the file does not exist), `unseen` (the skill
    /// is not visible from this directory) or `refused`.
    state: &'static str,
    /// Why it is refused; null if it is not.
    error: Option<ActiveError>,
}

/// Why a loaded skill is refused now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ActiveError {
    /// The error code that a load would give.
    code: &'static str,
    /// The error message.
    message: String,
}

impl ActiveError {
    fn of(state: &LoadedState) -> Option<Self> {
        match state {
            LoadedState::Refused(error) => Some(Self {
                code: error.code(),
                message: SafeText::line(&error.to_string()).to_string(),
            }),
            LoadedState::Current
            | LoadedState::Updated
            | LoadedState::Missing
            | LoadedState::Unseen => None,
        }
    }
}

/// A skill that was loaded.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LoadedRow<'a> {
    /// The first 24 hex digits of the SHA-256 of `path`.
    skill_id: String,
    #[serde(flatten)]
    skill: NamedRow<'a>,
    /// Its directory; of a single file, the file itself.
    dir: Cow<'a, str>,
    /// Its directory relative to the repository's root; null if it is outside.
    repo_dir: Option<String>,
    /// Modification time: Unix time in milliseconds.
    mtime_ms: u64,
    /// `sha256:` and the digest of the whole SKILL.md.
    digest: String,
    /// Size of the whole SKILL.md, bytes.
    bytes: usize,
    /// Whether only the first part is included.
    truncated: bool,
    /// Number of hidden or control characters in it.
    marks: usize,
    /// `text`, `reminder`, or `instructions` (from the next call on).
    kind: &'static str,
    /// The text for the model.
    text: String,
    /// The body without frontmatter; null if `kind` is not `text`.
    body: Option<&'a str>,
    /// The frontmatter's optional fields.
    properties: BTreeMap<&'static str, serde_json::Value>,
}

impl<'a> LoadDocument<'a> {
    /// `repository` is the root of the repository.
    pub fn of(
        handed: &'a [Handed],
        dropped: &'a [SavedSkill],
        repository: Option<&Path>,
        session: Option<SessionRow<'a>>,
    ) -> Self {
        let loaded = handed.iter().map(|handed| LoadedRow::of(handed, repository)).collect();
        let dropped = dropped.iter().map(|skill| skill.name.as_str()).collect();
        Self { loaded, dropped, session }
    }
}

impl<'a> SessionDocument<'a> {
    pub fn of(
        session: SessionRow<'a>,
        instructions: Option<&'a str>,
        unloaded: &'a [SavedSkill],
    ) -> Self {
        let unloaded = unloaded.iter().map(|skill| skill.name.as_str()).collect();
        Self { session, instructions, unloaded }
    }
}

impl<'a> SessionRow<'a> {
    /// `states` are those of the loaded skills, in their order.
    pub fn of(id: &'a str, session: &'a Session, states: &[LoadedState]) -> Self {
        let active = session.active().iter().zip(states).map(|(active, state)| ActiveRow {
            skill: NamedRow::at(&active.name, &active.path),
            dir: lossy(directory_of(&active.path)),
            digest: format!("sha256:{}", active.digest),
            mtime_ms: active.mtime_ms,
            loaded_ms: active.loaded_ms,
            told: active.told,
            allowed_tools: &active.allowed_tools,
            state: state.word(),
            error: ActiveError::of(state),
        });
        Self {
            id,
            style: match session.style() {
                Style::ToolResult => "tool_result",
                Style::Instructions => "instructions",
            },
            current: session.current().map(|skill| skill.name.as_str()),
            active: active.collect(),
        }
    }
}

impl<'a> LoadedRow<'a> {
    pub fn of(handed: &'a Handed, repository: Option<&Path>) -> Self {
        let loaded: &'a Loaded = handed.loaded();
        let skill: &'a Skill = &loaded.skill;
        let inside = repository.and_then(|repository| skill.dir().strip_prefix(repository).ok());
        let (kind, body) = match handed {
            Handed::Text(_) => ("text", Some(loaded.body())),
            Handed::Reminder(_) => ("reminder", None),
            Handed::Instructions(_) => ("instructions", None),
        };
        Self {
            skill_id: skill.id().as_str().to_owned(),
            skill: NamedRow::of(skill),
            dir: lossy(skill.dir()),
            repo_dir: inside.map(|dir| dir.to_string_lossy().into_owned()),
            mtime_ms: loaded.mtime_ms,
            digest: loaded.digest_word(),
            bytes: loaded.total,
            truncated: loaded.is_cut(),
            marks: loaded.marks,
            kind,
            text: handed.text(Some("skillpick unload")),
            body,
            properties: properties(skill),
        }
    }
}

fn properties(skill: &Skill) -> BTreeMap<&'static str, serde_json::Value> {
    let known = &skill.properties;
    let metadata: BTreeMap<&str, &str> = known.metadata().collect();
    let tools: Vec<&str> = known.allowed_tools().collect();
    let fields = [
        ("license", known.license().map(Into::into)),
        ("compatibility", known.compatibility().map(Into::into)),
        ("metadata", (!metadata.is_empty()).then(|| serde_json::json!(metadata))),
        ("allowed_tools", (!tools.is_empty()).then(|| serde_json::json!(tools))),
    ];
    fields.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}
