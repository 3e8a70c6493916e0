//! Settings files as they would be, before anything is written.

use super::{ChangeError, ChangeRequest, PlannedFile};
use crate::catalog::{Enablement, HostId, Permission, Skill};
use crate::config::{Inputs, NewRule, Refusal};
use crate::hosts::{Candidate, Context, FileEdit, Host, SettingsPath, Wanted, WantedRules};
use crate::policy::{self, Layer, Origin, Pattern, Policy, Probe};
use crate::settings::{self, store};
use crate::workspace::{HostContext, View};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// A file that has been changed in memory.
struct Changed {
    host: HostId,
    location: SettingsPath,
    old: Option<Vec<u8>>,
}

/// The changed files so far; later steps build on earlier ones.
pub(super) struct Draft {
    inputs: Inputs,
    context: Arc<Context>,
    changed: Vec<Changed>,
}

/// Whether a policy has the wanted result; otherwise the obstacle.
type Reached<'a> = dyn Fn(&Policy) -> Result<(), Refusal> + 'a;

/// What a change must know of one host.
pub(super) struct HostView<'a> {
    pub(super) host_context: &'a HostContext,
    /// The skill of an entry of the view as the host has it; `None` if the host does not take it.
    pub(super) taken: &'a dyn Fn(usize) -> Option<&'a Arc<Skill>>,
    /// Every name that the host has here, if that is known.
    pub(super) names: Option<&'a BTreeSet<String>>,
}

impl Draft {
    pub(super) fn new(inputs: &Inputs, context: &Arc<Context>) -> Self {
        Self { inputs: inputs.clone(), context: Arc::clone(context), changed: Vec::new() }
    }

    /// The inputs with which settings are loaded from the drafts instead of the disk.
    pub(super) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Changes the drafts so that the request is true for one host; false if the host's settings
    /// cannot express it.
    pub(super) fn reach(
        &mut self,
        host: &HostView<'_>,
        view: &View,
        request: &ChangeRequest,
        place: Option<Layer>,
    ) -> Result<bool, ChangeError> {
        let HostView { host_context, taken, .. } = *host;
        match request {
            ChangeRequest::Switch { entries, to } => {
                // Hosts that cannot see the skills need no change.
                if !entries.iter().any(|index| taken(*index).is_some()) {
                    return Ok(true);
                }
                if host_context.host.control.switch.is_none() {
                    return Ok(false);
                }
                let to = possible(host_context.host, *to)?;
                for index in entries.iter().copied() {
                    let (Some(entry), Some(skill)) = (view.rows.entry(index), taken(index)) else {
                        continue;
                    };
                    let alone = entry.same_name == 1;
                    self.switch(host, &WantedSwitch { skill, alone, to }, place)?;
                }
                Ok(true)
            }
            ChangeRequest::Permit(rule) => {
                if host_context.host.control.rules.is_none() {
                    return Ok(false);
                }
                if view.host_contexts.len() > 1 && is_of_others(rule, host, view) {
                    return Ok(false);
                }
                // Only our own rules can be bound.
                let bound = rule.bound.clone().filter(|_| host_context.policy.order.bound);
                let rule = NewRule { bound, ..rule.clone() };
                self.permit(host_context, &rule, view, place).map(|()| true)
            }
            ChangeRequest::SetRules(files) => {
                for (layer, rules) in files {
                    self.set_rules(host_context, rules, *layer)?;
                }
                Ok(host_context.host.control.rules.is_some())
            }
        }
    }

