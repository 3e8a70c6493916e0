//! What a draft reaches: the skills that each host takes, and those whose verdict changes.

use super::draft::{Draft, refused};
use super::side_effects::comes_back;
use super::{ChangeError, ChangeRequest, PlannedEffect};
use crate::catalog::{Cut, RootReport, RootState, Skill};
use crate::policy::change::{NewRule, Refusal};
use crate::policy::{self, Pattern, Verdict};
use crate::scan::Listed;
use crate::workspace::HostContext;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

impl<'a> Draft<'a> {
    /// An entry as a host has it. Nothing for one that only other hosts find and, through all
    /// hosts, where that one does not take it.
    pub(super) fn taken(&self, host: usize, entry: usize) -> Option<&'a Arc<Skill>> {
        let found = self.view.rows.entry(entry)?;
        let skill = &found.skill;
        if !self.workspace.is_every() {
            return (!found.is_elsewhere()).then_some(skill);
        }
        let (report, place) = (self.view.reports.get(host)?, u32::try_from(entry).ok()?);
        report.status(place, skill).verdict().map(|_| report.as_found(place, skill))
    }

    /// All skills of the view that a host takes. Where a shadowed one has another name than the
    /// skill that is taken in its place, it is left out, unless it was chosen.
    pub(super) fn all_taken(&self, host: usize) -> impl Iterator<Item = &'a Arc<Skill>> {
        let is_left_out = self.before[host].policy.order.plugin_names && !self.workspace.is_every();
        let is_shadowed = move |index: &usize| {
            let entry = self.view.rows.entry(*index).filter(|_| is_left_out);
            entry.is_some_and(|entry| entry.shadowed_by.is_some()) && !self.entries.contains(index)
        };
        let entries = (0..self.view.rows.len()).filter(move |index| !is_shadowed(index));
        entries.filter_map(move |entry| self.taken(host, entry))
    }

    /// Every name that a host takes here, which a new allowlist must have. If the view does not
    /// show all of them, since it browses other folders or is incomplete, the host's own folders
    /// are scanned as well. `None` if a folder could not be read completely.
    pub(super) fn names(&self, host: usize) -> Option<BTreeSet<String>> {
        let host_context = &self.before[host];
        let own = host_context.roots(&[]);
        let is_whole = |roots: &[RootReport], cuts: &[Cut]| {
            let failed = roots.iter().filter(|report| matches!(report.state, RootState::Failed(_)));
            let mut unread =
                failed.map(|report| &report.root.path).chain(cuts.iter().map(|cut| &cut.path));
            !unread.any(|path| own.iter().any(|root| path.starts_with(&root.path)))
        };
        if !is_whole(&self.view.roots, &self.view.cuts) {
            return None;
        }
        let order = host_context.policy.order;
        let mut skills: Vec<Arc<Skill>> = self.all_taken(host).map(Arc::clone).collect();
        if !self.view.complete || self.workspace.is_browsing() {
            let catalog = self.workspace.catalog_of(host_context, &skills, &Listed::default());
            if !is_whole(&catalog.roots, &catalog.cuts) {
                return None;
            }
            skills.extend(catalog.skills);
        }
        let taken = skills.iter().filter(|skill| order.refusal(skill).is_none());
        Some(taken.map(|skill| order.name_of(skill).into_owned()).collect())
    }

    /// Whether a rule names one skill that other hosts take and this one does not.
    pub(super) fn is_of_others(&self, rule: &NewRule, host: usize) -> bool {
        let policy = &self.after[host].policy;
        self.after.len() > 1
            && matches!(rule.pattern, Pattern::Exact(_))
            && self.view.rows.entries().any(|entry| rule.pattern.matches(&entry.skill.name))
            && !self.all_taken(host).any(|skill| rule.names(policy, skill))
    }

    /// Whose verdict changes, for each host.
    pub(super) fn effects(&self) -> Vec<PlannedEffect> {
        let mut effects = Vec::new();
        for (index, (before, after)) in self.before.iter().zip(&self.after).enumerate() {
            let skills: Vec<_> = self.all_taken(index).map(Arc::clone).collect();
            let outcome = policy::outcome(&before.policy, &after.policy, &skills);
            let state = |now: &HostContext, skill: &Skill, verdict: &Verdict| {
                policy::effective_state(&now.policy, now.host.control.by_rule, skill, verdict)
            };
            effects.extend(outcome.effects.into_iter().filter(policy::Effect::changed).map(
                |effect| PlannedEffect {
                    host: after.host.id,
                    states: (
                        state(before, &effect.skill, &effect.before),
                        state(after, &effect.skill, &effect.after),
                    ),
                    skill: effect.skill,
                    before: effect.before,
                    after: effect.after,
                },
            ));
        }
        effects
    }

    /// An error if a switch would change a skill that was not chosen and has another name than the
    /// chosen ones: a host may read a name as a glob (opencode).
    pub(super) fn no_bystander(&self, effects: &[PlannedEffect]) -> Result<(), ChangeError> {
        if !matches!(self.request, ChangeRequest::Switch { .. }) {
            return Ok(());
        }
        for (index, HostContext { host, policy, .. }) in self.after.iter().enumerate() {
            let name = |skill: &Skill| policy.order.folded(&policy.order.name_of(skill));
            let chosen = || self.entries.iter().filter_map(|entry| self.taken(index, *entry));
            let names: HashSet<String> = chosen().map(|skill| name(skill)).collect();
            let mut theirs =
                effects.iter().filter(|effect| effect.host == host.id && !comes_back(effect));
            if let Some(effect) = theirs.find(|effect| !names.contains(&name(&effect.skill))) {
                let name = policy.order.name_of(&effect.skill).into_owned();
                // The plugin is the reason only for what comes with it.
                let plugin = effect.skill.root.plugin.as_ref();
                let is_its = |skill: &Arc<Skill>| skill.root.plugin.as_ref() == plugin;
                let plugin = plugin.filter(|_| chosen().any(is_its)).map(|it| it.id.clone());
                return Err(refused(host, Refusal::Others { name, plugin }));
            }
        }
        Ok(())
    }
}
