//! The catalog as text for a prompt, so that a model can ask for a skill. It is bounded and
//! escaped, and says what was left out.

mod form;
mod usage;

pub use form::Format;

use crate::catalog::{Listed, Permission, Scope, Skill};
use crate::policy::{Entry, Limits};
use crate::runtime::dialect::{Dialect, Job};
use crate::state::sessions::SavedSkill;
use crate::text::SafeText;
use crate::words;
use crate::workspace::{View, Workspace};
use form::Form;
use std::path::Path;
use std::sync::Arc;
use usage::Usage;

/// The shortest useful description, in characters.
const SHORTEST: usize = 40;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromptLimits {
    pub entries: Option<usize>,
    /// The most bytes of the whole text.
    pub bytes: Option<usize>,
    /// The most characters of one description.
    pub description: Option<usize>,
}

impl PromptLimits {
    /// The limits of a view.
    pub fn of(view: &View) -> Self {
        let Limits { entries, bytes, description, .. } = view.limits();
        Self { entries, bytes, description }
    }

    /// These limits, or those of `other` where these have none.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            entries: self.entries.or(other.entries),
            bytes: self.bytes.or(other.bytes),
            description: self.description.or(other.description),
        }
    }
}

/// How a catalog is written, by which tools the model uses it, and what it has loaded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style<'a> {
    pub format: Format,
    pub dialect: Dialect,
    /// If the model has none of the tools and types our commands: the options of these.
    pub commands: Option<&'a SafeText>,
    /// The skills that the conversation has loaded, which the rules list (REM-8).
    pub active: &'a [SavedSkill],
}

impl Style<'_> {
    /// What the model calls for this job, if it has something for it.
    fn tool(self, job: Job) -> Option<String> {
        let Some(options) = self.commands else { return self.dialect.tool(job).map(str::to_owned) };
        match job {
            Job::Load => Some(format!("`skillpick load NAME{options}`")),
            Job::Read => Some(format!("`skillpick read NAME FILE{options}`")),
            // Searching also finds what the model may not see, and running counts as the person's
            // own word.
            Job::Search | Job::Unload | Job::List | Job::Inspect | Job::Script => None,
        }
    }
}

impl From<Format> for Style<'_> {
    /// For our own tools.
    fn from(format: Format) -> Self {
        Self { format, ..Self::default() }
    }
}

impl From<Dialect> for Style<'_> {
    /// As the system writes it.
    fn from(dialect: Dialect) -> Self {
        Self { format: dialect.format(), dialect, ..Self::default() }
    }
}

/// Why a catalog entry was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// There are too many entries.
    Entries,
    /// It did not fit even with the shortest description.
    Bytes,
}

words!(Left, Entries = "entries", Bytes = "bytes");

/// A catalog as text.
#[derive(Clone, Debug)]
pub struct PromptCatalog {
    /// May be empty.
    pub text: String,
    /// The skills in it, in their order.
    pub included: Vec<Arc<Skill>>,
    /// How many of them have a shortened description.
    pub shortened: usize,
    /// The longest description in characters, if any was shortened.
    pub description_limit: Option<usize>,
    /// The skills that are not in it although the model may know of them, and why.
    pub dropped: Vec<(Arc<Skill>, Left)>,
    /// The bytes of each of `included`.
    bytes: Vec<usize>,
    /// The limits that were applied.
    pub limits: PromptLimits,
}

impl PromptCatalog {
    /// The skills in it by their paths, with the bytes that each takes.
    pub fn costs(&self) -> impl Iterator<Item = (&Path, usize)> {
        let paths = self.included.iter().map(|skill| skill.path.as_path());
        paths.zip(self.bytes.iter().copied())
    }

    /// Whether anything is missing that the model may know: skills, or ends of descriptions.
    pub fn truncated(&self) -> bool {
        !self.dropped.is_empty() || self.shortened > 0
    }
}

/// Whether a catalog for a model has this entry: it is not off, hidden, denied or refused.
pub fn shown(entry: &Entry) -> bool {
    let listed = entry.verdict.listed.value != Listed::No;
    entry.taken() && listed && entry.handed.value != Permission::Deny
}

