//! The catalog through all hosts at once: one entry for each canonical path.

use super::names::Found;
use super::report::{Finds, Placed, report};
use super::{HostContext, View, Workspace};
use crate::catalog::{Enablement, Listed, Locations, Skill};
use crate::listing::{both, in_halves};
use crate::policy::{
    Entry, HostReport, Interner, Looks, Origin, Permissions, Ruling, Status, Verdict, Verdicts,
};
use std::collections::hash_map::{self, HashMap};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

impl Workspace {
    /// The entries of all hosts for these skills. `own` is what each host finds in its own folders.
    pub(super) fn all_entries(
        &self,
        found: &[Finds],
        own: &[Finds],
    ) -> (Vec<Entry>, Vec<HostReport>) {
        let mut skills = all_skills(found);
        skills.sort_by(|one, other| {
            (one.scope, &one.name, &one.path).cmp(&(other.scope, &other.name, &other.path))
        });
        let placed = Placed::of(&skills);
        let own = own.iter().map(|own| own.as_slice()).chain(std::iter::repeat(&[][..]));
        let hosts: Vec<(&HostContext, &[Arc<Skill>])> =
            self.host_contexts.iter().zip(own).collect();
        let reported = |hosts: &[(&HostContext, &[Arc<Skill>])]| {
            let (mut found, mut finds) = (Found::default(), Interner::default());
            let mut reports = Vec::new();
            for (host_context, own) in hosts {
                // Most hosts find the same as the one before.
                if !std::ptr::eq(found.skills, *own) {
                    found = Found::of(own);
                }
                reports.push(report(host_context, &found, &placed, &mut finds));
            }
            reports
        };
        let (first, second) = hosts.split_at(hosts.len() / 2);
        let (mut reports, rest) = both(skills.len(), || reported(first), || reported(second));
        reports.extend(rest);
        (self.entries_of(&skills, &reports), reports)
    }

    /// The entries of all hosts after their settings have changed, for the same skills.
    pub(super) fn all_entries_again(&self, view: &View) -> (Vec<Entry>, Vec<HostReport>) {
        let skills: Vec<Arc<Skill>> = view.rows.skills().cloned().collect();
        let again = |(host_context, report): (&HostContext, &HostReport)| HostReport {
            policy: Arc::clone(&host_context.policy),
            ..report.clone()
        };
        let reports: Vec<HostReport> =
            self.host_contexts.iter().zip(view.reports.iter()).map(again).collect();
        (self.entries_of(&skills, &reports), reports)
    }

    fn entries_of(&self, skills: &[Arc<Skill>], reports: &[HostReport]) -> Vec<Entry> {
        let mut carriers: HashMap<&str, u32> = HashMap::new();
        for skill in Found::of(skills).sharing().filter(|skill| skill.offerable()) {
            *carriers.entry(skill.name.trim()).or_default() += 1;
        }
        let same_name = |skill: &Skill| carriers.get(skill.name.trim()).copied().unwrap_or(1);
        let some = |start: usize, skills: &[Arc<Skill>]| {
            let start = u32::try_from(start).unwrap_or(u32::MAX);
            let mut verdicts = Verdicts::default();
            let one = |(skill, index): (&Arc<Skill>, u32)| {
                let taken = joint_entry(skill, index, same_name(skill), reports, &mut verdicts);
                taken.unwrap_or_else(|| self.unseen(skill, same_name(skill)))
            };
            skills.iter().zip(start..).map(one).collect::<Vec<Entry>>()
        };
        in_halves(skills, some)
    }

    /// The entry of a skill that has this index in these reports.
    pub(super) fn entry_of(
        &self,
        skill: &Arc<Skill>,
        index: u32,
        same_name: u32,
        reports: &[HostReport],
    ) -> Entry {
        let taken = joint_entry(skill, index, same_name, reports, &mut Verdicts::default());
        taken.unwrap_or_else(|| self.unseen(skill, same_name))
    }

    /// The entry of a skill in whose folder no host looks. A person may still call it, by its path.
    fn unseen(&self, skill: &Arc<Skill>, same_name: u32) -> Entry {
        let alone = Entry::alone(Arc::clone(skill), &self.config.policy);
        let looks = if self.is_browsing() { Looks::Browsed } else { Looks::Elsewhere };
        let listed = Ruling::new(Listed::No, Origin::Host("no agent looks there"));
        let verdict = Arc::new(Verdict { listed, ..Verdict::clone(&alone.verdict) });
        Entry { verdict, same_name, state: Enablement::Off, looks, ..alone }
    }
}

/// Each skill once, with what any host knows of it. Several hosts mostly find the same skills in
/// the same order, so the table of paths is made when it is needed first.
fn all_skills(found: &[Finds]) -> Vec<Arc<Skill>> {
    let Some((first, others)) = found.split_first() else { return Vec::new() };
    let mut skills = first.to_vec();
    let paths = || first.iter().map(|skill| skill.path.as_os_str()).zip(0..).collect();
    let mut index: Option<HashMap<&OsStr, usize>> = None;
    for other in others {
        for (position, skill) in other.iter().enumerate() {
            if skills.get(position).is_some_and(|known| Arc::ptr_eq(known, skill)) {
                continue;
            }
            match index.get_or_insert_with(paths).entry(skill.path.as_os_str()) {
                hash_map::Entry::Occupied(known) => also_in(&mut skills[*known.get()], skill),
                hash_map::Entry::Vacant(unknown) => {
                    unknown.insert(skills.len());
                    skills.push(Arc::clone(skill));
                }
            }
        }
    }
    skills
}

/// Adds what another host knows of the same skill.
fn also_in(known: &mut Arc<Skill>, skill: &Skill) {
    let is_missing = |place: &&Path| known.locations().all(|known| known != *place);
    let missing: Vec<&Path> = skill.locations().filter(is_missing).collect();
    if !missing.is_empty() {
        let places = known.locations().chain(missing).map(Path::to_owned).collect();
        let places = Locations::of(places, known.dir());
        Arc::make_mut(known).locations = places;
    }
    if skill.is_brought() && !known.is_brought() {
        Arc::make_mut(known).in_repository = true;
    }
}

/// The entry of a skill as all hosts see it, with the highest enablement that any of them gives it;
/// `None` if none looks in its folder.
fn joint_entry(
    skill: &Arc<Skill>,
    index: u32,
    same_name: u32,
    reports: &[HostReport],
    verdicts: &mut Verdicts,
) -> Option<Entry> {
    let statuses: Vec<Status> = reports.iter().map(|report| report.status(index, skill)).collect();
    if statuses.iter().all(|status| matches!(status, Status::NotThere)) {
        return None;
    }
    let judged: Vec<(Enablement, &Verdict, &HostReport)> = statuses
        .iter()
        .zip(reports)
        .filter_map(|(status, report)| Some((status.state(), status.verdict()?, report)))
        .collect();
    let listing = judged.iter().filter(|(_, verdict, _)| verdict.enabled());
    let hosts = listing.map(|(.., report)| report.host).collect();
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
    Some(Entry {
        skill: Arc::clone(skill),
        described: None,
        verdict: verdicts.host.intern(verdict),
        handed: verdicts.ours.intern(handed),
        same_name,
        shadowed_by,
        refused,
        state: on,
        mixed,
        partly_off: judged.iter().any(|(state, ..)| *state == Enablement::Off),
        permissions: Permissions::of(judged.iter().map(|(_, verdict, _)| verdict.model.value)),
        looks: Looks::Here,
        hosts: verdicts.lists.intern(hosts),
    })
}
