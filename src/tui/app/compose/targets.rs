//! For which agent a prompt is written, and what it makes of the chosen skills.

use super::{Compose, Way};
use crate::catalog::{Pane, Pill};
use crate::policy::{Calling, HostReport};
use crate::text::SafeText;
use crate::tui::app::{Notice, State};
use std::path::Path;

impl State {
    /// Whether the agent lets a person call the skill at this path; `None` if the skill is gone.
    pub fn calling(&self, report: &HostReport, path: &Path) -> Option<Calling> {
        let index = self.viewed.rows.number_of(path)?;
        let skill = self.viewed.rows.at(path)?.skill();
        Some(report.calling(index, skill, |path| self.short_path(path)))
    }
}

impl Compose {
    /// The agent for which the prompt is written: the chosen one, else that of the listing.
    pub fn target<'a>(&self, state: &'a State) -> Option<&'a HostReport> {
        if self.way == Way::Pane {
            let host = self.docked()?.host;
            return state.viewed.targets().into_iter().find(|report| report.host == host);
        }
        let wanted = self.target.or(state.options.preferred);
        state.viewed.target(wanted, state.options.host)
    }

    /// The pane into which the prompt is written.
    pub fn docked(&self) -> Option<&Pane> {
        self.panes.as_ref()?.get(self.pane)
    }

    /// Whether several lines go out although each may be entered by itself: that was said of this
    /// text, or of an earlier one for this pane if it is not known.
    pub(super) fn sends_anyway(&mut self) -> bool {
        let was_said = self.warned == Some(self.editor.version());
        let Some(pane) = self.docked().filter(|pane| pane.bracketed.is_none()).cloned() else {
            return was_said;
        };
        if was_said {
            self.trusted = Some(pane);
            return true;
        }
        self.trusted == Some(pane)
    }

    /// Takes the panes that were found; the chosen one stays chosen if it is still there.
    pub(super) fn found_panes(&mut self, found: Result<Vec<Pane>, SafeText>, state: &mut State) {
        let chosen = self.docked().map(|pane| (pane.id.clone(), pane.host));
        let panes = found.unwrap_or_else(|why| {
            state.say(Notice::grave(why));
            Vec::new()
        });
        let is_its = |pane: &Pane| chosen == Some((pane.id.clone(), pane.host));
        self.pane = panes.iter().position(is_its).unwrap_or_default();
        self.panes = Some(panes);
    }

    pub(super) fn next_target(&mut self, state: &State) {
        if let Some(panes) = self.panes.as_ref().filter(|_| self.way == Way::Pane) {
            self.pane = (self.pane + 1) % panes.len().max(1);
            return;
        }
        let targets = state.viewed.targets();
        let now = self.target(state).map(|report| report.host);
        let at = targets.iter().position(|report| Some(report.host) == now);
        let next = at.map_or(0, |at| (at + 1) % targets.len().max(1));
        self.target = targets.get(next).map(|report| report.host);
    }

    /// The first pill that the target does not take, and why; `None` for the reason: it is gone.
    pub fn first_problem(&self, state: &State) -> Option<(&Pill, Option<Calling>)> {
        let report = self.target(state)?;
        let judged = self.editor.pills().map(|pill| (pill, state.calling(report, &pill.path)));
        let mut bad =
            judged.filter(|(_, calling)| !matches!(calling, Some(Calling::Yes | Calling::ByPath)));
        bad.next().filter(|_| state.viewed.complete)
    }
}