/// The catalog of a view, with the rules for its use, within limits: descriptions are shortened
/// before any skill is dropped, and a skill that does not fit is skipped for later ones that do, of
/// which it takes no place. If a scope is given, only its skills count.
pub fn prompt<'a>(
    view: &View,
    scope: Option<Scope>,
    style: impl Into<Style<'a>>,
    limits: PromptLimits,
) -> PromptCatalog {
    let (form, entries) = meant(view, scope, style.into());
    let cut = limits.entries.unwrap_or(usize::MAX).min(entries.len());
    let (first, beyond) = (&entries[..cut], entries.len() - cut);
    let longest = first.iter().map(|entry| length(entry)).max().unwrap_or(0);
    let most = limits.description.unwrap_or(usize::MAX);
    let room = limits.bytes.unwrap_or(usize::MAX);
    let write = |entries: &[&Entry], clamp: usize| -> Vec<String> {
        entries.iter().map(|entry| form.entry(entry, clamp)).collect()
    };
    // The first entries with descriptions of so many characters, if all of them fit.
    let written = |clamp: usize| {
        let parts = write(first, clamp);
        let bytes = form.entries_bytes(parts.len(), parts.iter().map(String::len).sum());
        let truncated = beyond > 0 || clamp < longest;
        let fit = form.frame_bytes(truncated.then_some(beyond)) + bytes <= room;
        fit.then_some(parts)
    };
    let mut clamp = most.min(longest);
    let mut fitting = written(clamp);
    if fitting.is_none() {
        clamp = longest_that_fits(clamp, |clamp| written(clamp).is_some());
        fitting = written(clamp);
    }
    let (parts, left) = match fitting {
        Some(parts) => {
            let places = 0..entries.len();
            (parts, places.map(|place| (place >= cut).then_some(Left::Entries)).collect())
        }
        None => {
            clamp = SHORTEST.min(most);
            those_that_fit(write(&entries, clamp), &form, room, cut)
        }
    };
    let (mut included, mut dropped, mut shortened) = (Vec::new(), Vec::new(), 0);
    for (entry, left) in entries.iter().zip(left) {
        let skill = Arc::clone(&entry.skill);
        match left {
            None => {
                included.push(skill);
                shortened += usize::from(length(entry) > clamp);
            }
            Some(left) => dropped.push((skill, left)),
        }
    }
    let truncated = (!dropped.is_empty() || shortened > 0).then_some(dropped.len());
    let text = form.whole(&parts, truncated);
    let bytes = parts.iter().map(String::len).collect();
    let description_limit = (shortened > 0).then_some(clamp);
    PromptCatalog { text, included, shortened, description_limit, dropped, bytes, limits }
}

/// What a catalog without limits has of a view: each skill, and the bytes that it takes.
pub(super) fn whole_costs(
    view: &View,
    dialect: Dialect,
) -> impl Iterator<Item = (&Arc<Skill>, usize)> {
    let (form, entries) = meant(view, None, dialect.into());
    entries.into_iter().map(move |entry| (&entry.skill, form.entry(entry, usize::MAX).len()))
}

/// The form of a catalog, and the entries that are meant for the model, in their order.
fn meant<'v>(view: &'v View, scope: Option<Scope>, style: Style) -> (Form<'v>, Vec<&'v Entry>) {
    let usage = Usage::of(style, view.config.values.scripts.enabled.value).loaded(style.active);
    let form = Form { format: style.format, usage, typed: style.commands.map(|_| view) };
    let meant = |entry: &&Entry| shown(entry) && Workspace::admits(scope, entry.skill.scope);
    let mut entries: Vec<&Entry> = view.rows.entries().filter(meant).collect();
    if form.by_name() {
        entries.sort_by(|one, other| one.skill.name.cmp(&other.skill.name));
    }
    (form, entries)
}

/// The rules for a text without a list, one a line. `scripts` says whether scripts may be run.
pub fn rules(dialect: Dialect, scripts: bool) -> String {
    form::listed(&Usage::of(dialect.into(), scripts).rules(false))
}

/// The rule that lists the skills of a conversation; `None` if it has none.
pub fn loaded_rule(active: &[SavedSkill]) -> Option<String> {
    let names: Vec<SafeText> = active.iter().map(|skill| SafeText::line(&skill.name)).collect();
    let rule = || format!("Loaded in this conversation: {}.", SafeText::join(&names, ", "));
    (!names.is_empty()).then(rule)
}

/// Characters of the description that the model gets.
fn length(entry: &Entry) -> usize {
    if entry.verdict.listed.value == Listed::NameOnly {
        0
    } else {
        entry.skill.description.trim().chars().count()
    }
}

/// The longest clamp with which everything fits; [`SHORTEST`] if none does.
fn longest_that_fits(most: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (SHORTEST.min(most), most);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

/// The entries that fit if not all do, `most` at most: each for which the earlier ones leave room.
/// And why each of the others is left out.
fn those_that_fit(
    mut parts: Vec<String>,
    form: &Form,
    room: usize,
    most: usize,
) -> (Vec<String>, Vec<Option<Left>>) {
    // The frame says how many are left out, and a larger number takes more room. The first guess is
    // one more than there are too many.
    let mut left_out = parts.len() - most + 1;
    loop {
        let frame = form.frame_bytes(Some(left_out));
        let (mut count, mut bytes) = (0, 0);
        let why = |part: &String| {
            if count == most {
                return Some(Left::Entries);
            }
            if frame + form.entries_bytes(count + 1, bytes + part.len()) > room {
                return Some(Left::Bytes);
            }
            (count, bytes) = (count + 1, bytes + part.len());
            None
        };
        let left: Vec<Option<Left>> = parts.iter().map(why).collect();
        left_out = parts.len() - count;
        if form.frame_bytes(Some(left_out)) <= frame {
            let mut lefts = left.iter();
            parts.retain(|_| lefts.next().is_some_and(Option::is_none));
            return (parts, left);
        }
    }
}

#[cfg(test)]
mod tests;
