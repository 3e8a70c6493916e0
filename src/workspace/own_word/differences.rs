//! Where an agent's program differs from our view, as findings about our skills.

use crate::catalog::{Diagnostic, Place, Skill, checks};
use crate::hosts::Host;
use crate::policy::Entry;
use crate::workspace::View;
use crate::workspace::verify::{Finding, Row};
use std::path::PathBuf;

/// The files of skills in our view of a host, each with what the host's program says otherwise.
pub(super) fn of(host: &Host, view: &View, rows: &[Row]) -> Vec<(PathBuf, Diagnostic)> {
    let difference = |row: &Row| {
        let entry = view.rows.entry(row.entry?)?;
        Some((entry.skill.path.clone(), diagnostic(host.name, view, entry, &row.finding)?))
    };
    rows.iter().filter_map(difference).collect()
}

/// Whether a skill has a finding that its agent's program differs from what we say.
pub(super) fn is_other(skill: &Skill) -> bool {
    skill.diagnostics.iter().any(|found| found.check == &checks::AGENT_DIFFERS)
}

fn diagnostic(name: &str, view: &View, entry: &Entry, finding: &Finding) -> Option<Diagnostic> {
    let state = |on: bool| if on { "on" } else { "off" };
    let message = match finding {
        Finding::Same | Finding::Unknown(_) => return None,
        Finding::OnlyOurs => {
            let message = format!("{name} itself does not list it");
            return Some(Diagnostic::new(&checks::AGENT_UNLISTED, Place::START, message));
        }
        Finding::OnlyTheirs => match (entry.refused, &entry.shadowed_by) {
            (Some(check), _) => {
                format!("{name} itself lists it; we say that it is refused: {}", check.code)
            }
            (None, Some(winner)) => {
                let winner = view.rows.called(winner, crate::text::SafeText::path);
                format!("{name} itself lists it; we say that it is shadowed by {winner}")
            }
            (None, None) => format!("{name} itself lists it once more"),
        },
        Finding::Differs { ours, theirs } => {
            format!("we say {}, {name} itself says {}", state(*ours), state(*theirs))
        }
        Finding::Named(other) => format!("{name} itself calls it {other}"),
        Finding::Described(other) => format!("{name} itself describes it otherwise: {other}"),
    };
    Some(Diagnostic::new(&checks::AGENT_DIFFERS, Place::START, message))
}
