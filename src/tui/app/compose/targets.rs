//! For which agent a prompt is written, and what it makes of the chosen skills.

use super::Compose;
use crate::catalog::{HostId, Pill};
use crate::policy::{Calling, HostReport};
use crate::tui::app::State;
use std::path::Path;

impl State {
    /// The agents of this machine for which a prompt can be written. Without any it is the plain
    /// standard.
    pub fn targets(&self) -> Vec<&HostReport> {
        let reports = &self.viewed.reports;
        let agents: Vec<&HostReport> =
            reports.iter().filter(|report| report.host != HostId::AGENTS).collect();
        if agents.is_empty() { reports.iter().collect() } else { agents }
    }

    /// Whether the agent lets a person call the skill at this path; `None` if the skill is gone.
    pub fn calling(&self, report: &HostReport, path: &Path) -> Option<Calling> {
        let index = self.viewed.rows.number_of(path)?;
        Some(report.calling(index, self.viewed.rows.at(path)?.skill()))
    }
}

impl Compose {
    /// The agent for which the prompt is written: the chosen one; else the one that the person
    /// wants, through which they look, or in which they are; else the first that has a syntax.
    pub fn target<'a>(&self, state: &'a State) -> Option<&'a HostReport> {
        let targets = state.targets();
        let wanted = self.target.or(state.options.preferred).or(state.viewed.preferred);
        let is = |host: HostId| move |report: &&&HostReport| report.host == host;
        let named = wanted.and_then(|host| targets.iter().find(is(host)));
        let viewed = || targets.iter().find(|report| report.host.word() == state.options.host);
        let around = || targets.iter().find(|report| report.inside);
        let spoken = || targets.iter().find(|report| report.speech.form.is_syntax());
        let found = named.or_else(viewed).or_else(around).or_else(spoken);
        found.or(targets.first()).copied()
    }

    pub(super) fn next_target(&mut self, state: &State) {
        let targets = state.targets();
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
