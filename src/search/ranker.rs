//! Ranks while somebody types: a query that only grew is ranked among what its beginning found.

use super::query::Query;
use super::rank::{Context, Hit, Pass};
use crate::listing::Row;

/// Remembers the last query and what a narrower one may find.
#[derive(Debug, Default)]
pub struct Ranker {
    last: Option<Last>,
}

#[derive(Debug)]
struct Last {
    query: Query,
    generation: u64,
    rows: usize,
    candidates: Vec<u32>,
}

impl Ranker {
    /// The same as [`super::rank`], but faster if the query narrows the last one and
    /// [`Context::generation`] is the same. `None` if the ranking is no longer wanted.
    pub fn rank(&mut self, rows: &[Row], query: &Query, context: &Context) -> Option<Vec<Hit>> {
        let narrowed = self.last.as_ref().filter(|last| {
            last.generation == context.generation
                && last.rows == rows.len()
                && query.narrows(&last.query)
        });
        let pass = Pass::new(query);
        let found = match narrowed {
            Some(last) => pass.run(rows, last.candidates.iter().copied(), context),
            None => pass.run(rows, (0..).take(rows.len()), context),
        }?;
        self.last = Some(Last {
            query: query.clone(),
            generation: context.generation,
            rows: rows.len(),
            candidates: found.candidates,
        });
        Some(found.hits)
    }
}
