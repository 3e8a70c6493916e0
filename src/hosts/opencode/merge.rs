//! How opencode makes one list of rules from many files. Tables are merged key by key, and a key
//! keeps its position from the first file; any other value replaces the old one (`mergeDeep`).

use super::super::{Context, Reading, SettingsFile};
use super::family::Family;
use super::typed;
use crate::catalog::Permission;
use crate::policy::{Layer, Origin, Pattern, Rule};
use crate::settings::{self, Format, Kind, Node, Reader};
use std::borrow::Cow;
use std::path::Path;

/// The permission for loading skills.
pub(super) const SKILL: &str = "skill";

/// The older key for permissions: `false` denies.
const TOOLS: &str = "tools";

/// Where a value comes from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    File(&'a SettingsFile),
    /// A variable of the environment.
    Variables(&'static str),
}

/// The table of a document in which a key stands.
#[derive(Clone, Copy)]
struct Block<'a> {
    /// `agent` or `mode`, and the agent's name there; `None` at the top of a document.
    agent: Option<(&'static str, &'a str)>,
    /// `permission` or `tools`.
    table: &'static str,
}

impl<'a> Block<'a> {
    const PERMISSION: Self = Self { agent: None, table: super::PERMISSION };

    /// The same table of an agent.
    fn of(self, agent: Option<(&'static str, &'a str)>) -> Self {
        Self { agent, ..self }
    }

    /// The key of the table: `agent.build.permission`.
    fn path(self) -> String {
        let above = self.agent.map(|(key, name)| format!("{key}.{name}.")).unwrap_or_default();
        format!("{above}{}", self.table)
    }
}

/// A key of the merged permissions.
pub(super) struct MergedKey<'a> {
    pub(super) key: &'a str,
    pub(super) source: Source<'a>,
    block: Block<'a>,
    line: u32,
    pub(super) value: Value<'a>,
}

pub(super) enum Value<'a> {
    Effect(Permission),
    Table(Vec<MergedKey<'a>>),
    /// `null`, which takes the key away (Kilo Code). Nothing merged has it.
    Nothing,
}

/// What opencode cannot read, and in which line; it stops there.
pub(super) type Fault<'a> = (Source<'a>, u32);

/// The merged permissions.
pub(super) struct Merged<'a> {
    /// The permissions, those of the family's agent after the others.
    pub(super) rules: Vec<MergedKey<'a>>,
    /// The files and variables with values of a wrong type.
    pub(super) faults: Vec<Fault<'a>>,
}

/// Permissions from environment variables.
pub(super) struct Variables {
    family: &'static Family,
    content: Option<Node>,
    permission: Option<Node>,
    /// The settings of the environment cannot be read.
    is_broken: bool,
}

/// Reads the environment. opencode ignores permissions that are not JSON, and stops at settings
/// that are none.
pub(super) fn session(family: &'static Family, context: &Context) -> Variables {
    let read = |name, format| {
        let text = context.variable(name)?.to_string_lossy();
        Some(settings::read_as(format, text.as_bytes(), Reader::JavaScript))
    };
    let content = read(family.content, Format::Jsonc);
    let is_broken = content.as_ref().is_some_and(Result::is_err);
    let permission = read(family.permission, Format::Json).and_then(Result::ok);
    let permission = permission.filter(|node| matches!(node.kind, Kind::Table(_)));
    Variables { family, content: content.and_then(Result::ok), permission, is_broken }
}

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
        .chain(session.content.iter().map(|node| (Source::Variables(session.family.content), node)))
        .chain(of(true))
        .collect()
}

/// All permissions. `tools` comes before them: `false` denies. What `mode` says of the agent
/// comes after what `agent` says.
pub(super) fn merged<'a>(reading: &'a Reading, session: &'a Variables) -> Merged<'a> {
    let mut faults: Vec<Fault<'a>> = Vec::new();
    if session.is_broken {
        faults.push((Source::Variables(session.family.content), 1));
    }
    let (mut tools, mut rules) = (Vec::new(), Vec::new());
    let (mut build, mut mode) = (Vec::new(), Vec::new());
    for (source, document) in documents(reading, session) {
        if let Source::File(file) = source
            && super::is_agent(file)
        {
            match typed::refused_agent(document, session.family.nulls) {
                None => merge(&mut build, of_file(session.family, source, document)),
                Some(line) if file.location.role == super::AGENT => faults.push((source, line)),
                Some(_) => {}
            }
            continue;
        }
        if let Some(line) = typed::refused(document, session.family.nulls) {
            faults.push((source, line));
            continue;
        }
        merge(&mut tools, flags(source, document, None));
        merge(&mut rules, permissions(source, document, None));
        for (into, key) in [(&mut build, "agent"), (&mut mode, "mode")] {
            // Of two names of one agent the later counts.
            let agents = document.get(key).map(Node::fields).unwrap_or_default();
            let is_it = |field: &&settings::Field| session.family.is_agent(&field.key);
            if let Some(agent) = agents.iter().rev().find(is_it) {
                merge(into, of_agent(source, &agent.node, Some((key, &agent.key))));
            }
        }
    }
    if let Some(node) = &session.permission {
        let source = Source::Variables(session.family.permission);
        let said = Value::Table(table(source, node, Block::PERMISSION));
        let said = if session.family.nulls { said } else { said.alone() };
        if let Value::Table(said) = said {
            merge(&mut rules, said);
        }
    }
    merge(&mut tools, rules);
    merge(&mut build, mode);
    tools.extend(build);
    Merged { rules: tools, faults }
}

