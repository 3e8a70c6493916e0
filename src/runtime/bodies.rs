//! Finds the bodies that have a query's words.

use super::text::PREVIEW_BYTES;
use crate::catalog::frontmatter;
use crate::files::beneath::read_plain;
use crate::listing::Row;
use crate::search::{BodyMatch, BodySearch, Query};
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

/// What came of some bodies.
#[derive(Debug, Default)]
pub struct Searched<'a> {
    /// The rows whose bodies have the words.
    pub found: Vec<u32>,
    /// The other rows, each with a word that its body lacks. What could not be read is in neither.
    pub lacking: Vec<(u32, &'a str)>,
}

impl<'a> Bodies<'a> {
    /// Reads the first mebibyte of each body, and reports what came of them, in batches and in no
    /// order.
    pub fn search(&self, found: impl FnMut(Searched<'a>)) {
        let parts: Vec<&[u32]> = self.candidates.chunks(AT_ONCE).collect();
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (sender, results) = channel();
            let mut started = 0;
            for _ in 0..self.threads.max(1) {
                let (sender, parts, next) = (sender.clone(), &parts, &next);
                let work = move || self.work(parts, next, &sender);
                started += usize::from(thread::Builder::new().spawn_scoped(scope, work).is_ok());
            }
            if started == 0 {
                self.work(&parts, &next, &sender);
            }
            drop(sender);
            results.into_iter().for_each(found);
        });
    }

    fn work(&self, parts: &[&[u32]], next: &AtomicUsize, sender: &Sender<Searched<'a>>) {
        let Some(mut search) = BodySearch::new(self.query) else { return };
        let mut content = Vec::new();
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut searched = Searched::default();
            for index in part.iter().take_while(|_| (self.go_on)()) {
                let Some(row) = self.rows.get(*index as usize) else { continue };
                let _ = row.skill().provide();
                if read_plain(&row.skill().path, PREVIEW_BYTES, &mut content).is_err() {
                    continue;
                }
                let from = content.len() - frontmatter::body(&content).len();
                match search.look(row, &mut content[from..]) {
                    BodyMatch::Has => searched.found.push(*index),
                    BodyMatch::Lacks(word) => searched.lacking.push((*index, word)),
                    BodyMatch::NoMatch => {}
                }
            }
            if sender.send(searched).is_err() || !(self.go_on)() {
                return;
            }
        }
    }
}
