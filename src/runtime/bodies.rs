//! Finds the bodies that have a query's words.

use super::text::{PREVIEW_BYTES, bytes};
use crate::catalog::frontmatter;
use crate::listing::Row;
use crate::search::{BodySearch, Query};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// Bodies that a thread takes at a time. It reports what it found after each batch.
const AT_ONCE: usize = 128;

/// Which bodies are searched, and how.
pub struct Bodies<'a> {
    /// The rows of the view.
    pub rows: &'a [Row],
    /// The indexes of the rows whose bodies could add a hit.
    pub candidates: &'a [u32],
    pub query: &'a Query,
    pub threads: usize,
    /// Asked before each body; false ends the search early.
    pub go_on: &'a (dyn Fn() -> bool + Sync),
}

impl Bodies<'_> {
    /// Reads the first mebibyte of each body, and reports those that have the words, in batches and
    /// in no order.
    pub fn search(&self, mut found: impl FnMut(Vec<u32>)) {
        let parts: Vec<&[u32]> = self.candidates.chunks(AT_ONCE).collect();
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (sender, results) = channel();
            for _ in 0..self.threads.max(1) {
                let (sender, parts, next) = (sender.clone(), &parts, &next);
                scope.spawn(move || self.work(parts, next, &sender));
            }
            drop(sender);
            results.into_iter().for_each(&mut found);
        });
    }

    fn work(&self, parts: &[&[u32]], next: &AtomicUsize, sender: &Sender<Vec<u32>>) {
        let Some(mut search) = BodySearch::new(self.query) else { return };
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut found = Vec::new();
            for index in *part {
                if !(self.go_on)() {
                    return;
                }
                let Some(row) = self.rows.get(*index as usize) else { continue };
                if let Ok(content) = bytes(row.skill(), None, PREVIEW_BYTES)
                    && search.matches(row, frontmatter::body(&content.bytes))
                {
                    found.push(*index);
                }
            }
            if !found.is_empty() && sender.send(found).is_err() {
                return;
            }
        }
    }
}
