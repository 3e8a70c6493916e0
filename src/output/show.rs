//! `show`: one skill, its text, its files.

use super::Out;
use super::parts::{exact, lossy};
use super::seen::{self, SeenRow};
use super::skill::{CutRow, Cuts, SkillRow};
use super::table::Signs;
use crate::catalog::Permission;
use crate::inert;
use crate::policy::{Entry, HostReport, Tool};
use crate::runtime::{EntryKind, FileEntry, LinkEnd, Text, Tree};
use crate::text::{Doc, SafeText, human_size};
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// One skill with the text of one of its files, and the list of its files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ShowDocument<'a> {
    /// The host whose view this is.
    host: &'a str,
    /// The skill.
    skill: SkillRow<'a>,
    /// The file that `text` comes from, relative to the skill; null for the body of the SKILL.md.
    file: Option<Cow<'a, str>>,
    /// The text; for the SKILL.md without frontmatter; null if the file is not text.
    text: Option<&'a str>,
    /// The line of the file at which `text` begins.
    first_line: Option<u32>,
    /// The kind of file, if it is not text.
    #[serde(skip_serializing_if = "Option::is_none")]
    binary: Option<&'a str>,
    /// Size of the file, bytes.
    bytes: Option<u64>,
    /// Whether `text` is only the first part of the file.
    cut: bool,
    /// The skill's files, by path.
    files: Vec<FileRow<'a>>,
    #[serde(flatten)]
    left_out: Cuts<'a>,
    /// The status of the skill for every host on this machine, and for `agents`.
    seen_by: Vec<SeenRow>,
    /// How the skill was used, according to the log; null if it never was.
    used: Option<UsedRow<'a>>,
}

/// How a skill was used.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UsedRow<'a> {
    /// Number of successful loads and runs.
    count: u32,
    /// When it was last used: Unix time in milliseconds.
    last_ms: u64,
    /// The client that used it last.
    client: &'a str,
}

/// A file, directory or link of a skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileRow<'a> {
    /// Its path, relative to the skill.
    path: Cow<'a, str>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// `file`, `directory`, `link`, or another kind of file.
    kind: &'static str,
    /// Size of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// Whether a file may be executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    executable: Option<bool>,
    /// The target that a link names.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Cow<'a, str>>,
    /// What a link leads to: `file`, `directory`, `other`, `leaves`, `dangling`, `loop`, `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    leads_to: Option<&'static str>,
}

impl<'a> FileRow<'a> {
    fn of(entry: &'a FileEntry) -> Self {
        let mut row = Self {
            path: lossy(&entry.path),
            path_b64: exact(&entry.path),
            kind: "directory",
            bytes: None,
            executable: None,
            target: None,
            leads_to: None,
        };
        match &entry.kind {
            EntryKind::File { size, executable } => {
                row =
                    Self { kind: "file", bytes: Some(*size), executable: Some(*executable), ..row };
            }
            EntryKind::Directory => {}
            EntryKind::Link { target, end } => {
                row = Self {
                    kind: "link",
                    target: Some(lossy(target)),
                    leads_to: Some(word(*end)),
                    ..row
                };
            }
            EntryKind::Other(kind) => row.kind = kind.word(),
        }
        row
    }
}

fn word(end: LinkEnd) -> &'static str {
    match end {
        LinkEnd::File(_) => "file",
        LinkEnd::Directory => "directory",
        LinkEnd::Other(_) => "other",
        LinkEnd::Leaves => "leaves",
        LinkEnd::Dangling => "dangling",
        LinkEnd::Loop => "loop",
        LinkEnd::Unknown => "unknown",
    }
}

