//! Finds which skills a person calls in a prompt, and adds their texts to it.

use super::call_context::{CallContext, since};
use super::judge::{Asker, LoadError, judge};
use super::load::{Loaded, Noted};
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
            Err(ResolveError::Ambiguous { candidates }) => Means::Several(candidates),
            Err(ResolveError::Unknown { .. } | ResolveError::Empty) => Means::Nothing,
        };
        Called { range, mention, means }
    }

    /// The texts of the skills that a prompt calls, then the rest of the prompt: for models without
    /// tools. Permissions are about what a model loads by itself, so they do not apply when a
    /// person calls a skill. Hidden text still needs approval.
    ///
    /// # Errors
    /// The first skill that cannot be loaded, by its index in the view.
    pub fn inject(&self, calls: &Calls) -> Result<String, (usize, LoadError)> {
        let mut read: Vec<(usize, u64, Loaded)> = Vec::new();
        for index in calls.skills() {
            let start = Instant::now();
            let loaded = self.try_entry(index, Asker::PERSON).map_err(|error| {
                self.note_load(index, since(start), Err(error.code()));
                (index, error)
            })?;
            read.push((index, since(start), loaded));
        }
        // Only now are they logged as loaded.
        read.iter()
            .for_each(|(index, took, loaded)| self.note_load(*index, *took, Ok(Noted::of(loaded))));
        let blocks = read.iter().map(|(.., loaded)| loaded.block() + "\n\n");
        Ok(blocks.chain([calls.remaining.clone()]).collect())
    }
}

#[cfg(test)]
mod tests;
