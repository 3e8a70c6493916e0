//! How one host judges the skills of a view.

use super::names::{Found, Names, Rivals};
use super::{HostContext, Workspace};
use crate::catalog::{Enablement, Skill};
use crate::listing::{Rows, in_halves};
use crate::policy::{
    Entry, Looks, Origin, Permissions, Verdict, Verdicts, described, effective_state,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Judges one view after another, by the same settings. A skill that was in the view before is
/// judged again only if others of its name have come or gone.
#[derive(Default)]
pub(super) struct Judge {
    pub(super) before: Arc<Rows>,
    /// How many skills were judged, in all views together.
    pub(super) judged: AtomicUsize,
}

impl Workspace {
    /// The entries of one host; `looks` says whether it looks in the folder of a skill.
    pub(super) fn entries(
        &self,
        skills: &[Arc<Skill>],
        looks: &(dyn Fn(&Skill) -> Looks + Sync),
        judge: &Judge,
    ) -> Vec<Entry> {
        let Some(host_context) = self.host_contexts.first() else { return Vec::new() };
        let roots = host_context.roots(&self.instead);
        let names = Names::of(&Found::of(skills), host_context, &roots);
        in_halves(skills, |first, part| {
            let mut verdicts = Verdicts::default();
            let one = |(index, skill): (usize, &Arc<Skill>)| {
                let entry =
                    judge.entry((skill, index), names.rivals(skill), host_context, &mut verdicts);
                let entry = Entry { looks: looks(skill), ..entry };
                let listing = entry.is_listed().then_some(host_context.host.id);
                Entry { hosts: verdicts.lists.intern(listing.into_iter().collect()), ..entry }
            };
            (first..).zip(part).map(one).collect()
        })
    }
}

impl Judge {
    /// The entry of a skill that is at this index.
    fn entry(
        &self,
        (skill, index): (&Arc<Skill>, usize),
        rivals: Rivals,
        host_context: &HostContext,
        verdicts: &mut Verdicts,
    ) -> Entry {
        let before = self.before.row_of(skill, index).map(|row| &row.entry);
        let is_same = |entry: &&Entry| {
            entry.same_name == rivals.same_name && entry.shadowed_by == rivals.shadowed_by
        };
        if let Some(entry) = before.filter(is_same) {
            return entry.clone();
        }
        self.judged.fetch_add(1, Ordering::Relaxed);
        let HostContext { host, policy, .. } = host_context;
        let Rivals { same_name, shadowed_by } = rivals;
        let Verdicts { host: verdicts, ours, .. } = verdicts;
        let (verdict, handed) = match &shadowed_by {
            // No two skills have this one, so it is not compared with others.
            Some(winner) => {
                let verdict = Verdict::off(Origin::Shadowed(Arc::clone(winner)));
                let handed = Arc::new(policy.handed(skill, &verdict));
                (Arc::new(verdict), handed)
            }
            None => {
                let verdict = verdicts.intern(policy.verdict(skill));
                let handed = ours.intern(policy.handed(skill, &verdict));
                (verdict, handed)
            }
        };
        let refused = policy.refusal(skill);
        let state = match refused.is_some() || shadowed_by.is_some() {
            true => Enablement::Off,
            false => effective_state(policy, host.control.by_rule, skill, &verdict),
        };
        Entry {
            skill: Arc::clone(skill),
            described: described(policy, skill),
            verdict,
            handed,
            same_name,
            shadowed_by,
            refused,
            state,
            mixed: false,
            partly_off: false,
            permissions: Permissions::default(),
            looks: Looks::Here,
            hosts: Arc::default(),
        }
    }
}
