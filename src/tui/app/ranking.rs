//! What the list shows. A worker ranks, so that no key waits for it.

use crate::catalog::Scope;
use crate::listing::{Row, Rows};
use crate::policy::HostReport;
use crate::search::{self, Context, Hit, Query, Ranker};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The ranking that the list needs.
#[derive(Clone, Debug)]
pub struct RankQuestion {
    /// Comes back with the answer, so that the answer to an older question is dropped.
    pub number: u64,
    pub query: Query,
    /// The scope that is shown; `None` means all.
    pub scope: Option<Scope>,
    pub rows: Arc<Rows>,
    /// Of a view through several agents, what each makes of the rows.
    pub reports: Arc<Vec<HostReport>>,
    /// The number of the view that has these rows.
    pub view: u64,
    /// The marked rows, ascending.
    pub marked: Vec<u32>,
    /// Rows whose bodies have the words.
    pub bodies: Vec<u32>,
    /// The hits whose order stays, because only verdicts have changed.
    pub keep: Option<Arc<Vec<Hit>>>,
}

/// The rows of the list.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    pub rows: Arc<Rows>,
    /// The matches, best first.
    pub hits: Arc<Vec<Hit>>,
    /// How many of them come first that the view's agent has, on or off. It does not see the rest.
    pub seen: usize,
    /// Matches without a row of their own, since another skill of the name has one: how many the
    /// agent sees, and how many it does not.
    pub folded: [usize; 2],
    /// How many matches the rows after the first `seen` stand for. A match that the agent does not
    /// see is not counted if one of the first rows has its name, and so stands for it too.
    pub below: usize,
    /// Matches that the scope hides.
    pub elsewhere: usize,
    /// If nothing matches: the filters as typed, and the number of matches without them.
    pub filtered: Option<(String, usize)>,
}

impl Ranking {
    /// The row that stands for the skill with this index.
    pub fn row_of(&self, index: usize) -> Option<usize> {
        let copies = self.rows.copies_of(index);
        let own = self.hits.iter().position(|hit| hit.index as usize == index);
        if own.is_some() || copies.is_empty() {
            return own;
        }
        self.hits.iter().position(|hit| copies.binary_search(&hit.index).is_ok())
    }

    pub fn row(&self, number: usize) -> Option<&Row> {
        self.rows.get(self.hits.get(number)?.index as usize)
    }
}

impl RankQuestion {
    /// The answer; `None` as soon as `go_on` says that it is no longer wanted.
    pub fn answer(&self, ranker: &mut Ranker, go_on: &dyn Fn() -> bool) -> Option<Ranking> {
        let marked = |index: u32| self.is_marked(index);
        let context =
            Context { marked: &marked, frecency: true, typos: true, generation: self.view, go_on };
        let mut hits = ranker.rank(&self.rows, &self.query, &context)?;
        if !self.bodies.is_empty() {
            search::merge_body(&mut hits, &self.bodies, &self.rows);
        }
        let everywhere = hits.len();
        if let Some(scope) = self.scope {
            let in_scope =
                |hit: &Hit| self.rows.get(hit.index as usize).is_some_and(|row| row.is_in(scope));
            hits.retain(in_scope);
        }
        let elsewhere = everywhere - hits.len();
        let filtered = if everywhere == 0 { self.without_filters(&context) } else { None };
        let mut hits = match &self.keep {
            Some(before) => in_order_of(before, hits, &self.rows),
            None => hits,
        };
        let all_seen = search::seen_first(&self.rows, &mut hits);
        let before = hits.len();
        let (seen, below) = self.fold_copies(&mut hits, all_seen);
        let folded = [all_seen - seen, (before - all_seen) - (hits.len() - seen)];
        let (rows, hits) = (Arc::clone(&self.rows), Arc::new(hits));
        Some(Ranking { rows, hits, seen, folded, below, elsewhere, filtered })
    }

    fn is_marked(&self, index: u32) -> bool {
        self.marked.binary_search(&index).is_ok()
    }

    /// Leaves one hit for each name, at the place of the best of them: the one that has the row
    /// already, else the one that the agent uses. Of several such it is a marked one, then the one
    /// that most agents use, then the one that was picked most, so that another query means the
    /// same skill. Returns how many of the first `seen` are left, and for how many the others
    /// stand.
    fn fold_copies(&self, hits: &mut Vec<Hit>, seen: usize) -> (usize, usize) {
        if !self.rows.has_copies() {
            return (seen, hits.len() - seen);
        }
        let shown: HashSet<u32> =
            self.keep.iter().flat_map(|hits| hits.iter().map(|it| it.index)).collect();
        let worth = |hit: &Hit| {
            let row = self.rows.get(hit.index as usize);
            let uses = row.map(|Row { entry, frecency, .. }| {
                let usable = (entry.is_seen(), entry.is_on(), entry.pickable());
                let using = self.reports.iter().filter(|report| report.uses(hit.index)).count();
                (usable, self.is_marked(hit.index), using, *frecency)
            });
            (shown.contains(&hit.index), hit.reason.is_match(), uses, Reverse(hit.index))
        };
        // By the first row of its group.
        let mut best: HashMap<u32, (usize, Hit)> = HashMap::new();
        for (place, hit) in hits.iter().enumerate() {
            let Some(group) = self.rows.copies_of(hit.index as usize).first() else { continue };
            match best.get_mut(group) {
                None => drop(best.insert(*group, (place, *hit))),
                // A skill that the agent does not see never replaces one that it sees.
                Some((first, known)) => {
                    if (*first < seen) == (place < seen) && worth(hit) > worth(known) {
                        *known = *hit;
                    }
                }
            }
        }
        let (mut place, mut left, mut below) = (0, 0, 0);
        hits.retain_mut(|hit| {
            let group = self.rows.copies_of(hit.index as usize).first();
            let best = group.and_then(|group| best.get(group));
            let (first, known) = best.copied().unwrap_or((place, *hit));
            let stays = first == place;
            if stays {
                *hit = known;
            }
            left += usize::from(stays && place < seen);
            below += usize::from(first >= seen);
            place += 1;
            stays
        });
        (left, below)
    }

    fn without_filters(&self, context: &Context) -> Option<(String, usize)> {
        let filters = |word: &&str| !Query::parse(word).filters.is_empty();
        let (filters, words): (Vec<&str>, Vec<&str>) =
            self.query.text().split_whitespace().partition(filters);
        if filters.is_empty() {
            return None;
        }
        let rest = Query::parse(&words.join(" "));
        Some((filters.join(" "), search::rank(&self.rows, &rest, context).len()))
    }
}

/// The hits in the order that they had before, so that none moves under the cursor. New ones
/// follow.
fn in_order_of(before: &[Hit], hits: Vec<Hit>, rows: &Rows) -> Vec<Hit> {
    let mut left: HashMap<u32, Hit> = hits.into_iter().map(|hit| (hit.index, hit)).collect();
    // A row that stood for a skill which is no hit any more goes to another one of its name.
    let of_name = |left: &mut HashMap<u32, Hit>, index: u32| {
        let copies = rows.copies_of(index as usize).iter();
        copies.copied().find(|copy| left.contains_key(copy)).and_then(|copy| left.remove(&copy))
    };
    let again = |hit: &Hit| left.remove(&hit.index).or_else(|| of_name(&mut left, hit.index));
    let mut ordered: Vec<Hit> = before.iter().filter_map(again).collect();
    let mut new: Vec<Hit> = left.into_values().collect();
    new.sort_by_key(|hit| hit.index);
    ordered.extend(new);
    ordered
}
