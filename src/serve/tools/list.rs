//! Lists skills, in pages.

use super::inputs::ListInput;
use super::look::{Row, line, path};
use super::{Answer, Call, ToolError};
use crate::catalog::{Skill, checks};
use crate::policy::{Entry, Reader, echo};
use crate::runtime::session::Session;
use crate::serve::catalog_cache::{CatalogCache, Snapshot};
use crate::serve::confusable::Confusables;
use crate::serve::log::settings;
use crate::serve::page::{self, List};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// A page of the skills, and of those that cannot be offered, in the order of their paths.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ListAnswer {
    /// The directory whose skills these are. Only skills of the server's own directory can be
    /// loaded, read and run.
    cwd: String,
    /// How many skills there are on all pages.
    skills_count: usize,
    /// The skills of this page.
    skills: Vec<Listed>,
    /// Those of this page that cannot be offered.
    errors: Vec<Fault>,
    /// The cursor of the next page; left out on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    /// Whether a limit cut the scan.
    truncated: bool,
    /// Which limit did, and where.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cuts: Vec<String>,
    /// What is wrong with settings files, by file and line, and what follows. Until it is mended,
    /// skills may be missing here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    settings_errors: Vec<String>,
}

/// A skill in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    #[serde(flatten)]
    skill: Row,
    /// The first 24 hex digits of the SHA-256 of its path.
    id: String,
    /// Its directory; of a single file, the file itself.
    dir: String,
    /// When its SKILL.md was changed last, milliseconds since 1970; 0 if unknown.
    mtime_ms: u64,
    /// `allow` or `ask`: whether the user is asked before it is loaded.
    permission: &'static str,
    /// Whether this conversation has loaded it.
    active: bool,
    /// Why the user must approve the skill's text before it can be loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs_approval: Option<String>,
}

/// A skill that cannot be offered.
#[derive(Debug, Serialize, JsonSchema)]
struct Fault {
    /// Its name, or its directory's if it has none.
    name: String,
    /// Path of its SKILL.md.
    path: String,
    /// What is wrong.
    message: String,
}

/// How many bytes an answer of `skills_list` has by default, in its frame.
const PAGE_BYTES: usize = 64 << 10;

/// The most that a caller can ask for.
const MAX_PAGE_BYTES: usize = 4 << 20;

/// The commas after an item, in data and text.
const SEPARATORS: usize = 2;

/// The bytes of an answer besides its items: the frame around it, and the cursor.
const SPARE: usize = 4 << 10;

pub(super) fn list(call: &Call<'_>) -> Result<Answer, ToolError> {
    let ListInput { cwd, force_reload, cursor, max_bytes } = call.input()?;
    let here = &call.snapshot.workspace.context.cwd;
    let there = cwd
        .map(|cwd| here.join(cwd))
        .filter(|there| there.canonicalize().ok().as_ref() != Some(here));
    let other = there.map(|there| elsewhere(call, &there)).transpose()?;
    let cache = other.as_deref().unwrap_or(call.catalogs);
    let looked: Option<Arc<Snapshot>> = match (force_reload, &other) {
        (true, _) => Some(cache.refresh()),
        (false, Some(_)) => Some(cache.snapshot()),
        (false, None) => None,
    };
    let snapshot = looked.as_deref().unwrap_or(call.snapshot);
    let session = call.session()?;
    let shown = snapshot.shown();
    let reader = &snapshot.workspace.reader;
    let mut answer = ListAnswer {
        cwd: path(&reader.path(&snapshot.workspace.context.cwd)),
        skills_count: shown.len(),
        skills: Vec::new(),
        errors: Vec::new(),
        next_cursor: None,
        truncated: !snapshot.view.cuts.is_empty(),
        cuts: snapshot.view.cuts.iter().map(|cut| reader.text(&cut.message())).collect(),
        settings_errors: settings(snapshot),
    };
    let max_bytes = max_bytes.unwrap_or(PAGE_BYTES).min(MAX_PAGE_BYTES);
    let page = Page { cursor, room: max_bytes.saturating_sub(bytes(&answer) + SPARE) };
    let faulty = |index: &usize| !snapshot.view.rows[*index].entry.offered();
    let faults = (0..snapshot.view.rows.len()).filter(faulty);
    let (items, next_cursor) = page.of(snapshot, &session, shown.into_iter().chain(faults))?;
    for item in items {
        match item {
            Item::Skill(skill) => answer.skills.push(skill),
            Item::Fault(fault) => answer.errors.push(fault),
        }
    }
    answer.next_cursor = next_cursor;
    Ok(Answer::of(&answer))
}

