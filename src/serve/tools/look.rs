//! Searches and inspects.

use super::inputs::{InspectInput, SearchInput};
use super::list::{Listed, first};
use super::{Answer, Call, ToolError};
use crate::catalog::Scope;
use crate::runtime::session::SavedSkill;
use crate::search::fitting;
use crate::serve::catalog_cache::Snapshot;
use crate::serve::confusable::Confusables;
use crate::serve::log::settings;
use crate::text::SafeText;
use crate::workspace::Workspace;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// The skills that fit.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SearchAnswer {
    /// The skills, best first.
    candidates: Vec<Candidate>,
    /// The length of `candidates`.
    count: usize,
    /// Whether there are more than are included.
    truncated: bool,
    /// How many skills fit.
    total: usize,
    /// What is wrong with settings files, by file and line, and what follows. Until it is mended,
    /// skills may be missing here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    settings_errors: Vec<String>,
}

/// A skill that fits.
#[derive(Debug, Serialize, JsonSchema)]
struct Candidate {
    #[serde(flatten)]
    skill: Row,
    /// `exact_path`, `exact_name`, `prefix` or `token_overlap`.
    reason: &'static str,
    /// How well, from 0 to 1.
    score: f64,
}

/// A skill.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Row {
    /// Its name.
    name: String,
    /// What it does and when to use it.
    description: String,
    /// Path of its SKILL.md.
    path: String,
    /// Whose skill it is.
    scope: Scope,
    /// The paths of other skills with the same or a confusable name, at most sixteen. Load each of
    /// them by its path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alike: Vec<String>,
}

/// Where skills come from, and what is loaded.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct InspectAnswer {
    /// The agent whose view this is.
    host: &'static str,
    /// The working directory.
    cwd: String,
    /// The folders that were searched.
    roots: Vec<RootLine>,
    /// How many skills there are.
    skills_count: usize,
    /// How many cannot be offered.
    errors_count: usize,
    /// What is wrong with settings files, by file and line, and what follows. Until it is mended,
    /// skills may be missing here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    settings_errors: Vec<String>,
    /// The directories with known catalogs: the server's own, then those that `skills_list` listed
    /// last.
    catalogs: Vec<CatalogLine>,
    /// The conversation's id; null if it is not saved.
    session: Option<String>,
    /// The loaded skills, newest last.
    loaded_skill_versions: Vec<Version>,
    /// The first skills, if they were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    skills: Option<Vec<Listed>>,
    /// The cursor with which `skills_list` gives the others; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A folder.
#[derive(Debug, Serialize, JsonSchema)]
struct RootLine {
    /// Its path.
    path: String,
    /// Whose skills it holds.
    scope: Scope,
    /// `read`, `missing`, `failed` or `closed`.
    state: &'static str,
}

/// A directory with a known catalog.
#[derive(Debug, Serialize, JsonSchema)]
struct CatalogLine {
    /// Its path.
    cwd: String,
    /// How many skills there are.
    skills_count: usize,
    /// How many cannot be offered.
    errors_count: usize,
}

/// A loaded skill.
#[derive(Debug, Serialize, JsonSchema)]
struct Version {
    /// Its name.
    name: String,
    /// Path of its SKILL.md.
    path: String,
    /// Its modification time when it was loaded.
    mtime_ms: u64,
    /// `sha256:` and the digest of the SKILL.md when it was loaded.
    digest: String,
    /// Its state now: `current`, `updated`, `missing`, `unseen` or `refused`.
    state: &'static str,
}

/// The most paths of look-alikes in one row. In a list each of them has its own.
const ALIKE: usize = 16;

/// The most bytes of a description or a message in one row.
const LINE: usize = 4_096;

