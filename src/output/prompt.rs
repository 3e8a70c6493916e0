//! `prompt`: the catalog for a model, and the skills that the limits leave out.

use crate::catalog::{ExactPath, Skill};
use crate::runtime::prompt::{Format, PromptCatalog};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// The catalog as text for a prompt.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PromptDocument<'a> {
    /// The host whose view this is.
    host: &'a str,
    /// The format of the text.
    format: &'static str,
    /// The text.
    text: &'a str,
    /// The skills in it.
    included: Vec<NamedRow<'a>>,
    /// The skills that a limit left out.
    dropped: Vec<DroppedRow<'a>>,
    /// How many descriptions are shortened.
    shortened: usize,
    /// The number of characters they are shortened to; null if none is.
    description_limit: Option<usize>,
    /// Whether anything was left out.
    truncated: bool,
    /// The limits that were applied.
    limits: LimitsRow,
}

/// A skill by name and path.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NamedRow<'a> {
    /// Its name.
    name: &'a str,
    #[serde(flatten)]
    path: ExactPath<'a>,
}

/// A skill that a limit left out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DroppedRow<'a> {
    #[serde(flatten)]
    skill: NamedRow<'a>,
    /// The limit that left it out: `entries` or `bytes`.
    limit: &'static str,
}

/// Limits; null means no limit.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct LimitsRow {
    /// Number of skills.
    entries: Option<usize>,
    /// Bytes of the whole text.
    bytes: Option<usize>,
    /// Characters of one description.
    description: Option<usize>,
}

impl<'a> NamedRow<'a> {
    pub(super) fn of(skill: &'a Skill) -> Self {
        Self::at(&skill.name, &skill.path)
    }

    pub(super) fn at(name: &'a str, path: &'a Path) -> Self {
        Self { name, path: ExactPath::of(path) }
    }
}

impl<'a> PromptDocument<'a> {
    pub fn of(catalog: &'a PromptCatalog, host: &'a str, format: Format) -> Self {
        let dropped = catalog.dropped.iter();
        Self {
            host,
            format: format.word(),
            text: &catalog.text,
            included: catalog.included.iter().map(|skill| NamedRow::of(skill)).collect(),
            dropped: dropped
                .map(|(skill, left)| DroppedRow { skill: NamedRow::of(skill), limit: left.word() })
                .collect(),
            shortened: catalog.shortened,
            description_limit: catalog.description_limit,
            truncated: catalog.truncated(),
            limits: LimitsRow {
                entries: catalog.limits.entries,
                bytes: catalog.limits.bytes,
                description: catalog.limits.description,
            },
        }
    }
}
