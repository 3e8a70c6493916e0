//! Searches, lists and inspects.

use super::inputs::{InspectInput, ListInput, SearchInput};
use super::{Answer, Call, ToolError};
use crate::catalog::{Scope, Skill, checks};
use crate::policy::Entry;
use crate::policy::echo;
use crate::runtime::session::{SavedSkill, Session};
use crate::search::fitting;
use crate::serve::catalog_cache::{CatalogCache, Snapshot};
use crate::serve::confusable::Confusables;
use crate::serve::log::settings;
use crate::text::SafeText;
use crate::workspace::Workspace;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

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
struct Row {
    /// Its name.
    name: String,
    /// What it does and when to use it.
    description: String,
    /// Path of its SKILL.md.
    path: String,
    /// Whose skill it is.
    scope: Scope,
    /// The paths of other skills with the same or a confusable name. Load each of them by its path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alike: Vec<String>,
}

/// Every skill.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ListAnswer {
    /// The directory whose skills these are. Only skills of the server's own directory can be
    /// loaded, read and run.
    cwd: String,
    /// The skills.
    skills: Vec<Listed>,
    /// Skills that cannot be offered.
    errors: Vec<Fault>,
    /// Whether a limit cut the scan.
    truncated: bool,
    /// What is wrong with settings files, by file and line, and what follows. Until it is mended,
    /// skills may be missing here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    settings_errors: Vec<String>,
}

/// A skill in a list.
#[derive(Debug, Serialize, JsonSchema)]
struct Listed {
    #[serde(flatten)]
    skill: Row,
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
    /// The skills, if they were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    skills: Option<Vec<Listed>>,
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

pub(super) fn search(call: &Call<'_>) -> Result<Answer, ToolError> {
    let SearchInput { query, limit, scope } = call.input()?;
    let scope = match scope.as_deref().map(|word| (word, Scope::from_word(word))) {
        Some((word, None)) if word != "all" => {
            return Err(ToolError::refused(
                "invalid_input",
                "scope is `repo`, `user`, `system` or `all`",
            ));
        }
        other => other.and_then(|(_, scope)| scope),
    };
    let view = &call.snapshot.view;
    let values = &view.config.values;
    let limit = limit
        .map_or(values.default_limit.value, |limit| limit as usize)
        .clamp(1, values.max_limit.value);
    let mut among = call.snapshot.shown();
    among.retain(|index| Workspace::admits(scope, view.rows[*index].entry.skill.scope));
    let skills = among.iter().map(|index| (*index, &*view.rows[*index].entry.skill));
    let fits = fitting(skills, &query, &call.snapshot.workspace.context.cwd);
    let confusables = Confusables::of(call.snapshot);
    let row = |index| Row::of(call.snapshot, index, &confusables);
    let candidates: Vec<Candidate> = fits
        .iter()
        .take(limit)
        .map(|fit| Candidate { skill: row(fit.index), reason: fit.reason, score: fit.score })
        .collect();
    let answer = SearchAnswer {
        count: candidates.len(),
        truncated: fits.len() > candidates.len(),
        total: fits.len(),
        settings_errors: settings(view),
        candidates,
    };
    Ok(Answer::of(&answer))
}

pub(super) fn list(call: &Call<'_>) -> Result<Answer, ToolError> {
    let ListInput { cwd, force_reload } = call.input()?;
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
    let faults = snapshot.view.rows.entries().filter(|entry| !entry.offered());
    let answer = ListAnswer {
        cwd: path(&snapshot.workspace.context.cwd),
        skills: listed(snapshot, &call.session()?),
        errors: faults.map(Fault::of).collect(),
        truncated: !snapshot.view.cuts.is_empty(),
        settings_errors: settings(&snapshot.view),
    };
    Ok(Answer::of(&answer))
}

/// The catalog of another directory than the server's own. Its skills are only listed: names are
/// resolved and rules applied in the server's directory, so that another directory's rules cannot
/// bypass those.
fn elsewhere(call: &Call<'_>, directory: &Path) -> Result<Arc<CatalogCache>, ToolError> {
    call.catalogs.of(directory).map_err(|error| {
        let reason = error.to_string();
        ToolError::refused(
            "no_directory",
            format!("{}: {}", echo(&directory.to_string_lossy()), echo(&reason)),
        )
    })
}

pub(super) fn inspect(call: &Call<'_>) -> Result<Answer, ToolError> {
    let InspectInput { include_skills } = call.input()?;
    let snapshot = call.snapshot;
    let session = call.session()?;
    let version = |active: &SavedSkill| Version {
        name: line(&active.name),
        path: path(&active.path),
        mtime_ms: active.mtime_ms,
        digest: format!("sha256:{}", active.digest),
        state: call.caller.state(active).word(),
    };
    let roots = snapshot.view.roots.iter().map(|report| RootLine {
        path: path(&report.root.path),
        scope: report.root.scope,
        state: report.state.word(),
    });
    let others = call.catalogs.elsewhere();
    let own = CatalogLine::of(snapshot);
    let (skills_count, errors_count) = (own.skills_count, own.errors_count);
    let catalogs =
        std::iter::once(own).chain(others.iter().map(|snapshot| CatalogLine::of(snapshot)));
    let answer = InspectAnswer {
        catalogs: catalogs.collect(),
        host: snapshot.workspace.host.id.word(),
        cwd: path(&snapshot.workspace.context.cwd),
        roots: roots.collect(),
        skills_count,
        errors_count,
        settings_errors: settings(&snapshot.view),
        session: call.conversation.id.clone(),
        loaded_skill_versions: session.active().iter().map(version).collect(),
        skills: include_skills.then(|| listed(snapshot, &session)),
    };
    Ok(Answer::of(&answer))
}

fn listed(snapshot: &Snapshot, session: &Session) -> Vec<Listed> {
    let confusables = Confusables::of(snapshot);
    let row = |index: usize| {
        let entry = &snapshot.view.rows[index].entry;
        Listed {
            skill: Row::of(snapshot, index, &confusables),
            permission: entry.handed.value.word(),
            active: session.has(&entry.skill),
            needs_approval: needs_approval(&entry.skill),
        }
    };
    snapshot.shown().into_iter().map(row).collect()
}

fn needs_approval(skill: &Skill) -> Option<String> {
    let finding = skill.diagnostics.iter().find(|finding| finding.check == &checks::HIDDEN_TEXT)?;
    Some(format!("{}; {}", finding.message, finding.check.help))
}

impl CatalogLine {
    fn of(snapshot: &Snapshot) -> Self {
        let errors_count = snapshot.view.rows.entries().filter(|entry| !entry.offered()).count();
        Self {
            cwd: path(&snapshot.workspace.context.cwd),
            skills_count: snapshot.shown().len(),
            errors_count,
        }
    }
}

impl Row {
    fn of(snapshot: &Snapshot, index: usize, confusables: &Confusables) -> Self {
        let skill = &snapshot.view.rows[index].entry.skill;
        let others = confusables.others(snapshot, index);
        Self {
            alike: others.map(|other| path(&snapshot.view.rows[other].entry.skill.path)).collect(),
            name: line(&skill.name),
            description: line(&skill.description),
            path: path(&skill.path),
            scope: skill.scope,
        }
    }
}

impl Fault {
    fn of(entry: &Entry) -> Self {
        let skill = &entry.skill;
        let message = entry.fault().map_or_else(String::new, |fault| line(&fault.message));
        Self { name: line(&skill.name), path: path(&skill.path), message }
    }
}

/// Other people's text in one line, with marks for hidden characters.
fn line(text: &str) -> String {
    SafeText::line(text).to_string()
}

fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