/// The permissions in the agent's own file, which may give the agent another name.
fn of_file<'a>(family: &Family, source: Source<'a>, agent: &'a Node) -> Vec<MergedKey<'a>> {
    let is_it = agent.text_of("name").is_none_or(|name| family.is_agent(name));
    if is_it { of_agent(source, agent, None) } else { Vec::new() }
}

/// The permissions of an agent in one document, in which it has this name: a permission replaces
/// the tool of its name.
fn of_agent<'a>(
    source: Source<'a>,
    agent: &'a Node,
    name: Option<(&'static str, &'a str)>,
) -> Vec<MergedKey<'a>> {
    let mut all = flags(source, agent, name);
    for entry in permissions(source, agent, name) {
        match all.iter_mut().find(|known| known.key == entry.key) {
            Some(known) => *known = entry,
            None => all.push(entry),
        }
    }
    all
}

/// The key `tools` of a document or an agent.
fn flags<'a>(
    source: Source<'a>,
    node: &'a Node,
    agent: Option<(&'static str, &'a str)>,
) -> Vec<MergedKey<'a>> {
    let block = Block { agent, table: TOOLS };
    let entry = |field: &'a settings::Field| {
        let effect = if field.node.flag()? { Permission::Allow } else { Permission::Deny };
        let (key, line, value) = (&*field.key, field.line, Value::Effect(effect));
        Some(MergedKey { key, source, block, line, value })
    };
    node.get(TOOLS).map(Node::fields).unwrap_or_default().iter().filter_map(entry).collect()
}

/// The key `permission` of a document or an agent.
fn permissions<'a>(
    source: Source<'a>,
    node: &'a Node,
    agent: Option<(&'static str, &'a str)>,
) -> Vec<MergedKey<'a>> {
    let block = Block::PERMISSION.of(agent);
    node.get(super::PERMISSION).map(|node| table(source, node, block)).unwrap_or_default()
}

/// A table of permissions; a single word applies to all of them.
fn table<'a>(source: Source<'a>, node: &'a Node, block: Block<'a>) -> Vec<MergedKey<'a>> {
    let Kind::Table(fields) = &node.kind else {
        let all = |value| MergedKey { key: "*", source, block, line: node.line, value };
        // Here `null` says nothing.
        let word = effect(node).filter(|_| node.kind != Kind::Null);
        return word.map(all).into_iter().collect();
    };
    let entry = |field: &'a settings::Field| {
        let value = match &field.node.kind {
            Kind::Table(_) => Value::Table(table(source, &field.node, block)),
            _ => effect(&field.node)?,
        };
        Some(MergedKey { key: &field.key, source, block, line: field.line, value })
    };
    fields.iter().filter_map(entry).collect()
}

/// What is neither a text nor `null` can only be the environment's, and says nothing; another word
/// neither allows nor denies.
fn effect<'a>(node: &Node) -> Option<Value<'a>> {
    if node.kind == Kind::Null {
        return Some(Value::Nothing);
    }
    Some(Value::Effect(Permission::from_word(node.text()?).unwrap_or(Permission::Ask)))
}

fn merge<'a>(into: &mut Vec<MergedKey<'a>>, entries: Vec<MergedKey<'a>>) {
    for entry in entries {
        let known = into.iter().position(|known| known.key == entry.key);
        match (known.map(|at| (at, &mut into[at].value)), entry.value) {
            (None, Value::Nothing) => {}
            (Some((at, _)), Value::Nothing) => drop(into.remove(at)),
            (Some((_, Value::Table(old))), Value::Table(new)) => merge(old, new),
            (Some((at, _)), value) => into[at] = MergedKey { value: value.alone(), ..entry },
            (None, value) => into.push(MergedKey { value: value.alone(), ..entry }),
        }
    }
}

