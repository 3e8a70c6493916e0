//! The draft of a prompt, the prompts that were sent, and writing one out.

use super::{JobResult, JobResults, Jobs, Snapshot, panes};
use crate::catalog::Draft;
use crate::inert;
use crate::output::compose::{Written, written};
use crate::runtime::CallContext;
use crate::text::SafeText;
use crate::tui::app::{Msg, Notice, OldDraft, Recalled, Sending, Way};
use crate::tui::front::keeper::{Keeper, forgotten};
use crate::workspace::Workspace;
use crate::workspace::prompts::{Earlier, StateError};

/// A draft to be kept.
pub(in crate::tui::shell) struct Keep {
    pub(in crate::tui::shell) keeper: Keeper,
    pub(in crate::tui::shell) workspace: Workspace,
    pub(in crate::tui::shell) draft: Draft,
    /// Grows with each draft.
    pub(in crate::tui::shell) number: u64,
}

impl Keep {
    /// Writes it.
    pub(in crate::tui::shell) fn write(&self) -> Result<(), StateError> {
        match self.keeper.open(&self.workspace) {
            Ok(prompts) => prompts.keep(&self.draft, self.number),
            Err(error) => Err(error.clone()),
        }
    }
}

/// Keeps a draft, and reports if that fails.
pub(super) fn keep(job: &Keep, results: &JobResults) {
    if let Err(error) = job.write() {
        let why = inert!("the draft is not kept: {}", error.to_string());
        let _ = results.send(JobResult::Msg(Msg::Notice(Notice::grave(why))));
    }
}

impl Jobs {
    /// Reads the draft and the prompts that were sent.
    pub(in crate::tui::shell) fn recall(
        &self,
        keeper: &Keeper,
        workspace: &Workspace,
        old: OldDraft,
    ) {
        let (keeper, workspace) = (keeper.clone(), workspace.clone());
        self.once(move |results| {
            let mut recalled = Recalled::default();
            match keeper.open(&workspace) {
                Ok(prompts) => {
                    let read = match old {
                        OldDraft::Shown => {
                            keeper.newest().map_or_else(|| prompts.draft(), Ok).map(|draft| {
                                recalled.draft = draft;
                                recalled.said = others(prompts.others());
                            })
                        }
                        OldDraft::Remembered | OldDraft::Stays => prompts
                            .begin_anew(old == OldDraft::Remembered)
                            .map(|earlier| recalled.said = became_of(earlier)),
                    };
                    let sent = prompts.sent().map(|sent| recalled.sent = sent);
                    recalled.why = match (read, sent) {
                        (Err(error), _) => Some(unread("draft", &error)),
                        (Ok(()), Err(error)) => Some(unread("history", &error)),
                        (Ok(()), Ok(())) => None,
                    };
                }
                Err(error) => {
                    recalled.why = Some(inert!("no draft will be kept: {}", error.to_string()));
                }
            }
            let _ = results.send(JobResult::Msg(Msg::Recalled(Box::new(recalled))));
        });
    }

    /// Keeps a prompt among those that were sent, and says if that cannot be done.
    pub(in crate::tui::shell) fn remember(
        &self,
        keeper: &Keeper,
        workspace: &Workspace,
        draft: Draft,
    ) {
        let (keeper, workspace) = (keeper.clone(), workspace.clone());
        self.once(move |results| {
            if let Ok(prompts) = keeper.open(&workspace)
                && let Err(error) = prompts.remember(&draft)
            {
                let _ = results.send(JobResult::Msg(Msg::Notice(Notice::grave(forgotten(&error)))));
            }
        });
    }

    /// Writes a prompt out.
    pub(in crate::tui::shell) fn send(&self, snapshot: Snapshot, sending: Sending) {
        let work = move |results: &JobResults| {
            let result = match (write_out(&snapshot, &sending), &sending.pane) {
                (Ok(written), Some(pane)) => {
                    return panes::deliver(&snapshot, pane, &sending, &written, results);
                }
                (Ok(written), None) => {
                    let Snapshot { view, .. } = snapshot;
                    JobResult::Written(Box::new(view), sending, Box::new(written))
                }
                (Err(why), _) => JobResult::Msg(Msg::Unsent(why, false)),
            };
            let _ = results.send(result);
        };
        self.once_or(work, |why| Msg::Unsent(why, false));
    }
}

/// What is said of drafts that were left besides the one that is shown.
fn others(count: usize) -> Option<SafeText> {
    match count {
        0 => None,
        1 => Some(SafeText::fixed("an older draft comes next, when this one is sent or emptied")),
        _ => Some(inert!("{} older drafts come next, when this one is sent or emptied", count)),
    }
}

/// What is said of the earlier draft, if another text took its place.
fn became_of(earlier: Earlier) -> Option<SafeText> {
    match earlier {
        Earlier::Nothing => None,
        Earlier::Remembered => {
            Some(SafeText::fixed("the earlier draft is the newest prompt of the history (↑)"))
        }
        Earlier::Stays => {
            Some(SafeText::fixed("the earlier draft is kept: the next compose shows it"))
        }
    }
}

/// What is said of a draft or a history that cannot be read.
fn unread(what: &'static str, error: &StateError) -> SafeText {
    match error {
        StateError::Broken { path } => inert!(
            "the {} in {} cannot be read; it is set aside when a new one is kept",
            what,
            SafeText::path(path)
        ),
        other => inert!("the {} cannot be read: {}", what, other.to_string()),
    }
}

fn write_out(snapshot: &Snapshot, sending: &Sending) -> Result<Written, SafeText> {
    let Snapshot { workspace, view, .. } = snapshot;
    let caller = CallContext { workspace, view, client: "cli", session: None, scope: None };
    let written = written(&caller, &sending.draft, sending.host, sending.inject)?;
    if sending.way == Way::Start {
        let line = workspace.start_line(sending.host, &written.text);
        line.map_err(|error| SafeText::line(&error.to_string()))?;
    }
    Ok(written)
}
