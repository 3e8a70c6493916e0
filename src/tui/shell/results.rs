//! What the loop does with what the workers have found, and when its own timers expire.

use super::convert;
use super::jobs::{JobResult, Jobs};
use super::pause::Pause;
use super::picker_loop::{FRAME, Loop, Wake};
use crate::inert;
use crate::tui::app::{Action, KeyTable, Msg, Notice};
use crate::tui::front::{Composed, Outcome};
use crate::workspace::{View, Workspace};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long file changes are collected before the catalog is scanned again.
const SETTLE: Duration = Duration::from_millis(120);

impl Loop {
    pub(super) fn result(&mut self, result: JobResult) -> io::Result<()> {
        match result {
            JobResult::Msg(msg) => return self.update(msg),
            // A scan for a host, or of examples, that has been left.
            JobResult::View(workspace, ..) if self.has_left(&workspace) => {}
            // The catalog or the host has changed meanwhile, so a scan judges it by the new
            // settings.
            JobResult::Rejudged(number, workspace, _)
                if number != self.generation || self.has_left(&workspace) =>
            {
                self.scan_again();
            }
            JobResult::View(workspace, view, began) => {
                self.scanned = began;
                return self.new_view(*workspace, *view);
            }
            JobResult::Rejudged(_, workspace, view) => return self.new_view(*workspace, *view),
            // An outdated one is asked for again by the newer view.
            JobResult::BodiesRead(number, view) => {
                if number == self.generation {
                    return self.new_view(self.workspace.clone(), *view);
                }
            }
            JobResult::HostsReported(number, began, reports) => {
                // An answer that was asked for before a share may be the last to arrive.
                let is_newest = number == self.generation && began >= self.reported;
                if let Some(view) = self.view.as_mut().filter(|_| is_newest) {
                    self.reported = began;
                    view.listing.reports = Arc::new(reports);
                    let reports = Arc::clone(&view.reports);
                    return self.update(Msg::HostsReported(reports));
                }
            }
            // Of an outdated view they are asked again by the newer one.
            JobResult::AgentsAsked(number, ..) if number != self.generation => {}
            JobResult::AgentsAsked(_, workspace, view, notice) => {
                self.update(Msg::Asked)?;
                self.new_view(*workspace, *view)?;
                return notice.map_or(Ok(()), |notice| self.update(Msg::Notice(notice)));
            }
            JobResult::Changed => self.later(SETTLE, Wake::Settled),
            // The key was pressed twice.
            JobResult::Examples(_) if self.before_examples.is_some() => {}
            JobResult::Examples(folder) => return self.browse(folder),
            JobResult::Written(view, sending, written) => {
                let keeper = self.keeper.clone();
                let composed = Composed { view: *view, sending, written: *written, keeper };
                self.outcome = Some(Outcome::Composed(Box::new(composed)));
            }
            JobResult::EditDraft(draft) => self.pause = Some(Pause::EditDraft(draft)),
            JobResult::LogChanged => self.later(SETTLE, Wake::LogSettled),
            JobResult::Unwatched(why) => {
                let again = self.state.key_word(KeyTable::Picker, Action::Refresh);
                let notice = Notice::grave(inert!("{}; {} scans again", why, again));
                return self.update(Msg::Notice(notice));
            }
        }
        Ok(())
    }

    /// Whether another host is looked through than this workspace, or other skills are browsed.
    fn has_left(&self, workspace: &Workspace) -> bool {
        workspace.host.id != self.workspace.host.id
            || workspace.is_browsing() != self.workspace.is_browsing()
    }

    pub(super) fn wake(&mut self, wake: Wake) -> io::Result<()> {
        match wake {
            Wake::Waited(timer) => return self.update(Msg::Waited(timer)),
            Wake::Settled => {
                self.jobs.accept_changes();
                self.scan_again();
            }
            Wake::LogSettled if self.state.shows_activity() => {
                self.jobs.read_activity(self.workspace.state_dir.as_deref());
            }
            Wake::LogSettled => {}
            Wake::Relieve => self.jobs.relieve(),
        }
        Ok(())
    }

    pub(super) fn scan_again(&self) {
        self.jobs.scan(&self.workspace, self.view.as_ref());
    }

    fn new_view(&mut self, workspace: Workspace, view: View) -> io::Result<()> {
        self.generation += 1;
        let viewed = convert::viewed(&view, self.generation);
        self.workspace = workspace.asking_as(&self.workspace);
        let is_complete = view.complete;
        let plain = self.view.replace(view).map(|before| before.plain_rows());
        plain.into_iter().for_each(|rows| self.discard.take(rows));
        if is_complete {
            self.jobs.watch(&self.workspace, self.scanned);
            self.with_view(Jobs::read_bodies);
            if self.workspace.awaits_words() {
                self.ask_now()?;
            }
        }
        let waits = self.frame_wait.is_awaited();
        self.update(Msg::Viewed(Box::new(viewed)))?;
        // Nobody has pressed a key, so one frame with the new rows is better than two of which the
        // second comes a frame's time after the first.
        if !waits && self.held.is_empty() {
            self.frame_wait.linger(Instant::now(), FRAME);
        }
        if is_complete {
            self.frame_due = Instant::now();
        }
        Ok(())
    }
}
