//! Settings files as they would be, before anything is written.

use super::target::Offer;
use super::{ChangeError, ChangeRequest, Plan, PlannedFile, goal};
use crate::catalog::{Enablement, HostId, Permission, Skill};
use crate::config::Inputs;
use crate::hosts::{Host, TakesEffect, Wanted, WantedRules};
use crate::policy::change::{FileKind, NewRule, Refusal};
use crate::policy::replay::{MergedRule, merged_rules};
use crate::policy::{Bound, Layer, Policy, Tool};
use crate::workspace::host_context::files_digest;
use crate::workspace::{HostContext, View, Workspace};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A plan in the making. Hosts are meant by their index in the workspace.
pub(super) struct Draft<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) view: &'a View,
    pub(super) request: &'a ChangeRequest,
    pub(super) place: Option<Layer>,
    /// The entries of the view that are to be switched.
    pub(super) entries: Vec<usize>,
    /// The hosts with the settings on the disk.
    pub(super) before: Vec<HostContext>,
    /// The hosts with the settings as they would be.
    pub(super) after: Vec<HostContext>,
    /// What settings are loaded with so that the changed files stand for those on the disk.
    pub(super) inputs: Inputs,
    pub(super) files: Vec<PlannedFile>,
    /// Whose the files are that were looked at.
    pub(super) kinds: RefCell<BTreeMap<PathBuf, FileKind>>,
    /// What stays as it is, though others change.
    pub(super) left: Vec<LeftOut>,
}

