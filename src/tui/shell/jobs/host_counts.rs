//! Counts what the hosts of this machine make of the skills.

use super::{JobResult, Jobs, Snapshot, step_back};
use crate::catalog::Enablement;
use crate::policy::{HostReport, StatusKind};
use crate::runtime::budget::{ForecastRequest, forecast};
use crate::tui::app::{HostCounts, Msg};
use crate::workspace::{ALL, View, Workspace, host_by_word};
use std::sync::Arc;

impl Jobs {
    /// Counts what the hosts of this machine make of the skills.
    pub(in crate::tui::shell) fn count_hosts(&self, snapshot: Snapshot, generation: u64) {
        self.once(move |results| {
            step_back();
            let Snapshot { workspace, view, .. } = snapshot;
            let every = host_by_word(ALL).filter(|_| !workspace.is_every());
            let through = every.map(|every| workspace.seen_through(every, &view));
            let (workspace, view) = through.unwrap_or((workspace, view));
            let rows = view.reports.iter().map(|report| counts(&workspace, &view, report));
            let rows = Arc::new(rows.collect());
            let _ = results.send(JobResult::Msg(Msg::HostsCounted(generation, rows)));
        });
    }
}

fn counts(workspace: &Workspace, view: &View, report: &HostReport) -> HostCounts {
    let host = report.host;
    let of = |(index, skill)| report.status(index, skill).status();
    let states: Vec<StatusKind> = (0..).zip(view.rows.skills()).map(of).collect();
    let count = |wanted: fn(&StatusKind) -> bool| states.iter().filter(|it| wanted(it)).count();
    let wanted = ForecastRequest { host, window: None, without: None };
    let roots = view.host_context(host).map(|context| context.roots(&[])).unwrap_or_default();
    HostCounts {
        host,
        seen: count(|status| matches!(status, StatusKind::Is(_))),
        off: count(|status| matches!(status, StatusKind::Is(Enablement::Off))),
        refused: count(|status| *status == StatusKind::Refused),
        cut: forecast(workspace, view, &wanted).map_or(0, |found| found.forecast.cut()),
        folders: roots.iter().filter(|root| root.path.is_dir()).count(),
    }
}
