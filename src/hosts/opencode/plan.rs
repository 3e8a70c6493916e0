//! Edits of opencode's settings. A wanted rule goes last in its table, since the last rule that
//! matches decides.
//!
//! One word in the place of a table (`"skill": "ask"`) applies to every skill. If a table replaces
//! it, or comes after it in another file, the word is kept as `"*"`: otherwise the other skills
//! would be allowed.

use super::super::rule_order::{WrittenRule, arranged};
use super::super::{Candidate, Candidates, FileEdit, Reading, SettingsFile, Wanted, WantedRules};
use super::family::Family;
use super::merge::{self, SKILL, Source};
use super::{MAIN, PERMISSION};
use crate::catalog::{Enablement, Permission};
use crate::policy::change::{NewRule, Refusal};
use crate::policy::{Layer, Subject, Tool};
use crate::settings::{self, Edit, Kind, Node, Value, entry};

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

fn without(files: &[&SettingsFile], key: &str, but: Option<&SettingsFile>) -> Vec<FileEdit> {
    let other =
        |file: &&SettingsFile| but.is_none_or(|but| but.location.path != file.location.path);
    naming(files, key).filter(other).map(|file| file.edit(vec![remove(key)])).collect()
}

/// The files with a rule of this key.
fn naming<'a>(files: &[&'a SettingsFile], key: &str) -> impl Iterator<Item = &'a SettingsFile> {
    files.iter().copied().filter(move |file| file.at(&[PERMISSION, SKILL, key]).is_some())
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
        let mut policy = crate::policy::Policy::without_settings(super::OPENCODE.evaluation);
        (family.rulings)(reading, &mut policy);
        let ruling = policy.permission_of(Tool::SkillLoad, &Subject::named(key), None);
        return Err(Refusal::Blocked { by: ruling.origin, off: ruling.value == Permission::Deny });
    }
    Ok(candidates)
}

const SKILLS: &[&str] = &[PERMISSION, SKILL];

/// The table in which a single word stands for that table.
const WORD: &[&str] = &[PERMISSION];

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
                Some(vec![word_to_table(WORD, SKILL, word)])
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
    vec![word_to_table(&[], PERMISSION, word)]
}

/// A table in the place of a single word, with the same meaning.
fn word_to_table(table: &[&str], key: &str, word: &str) -> Edit {
    Edit::replace(table, key, Value::Table(vec![entry("*", word)]))
}

/// Whether a key after `skill` is a pattern that matches `skill`.
fn spoken_of_after(permission: &Node) -> bool {
    let after = permission.fields().iter().skip_while(|field| field.key != SKILL).skip(1);
    after.into_iter().any(|field| merge::pattern(&field.key).matches(SKILL))
}

/// In this order: each rule changed where it stands, and new ones last; all rules of the layer in
/// one file, in their order.
fn all(family: &'static Family, reading: &Reading, layer: Layer, rules: &[NewRule]) -> Candidates {
    let files = files(family, reading, layer)?;
    let wanted = rules
        .iter()
        .map(|rule| Ok((key(rule)?, rule.effect)))
        .collect::<Result<Vec<_>, Refusal>>()?;
    let Some((first, others)) = files.split_first() else { return Err(Refusal::NoPlace(layer)) };
    let mut candidates: Vec<Candidate> =
        in_place(family, reading, &files, rules).into_iter().collect();
    let mut candidate: Candidate = others.iter().filter_map(|file| emptied(file)).collect();
    candidate.extend(filled(first, &wanted));
    candidates.push(candidate);
    Ok(candidates)
}

