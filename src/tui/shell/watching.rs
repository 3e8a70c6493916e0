//! Watches the files and folders that a view depends on.

use super::jobs::{Answer, Answers};
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
    answers: &Answers,
    pending: &Arc<AtomicBool>,
) {
    if watch.as_ref().is_some_and(|watch| watch.holds(wanted)) {
        return;
    }
    let (told, pending) = (answers.clone(), Arc::clone(pending));
    let changed = move || {
        if !pending.swap(true, Ordering::Relaxed) {
            let _ = told.send(Answer::Changed);
        }
    };
    let unseen = |place: SafeText, why: String| {
        inert!("changes in {} are not seen by themselves ({})", place, SafeText::line(&why))
    };
    let told = match Watch::start(wanted, changed) {
        Ok(started) => {
            let failed =
                started.failed.first().map(|(path, why)| unseen(SafeText::path(path), why.clone()));
            *watch = Some(started);
            Answer::Watching(failed)
        }
        Err(error) => {
            let text = unseen(SafeText::fixed("files"), error.to_string());
            Answer::Msg(Msg::Told(Notice::grave(text)))
        }
    };
    let _ = answers.send(told);
}
