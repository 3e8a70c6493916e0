//! The catalog as text for a prompt, so that a model can ask for a skill. It is bounded and
//! escaped, and says what was left out.

mod form;
mod usage;

pub use form::Format;

use crate::catalog::{Listed, Permission, Scope, Skill};
use crate::policy::{Entry, Limits};
use crate::runtime::dialect::{Dialect, Job};
use crate::sandbox;
use crate::state::sessions::SavedSkill;
use crate::text::SafeText;
use crate::words;
use crate::workspace::{View, Workspace};
use form::Form;
use std::sync::Arc;
use usage::Usage;

/// The shortest useful description, in characters.
const SHORTEST: usize = 40;

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
    /// The limits that were applied.
    pub limits: Limits,
}

impl PromptCatalog {
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
    limits: Limits,
) -> PromptCatalog {
    let fitted = Fitted::of(view, scope, style.into(), limits);
    let (mut included, mut dropped) = (Vec::new(), Vec::new());
    for (entry, left) in fitted.entries.iter().zip(&fitted.left) {
        let skill = Arc::clone(&entry.skill);
        match left {
            None => included.push(skill),
            Some(left) => dropped.push((skill, *left)),
        }
    }
    let (text, shortened) = (fitted.text(), fitted.shortened);
    let description_limit = fitted.description_limit();
    PromptCatalog { text, included, shortened, description_limit, dropped, limits }
}

/// What of a catalog fits. Its text is written only if it is wanted: ten thousand entries are
/// megabytes.
pub(super) struct Fitted<'v> {
    form: Form<'v>,
    /// The skills that the model may know, in their order.
    entries: Vec<&'v Entry>,
    /// Why each of them is left out; `None` for what is in the catalog.
    left: Vec<Option<Left>>,
    /// The most characters of a description.
    clamp: usize,
    /// How many entries have a shortened description.
    shortened: usize,
}

/// An entry that a model may know, with its bytes.
pub(super) struct Cost<'v> {
    pub(super) skill: &'v Arc<Skill>,
    /// In the catalog; `None` if it is left out.
    pub(super) given: Option<usize>,
    /// Without limits.
    pub(super) whole: usize,
}

impl<'v> Fitted<'v> {
    pub(super) fn of(view: &'v View, scope: Option<Scope>, style: Style, limits: Limits) -> Self {
        let (form, entries) = meant(view, scope, style);
        let cut = limits.entries.unwrap_or(usize::MAX).min(entries.len());
        let (first, beyond) = (&entries[..cut], entries.len() - cut);
        let longest = first.iter().map(|entry| length(entry)).max().unwrap_or(0);
        let most = limits.description.unwrap_or(usize::MAX);
        let room = limits.bytes.unwrap_or(usize::MAX);
        // Whether the first entries with descriptions of so many characters all fit.
        let fits = |clamp: usize| {
            let bytes = first.iter().map(|entry| form.entry(entry, clamp).len()).sum();
            let truncated = beyond > 0 || clamp < longest;
            let frame = form.frame_bytes(truncated.then_some(beyond));
            frame + form.entries_bytes(first.len(), bytes) <= room
        };
        let mut clamp = most.min(longest);
        let mut is_fitting = fits(clamp);
        if !is_fitting {
            clamp = longest_that_fits(clamp, fits);
            is_fitting = fits(clamp);
        }
        let left: Vec<Option<Left>> = if is_fitting {
            (0..entries.len()).map(|place| (place >= cut).then_some(Left::Entries)).collect()
        } else {
            clamp = SHORTEST.min(most);
            let sizes: Vec<usize> =
                entries.iter().map(|entry| form.entry(entry, clamp).len()).collect();
            left_out(&sizes, &form, room, cut)
        };
        let included = entries.iter().zip(&left).filter(|(_, left)| left.is_none());
        let shortened = included.filter(|(entry, _)| length(entry) > clamp).count();
        Self { form, entries, left, clamp, shortened }
    }

    fn included(&self) -> impl Iterator<Item = &'v Entry> {
        let each = self.entries.iter().zip(&self.left);
        each.filter(|(_, left)| left.is_none()).map(|(entry, _)| *entry)
    }

    /// How many are left out, if anything was left out or shortened.
    fn truncated(&self) -> Option<usize> {
        let dropped = self.left.iter().flatten().count();
        (dropped > 0 || self.shortened > 0).then_some(dropped)
    }

    fn text(&self) -> String {
        let parts = self.included().map(|entry| self.form.entry(entry, self.clamp));
        self.form.whole(parts, self.truncated())
    }

    /// The longest description in characters, if any was shortened.
    pub(super) fn description_limit(&self) -> Option<usize> {
        (self.shortened > 0).then_some(self.clamp)
    }

    /// The bytes of the text besides the entries.
    pub(super) fn own_bytes(&self) -> usize {
        match (self.included().count(), self.truncated()) {
            (0, None) => self.form.whole(std::iter::empty(), None).len(),
            (count, truncated) => {
                self.form.frame_bytes(truncated) + self.form.entries_bytes(count, 0)
            }
        }
    }

    /// What each entry takes.
    pub(super) fn costs(&self) -> impl Iterator<Item = Cost<'v>> {
        self.entries.iter().zip(&self.left).map(|(entry, left)| {
            let bytes = |clamp| self.form.entry(entry, clamp).len();
            let given = left.is_none().then(|| bytes(self.clamp));
            Cost { skill: &entry.skill, given, whole: bytes(usize::MAX) }
        })
    }
}

/// The form of a catalog, and the entries that are meant for the model, in their order.
fn meant<'v>(view: &'v View, scope: Option<Scope>, style: Style) -> (Form<'v>, Vec<&'v Entry>) {
    let scripts = view.config.values.scripts.enabled.value && sandbox::IS_HERE;
    let usage = Usage::of(style, scripts).loaded(style.active);
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
        entry.description().trim().chars().count()
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

/// Why each entry of these sizes is left out if not all fit, `most` at most: those are in it for
/// which the earlier ones leave room.
fn left_out(sizes: &[usize], form: &Form, room: usize, most: usize) -> Vec<Option<Left>> {
    // The frame says how many are left out, and a larger number takes more room. The first guess is
    // one more than there are too many.
    let mut missing = sizes.len() - most + 1;
    loop {
        let frame = form.frame_bytes(Some(missing));
        let (mut count, mut bytes) = (0, 0);
        let why = |size: &usize| {
            if count == most {
                return Some(Left::Entries);
            }
            if frame + form.entries_bytes(count + 1, bytes + size) > room {
                return Some(Left::Bytes);
            }
            (count, bytes) = (count + 1, bytes + size);
            None
        };
        let left: Vec<Option<Left>> = sizes.iter().map(why).collect();
        missing = sizes.len() - count;
        if form.frame_bytes(Some(missing)) <= frame {
            return left;
        }
    }
}

#[cfg(test)]
mod tests;
