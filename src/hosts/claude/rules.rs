//! Claude Code's permission rules on its `Skill` tool, as its program reads them.
//!
//! `Skill` and `Skill(*)` are the whole tool. `Skill(x)` is one skill, with or without arguments.
//! `Skill(x:*)` and `Skill(x *)` are every skill whose name *begins* with `x`, `x` included; any
//! other `*` is a letter. In a deny rule `Skill(skill:x*)` is a glob. Asking has an effect only for
//! the whole tool.

use super::super::{Candidates, Reading, SettingsFile, WantedRules};
use crate::catalog::Permission;
use crate::policy::change::{NewRule, Refusal};
use crate::policy::{Layer, Pattern, Policy, Tool};
use crate::settings::{Edit, Kind};

const PERMISSIONS: &str = "permissions";

const TOOL: &str = "Skill";

/// The line of a value that should be a list: the file cannot be read then. An entry that is no
/// text does not affect the others.
pub(super) fn odd(file: &SettingsFile) -> Option<u32> {
    let permissions = file.at(&[PERMISSIONS])?;
    if !matches!(permissions.kind, Kind::Table(_)) {
        return Some(permissions.line);
    }
    let lists = EFFECTS.iter().filter_map(|effect| permissions.get(effect.word()));
    lists.filter(|list| !matches!(list.kind, Kind::List(_))).map(|list| list.line).next()
}

const EFFECTS: [Permission; 3] = [Permission::Deny, Permission::Ask, Permission::Allow];

/// The skills that an entry matches; `None` if it is for another tool or has no effect.
fn pattern(effect: Permission, entry: &str) -> Option<Pattern> {
    let rest = entry.trim().strip_prefix(TOOL)?;
    if rest.is_empty() {
        return Some(Pattern::Any);
    }
    let content = rest.strip_prefix('(')?.strip_suffix(')')?;
    let pattern = of_content(effect, content)?;
    (effect != Permission::Ask || pattern == Pattern::Any).then_some(pattern)
}

fn of_content(effect: Permission, content: &str) -> Option<Pattern> {
    if matches!(content.trim(), "" | "*") {
        return Some(Pattern::Any);
    }
    let parameter = content
        .trim_start()
        .strip_prefix("skill")
        .and_then(|rest| rest.trim_start().strip_prefix(':'));
    if let Some(glob) = parameter {
        let denies = effect == Permission::Deny;
        return denies.then(|| {
            if glob.trim() == "*" { Pattern::Any } else { Pattern::Glob(glob.trim().to_owned()) }
        });
    }
    let name = content.strip_prefix('/').unwrap_or(content);
    let prefix = name.strip_suffix(":*").or_else(|| name.strip_suffix(" *"));
    Some(prefix.map_or_else(
        || Pattern::Exact(name.to_owned()),
        |prefix| Pattern::Prefix(prefix.to_owned()),
    ))
}

/// The rule as an entry; `None` if no entry can express it.
fn entry(effect: Permission, pattern: &Pattern) -> Option<String> {
    match pattern {
        Pattern::Any => Some(TOOL.to_owned()),
        Pattern::Exact(name) => Some(format!("{TOOL}({name})")),
        Pattern::Prefix(prefix) => Some(format!("{TOOL}({prefix}:*)")),
        Pattern::Glob(glob) => {
            (effect == Permission::Deny).then(|| format!("{TOOL}(skill:{glob})"))
        }
        Pattern::Arguments(_) => None,
    }
}

/// The entries of a list that are rules on skills.
fn entries(file: &SettingsFile, effect: Permission) -> impl Iterator<Item = (&str, u32, Pattern)> {
    file.items(&[PERMISSIONS, effect.word()])
        .iter()
        .filter_map(move |item| Some((item.text()?, item.line, pattern(effect, item.text()?)?)))
}

