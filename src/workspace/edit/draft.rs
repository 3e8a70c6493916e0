//! Settings files as they would be, before anything is written.

use super::{ChangeError, ChangeRequest, Plan, PlannedEffect, PlannedFile, goal, label};
use crate::catalog::{Cut, Enablement, RootReport, RootState, Skill};
use crate::config::Inputs;
use crate::hosts::{Candidate, FileEdit, Host, SettingsPath, TakesEffect, Wanted, WantedRules};
use crate::policy::change::{FileChange, NewRule, Refusal};
use crate::policy::{self, Layer, Pattern, Policy, Verdict};
use crate::settings::{self, store};
use crate::workspace::{HostContext, View, Workspace};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A plan in the making. Hosts are meant by their index in the workspace.
pub(super) struct Draft<'a> {
    workspace: &'a Workspace,
    pub(super) view: &'a View,
    pub(super) request: &'a ChangeRequest,
    place: Option<Layer>,
    /// The entries of the view that are to be switched.
    pub(super) entries: Vec<usize>,
    /// The hosts with the settings on the disk.
    before: Vec<HostContext>,
    /// The hosts with the settings as they would be.
    pub(super) after: Vec<HostContext>,
    /// What settings are loaded with so that the changed files stand for those on the disk.
    inputs: Inputs,
    files: Vec<PlannedFile>,
}

/// Whether a policy has the wanted result; otherwise the obstacle.
type Reached<'a> = dyn Fn(&Policy) -> Result<(), Refusal> + 'a;

impl<'a> Draft<'a> {
    pub(super) fn new(
        workspace: &'a Workspace,
        view: &'a View,
        request: &'a ChangeRequest,
        place: Option<Layer>,
    ) -> Result<Self, ChangeError> {
        let paths: &[Arc<Path>] = match request {
            ChangeRequest::Switch { paths, .. } => paths,
            ChangeRequest::Permit(_) | ChangeRequest::SetRules(_) => &[],
        };
        let entries = paths.iter().map(|path| view.rows.index_of(path)).collect::<Option<_>>();
        let inputs = workspace.inputs.clone();
        let before: Vec<_> =
            workspace.host_contexts.iter().map(|host| host.again(&inputs)).collect();
        Ok(Self {
            entries: entries.ok_or(ChangeError::Gone)?,
            after: before.clone(),
            files: Vec::new(),
            workspace,
            view,
            request,
            place,
            before,
            inputs,
        })
    }

    /// Makes the request true for every host.
    pub(super) fn plan(mut self) -> Result<Plan, ChangeError> {
        let mut left_out = Vec::new();
        for host in 0..self.after.len() {
            if !self.files.is_empty() {
                self.after[host] = self.after[host].again(&self.inputs);
            }
            if !self.reach(host)? {
                left_out.push(self.after[host].host.id);
            }
        }
        if left_out.len() == self.after.len()
            && let Some(first) = self.after.first()
        {
            return Err(ChangeError::nothing_to_set(first.host, self.request));
        }
        if self.after.len() > 1 {
            // A file of one host may be read by another.
            self.after = self.after.iter().map(|host| host.again(&self.inputs)).collect();
        }
        let effects = self.effects();
        self.no_bystander(&effects)?;
        let files = self.files();
        let is_set = matches!(self.request, ChangeRequest::SetRules(_));
        let asks = is_set || files.len() > 1 || files.iter().any(|file| file.layer != Layer::User);
        let outcome = self.outcome(&effects, &left_out);
        let takes_effect = self.workspace.host.takes_effect;
        Ok(Plan {
            label: label(self.view, self.request, &self.entries),
            rule: match self.request {
                ChangeRequest::Permit(rule) => Some(rule.clone()),
                ChangeRequest::Switch { .. } | ChangeRequest::SetRules(_) => None,
            },
            ask: (asks || !outcome.is_empty()) && !files.is_empty(),
            outcome,
            effects,
            files,
            left_out,
            later: (takes_effect != TakesEffect::Now).then(|| takes_effect.words()),
        })
    }

    /// Makes the request true for one host; false if the host's settings cannot express it.
    fn reach(&mut self, host: usize) -> Result<bool, ChangeError> {
        let HostContext { host: row, policy, .. } = self.after[host].clone();
        match self.request {
            ChangeRequest::Switch { to, .. } => {
                let taken = |entry: &usize| self.taken(host, *entry).is_some();
                let entries: Vec<usize> = self.entries.iter().copied().filter(taken).collect();
                // Hosts that cannot see the skills need no change.
                if entries.is_empty() {
                    return Ok(true);
                }
                if row.control.switch.is_none() {
                    return Ok(false);
                }
                let (to, names) =
                    (goal::possible(row, *to).map_err(|why| refused(row, why))?, self.names(host));
                for entry in entries {
                    self.switch(host, entry, to, names.as_ref())?;
                }
            }
            ChangeRequest::Permit(rule) => {
                let several = self.view.host_contexts.len() > 1;
                if row.control.rules.is_none() || several && self.is_of_others(rule, host) {
                    return Ok(false);
                }
                // Only our own rules can be bound.
                let bound = rule.bound.clone().filter(|_| policy.order.bound);
                self.permit(host, &NewRule { bound, ..rule.clone() })?;
            }
            ChangeRequest::SetRules(_) if row.control.rules.is_none() => return Ok(false),
            ChangeRequest::SetRules(files) => {
                for (layer, rules) in files {
                    self.set_rules(host, rules, *layer)?;
                }
            }
        }
        Ok(true)
    }

