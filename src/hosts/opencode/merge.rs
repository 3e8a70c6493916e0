//! How opencode makes one list of rules from many files. Tables are merged key by key, and a key
//! keeps its position from the first file; any other value replaces the old one (`mergeDeep`).

use super::super::{Context, Reading, SettingsFile};
use crate::catalog::Permission;
use crate::policy::{Layer, Origin, Pattern, Rule};
use crate::settings::{self, Format, Kind, Node};

/// The permission for loading skills.
pub(super) const SKILL: &str = "skill";

/// Where a value comes from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    File(&'a SettingsFile),
    /// A variable of the environment.
    Variables(&'static str),
}

/// A key of the merged permissions.
pub(super) struct MergedKey<'a> {
    pub(super) key: &'a str,
    pub(super) source: Source<'a>,
    line: u32,
    pub(super) value: Value<'a>,
}

pub(super) enum Value<'a> {
    Effect(Permission),
    Table(Vec<MergedKey<'a>>),
}

/// A file that opencode cannot read: the line, and why.
type Fault<'a> = (&'a SettingsFile, (u32, String));

/// The merged permissions.
pub(super) struct Merged<'a> {
    /// The permissions, those of the agent `build` after the others.
    pub(super) rules: Vec<MergedKey<'a>>,
    /// The files and variables with errors.
    pub(super) faults: Vec<Fault<'a>>,
}

/// Permissions from environment variables.
pub(super) struct Variables {
    content: Option<Node>,
    permission: Option<Node>,
}

/// Reads the environment. opencode ignores a variable that is not JSON, too.
pub(super) fn session(context: &Context) -> Variables {
    let read = |name| {
        let text = context.variable(name)?.to_str()?;
        settings::read(Format::Jsonc, text.as_bytes()).ok()
    };
    Variables { content: read(CONTENT), permission: read(PERMISSION) }
}

const CONTENT: &str = "OPENCODE_CONFIG_CONTENT";

const PERMISSION: &str = "OPENCODE_PERMISSION";

/// The documents in the order in which they are merged: the environment comes before the
/// administrator's file.
fn documents<'a>(reading: &'a Reading, session: &'a Variables) -> Vec<(Source<'a>, &'a Node)> {
    let of = |managed: bool| {
        let files = reading
            .files
            .iter()
            .filter(move |file| (file.location.layer == Layer::Managed) == managed);
        files.filter_map(|file| Some((Source::File(file), file.effective()?)))
    };
    of(false)
        .chain(session.content.iter().map(|node| (Source::Variables(CONTENT), node)))
        .chain(of(true))
        .collect()
}

/// All permissions. `tools` comes before them: `false` denies.
pub(super) fn merged<'a>(reading: &'a Reading, session: &'a Variables) -> Merged<'a> {
    let mut faults = Vec::new();
    let (mut tools, mut rules, mut build) = (Vec::new(), Vec::new(), Vec::new());
    for (source, document) in documents(reading, session) {
        if let Some(node) = document.get("tools") {
            merge(&mut tools, flags(source, node));
        }
        for (into, path) in
            [(&mut rules, &["permission"][..]), (&mut build, &["agent", "build", "permission"])]
        {
            if let Some(node) = document.at(path) {
                merge(into, table(source, node, &mut faults));
            }
        }
    }
    if let Some(node) = &session.permission {
        merge(&mut rules, table(Source::Variables(PERMISSION), node, &mut faults));
    }
    merge(&mut tools, rules);
    tools.extend(build);
    Merged { rules: tools, faults }
}

fn flags<'a>(source: Source<'a>, node: &'a Node) -> Vec<MergedKey<'a>> {
    let entry = |field: &'a settings::Field| {
        let effect = if field.node.flag()? { Permission::Allow } else { Permission::Deny };
        Some(MergedKey { key: &field.key, source, line: field.line, value: Value::Effect(effect) })
    };
    node.fields().iter().filter_map(entry).collect()
}

