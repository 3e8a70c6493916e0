//! The edits of our own settings file that could make a wanted change, the smallest first.

use super::super::{
    Candidate, Candidates, FileEdit, Reading, SettingsPath, Wanted, WantedRules, shapes,
};
use crate::catalog::{Enablement, Permission, Precedence, Skill, decomposed};
use crate::config::{self, SettingsFile};
use crate::policy::change::{NewRule, Refusal};
use crate::policy::{Evaluation, Layer, Target, Tool};
use crate::settings::{Edit, Format, Value, entry, keys};

/// The lists of rules in a file.
const EFFECTS: [Permission; 3] = [Permission::Deny, Permission::Ask, Permission::Allow];

/// Candidates for a switch.
pub(super) fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let file = editable(reading, wanted.layer)?;
    let on = wanted.state != Enablement::Off;
    let verdict = reading.config.policy.verdict(wanted.skill);
    // A denied skill can be switched off and on again, but no switch lets the model load it.
    if on && verdict.user.value && !verdict.enabled() {
        return Err(Refusal::Blocked { by: verdict.listed.origin, off: false });
    }
    let candidates = match push_switch(file, wanted, on) {
        Some(push) if on => switch_on(file, wanted, push),
        Some(push) => switch_off(file, wanted, push),
        None => return Err(Refusal::Path),
    };
    Ok(candidates.into_iter().map(|edits| candidate(file, edits)).collect())
}

/// Candidates for rules in this layer's file.
pub(super) fn rules(reading: &Reading, wanted: &WantedRules<'_>, layer: Layer) -> Candidates {
    let file = editable(reading, layer)?;
    let candidates = match wanted {
        WantedRules::One(rule) => permit(file, rule)?,
        WantedRules::All(rules) => vec![set_rules(file, rules)?],
    };
    Ok(candidates.into_iter().map(|edits| candidate(file, edits)).collect())
}

/// The layer's file, unless something in it cannot be read.
fn editable(reading: &Reading, layer: Layer) -> Result<&SettingsFile, Refusal> {
    let file = reading.config.file(layer).ok_or(Refusal::NoPlace(layer))?;
    let Some(fault) = file.problems.iter().find(|problem| problem.grave) else { return Ok(file) };
    let line = fault.spot.as_ref().map_or(1, |spot| spot.line);
    let why = fault.message.clone();
    Err(Refusal::Stopped { layer, line, file: file.path.to_path_buf(), why })
}

/// Edits of a file as a candidate. A file that is not there begins with its version.
fn candidate(file: &SettingsFile, edits: Vec<Edit>) -> Candidate {
    if edits.is_empty() {
        return Vec::new();
    }
    let version = Edit::set(&[], "version", config::VERSION);
    let location = SettingsPath {
        fresh: vec![version],
        ..shapes::file(file.path.to_path_buf(), file.layer, Format::Toml)
    };
    vec![FileEdit { location, edits }]
}

fn switch_on(file: &SettingsFile, wanted: &Wanted<'_>, push: Edit) -> Vec<Vec<Edit>> {
    let skill = wanted.skill;
    let off = |fits: fn(&Target, &Skill) -> bool| {
        let off = indices(file, |target, enabled| !enabled && fits(target, skill));
        take_back(file, off, true)
    };
    let paths = off(by_path);
    let mut candidates = vec![Vec::new(), paths.clone()];
    // An off switch by name is about this skill alone, so it may go.
    if wanted.alone || goes_by_name(wanted) {
        candidates.push(off(is_about));
    }
    let pushed = [paths, vec![push]].concat();
    let admitting: Vec<Vec<Edit>> = admit(file, skill).map_or(Vec::new(), |admit| {
        let with = |edits: &Vec<Edit>| edits.iter().cloned().chain([admit.clone()]).collect();
        candidates.iter().chain([&pushed]).map(with).collect()
    });
    candidates.push(pushed);
    candidates.extend(admitting);
    candidates
}

