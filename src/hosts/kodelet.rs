//! Kodelet: read from its source. One folder of skills in the working directory and one at home,
//! each with plugins beside it. An allowlist of names says which skills there are.

mod head;

use super::{
    Candidates, Context, Control, Detect, Folder, Host, MentionForm, Proof, Reading, SettingsFile,
    SettingsPath, Wanted, shapes,
};
use crate::catalog::{Enablement, Hidden, HostId, Plugin, Root, Scope, Walk};
use crate::policy::change::Refusal;
use crate::policy::{Allowlist, Budget, Evaluation, Layer, Origin, Policy, Profile, Ruling};
use crate::settings::{Edit, Format, Kind, Node, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub const KODELET: Host = Host {
    id: HostId("kodelet"),
    name: "Kodelet",
    detect: Detect {
        programs: &["kodelet"],
        folders: &[Folder::fixed(".kodelet")],
        ..Detect::NEVER
    },
    proof: Proof::Source("216a6eb"),
    settings_paths,
    roots,
    budget: |_, _| Budget::Whole,
    evaluation: Evaluation {
        profile: Profile {
            refuses: &["file-case", "name-missing", "name-empty", "yaml-repaired"],
            takes: &[],
        },
        head: Some(&head::READER),
        ..Evaluation::HOST
    },
    rulings,
    control: Control {
        layers: &[Layer::User, Layer::Project],
        states: Control::ON_OFF,
        switch: Some(switch),
        because: "kodelet-config.yaml overrides ~/.kodelet/config.yaml key by key",
        ..Control::NONE
    },
    mention: MentionForm::Prose("Use the skill ", "."),
    ..Host::PLAIN
};

/// Immediate children with any name, links followed.
const WALK: Walk = Walk {
    depth: 1,
    itself: false,
    hidden: Hidden::Entered,
    modules: true,
    nested: false,
    ..Walk::STANDARD
};

/// The names of the skills that there are.
const ALLOWED: &[&str] = &["skills", "allowed"];

/// The person's file, and above it that of the working directory.
fn settings_paths(context: &Context) -> Vec<SettingsPath> {
    let location = |path, layer| shapes::file(path, layer, Format::Yaml);
    let own =
        context.home.as_ref().map(|home| location(home.join(".kodelet/config.yaml"), Layer::User));
    own.into_iter()
        .chain([location(context.cwd.join("kodelet-config.yaml"), Layer::Project)])
        .collect()
}

/// The working directory's, then the person's: in each the folder of skills, then those of the
/// plugins.
fn roots(reading: &Reading) -> Vec<Root> {
    let context = &reading.context;
    let root = |path, scope| Root::new(path, scope, KODELET.id, WALK);
    let own = context.home.as_ref().map(|home| (home.as_path(), Scope::User));
    let here = Some((context.cwd.as_path(), Scope::Repo))
        .filter(|(cwd, _)| own.is_none_or(|(home, _)| home != *cwd));
    let both = here.into_iter().chain(own);
    both.flat_map(|(folder, scope)| {
        let folder = folder.join(".kodelet");
        let plugins = plugins(&folder.join("plugins")).into_iter();
        let plugins =
            plugins.map(move |(path, plugin)| root(path, scope).of_plugin(&Arc::new(plugin)));
        std::iter::once(root(folder.join("skills"), scope)).chain(plugins)
    })
    .collect()
}

/// The folders of skills of all plugins, by name. Plugins that are links do not count. A skill `x`
/// of the plugin `org@repo` is `org/repo/x`.
fn plugins(folder: &Path) -> Vec<(PathBuf, Plugin)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let plugin = |entry: std::fs::DirEntry| {
        let id = entry.file_name().to_string_lossy().into_owned();
        let prefix = format!("{}/", id.replacen('@', "/", 1));
        let plugin = Plugin { kind: "plugin", id, prefix, version: None, commit: None };
        (entry.path().join("skills"), plugin)
    };
    let mut found: Vec<(PathBuf, Plugin)> = folders.map(plugin).collect();
    found.retain(|(path, _)| path.is_dir());
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// The value of a key in the highest file that has one. A null counts as no value.
fn said<'a>(reading: &'a Reading, key: &[&str]) -> Option<(&'a SettingsFile, &'a Node)> {
    let files = reading.files.iter().rev();
    let said = files.filter_map(|file| Some((file, file.at(key)?)));
    said.into_iter().find(|(_, node)| node.kind != Kind::Null)
}

/// The line of a key, which in YAML may be another than that of its value.
fn line(file: &SettingsFile, table: &[&str], key: &str) -> u32 {
    let fields = file.at(table).map_or(&[][..], Node::fields);
    fields.iter().find(|field| field.key == key).map_or(1, |field| field.line)
}

/// The switch for all, then the allowlist. A value that cannot be read disables all, or allows
/// none.
fn rulings(reading: &Reading, policy: &mut Policy) {
    policy.skills_enabled = enabled(reading, policy);
    let Some((file, node)) = said(reading, ALLOWED) else { return };
    let (names, sound) = names(node);
    if !sound {
        file.report(policy, node.line, "skills.allowed is not a list of names");
    }
    if sound && names.is_empty() {
        return;
    }
    let origin = file.origin(line(file, &["skills"], "allowed"), "skills.allowed");
    policy.allowlists.push(Allowlist {
        names: names.into_iter().collect(),
        origin,
        layer: file.location.layer,
    });
}

