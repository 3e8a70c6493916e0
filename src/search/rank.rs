//! Ranking: which rows the query finds, why, and in what order.
//!
//! Best first: exact path, exact name, name prefix, name, description, body, typo; a skill is as
//! good as its weakest word. Ties: scope (repository before person), then path.

use super::needle::{Names, Needle, Outcome, QUALITIES};
use super::query::Query;
use super::typo;
use crate::listing::Row;
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};

/// Why a skill was found; the order is that of rank, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No word was asked for, only filters or nothing: it is listed.
    Listed,
    /// A word of the name is a typing error away.
    Typo,
    /// The words are in the body of the `SKILL.md`.
    Body,
    /// The words are in the description, the allowed tools or the tags.
    Description,
    /// The name has it, as a part or as a subsequence.
    Name,
    /// The name begins with it.
    Prefix,
    /// It is the name.
    ExactName,
    /// It is the path of the `SKILL.md` or of its directory.
    ExactPath,
}

impl Reason {
    /// The word used in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Typo => "typo",
            Self::Body => "body",
            Self::Description => "description",
            Self::Name => "name",
            Self::Prefix => "prefix",
            Self::ExactName => "exact_name",
            Self::ExactPath => "exact_path",
        }
    }
}

/// One skill that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its place in the slice of rows that was ranked.
    pub index: u32,
    /// How well: millions say the reason, the rest orders within it; 0 where nothing was asked.
    pub score: u32,
    pub reason: Reason,
}

/// What the ranking must know beside rows and query.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Whether the row of that index is marked (`is:marked`).
    pub marked: &'a dyn Fn(u32) -> bool,
    /// Whether the empty query lists first what a person has picked often and recently.
    pub frecency: bool,
    /// Whether a query with few hits also finds names that are a typing error away.
    pub typos: bool,
    /// Another number whenever the rows or their traits are others; [`super::Ranker`] trusts it.
    pub generation: u64,
}

impl Context<'static> {
    /// Nothing marked, nothing picked before, typing errors forgiven.
    pub const PLAIN: Self =
        Self { marked: &|_| false, frecency: false, typos: true, generation: 0 };
}

/// The score's unit of one [`Reason`]; within it, the mean over the words of reason and quality.
const CLASS: u32 = 1_000_000;

/// With fewer hits than this, typing errors are looked for.
const FEW: usize = 5;

/// The rows that the query finds, best first.
pub fn rank(rows: &[Row], query: &Query, context: &Context) -> Vec<Hit> {
    Pass::new(query).run(rows, (0..).take(rows.len()), context).hits
}

/// Puts the skills whose bodies have the words (indexes into `rows`) among the hits. One that was
/// found by a typing error rises; any other that was found already stays as it is.
pub fn merge_body(hits: &mut Vec<Hit>, bodies: &[u32], rows: &[Row]) {
    let mut known: Vec<u32> =
        hits.iter().filter(|hit| hit.reason > Reason::Body).map(|hit| hit.index).collect();
    known.sort_unstable();
    let mut fresh: Vec<u32> =
        bodies.iter().copied().filter(|index| known.binary_search(index).is_err()).collect();
    fresh.sort_unstable();
    fresh.dedup();
    hits.retain(|hit| hit.reason > Reason::Body || fresh.binary_search(&hit.index).is_err());
    hits.extend(fresh.into_iter().map(|index| Hit {
        index,
        score: score(Reason::Body, 0),
        reason: Reason::Body,
    }));
    hits.sort_unstable_by(|one, other| by_score(rows, one, other));
}

/// What a pass over some rows gives.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// The hits, in order.
    pub(super) hits: Vec<Hit>,
    /// The rows, ascending, that a narrower query may find: those found without a typing error and
    /// those whose names have the words' letters scattered.
    pub(super) candidates: Vec<u32>,
}

/// What the query makes of one row.
enum Answer {
    Out,
    Near,
    Hit(Hit),
}

/// One query, prepared for many rows.
pub(super) struct Pass<'q> {
    query: &'q Query,
    needles: Vec<Needle<'q>>,
    refused: Vec<Needle<'q>>,
    phrase: Option<String>,
    names: Names,
}

impl<'q> Pass<'q> {
    pub(super) fn new(query: &'q Query) -> Self {
        Self {
            query,
            needles: query.words().iter().map(Needle::new).collect(),
            refused: query.refused().iter().map(Needle::new).collect(),
            phrase: query.phrase(),
            names: Names::default(),
        }
    }

    /// Ranks the rows of these indexes; typing errors are looked for among all.
    pub(super) fn run(
        mut self,
        rows: &[Row],
        among: impl Iterator<Item = u32>,
        context: &Context,
    ) -> Found {
        let mut found = Found::default();
        for index in among {
            let Some(row) = rows.get(index as usize) else { continue };
            match self.answer(index, row, context) {
                Answer::Out => {}
                Answer::Near => found.candidates.push(index),
                Answer::Hit(hit) => {
                    found.candidates.push(index);
                    found.hits.push(hit);
                }
            }
        }
        if self.needles.is_empty() {
            list(rows, &mut found.hits, context);
            return found;
        }
        if context.typos && found.hits.len() < FEW {
            self.add_typos(rows, &mut found.hits, context);
        }
        found.hits.sort_unstable_by(|one, other| by_score(rows, one, other));
        found
    }

