//! Edits of opencode's settings. A wanted rule goes last in its table, since the last rule that
//! matches decides.
//!
//! One word in the place of a table (`"skill": "ask"`) applies to every skill. If a table replaces
//! it, or comes after it in another file, the word is kept as `"*"`: otherwise the other skills
//! would be allowed.

use super::super::{Candidate, Candidates, FileEdit, Reading, SettingsFile, Wanted, WantedRules};
use super::merge::{self, SKILL, Source};
use super::{Family, MAIN, PERMISSION};
use crate::catalog::{Enablement, Permission};
use crate::policy::change::{NewRule, Refusal};
use crate::policy::{Layer, Subject, Tool};
use crate::settings::{self, Edit, Kind, Node};

/// A switch is a rule on the skill's name.
pub(super) fn switch(
    family: &'static Family,
    reading: &Reading,
    wanted: &Wanted<'_>,
) -> Candidates {
    let effect = if wanted.state == Enablement::On { Permission::Allow } else { Permission::Deny };
    said_last(family, reading, wanted.layer, (wanted.name, effect))
}

pub(super) fn rules(
    family: &'static Family,
    reading: &Reading,
    (wanted, layer): (&WantedRules<'_>, Layer),
) -> Candidates {
    match wanted {
        WantedRules::One(rule) => {
            let key = key(rule)?;
            said_last(family, reading, layer, (&key, rule.effect))
        }
        WantedRules::All(rules) => all(family, reading, layer, rules),
    }
}

fn key(rule: &NewRule) -> Result<String, Refusal> {
    match rule.tool {
        Tool::SkillLoad => Ok(rule.pattern.text().unwrap_or_else(|| "*".to_owned())),
        Tool::SkillScript => Err(Refusal::Lacks("rules for a skill's scripts")),
    }
}

/// The files of a layer, the best place first: files that mention skills, then existing files, then
/// the main file.
fn files<'a>(
    family: &'static Family,
    reading: &'a Reading,
    layer: Layer,
) -> Result<Vec<&'a SettingsFile>, Refusal> {
    if layer == Layer::Managed {
        return Err(Refusal::NoPlace(layer));
    }
    let main = reading.writable(layer, MAIN)?;
    let session = merge::session(family, &reading.context);
    for (source, line) in merge::merged(reading, &session).faults {
        match source {
            Source::File(file) if file.location.layer == layer => {
                return Err(file.stopped(line, "what stands there is no permission"));
            }
            Source::File(_) | Source::Variables(_) => {}
        }
    }
    let there = reading
        .files
        .iter()
        .rev()
        .filter(|file| file.location.layer == layer && file.effective().is_some())
        .filter(|file| !super::is_agent(file));
    let mut files: Vec<&SettingsFile> = there.collect();
    files.sort_by_key(|file| file.at(SKILLS).is_none());
    if files.iter().all(|file| file.location.path != main.location.path) {
        files.push(main);
    }
    Ok(files)
}

fn without<'a>(files: &[&'a SettingsFile], key: &str, but: Option<&SettingsFile>) -> Vec<FileEdit> {
    let naming = |file: &&&'a SettingsFile| {
        but.is_none_or(|but| but.location.path != file.location.path)
            && file.at(&[PERMISSION, SKILL, key]).is_some()
    };
    files.iter().filter(naming).map(|file| file.edit(vec![remove(key)])).collect()
}

/// Candidates that set a key and make it the last.
fn said_last(
    family: &'static Family,
    reading: &Reading,
    layer: Layer,
    (key, effect): (&str, Permission),
) -> Candidates {
    let files = files(family, reading, layer)?;
    let mut candidates = vec![Vec::new()];
    if effect == Permission::Allow {
        candidates.push(without(&files, key, None));
    }
    for file in &files {
        let Some(mut edits) = opened(family, reading, file) else { continue };
        edits.push(last(key, effect.word()));
        let mut candidate = without(&files, key, Some(file));
        candidate.push(file.edit(edits));
        candidates.push(candidate);
    }
    // An edit of these files would have no effect, since the current rule would still decide.
    if candidates.iter().all(Vec::is_empty) {
        let mut policy = crate::policy::Policy::open(super::OPENCODE.evaluation);
        (family.rulings)(reading, &mut policy);
        let ruling = policy.permission_of(Tool::SkillLoad, &Subject::named(key), None);
        return Err(Refusal::Blocked { by: ruling.origin, off: ruling.value == Permission::Deny });
    }
    Ok(candidates)
}

