//! The one resolver: it turns a name, path or mention into one entry, or a named error.

use super::{View, Workspace};
use crate::catalog::{Mention, Precedence, Scope, Skill, canonically_equal, mentions, normalized};
use crate::hosts::ALL;
use crate::inert;
use crate::policy::{Choices, Cure, Entry, Origin, Policy, Refusal, echo, is_listed_whole, listed};
use crate::search::suggest;
use crate::text::SafeText;
use std::path::{Path, PathBuf};

/// Why an argument does not mean exactly one skill.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// No skill of this view has that name or is there.
    #[error("no such skill")]
    Unknown {
        /// The nearest names; other people's text.
        suggestions: Vec<String>,
    },
    /// Several have that name, so a path is needed.
    #[error("several skills have this name; give a path")]
    Ambiguous {
        /// Scope and path of each, in the order of the view.
        candidates: Vec<(Scope, PathBuf)>,
        /// The host's own name of each, where these tell them apart; otherwise none.
        names: Vec<String>,
    },
    #[error("a skill's name or path is needed")]
    Empty,
    /// All skills are off, so that none was looked for. What switched them off.
    #[error("skills are disabled")]
    AllOff(Origin),
}

impl ResolveError {
    /// Why `argument` does not mean exactly one skill. `available` are the names that a model may
    /// ask for.
    pub fn refusal(&self, argument: &str, available: Vec<String>) -> Refusal {
        match self {
            Self::AllOff(origin) => Refusal::all_off(origin),
            Self::Empty => Refusal::failed("empty", SafeText::line(&self.to_string())),
            Self::Unknown { suggestions } => {
                let choices = Choices::Names { nearest: suggestions.clone(), available };
                let what = inert!("unknown skill '{}'", echo(argument));
                Refusal { choices, ..Refusal::new("unknown", what) }
            }
            Self::Ambiguous { candidates, names } => {
                let named = inert!("are named '{}'", echo(argument));
                let refusal = Refusal::ambiguous(named, candidates.clone());
                let names = SafeText::join(names.iter().map(|name| listed(name)), ", ");
                if names.is_empty() {
                    return refusal;
                }
                let (person, model) = ("or one of these names:", "Or one of these names:");
                let [person, model] = [person, model].map(|words| inert!("{} {}", words, names));
                refusal.cure(Cure::Tell { person, model })
            }
        }
    }
}

/// The entry that `argument` means, as its index in the view.
///
/// Tried in this order:
/// 1. An id (as `list --json` has it) selects exactly.
/// 2. So does a path (of the `SKILL.md`, of the skill's directory, or of a place where it was
///    found), and the path of a `[$name](path)` mention. Relative paths begin at `cwd`, and `~/` is
///    the home directory.
/// 3. A name, bare or as `$name` or `/name`, is compared with the names that the host uses, then
///    with those of the frontmatter. It is trimmed and compared exactly, or without upper and lower
///    case if the host ignores them. Among skills that the host tells apart all the same, or of
///    which it refuses all, one with exactly this name comes first. It must mean one skill: the only
///    one that is not off, otherwise the only one that is not refused, otherwise the only one. Names
///    that differ only in how their letters are composed are equal, since a person could not tell
///    them apart.
///
/// If a scope is given, only its skills count.
///
/// # Errors
/// [`ResolveError`].
pub fn resolve(
    view: &View,
    argument: &str,
    scope: Option<Scope>,
    cwd: &Path,
) -> Result<usize, ResolveError> {
    Among::of(view, scope, TO_USE)?.find(argument, cwd)
}

/// Like [`resolve`], to show or switch a skill: one that is off counts as much as one that is on,
/// unless it belongs to a plugin that is off as a whole.
///
/// # Errors
/// [`ResolveError`].
pub fn resolve_any(
    view: &View,
    argument: &str,
    scope: Option<Scope>,
    cwd: &Path,
) -> Result<usize, ResolveError> {
    Among::of(view, scope, TO_SWITCH)?.find(argument, cwd)
}