pub(super) fn search(call: &Call<'_>) -> Result<Answer, ToolError> {
    let SearchInput { query, limit, scope } = call.input()?;
    let scope = match scope.as_deref().map(|word| (word, Scope::from_word(word))) {
        Some((word, None)) if word != "all" => {
            return Err(ToolError::refused(
                "invalid_input",
                "scope is `project`, `repo`, `user`, `system` or `all`",
            ));
        }
        other => other.and_then(|(_, scope)| scope),
    };
    let view = &call.snapshot.view;
    let limits = view.limits();
    let limit = limit.or(limits.found).unwrap_or(1);
    let limit = limit.min(limits.most_found.unwrap_or(usize::MAX)).max(1);
    let mut among = call.snapshot.shown();
    among.retain(|index| Workspace::admits(scope, view.rows[*index].entry.skill.scope));
    let skills = among.iter().map(|index| (*index, &*view.rows[*index].entry.skill));
    let context = &call.snapshot.workspace.context;
    let path = context.resolve(context.from_here(query.trim()));
    let fits = fitting(skills, call.snapshot.words(), &query, &path);
    let confusables = call.snapshot.confusables();
    let row = |index| Row::of(call.snapshot, index, confusables);
    let candidates: Vec<Candidate> = fits
        .iter()
        .take(limit)
        .map(|fit| Candidate { skill: row(fit.index), reason: fit.reason, score: fit.score })
        .collect();
    let answer = SearchAnswer {
        count: candidates.len(),
        truncated: fits.len() > candidates.len(),
        total: fits.len(),
        settings_errors: settings(call.snapshot),
        candidates,
    };
    Ok(Answer::of(&answer))
}

pub(super) fn inspect(call: &Call<'_>) -> Result<Answer, ToolError> {
    let InspectInput { include_skills } = call.input()?;
    let snapshot = call.snapshot;
    let (session, reader) = (call.session()?, &snapshot.workspace.reader);
    let version = |active: &SavedSkill| Version {
        name: line(&active.name),
        path: path(&active.path),
        mtime_ms: active.mtime_ms,
        digest: format!("sha256:{}", active.digest),
        state: call.caller.state(active).word(),
    };
    let roots = snapshot.view.roots.iter().map(|report| RootLine {
        path: path(&reader.root(&report.root)),
        scope: report.root.scope,
        state: report.state.word(),
    });
    let others = call.catalogs.elsewhere();
    let own = CatalogLine::of(snapshot);
    let (skills_count, errors_count) = (own.skills_count, own.errors_count);
    let catalogs =
        std::iter::once(own).chain(others.iter().map(|snapshot| CatalogLine::of(snapshot)));
    let mut answer = InspectAnswer {
        catalogs: catalogs.collect(),
        host: snapshot.workspace.host.id.word(),
        cwd: path(&reader.path(&snapshot.workspace.context.cwd)),
        roots: roots.collect(),
        skills_count,
        errors_count,
        settings_errors: settings(snapshot),
        session: call.conversation.id.clone(),
        loaded_skill_versions: session.active().iter().map(version).collect(),
        skills: None,
        next_cursor: None,
    };
    if include_skills {
        let (skills, next_cursor) = first(snapshot, &session, &answer)?;
        (answer.skills, answer.next_cursor) = (Some(skills), next_cursor);
    }
    Ok(Answer::of(&answer))
}

impl CatalogLine {
    fn of(snapshot: &Snapshot) -> Self {
        let reader = &snapshot.workspace.reader;
        let errors_count = snapshot.view.rows.entries().filter(|entry| !entry.offered()).count();
        Self {
            cwd: path(&reader.path(&snapshot.workspace.context.cwd)),
            skills_count: snapshot.shown().len(),
            errors_count,
        }
    }
}

impl Row {
    pub(super) fn of(snapshot: &Snapshot, index: usize, confusables: &Confusables) -> Self {
        let entry = &snapshot.view.rows[index].entry;
        let skill = &entry.skill;
        let others = confusables.others(snapshot, index);
        Self {
            alike: others
                .take(ALIKE)
                .map(|other| path(&snapshot.view.rows[other].entry.skill.path))
                .collect(),
            name: line(&skill.name),
            description: line(entry.description()),
            path: path(&skill.path),
            scope: skill.scope,
        }
    }
}

/// Other people's text in one line, with marks for hidden characters.
pub(super) fn line(text: &str) -> String {
    let cut = &text[..text.floor_char_boundary(LINE)];
    let end = if cut.len() < text.len() { "…" } else { "" };
    format!("{}{end}", SafeText::line(cut))
}

pub(super) fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
