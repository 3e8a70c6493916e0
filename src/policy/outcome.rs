//! What a change of rules would do to the skills of a view, for the right half of the rules screen.

use super::{Policy, Rule, Ruling, SampleRun, Tool, Verdict};
use crate::catalog::{Enablement, Permission, Skill};
use crate::text::SafeText;
use std::sync::Arc;

/// Before and after of one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    pub skill: Arc<Skill>,
    pub before: Verdict,
    pub after: Verdict,
    /// The rule that would decide, as an index into the policy's rules; `None` if the default
    /// decides or the skill is off.
    pub rule: Option<usize>,
}

impl Effect {
    /// Whether the value of any axis changes. Another origin alone is no change.
    pub fn changed(&self) -> bool {
        let values =
            |verdict: &Verdict| (verdict.listed.value, verdict.model.value, verdict.user.value);
        values(&self.before) != values(&self.after)
    }
}

/// Why a rule has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// No skill of the view has such a name.
    NoMatch,
    /// It would loosen, and comes from a layer that may only tighten.
    Ignored,
    /// Another rule decides instead.
    Overruled {
        /// Index into the policy's rules.
        by: usize,
        says: Permission,
    },
    /// It goes by name or path, and the skills that it covers come from repositories.
    Unbound,
    /// The files have changed since they were allowed, so a person is asked.
    Changed,
    /// The default is as strict already.
    Default,
}

/// What one rule does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleHits {
    /// How many skills it covers.
    pub matches: usize,
    /// How many of them it decides, whether they are on or off.
    pub decides: usize,
    /// Why it decides none of them; `None` if it decides one.
    pub idle: Option<Idle>,
}

/// How many skills the model may load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Without asking.
    pub allow: usize,
    /// After the person was asked.
    pub ask: usize,
    /// Not at all: denied or off.
    pub deny: usize,
}

/// Why some skills are not as by default, though no rule that can be edited decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    pub effect: Permission,
    /// What decides, in a few words; has other people's text.
    pub why: SafeText,
    pub count: usize,
}

/// What a change of rules would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// One for each skill, in the order given.
    pub effects: Vec<Effect>,
    /// One for each rule of the policy as it would be.
    pub rules: Vec<RuleHits>,
    pub counts: Counts,
    /// The skills that no editable rule decides and that are not as by default, counted by reason.
    pub others: Vec<Other>,
    /// How many skills change.
    pub changed: usize,
}

/// What going from `before` to `after` would do to these skills.
pub fn outcome(before: &Policy, after: &Policy, skills: &[Arc<Skill>]) -> Outcome {
    let effects: Vec<_> = skills.iter().map(|skill| effect(before, after, skill)).collect();
    let mut counts = Counts::default();
    // A refused skill is not counted: no rule keeps it away.
    for effect in effects.iter().filter(|effect| after.refusal(&effect.skill).is_none()) {
        match effect.after.model.value {
            Permission::Allow => counts.allow += 1,
            Permission::Ask => counts.ask += 1,
            Permission::Deny => counts.deny += 1,
        }
    }
    Outcome {
        changed: effects.iter().filter(|effect| effect.changed()).count(),
        counts,
        others: others(after, &effects),
        rules: (0..after.rules.len()).map(|index| hits(after, index, skills)).collect(),
        effects,
    }
}

fn others(policy: &Policy, effects: &[Effect]) -> Vec<Other> {
    let mut others: Vec<Other> = Vec::new();
    let offered = effects.iter().filter(|effect| policy.refusal(&effect.skill).is_none());
    for effect in offered {
        let Ruling { value, origin } = &effect.after.model;
        let rule = effect.rule.and_then(|rule| policy.rules.get(rule));
        let why = match rule {
            Some(rule) if !rule.is_fixed() => continue,
            Some(_) => origin.shown(),
            None if *value == policy.defaults.load.value => continue,
            None if origin.place().is_some() => SafeText::fixed("switched off"),
            None => origin.shown(),
        };
        match others.iter_mut().find(|other| (other.effect, &other.why) == (*value, &why)) {
            Some(other) => other.count += 1,
            None => others.push(Other { effect: *value, why, count: 1 }),
        }
    }
    others
}

fn effect(before: &Policy, after: &Policy, skill: &Arc<Skill>) -> Effect {
    let verdict = after.verdict(skill);
    let ruled = after.refusal(skill).is_none() && after.state(skill).value != Enablement::Off;
    let rule =
        if ruled { after.decider(Tool::SkillLoad, &after.subject(skill), None) } else { None };
    Effect { skill: Arc::clone(skill), before: before.verdict(skill), after: verdict, rule }
}

fn hits(policy: &Policy, index: usize, skills: &[Arc<Skill>]) -> RuleHits {
    let mut hits = RuleHits { matches: 0, decides: 0, idle: None };
    let Some(rule) = policy.rules.get(index) else { return hits };
    let named = skills
        .iter()
        .filter(|skill| policy.refusal(skill).is_none())
        .map(|skill| policy.subject(skill));
    // A rule that covers only some runs is tried with one of them.
    let sample = SampleRun::of(&rule.runs, rule.bound.as_ref());
    let run = sample.as_ref().map(SampleRun::run);
    for subject in named.filter(|subject| rule.covers(rule.tool, subject)) {
        hits.matches += 1;
        match policy.decider(rule.tool, &subject, run.as_ref()) {
            Some(decider) if decider == index && rule.holds(&subject, run.as_ref()) => {
                hits.decides += 1;
            }
            Some(decider) if decider == index && rule.reaches(&subject) => {
                hits.idle = hits.idle.or(Some(Idle::Changed));
            }
            decider
                if decider.is_none_or(|decider| decider == index)
                    && !rule.reaches(&subject)
                    && !policy.ignored(rule) =>
            {
                hits.idle = hits.idle.or(Some(Idle::Unbound));
            }
            other => hits.idle = hits.idle.or_else(|| Some(idle(policy, rule, other))),
        }
    }
    if hits.matches == 0 {
        hits.idle = Some(Idle::NoMatch);
    } else if hits.decides > 0 {
        hits.idle = None;
    }
    hits
}

/// Why `rule` does not decide about a skill that it covers and about which `decider` decides.
fn idle(policy: &Policy, rule: &Rule, decider: Option<usize>) -> Idle {
    match decider.and_then(|by| policy.rules.get(by).map(|rule| (by, rule.effect))) {
        _ if policy.ignored(rule) => Idle::Ignored,
        Some((by, says)) => Idle::Overruled { by, says },
        None => Idle::Default,
    }
}

#[cfg(test)]
mod tests;