/// Like [`resolve`], for a `$name` or `/name` in a prompt: it is a name, even if it looks like a
/// path. If only one skill of the name may be invoked by a person, it means that one, so that what
/// we print for a pick is resolved to the same skill.
///
/// # Errors
/// [`ResolveError`].
pub fn resolve_mention(
    view: &View,
    mention: &Mention,
    scope: Option<Scope>,
) -> Result<usize, ResolveError> {
    Among::of(view, scope, TO_USE)?.by_mention(mention)
}

/// What an argument is by its form alone: a name, a path, or possibly both.
pub fn forms(argument: &str) -> (Option<String>, Option<PathBuf>) {
    let argument = argument.trim();
    let path = || is_path(argument).then(|| PathBuf::from(argument));
    match whole_mention(argument) {
        Some(Mention::Link { path, .. }) => (None, Some(PathBuf::from(path))),
        Some(Mention::Name(name) | Mention::Slash { name, .. }) => (Some(name), path()),
        None => (Some(argument.to_owned()), path()),
    }
}

/// Whether an argument looks like a path. A plain word is a name, even if there is a folder of that
/// name. In some hosts a name can contain a `/`.
fn is_path(argument: &str) -> bool {
    argument.contains('/') || argument.starts_with('.') || argument.ends_with(".md")
}

/// The argument as a mention, if all of it is one.
fn whole_mention(argument: &str) -> Option<Mention> {
    let found = mentions(argument).into_iter().next()?;
    let whole = found.range == (0..argument.len());
    whole.then_some(found.mention)
}

/// What is true of an entry by the host's policy.
type Condition = fn(&Policy, &Entry) -> bool;

const OFFERED: Condition = |_, entry| entry.offered();
const TO_USE: &[Condition] = &[|_, entry| entry.usable(), OFFERED];
const TO_SWITCH: &[Condition] =
    &[|policy, entry| entry.offered() && !policy.is_of_plugin_off(&entry.skill), OFFERED];

/// The entries that are searched.
struct Among<'a> {
    view: &'a View,
    scope: Option<Scope>,
    /// Of several skills with one name, those are meant that fulfil the first condition that any
    /// fulfils.
    before: &'a [Condition],
}

impl<'a> Among<'a> {
    /// # Errors
    /// [`ResolveError::AllOff`].
    fn of(
        view: &'a View,
        scope: Option<Scope>,
        before: &'a [Condition],
    ) -> Result<Self, ResolveError> {
        match view.all_off() {
            Some(origin) => Err(ResolveError::AllOff(origin.clone())),
            None => Ok(Self { view, scope, before }),
        }
    }

    fn find(&self, argument: &str, cwd: &Path) -> Result<usize, ResolveError> {
        let argument = argument.trim();
        if argument.is_empty() {
            return Err(ResolveError::Empty);
        }
        // No argument can hold every path, so an id comes first.
        if let [index] = *self.having(&|entry| entry.skill.has_id(argument)) {
            return Ok(index);
        }
        match whole_mention(argument) {
            Some(Mention::Link { path, .. }) => {
                return self.by_path(&path, cwd).ok_or_else(|| self.unknown(argument));
            }
            Some(mention) => {
                let path = self.by_path(argument, cwd);
                let meant = path.map_or_else(|| self.by_mention(&mention), Ok);
                // A name may begin with the sign of a mention.
                return meant.or_else(|why| self.by_name(argument).map_err(|_| why));
            }
            None => {}
        }
        if is_path(argument) {
            return self.by_path(argument, cwd).map_or_else(|| self.by_name(argument), Ok);
        }
        self.by_name(argument)
    }

    /// The entries that fulfil a condition, as indexes in the view.
    fn having(&self, such: &dyn Fn(&Entry) -> bool) -> Vec<usize> {
        let meant = |entry: &Entry| Workspace::admits(self.scope, entry.skill.scope) && such(entry);
        (0..self.view.rows.len()).filter(|index| meant(&self.view.rows[*index].entry)).collect()
    }