/// Adds the rules of a file.
pub(super) fn read(file: &SettingsFile, policy: &mut Policy) {
    for effect in EFFECTS {
        for (text, line, pattern) in entries(file, effect) {
            let text = format_args!("{PERMISSIONS}.{} \"{text}\"", effect.word());
            policy.rules.push(file.rule(pattern, effect, line, text));
        }
    }
}

/// Adds rules to their lists and removes what contradicts them in the same file.
pub(super) fn plan(reading: &Reading, wanted: &WantedRules<'_>, layer: Layer) -> Candidates {
    let file = super::writable(reading, layer)?;
    if super::managed::rules_alone(reading) {
        return Err(Refusal::Ignored { layer, why: super::managed::OTHER_RULES });
    }
    match wanted {
        WantedRules::One(rule) => one(file, rule),
        WantedRules::All(rules) => Ok(vec![vec![file.edit(all(file, rules)?)]]),
    }
}

fn sayable(rule: &NewRule) -> Result<String, Refusal> {
    if rule.tool == Tool::SkillScript {
        return Err(Refusal::Lacks("rules for a skill's scripts"));
    }
    entry(rule.effect, &rule.pattern).ok_or(Refusal::Lacks("rules with this pattern"))
}

fn one(file: &SettingsFile, rule: &NewRule) -> Candidates {
    let entry = sayable(rule)?;
    // Stricter rules on the same skills, and on the same name with arguments, contradict it.
    let against = |gone: &dyn Fn(&Pattern) -> bool| -> Vec<Edit> {
        let stricter = EFFECTS.into_iter().filter(|effect| *effect > rule.effect);
        let found =
            stricter.flat_map(|effect| entries(file, effect).map(move |entry| (effect, entry)));
        found
            .filter(|(_, (_, _, pattern))| gone(pattern))
            .map(|(effect, (text, ..))| remove(effect, text))
            .collect()
    };
    let exact = against(&|pattern| *pattern == rule.pattern);
    let broader =
        against(&|pattern| *pattern == rule.pattern || with_arguments(pattern, &rule.pattern));
    let with = |mut edits: Vec<Edit>| {
        edits.push(push(rule.effect, &entry));
        vec![file.edit(edits)]
    };
    Ok(vec![
        Vec::new(),
        vec![file.edit(exact.clone())],
        with(exact),
        vec![file.edit(broader.clone())],
        with(broader),
    ])
}

/// Whether this is `Skill(x *)`, which people write beside `Skill(x)` for `x` with arguments.
fn with_arguments(pattern: &Pattern, of: &Pattern) -> bool {
    matches!((pattern, of), (Pattern::Prefix(prefix), Pattern::Exact(name)) if prefix == name)
}

/// The edits after which a file has exactly these rules on skills. Entries about other tools stay,
/// and so do those that we could not write again.
fn all(file: &SettingsFile, rules: &[NewRule]) -> Result<Vec<Edit>, Refusal> {
    let mut edits = Vec::new();
    let wanted = |effect, pattern: &Pattern| {
        rules.iter().any(|rule| (rule.effect, &rule.pattern) == (effect, pattern))
    };
    for effect in EFFECTS {
        let gone = entries(file, effect).filter(|(_, _, pattern)| !wanted(effect, pattern));
        edits.extend(gone.map(|(text, ..)| remove(effect, text)));
    }
    let stands =
        |rule: &NewRule| entries(file, rule.effect).any(|(_, _, pattern)| pattern == rule.pattern);
    for rule in rules.iter().filter(|rule| rule.tool != Tool::SkillLoad || !stands(rule)) {
        edits.push(push(rule.effect, &sayable(rule)?));
    }
    Ok(edits)
}

fn push(effect: Permission, entry: &str) -> Edit {
    Edit::push_text(&[PERMISSIONS, effect.word()], entry)
}

fn remove(effect: Permission, entry: &str) -> Edit {
    Edit::remove_text(&[PERMISSIONS, effect.word()], entry)
}
