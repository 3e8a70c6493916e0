//! Jobs that have a thread of their own, and what becomes of one that panics.

use super::{JobResult, JobResults, Jobs};
use crate::text::SafeText;
use crate::tui::app::{Msg, Notice};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is said of a worker that panics.
const FAILED: &str = "a background task failed; the rest goes on";

impl Jobs {
    /// Does a job on a thread of its own.
    pub(super) fn once(&self, work: impl FnOnce(&JobResults) + Send + 'static) {
        self.begin(work, tell_failed);
    }

    /// The same for a job that a change waits for. If it fails, so does the change.
    pub(super) fn plans(&self, work: impl FnOnce(&JobResults) + Send + 'static) {
        self.begin(work, |results, why| {
            let _ = results.send(JobResult::Msg(Msg::Saved(Err(SafeText::fixed(why)))));
        });
    }

    /// The same for a job that writes: whoever leaves then waits for it for a moment.
    pub(super) fn writes(&self, work: impl FnOnce(&JobResults) + Send + 'static) {
        let writing = self.writing.clone();
        self.plans(move |results| {
            work(results);
            drop(writing);
        });
    }

    fn begin(
        &self,
        work: impl FnOnce(&JobResults) + Send + 'static,
        fails: fn(&JobResults, &'static str),
    ) {
        let results = self.results.clone();
        let body = move || {
            if catch_unwind(AssertUnwindSafe(|| work(&results))).is_err() {
                fails(&results, FAILED);
            }
        };
        if std::thread::Builder::new().name("job".to_owned()).spawn(body).is_err() {
            fails(&self.results, "no thread could be started");
        }
    }
}

/// A worker's panic becomes a notice; the picker goes on.
pub(super) fn failed(results: &JobResults) {
    tell_failed(results, FAILED);
}

/// What a worker does after a panic.
pub(super) fn failing(results: JobResults) -> impl Fn() + Send + Sync + 'static {
    move || failed(&results)
}

fn tell_failed(results: &JobResults, why: &'static str) {
    let notice = Notice::grave(SafeText::fixed(why));
    let _ = results.send(JobResult::Msg(Msg::Notice(notice)));
}
