//! The parts of JSON rows: the version, paths, verdicts.

pub(super) use crate::catalog::exact_path::exact;
use crate::catalog::{Listed, Permission};
use crate::policy::{Origin, Verdict};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::path::Path;

/// The version of every JSON document. New fields do not change it; a renamed or removed field
/// does.
const VERSION: u32 = 1;

/// A JSON document as it is printed: its version comes before its fields.
#[derive(Serialize)]
pub struct Versioned<T> {
    version: u32,
    #[serde(flatten)]
    document: T,
}

impl<T> Versioned<T> {
    pub fn of(document: T) -> Self {
        Self { version: VERSION, document }
    }
}

impl<T: JsonSchema> JsonSchema for Versioned<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        let mut version = u32::json_schema(generator);
        version.insert("description".to_owned(), "The version of this format: 1.".into());
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.shift_insert(0, "version".to_owned(), version.into());
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.insert(0, "version".into());
        }
        schema
    }
}

/// A path as text; bytes that are not UTF-8 are replaced.
pub(super) fn lossy(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// The verdict of a host on a skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerdictRow {
    /// Whether the model knows of it.
    listed: Listed,
    /// Whether the model may load it by its own decision.
    model: Permission,
    /// Whether a person may invoke it.
    user: bool,
    /// What decided each of the three.
    origin: OriginsRow,
}

/// What decided each part of a verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct OriginsRow {
    /// Whether the model knows of it.
    listed: OriginRow,
    /// Whether the model may load it.
    model: OriginRow,
    /// Whether a person may invoke it.
    user: OriginRow,
}

impl VerdictRow {
    pub fn of(verdict: &Verdict) -> Self {
        Self {
            listed: verdict.listed.value,
            model: verdict.model.value,
            user: verdict.user.value,
            origin: OriginsRow {
                listed: OriginRow::of(&verdict.listed.origin),
                model: OriginRow::of(&verdict.model.origin),
                user: OriginRow::of(&verdict.user.origin),
            },
        }
    }
}

/// The kind of origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum OriginKind {
    /// The default: no settings file says anything.
    Default,
    /// A rule, switch or value of a settings file.
    Rule,
    /// A settings file that cannot be read in full: what it could deny is denied.
    Alarm,
    /// An option or an environment variable of this run.
    Session,
    /// The skill itself.
    Skill,
}

/// What decided: a setting, a default or the skill itself.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct OriginRow {
    /// The kind of origin.
    kind: OriginKind,
    /// The settings file, if one decided.
    file: Option<String>,
    /// Its line, from 1.
    line: Option<u32>,
    /// The rule in a few words.
    text: String,
}

impl OriginRow {
    fn of(origin: &Origin) -> Self {
        let kind = match origin {
            Origin::Default | Origin::Host(_) => OriginKind::Default,
            Origin::Rule { .. } => OriginKind::Rule,
            Origin::Alarm { .. } => OriginKind::Alarm,
            Origin::Session(_) => OriginKind::Session,
            Origin::Skill(_) | Origin::Shadowed(_) => OriginKind::Skill,
        };
        let place = origin.place();
        let (file, line) =
            (place.map(|(file, _)| lossy(file).into_owned()), place.map(|(_, line)| line));
        Self { kind, file, line, text: origin.text().to_owned() }
    }
}
