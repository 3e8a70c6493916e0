//! How every host judges the skills of a view.

use super::names::Names;
use super::{HostContext, View, Workspace};
use crate::catalog::{Catalog, Scope, Skill};
use crate::policy::{Entry, HostReport, Once};
use crate::scan;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// The skills that a host finds. Most hosts find the same, which is kept once.
pub(super) type Finds = Arc<Vec<Arc<Skill>>>;

impl Workspace {
    /// How every host of this machine judges the skills of a view. It scans the roots of all of
    /// them, so it takes as long as a view of each.
    pub fn reports(&self, view: &View) -> Vec<HostReport> {
        if self.is_every() { view.reports.to_vec() } else { self.reports_anew(view) }
    }

    /// Like [`Workspace::reports`], but does not reuse what the view knows.
    pub fn reports_anew(&self, view: &View) -> Vec<HostReport> {
        let skills: Vec<Arc<Skill>> = view.rows.skills().cloned().collect();
        // The view's own host finds the skills of the view, so its roots are not scanned again.
        let is_whole = |host_context: &HostContext| {
            host_context.host.id == self.host.id && !self.is_browsing()
        };
        let everyone = self.everyone();
        let index = if everyone.iter().all(is_whole) { HashMap::new() } else { index_of(&skills) };
        let listed = scan::Listed::default();
        let mut finds = Once::default();
        let mut look = |host_context: &HostContext| match is_whole(host_context) {
            true => whole(host_context, view),
            false => {
                let found = self.catalog_of(host_context, &skills, &listed).skills;
                report(host_context, &found, &skills, &index, &mut finds)
            }
        };
        everyone.iter().map(&mut look).collect()
    }

    /// What a host finds in its own roots, even if other folders are browsed. Known skills are not
    /// read again, and what is listed is not listed again.
    pub(super) fn catalog_of(
        &self,
        host_context: &HostContext,
        known: &[Arc<Skill>],
        listed: &scan::Listed,
    ) -> Catalog {
        let known = scan::Known::new(known.iter().map(Arc::clone));
        let wanted =
            scan::Options { listed: Some(scan::Listed::clone(listed)), ..scan::Options::default() };
        let options = self.scan_options(&wanted, known);
        let catalog = scan::scan(&host_context.roots(&[]), &options, |_| {});
        self.with_stored(host_context, catalog)
    }
}

/// The index of each skill, by its canonical path.
pub(super) fn index_of(skills: &[Arc<Skill>]) -> HashMap<&OsStr, u32> {
    skills.iter().map(|skill| skill.path.as_os_str()).zip(0..).collect()
}

/// How a host that finds these skills judges those of a view; `index` is [`index_of`] them. Most hosts
/// find the same, which is kept once.
pub(super) fn report(
    host_context: &HostContext,
    found: &[Arc<Skill>],
    skills: &[Arc<Skill>],
    index: &HashMap<&OsStr, u32>,
    finds: &mut Once<Vec<u32>>,
) -> HostReport {
    let roots = host_context.roots(&[]);
    let names = Names::of(found, host_context, &roots);
    let mut report = host_context.report();
    let mut places = Vec::with_capacity(found.len());
    for (place, skill) in placed(found, skills, index) {
        places.push(place);
        report.shadowed.extend(names.shadowed_by(skill).map(|winner| (place, winner)));
        let known = &skills[place as usize];
        if !Arc::ptr_eq(known, skill) && met(known) != met(skill) {
            report.own.insert(place, Arc::clone(skill));
        }
    }
    places.sort_unstable();
    report.found = finds.keep(places);
    report
}

/// Those of the skills that a host finds, with their index among those of a view. Both are mostly in
/// the same order, so the next one is tried before the index is asked.
fn placed<'a>(
    found: &'a [Arc<Skill>],
    skills: &[Arc<Skill>],
    index: &HashMap<&OsStr, u32>,
) -> Vec<(u32, &'a Arc<Skill>)> {
    let mut next = 0;
    let place = |skill: &'a Arc<Skill>| {
        let is_it = |known: &Arc<Skill>| {
            Arc::ptr_eq(known, skill) || known.path.as_os_str() == skill.path.as_os_str()
        };
        let place = match skills.get(next as usize) {
            Some(known) if is_it(known) => next,
            _ => *index.get(skill.path.as_os_str())?,
        };
        next = place + 1;
        Some((place, skill))
    };
    found.iter().filter_map(place).collect()
}

/// Where and as whose a skill was met.
fn met(skill: &Skill) -> (&Path, &Path, Scope) {
    (skill.location(), &skill.root, skill.scope)
}

/// How a host judges the skills of its own view.
fn whole(host_context: &HostContext, view: &View) -> HostReport {
    let shadow =
        |(place, entry): (u32, &Entry)| Some((place, Arc::clone(entry.shadowed_by.as_ref()?)));
    HostReport {
        found: Arc::new((0..).take(view.rows.len()).collect()),
        shadowed: (0..).zip(view.rows.entries()).filter_map(shadow).collect(),
        ..host_context.report()
    }
}