    fn by_path(&self, text: &str, cwd: &Path) -> Option<usize> {
        let context = self.view.host_contexts.first().map(|it| &it.reading.context);
        let path = context.and_then(|context| context.path(text, cwd));
        let path = path.unwrap_or_else(|| cwd.join(text));
        // The canonical path is the identity; a place where it was found is compared as it is
        // written.
        let real = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let lies_there = |entry: &Entry| {
            let skill = &entry.skill;
            skill.path == real
                || skill.dir() == real
                || skill.locations().any(|place| *place == *path || place.join("SKILL.md") == path)
        };
        self.having(&lies_there).first().copied()
    }

    /// If only one skill of the name may be invoked by a person, the mention means that one, since
    /// we print a bare name only then.
    fn by_mention(&self, mention: &Mention) -> Result<usize, ResolveError> {
        if self.view.host.id.word() == ALL
            && let Some(found) = self.called_by_any(mention)
        {
            return found;
        }
        let name = self.view.host.mention.name_in(mention).unwrap_or(mention.name());
        let carriers = self.carriers(name);
        let mut callable = carriers.iter().filter(|index| self.view.rows[**index].entry.pickable());
        match (callable.next(), callable.next()) {
            (Some(index), None) => Ok(*index),
            _ => self.by_name(name),
        }
    }

    /// The skill that this mention calls in the prompts of the agents that take its form. `None` if
    /// it calls no skill there.
    fn called_by_any(&self, mention: &Mention) -> Option<Result<usize, ResolveError>> {
        let mut meant: Vec<usize> = Vec::new();
        for report in self.view.reports.iter() {
            let Some(name) = report.speech.form.name_in(mention) else { continue };
            let order = report.policy.order;
            let wanted = order.folded(name);
            let called = |index: &usize| {
                let (skill, place) = (&self.view.rows[*index].entry.skill, u32::try_from(*index));
                place.is_ok_and(|place| {
                    let theirs = order.name_of(report.as_found(place, skill));
                    canonically_equal(&order.folded(&theirs), &wanted)
                        && report.lets_call(place, skill)
                })
            };
            let called: Vec<usize> = self.having(&|_| true).into_iter().filter(called).collect();
            if let [one] = called.as_slice()
                && !meant.contains(one)
            {
                meant.push(*one);
            }
        }
        match meant.as_slice() {
            [] => None,
            [one] => Some(Ok(*one)),
            several => Some(Err(self.ambiguous(several))),
        }
    }

    fn ambiguous(&self, several: &[usize]) -> ResolveError {
        let candidate = |index: &usize| {
            let skill = &self.view.rows[*index].entry.skill;
            (skill.scope, skill.path.clone())
        };
        let names = several.iter().map(|index| self.name_of_it_alone(*index));
        ResolveError::Ambiguous {
            candidates: several.iter().map(candidate).collect(),
            names: names.collect::<Option<Vec<String>>>().unwrap_or_default(),
        }
    }

    /// The host's name for an entry, if it can be shown as it is and means this entry alone.
    fn name_of_it_alone(&self, index: usize) -> Option<String> {
        let own = self.view.policy.order.name_of(&self.view.rows[index].entry.skill).into_owned();
        let is_name_only = own.trim() == own
            && !is_path(&own)
            && whole_mention(&own).is_none()
            && self.having(&|entry| entry.skill.has_id(&own)).is_empty();
        (is_listed_whole(&own) && is_name_only && self.named(&own) == [index]).then_some(own)
    }

