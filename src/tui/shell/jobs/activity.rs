//! The log of calls: read when its screen opens, and again after each change while it is open.

use super::{JobResult, JobResults, Jobs};
use crate::runtime::Activity;
use crate::scan::watch::{Watch, Watched};
use crate::tui::app::Msg;
use crate::tui::shell::convert;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub(super) enum Log {
    /// Read and watch the log in this directory; `None` if there is no state directory.
    Read(Option<PathBuf>),
    /// The screen has closed.
    Leave,
}

#[derive(Default)]
pub(super) struct LogReader {
    watch: Mutex<Option<Watch>>,
    /// A change has been reported and not read; it is not reported twice.
    pending: Arc<AtomicBool>,
}

impl Jobs {
    /// Reads the log, and reports changes until [`Self::leave_activity`].
    pub(in crate::tui::shell) fn read_activity(&self, directory: Option<&Path>) {
        self.log.ask(Log::Read(directory.map(Path::to_path_buf)));
    }

    /// Stops watching the log.
    pub(in crate::tui::shell) fn leave_activity(&self) {
        self.log.ask(Log::Leave);
    }
}

impl LogReader {
    pub(super) fn serve(&self, wanted: Log, results: &JobResults) {
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        let Log::Read(directory) = wanted else { return *watch = None };
        if let Some(directory) = &directory {
            self.keep_watching(&mut watch, directory, results);
        }
        // Later changes are reported again.
        self.pending.store(false, Ordering::Relaxed);
        let activity = directory.as_deref().map(Activity::load).unwrap_or_default();
        let log = convert::activity(activity, directory.as_deref());
        let _ = results.send(JobResult::Msg(Msg::ActivityRead(Arc::new(log))));
    }

    /// Watches the newer file. If that fails, `^l` reads the log again.
    fn keep_watching(&self, watch: &mut Option<Watch>, directory: &Path, results: &JobResults) {
        let wanted = Watched { files: vec![Activity::file(directory)], ..Watched::default() };
        if watch.as_ref().is_some_and(|watch| watch.holds(&wanted)) {
            return;
        }
        let (told, pending) = (results.clone(), Arc::clone(&self.pending));
        let changed = move || {
            if !pending.swap(true, Ordering::Relaxed) {
                let _ = told.send(JobResult::LogChanged);
            }
        };
        *watch = Watch::start(&wanted, changed).ok();
    }
}
