//! Asks the agents' own programs what they have.

use super::{JobResult, JobResults, Jobs, Snapshot, step_back};
use crate::text::SafeText;
use crate::tui::app::Notice;
use crate::workspace::verify::Patience;
use crate::workspace::{AskedAgent, sum_of_words};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

impl Jobs {
    /// Asks the programs of the view's agents, several at a time.
    pub(in crate::tui::shell) fn ask_agents(&self, snapshot: Snapshot) {
        self.asks.ask(snapshot);
    }
}

pub(super) fn ask(snapshot: &Snapshot, stop: &Arc<AtomicBool>, results: &JobResults) {
    step_back();
    let Snapshot { workspace, view, number } = snapshot;
    let patience = Patience { stop: Some(Arc::clone(stop)), ..Patience::default() };
    let (heard, asked) = workspace.ask_agents(Some(view), &patience);
    let view = heard.complete_again(view);
    // What is asked again after a change is told only if it fails.
    let notice = if workspace.was_asked() { failures(&asked) } else { told(&asked) };
    let _ = results.send(JobResult::AgentsAsked(*number, Box::new(heard), Box::new(view), notice));
}

/// What came, and why nothing came.
fn told(asked: &[AskedAgent]) -> Option<Notice> {
    let silent = silent(asked);
    match (sum_of_words(asked), silent.is_empty()) {
        (Some(sum), true) => Some(Notice::plain(sum)),
        (Some(sum), false) => {
            Some(Notice::plain(SafeText::join([sum].iter().chain(&silent), ". ")))
        }
        (None, false) => failures(asked),
        (None, true) => {
            let words = "no agent on this machine can be asked what it sees";
            Some(Notice::grave(SafeText::fixed(words)))
        }
    }
}

fn failures(asked: &[AskedAgent]) -> Option<Notice> {
    let silent = silent(asked);
    (!silent.is_empty()).then(|| Notice::grave(SafeText::join(&silent, ". ")))
}

fn silent(asked: &[AskedAgent]) -> Vec<SafeText> {
    asked.iter().filter(|asked| asked.heard.is_err()).map(AskedAgent::words).collect()
}
