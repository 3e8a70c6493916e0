//! `resolve`: the mentions of a prompt.

use super::prompt::NamedRow;
use super::skill::{VERSION, lossy};
use crate::catalog::Scope;
use crate::runtime::{Called, Calls, LoadError, Means};
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;

/// The mentions of a prompt, and what remains of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResolveDocument<'a> {
    /// 1.
    version: u32,
    /// Those that mean one skill, in order.
    resolved: Vec<ResolvedRow<'a>>,
    /// Those that could mean several.
    ambiguous: Vec<AmbiguousRow<'a>>,
    /// Those that mean none and stay text.
    ignored: Vec<IgnoredRow<'a>>,
    /// The prompt without a `/name` at its start that means one skill.
    remaining: &'a str,
}

/// Where a mention stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MentionRow<'a> {
    /// Its text.
    mention: &'a str,
    /// Its first byte in the prompt.
    start: usize,
    /// The byte behind it.
    end: usize,
}

/// A mention that means one skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResolvedRow<'a> {
    /// The mention.
    #[serde(flatten)]
    mention: MentionRow<'a>,
    /// The skill.
    skill: NamedRow<'a>,
}

/// A mention that could mean several.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AmbiguousRow<'a> {
    /// The mention.
    #[serde(flatten)]
    mention: MentionRow<'a>,
    /// The skills.
    candidates: Vec<CandidateRow<'a>>,
}

/// A skill that may be meant.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CandidateRow<'a> {
    /// Whose it is.
    scope: Scope,
    /// Path of its SKILL.md.
    path: Cow<'a, str>,
}

/// A mention that means none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IgnoredRow<'a> {
    /// The mention.
    #[serde(flatten)]
    mention: MentionRow<'a>,
    /// `unknown`; `off`: it is switched off; `not_for_people`: its own text says that no person
    /// calls it; or `invalid`: the agent does not take it.
    reason: &'static str,
}

impl<'a> ResolveDocument<'a> {
    /// The document of a prompt.
    pub fn of(prompt: &'a str, view: &'a View, calls: &'a Calls) -> Self {
        let mut document = Self {
            version: VERSION,
            resolved: Vec::new(),
            ambiguous: Vec::new(),
            ignored: Vec::new(),
            remaining: &calls.remaining,
        };
        for Called { range, means, .. } in &calls.called {
            let mention =
                MentionRow { mention: &prompt[range.clone()], start: range.start, end: range.end };
            match means {
                Means::Skill(index) => {
                    let skill = NamedRow::of(&view.rows[*index].entry.skill);
                    document.resolved.push(ResolvedRow { mention, skill });
                }
                Means::Several(candidates) => {
                    let candidate = |(scope, path): &'a (Scope, std::path::PathBuf)| CandidateRow {
                        scope: *scope,
                        path: lossy(path),
                    };
                    let candidates = candidates.iter().map(candidate).collect();
                    document.ambiguous.push(AmbiguousRow { mention, candidates });
                }
                Means::Barred(_, LoadError::Invalid { .. }) => document.ignore(mention, "invalid"),
                Means::Barred(_, error @ LoadError::NotForPeople(_)) => {
                    document.ignore(mention, error.code())
                }
                Means::Barred(..) => document.ignore(mention, "off"),
                Means::Nothing => document.ignore(mention, "unknown"),
            }
        }
        document
    }

    fn ignore(&mut self, mention: MentionRow<'a>, reason: &'static str) {
        self.ignored.push(IgnoredRow { mention, reason });
    }
}
