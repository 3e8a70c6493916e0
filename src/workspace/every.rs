//! The catalog through all hosts at once: one entry for each canonical path.

use super::report::{index_of, report};
use super::{View, Workspace};
use crate::catalog::{Enablement, Skill};
use crate::policy::{Entry, HostReport, Origin, Status, Verdict};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

impl Workspace {
    /// The entries of all hosts, of what each of them has found.
    pub(super) fn united(&self, found: &[Vec<Arc<Skill>>]) -> (Vec<Entry>, Vec<HostReport>) {
        let mut merged: BTreeMap<&Path, Arc<Skill>> = BTreeMap::new();
        for skill in found.iter().flatten() {
            merged
                .entry(&skill.path)
                .and_modify(|known| also_in(known, skill))
                .or_insert_with(|| Arc::clone(skill));
        }
        let mut skills: Vec<Arc<Skill>> = merged.into_values().collect();
        skills.sort_by(|one, other| {
            (one.scope, &one.name, &one.path).cmp(&(other.scope, &other.name, &other.path))
        });
        let index = index_of(&skills);
        let reports: Vec<HostReport> = self
            .host_contexts
            .iter()
            .zip(found)
            .map(|(host_context, found)| report(host_context, found, &skills, &index))
            .collect();
        drop(index);
        (self.unite(&skills, &reports), reports)
    }

    /// The entries of all hosts after their settings have changed, for the same skills.
    pub(super) fn united_again(&self, view: &View) -> (Vec<Entry>, Vec<HostReport>) {
        let skills: Vec<Arc<Skill>> =
            view.rows.entries().map(|entry| Arc::clone(&entry.skill)).collect();
        let reports: Vec<HostReport> = self
            .host_contexts
            .iter()
            .zip(view.reports.iter())
            .map(|(host_context, report)| HostReport {
                policy: Arc::clone(&host_context.policy),
                ..report.clone()
            })
            .collect();
        (self.unite(&skills, &reports), reports)
    }

    fn unite(&self, skills: &[Arc<Skill>], reports: &[HostReport]) -> Vec<Entry> {
        let mut carriers: HashMap<&str, usize> = HashMap::new();
        for skill in skills.iter().filter(|skill| skill.offerable()) {
            *carriers.entry(skill.name.trim()).or_default() += 1;
        }
        let same_name = |skill: &Skill| carriers.get(skill.name.trim()).copied().unwrap_or(1);
        let each = skills.iter().zip(0..);
        each.map(|(skill, index)| united(skill, index, same_name(skill), reports)).collect()
    }
}

/// Adds what another host knows of the same skill.
fn also_in(known: &mut Arc<Skill>, skill: &Skill) {
    let missing: Vec<_> =
        skill.locations.iter().filter(|place| !known.locations.contains(place)).cloned().collect();
    if !missing.is_empty() {
        Arc::make_mut(known).locations.extend(missing);
    }
    if skill.is_brought() && !known.is_brought() {
        Arc::make_mut(known).in_repository = true;
    }
    if known.properties.invocation.not_implicitly.is_none()
        && skill.properties.invocation.not_implicitly.is_some()
    {
        Arc::make_mut(known).properties.invocation.not_implicitly =
            skill.properties.invocation.not_implicitly;
    }
}

/// The entry of a skill as all hosts see it, with the highest enablement that any of them gives it.
fn united(skill: &Arc<Skill>, index: u32, same_name: usize, reports: &[HostReport]) -> Entry {
    let statuses: Vec<Status> = reports.iter().map(|report| report.status(index, skill)).collect();
    let judged: Vec<(Enablement, &Verdict, &HostReport)> = statuses
        .iter()
        .zip(reports)
        .filter_map(|(status, report)| Some((status.state(), status.verdict()?, report)))
        .collect();
    let broadest = judged
        .iter()
        .min_by_key(|(state, verdict, _)| (*state, verdict.listed.value, verdict.model.value));
    let other = statuses.iter().find_map(|status| match status {
        Status::Refused(check) => Some((Some(*check), None)),
        Status::Shadowed(winner) => Some((None, Some(Arc::clone(winner)))),
        Status::NotThere | Status::Judged { .. } => None,
    });
    let (refused, shadowed_by) = other.filter(|_| judged.is_empty()).unwrap_or_default();
    let handed = broadest.map(|(_, verdict, report)| report.policy.handed(skill, verdict));
    let (on, verdict) = match (broadest, &shadowed_by) {
        (Some((state, verdict, _)), _) => (*state, (*verdict).clone()),
        (None, Some(winner)) => {
            (Enablement::Off, Verdict::off(Origin::Shadowed(Arc::clone(winner))))
        }
        (None, None) => (Enablement::Off, Verdict::off(Origin::Skill("cannot be offered"))),
    };
    let mixed = judged.iter().any(|(state, ..)| *state != on);
    let handed = handed.unwrap_or_else(|| verdict.model.clone());
    let skill = Arc::clone(skill);
    Entry { skill, verdict, handed, same_name, shadowed_by, refused, state: on, mixed }
}