/// What a host has no means to change, or its administrator has decided.
pub(super) struct LeftOut {
    pub(super) host: usize,
    /// The entry of a switch; `None` for rules.
    pub(super) entry: Option<usize>,
    pub(super) why: ChangeError,
}

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
        let entry = |path| view.rows.index_of(path).filter(|at| !is_gone(view.rows[*at].skill()));
        let entries = paths.iter().map(|path| entry(path)).collect::<Option<_>>();
        let inputs = workspace.inputs.clone().for_many_loads();
        let before: Vec<_> =
            workspace.host_contexts.iter().map(|host| host.again(&inputs)).collect();
        Ok(Self {
            entries: entries.ok_or(ChangeError::Gone)?,
            after: before.clone(),
            files: Vec::new(),
            left: Vec::new(),
            kinds: RefCell::default(),
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
        let mut reached = false;
        for host in 0..self.after.len() {
            if !self.files.is_empty() {
                self.after[host] = self.after[host].again(&self.inputs);
            }
            reached |= self.reach(host)?;
        }
        if !reached && !self.left.is_empty() {
            return Err(self.left.swap_remove(0).why);
        }
        if self.after.len() > 1 {
            // A file of one host may be read by another.
            self.after = self.after.iter().map(|host| host.again(&self.inputs)).collect();
        }
        self.reread()?;
        let effects = self.effects();
        self.no_bystander(&effects)?;
        let files = self.files();
        let is_set = matches!(self.request, ChangeRequest::SetRules(_));
        let asks =
            is_set || files.len() > 1 || files.iter().any(|file| file.kind != FileKind::User);
        let later = self.later(&files);
        let (replaced, asked) = self.replaced_and_asked();
        let mut plan = Plan {
            label: self.label(),
            request: self.request.clone(),
            ask: false,
            outcome: [
                self.outcome(&effects),
                self.side_effects(&effects),
                self.other_readers(&files),
            ]
            .concat(),
            left_out: self.left_out(),
            replaced,
            asked,
            effects,
            files,
            instead: Vec::new(),
            later,
        };
        plan.ask = !plan.files.is_empty() && (asks || plan.told().next().is_some());
        Ok(plan)
    }

    /// When the hosts of these files read them, if not at once.
    fn later(&self, files: &[PlannedFile]) -> Option<String> {
        let whose = |file: &PlannedFile| self.after.iter().find(|it| it.host.id == file.host);
        let effects = files.iter().filter_map(whose).map(|it| it.host.takes_effect);
        let words = effects.filter(|when| *when != TakesEffect::Now).map(TakesEffect::words);
        let words: BTreeSet<String> = words.collect();
        match words.len() {
            0 | 1 => words.into_iter().next(),
            // A new session is what helps with each.
            _ => Some(TakesEffect::NewSession.words()),
        }
    }

    /// Makes the request true for one host; false if there is nothing that it could change.
    fn reach(&mut self, host: usize) -> Result<bool, ChangeError> {
        let HostContext { host: row, policy, .. } = self.after[host].clone();
        match self.request {
            ChangeRequest::Switch { to, .. } => {
                let taken = |entry: &usize| self.taken(host, *entry).is_some();
                let entries: Vec<usize> = self.entries.iter().copied().filter(taken).collect();
                // Hosts that cannot see the skills need no change.
                let can = row.control.switch.is_some() && !entries.is_empty();
                let names = if can { self.names(host) } else { None };
                // The first one makes what the others need: a file, a list, a table.
                let Some((first, others)) = entries.split_first() else { return Ok(false) };
                let switched = self.switch(host, *first, *to, names.as_ref());
                let mut reached = self.or_left(host, Some(*first), switched)?;
                let left = self.switch_together(host, others, *to, names.as_ref());
                reached |= left.len() < others.len();
                for entry in left {
                    let switched = self.switch(host, entry, *to, names.as_ref());
                    reached |= self.or_left(host, Some(entry), switched)?;
                }
                Ok(reached)
            }
            ChangeRequest::Permit(rule) => {
                if self.is_of_others(rule, host) {
                    return Ok(false);
                }
                let rule = goal::for_host(row, &policy, rule).map_err(|why| refused(row, why));
                let permitted = rule.and_then(|rule| self.permit(host, &rule));
                self.or_left(host, None, permitted)
            }
            ChangeRequest::SetRules(files) => {
                for (layer, rules) in files {
                    let set = self.set_rules(host, rules, *layer);
                    self.or_left(host, None, set)?;
                }
                Ok(true)
            }
        }
    }

    /// Notes that a host cannot make the change, since it has no means for it or an administrator
    /// has decided, so that the other hosts still make it. Returns whether it was made.
    ///
    /// # Errors
    /// The obstacle itself if there is no other host, or if it is another one.
    fn or_left(
        &mut self,
        host: usize,
        entry: Option<usize>,
        made: Result<(), ChangeError>,
    ) -> Result<bool, ChangeError> {
        let Err(why) = made else { return Ok(true) };
        let files = self.after[host].reading.files.iter().map(|file| &file.location);
        let managed = files.filter(|file| file.layer == Layer::Managed);
        let managed: Vec<&Path> = managed.map(|file| &*file.path).collect();
        if self.after.len() == 1 || !why.leaves_host(&managed) {
            return Err(why);
        }
        self.left.push(LeftOut { host, entry, why });
        Ok(false)
    }

    /// The hosts for which nothing can be changed.
    fn left_out(&self) -> Vec<HostId> {
        let wholly = |host: &usize| {
            let left =
                |entry| self.left.iter().any(|left| (left.host, left.entry) == (*host, entry));
            let taken = self.entries.iter().filter(|entry| self.taken(*host, **entry).is_some());
            let mut taken = taken.peekable();
            left(None) || taken.peek().is_some() && taken.all(|entry| left(Some(*entry)))
        };
        let hosts = (0..self.after.len()).filter(wholly);
        hosts.map(|host| self.after[host].host.id).collect()
    }

    fn switch(
        &mut self,
        host: usize,
        entry: usize,
        to: Enablement,
        names: Option<&BTreeSet<String>>,
    ) -> Result<(), ChangeError> {
        let Some(skill) = self.taken(host, entry) else { return Ok(()) };
        let (state, offer) = self.offer_of(host, entry, skill, to, names)?;
        let row = self.after[host].host;
        self.take_first(host, offer, &|policy| goal::has_state(row, policy, skill, state))
    }

    /// What the host's planner offers to switch a skill, and the state as the host has it.
    pub(super) fn offer_of(
        &self,
        host: usize,
        entry: usize,
        skill: &Skill,
        to: Enablement,
        names: Option<&BTreeSet<String>>,
    ) -> Result<(Enablement, Offer), ChangeError> {
        let HostContext { host: row, reading, policy, .. } = &self.after[host];
        if let Some(nearest) = skill.root.word.as_ref().and_then(|word| word.no_switch) {
            return Err(refused(row, Refusal::NoSwitch { nearest }));
        }
        let planner = row.control.switch;
        let planner = planner.ok_or_else(|| ChangeError::nothing_to_set(row, self.request))?;
        let state = goal::possible(row, to).map_err(|why| refused(row, why))?;
        if policy.refusal(skill).is_some() {
            let by = policy.verdict(skill).listed.origin;
            return Err(refused(row, Refusal::Blocked { by, off: true }));
        }
        let name = policy.order.name_of(skill);
        let others: Option<Vec<String>> =
            names.map(|names| names.iter().filter(|other| **other != name).cloned().collect());
        let alone = self.view.rows[entry].entry.same_name == 1;
        let offer = self.offer(row, |layer| {
            let others = others.as_deref();
            planner(reading, &Wanted { skill, name: &name, alone, others, state, layer })
        })?;
        Ok((state, offer))
    }

    fn permit(&mut self, host: usize, rule: &NewRule) -> Result<(), ChangeError> {
        let HostContext { host: row, reading, policy: before, .. } = self.after[host].clone();
        let planner = row.control.rules;
        let planner = planner.ok_or_else(|| ChangeError::nothing_to_set(row, self.request))?;
        if let Some(what) = row.evaluation.forms.lack(rule.effect, &rule.pattern) {
            return Err(refused(row, Refusal::Lacks(what)));
        }
        let one = WantedRules::One(rule);
        let offer = self.offer(row, |layer| planner(&reading, &one, layer))?;
        let view = self.view;
        self.take_first(host, offer, &|policy| {
            goal::permits(policy, rule, view)?;
            goal::spares_others((&before, policy), rule, view)
        })
    }

    fn set_rules(
        &mut self,
        host: usize,
        rules: &[NewRule],
        layer: Layer,
    ) -> Result<(), ChangeError> {
        let HostContext { host: row, reading, policy, .. } = self.after[host].clone();
        let planner = row.control.rules;
        let planner = planner.ok_or_else(|| ChangeError::nothing_to_set(row, self.request))?;
        let is_new = |rule: &&NewRule| !policy.rules.iter().any(|known| rule.is(known));
        let forms = row.evaluation.forms;
        let lacks = |rule: &NewRule| forms.lack(rule.effect, &rule.pattern);
        if let Some(what) = rules.iter().filter(is_new).find_map(lacks) {
            return Err(refused(row, Refusal::Lacks(what)));
        }
        let rules: Vec<NewRule> = self
            .on_top(&policy, rules, layer)
            .into_iter()
            .map(|rule| if is_new(&&rule) { bound_now(&rule) } else { rule })
            .collect();
        let rules = &rules[..];
        let candidates = planner(&reading, &WantedRules::All(rules), layer)
            .map_err(|refusal| refused(row, refusal))?;
        self.take_first(host, Offer::of(candidates), &|policy| goal::exactly(policy, rules, layer))
    }

    /// A layer's rules as they are wanted in place of those of the view, with what another program
    /// wrote since then.
    fn on_top(&self, policy: &Policy, wanted: &[NewRule], layer: Layer) -> Vec<NewRule> {
        let of = |policy: &Policy| -> Vec<NewRule> {
            let rules = policy.rules.iter().filter(|rule| !rule.is_fixed() && rule.layer == layer);
            rules.map(NewRule::of).collect()
        };
        let (shown, now) = (of(&self.view.policy), of(policy));
        let all = merged_rules((&shown, wanted), &now, NewRule::is_about).into_iter();
        all.map(|one| match one {
            MergedRule::Now(index) => now[index].clone(),
            MergedRule::Wanted(index) => wanted[index].clone(),
        })
        .collect()
    }

    /// The files that would be written.
    fn files(&mut self) -> Vec<PlannedFile> {
        let first = self.entries.first().and_then(|entry| self.view.rows.entry(*entry));
        let first = first.map(|entry| &*entry.skill);
        let mut files = std::mem::take(&mut self.files);
        files.retain(|file| file.change.before.as_ref() != Some(&file.change.after));
        for file in &mut files {
            let mut both = self.before.iter().zip(&self.after);
            if let Some(judged) = both.find(|(_, after)| after.host.id == file.host) {
                file.line = goal::line_of(self.request, first, judged, &file.change);
            }
        }
        files
    }

    /// Judges the state before the change again by the bytes that are edited: what another program
    /// wrote after the first look is no effect of ours.
    fn reread(&mut self) -> Result<(), ChangeError> {
        let drafts = self.workspace.inputs.drafts.clone();
        let mut inputs = Inputs { drafts, ..self.inputs.clone() };
        for change in self.files.iter().map(|file| &file.change) {
            let before = change.before.clone();
            inputs.drafts.extend(before.map(|bytes| (change.path.clone(), bytes)));
        }
        self.before = self.before.iter().map(|host| host.again(&inputs)).collect();
        // Of a file that was not there when it was edited there are no such bytes: by now another
        // program has made it.
        let new = self.files.iter().map(|file| &file.change).filter(|it| it.before.is_none());
        let made = new.map(|change| &change.path).find(|path| path.exists());
        made.map_or(Ok(()), |path| Err(ChangeError::overtaken(path)))
    }
}

/// A new rule that allows loading one skill is bound to its files as they are now.
fn bound_now(rule: &NewRule) -> NewRule {
    let is_load = (rule.effect, rule.tool) == (Permission::Allow, Tool::SkillLoad);
    let bound = rule.bound.clone().map(|bound| match bound.digest {
        None if is_load => Bound { digest: files_digest(&bound.path), ..bound },
        _ => bound,
    });
    NewRule { bound, ..rule.clone() }
}

pub(super) fn refused(host: &'static Host, refusal: Refusal) -> ChangeError {
    ChangeError::Refused { host, refusal }
}

/// Whether the skill's file was deleted after it was found. What is stored, or known only by the
/// word of a program, has no file.
fn is_gone(skill: &Skill) -> bool {
    skill.stored.is_none() && skill.root.word.is_none() && !skill.path.exists()
}
