//! `load`, `unload` and `session`: what a conversation has loaded.

use super::prompt::NamedRow;
use super::skill::{VERSION, lossy};
use crate::catalog::Skill;
use crate::runtime::Loaded;
use crate::runtime::session::{Handed, LoadedState, SavedSkill, Session, Style};
use crate::text::SafeText;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// What was loaded, and the conversation after it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LoadDocument<'a> {
    /// 1.
    version: u32,
    /// What was handed over, in the order asked for.
    loaded: Vec<LoadedRow<'a>>,
    /// The conversation; null for a load outside of one.
    session: Option<SessionRow<'a>>,
}

/// A conversation's loaded skills.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SessionDocument<'a> {
    /// 1.
    version: u32,
    /// The conversation.
    session: SessionRow<'a>,
    /// The text for the instructions of the next call; null where texts are tool results.
    instructions: Option<&'a str>,
    /// The names that were given up by this call.
    unloaded: Vec<&'a str>,
}

/// A conversation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SessionRow<'a> {
    /// Its id.
    id: &'a str,
    /// `tool_result` or `instructions`.
    style: &'static str,
    /// The newest loaded skill's name; null where none is.
    current: Option<&'a str>,
    /// The loaded skills, newest last.
    active: Vec<ActiveRow<'a>>,
}

/// A loaded skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ActiveRow<'a> {
    /// Which.
    #[serde(flatten)]
    skill: NamedRow<'a>,
    /// Its directory.
    dir: Cow<'a, str>,
    /// `sha256:` and the digest of the SKILL.md as it was loaded.
    digest: String,
    /// Its modification time then, milliseconds since 1970.
    mtime_ms: u64,
    /// When it was loaded, milliseconds since 1970.
    loaded_ms: u64,
    /// Whether its text stands in the conversation.
    told: bool,
    /// How it stands now: `current`, `updated`, `missing` (its file is gone), `unseen` (it is none
    /// of the skills that are seen from here) or `refused`.
    state: &'static str,
    /// Why it is refused; null where it is not.
    error: Option<ActiveError>,
}

/// Why a loaded skill is refused now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ActiveError {
    /// A stable word, as of a load that fails.
    code: &'static str,
    /// In words.
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
    /// Which.
    #[serde(flatten)]
    skill: NamedRow<'a>,
    /// Its directory.
    dir: Cow<'a, str>,
    /// Its directory relative to the repository's root; null outside of it.
    repo_dir: Option<String>,
    /// Modification time, milliseconds since 1970.
    mtime_ms: u64,
    /// `sha256:` and the digest of the whole SKILL.md.
    digest: String,
    /// Size of the whole SKILL.md.
    bytes: usize,
    /// Whether only its first part is here.
    truncated: bool,
    /// Hidden or control characters in it.
    marks: usize,
    /// `text`, `reminder`, or `instructions` (from the next call on).
    kind: &'static str,
    /// What the model is told.
    text: String,
    /// The body alone, without frontmatter; null where the text is not handed over.
    body: Option<&'a str>,
    /// The frontmatter's optional fields.
    properties: BTreeMap<&'static str, serde_json::Value>,
}

impl<'a> LoadDocument<'a> {
    /// The document of a load; `repository` is its root.
    pub fn of(
        handed: &'a [Handed],
        repository: Option<&Path>,
        session: Option<SessionRow<'a>>,
    ) -> Self {
        let loaded = handed.iter().map(|handed| LoadedRow::of(handed, repository)).collect();
        Self { version: VERSION, loaded, session }
    }
}

impl<'a> SessionDocument<'a> {
    /// The document of a conversation.
    pub fn of(
        session: SessionRow<'a>,
        instructions: Option<&'a str>,
        unloaded: &'a [SavedSkill],
    ) -> Self {
        let unloaded = unloaded.iter().map(|skill| skill.name.as_str()).collect();
        Self { version: VERSION, session, instructions, unloaded }
    }
}

impl<'a> SessionRow<'a> {
    /// The row of a conversation with the state of each of its skills.
    pub fn of(id: &'a str, session: &'a Session, states: &[LoadedState]) -> Self {
        let active = session.active().iter().zip(states).map(|(active, state)| ActiveRow {
            skill: NamedRow::at(&active.name, &active.path),
            dir: lossy(active.path.parent().unwrap_or(&active.path)),
            digest: format!("sha256:{}", active.digest),
            mtime_ms: active.mtime_ms,
            loaded_ms: active.loaded_ms,
            told: active.told,
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
    /// The row of what was handed over.
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
            text: handed.text(),
            body,
            properties: properties(skill),
        }
    }
}

fn properties(skill: &Skill) -> BTreeMap<&'static str, serde_json::Value> {
    let known = &skill.properties;
    let metadata: BTreeMap<&str, &str> =
        known.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let fields = [
        ("license", known.license.as_ref().map(|text| text.as_str().into())),
        ("compatibility", known.compatibility.as_ref().map(|text| text.as_str().into())),
        ("metadata", (!metadata.is_empty()).then(|| serde_json::json!(metadata))),
        (
            "allowed_tools",
            (!known.allowed_tools.is_empty()).then(|| serde_json::json!(known.allowed_tools)),
        ),
    ];
    fields.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}