const SKILLS: &[&str] = &[PERMISSION, SKILL];

fn last(key: &str, effect: &str) -> Edit {
    Edit::SetLast { table: settings::keys(SKILLS), key: key.to_owned(), value: effect.into() }
}

/// The edits that replace a single word by a table of skills with the same meaning. `None` if a
/// later permission applies to skills too, since the table would come after it.
fn opened(family: &'static Family, reading: &Reading, file: &SettingsFile) -> Option<Vec<Edit>> {
    let permission = file.at(&[PERMISSION]);
    if let Some(node) = permission.and_then(|node| node.get(SKILL)) {
        return match &node.kind {
            Kind::Table(_) => Some(Vec::new()),
            Kind::Text(word) if !spoken_of_after(permission?) => {
                Some(vec![Edit::remove(&[PERMISSION], SKILL), last("*", word)])
            }
            _ => None,
        };
    }
    let mut edits = as_table(file);
    let session = merge::session(family, &reading.context);
    let merged = merge::merged(reading, &session);
    let word = merged.rules.iter().find(|entry| entry.key == SKILL);
    if let Some(merge::Value::Effect(effect)) = word.map(|entry| &entry.value) {
        edits.push(last("*", effect.word()));
    }
    Some(edits)
}

/// The edits that replace a single word for all permissions by a table.
fn as_table(file: &SettingsFile) -> Vec<Edit> {
    let Some(Kind::Text(word)) = file.at(&[PERMISSION]).map(|node| &node.kind) else {
        return Vec::new();
    };
    vec![Edit::remove(&[], PERMISSION), Edit::set(&[PERMISSION], "*", word.as_str())]
}

/// Whether a key after `skill` is a pattern that matches `skill`.
fn spoken_of_after(permission: &Node) -> bool {
    let after = permission.fields().iter().skip_while(|field| field.key != SKILL).skip(1);
    after.into_iter().any(|field| merge::pattern(&field.key).matches(SKILL))
}

/// Puts all rules of a layer in one file, in this order.
fn all(family: &'static Family, reading: &Reading, layer: Layer, rules: &[NewRule]) -> Candidates {
    let files = files(family, reading, layer)?;
    let wanted = rules
        .iter()
        .map(|rule| Ok((key(rule)?, rule.effect)))
        .collect::<Result<Vec<_>, Refusal>>()?;
    let Some((first, others)) = files.split_first() else { return Err(Refusal::NoPlace(layer)) };
    let mut candidate: Candidate = others.iter().filter_map(|file| emptied(file)).collect();
    candidate.extend(filled(first, &wanted));
    Ok(vec![candidate])
}

fn keys(file: &SettingsFile) -> impl Iterator<Item = &str> {
    file.at(SKILLS).map(Node::fields).unwrap_or_default().iter().map(|field| field.key.as_str())
}

fn remove(key: &str) -> Edit {
    Edit::remove(SKILLS, key)
}

/// Removes the word that is in place of a table of skills.
fn without_word(file: &SettingsFile) -> Option<Edit> {
    file.at(SKILLS)?.text().map(|_| Edit::remove(&[PERMISSION], SKILL))
}

fn emptied(file: &SettingsFile) -> Option<FileEdit> {
    let mut edits: Vec<Edit> = keys(file).map(remove).collect();
    edits.extend(without_word(file));
    (!edits.is_empty()).then(|| file.edit(edits))
}

/// Rules that are in order already are not moved.
fn filled(file: &SettingsFile, wanted: &[(String, Permission)]) -> Option<FileEdit> {
    let mut edits: Vec<Edit> = if wanted.is_empty() { Vec::new() } else { as_table(file) };
    edits.extend(without_word(file));
    let stays = |key: &&str| wanted.iter().any(|(name, _)| name == key);
    edits.extend(keys(file).filter(|key| !stays(key)).map(remove));
    let in_order =
        keys(file).filter(stays).zip(wanted).take_while(|(key, (name, _))| key == name).count();
    edits.extend(wanted.iter().enumerate().map(|(index, (name, effect))| match index < in_order {
        true => Edit::set(SKILLS, name, effect.word()),
        false => last(name, effect.word()),
    }));
    (!edits.is_empty()).then(|| file.edit(edits))
}