    fn switch(
        &mut self,
        host: &HostView<'_>,
        wanted: &WantedSwitch<'_>,
        place: Option<Layer>,
    ) -> Result<(), ChangeError> {
        let (host_context, skill) = (host.host_context, wanted.skill);
        let Some(planner) = host_context.host.control.switch else { return Ok(()) };
        let now = host_context.again(&self.inputs);
        let name = host_context.policy.order.name_of(skill);
        let others: Option<Vec<String>> =
            host.names.map(|names| names.iter().filter(|other| **other != name).cloned().collect());
        let switch = |layer| Wanted {
            skill,
            name: &name,
            alone: wanted.alone,
            others: others.as_deref(),
            state: wanted.to,
            layer,
        };
        if host_context.policy.refusal(skill).is_some() {
            let by = host_context.policy.verdict(skill).listed.origin;
            return Err(ChangeError::refused(
                host_context.host,
                Refusal::Blocked { by, off: true },
            ));
        }
        let candidates =
            candidates_in(host_context.host, place, |layer| planner(&now.reading, &switch(layer)))?;
        let reached = |policy: &Policy| has_state(host_context.host, policy, wanted);
        self.first(host_context, candidates, &reached)
    }

    fn permit(
        &mut self,
        host_context: &HostContext,
        rule: &NewRule,
        view: &View,
        place: Option<Layer>,
    ) -> Result<(), ChangeError> {
        let Some(planner) = host_context.host.control.rules else { return Ok(()) };
        if !host_context.host.control.effects.contains(&rule.effect) {
            return Err(ChangeError::refused(
                host_context.host,
                Refusal::Lacks("rules with this effect"),
            ));
        }
        let now = host_context.again(&self.inputs);
        let one = WantedRules::One(rule);
        let candidates =
            candidates_in(host_context.host, place, |layer| planner(&now.reading, &one, layer))?;
        let reached = |policy: &Policy| {
            let ruling = rule.weighed(policy);
            if ruling.value != rule.effect {
                return Err(blocked(ruling.origin));
            }
            match view.rows.entries().find_map(|entry| own_word(policy, rule, &entry.skill)) {
                Some(by) if rule.effect == Permission::Allow => Err(blocked(by)),
                _ => Ok(()),
            }
        };
        self.first(host_context, candidates, &reached)
    }

    fn set_rules(
        &mut self,
        host_context: &HostContext,
        rules: &[NewRule],
        layer: Layer,
    ) -> Result<(), ChangeError> {
        let Some(planner) = host_context.host.control.rules else { return Ok(()) };
        let now = host_context.again(&self.inputs);
        let candidates = planner(&now.reading, &WantedRules::All(rules), layer)
            .map_err(|refusal| ChangeError::refused(host_context.host, refusal))?;
        self.first(host_context, candidates, &|policy| exactly(policy, rules, layer))
    }

    /// Takes the first candidate that makes the request true, or returns the obstacle.
    fn first(
        &mut self,
        host_context: &HostContext,
        candidates: Vec<Candidate>,
        reached: &Reached,
    ) -> Result<(), ChangeError> {
        let mut refusal = Refusal::NoEdit;
        let before = host_context.again(&self.inputs).policy.alarms.len();
        for candidate in candidates {
            let mut tried = Self::new(&self.inputs, &self.context);
            for edit in &candidate {
                tried.edit(host_context.host, edit)?;
            }
            let after = host_context.again(&tried.inputs);
            // A candidate must not leave a file that cannot be read.
            if after.policy.alarms.len() > before {
                continue;
            }
            match reached(&after.policy) {
                Ok(()) => {
                    self.take(tried);
                    return Ok(());
                }
                Err(why) => refusal = why,
            }
        }
        Err(ChangeError::refused(host_context.host, refusal))
    }

    fn take(&mut self, tried: Self) {
        self.inputs = tried.inputs;
        for changed in tried.changed {
            if self.changed.iter().all(|known| known.location.path != changed.location.path) {
                self.changed.push(changed);
            }
        }
    }

