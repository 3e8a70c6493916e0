//! A forecast for the skills of a view, as the shell would send it.

use skillpick::policy::budget::{Forecast, Part, Portion, Unit};
use skillpick::text::SafeText;
use skillpick::tui::app::{Budget, State};
use std::sync::Arc;

/// The first skills of the view: one whole, one shortened, one by name, one left out, the others
/// whole, each dearer than the one before.
pub(crate) fn budget(state: &State) -> Budget {
    let skills: Vec<_> = state.viewed.rows.skills().cloned().collect();
    let portion = |index: usize| {
        let whole = 150 + 90 * index;
        let (part, cost) = match index {
            1 => (Part::Shortened(40), 80),
            2 => (Part::Name, 12),
            3 => (Part::Nothing, 0),
            _ => (Part::Whole, whole),
        };
        Portion { part, cost, whole, cut: cost != whole }
    };
    let portions: Vec<Portion> = (0..skills.len()).map(portion).collect();
    let forecast = Forecast { unit: Unit::Characters, limit: Some(12_000), own: 600, portions };
    let row = |index: usize| (Arc::clone(&skills[index]), forecast.portions[index]);
    Budget {
        name: SafeText::fixed("Claude Code 2.1.330"),
        rule: "beyond the limit it lists names alone; what is used most stays whole",
        remark: SafeText::default(),
        rows: forecast.by_cost().into_iter().map(row).collect(),
        forecast,
    }
}