impl Value<'_> {
    /// The value where nothing is known that it could take away.
    fn alone(self) -> Self {
        let Self::Table(entries) = self else { return self };
        let mut kept = Vec::new();
        merge(&mut kept, entries);
        Self::Table(kept)
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

/// A rule on skills, the permission that has it, and its key there unless the permission is a
/// single word.
pub(super) type Said<'a, 'b> = (Rule, &'b MergedKey<'a>, Option<&'b MergedKey<'a>>);

/// The merged permissions as rules on skills, in their order. A permission's name may itself be a
/// pattern; in a pattern on skills, `~` and `$HOME` at the beginning are the home directory.
pub(super) fn said<'a, 'b>(merged: &'b [MergedKey<'a>], context: &Context) -> Vec<Said<'a, 'b>> {
    let home = context.home.as_deref().unwrap_or(Path::new("")).to_string_lossy();
    let about = merged.iter().filter(|entry| pattern(entry.key).matches(SKILL));
    let of = |entry: &'b MergedKey<'a>| match &entry.value {
        Value::Effect(effect) => {
            vec![(rule(entry, entry.key, None, (Pattern::Any, *effect)), entry, None)]
        }
        Value::Table(entries) => {
            let one = |inner: &'b MergedKey<'a>| match inner.value {
                Value::Effect(effect) => {
                    let what = (pattern(&expanded(inner.key, &home)), effect);
                    Some((rule(inner, entry.key, Some(inner.key), what), entry, Some(inner)))
                }
                Value::Table(_) | Value::Nothing => None,
            };
            ordered(entries).into_iter().filter_map(one).collect()
        }
        Value::Nothing => Vec::new(),
    };
    about.flat_map(of).collect()
}

pub(super) fn rules(merged: &[MergedKey<'_>], context: &Context) -> Vec<Rule> {
    said(merged, context).into_iter().map(|(rule, ..)| rule).collect()
}

fn expanded<'k>(key: &'k str, home: &str) -> Cow<'k, str> {
    let rest = key.strip_prefix("$HOME").or_else(|| match key {
        "~" => Some(""),
        key => key.strip_prefix('~').filter(|rest| rest.starts_with('/')),
    });
    rest.map_or(key.into(), |rest| format!("{home}{rest}").into())
}

fn rule(
    entry: &MergedKey<'_>,
    permission: &str,
    key: Option<&str>,
    (pattern, effect): (Pattern, Permission),
) -> Rule {
    let path = entry.block.path();
    let text = match key {
        Some(key) => format!("{path}.{permission} \"{key}\": \"{}\"", effect.word()),
        None if entry.block.table == TOOLS => {
            format!("{path}.{permission}: {}", effect == Permission::Allow)
        }
        None => format!("{path}.{permission}: \"{}\"", effect.word()),
    };
    let (origin, layer) = match entry.source {
        Source::File(file) => (file.origin(entry.line, text), file.location.layer),
        // We never change it, as with an administrator's file.
        Source::Variables(variable) => {
            (Origin::Session(format!("{variable} ({text})").into()), Layer::Managed)
        }
    };
    Rule::loading(pattern, effect, origin, layer)
}

/// `skills.paths` of the last file that has them: lists are not merged. A list in the place of the
/// table has paths and addresses. With the layer that names them.
pub(super) fn skill_paths(family: &'static Family, reading: &Reading) -> (Vec<String>, Layer) {
    skill_texts(family, reading, "paths", |text| !is_address(text))
}

/// `skills.urls`, likewise.
pub(super) fn skill_addresses(family: &'static Family, reading: &Reading) -> Vec<String> {
    skill_texts(family, reading, "urls", is_address).0
}

fn skill_texts(
    family: &'static Family,
    reading: &Reading,
    key: &str,
    is_it: fn(&str) -> bool,
) -> (Vec<String>, Layer) {
    let session = session(family, &reading.context);
    let documents = documents(reading, &session);
    let texts = |node: &Node| {
        let skills = node.get("skills")?;
        let is_list = matches!(skills.kind, Kind::List(_));
        let list = if is_list { skills } else { skills.get(key)? };
        let texts = list.items().iter().filter_map(Node::text);
        let texts = texts.filter(|text| !is_list || is_it(text));
        Some(texts.map(str::to_owned).collect())
    };
    let is_settings = |source: &Source<'_>| match source {
        Source::File(file) => !super::is_agent(file),
        Source::Variables(_) => true,
    };
    let layer = |source: &Source<'_>| match source {
        Source::File(file) => file.location.layer,
        Source::Variables(_) => Layer::User,
    };
    let mut settings = documents.iter().rev().filter(|(source, _)| is_settings(source));
    let found = settings.find_map(|(source, node)| Some((texts(node)?, layer(source))));
    found.unwrap_or((Vec::new(), Layer::User))
}

fn is_address(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.starts_with("http://") || text.starts_with("https://")
}
