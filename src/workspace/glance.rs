//! What every host makes of the skills of a view.

use super::names::Names;
use super::{Lens, View, Workspace};
use crate::catalog::{Catalog, Root, Skill};
use crate::policy::{Entry, Glance};
use crate::scan;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

impl Workspace {
    /// What every host of this machine makes of the skills of a view: their own roots are scanned,
    /// so it takes as long as to look through each of them.
    pub fn glances(&self, view: &View) -> Vec<Glance> {
        if self.is_every() { view.glances.to_vec() } else { self.glances_anew(view) }
    }

    /// As [`Workspace::glances`], whatever is known already.
    pub fn glances_anew(&self, view: &View) -> Vec<Glance> {
        let skills: Vec<Arc<Skill>> =
            view.rows.entries().map(|entry| Arc::clone(&entry.skill)).collect();
        // What the view's own host finds is the view: nothing is scanned, and no second catalog
        // held, for it.
        let everyone = self.everyone();
        let others = everyone.iter().any(|lens| lens.host.id != self.host.id);
        let index = if others { index_of(&skills) } else { HashMap::new() };
        let look = |lens: &Lens| match lens.host.id == self.host.id {
            true => whole(lens, view),
            false => glance(lens, &self.catalog_of(lens, &skills).skills, (&skills, &index)),
        };
        everyone.iter().map(look).collect()
    }

    /// What a host finds in its own roots, whatever folders are browsed.
    pub(super) fn own_catalog(&self, lens: &Lens, known: &[Arc<Skill>]) -> Catalog {
        self.catalog_in(&lens.roots(&[]), known)
    }

    /// What a host finds.
    pub(super) fn catalog_of(&self, lens: &Lens, known: &[Arc<Skill>]) -> Catalog {
        self.catalog_in(&lens.roots(&self.instead), known)
    }

    /// What there is in these roots; skills that are known are not read again.
    fn catalog_in(&self, roots: &[Root], known: &[Arc<Skill>]) -> Catalog {
        let known = scan::Known::new(known.iter().map(Arc::clone));
        let refusers = crate::hosts::refusers;
        let options =
            scan::Options { known, refusers, ground: self.ground(), ..scan::Options::default() };
        scan::scan(roots, &options, |_| {})
    }
}

/// The place of each skill, by its canonical path.
pub(super) fn index_of(skills: &[Arc<Skill>]) -> HashMap<&Path, u32> {
    skills.iter().map(|skill| skill.path.as_path()).zip(0..).collect()
}

/// What a host makes of skills, each with its place by path, of which it finds these.
pub(super) fn glance(
    lens: &Lens,
    found: &[Arc<Skill>],
    (skills, index): (&[Arc<Skill>], &HashMap<&Path, u32>),
) -> Glance {
    let roots = lens.roots(&[]);
    let names = Names::of(found, lens, &roots);
    let place = |skill: &Arc<Skill>| index.get(skill.path.as_path()).copied();
    let shadow = |skill: &Arc<Skill>| Some((place(skill)?, names.shadowed_by(skill)?));
    let own = |skill: &Arc<Skill>| {
        let place = place(skill)?;
        let known = skills.get(place as usize)?;
        let met =
            |skill: &Skill| (skill.locations.first().cloned(), skill.root.clone(), skill.scope);
        (!Arc::ptr_eq(known, skill) && met(known) != met(skill)).then(|| (place, Arc::clone(skill)))
    };
    let mut places: Vec<u32> = found.iter().filter_map(place).collect();
    places.sort_unstable();
    Glance {
        host: lens.host.id,
        policy: Arc::clone(&lens.policy),
        speech: lens.host.speech(),
        inside: lens.host.detect.is_around(&lens.reading.context),
        by_rule: lens.host.control.by_rule,
        found: places,
        shadowed: found.iter().filter_map(shadow).collect(),
        own: found.iter().filter_map(own).collect(),
        remark: lens.remark(),
    }
}

/// What a host makes of its own view.
fn whole(lens: &Lens, view: &View) -> Glance {
    let shadow =
        |(place, entry): (u32, &Entry)| Some((place, Arc::clone(entry.shadowed_by.as_ref()?)));
    Glance {
        host: lens.host.id,
        policy: Arc::clone(&lens.policy),
        speech: lens.host.speech(),
        inside: lens.host.detect.is_around(&lens.reading.context),
        by_rule: lens.host.control.by_rule,
        found: (0..).take(view.rows.len()).collect(),
        shadowed: (0..).zip(view.rows.entries()).filter_map(shadow).collect(),
        own: HashMap::new(),
        remark: lens.remark(),
    }
}
