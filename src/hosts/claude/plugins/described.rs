//! What the manifest of a plugin and the entry of a marketplace say, and which of them the program
//! refuses. Tried with the program, 2.1.332.

use super::MANIFEST;
use crate::hosts::{Reading, shapes};
use crate::settings::{Kind, Node};
use std::path::{Path, PathBuf};

/// The manifest of a plugin, if it has one; `None` if the program refuses it, and the plugin with
/// it.
pub(super) fn manifest<'a>(reading: &'a Reading, folder: &Path) -> Option<Option<&'a Node>> {
    let Some(file) = reading.plugin_file(&folder.join(MANIFEST)) else { return Some(None) };
    let node = file.effective()?;
    let name = node.text_of("name").filter(|name| !name.is_empty())?;
    (!name.contains(char::is_whitespace) && has_shapes(node, SHAPES)).then_some(Some(node))
}

/// Whether the program takes an entry of a marketplace.
pub(super) fn is_sound_entry(entry: &Node) -> bool {
    let own: &[(&str, Shape)] = &[
        ("strict", |node| node.flag().is_some()),
        ("source", |node| is_table(node) || node.text() == Some(".") || is_path(node, "")),
    ];
    has_shapes(entry, SHAPES) && has_shapes(entry, own)
}

/// Whether the program takes the list of a marketplace: it has a name and an owner with one.
pub(super) fn is_sound_list(list: &Node) -> bool {
    let has_name = |node: &Node| node.text_of("name").is_some_and(|name| !name.is_empty());
    has_name(list) && list.get("owner").is_some_and(has_name)
}

/// What a value must be.
type Shape = fn(&Node) -> bool;

/// The keys for whose values the program refuses a plugin. It passes over other keys, and over
/// other values of these that say who made the plugin.
const SHAPES: &[(&str, Shape)] = &[
    ("version", |node| node.text().is_some()),
    ("skills", |node| each(node, |one| one.text() == Some(".") || is_path(one, ""))),
    ("commands", |node| match &node.kind {
        Kind::Table(commands) => commands.iter().all(|command| is_command(&command.node)),
        _ => each(node, |one| is_path(one, "")),
    }),
    ("agents", |node| each(node, |one| is_path(one, ".md"))),
    ("outputStyles", |node| each(node, |one| is_path(one, ""))),
    ("themes", |node| each(node, |one| is_path(one, ""))),
    ("hooks", |node| each(node, is_table_or_file)),
    ("mcpServers", |node| each(node, is_server)),
    ("lspServers", |node| each(node, is_table_or_file)),
    ("dependencies", |node| matches!(node.kind, Kind::List(_))),
    ("channels", |node| matches!(node.kind, Kind::List(_))),
    ("settings", is_table),
    ("userConfig", is_table),
];

fn has_shapes(node: &Node, shapes: &[(&str, Shape)]) -> bool {
    shapes.iter().all(|(key, fits)| node.get(key).is_none_or(fits))
}

/// Whether a value, or each item of a list, fits.
fn each(node: &Node, fits: Shape) -> bool {
    match &node.kind {
        Kind::List(items) => items.iter().all(fits),
        _ => fits(node),
    }
}

fn is_path(node: &Node, end: &str) -> bool {
    node.text().is_some_and(|path| path.starts_with("./") && path.ends_with(end))
}

fn is_table(node: &Node) -> bool {
    matches!(node.kind, Kind::Table(_))
}

fn is_table_or_file(node: &Node) -> bool {
    is_table(node) || is_path(node, ".json")
}

/// A server may also be a bundle, whose address may be that of a website.
fn is_server(node: &Node) -> bool {
    let is_bundle = |text: &str| text.ends_with(".mcpb") || text.ends_with(".dxt");
    is_table_or_file(node) || node.text().is_some_and(is_bundle)
}

/// A command of a table has its text, or a file with it.
fn is_command(node: &Node) -> bool {
    let (file, text) = (node.get("source"), node.text_of("content").unwrap_or_default());
    file.map_or(!text.is_empty(), |file| text.is_empty() && is_path(file, ""))
}

/// The texts of a list, or the text that stands for a list of one. Of a table of commands, the files
/// that it names.
pub(super) fn listed<'a>(node: &'a Node, key: &str) -> Vec<&'a str> {
    let Some(said) = node.get(key) else { return Vec::new() };
    match &said.kind {
        Kind::List(items) => items.iter().filter_map(Node::text).collect(),
        Kind::Table(named) => named.iter().filter_map(|it| it.node.text_of("source")).collect(),
        _ => said.text().into_iter().collect(),
    }
}

/// Whether an entry says where parts of the plugin are. One that is to stand alone may not do so
/// where there is a manifest.
pub(super) fn names_parts(entry: &Node) -> bool {
    let parts = ["commands", "agents", "skills", "hooks", "outputStyles", "themes"];
    let says = |node: &Node| node.text() != Some("");
    let themes = entry.at(&["experimental", "themes"]);
    parts.iter().filter_map(|part| entry.get(part)).chain(themes).any(says)
}

/// The folder in a marketplace on this machine that the path of an entry names; `None` if the
/// program does not go there.
pub(super) fn source(market: &Path, said: &str) -> Option<PathBuf> {
    let below = said.strip_prefix("./").unwrap_or_default();
    let is_plain = below.split('/').all(|name| name != "." && name != "..");
    is_plain.then(|| shapes::beneath(market, below.trim_start_matches('/')))?
}