    fn switch(
        &mut self,
        host: usize,
        entry: usize,
        state: Enablement,
        names: Option<&BTreeSet<String>>,
    ) -> Result<(), ChangeError> {
        let HostContext { host: row, reading, policy, .. } = self.after[host].clone();
        let (Some(skill), Some(planner)) = (self.taken(host, entry), row.control.switch) else {
            return Ok(());
        };
        if policy.refusal(skill).is_some() {
            let by = policy.verdict(skill).listed.origin;
            return Err(refused(row, Refusal::Blocked { by, off: true }));
        }
        let name = policy.order.name_of(skill);
        let others: Option<Vec<String>> =
            names.map(|names| names.iter().filter(|other| **other != name).cloned().collect());
        let alone = self.view.rows[entry].entry.same_name == 1;
        let candidates = self.candidates(row, |layer| {
            let others = others.as_deref();
            planner(&reading, &Wanted { skill, name: &name, alone, others, state, layer })
        })?;
        self.first(host, candidates, &|policy| goal::has_state(row, policy, skill, state))
    }

    fn permit(&mut self, host: usize, rule: &NewRule) -> Result<(), ChangeError> {
        let HostContext { host: row, reading, .. } = self.after[host].clone();
        let Some(planner) = row.control.rules else { return Ok(()) };
        if !row.control.effects.contains(&rule.effect) {
            return Err(refused(row, Refusal::Lacks("rules with this effect")));
        }
        let one = WantedRules::One(rule);
        let candidates = self.candidates(row, |layer| planner(&reading, &one, layer))?;
        let view = self.view;
        self.first(host, candidates, &|policy| goal::permits(policy, rule, view))
    }

    fn set_rules(
        &mut self,
        host: usize,
        rules: &[NewRule],
        layer: Layer,
    ) -> Result<(), ChangeError> {
        let HostContext { host: row, reading, .. } = self.after[host].clone();
        let Some(planner) = row.control.rules else { return Ok(()) };
        let candidates = planner(&reading, &WantedRules::All(rules), layer)
            .map_err(|refusal| refused(row, refusal))?;
        self.first(host, candidates, &|policy| goal::exactly(policy, rules, layer))
    }

    /// The candidates for the file of the named layer. If no layer was named: for the first layer
    /// whose file the host reads, which in an untrusted folder is the person's own.
    fn candidates(
        &self,
        host: &'static Host,
        plan: impl Fn(Layer) -> Result<Vec<Candidate>, Refusal>,
    ) -> Result<Vec<Candidate>, ChangeError> {
        let mut planned = plan(self.place.unwrap_or_else(|| host.own_layer()));
        if self.place.is_none() && matches!(planned, Err(Refusal::Ignored { .. })) {
            let mut others = host.control.layers.iter().skip(1).map(|layer| plan(*layer));
            planned = others
                .find(|other| !matches!(other, Err(Refusal::Ignored { .. })))
                .unwrap_or(planned);
        }
        planned.map_err(|refusal| refused(host, refusal))
    }

    /// Takes the first candidate that makes the request true, or returns the obstacle.
    fn first(
        &mut self,
        host: usize,
        candidates: Vec<Candidate>,
        reached: &Reached,
    ) -> Result<(), ChangeError> {
        let now = self.after[host].clone();
        let mut refusal = Refusal::NoEdit;
        for candidate in candidates {
            let (inputs, files) = (self.inputs.clone(), self.files.clone());
            for edit in candidate {
                self.edit(now.host, edit)?;
            }
            let then = now.again(&self.inputs);
            // A candidate must not leave a file that cannot be read.
            if then.policy.alarms.len() <= now.policy.alarms.len() {
                match reached(&then.policy) {
                    Ok(()) => {
                        self.after[host] = then;
                        return Ok(());
                    }
                    Err(why) => refusal = why,
                }
            }
            (self.inputs, self.files) = (inputs, files);
        }
        Err(refused(now.host, refusal))
    }

