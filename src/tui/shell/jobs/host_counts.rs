//! Counts what the hosts of this machine make of the skills.

use super::{JobResult, Jobs, Snapshot, step_back};
use crate::catalog::Enablement;
use crate::policy::{HostReport, StatusKind};
use crate::runtime::budget::{Wanted, forecast};
use crate::scan;
use crate::tui::app::{HostCounts, Msg};
use crate::workspace::{ALL, View, Workspace, host_by_word};
use std::sync::Arc;

impl Jobs {
    /// Counts what the hosts of this machine make of the skills.
    pub(in crate::tui::shell) fn count_hosts(&self, snapshot: Snapshot, generation: u64) {
        self.once(move |results| {
            step_back();
            let Snapshot { workspace, view, .. } = snapshot;
            let (workspace, view) = through_all(workspace, view);
            let rows = view.reports.iter().map(|report| counts(&workspace, &view, report));
            let rows = Arc::new(rows.collect());
            let _ = results.send(JobResult::Msg(Msg::HostsCounted(generation, rows)));
        });
    }
}

/// The same place through all hosts. Skills that are known are not read again.
fn through_all(workspace: Workspace, view: View) -> (Workspace, View) {
    let Some(every) = host_by_word(ALL).filter(|_| !workspace.is_every()) else {
        return (workspace, view);
    };
    let known = scan::Known::new(view.rows.skills().cloned());
    let options = scan::Options { known, ..scan::Options::default() };
    let workspace = workspace.through(every);
    let view = workspace.view_streaming(&options, None);
    (workspace, view)
}

fn counts(workspace: &Workspace, view: &View, report: &HostReport) -> HostCounts {
    let host = report.host;
    let of = |(index, skill)| report.status(index, skill).status();
    let states: Vec<StatusKind> = (0..).zip(view.rows.skills()).map(of).collect();
    let count = |wanted: fn(&StatusKind) -> bool| states.iter().filter(|it| wanted(it)).count();
    let wanted = Wanted { host, window: None, without: None };
    let context = view.host_contexts.iter().find(|context| context.host.id == host);
    let roots = context.map(|context| context.roots(&[])).unwrap_or_default();
    HostCounts {
        host,
        seen: count(|status| matches!(status, StatusKind::Is(_))),
        off: count(|status| matches!(status, StatusKind::Is(Enablement::Off))),
        refused: count(|status| *status == StatusKind::Refused),
        cut: forecast(workspace, view, &wanted).map_or(0, |found| found.forecast.cut()),
        folders: roots.iter().filter(|root| root.path.is_dir()).count(),
    }
}