/// A table of permissions; a single word applies to all of them.
fn table<'a>(
    source: Source<'a>,
    node: &'a Node,
    faults: &mut Vec<Fault<'a>>,
) -> Vec<MergedKey<'a>> {
    let Kind::Table(fields) = &node.kind else {
        return vec![MergedKey {
            key: "*",
            source,
            line: node.line,
            value: effect(source, node, faults),
        }];
    };
    let entry = |field: &'a settings::Field| {
        let value = match &field.node.kind {
            Kind::Table(_) => Value::Table(table(source, &field.node, faults)),
            _ => effect(source, &field.node, faults),
        };
        MergedKey { key: &field.key, source, line: field.line, value }
    };
    fields.iter().map(entry).collect()
}

/// opencode cannot read a file with a word that is none of the three.
fn effect<'a>(source: Source<'a>, node: &Node, faults: &mut Vec<Fault<'a>>) -> Value<'a> {
    let known = node.text().and_then(Permission::from_word);
    if let (None, Source::File(file)) = (known, source) {
        let message =
            "a permission is not allow, ask or deny: opencode does not read the file".to_owned();
        faults.push((file, (node.line, message)));
    }
    Value::Effect(known.unwrap_or(Permission::Deny))
}

fn merge<'a>(into: &mut Vec<MergedKey<'a>>, entries: Vec<MergedKey<'a>>) {
    for entry in entries {
        match into.iter_mut().find(|known| known.key == entry.key) {
            None => into.push(entry),
            Some(known) => match (&mut known.value, entry.value) {
                (Value::Table(old), Value::Table(new)) => merge(old, new),
                (_, value) => *known = MergedKey { value, ..entry },
            },
        }
    }
}

/// A key as a pattern.
pub(super) fn pattern(key: &str) -> Pattern {
    match key {
        "*" => Pattern::Any,
        key if key.contains(['*', '?']) => Pattern::Glob(key.to_owned()),
        key => Pattern::Exact(key.to_owned()),
    }
}

/// Entries in JavaScript's order: keys that are whole numbers come before all others.
fn ordered<'a, 'b>(entries: &'b [MergedKey<'a>]) -> Vec<&'b MergedKey<'a>> {
    let number = |key: &str| {
        key.parse::<u32>().ok().filter(|number| *number < u32::MAX && number.to_string() == key)
    };
    let mut entries: Vec<&MergedKey<'a>> = entries.iter().collect();
    entries.sort_by_key(|entry| number(entry.key).map_or((1, 0), |number| (0, number)));
    entries
}

/// The merged permissions as rules on skills, in their order. A permission's name may itself be a
/// pattern.
pub(super) fn rules(merged: &[MergedKey<'_>]) -> Vec<Rule> {
    let about = merged.iter().filter(|entry| pattern(entry.key).matches(SKILL));
    let of = |entry: &MergedKey<'_>| match &entry.value {
        Value::Effect(effect) => vec![rule(entry, entry.key, None, *effect)],
        Value::Table(entries) => {
            let one = |inner: &MergedKey<'_>| match inner.value {
                Value::Effect(effect) => Some(rule(inner, entry.key, Some(inner.key), effect)),
                Value::Table(_) => None,
            };
            ordered(entries).into_iter().filter_map(one).collect()
        }
    };
    about.flat_map(of).collect()
}

fn rule(entry: &MergedKey<'_>, permission: &str, key: Option<&str>, effect: Permission) -> Rule {
    let text = match key {
        Some(key) => format!("permission.{permission} \"{key}\": \"{}\"", effect.word()),
        None => format!("permission.{permission}: \"{}\"", effect.word()),
    };
    let (origin, layer) = match entry.source {
        Source::File(file) => (file.origin(entry.line, text), file.location.layer),
        // We never change it, as with an administrator's file.
        Source::Variables(variable) => {
            (Origin::Session(format!("{variable} ({text})").into()), Layer::Managed)
        }
    };
    Rule::loading(key.map_or(Pattern::Any, pattern), effect, origin, layer)
}

/// `skills.paths` of the last file that has them: lists are not merged.
pub(super) fn skill_paths(reading: &Reading) -> Vec<String> {
    let session = session(&reading.context);
    let documents = documents(reading, &session);
    let last = documents.iter().rev().find_map(|(_, node)| node.at(&["skills", "paths"]));
    let texts = |node: &Node| {
        node.items().iter().filter_map(|item| item.text().map(str::to_owned)).collect()
    };
    last.map(texts).unwrap_or_default()
}
