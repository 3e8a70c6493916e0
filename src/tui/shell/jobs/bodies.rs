//! Reads bodies for the search, after a pause in typing.

use super::{JobResult, JobResults, step_back};
use crate::runtime::Bodies;
use crate::search::{BodySearch, Misses};
use crate::tui::app::{BodyQuestion, Msg};
use crate::tui::shell::worker::Slot;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The pause in typing before bodies are read. People take 240 ms from key to key on average
/// ("Observations on Typing from 136 Million Keystrokes", 2018), and what is found for the letters
/// so far is of no use.
const PAUSE_BEFORE_BODIES: Duration = Duration::from_millis(400);

/// Searches the bodies of the rows in which neither name nor description has the words.
pub(super) fn search_bodies(
    question: &BodyQuestion,
    slot: &Slot<Box<BodyQuestion>>,
    misses: &Mutex<Misses>,
    results: &JobResults,
) {
    step_back();
    let has_words = BodySearch::new(&question.query).is_some();
    // While somebody types, bodies are not wanted.
    if !has_words || slot.overtaken_within(PAUSE_BEFORE_BODIES) {
        return;
    }
    let mut misses = misses.lock().unwrap_or_else(PoisonError::into_inner);
    misses.keep_to(&question.rows);
    let candidates = question.candidates(&misses);
    let go_on = || !slot.overtaken();
    // One thread, so that a core is left for the keys.
    let (rows, query) = (&question.rows, &question.query);
    let bodies = Bodies { rows, candidates: &candidates, query, threads: 1, go_on: &go_on };
    bodies.search(|part| {
        for (row, word) in part.lacking {
            misses.add(word, row);
        }
        if !part.found.is_empty() {
            let found = Msg::Bodies(question.generation, part.found);
            drop(results.send(JobResult::Msg(found)));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Context, Query, rank};
    use crate::tui::shell::worker::Worker;
    use crate::workspace::fixture::TestWorkspace;
    use std::sync::{Arc, mpsc};
    use std::time::Instant;
    use tokio::sync::mpsc::unbounded_channel;

    #[test]
    fn a_query_that_grows_reads_no_body_that_cannot_match() {
        let test = TestWorkspace::with(&[]);
        let place = |name: &str| format!("repo/.agents/skills/{name}");
        for (name, body) in [("one", "A quorum.\n"), ("two", "Nothing.\n")] {
            let head = format!("name: {name}\ndescription: x");
            test.env.raw_skill(&place(name), &head, body);
        }
        let rows = Arc::clone(&test.view().rows);
        let (results, mut told) = unbounded_channel();
        let ((ended, end), misses) = (mpsc::channel(), Mutex::default());
        let serve = move |job: Box<BodyQuestion>, slot: &Slot<Box<BodyQuestion>>| {
            search_bodies(&job, slot, &misses, &results);
            ended.send(()).unwrap();
        };
        let worker = Worker::new("test", serve, |_| {});
        let mut found = |text: &str| {
            let query = Query::parse(text);
            let hits = Arc::new(rank(&rows, &query, &Context::PLAIN));
            let rows = Arc::clone(&rows);
            worker.ask(Box::new(BodyQuestion {
                generation: 1,
                query,
                rows,
                hits,
                marked: Vec::new(),
            }));
            end.recv().unwrap();
            match told.try_recv() {
                Ok(JobResult::Msg(Msg::Bodies(1, found))) => found,
                _ => Vec::new(),
            }
        };
        assert_eq!(found("quor"), [0]);
        let begun = Instant::now();
        assert_eq!(found("").len(), 0);
        assert!(
            begun.elapsed() < PAUSE_BEFORE_BODIES,
            "without words there is nothing to wait for"
        );
        // No scan has seen this yet, so only who reads the file can tell.
        for name in ["one", "two"] {
            let head = format!("name: {name}\ndescription: x");
            test.env.raw_skill(&place(name), &head, "quorums");
        }
        assert_eq!(found("quorum"), [0], "what lacked the beginning is not read");
        assert_eq!(found("orum"), [0, 1]);
    }
}