    /// Edits one file in memory.
    fn edit(&mut self, host: &Host, edit: &FileEdit) -> Result<(), ChangeError> {
        let path = &edit.location.path;
        let (old, old_on_disk) = match self.inputs.drafts.get(path) {
            Some(draft) => (Some(draft.clone()), None),
            None => {
                let bytes = self.on_disk(&edit.location)?;
                (bytes.clone(), Some(bytes))
            }
        };
        let fresh: &[_] = if old.is_none() { &edit.location.fresh } else { &[] };
        let edits = [fresh, &edit.edits].concat();
        let new = settings::apply(edit.location.format, old.as_deref().unwrap_or_default(), &edits)
            .map_err(|error| ChangeError::Edit { path: path.clone(), error })?;
        if new == old.unwrap_or_default() {
            return Ok(());
        }
        self.inputs.drafts.insert(path.clone(), new);
        if let Some(old) = old_on_disk {
            self.changed.push(Changed { host: host.id, location: edit.location.clone(), old });
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
        if place.layer != Layer::User && self.context.repo_root.as_ref().is_some_and(outside) {
            return Err(ChangeError::Outside { path: path.clone() });
        }
        Ok(document.bytes)
    }

    /// The files that would be written.
    pub(super) fn files(self, view: &View, request: &ChangeRequest) -> Vec<PlannedFile> {
        let host_contexts = &view.host_contexts;
        let planned = |changed: Changed| {
            let path = changed.location.path;
            let new = self.inputs.drafts.get(&path)?.clone();
            let change = store::Change { path, old: changed.old, new };
            let host_context =
                host_contexts.iter().find(|host_context| host_context.host.id == changed.host);
            let judged = host_context.map(|host_context| host_context.again(&self.inputs));
            let line = line_of(request, view, judged.as_ref(), &change);
            let same = change.old.as_deref() == Some(change.new.as_slice());
            (!same).then_some(PlannedFile {
                host: changed.host,
                layer: changed.location.layer,
                change,
                line,
            })
        };
        self.changed.into_iter().filter_map(planned).collect()
    }
}

/// The candidates for the file of the named layer. If no layer was named: for the first layer whose
/// file the host reads, which in an untrusted folder is the person's own.
fn candidates_in(
    host: &Host,
    place: Option<Layer>,
    plan: impl Fn(Layer) -> Result<Vec<Candidate>, Refusal>,
) -> Result<Vec<Candidate>, ChangeError> {
    let mut planned = plan(place.unwrap_or_else(|| host.own_layer()));
    if place.is_none() && matches!(planned, Err(Refusal::Ignored { .. })) {
        let others = host.control.layers.iter().skip(1).map(|layer| plan(*layer));
        planned = others
            .into_iter()
            .find(|other| !matches!(other, Err(Refusal::Ignored { .. })))
            .unwrap_or(planned);
    }
    planned.map_err(|refusal| ChangeError::refused(host, refusal))
}

/// The wanted state as the host has it: off means its lowest.
fn possible(host: &Host, to: Enablement) -> Result<Enablement, ChangeError> {
    let states = host.control.states;
    match to {
        Enablement::Off => Ok(states.iter().copied().max().unwrap_or(Enablement::Off)),
        to if states.contains(&to) => Ok(to),
        _ => Err(ChangeError::refused(host, Refusal::Lacks("this state"))),
    }
}

/// A skill that is to have this enablement.
struct WantedSwitch<'a> {
    skill: &'a Skill,
    /// Whether no other skill of the view has its name.
    alone: bool,
    to: Enablement,
}

/// The obstacle to a permission.
fn blocked(by: Origin) -> Refusal {
    Refusal::Blocked { by, off: false }
}

/// Whether this policy gives the skill the wanted enablement; otherwise what decides.
fn has_state(host: &Host, policy: &Policy, wanted: &WantedSwitch<'_>) -> Result<(), Refusal> {
    let state = policy.state(wanted.skill);
    if host.control.by_rule {
        let model = policy.verdict(wanted.skill).model;
        let denied = model.value == Permission::Deny;
        let reached = denied == (wanted.to != Enablement::On);
        return reached.then_some(()).ok_or(Refusal::Blocked { by: model.origin, off: denied });
    }
    let off = wanted.to == Enablement::On;
    (state.value == wanted.to).then_some(()).ok_or(Refusal::Blocked { by: state.origin, off })
}

