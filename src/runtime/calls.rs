//! Finds which skills a person calls in a prompt, and adds their texts to it.

use super::call_context::{CallContext, since};
use super::judge::{Asker, LoadError, judge};
use super::prompt::loaded_rule;
use super::session::{Gathered, Handed, SavedSkill};
use crate::catalog::mention::{Found, mentions};
use crate::catalog::{Mention, Scope};
use crate::workspace::{ResolveError, resolve_mention};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

/// What a mention means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Means {
    /// One skill, by its index in the view.
    Skill(usize),
    /// Several skills, with scope and path of each. A path is needed.
    Several(Vec<(Scope, PathBuf)>),
    /// A skill that a person may not invoke, by its index in the view, and why. The mention stays
    /// text.
    Barred(usize, LoadError),
    /// No skill. The mention stays text.
    Nothing,
}

/// A mention in a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Its bytes in the prompt.
    pub range: Range<usize>,
    pub mention: Mention,
    pub means: Means,
}

/// The mentions of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// Its mentions, in order.
    pub called: Vec<Called>,
    /// The prompt without a `/name` at its start that means one skill. A `$name` stays.
    pub remaining: String,
}

impl Calls {
    /// The skills that are called, once each, in order: indexes into the view.
    pub fn skills(&self) -> Vec<usize> {
        let mut skills = Vec::new();
        for called in &self.called {
            if let Means::Skill(index) = called.means
                && !skills.contains(&index)
            {
                skills.push(index);
            }
        }
        skills
    }

    /// The prompt for a model without tools: the texts of the skills that it calls, what the
    /// conversation has loaded, and the rest of the prompt.
    pub fn injected(&self, handed: &[Handed], active: &[SavedSkill]) -> String {
        let context = Some(called_texts(handed)).filter(|texts| !texts.is_empty()).into_iter();
        let parts = context.chain(loaded_rule(active)).chain([self.remaining.clone()]);
        parts.collect::<Vec<_>>().join("\n\n")
    }
}

/// What a hook adds to a prompt: the texts of the skills that it calls.
pub fn called_texts(handed: &[Handed]) -> String {
    let texts = handed.iter().map(|one| one.text(Some("skillpick unload")));
    texts.collect::<Vec<_>>().join("\n\n")
}

impl CallContext<'_> {
    /// Finds the mentions in a prompt. Code, prices, shell variables and unknown names are no
    /// mentions.
    pub fn calls(&self, prompt: &str) -> Calls {
        let called: Vec<Called> =
            mentions(prompt).into_iter().map(|found| self.called(found, prompt)).collect();
        let slash = called.first().filter(|first| {
            matches!((&first.mention, &first.means), (Mention::Slash { .. }, Means::Skill(_)))
        });
        let remaining = slash.map_or(prompt, |slash| prompt[slash.range.end..].trim_start());
        Calls { remaining: remaining.to_owned(), called }
    }

    fn called(&self, Found { range, mention }: Found, prompt: &str) -> Called {
        let meant = match &mention {
            Mention::Link { .. } => self.resolve(&prompt[range.clone()]),
            name => resolve_mention(self.view, name, self.scope),
        };
        let means = match meant {
            Ok(index) => match judge(self.entry(index), Asker::PERSON) {
                Ok(()) => Means::Skill(index),
                Err(error) => Means::Barred(index, error),
            },
            Err(ResolveError::Ambiguous { candidates, .. }) => Means::Several(candidates),
            Err(ResolveError::Unknown { .. } | ResolveError::Empty | ResolveError::AllOff(_)) => {
                Means::Nothing
            }
        };
        Called { range, mention, means }
    }

    /// Reads the skills that a prompt calls, all or none, for [`CallContext::hand_over`]: for
    /// models without tools. Permissions are about what a model loads by itself, so they do not
    /// apply when a person calls a skill. Hidden text still needs approval.
    ///
    /// # Errors
    /// The first skill that cannot be loaded, by its index in the view.
    pub fn gather(&self, calls: &Calls) -> Result<Gathered, (usize, LoadError)> {
        let mut read = Vec::new();
        for index in calls.skills() {
            let start = Instant::now();
            let loaded = self.try_entry(index, Asker::PERSON).map_err(|error| {
                self.note_load(index, since(start), Err(error.code()));
                (index, error)
            })?;
            read.push((index, since(start), loaded));
        }
        Ok(Gathered::of(read))
    }
}

#[cfg(test)]
mod tests;
