//! The rows of a view: entries with their folded texts and their use.

use super::history::Recall;
use crate::listing::{FoldedTexts, Row, Rows, in_halves};
use crate::policy::Entry;
use std::sync::Arc;

/// How many entries become rows at a time.
const CHUNK: usize = 512;

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
        let mut texts = in_halves(&entries, |first, part| {
            let each = (first..).zip(part);
            each.map(|(index, entry)| self.texts(index, entry)).collect()
        });
        // Memory of the entries is freed while the rows are made: both lists together would be the
        // largest part of a view.
        let mut rows = Vec::with_capacity(entries.len());
        while !entries.is_empty() {
            let from = entries.len().saturating_sub(CHUNK);
            let chunk = entries.drain(from..).zip(texts.drain(from..)).rev();
            rows.extend(chunk.map(|(entry, texts)| self.row(entry, texts)));
            entries.shrink_to_fit();
        }
        rows.reverse();
        self.before = Arc::new(Rows::new(rows));
        Arc::clone(&self.before)
    }

    /// The folded texts of the entry at this index.
    fn texts(&self, index: usize, entry: &Entry) -> FoldedTexts {
        let before = self.before.row_of(&entry.skill, index);
        let before = before.filter(|before| before.entry.described == entry.described);
        before.map_or_else(|| FoldedTexts::of(entry), |before| before.texts().clone())
    }

    fn row(&self, entry: Entry, texts: FoldedTexts) -> Row {
        let path = &entry.skill.path;
        let (frecency, used) = (self.recall.weight(path), self.recall.uses.of(path).is_some());
        let mut row = Row::with_texts(entry, texts);
        (row.frecency, row.used) = (frecency, used);
        row
    }
}
