//! `search`: the skills that a query finds, best first, and why.

use super::skill::{SkillRow, TruncatedRow, VERSION};
use crate::search::{Hit, Reason};
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;

/// What a query finds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchDocument<'a> {
    /// 1.
    version: u32,
    /// Through which host.
    host: &'a str,
    /// The query as it was understood: trimmed.
    query: &'a str,
    /// The skills, best first.
    skills: Vec<HitRow<'a>>,
    /// How many there are in `skills`.
    count: usize,
    /// The limit of results, or of the scan, if one bit.
    truncated: Option<TruncatedRow>,
}

/// A skill that was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HitRow<'a> {
    /// The skill.
    #[serde(flatten)]
    skill: SkillRow<'a>,
    /// How well: comparable within one answer only.
    score: u32,
    /// Why.
    reason: Reason,
}

/// The hits that are shown, of how many.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub hits: &'a [Hit],
    /// How many there were.
    pub total: usize,
    /// How many were asked for at most.
    pub limit: usize,
}

impl<'a> SearchDocument<'a> {
    /// The document of these hits of a view.
    pub fn of(view: &'a View, host: &'a str, query: &'a str, shown: Shown<'_>) -> Self {
        let row = |hit: &Hit| {
            let skill = SkillRow::at(view, hit.index as usize)?;
            Some(HitRow { skill, score: hit.score, reason: hit.reason })
        };
        let skills: Vec<_> = shown.hits.iter().filter_map(row).collect();
        let dropped = shown.total.saturating_sub(shown.hits.len()) as u64;
        let results = TruncatedRow { limit: "results", value: shown.limit as u64, dropped };
        let truncated = if dropped > 0 { Some(results) } else { TruncatedRow::of(&view.cuts) };
        Self { version: VERSION, host, query, count: skills.len(), skills, truncated }
    }
}
