//! `resolve`: the mentions of a prompt.

use super::parts::lossy;
use super::prompt::NamedRow;
use crate::catalog::Scope;
use crate::runtime::{Called, Calls, Means};
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;

/// The mentions in a prompt, and the rest of the prompt.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResolveDocument<'a> {
    /// Mentions that mean exactly one skill, in the order of the prompt.
    resolved: Vec<ResolvedRow<'a>>,
    /// Mentions that could mean several skills.
    ambiguous: Vec<AmbiguousRow<'a>>,
    /// Mentions that call no skill and stay text.
    ignored: Vec<IgnoredRow<'a>>,
    /// The prompt without a `/name` at its start that means one skill.
    remaining: &'a str,
}

/// The place of a mention in the prompt.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MentionRow<'a> {
    /// The text of the mention.
    mention: &'a str,
    /// Offset of its first byte in the prompt.
    start: usize,
    /// Offset of the first byte after it.
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

/// A skill that the mention could mean.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CandidateRow<'a> {
    /// Whose skill it is.
    scope: Scope,
    /// Path of its SKILL.md.
    path: Cow<'a, str>,
}

/// A mention that calls no skill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IgnoredRow<'a> {
    /// The mention.
    #[serde(flatten)]
    mention: MentionRow<'a>,
    /// `unknown`; `off`: the skill is switched off; `shadowed`: the agent takes another one in its
    /// place; `not_for_people`: its frontmatter says that people cannot call it; `invalid`: the
    /// agent refuses it.
    reason: &'static str,
}

impl<'a> ResolveDocument<'a> {
    pub fn of(prompt: &'a str, view: &'a View, calls: &'a Calls) -> Self {
        let mut document = Self {
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
                Means::Barred(_, error) => {
                    let code = error.code();
                    document.ignore(mention, if code == "disabled" { "off" } else { code })
                }
                Means::Nothing => document.ignore(mention, "unknown"),
            }
        }
        document
    }

    fn ignore(&mut self, mention: MentionRow<'a>, reason: &'static str) {
        self.ignored.push(IgnoredRow { mention, reason });
    }
}
