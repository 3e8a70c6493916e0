//! What to change so that an aim becomes true, or who stands in the way.
//!
//! Candidates are tried from the smallest on; each is judged again as if it were written, and the
//! first that reaches the aim is the plan. So a plan cannot be a silent no-op.

use super::apply::{Change, changed};
use super::file::SettingsFile;
use super::load::Config;
use crate::catalog::{Permission, Skill};
use crate::policy::{
    self, Bound, Layer, Origin, Pattern, Policy, Probe, Ruling, Runs, Subject, Target, Tool,
};
use std::path::PathBuf;

/// A rule as the rules screen writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRule {
    pub effect: Permission,
    pub tool: Tool,
    pub pattern: Pattern,
    /// Which runs of their scripts; [`Runs::ANY`] in a rule about loading.
    pub runs: Runs,
    /// The one skill that it is bound to, of a rule that allows.
    pub bound: Option<Bound>,
}

impl NewRule {
    /// What a policy says to what the rule is about.
    pub fn weighed(&self, policy: &Policy) -> Ruling<Permission> {
        let (name, probe) = (self.pattern.probe(), Probe::of(&self.runs, self.bound.as_ref()));
        let named = Subject::named(&name);
        let subject = match &self.bound {
            // Whosever skill it is: a rule that is bound allows what a repository brings.
            Some(bound) => Subject { path: Some(&bound.path), brought: true, ..named },
            None => named,
        };
        policy.permission_of(self.tool, &subject, probe.as_ref().map(Probe::run).as_ref())
    }

    /// Whether a rule of a policy says the same.
    pub fn is(&self, rule: &policy::Rule) -> bool {
        (rule.tool, rule.effect) == (self.tool, self.effect)
            && (&rule.pattern, &rule.runs, &rule.bound) == (&self.pattern, &self.runs, &self.bound)
    }
}

/// What shall be true.
#[derive(Clone, Debug)]
pub enum Aim<'a> {
    /// This skill is on or off.
    Switch {
        /// The resolved skill.
        skill: &'a Skill,
        /// Whether no other skill of the view has its name, so that an off switch by name is about
        /// it alone and may go.
        alone: bool,
        /// On or off.
        on: bool,
    },
    /// This is what the model may do with skills of this pattern (COD-8.1c).
    Permit(NewRule),
    /// This rule of the file is gone.
    RemoveRule {
        effect: Permission,
        /// Its index there, from 0.
        index: usize,
    },
    /// The file's rules are exactly these; their order among one effect is left alone.
    SetRules(Vec<NewRule>),
}

