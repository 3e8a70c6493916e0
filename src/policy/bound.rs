//! Allow rules that are bound to one skill, and the skill to which rules are applied.

use super::{Layer, Origin, Policy, Rule, Run, Tool};
use crate::catalog::{Permission, Skill};
use crate::inert;
use crate::text::SafeText;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The one skill that an allow rule is bound to. Anybody can use any name, so only a bound rule
/// allows a skill that a repository brings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// The canonical path of its `SKILL.md`.
    pub path: PathBuf,
    /// The digest of all its files, 64 hex digits. Only rules about scripts have one: if a file
    /// changes, the person is asked again.
    pub digest: Option<String>,
}

impl Bound {
    /// The text of `digest` in settings.
    pub fn digest_word(&self) -> Option<String> {
        self.digest.as_ref().map(|digest| format!("{DIGEST}{digest}"))
    }

    /// Reads the text of `digest` in settings; `None` if it is not a digest.
    pub fn read_digest(text: &str) -> Option<String> {
        let hex = text.trim().strip_prefix(DIGEST)?;
        let is_hex = |letter: u8| letter.is_ascii_digit() || (b'a'..=b'f').contains(&letter);
        (hex.len() == 64 && hex.bytes().all(is_hex)).then(|| hex.to_owned())
    }
}

const DIGEST: &str = "sha256:";

/// A skill as rules see it.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// Its name, as the host takes names.
    pub name: Cow<'a, str>,
    /// The canonical path of its `SKILL.md`; `None` if only a name is asked about.
    pub path: Option<&'a Path>,
    /// Whether a repository brings it, so that only a bound rule allows it.
    pub brought: bool,
}

impl<'a> Subject<'a> {
    /// A skill of the person's own with this name.
    pub fn named(name: &'a str) -> Self {
        Self { name: name.into(), path: None, brought: false }
    }
}

/// Why an allow rule for this name does not allow this particular skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// The rule has no path (or, about scripts, no digest), and a repository brings the skill.
    Unbound(Origin),
    /// The files have changed since the rule was written.
    Changed(Origin),
}

impl Shortfall {
    /// A sentence to be shown.
    pub fn shown(&self) -> SafeText {
        match self {
            Self::Unbound(origin) => inert!(
                "{} is not bound to this skill's path and files, so it does not reach what a \
                 repository brings",
                origin.shown()
            ),
            Self::Changed(origin) => {
                inert!("its files have changed since they were allowed by {}", origin.shown())
            }
        }
    }
}

impl Rule {
    /// Whether the rule is about `tool` used with this skill.
    pub fn covers(&self, tool: Tool, subject: &Subject<'_>) -> bool {
        self.tool == tool
            && self.pattern.matches(&subject.name)
            && self.bound.as_ref().is_none_or(|bound| subject.path == Some(&*bound.path))
    }

    /// Whether the rule has an effect on a skill that it covers. A skill that a repository brings
    /// is allowed only by a rule that is bound to it, its scripts only by one with a digest.
    pub(super) fn reaches(&self, subject: &Subject<'_>) -> bool {
        let is_bound = |bound: &Bound| self.tool == Tool::SkillLoad || bound.digest.is_some();
        self.effect != Permission::Allow
            || !subject.brought
            || self.bound.as_ref().is_some_and(is_bound)
    }

    /// Whether the rule's digest differs from that of the files of this run.
    fn is_of_other_files(&self, run: Option<&Run<'_>>) -> bool {
        let bound = self.bound.as_ref().and_then(|bound| bound.digest.as_deref());
        bound.is_some_and(|digest| run.and_then(|run| run.digest) != Some(digest))
    }

    /// Whether the rule covers this run; `None` if it is not known what would be run.
    pub fn holds(&self, run: Option<&Run<'_>>) -> bool {
        self.runs.cover(run, self.effect) && !self.is_of_other_files(run)
    }
}

impl Policy {
    /// A skill as this host's rules see it. Only our own rules can be bound; the rules of other
    /// hosts go by name for every skill.
    pub fn subject<'a>(&self, skill: &'a Skill) -> Subject<'a> {
        Subject {
            name: self.order.name_of(skill),
            path: Some(&skill.path),
            brought: self.order.bound && skill.is_brought(),
        }
    }

    /// Why a rule that allows a skill of this name does not allow this particular skill; `None` if
    /// there is no such rule.
    pub fn shortfall(&self, tool: Tool, skill: &Skill, run: Option<&Run<'_>>) -> Option<Shortfall> {
        let subject = Subject { brought: skill.is_brought(), ..self.subject(skill) };
        let allows = |rule: &&Rule| {
            rule.effect == Permission::Allow && !self.ignored(rule) && rule.layer != Layer::Managed
        };
        let fits =
            |rule: &&Rule| rule.covers(tool, &subject) && rule.runs.cover(run, Permission::Allow);
        let rules = || self.rules.iter().filter(allows).filter(fits);
        let changed = rules().find(|rule| run.is_some() && rule.is_of_other_files(run));
        let unbound = || rules().find(|rule| !rule.reaches(&subject));
        changed
            .map(|rule| Shortfall::Changed(rule.origin.clone()))
            .or_else(|| unbound().map(|rule| Shortfall::Unbound(rule.origin.clone())))
    }
}