/// The edits by which rules stay where they are. `None` if one must come before another that stays,
/// or if one goes that is not ours to write.
fn in_place(
    family: &'static Family,
    reading: &Reading,
    files: &[&SettingsFile],
    rules: &[NewRule],
) -> Option<Candidate> {
    let session = merge::session(family, &reading.context);
    let merged = merge::merged(reading, &session);
    let (own, written) = written_rules(reading, &merged, files);
    let arranged = arranged(&written, rules);
    let owned = |at: usize| match &written[at] {
        WrittenRule::Own(index, rule) => Some((own[*index], rule)),
        _ => None,
    };
    let mut edits: Vec<(&SettingsFile, Edit)> = Vec::new();
    let mut last_rules: Vec<&NewRule> = Vec::new();
    for (at, rule) in arranged.changed {
        let ((file, path, name), old) = owned(at)?;
        if old.pattern == rule.pattern {
            edits.push((file, Edit::set(path, name, rule.effect.word())));
            continue;
        }
        // Another file would give its key the old place.
        let to = key(rule).ok()?;
        let is_alone = naming(files, name).count() == 1 && naming(files, &to).next().is_none();
        (path == SKILLS && is_alone).then_some(())?;
        edits.push((file, Edit::rename(path, name, &to)));
        edits.push((file, Edit::set(path, &to, rule.effect.word())));
    }
    for at in arranged.gone {
        let ((file, path, name), _) = owned(at)?;
        match path == SKILLS {
            true => edits.extend(naming(files, name).map(|file| (file, remove(name)))),
            false => edits.push((file, Edit::remove(path, name))),
        }
    }
    for (between, rule) in arranged.new {
        last_rules.push(rule);
        (between.end == written.len()).then_some(())?;
    }
    if let Some(first) = files.first().filter(|_| !last_rules.is_empty()) {
        edits.extend(opened(family, reading, first)?.into_iter().map(|edit| (*first, edit)));
        for rule in last_rules {
            edits.push((*first, last(&key(rule).ok()?, rule.effect.word())));
        }
    }
    let of = |file: &&SettingsFile| {
        let of_file = edits.iter().filter(|(other, _)| other.shown == file.shown);
        let edits: Vec<Edit> = of_file.map(|(_, edit)| edit.clone()).collect();
        (!edits.is_empty()).then(|| file.edit(edits))
    };
    Some(files.iter().filter_map(of).collect())
}

/// A file with a rule, the path of its table, and its key there.
type Owned<'a> = (&'a SettingsFile, &'static [&'static str], &'a str);

/// The rules of the layer of these files, and where those stand that are ours to write.
fn written_rules<'a>(
    reading: &'a Reading,
    merged: &merge::Merged<'a>,
    files: &[&SettingsFile],
) -> (Vec<Owned<'a>>, Vec<WrittenRule>) {
    let (mut own, mut all): (Vec<Owned<'a>>, _) = (Vec::new(), Vec::new());
    // The agent's own permissions come later.
    let skills = merged.rules.iter().find(|entry| entry.key == SKILL);
    for (rule, entry, inner) in merge::said(&merged.rules, &reading.context) {
        let Source::File(file) = inner.unwrap_or(entry).source else { continue };
        if files.iter().all(|other| other.location.layer != rule.layer) {
            continue;
        }
        let (path, name) = inner.map_or((WORD, SKILL), |inner| (SKILLS, inner.key));
        let stands = file.at(path).is_some_and(|table| table.text_of(name).is_some());
        let is_ours = files.iter().any(|other| other.shown == file.shown);
        let rule = NewRule::of(&rule);
        if is_ours && stands && skills.is_some_and(|skills| std::ptr::eq(skills, entry)) {
            all.push(WrittenRule::Own(own.len(), rule));
            own.push((file, path, name));
        } else {
            all.push(WrittenRule::Other(rule));
        }
    }
    (own, all)
}

fn keys(file: &SettingsFile) -> impl Iterator<Item = &str> {
    file.at(SKILLS).map(Node::fields).unwrap_or_default().iter().map(|field| field.key.as_str())
}

fn remove(key: &str) -> Edit {
    Edit::remove(SKILLS, key)
}

/// Removes the word that is in place of a table of skills, or makes room for the table there.
fn without_word(file: &SettingsFile, is_filled: bool) -> Option<Edit> {
    file.at(SKILLS)?.text()?;
    let is_there = is_filled && file.at(&[PERMISSION]).is_some_and(|all| !spoken_of_after(all));
    Some(match is_there {
        true => Edit::replace(WORD, SKILL, Value::Table(Vec::new())),
        false => Edit::remove(WORD, SKILL),
    })
}

fn emptied(file: &SettingsFile) -> Option<FileEdit> {
    let mut edits: Vec<Edit> = keys(file).map(remove).collect();
    edits.extend(without_word(file, false));
    (!edits.is_empty()).then(|| file.edit(edits))
}

/// Rules that are in order already are not moved.
fn filled(file: &SettingsFile, wanted: &[(String, Permission)]) -> Option<FileEdit> {
    let mut edits: Vec<Edit> = if wanted.is_empty() { Vec::new() } else { as_table(file) };
    edits.extend(without_word(file, !wanted.is_empty()));
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
