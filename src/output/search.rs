//! `search`: the skills that a query finds, best first, and why.

use super::skill::{CutRow, SkillRow};
use crate::search::{Hit, Reason};
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;

/// The skills that a query finds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchDocument<'a> {
    /// The host whose view this is.
    host: &'a str,
    /// The query, trimmed.
    query: &'a str,
    /// The skills, best first.
    skills: Vec<HitRow<'a>>,
    /// The length of `skills`.
    count: usize,
    /// What was left out of the results and of the scan because of limits; null if nothing was.
    truncated: Option<Vec<CutRow<'a>>>,
}

/// A skill that was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HitRow<'a> {
    /// The skill.
    #[serde(flatten)]
    skill: SkillRow<'a>,
    /// How well it matches. Comparable within one document only.
    score: u32,
    /// Where it matches.
    reason: Reason,
}

/// The hits that are printed.
#[derive(Clone, Copy, Debug)]
pub struct ShownHits<'a> {
    pub hits: &'a [Hit],
    /// How many hits there are in all.
    pub total: usize,
    /// The limit of results.
    pub limit: usize,
}

impl<'a> SearchDocument<'a> {
    pub fn of(view: &'a View, host: &'a str, query: &'a str, shown: ShownHits<'_>) -> Self {
        let row = |hit: &Hit| {
            let skill = SkillRow::at(view, hit.index as usize)?;
            Some(HitRow { skill, score: hit.score, reason: hit.reason })
        };
        let skills: Vec<_> = shown.hits.iter().filter_map(row).collect();
        let dropped = shown.total.saturating_sub(shown.hits.len()) as u64;
        let results = (dropped > 0).then(|| CutRow {
            limit: "results",
            value: shown.limit as u64,
            dropped,
            path: None,
            path_b64: None,
            message: format!("{} of {} are shown", shown.hits.len(), shown.total),
            help: "show more with --limit N",
        });
        let truncated = CutRow::all(results, &view.cuts);
        Self { host, query, count: skills.len(), skills, truncated }
    }
}
