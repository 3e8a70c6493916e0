//! Watches the files and folders that a view depends on.

use super::jobs::{JobResult, JobResults};
use crate::inert;
use crate::scan::watch::{Watch, Watched};
use crate::text::SafeText;
use crate::tui::app::{Msg, Notice};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// What is to be watched.
pub(super) struct Watching {
    pub(super) watched: Watched,
    /// When the scan began that knows all earlier changes.
    pub(super) since: SystemTime,
}

/// How far the times of a file system may be behind the clock. Some count in steps of two seconds.
const BEHIND: Duration = Duration::from_secs(2);

/// Starts to watch, unless all of it is watched already. What has changed meanwhile counts as a
/// change.
pub(super) fn keep_watching(
    watch: &mut Option<Watch>,
    wanted: &Watching,
    results: &JobResults,
    pending: &Arc<AtomicBool>,
) {
    if watch.as_ref().is_some_and(|watch| watch.holds(&wanted.watched)) {
        return;
    }
    let (changes, pending) = (results.clone(), Arc::clone(pending));
    let changed = move || {
        if !pending.swap(true, Ordering::Relaxed) {
            let _ = changes.send(JobResult::Changed);
        }
    };
    let meanwhile = changed.clone();
    let unseen =
        |place: SafeText, why: String| inert!("{} is not watched for changes ({})", place, why);
    match Watch::start(&wanted.watched, changed) {
        Ok(started) => {
            if started.changed + BEHIND >= wanted.since {
                meanwhile();
            }
            if let Some((path, why)) = started.failed.first() {
                let why = unseen(SafeText::path(path), why.clone());
                let _ = results.send(JobResult::Unwatched(why));
            }
            *watch = Some(started);
        }
        Err(error) => {
            let text = unseen(SafeText::fixed("files"), error.to_string());
            let _ = results.send(JobResult::Msg(Msg::Notice(Notice::grave(text))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::UNIX_EPOCH;
    use tokio::sync::mpsc::unbounded_channel;

    #[test]
    fn a_scan_is_repeated_only_if_something_changed_before_it_was_watched() {
        let dir = tempfile::tempdir().unwrap();
        let later = SystemTime::now() + Duration::from_secs(3600);
        for (since, repeats) in [(UNIX_EPOCH, true), (later, cfg!(not(target_os = "linux")))] {
            let (results, mut told) = unbounded_channel();
            let watched = Watched { roots: vec![dir.path().into()], depth: 2, files: Vec::new() };
            let (mut watch, pending) = (None, Arc::default());
            keep_watching(&mut watch, &Watching { watched, since }, &results, &pending);
            assert!(watch.is_some());
            assert_eq!(matches!(told.try_recv(), Ok(JobResult::Changed)), repeats);
        }
    }
}
