//! Watches the files and folders that a view depends on.

use super::jobs::{JobResult, JobResults};
use crate::inert;
use crate::scan::watch::{Watch, Watched};
use crate::text::SafeText;
use crate::tui::app::{Msg, Notice};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Starts to watch, unless all of it is watched already.
pub(super) fn keep_watching(
    watch: &mut Option<Watch>,
    wanted: &Watched,
    results: &JobResults,
    pending: &Arc<AtomicBool>,
) {
    if watch.as_ref().is_some_and(|watch| watch.holds(wanted)) {
        return;
    }
    let (changes, pending) = (results.clone(), Arc::clone(pending));
    let changed = move || {
        if !pending.swap(true, Ordering::Relaxed) {
            let _ = changes.send(JobResult::Changed);
        }
    };
    let unseen =
        |place: SafeText, why: String| inert!("{} is not watched for changes ({})", place, why);
    let report = match Watch::start(wanted, changed) {
        Ok(started) => {
            let failed =
                started.failed.first().map(|(path, why)| unseen(SafeText::path(path), why.clone()));
            *watch = Some(started);
            JobResult::Watching(failed)
        }
        Err(error) => {
            let text = unseen(SafeText::fixed("files"), error.to_string());
            JobResult::Msg(Msg::Notice(Notice::grave(text)))
        }
    };
    let _ = results.send(report);
}