    /// The skills of this name as the host uses names, else those of this name in the frontmatter.
    /// If the host takes others in place of all of them, those others too. Names that differ only
    /// in case are one name to a project, so that it may take a skill, or forbid to take any.
    fn carriers(&self, name: &str) -> Vec<usize> {
        let order = self.view.policy.order;
        let wanted = order.folded(name);
        let same = |name: &str| canonically_equal(&order.folded(name), &wanted);
        let is_exact = |other: &str| canonically_equal(other.trim(), name.trim());
        let is_named = |entry: &Entry| same(&order.name_of(&entry.skill));
        let named = self.having(&is_named);
        if named.is_empty() {
            let written = self.having(&|entry| same(&entry.skill.name));
            let written = self.narrowed(written, &|skill| is_exact(&skill.name));
            // A name with line ends or hidden characters is known only as it is shown.
            let shown =
                |entry: &Entry| SafeText::line(&entry.skill.name).to_string() == name.trim();
            return if written.is_empty() { self.having(&shown) } else { written };
        }
        let winners: Option<Vec<&Path>> =
            named.iter().map(|index| self.view.rows[*index].entry.shadowed_by.as_deref()).collect();
        if let Some(winners) = winners {
            let is_taken = |entry: &Entry| winners.iter().any(|winner| *winner == entry.skill.path);
            return self.having(&|entry| {
                is_named(entry) || same(&order.rival_key(&entry.skill)) || is_taken(entry)
            });
        }
        let name = normalized(name);
        let collides = |entry: &Entry| entry.offered() && normalized(&entry.skill.name) == name;
        let forbids = |entry: &Entry| {
            let stored = entry.skill.stored.as_ref();
            stored.is_some_and(|stored| stored.precedence == Precedence::Error) && collides(entry)
        };
        match self.having(&forbids).is_empty() {
            true => self.narrowed(named, &|skill| is_exact(&order.name_of(skill))),
            false => self.having(&|entry| is_named(entry) || collides(entry)),
        }
    }

    /// Of skills that the host's switches cannot tell apart, those with exactly the name that was
    /// given, if there are any. All of them if the host takes them for one name and one of them is
    /// offered.
    fn narrowed(&self, found: Vec<usize>, is_exact: &dyn Fn(&Skill) -> bool) -> Vec<usize> {
        let entry = |index: &usize| &self.view.rows[*index].entry;
        let is_one_name = !self.view.policy.order.tells_apart();
        if is_one_name && found.iter().any(|index| entry(index).offered()) {
            return found;
        }
        let exact = found.iter().copied().filter(|index| is_exact(&entry(index).skill));
        let exact: Vec<usize> = exact.collect();
        if exact.is_empty() { found } else { exact }
    }

    fn by_name(&self, name: &str) -> Result<usize, ResolveError> {
        match self.named(name).as_slice() {
            [] => Err(self.unknown(name)),
            [one] => Ok(*one),
            several => Err(self.ambiguous(several)),
        }
    }

    /// The skills that a name may mean.
    fn named(&self, name: &str) -> Vec<usize> {
        let entry = |index: &usize| &self.view.rows[*index].entry;
        let carriers = self.carriers(name);
        let policy = &self.view.policy;
        let those = |holds: &Condition| -> Vec<usize> {
            carriers.iter().copied().filter(|index| holds(policy, entry(index))).collect()
        };
        let chosen = self
            .before
            .iter()
            .map(those)
            .find(|chosen| !chosen.is_empty())
            .unwrap_or(carriers.clone());
        let status: Vec<usize> =
            chosen.iter().copied().filter(|index| entry(index).shadowed_by.is_none()).collect();
        // The only one may be shadowed, which whoever wants it is told.
        if status.len() == 1 { status } else { chosen }
    }

    fn unknown(&self, argument: &str) -> ResolveError {
        let last = argument.trim_end_matches("/SKILL.md").rsplit('/').next().unwrap_or(argument);
        let all = self.having(&|_| true);
        let names = all.iter().map(|index| self.view.rows[*index].entry.skill.name.as_str());
        ResolveError::Unknown {
            suggestions: suggest(last, names).into_iter().map(str::to_owned).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