    /// Whether filters and refused words leave the row in.
    pub(super) fn admits(&self, index: u32, row: &Row, context: &Context) -> bool {
        let filters = self.query.filters();
        filters.iter().all(|(filter, wanted)| filter.holds(row, (context.marked)(index)) == *wanted)
            && !self.refused.iter().any(|needle| needle.refuses(row))
    }

    fn answer(&mut self, index: u32, row: &Row, context: &Context) -> Answer {
        if !self.admits(index, row, context) {
            return Answer::Out;
        }
        let hit = |reason, mean| Answer::Hit(Hit { index, score: score(reason, mean), reason });
        if self.query.maybe_path() && self.query.is_path_of(row) {
            return hit(Reason::ExactPath, 0);
        }
        if self.needles.is_empty() {
            return Answer::Hit(Hit { index, score: 0, reason: Reason::Listed });
        }
        if self.phrase.as_deref() == Some(row.name()) {
            return hit(Reason::ExactName, (Reason::ExactName as u32 + 1) * QUALITIES - 1);
        }
        let mut tally = Tally::default();
        let mut near = false;
        for needle in &self.needles {
            match needle.judge(row, &mut self.names) {
                Outcome::Miss => return Answer::Out,
                Outcome::Near => near = true,
                Outcome::Hit(reason, quality) => tally.add(reason, quality),
            }
        }
        if near { Answer::Near } else { Answer::Hit(tally.hit(index)) }
    }

    /// Adds the rows in which every word hits if typing errors in the names' words are forgiven.
    fn add_typos(&mut self, rows: &[Row], hits: &mut Vec<Hit>, context: &Context) {
        if self.needles.iter().all(|needle| typo::allowance(needle.length()) == 0) {
            return;
        }
        let mut known: Vec<u32> = hits.iter().map(|hit| hit.index).collect();
        known.sort_unstable();
        let alone = self.needles.len() == 1;
        for (index, row) in (0..).zip(rows) {
            if known.binary_search(&index).is_ok() || !self.admits(index, row, context) {
                continue;
            }
            let mut tally = Tally::default();
            let all = self.needles.iter().all(|needle| {
                // A single word was judged by the first pass already: it is no hit.
                let outcome = match (alone, typo::in_name(needle, row.name())) {
                    (true, error) => error.map(|quality| (Reason::Typo, quality)),
                    (false, error) => match needle.judge(row, &mut self.names) {
                        Outcome::Hit(reason, quality) => Some((reason, quality)),
                        _ => error.map(|quality| (Reason::Typo, quality)),
                    },
                };
                outcome.inspect(|(reason, quality)| tally.add(*reason, *quality)).is_some()
            });
            if all {
                hits.push(tally.hit(index));
            }
        }
    }
}

/// The score over several words.
#[derive(Default)]
struct Tally {
    weakest: Option<Reason>,
    sum: u32,
    words: u32,
}

impl Tally {
    fn add(&mut self, reason: Reason, quality: u32) {
        self.weakest = Some(self.weakest.map_or(reason, |weakest| weakest.min(reason)));
        self.sum = self.sum.saturating_add(reason as u32 * QUALITIES + quality.min(QUALITIES - 1));
        self.words += 1;
    }

    fn hit(&self, index: u32) -> Hit {
        let reason = self.weakest.unwrap_or(Reason::Listed);
        Hit { index, score: score(reason, self.sum / self.words.max(1)), reason }
    }
}

fn score(reason: Reason, mean: u32) -> u32 {
    reason as u32 * CLASS + mean.min(CLASS - 1)
}

/// Score down, then scope, then path up.
fn by_score(rows: &[Row], one: &Hit, other: &Hit) -> Ordering {
    other.score.cmp(&one.score).then_with(|| by_place(rows, one, other))
}

fn by_place(rows: &[Row], one: &Hit, other: &Hit) -> Ordering {
    let row = |hit: &Hit| rows.get(hit.index as usize);
    let places =
        row(one).zip(row(other)).map_or(Ordering::Equal, |(one, other)| one.by_place(other));
    places.then(one.index.cmp(&other.index))
}

/// The order where no word is asked: what was picked before, what is on, what is off, what cannot
/// be offered; each by name. What is off or cannot be offered does not lead, however often it was
/// picked.
fn list(rows: &[Row], hits: &mut Vec<Hit>, context: &Context) {
    let key = |hit: &Hit| {
        let (group, name) = rows.get(hit.index as usize).map_or((3, ""), |row| {
            (if row.entry.offered() { u8::from(!row.entry.is_on()) } else { 2 }, row.name())
        });
        let frecency = match rows.get(hit.index as usize) {
            Some(row) if group == 0 && context.frecency => row.frecency,
            _ => 0,
        };
        (group, Reverse(frecency), name)
    };
    let mut keyed: Vec<_> = hits.drain(..).map(|hit| (key(&hit), hit)).collect();
    keyed.sort_unstable_by(|(one_key, one), (other_key, other)| {
        one_key.cmp(other_key).then_with(|| by_place(rows, one, other))
    });
    hits.extend(keyed.into_iter().map(|(_, hit)| hit));
}

#[cfg(test)]
mod tests;