fn switch_off(file: &SettingsFile, wanted: &Wanted<'_>, push: Edit) -> Vec<Vec<Edit>> {
    let by_name = goes_by_name(wanted);
    let against = |target: &Target| {
        by_path(target, wanted.skill) || by_name && is_named(target, wanted.skill)
    };
    let on = indices(file, |target, enabled| enabled && against(target));
    // A switch by path is about one version of a stored skill, so it is not the one that stays.
    let stays = |target: &Target| by_name == matches!(target, Target::Name(_)) && against(target);
    let kept = indices(file, |target, enabled| enabled && stays(target)).pop();
    // It is turned before the others go, so that its index is still right.
    let others = on.iter().copied().filter(|index| Some(*index) != kept).collect();
    let turned = kept.map(|index| turn(index, false)).into_iter();
    let turned = turned.chain(take_back(file, others, false)).collect();
    // An entry by name that stayed for its comment is turned back.
    let mut named = indices(file, |target, enabled| {
        enabled && (against(target) || wanted.alone && is_named(target, wanted.skill))
    });
    named.retain(|index| on.contains(index) || file.switches[*index].commented);
    let named = take_back(file, named, false);
    let without = take_back(file, on, false);
    let pushed = without.iter().cloned().chain([push]).collect();
    vec![Vec::new(), without, turned, named, pushed]
}

/// Adds this skill to the file's allowlist; `None` without an allowlist.
fn admit(file: &SettingsFile, skill: &Skill) -> Option<Edit> {
    let allowed = file.allowed.as_ref().filter(|allowed| !allowed.value.is_empty())?;
    let names = allowed.value.iter().cloned().chain([skill.name.trim().to_owned()]);
    Some(Edit::set(&["skills"], "allowed", Value::List(names.map(Value::Text).collect())))
}

const SWITCHES: &[&str] = &["skills", "config"];

/// Whether the skill is switched by its name: a stored one, since its path is that of one version.
/// Not where the name would also switch a file that is in use.
fn goes_by_name(wanted: &Wanted<'_>) -> bool {
    let stored = wanted.skill.stored.as_ref();
    stored.is_some_and(|stored| wanted.alone || stored.precedence == Precedence::Over)
}

/// A new switch for this skill; `None` if its path is not UTF-8, since settings are.
fn push_switch(file: &SettingsFile, wanted: &Wanted<'_>, enabled: bool) -> Option<Edit> {
    let target = match goes_by_name(wanted) {
        true => entry("name", wanted.skill.name.trim()),
        false => entry("path", file.spelled(&wanted.skill.path).to_str()?),
    };
    Some(Edit::push_table(SWITCHES, vec![target, entry("enabled", enabled)]))
}

/// The indices of the file's switches that have one target and fit. The last comes first, so that
/// they can be removed one after the other.
fn indices(file: &SettingsFile, fits: impl Fn(&Target, bool) -> bool) -> Vec<usize> {
    let fit = |index: &usize| {
        let switch = &file.switches[*index];
        matches!((&switch.targets[..], switch.enabled), ([target], Some(enabled)) if fits(target, enabled))
    };
    (0..file.switches.len()).rev().filter(fit).collect()
}

/// Removes these switches. One with a comment is turned where it stands, so that no word of a
/// person is lost.
fn take_back(file: &SettingsFile, indices: Vec<usize>, enabled: bool) -> Vec<Edit> {
    let back = |index: usize| match file.switches[index].commented {
        true => turn(index, enabled),
        false => Edit::remove_element(SWITCHES, index),
    };
    indices.into_iter().map(back).collect()
}

fn turn(index: usize, enabled: bool) -> Edit {
    let entries = vec![entry("enabled", enabled)];
    Edit::SetElement { array: keys(SWITCHES), index, entries }
}

/// Whether a switch is about this skill by its path.
fn by_path(target: &Target, skill: &Skill) -> bool {
    matches!(target, Target::Path(path) if *path == skill.path)
}

/// Whether a switch is about this skill by its name.
fn is_named(target: &Target, skill: &Skill) -> bool {
    matches!(target, Target::Name(name) if Evaluation::AGENTS.is_switched_by(name, skill))
}

/// Whether a switch is about this skill by its path or its name.
fn is_about(target: &Target, skill: &Skill) -> bool {
    is_named(target, skill) || by_path(target, skill)
}

