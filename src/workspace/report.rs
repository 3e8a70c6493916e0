//! How every host judges the skills of a view.

use super::ended_search::end_search;
use super::names::{Found, Names};
use super::plugin_names::tell_apart;
use super::project::ReadAhead;
use super::{HostContext, View, Workspace};
use crate::catalog::{Catalog, Scope, Skill, SkillRoot};
use crate::policy::{Entry, HostReport, Interner};
use crate::scan;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, OnceLock};

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
        let placed = Placed::of(&skills);
        let listed = scan::Listed::default();
        let mut finds = Interner::default();
        let mut look = |host_context: &HostContext| match is_whole(host_context) {
            true => whole(host_context, view),
            false => {
                let found = self.catalog_of(host_context, &skills, &listed).skills;
                report(host_context, &Found::of(&found), &placed, &mut finds)
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
        let wanted = scan::Options {
            listed: Some(scan::Listed::clone(listed)),
            place: host_context.host.place,
            ..scan::Options::default()
        };
        let options = self.scan_options(&wanted, known);
        let catalog = scan::scan(&host_context.roots(&[]), &options, |_| {});
        let mut catalog = self.with_stored(host_context, catalog, &mut ReadAhead::default());
        tell_apart(&mut catalog.skills, host_context, &[]);
        end_search(&mut catalog, host_context);
        catalog
    }
}

/// The skills of a view, found by their canonical path. Most are found by their place, so the table
/// is made when it is needed first.
pub(super) struct Placed<'a> {
    skills: &'a [Arc<Skill>],
    by_path: OnceLock<HashMap<&'a OsStr, u32>>,
}

impl<'a> Placed<'a> {
    pub(super) fn of(skills: &'a [Arc<Skill>]) -> Self {
        Self { skills, by_path: OnceLock::new() }
    }

    fn at(&self, path: &Path) -> Option<u32> {
        let paths = || self.skills.iter().map(|skill| skill.path.as_os_str()).zip(0..).collect();
        self.by_path.get_or_init(paths).get(path.as_os_str()).copied()
    }

    /// Those of these skills that are in the view, with their index there. Both are mostly in the
    /// same order, so the next one is tried first.
    fn among<'b>(&self, found: &'b [Arc<Skill>]) -> Vec<(u32, &'b Arc<Skill>)> {
        let mut next = 0;
        let place = |skill: &'b Arc<Skill>| {
            let is_it = |known: &Arc<Skill>| {
                Arc::ptr_eq(known, skill) || known.path.as_os_str() == skill.path.as_os_str()
            };
            let place = match self.skills.get(next as usize) {
                Some(known) if is_it(known) => next,
                _ => self.at(&skill.path)?,
            };
            next = place + 1;
            Some((place, skill))
        };
        found.iter().filter_map(place).collect()
    }
}

/// How a host judges the skills of a view. Most hosts find the same ones, which is kept once.
pub(super) fn report(
    host_context: &HostContext,
    found: &Found,
    view: &Placed,
    finds: &mut Interner<Vec<u32>>,
) -> HostReport {
    let roots = host_context.roots(&[]);
    let names = Names::of(found, host_context, &roots);
    let mut report = host_context.report();
    let mut places = Vec::with_capacity(found.skills.len());
    for (place, skill) in view.among(found.skills) {
        places.push(place);
        report.shadowed.extend(names.rivals(skill).shadowed_by.map(|winner| (place, winner)));
        let known = &view.skills[place as usize];
        if !Arc::ptr_eq(known, skill) && met(known) != met(skill) {
            report.own.insert(place, Arc::clone(skill));
        }
    }
    places.sort_unstable();
    if host_context.host.duplicates.is_unsure() {
        // Few skills share a name, so only these are looked at.
        let several = found.sharing().filter(|skill| names.rivals(skill).same_name > 1);
        report.contested = several.filter_map(|skill| view.at(&skill.path)).collect();
        report.contested.sort_unstable();
    }
    report.found = finds.intern(places);
    report
}

/// The place, the root and the scope that a skill was found with.
fn met(skill: &Skill) -> (&Path, &SkillRoot, Scope) {
    (skill.location(), &skill.root, skill.scope)
}

/// How a host judges the skills of its own view.
fn whole(host_context: &HostContext, view: &View) -> HostReport {
    let shadow =
        |(place, entry): (u32, &Entry)| Some((place, Arc::clone(entry.shadowed_by.as_ref()?)));
    let is_unsure = host_context.host.duplicates.is_unsure();
    let contested = |(place, entry): (u32, &Entry)| {
        (is_unsure && entry.offered() && entry.same_name > 1).then_some(place)
    };
    let found = |(place, entry): (u32, &Entry)| (!entry.is_elsewhere()).then_some(place);
    HostReport {
        found: Arc::new((0..).zip(view.rows.entries()).filter_map(found).collect()),
        shadowed: (0..).zip(view.rows.entries()).filter_map(shadow).collect(),
        contested: (0..).zip(view.rows.entries()).filter_map(contested).collect(),
        ..host_context.report()
    }
}