    /// Edits one file in memory.
    fn edit(&mut self, host: &Host, edit: FileEdit) -> Result<(), ChangeError> {
        let FileEdit { location, edits } = edit;
        let path = location.path.clone();
        let known = self.files.iter().position(|file| file.change.path == path);
        let old = match known {
            Some(file) => Some(self.files[file].change.after.clone()),
            None => self.on_disk(&location)?,
        };
        let fresh = if old.is_none() { location.fresh } else { Vec::new() };
        let edits = [fresh, edits].concat();
        let new = settings::apply(location.format, old.as_deref().unwrap_or_default(), &edits)
            .map_err(|error| ChangeError::Edit { path: path.clone(), error })?;
        if new == old.as_deref().unwrap_or_default() {
            return Ok(());
        }
        self.inputs.drafts.insert(path.clone(), new.clone());
        match known {
            Some(file) => self.files[file].change.after = new,
            None => self.files.push(PlannedFile {
                host: host.id,
                layer: location.layer,
                change: FileChange { path, before: old, after: new },
                line: 1,
            }),
        }
        Ok(())
    }

    fn on_disk(&self, place: &SettingsPath) -> Result<Option<Vec<u8>>, ChangeError> {
        let path = &place.path;
        let document =
            store::read(path).map_err(|error| ChangeError::Read { path: path.clone(), error })?;
        // A link in a repository may lead out of it, but its author must not decide what we write
        // elsewhere.
        let outside = |root: &PathBuf| path.starts_with(root) && !document.target.starts_with(root);
        let root = self.workspace.context.repo_root.as_ref();
        if place.layer != Layer::User && root.is_some_and(outside) {
            return Err(ChangeError::Outside { path: path.clone() });
        }
        Ok(document.bytes)
    }

    /// The files that would be written.
    fn files(&mut self) -> Vec<PlannedFile> {
        let first = self.entries.first().and_then(|entry| self.view.rows.entry(*entry));
        let first = first.map(|entry| &*entry.skill);
        let mut files = std::mem::take(&mut self.files);
        files.retain(|file| file.change.before.as_ref() != Some(&file.change.after));
        for file in &mut files {
            if let Some(judged) = self.after.iter().find(|judged| judged.host.id == file.host) {
                file.line = goal::line_of(self.request, first, judged, &file.change);
            }
        }
        files
    }

    /// An entry as a host has it; through all hosts, nothing where that one does not take it.
    pub(super) fn taken(&self, host: usize, entry: usize) -> Option<&'a Arc<Skill>> {
        let skill = &self.view.rows.entry(entry)?.skill;
        if !self.workspace.is_every() {
            return Some(skill);
        }
        let (report, place) = (self.view.reports.get(host)?, u32::try_from(entry).ok()?);
        report.status(place, skill).verdict().map(|_| report.as_met(place, skill))
    }

    /// All skills of the view that a host takes.
    pub(super) fn all_taken(&self, host: usize) -> impl Iterator<Item = &'a Arc<Skill>> {
        (0..self.view.rows.len()).filter_map(move |entry| self.taken(host, entry))
    }

    /// Every name that a host takes here, which a new allowlist must have. If the view does not
    /// show all of them, since it browses other folders or is incomplete, the host's own folders
    /// are scanned as well. `None` if a folder could not be read completely.
    fn names(&self, host: usize) -> Option<BTreeSet<String>> {
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
            let catalog = self.workspace.catalog_of(host_context, &skills);
            if !is_whole(&catalog.roots, &catalog.cuts) {
                return None;
            }
            skills.extend(catalog.skills);
        }
        let taken = skills.iter().filter(|skill| order.profile.refusal(skill).is_none());
        Some(taken.map(|skill| order.name_of(skill).into_owned()).collect())
    }

    /// Whether a rule names one skill that other hosts take and this one does not.
    fn is_of_others(&self, rule: &NewRule, host: usize) -> bool {
        let order = self.after[host].policy.order;
        matches!(rule.pattern, Pattern::Exact(_))
            && self.view.rows.entries().any(|entry| rule.pattern.matches(&entry.skill.name))
            && !self.all_taken(host).any(|skill| rule.pattern.matches(&order.name_of(skill)))
    }

    /// Whose verdict changes, for each host.
    fn effects(&self) -> Vec<PlannedEffect> {
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
    fn no_bystander(&self, effects: &[PlannedEffect]) -> Result<(), ChangeError> {
        if !matches!(self.request, ChangeRequest::Switch { .. }) {
            return Ok(());
        }
        for (index, HostContext { host, policy, .. }) in self.after.iter().enumerate() {
            let name = |skill: &Skill| policy.order.folded(&policy.order.name_of(skill));
            let chosen = self.entries.iter().filter_map(|entry| self.taken(index, *entry));
            let chosen: HashSet<String> = chosen.map(|skill| name(skill)).collect();
            let mut theirs = effects.iter().filter(|effect| effect.host == host.id);
            if let Some(effect) = theirs.find(|effect| !chosen.contains(&name(&effect.skill))) {
                return Err(refused(host, Refusal::Others { name: name(&effect.skill) }));
            }
        }
        Ok(())
    }
}

fn refused(host: &'static Host, refusal: Refusal) -> ChangeError {
    ChangeError::Refused { host, refusal }
}