/// The content of a skill's file.
#[derive(Clone, Debug)]
pub enum Content {
    Text(Text),
    /// The kind of the file, and its size in bytes.
    Binary(&'static str, u64),
    /// Only the program of this agent has it.
    Held(&'static str),
}

impl<'a> ShowDocument<'a> {
    /// `file` is the path of `content`, if it is not the SKILL.md.
    pub fn of(
        view: &'a View,
        index: usize,
        reports: &[HostReport],
        file: Option<&'a Path>,
        content: &'a Content,
        tree: &'a Tree,
    ) -> Option<Self> {
        let text = match content {
            Content::Text(text) => Some(text),
            Content::Binary(..) | Content::Held(_) => None,
        };
        let listed = tree.entries.len();
        let skill = &view.rows.entry(index)?.skill;
        Some(Self {
            host: view.host.id.word(),
            skill: SkillRow::at(view, index)?,
            file: file.map(lossy),
            text: text.map(|text| text.text.as_str()),
            first_line: text.map(|text| text.first_line),
            binary: if let Content::Binary(kind, _) = content { Some(kind) } else { None },
            bytes: match content {
                Content::Text(text) => Some(text.total),
                Content::Binary(_, total) => Some(*total),
                Content::Held(_) => None,
            },
            cut: text.is_some_and(|text| text.cut),
            files: tree.entries.iter().map(FileRow::of).collect(),
            left_out: Cuts::of(tree.cut.then(|| files_cut(skill.dir(), listed)), &[]),
            seen_by: seen::seen_by(view, reports, index),
            used: view
                .rows
                .entry(index)
                .and_then(|entry| view.uses.of(&entry.skill.path))
                .map(|row| UsedRow { count: row.count, last_ms: row.last_ms, client: &row.client }),
        })
    }
}

/// Further files are not listed.
fn files_cut(dir: &Path, listed: usize) -> CutRow<'_> {
    CutRow {
        limit: "files",
        value: listed as u64,
        dropped: 1,
        path: Some(lossy(dir)),
        path_b64: exact(dir),
        message: format!("only {listed} files and folders are listed"),
        help: "look at the folder itself",
    }
}

/// Prints what stands above a skill's text: name, status, path, description.
///
/// # Errors
/// Those of stdout.
pub fn print_head(out: &mut Out, view: &View, entry: &Entry, signs: Signs) -> io::Result<()> {
    let (skill, policy) = (&*entry.skill, &view.policy);
    let state = entry.status().word();
    let (scope, model) = (skill.scope.word(), entry.verdict.model.value.word());
    let decider = entry.decider().text();
    let facts = inert!(" {} · {} · {} <{}> · ", scope, state, model, decider);
    let (name, size) = (&*skill.full_name(), human_size(skill.bytes));
    out.line(inert!("{} {}{}", name, signs.shown(&facts), size))?;
    out.line(&skill.path)?;
    if let Some(stored) = &skill.stored {
        out.line(inert!("{} in {}", stored.words(), &*stored.store))?;
    }
    if let Some(plugin) = &skill.root.plugin {
        out.line(plugin.words())?;
    }
    if let Some(word) = &skill.root.word {
        out.line(word.words())?;
        word.unswitched().map_or(Ok(()), |line| out.line(line))?;
    }
    if let Some(winner) = &entry.shadowed_by {
        out.line(inert!("shadowed by {}", view.rows.called(winner, SafeText::path)))?;
    }
    if entry.handed.value == Permission::Ask
        && let Some(why) = policy.shortfall(Tool::SkillLoad, skill, None)
    {
        out.line(why.shown_after(&entry.handed.origin))?;
    }
    if entry.same_name > 1 {
        out.line(inert!("one of {} skills of this name", entry.same_name))?;
    }
    for diagnostic in &skill.diagnostics {
        out.line(inert!(
            "{}[{}]: {}",
            entry.severity(diagnostic).word(),
            diagnostic.code(),
            diagnostic.message
        ))?;
    }
    print_doc(out, &Doc::plain(entry.description(), out.columns(), true), signs)
}

/// Prints a document line by line.
///
/// # Errors
/// Those of stdout.
pub fn print_doc(out: &mut Out, doc: &Doc, signs: Signs) -> io::Result<()> {
    for line in &doc.lines {
        let spans: Vec<&SafeText> = line.spans.iter().map(|span| &span.text).collect();
        out.line(signs.shown(&SafeText::join(spans, "")))?;
    }
    Ok(())
}

/// Prints the files of a skill, each under its directory.
///
/// # Errors
/// Those of stdout.
pub fn print_tree(out: &mut Out, tree: &Tree) -> io::Result<()> {
    for entry in &tree.entries {
        let depth = entry.path.components().count().saturating_sub(1);
        let name = SafeText::path(entry.path.file_name().map_or(&entry.path, Path::new));
        let indent = SafeText::spaces(depth * 2);
        out.line(match &entry.kind {
            EntryKind::File { size, executable } => {
                inert!(
                    "{}{}{}  {}",
                    indent,
                    name,
                    if *executable { "*" } else { "" },
                    human_size(*size)
                )
            }
            EntryKind::Directory => inert!("{}{}/", indent, name),
            EntryKind::Link { target, end } => {
                let note = match end {
                    LinkEnd::File(_) | LinkEnd::Directory => "",
                    LinkEnd::Other(_) => "  (no file)",
                    LinkEnd::Leaves => "  (leaves the skill, not read)",
                    LinkEnd::Dangling => "  (dangling)",
                    LinkEnd::Loop => "  (loop)",
                    LinkEnd::Unknown => "  (cannot be followed)",
                };
                inert!("{}{} -> {}{}", indent, name, target, note)
            }
            EntryKind::Other(kind) => inert!("{}{}  {}", indent, name, kind.word()),
        })?;
    }
    if tree.cut {
        out.line(inert!("cut: only {} entries are listed", tree.entries.len()))?;
    }
    for (path, refusal) in &tree.unread {
        out.line(inert!("{} cannot be read: {}", path, refusal.to_string()))?;
    }
    Ok(())
}