fn permit(file: &SettingsFile, wanted: &NewRule) -> Result<Vec<Vec<Edit>>, Refusal> {
    let is_about = |rule: &NewRule| {
        rule.tool == wanted.tool && rule.pattern == wanted.pattern && rule.runs == wanted.runs
    };
    // The new rule replaces one that is bound to an earlier state of the files.
    let is_stale = |rule: &NewRule| match (&rule.bound, &wanted.bound) {
        (Some(old), Some(new)) => old.path == new.path && old.digest != new.digest,
        _ => false,
    };
    let is_other = |rule: &NewRule| rule.effect != wanted.effect || is_stale(rule);
    let others = remove_rules(file, |_, rule| is_about(rule) && is_other(rule));
    let pushed = [others.clone(), vec![push_rule(wanted)?]].concat();
    // A rule that always allows one skill must go if its name is not to be allowed.
    let narrower = remove_rules(file, |_, rule| is_about(rule) && rule.bound.is_some());
    if wanted.effect != Permission::Allow && !narrower.is_empty() {
        return Ok(vec![others, pushed]);
    }
    // What asked or denied is not just removed: where the default allows, no change of the skill's
    // files would be asked about.
    let is_by_files = wanted.bound.as_ref().is_some_and(|bound| bound.digest.is_some());
    // A skill is kept by rules with another form of its name too, and a stored one by those that
    // differ in case. Where such a rule is about another skill, the change is refused for that one.
    let form = |name: &str| decomposed(&name.to_lowercase());
    let in_any = remove_rules(file, |_, rule| {
        let pattern = wanted.pattern.in_form(form);
        let same = NewRule { pattern: rule.pattern.in_form(form), ..rule.clone() };
        is_other(rule)
            && (same.tool, &same.pattern, &same.runs) == (wanted.tool, &pattern, &wanted.runs)
    });
    let in_any = (wanted.bound.is_some() && in_any != others)
        .then_some([in_any, vec![push_rule(wanted)?]].concat());
    let first = match is_by_files && wanted.tool == Tool::SkillLoad && !others.is_empty() {
        true => vec![pushed],
        false => vec![Vec::new(), others, pushed],
    };
    Ok(first.into_iter().chain(in_any).collect())
}

/// Removes what is not wanted and adds what is missing. A rule that is wanted twice stays twice.
fn set_rules(file: &SettingsFile, wanted: &[NewRule]) -> Result<Vec<Edit>, Refusal> {
    let mut missing = wanted.to_vec();
    let mut kept = Vec::new();
    for effect in EFFECTS {
        for (index, rule) in file.rules_of(effect) {
            let same = |new: &NewRule| {
                new.effect == effect
                    && (&new.runs, &new.bound) == (&rule.runs, &rule.bound)
                    && (Some(new.tool), Some(&new.pattern)) == (rule.tool, rule.pattern.as_ref())
            };
            if let Some(found) = missing.iter().position(same) {
                missing.remove(found);
                kept.push((effect, index));
            }
        }
    }
    let mut edits = remove_rules(file, |index, rule| !kept.contains(&(rule.effect, index)));
    for rule in &missing {
        edits.push(push_rule(rule)?);
    }
    Ok(edits)
}

/// Removes the rules that fit, by their index in their list, from the last of each list to the
/// first. The edit leaves their comments.
fn remove_rules(file: &SettingsFile, fits: impl Fn(usize, &NewRule) -> bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    for effect in EFFECTS {
        let rules: Vec<_> = file.rules_of(effect).collect();
        for (index, rule) in rules.into_iter().rev() {
            let (Some(tool), Some(pattern)) = (rule.tool, rule.pattern.clone()) else { continue };
            let (runs, bound) = (rule.runs.clone(), rule.bound.clone());
            if fits(index, &NewRule { effect, tool, pattern, runs, bound }) {
                edits.push(Edit::remove_element(&list(effect), index));
            }
        }
    }
    edits
}

/// The list of the rules with this effect.
fn list(effect: Permission) -> [&'static str; 2] {
    ["permissions", effect.word()]
}

/// A new rule at the end of its list.
fn push_rule(rule: &NewRule) -> Result<Edit, Refusal> {
    let mut entries = vec![entry("tool", rule.tool.word())];
    entries.extend(rule.pattern.text().map(|name| entry("skill_name", &*name)));
    if let Some(bound) = &rule.bound {
        entries.push(entry("path", bound.path.to_str().ok_or(Refusal::Path)?));
        entries.extend(bound.digest_word().map(|digest| entry("digest", &*digest)));
    }
    entries.extend(rule.runs.script.as_ref().map(|script| entry("script", &*script.text())));
    entries.extend(rule.runs.arguments.as_ref().map(|arguments| {
        let words = arguments.iter().cloned().map(Value::Text).collect();
        entry("args", Value::List(words))
    }));
    Ok(Edit::push_table(&list(rule.effect), entries))
}

#[cfg(test)]
mod tests;
