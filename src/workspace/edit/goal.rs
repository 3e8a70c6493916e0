//! Whether settings say what a request wants, and in which line.

use super::PlannedFile;
use crate::catalog::{Enablement, Permission, Skill};
use crate::hosts::Host;
use crate::policy::change::{ChangeRequest, FileChange, NewRule, Refusal};
use crate::policy::{Entry, Layer, Origin, Pattern, Policy, Rule, SUCH_NAMES, SampleRun, Tool};
use crate::workspace::{HostContext, View};
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::path::Path;

/// The name of a settings file, for a sentence.
pub(super) fn name(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

/// The obstacle to a permission.
fn blocked(by: Origin) -> Refusal {
    Refusal::Blocked { by, off: false }
}

/// The wanted state as the host has it: off means its lowest.
pub(super) fn possible(host: &Host, to: Enablement) -> Result<Enablement, Refusal> {
    let states = host.control.states;
    match to {
        Enablement::Off => Ok(states.iter().copied().max().unwrap_or(Enablement::Off)),
        to if states.contains(&to) => Ok(to),
        _ => Err(Refusal::Lacks("this state")),
    }
}

/// Whether this policy gives the skill the wanted enablement; otherwise what decides.
pub(super) fn has_state(
    host: &Host,
    policy: &Policy,
    skill: &Skill,
    to: Enablement,
) -> Result<(), Refusal> {
    let state = policy.state(skill);
    if host.control.by_rule {
        let model = policy.verdict(skill).model;
        let denied = model.value == Permission::Deny;
        let reached = denied == (to != Enablement::On);
        return reached.then_some(()).ok_or(Refusal::Blocked { by: model.origin, off: denied });
    }
    let off = to == Enablement::On;
    (state.value == to).then_some(()).ok_or(Refusal::Blocked { by: state.origin, off })
}

/// A rule as this host has it. Through all hosts its pattern is read in our syntax, and only our
/// own rules can be bound.
pub(super) fn for_host(host: &Host, policy: &Policy, rule: &NewRule) -> Result<NewRule, Refusal> {
    let pattern = match (&rule.pattern, rule.pattern.text()) {
        (Pattern::Prefix(_), Some(text)) => {
            let read = host.evaluation.forms.read(&text);
            read.map_err(|_| Refusal::Lacks(SUCH_NAMES))?
        }
        (pattern, _) => pattern.clone(),
    };
    let bound = rule.bound.clone().filter(|_| policy.order.bound);
    Ok(NewRule { pattern, bound, ..rule.clone() })
}

/// Whether a policy permits what a rule says, for every skill of the view; else what decides. One
/// that is refused or shadowed counts only where no other is covered.
pub(super) fn permits(policy: &Policy, rule: &NewRule, view: &View) -> Result<(), Refusal> {
    let ruling = rule.weighed(policy);
    if ruling.value != rule.effect {
        return Err(blocked(ruling.origin));
    }
    if rule.effect != Permission::Allow {
        return Ok(());
    }
    let is_bound = |skill: &Skill| rule.bound.as_ref().is_none_or(|to| to.path == skill.path);
    let is_covered = |skill: &Skill| rule.names(policy, skill) && is_bound(skill);
    let covered = view.rows.own().filter(|entry| is_covered(&entry.skill));
    let (taken, others): (Vec<&Entry>, Vec<_>) = covered
        .partition(|entry| policy.refusal(&entry.skill).is_none() && entry.shadowed_by.is_none());
    let counted = if taken.is_empty() { others } else { taken };
    let by = counted.into_iter().find_map(|entry| own_word(policy, rule, &entry.skill));
    by.map_or(Ok(()), |by| Err(blocked(by)))
}

/// Whether a rule leaves skills alone that it does not cover; otherwise what decides about one of
/// them now. What could not be read before counts for nothing.
pub(super) fn spares_others(
    (before, after): (&Policy, &Policy),
    rule: &NewRule,
    view: &View,
) -> Result<(), Refusal> {
    let is_covered = |skill: &Skill| rule.names(after, skill);
    let mut others = view.rows.own().map(|entry| &entry.skill);
    let changed = others.find_map(|skill| {
        let now = before.permission(rule.tool, skill, None);
        let differs = after.permission(rule.tool, skill, None).value != now.value;
        let is_read = !matches!(now.origin, Origin::Alarm { .. });
        (differs && is_read && !is_covered(skill)).then_some(now.origin)
    });
    changed.map_or(Ok(()), |by| Err(blocked(by)))
}

/// Whether a layer has exactly these rules; otherwise the rule that stays, or what decides instead
/// of a missing one. Rules that stand for something unreadable and expressions do not count: the
/// rules screen cannot remove them.
pub(super) fn exactly(policy: &Policy, wanted: &[NewRule], layer: Layer) -> Result<(), Refusal> {
    let said = |rule: &&Rule| {
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

/// The field of a covered skill because of which the host asks, if no rule decides; or what keeps a
/// stored one all the same.
fn own_word(policy: &Policy, rule: &NewRule, skill: &Skill) -> Option<Origin> {
    let sample = SampleRun::of(&rule.runs, rule.bound.as_ref());
    let model = policy.verdict(skill).model;
    // Of many skills that a pattern covers, some may be kept from the model by themselves.
    let is_kept = rule.tool == Tool::SkillLoad && model.value == Permission::Deny;
    let ruling = match matches!(rule.pattern, Pattern::Exact(_)) && is_kept {
        true => model,
        false => {
            let run = sample.as_ref().map(SampleRun::run);
            policy.permission(rule.tool, skill, run.as_ref())
        }
    };
    // A stored skill may be kept by a rule that differs from its name in case.
    let decides = matches!(ruling.origin, Origin::Skill(_))
        || skill.stored.is_some() && ruling.value > rule.effect;
    decides.then_some(ruling.origin)
}

/// The line of the file that decides after the change, or has the first new rule; else the first
/// line that differs. `first` is the first skill of a switch.
pub(super) fn line_of(
    request: &ChangeRequest,
    first: Option<&Skill>,
    (before, after): (&HostContext, &HostContext),
    change: &FileChange,
) -> u32 {
    let here = |origin: &Origin| match origin.place() {
        Some((path, line)) if path == change.path => Some(line),
        _ => None,
    };
    let HostContext { host, policy, .. } = after;
    let decided = match request {
        ChangeRequest::Switch { .. } => first.and_then(|skill| {
            let verdict = policy.verdict(skill);
            // A rule is no switch, unless that is how the host switches.
            let rule = host.control.by_rule.then_some(&verdict.model.origin);
            here(&verdict.listed.origin).or_else(|| here(rule?))
        }),
        ChangeRequest::Permit(new) => for_host(host, policy, new).ok().and_then(|new| {
            policy.rules.iter().filter(|rule| new.is(rule)).find_map(|rule| here(&rule.origin))
        }),
        ChangeRequest::SetRules(_) => {
            let old: Vec<&Rule> =
                before.policy.rules.iter().filter(|rule| here(&rule.origin).is_some()).collect();
            let is_new = |rule: &&Rule| !old.iter().any(|old| NewRule::of(rule).is(old));
            policy.rules.iter().filter(is_new).filter_map(|rule| here(&rule.origin)).min()
        }
    };
    let lines = change.after.trim_ascii_end().split(|byte| *byte == b'\n').count();
    let differs = || first_difference(change.before.as_deref().unwrap_or_default(), &change.after);
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

/// The obstacle with the line that decides as it stands in its file now. It was found in a planned
/// text, in which other lines may have come before it.
pub(super) fn as_on_disk(refusal: Refusal, planned: &[PlannedFile]) -> Refusal {
    let Refusal::Blocked { by: Origin::Rule { file, line, text }, off } = refusal else {
        return refusal;
    };
    let change = planned.iter().map(|planned| &planned.change).find(|it| *it.path == *file);
    let line = change.and_then(|change| line_before(change, line)).unwrap_or(line);
    Refusal::Blocked { by: Origin::Rule { file, line, text }, off }
}

/// Where a line of the planned text stands in the text before; `None` if it is new.
fn line_before(change: &FileChange, line: u32) -> Option<u32> {
    let old: Vec<&[u8]> = change.before.as_deref()?.split(|byte| *byte == b'\n').collect();
    let new: Vec<&[u8]> = change.after.split(|byte| *byte == b'\n').collect();
    let place = usize::try_from(line).ok()?.checked_sub(1)?;
    let unchanged = capture_diff_slices(Algorithm::Myers, &old, &new).into_iter();
    let mut unchanged = unchanged.filter(|part| part.tag() == DiffTag::Equal);
    let part = unchanged.find(|part| part.new_range().contains(&place))?;
    u32::try_from(part.old_range().start + place - part.new_range().start + 1).ok()
}