fn enabled(reading: &Reading, policy: &mut Policy) -> Ruling<bool> {
    if reading.context.home.is_none() {
        return Ruling::new(false, Origin::Host("the lack of a home directory"));
    }
    let no_skills =
        reading.context.variable("KODELET_NO_SKILLS").and_then(|value| flag(value.to_str()?));
    if no_skills == Some(true) {
        return Ruling::new(false, Origin::Session("KODELET_NO_SKILLS".into()));
    }
    let Some((file, _)) = said(reading, &["skills"]) else {
        return Ruling::new(true, Origin::Default);
    };
    let Some((file, node)) = said(reading, &["skills", "enabled"]) else {
        return Ruling::new(
            false,
            file.origin(line(file, &[], "skills"), "skills without enabled: true"),
        );
    };
    match node.flag().or_else(|| flag(node.text()?)) {
        Some(on) => Ruling::new(on, file.origin(node.line, format!("skills.enabled {on}"))),
        None => {
            file.report(policy, node.line, "skills.enabled is not true or false");
            Ruling::new(false, file.unreadable(node.line, "skills.enabled"))
        }
    }
}

/// A text as Go reads a boolean.
fn flag(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// The names of an allowlist, and whether all entries were understood. A text is split at its
/// commas.
fn names(node: &Node) -> (Vec<String>, bool) {
    if let Some(text) = node.text() {
        return (
            text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            true,
        );
    }
    let Kind::List(items) = &node.kind else { return (Vec::new(), false) };
    let name = |item: &Node| match &item.kind {
        Kind::Text(text) | Kind::Number(text) => Some(text.clone()),
        _ => None,
    };
    let names: Vec<String> = items.iter().filter_map(name).collect();
    let sound = names.len() == items.len();
    (names, sound)
}

/// Kodelet's switch is the allowlist. A new one must name all skills that stay enabled. An empty
/// one would mean *all*, so the last skill is disabled by `enabled: false`; and with a list
/// `enabled: true` must be set.
fn switch(reading: &Reading, wanted: &Wanted<'_>) -> Candidates {
    let file = reading.writable(wanted.layer, "settings")?;
    let on = KODELET.policy(reading).skills_enabled.value;
    let list =
        said(reading, ALLOWED).map(|(_, node)| names(node).0).filter(|list| !list.is_empty());
    let edits = match wanted.state {
        Enablement::On => switch_on(file, wanted, on, list)?,
        _ => switch_off(file, wanted, list)?,
    };
    Ok(vec![Vec::new(), vec![file.edit(edits)]])
}

fn switch_off(
    file: &SettingsFile,
    wanted: &Wanted<'_>,
    list: Option<Vec<String>>,
) -> Result<Vec<Edit>, Refusal> {
    let written = list.is_some() && own(file).is_some();
    let mut rest = match list {
        Some(list) => list,
        None => wanted.others.ok_or(Refusal::Unread)?.to_vec(),
    };
    rest.retain(|name| name.trim() != wanted.name);
    Ok(match (rest.is_empty(), written) {
        (true, _) => vec![set_enabled(false)],
        (false, true) => {
            vec![set_enabled(true), Edit::remove_text(ALLOWED, wanted.name)]
        }
        (false, false) => vec![set_enabled(true), set_allowed(&rest)],
    })
}

/// If all skills are off, only this one is enabled: the others that are seen from here leave the
/// list, so that they stay off. Names of other repositories stay in it.
fn switch_on(
    file: &SettingsFile,
    wanted: &Wanted<'_>,
    on: bool,
    list: Option<Vec<String>>,
) -> Result<Vec<Edit>, Refusal> {
    let name = wanted.name.to_owned();
    let mut edits = vec![set_enabled(true)];
    let mut list = list.unwrap_or_default();
    let mut removed = Vec::new();
    if !on && !list.is_empty() {
        let others = wanted.others.ok_or(Refusal::Unread)?;
        let (gone, rest): (Vec<String>, Vec<String>) =
            list.into_iter().partition(|known| others.iter().any(|other| other == known.trim()));
        list = rest;
        if own(file).is_some() {
            removed.extend(gone.iter().map(|gone| Edit::remove_text(ALLOWED, gone)));
        }
    }
    let is_named = list.iter().any(|known| known.trim() == name);
    // The list stays even if it names every skill: without it the skills of other repositories
    // would be enabled too.
    match (own(file).is_some(), is_named) {
        (true, true) => {}
        (true, false) => edits.push(Edit::push_text(ALLOWED, &name)),
        (false, _) => {
            list.extend((!is_named).then_some(name));
            edits.push(set_allowed(&list));
        }
    }
    // At the end, since a list that has become empty in between would lose its style.
    edits.extend(removed);
    Ok(edits)
}

/// The allowlist that a file itself has.
fn own(file: &SettingsFile) -> Option<&Node> {
    file.at(ALLOWED).filter(|node| !node.items().is_empty())
}

fn set_enabled(on: bool) -> Edit {
    Edit::set(&["skills"], "enabled", on)
}

fn set_allowed(names: &[String]) -> Edit {
    let value = Value::List(names.iter().cloned().map(Value::Text).collect());
    Edit::set(&["skills"], "allowed", value)
}

#[cfg(test)]
mod tests;
