//! Turns what the files say into the policy. What cannot be read denies.

use super::file::{SettingsFile, WrittenSwitch};
use super::rules::WrittenRule;
use crate::catalog::Permission;
use crate::policy::{
    Alarm, Allowlist, Defaults, Evaluation, Layer, Origin, Pattern, Policy, Rule, Ruling, Runs,
    Switch, Target, Tool,
};
use std::sync::Arc;

/// The policy of the person's file, the project's file, and this run. `session` is the switch for
/// all skills, if an option or a variable sets it. `broken` is the alarm for an option or a
/// variable that cannot be read.
pub(super) fn policy(
    user: &SettingsFile,
    project: Option<&SettingsFile>,
    session: Option<&Ruling<bool>>,
    broken: Option<Alarm>,
) -> Policy {
    let mut policy = Policy::without_settings(Evaluation::AGENTS);
    let files = || std::iter::once(user).chain(project);
    for file in files() {
        policy.switches.extend(file.switches.iter().flat_map(|written| switches(file, written)));
        policy.rules.extend(file.rules.iter().flat_map(|written| rules(file, written)));
        policy.allowlists.extend(allowlist(file));
        policy.alarms.extend(alarm(file));
    }
    policy.rules.extend(
        alarm(user).or_else(|| broken.clone()).iter().flat_map(|alarm| alarm.denials(Layer::User)),
    );
    policy.alarms.extend(broken);
    policy.defaults = defaults(user, project);
    policy.skills_enabled = match session {
        Some(ruling) => ruling.clone(),
        None => {
            files().filter_map(enabled).fold(Ruling::new(true, Origin::Default), |before, next| {
                if before.value || !next.value { next } else { before }
            })
        }
    };
    policy
}

/// An alarm for this file, at its first fault.
fn alarm(file: &SettingsFile) -> Option<Alarm> {
    let problem = file.problems.iter().find(|problem| problem.grave)?;
    let line = problem.spot.as_ref().map_or(1, |spot| spot.line);
    Some(Alarm { file: Arc::clone(&file.path), line, message: problem.message.clone() })
}

fn origin(file: &SettingsFile, line: u32, text: impl Into<Arc<str>>) -> Origin {
    Origin::Rule { file: Arc::clone(&file.path), line, text: text.into() }
}

/// The origin of what stands for something that cannot be read.
fn alarming(file: &SettingsFile, line: u32, text: impl Into<Arc<str>>) -> Origin {
    Origin::Alarm { file: Arc::clone(&file.path), line, text: text.into() }
}

/// A faulty switch, or one in a broken file, can only switch off, and does so unless it plainly
/// says on.
fn switches(file: &SettingsFile, written: &WrittenSwitch) -> Vec<Switch> {
    let said = written.enabled.filter(|_| written.sound);
    let (enabled, sound) = match said {
        Some(enabled) if !(enabled && file.broken()) => (enabled, true),
        Some(_) => return Vec::new(),
        None if written.enabled == Some(true) => return Vec::new(),
        None => (false, false),
    };
    let text = |target: &Target| match target {
        _ if !sound => "skills.config".to_owned(),
        Target::Path(_) | Target::Beneath(_) | Target::Place(_) | Target::Folder(_) => {
            "skills.config path".to_owned()
        }
        Target::Name(name) | Target::Glob(name) => format!("skills.config name \"{name}\""),
        Target::Expression(expression) => format!("skills.config name \"{}\"", expression.text()),
    };
    let switch = |target: &Target| Switch {
        target: target.clone(),
        within: None,
        state: enabled.into(),
        origin: match sound {
            true => origin(file, written.line, text(target)),
            false => alarming(file, written.line, text(target)),
        },
        layer: file.layer,
    };
    written.targets.iter().map(switch).collect()
}

/// In a broken file a rule denies what it names, whatever its effect. A deny or ask rule that
/// cannot be read denies everything that it might mean; such an allow rule has no effect. These
/// denials cover every script and all arguments.
fn rules(file: &SettingsFile, written: &WrittenRule) -> Vec<Rule> {
    let list = format!("permissions.{}", written.effect.word());
    let rule = |tool, pattern: &Pattern, effect, origin| Rule {
        tool,
        pattern: pattern.clone(),
        runs: Runs::ANY,
        bound: None,
        effect,
        origin,
        layer: file.layer,
    };
    if let (false, Some(tool), Some(pattern)) = (file.broken(), written.tool, &written.pattern) {
        let name =
            pattern.text().map_or_else(|| tool.word().to_owned(), |name| format!("\"{name}\""));
        let text = if tool == Tool::SkillLoad || pattern.text().is_none() {
            format!("{list} {name}")
        } else {
            format!("{list} {} {name}", tool.word())
        };
        let text =
            if written.runs.is_any() { text } else { format!("{text} {}", written.runs.text()) };
        let text = match written.bound.as_ref().and_then(|bound| bound.path.parent()) {
            Some(folder) => format!("{text} at {}", folder.display()),
            None => text,
        };
        let sound = rule(tool, pattern, written.effect, origin(file, written.line, text));
        let (runs, bound) = (written.runs.clone(), written.bound.clone());
        return vec![Rule { runs, bound, ..sound }];
    }
    let pattern = match (&written.pattern, Rule::effect_in_part(written.effect)) {
        (Some(Pattern::Any) | None, None) => return Vec::new(),
        (Some(pattern), _) => pattern,
        (None, Some(_)) => &Pattern::Any,
    };
    let tools = written.tool.map_or(Tool::ALL.to_vec(), |tool| vec![tool]);
    tools
        .into_iter()
        .map(|tool| rule(tool, pattern, Permission::Deny, alarming(file, written.line, &*list)))
        .collect()
}

/// An empty list means all names. One that could not be read in full has the names that could.
fn allowlist(file: &SettingsFile) -> Option<Allowlist> {
    let written = file.allowed.as_ref()?;
    if written.value.is_empty() && !file.broken() {
        return None;
    }
    let origin = match file.broken() {
        true => alarming(file, written.line, "skills.allowed"),
        false => origin(file, written.line, "skills.allowed"),
    };
    Some(Allowlist { names: written.value.iter().cloned().collect(), origin, layer: file.layer })
}

fn enabled(file: &SettingsFile) -> Option<Ruling<bool>> {
    let written =
        file.plain.skills_enabled.as_ref().filter(|written| !(written.value && file.broken()))?;
    Some(Ruling::new(written.value, origin(file, written.line, "skills.enabled")))
}

/// The person's default, which a project may only tighten. Scripts are asked for, or denied if the
/// default denies.
fn defaults(user: &SettingsFile, project: Option<&SettingsFile>) -> Defaults {
    let mut defaults = Defaults::default();
    let ruling = |file: &SettingsFile| {
        let written = file.plain.permission.as_ref()?;
        Some(Ruling::new(written.value, origin(file, written.line, "permissions.default")))
    };
    if let Some(own) = ruling(user) {
        defaults.load = own;
    }
    if let Some(theirs) =
        project.and_then(ruling).filter(|theirs| theirs.value > defaults.load.value)
    {
        defaults.load = theirs;
    }
    if defaults.load.value > defaults.script.value {
        defaults.script = defaults.load.clone();
    }
    defaults
}
