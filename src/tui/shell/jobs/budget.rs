//! Works out what an agent tells its model of the skills.

use super::{JobResult, Jobs, Snapshot, step_back};
use crate::runtime::budget::{ForecastRequest, HostForecast, forecast};
use crate::text::SafeText;
use crate::tui::app::{Budget, BudgetKey, Msg};
use std::path::Path;
use std::sync::Arc;

impl Jobs {
    /// The forecast for an agent; with a path, that without this skill.
    pub(in crate::tui::shell) fn budget(
        &self,
        snapshot: Snapshot,
        key: BudgetKey,
        without: Option<Arc<Path>>,
    ) {
        self.once(move |results| {
            step_back();
            let Snapshot { workspace, view, .. } = snapshot;
            let wanted =
                ForecastRequest { host: key.host, window: key.window, without: without.as_deref() };
            let found = forecast(&workspace, &view, &wanted);
            let msg = match (without.clone(), found) {
                (None, found) => Msg::Budgeted(key, found.map(|found| Arc::new(rows(found)))),
                (Some(path), Some(found)) => {
                    Msg::BudgetedWithout(key, path, found.forecast.gauge())
                }
                (Some(_), None) => return,
            };
            let _ = results.send(JobResult::Msg(msg));
        });
    }
}

fn rows(found: HostForecast) -> Budget {
    let row = |index: usize| (Arc::clone(&found.skills[index]), found.forecast.portions[index]);
    Budget {
        name: SafeText::line(&found.name),
        rule: found.rule,
        remark: SafeText::line(&found.remark),
        rows: found.forecast.by_cost().into_iter().map(row).collect(),
        forecast: found.forecast,
    }
}