/// The catalog of another directory than the server's own. Its skills are only listed: names are
/// resolved and rules applied in the server's directory, so that another directory's rules cannot
/// bypass those.
fn elsewhere(call: &Call<'_>, directory: &Path) -> Result<Arc<CatalogCache>, ToolError> {
    if call.remote {
        let text =
            "over HTTP only the skills of the server's own directory are listed: leave cwd out";
        return Err(ToolError::refused("remote", text.to_owned()));
    }
    call.catalogs.of(directory).map_err(|error| {
        let reason = error.to_string();
        ToolError::refused(
            "no_directory",
            format!("{}: {}", echo(&directory.to_string_lossy()), echo(&reason)),
        )
    })
}

/// The first skills that fit beside an answer with so many bytes, and the cursor for the others.
pub(super) fn first(
    snapshot: &Snapshot,
    session: &Session,
    beside: &impl Serialize,
) -> Result<(Vec<Listed>, Option<String>), ToolError> {
    let page = Page { cursor: None, room: PAGE_BYTES.saturating_sub(bytes(beside) + SPARE) };
    let (items, next_cursor) = page.of(snapshot, session, snapshot.shown().into_iter())?;
    let skills = items.into_iter().filter_map(|item| match item {
        Item::Skill(skill) => Some(skill),
        Item::Fault(_) => None,
    });
    Ok((skills.collect(), next_cursor))
}

/// An entry of a list.
#[derive(Serialize)]
#[serde(untagged)]
enum Item {
    Skill(Listed),
    Fault(Fault),
}

impl Item {
    fn of(snapshot: &Snapshot, session: &Session, index: usize, alike: &Confusables) -> Self {
        let entry = &snapshot.view.rows[index].entry;
        if !entry.offered() {
            return Self::Fault(Fault::of(entry, &snapshot.workspace.reader));
        }
        Self::Skill(Listed {
            skill: Row::of(snapshot, index, alike),
            id: entry.skill.id().as_str().to_owned(),
            dir: path(entry.skill.dir()),
            mtime_ms: entry.skill.mtime_ms(),
            permission: entry.handed.value.word(),
            active: session.has(&entry.skill),
            needs_approval: needs_approval(&entry.skill),
        })
    }
}

/// A part of a list.
struct Page {
    cursor: Option<String>,
    /// How many bytes its items may have. The first one is given in any case.
    room: usize,
}

impl Page {
    /// The items of these entries, in the order of their paths, and the next page's cursor.
    fn of(
        self,
        snapshot: &Snapshot,
        session: &Session,
        among: impl Iterator<Item = usize>,
    ) -> Result<(Vec<Item>, Option<String>), ToolError> {
        let of = Some(&*snapshot.workspace.context.cwd);
        let list = List { name: "skills_list", of };
        let path = |index: &usize| page::path(snapshot, *index);
        let rows = list.after(among.collect(), path, self.cursor.as_deref())?;
        let alike = snapshot.confusables();
        let (mut items, mut room) = (Vec::new(), self.room);
        for (place, index) in rows.iter().enumerate() {
            let item = Item::of(snapshot, session, *index, alike);
            let needed = bytes(&item) + SEPARATORS;
            if needed > room && place > 0 {
                return Ok((items, Some(list.cursor(path(&rows[place - 1])))));
            }
            room = room.saturating_sub(needed);
            items.push(item);
        }
        Ok((items, None))
    }
}

/// How many bytes a part of an answer has in its frame: as data, and once more as text, in which
/// quotes are escaped.
fn bytes(part: &impl Serialize) -> usize {
    let data = serde_json::to_string(part).unwrap_or_default();
    data.len() + serde_json::to_string(&data).map_or(0, |text| text.len())
}

fn needs_approval(skill: &Skill) -> Option<String> {
    let finding = skill.diagnostics.iter().find(|finding| finding.check == &checks::HIDDEN_TEXT)?;
    Some(format!("{}; {}", finding.message, finding.help()))
}

impl Fault {
    fn of(entry: &Entry, reader: &Reader) -> Self {
        let skill = &entry.skill;
        let message =
            entry.fault().map_or_else(String::new, |fault| reader.text(&line(&fault.message)));
        Self { name: line(&skill.name), path: path(&reader.path(&skill.path)), message }
    }
}
