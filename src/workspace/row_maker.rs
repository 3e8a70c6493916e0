//! The rows of a view: entries with their folded texts and their use.

use super::history::Recall;
use crate::listing::{Row, Rows};
use crate::policy::Entry;
use std::sync::Arc;

/// How many entries become rows at a time.
const PIECE: usize = 4096;

/// Makes the rows of one view after another.
pub(super) struct RowMaker {
    /// The rows before, whose folded texts are taken over. So a skill's texts are folded once,
    /// however many views it is in.
    before: Arc<Rows>,
    pub(super) recall: Recall,
}

impl RowMaker {
    pub(super) fn new(recall: Recall, before: &Arc<Rows>) -> Self {
        Self { before: Arc::clone(before), recall }
    }

    pub(super) fn rows(&mut self, mut entries: Vec<Entry>) -> Arc<Rows> {
        // Memory of the entries is freed while the rows are made: both lists together would be the
        // largest part of a view.
        let mut rows = Vec::with_capacity(entries.len());
        while !entries.is_empty() {
            let from = entries.len().saturating_sub(PIECE);
            let piece = entries.drain(from..).enumerate().rev();
            rows.extend(piece.map(|(index, entry)| self.row(from + index, entry)));
            entries.shrink_to_fit();
        }
        rows.reverse();
        self.before = Arc::new(Rows::new(rows));
        Arc::clone(&self.before)
    }

    fn row(&self, index: usize, entry: Entry) -> Row {
        let skill = &entry.skill;
        let (frecency, used) =
            (self.recall.weight(&skill.path), self.recall.uses.of(&skill.path).is_some());
        let mut row = match self.before.row_of(skill, index) {
            Some(before) => Row::after(before, entry),
            None => Row::new(entry),
        };
        (row.frecency, row.used) = (frecency, used);
        row
    }
}