/// Why an aim cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such file to write: no home directory, or no repository.
    NoPlace(Layer),
    /// The file is broken; it is not edited until it is mended. The line of its first fault.
    Broken {
        layer: Layer,
        /// The line, from 1.
        line: u32,
        /// The file; other people's text.
        file: PathBuf,
    },
    /// The file is there and cannot be read.
    Unreadable {
        layer: Layer,
        /// The file; other people's text.
        file: PathBuf,
        why: String,
    },
    /// It would stay as this rules; `off` tells an off skill from a permission.
    Blocked {
        /// What decides, with file and line.
        by: Origin,
        /// Whether the skill is off by it (else a rule or default decides).
        off: bool,
    },
    /// There is no such rule.
    NoSuchRule,
    /// The host does not heed this file, so to write it would change nothing.
    Ignored { layer: Layer, why: &'static str },
    /// The skill's path is not UTF-8, and settings are.
    Path,
    /// The host has no such thing; what it lacks.
    Lacks(&'static str),
    /// An allowlist would begin, and not every folder could be read: nobody knows which other
    /// skills are to stay on.
    Unread,
    /// It would switch another skill besides, since the host takes the name for a pattern,
    /// say.
    Others {
        /// Which; other people's text.
        name: String,
    },
}

/// The changes to this layer's file that make the aim true; none if it is true already.
///
/// # Errors
/// [`Refusal`], which names what stands in the way.
pub fn plan(config: &Config, layer: Layer, aim: &Aim<'_>) -> Result<Vec<Change>, Refusal> {
    let file = config.file(layer).ok_or(Refusal::NoPlace(layer))?;
    if let Some(fault) = file.problems.iter().find(|problem| problem.grave) {
        let line = fault.spot.as_ref().map_or(1, |spot| spot.line);
        return Err(Refusal::Broken { layer, line, file: file.path.to_path_buf() });
    }
    let candidates = match aim {
        Aim::Switch { skill, alone, on: true } => switch_on(file, skill, *alone),
        Aim::Switch { skill, on: false, .. } => switch_off(file, skill),
        Aim::Permit(rule) => permit(file, rule),
        Aim::RemoveRule { effect, index } => {
            file.rules_of(*effect).nth(*index).ok_or(Refusal::NoSuchRule)?;
            return Ok(vec![Change::RemoveRule { effect: *effect, index: *index }]);
        }
        Aim::SetRules(rules) => return Ok(set_rules(file, rules)),
    };
    let mut refusal = Refusal::NoSuchRule;
    // A denied skill can be turned off and on again; but where it is on, no switch makes the model
    // load it.
    if let Aim::Switch { skill, on: true, .. } = aim {
        let verdict = config.policy.verdict(skill);
        if verdict.user.value && !verdict.enabled() {
            return Err(Refusal::Blocked { by: verdict.listed.origin, off: false });
        }
    }
    for changes in candidates {
        match missed(&changed(config, layer, &changes), aim) {
            None => return Ok(changes),
            Some(blocked) => refusal = blocked,
        }
    }
    Err(refusal)
}

/// Who stands in the way of the aim in these settings; nobody if it is true.
fn missed(config: &Config, aim: &Aim<'_>) -> Option<Refusal> {
    let policy = &config.policy;
    let blocked = |by: Origin, off| Some(Refusal::Blocked { by, off });
    match aim {
        Aim::Switch { skill, .. } if !skill.offerable() => {
            blocked(policy.verdict(skill).listed.origin, true)
        }
        Aim::Switch { skill, on, .. } => {
            let Ruling { value, origin } = policy.enablement(skill);
            if value == *on { None } else { blocked(origin, *on) }
        }
        Aim::Permit(rule) => {
            let ruling = rule.weighed(policy);
            if ruling.value == rule.effect { None } else { blocked(ruling.origin, false) }
        }
        Aim::RemoveRule { .. } | Aim::SetRules(_) => None,
    }
}

/// The indices of the file's switches that fit, the last first, so that they can be removed one
/// after the other.
fn indices(file: &SettingsFile, fits: impl Fn(&Target, bool) -> bool) -> Vec<usize> {
    let fit = |index: &usize| {
        let switch = &file.switches[*index];
        matches!((&switch.targets[..], switch.enabled), ([target], Some(enabled)) if fits(target, enabled))
    };
    (0..file.switches.len()).rev().filter(fit).collect()
}

fn by_path(target: &Target, skill: &Skill) -> bool {
    matches!(target, Target::Path(_)) && meant(target, skill)
}

fn remove(indices: Vec<usize>) -> Vec<Change> {
    indices.into_iter().map(|index| Change::RemoveSwitch { index }).collect()
}

fn switch_on(file: &SettingsFile, skill: &Skill, alone: bool) -> Vec<Vec<Change>> {
    let path = Target::Path(skill.path.clone());
    let paths = remove(indices(file, |target, enabled| !enabled && by_path(target, skill)));
    let names = remove(indices(file, |target, enabled| !enabled && meant(target, skill)));
    let mut candidates = vec![Vec::new(), paths.clone()];
    if alone {
        candidates.push(names);
    }
    let pushed = [paths, vec![Change::PushSwitch { target: path, enabled: true }]].concat();
    let admitted =
        file.allowed.as_ref().filter(|allowed| !allowed.value.is_empty()).map(|allowed| {
            let names =
                allowed.value.iter().cloned().chain([skill.name.trim().to_owned()]).collect();
            Change::SetAllowed { names }
        });
    let admitting: Vec<Vec<Change>> = admitted.map_or(Vec::new(), |admit| {
        let more = |changes: &Vec<Change>| changes.iter().cloned().chain([admit.clone()]).collect();
        candidates.iter().chain([&pushed]).map(more).collect()
    });
    candidates.push(pushed);
    candidates.extend(admitting);
    candidates
}

fn switch_off(file: &SettingsFile, skill: &Skill) -> Vec<Vec<Change>> {
    let on = indices(file, |target, enabled| enabled && by_path(target, skill));
    let mut set = remove(on.iter().copied().filter(|index| Some(index) != on.last()).collect());
    set.extend(on.last().map(|index| Change::SetSwitch { index: *index, enabled: false }));
    let pushed =
        vec![Change::PushSwitch { target: Target::Path(skill.path.clone()), enabled: false }];
    [Vec::new(), remove(on), set, pushed].into_iter().collect()
}

/// Whether a switch of ours is about this skill.
fn meant(target: &Target, skill: &Skill) -> bool {
    match target {
        Target::Path(path) => *path == skill.path,
        Target::Name(name) => name.trim() == skill.name.trim(),
        Target::Beneath(_) | Target::Glob(_) | Target::Folder(_) => false,
    }
}

/// Removals of the file's rules that fit, the last of each list first.
fn removals(file: &SettingsFile, fits: impl Fn(usize, &NewRule) -> bool) -> Vec<Change> {
    let mut changes = Vec::new();
    for effect in [Permission::Deny, Permission::Ask, Permission::Allow] {
        let rules: Vec<_> = file.rules_of(effect).collect();
        for (index, rule) in rules.into_iter().rev() {
            let (Some(tool), Some(pattern)) = (rule.tool, rule.pattern.clone()) else { continue };
            let (runs, bound) = (rule.runs.clone(), rule.bound.clone());
            if fits(index, &NewRule { effect, tool, pattern, runs, bound }) {
                changes.push(Change::RemoveRule { effect, index });
            }
        }
    }
    changes
}

fn permit(file: &SettingsFile, wanted: &NewRule) -> Vec<Vec<Change>> {
    let about = |rule: &NewRule| {
        rule.tool == wanted.tool && rule.pattern == wanted.pattern && rule.runs == wanted.runs
    };
    // A rule that is bound to files as they were is worth nothing any more beside the new one.
    let is_stale = |rule: &NewRule| match (&rule.bound, &wanted.bound) {
        (Some(old), Some(new)) => old.path == new.path && old.digest != new.digest,
        _ => false,
    };
    let is_other = |rule: &NewRule| rule.effect != wanted.effect || is_stale(rule);
    let others = removals(file, |_, rule| about(rule) && is_other(rule));
    let pushed = [others.clone(), vec![Change::PushRule(wanted.clone())]].concat();
    // What allows one skill for good is no matter of the name alone: it goes in any case.
    let narrower = |_: usize, rule: &NewRule| about(rule) && rule.bound.is_some();
    if wanted.effect != Permission::Allow && !removals(file, narrower).is_empty() {
        return vec![others, pushed];
    }
    vec![Vec::new(), others, pushed]
}

/// Removes what is not wanted and pushes what is missing; a rule that stands twice and is wanted
/// twice stays twice.
fn set_rules(file: &SettingsFile, wanted: &[NewRule]) -> Vec<Change> {
    let mut missing = wanted.to_vec();
    let mut kept = Vec::new();
    for effect in [Permission::Deny, Permission::Ask, Permission::Allow] {
        for (index, rule) in file.rules_of(effect) {
            let same = |other: &NewRule| {
                let same = other.effect == effect
                    && (&other.runs, &other.bound) == (&rule.runs, &rule.bound);
                same && Some(other.tool) == rule.tool
                    && Some(&other.pattern) == rule.pattern.as_ref()
            };
            if let Some(found) = missing.iter().position(same) {
                missing.remove(found);
                kept.push((effect, index));
            }
        }
    }
    let mut changes = removals(file, |index, rule| !kept.contains(&(rule.effect, index)));
    changes.extend(missing.into_iter().map(Change::PushRule));
    changes
}

#[cfg(test)]
mod tests;