/// Whether a layer has exactly these rules; otherwise the rule that stays, or what decides instead
/// of a missing one. Rules that stand for something unreadable and expressions do not count: the
/// rules screen cannot remove them.
fn exactly(policy: &Policy, wanted: &[NewRule], layer: Layer) -> Result<(), Refusal> {
    let said = |rule: &&policy::Rule| {
        rule.layer == layer && !rule.is_alarm() && !matches!(rule.pattern, Pattern::Arguments(_))
    };
    let left = policy.rules.iter().filter(said).find(|rule| !wanted.iter().any(|new| new.is(rule)));
    if let Some(left) = left {
        return Err(blocked(left.origin.clone()));
    }
    // Another layer may say the same thing in its place.
    let missing = wanted.iter().find(|new| !policy.rules.iter().any(|rule| new.is(rule)));
    match missing {
        Some(new) => Err(blocked(new.weighed(policy).origin)),
        None => Ok(()),
    }
}

/// The field of a covered skill because of which the host asks, if no rule decides.
fn own_word(policy: &Policy, rule: &NewRule, skill: &Skill) -> Option<Origin> {
    let covered = rule.pattern.matches(&policy.order.name_of(skill))
        && rule.bound.as_ref().is_none_or(|bound| bound.path == skill.path);
    let probe = Probe::of(&rule.runs, rule.bound.as_ref());
    let origin = covered.then(|| {
        policy.permission(rule.tool, skill, probe.as_ref().map(Probe::run).as_ref()).origin
    });
    origin.filter(|origin| matches!(origin, Origin::Skill(_)))
}

/// Whether a rule names one skill that other hosts take and this one does not.
fn is_of_others(rule: &NewRule, host: &HostView<'_>, view: &View) -> bool {
    let order = host.host_context.policy.order;
    let mut skills = (0..view.rows.len()).filter_map(host.taken);
    matches!(rule.pattern, Pattern::Exact(_))
        && view.rows.entries().any(|entry| rule.pattern.matches(&entry.skill.name))
        && !skills.any(|skill| rule.pattern.matches(&order.name_of(skill)))
}

/// The line of the file that decides after the change, or the first line that differs.
fn line_of(
    request: &ChangeRequest,
    view: &View,
    judged: Option<&HostContext>,
    change: &store::Change,
) -> u32 {
    let here = |origin: &Origin| match origin.place() {
        Some((path, line)) if path == change.path => Some(line),
        _ => None,
    };
    let decided = judged.and_then(|HostContext { host, policy, .. }| match request {
        ChangeRequest::Switch { entries, .. } => {
            let skill = &view.rows.entry(*entries.first()?)?.skill;
            let verdict = policy.verdict(skill);
            // A rule is no switch, unless that is how the host switches.
            let rule = host.control.by_rule.then_some(&verdict.model.origin);
            here(&verdict.listed.origin).or_else(|| here(rule?))
        }
        ChangeRequest::Permit(new) => {
            policy.rules.iter().filter(|rule| new.is(rule)).find_map(|rule| here(&rule.origin))
        }
        ChangeRequest::SetRules(_) => None,
    });
    let lines = change.new.trim_ascii_end().split(|byte| *byte == b'\n').count();
    let differs = || first_difference(change.old.as_deref().unwrap_or_default(), &change.new);
    // If the end was deleted, the file now ends before the first difference.
    decided.unwrap_or_else(|| differs().min(u32::try_from(lines).unwrap_or(u32::MAX)))
}

/// The first line that differs, from 1.
fn first_difference(old: &[u8], new: &[u8]) -> u32 {
    let lines =
        |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let same = lines(old).iter().zip(&lines(new)).take_while(|(one, other)| one == other).count();
    u32::try_from(same + 1).unwrap_or(u32::MAX)
}
