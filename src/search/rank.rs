//! Ranking: which rows the query finds, why, and in what order.
//!
//! The order is: exact path, exact name, name prefix, name, description, body, typing error. The
//! weakest word of a query decides. Ties are broken by scope (repository before person), then by
//! path. If few rows have the words as typed, names with a typing error come before names that only
//! have the letters in their order.

use super::needle::{NameMatcher, Needle, Outcome, QUALITIES};
use super::query::Query;
use super::typo;
use crate::listing::Row;
use crate::words;
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};

/// Why a skill was found; the order is from the weakest reason to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The query has no words.
    Listed,
    /// A word of the name matches but for a typing error.
    Typo,
    /// The words are in the body of the `SKILL.md`.
    Body,
    /// The words are in the description, the allowed tools or the tags.
    Description,
    /// The name contains the word, or its letters as a subsequence.
    Name,
    /// The name begins with the word.
    Prefix,
    /// The name is the query.
    ExactName,
    /// The path of the `SKILL.md` or of its directory is the query.
    ExactPath,
}

words!(
    Reason,
    Listed = "listed",
    Typo = "typo",
    Body = "body",
    Description = "description",
    Name = "name",
    Prefix = "prefix",
    ExactName = "exact_name",
    ExactPath = "exact_path"
);

impl Reason {
    /// Whether name, description, path or filters match. What only the body mentions, or what a
    /// typing error may mean, is shown, but nothing acts on it unseen.
    pub fn is_match(self) -> bool {
        !matches!(self, Self::Body | Self::Typo)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its index in the slice of rows that was ranked.
    pub index: u32,
    /// How well: the millions are the reason, the rest is the order within it. 0 without words.
    pub score: u32,
    pub reason: Reason,
}

#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Whether the row of that index is marked (`is:marked`).
    pub marked: &'a dyn Fn(u32) -> bool,
    /// Whether an empty query lists often and recently picked skills first.
    pub frecency: bool,
    /// Whether a query with few hits also finds names with a typing error.
    pub typos: bool,
    /// It must change whenever the rows change: [`super::Ranker`] relies on it.
    pub generation: u64,
    /// Whether the ranking is still wanted; asked every few thousand rows.
    pub go_on: &'a dyn Fn() -> bool,
}

impl Context<'static> {
    /// Nothing is marked or was picked, and typing errors are forgiven.
    pub const PLAIN: Self =
        Self { marked: &|_| false, frecency: false, typos: true, generation: 0, go_on: &|| true };
}

/// The score of one [`Reason`]. Within it, the mean of the words' reasons and qualities counts.
const CLASS: u32 = 1_000_000;

/// Rows between two looks at [`Context::go_on`]; they take less than a millisecond.
const CHUNK: usize = 2_048;

/// With fewer hits than this that have the words as typed, typing errors are forgiven.
const FEW: usize = 5;

/// The rows that the query finds, best first.
pub fn rank(rows: &[Row], query: &Query, context: &Context) -> Vec<Hit> {
    let found = Pass::new(query).run(rows, (0..).take(rows.len()), context);
    found.map_or_else(Vec::new, |found| found.hits)
}

/// Puts the skills that the host does not see behind the others, each part in its order. Returns
/// how many it sees.
pub fn seen_first(rows: &[Row], hits: &mut [Hit]) -> usize {
    let is_seen = |hit: &Hit| rows.get(hit.index as usize).is_some_and(|row| row.entry.is_seen());
    let seen = hits.iter().filter(|hit| is_seen(hit)).count();
    if seen < hits.len() && !hits[..seen].iter().all(is_seen) {
        hits.sort_by_key(|hit| !is_seen(hit));
    }
    seen
}

/// Adds the skills whose bodies have the words (indexes into `rows`) to the hits. A hit by a typing
/// error rises; any other hit stays.
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

/// The result of a pass over some rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// The hits, in order.
    pub(super) hits: Vec<Hit>,
    /// The rows that a narrower query may find, ascending: hits without a typing error, and names
    /// with the words' letters scattered.
    pub(super) candidates: Vec<u32>,
}

/// How the query matches one row.
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
    matcher: NameMatcher,
}

impl<'q> Pass<'q> {
    pub(super) fn new(query: &'q Query) -> Self {
        Self {
            query,
            needles: query.words.iter().map(Needle::new).collect(),
            refused: query.refused.iter().map(Needle::new).collect(),
            phrase: query.phrase(),
            matcher: NameMatcher::default(),
        }
    }

    /// Ranks the rows with these indexes. Typing errors are searched in all rows. `None` if it is
    /// no longer wanted.
    pub(super) fn run(
        mut self,
        rows: &[Row],
        among: impl Iterator<Item = u32>,
        context: &Context,
    ) -> Option<Found> {
        let mut found = Found::default();
        for (count, index) in among.enumerate() {
            if count % CHUNK == CHUNK - 1 && !(context.go_on)() {
                return None;
            }
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
            return Some(found);
        }
        let as_typed = found.hits.iter().filter(|hit| self.is_literal(rows, hit));
        if context.typos && as_typed.take(FEW).count() < FEW {
            let before = found.hits.len();
            self.add_typos(rows, &mut found.hits, context);
            if found.hits.len() > before {
                let scattered = found.hits[..before].iter_mut();
                for hit in scattered.filter(|hit| !self.is_literal(rows, hit)) {
                    let near = rows.get(hit.index as usize).and_then(|row| self.near(row));
                    // With all letters there, it is the nearer of two with as many errors.
                    let near = near.map_or(0, |mean| mean + 1);
                    hit.score = score(Reason::Typo, near.max(hit.score % CLASS / 10));
                }
            }
        }
        found.hits.sort_unstable_by(|one, other| by_score(rows, one, other));
        Some(found)
    }

