//! The panes in which agents run, and writing a prompt into one.

use super::{JobResult, JobResults, Jobs, Snapshot};
use crate::catalog::{HostId, Pane};
use crate::inert;
use crate::output::compose::Written;
use crate::panes::{Manner, PaneError, Panes};
use crate::text::SafeText;
use crate::tui::app::{Msg, Sending};
use crate::workspace::{Workspace, host_of_command};

impl Jobs {
    /// Looks for the panes in which agents run.
    pub(in crate::tui::shell) fn find_panes(&self, workspace: &Workspace) {
        let workspace = workspace.clone();
        self.once(move |results| tell(found(&workspace), results));
    }
}

/// Writes a prompt into its pane, and tells what became of it.
pub(super) fn deliver(
    snapshot: &Snapshot,
    pane: &Pane,
    sending: &Sending,
    written: &Written,
    results: &JobResults,
) {
    let Snapshot { workspace, view, .. } = snapshot;
    let done = open(workspace).and_then(|panes| {
        let manner = Manner { submit: sending.submit, unbracketed: sending.anyway };
        panes.send(pane, &written.text, manner, agent_of)
    });
    let host = pane.host.word();
    let place = inert!("{} pane {}", pane.of.word(), pane.id);
    let msg = match done {
        Ok(()) => {
            workspace.remember(view, &written.skills);
            let what = match sending.submit {
                true => inert!("sent to {} ({})", host, place),
                false => inert!("in the prompt of {} ({}), not entered", host, place),
            };
            let each = std::iter::once(what).chain(written.notices.iter().cloned());
            Msg::Delivered(Box::new(sending.draft.clone()), SafeText::join(each, " · "))
        }
        Err(error) => {
            let again = matches!(error, PaneError::Unbracketed(_) | PaneError::Unsaid(_));
            Msg::Unsent(SafeText::line(&error.to_string()), again)
        }
    };
    let failed = matches!(msg, Msg::Unsent(..));
    let _ = results.send(JobResult::Msg(msg));
    if failed {
        tell(found(workspace), results);
    }
}

/// The agent that a command line starts.
fn agent_of(command: &str) -> Option<HostId> {
    host_of_command(command.split_whitespace()).map(|(host, _)| host.id)
}

fn open(workspace: &Workspace) -> Result<Panes, PaneError> {
    Panes::open(&workspace.context.environment, workspace.context.cwd.clone())
}

fn found(workspace: &Workspace) -> Result<Vec<Pane>, PaneError> {
    open(workspace)?.agents(agent_of)
}

fn tell(found: Result<Vec<Pane>, PaneError>, results: &JobResults) {
    let found = found.map_err(|error| SafeText::line(&error.to_string()));
    let _ = results.send(JobResult::Msg(Msg::PanesFound(found)));
}
