//! `search`: the skills that a query finds, best first, and why.

use super::skill::{CutRow, Cuts, SkillRow};
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
    #[serde(flatten)]
    left_out: Cuts<'a>,
}

/// A skill that was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HitRow<'a> {
    /// The skill.
    #[serde(flatten)]
    skill: SkillRow<'a>,
    /// How well it matches. Comparable within one document only.
    score: u32,
    /// `exact_path`, `exact_name`, `prefix` or `token_overlap`: the words that `skill_search` has.
    reason: &'static str,
    /// Where it matches: finer than `reason`.
    found_in: Reason,
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
            Some(HitRow {
                skill,
                score: hit.score,
                reason: in_four_words(hit.reason),
                found_in: hit.reason,
            })
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
        let left_out = Cuts::of(results, &view.cuts);
        Self { host, query, count: skills.len(), skills, left_out }
    }
}

/// The four reasons of COD-4.3.
fn in_four_words(reason: Reason) -> &'static str {
    match reason {
        Reason::ExactPath | Reason::ExactName | Reason::Prefix => reason.word(),
        Reason::Name | Reason::Description | Reason::Body | Reason::Typo | Reason::Listed => {
            "token_overlap"
        }
    }
}