    /// Whether filters and excluded words admit the row.
    pub(super) fn admits(&mut self, index: u32, row: &Row, context: &Context) -> bool {
        let filters = &self.query.filters;
        filters.iter().all(|(filter, wanted)| filter.holds(row, (context.marked)(index)) == *wanted)
            && !self.refused.iter().any(|needle| needle.refuses(row, &mut self.matcher))
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
            match needle.judge(row, &mut self.matcher) {
                Outcome::Miss => return Answer::Out,
                Outcome::Near => near = true,
                Outcome::Loose(quality) => tally.add_loose(quality),
                Outcome::Hit(reason, quality) => tally.add(reason, quality),
            }
        }
        if near { Answer::Near } else { Answer::Hit(tally.hit(index)) }
    }

    /// Whether a hit has the words as they were typed. The letters of a word with a typing error
    /// are often in a long name as well, so such names come after those that are nearly the word.
    fn is_literal(&self, rows: &[Row], hit: &Hit) -> bool {
        let name = || rows.get(hit.index as usize).map_or(&[][..], |row| row.name().as_bytes());
        hit.reason != Reason::Name || self.needles.iter().all(|needle| needle.is_in(name()))
    }

    /// How well the whole query is nearly a name.
    fn near_whole(&self, row: &Row) -> Option<u32> {
        typo::in_whole_name(self.phrase.as_deref()?, row.name())
    }

    /// How well every word is nearly in a name.
    fn near(&self, row: &Row) -> Option<u32> {
        let mut tally = Tally::default();
        if let Some(quality) = self.near_whole(row) {
            tally.add(Reason::Typo, quality);
            return Some(tally.mean());
        }
        for needle in &self.needles {
            tally.add(Reason::Typo, typo::in_name(needle, row.name())?);
        }
        Some(tally.mean())
    }

    /// Adds the rows in which every word hits if typing errors are forgiven.
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
            if let Some(quality) = self.near_whole(row) {
                tally.add(Reason::Typo, quality);
                hits.push(tally.hit(index));
                continue;
            }
            let all = self.needles.iter().all(|needle| {
                // The first pass has judged a single word: it is no hit.
                let outcome = match (alone, typo::in_name(needle, row.name())) {
                    (true, error) => error.map(|quality| (Reason::Typo, quality)),
                    (false, error) => match needle.judge(row, &mut self.matcher) {
                        Outcome::Hit(reason, quality) => Some((reason, quality)),
                        Outcome::Loose(quality) => Some((Reason::Description, quality)),
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
    /// Whether only the letters of some word are in the name.
    loose: bool,
    sum: u32,
    words: u32,
}

impl Tally {
    fn add(&mut self, reason: Reason, quality: u32) {
        self.weakest = Some(self.weakest.map_or(reason, |weakest| weakest.min(reason)));
        self.sum = self.sum.saturating_add(reason as u32 * QUALITIES + quality.min(QUALITIES - 1));
        self.words += 1;
    }

    /// A word whose letters are in the name. It ranks among words in descriptions.
    fn add_loose(&mut self, quality: u32) {
        self.add(Reason::Description, quality);
        self.loose = true;
    }

    fn hit(&self, index: u32) -> Hit {
        let class = self.weakest.unwrap_or(Reason::Listed);
        // The description does not have the word, so the name is why.
        let by_name = self.loose && class == Reason::Description;
        let reason = if by_name { Reason::Name } else { class };
        Hit { index, score: score(class, self.mean()), reason }
    }

    fn mean(&self) -> u32 {
        self.sum / self.words.max(1)
    }
}

fn score(reason: Reason, mean: u32) -> u32 {
    reason as u32 * CLASS + mean.min(CLASS - 1)
}

/// By descending score, then scope, then path.
fn by_score(rows: &[Row], one: &Hit, other: &Hit) -> Ordering {
    other.score.cmp(&one.score).then_with(|| by_place(rows, one, other))
}

fn by_place(rows: &[Row], one: &Hit, other: &Hit) -> Ordering {
    let row = |hit: &Hit| rows.get(hit.index as usize);
    let places =
        row(one).zip(row(other)).map_or(Ordering::Equal, |(one, other)| one.by_place(other));
    places.then(one.index.cmp(&other.index))
}

/// The order without words: skills that were picked, that are on, that are off, that cannot be
/// offered; each group by name. A skill that is off or cannot be offered does not come first,
/// however often it was picked.
fn list(rows: &[Row], hits: &mut [Hit], context: &Context) {
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
    // The rows of a whole list are almost in this order, which a stable sort makes use of. So few
    // keys are compared, and to keep all of them would take a tenth of the memory of the skills.
    hits.sort_by(|one, other| key(one).cmp(&key(other)).then_with(|| by_place(rows, one, other)));
}

#[cfg(test)]
mod tests;
