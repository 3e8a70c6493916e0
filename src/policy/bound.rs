//! The one skill that an allow rule is bound to, and the skill that rules are held against.

use super::{Layer, Origin, Policy, Rule, Run, Tool};
use crate::catalog::{Permission, Skill};
use crate::inert;
use crate::text::SafeText;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The one skill that an allow rule is bound to. A name is anybody's to take: what a repository
/// brings is allowed by a rule that is bound, and by no other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// The canonical path of its `SKILL.md`.
    pub path: PathBuf,
    /// The digest of all its files, 64 hex digits, of a rule about scripts: files that have changed
    /// since are asked for again.
    pub digest: Option<String>,
}

impl Bound {
    /// The text of `digest` in settings.
    pub fn digest_word(&self) -> Option<String> {
        self.digest.as_ref().map(|digest| format!("{DIGEST}{digest}"))
    }

    /// Reads the text of `digest` in settings; nothing where it is none.
    pub fn read_digest(text: &str) -> Option<String> {
        let hex = text.trim().strip_prefix(DIGEST)?;
        let is_hex = |letter: u8| letter.is_ascii_digit() || (b'a'..=b'f').contains(&letter);
        (hex.len() == 64 && hex.bytes().all(is_hex)).then(|| hex.to_owned())
    }
}

const DIGEST: &str = "sha256:";

/// A skill as rules are held against it.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// Its name, as the host takes names.
    pub name: Cow<'a, str>,
    /// The canonical path of its `SKILL.md`; nothing where a name alone is asked about.
    pub path: Option<&'a Path>,
    /// Whether a repository brings it, so that only a bound rule allows it.
    pub brought: bool,
}

impl<'a> Subject<'a> {
    /// Some skill of the person's own with this name.
    pub fn named(name: &'a str) -> Self {
        Self { name: name.into(), path: None, brought: false }
    }
}

/// Why a rule that allows a skill of this name does not allow this very one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// It goes by name (or, about scripts, by path without a digest), and a repository brings the
    /// skill.
    Unbound(Origin),
    /// It is bound to other files than those that are there now.
    Changed(Origin),
}

impl Shortfall {
    /// The same in a sentence, to be shown.
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

    /// Whether what the rule says counts for a skill that it covers: what a repository brings is
    /// allowed only by a rule that is bound to it, and its scripts only with the digest.
    pub(super) fn reaches(&self, subject: &Subject<'_>) -> bool {
        let is_bound = |bound: &Bound| self.tool == Tool::SkillLoad || bound.digest.is_some();
        self.effect != Permission::Allow
            || !subject.brought
            || self.bound.as_ref().is_some_and(is_bound)
    }

    /// Whether the rule is bound to other files than those of this run.
    fn is_of_other_files(&self, run: Option<&Run<'_>>) -> bool {
        let bound = self.bound.as_ref().and_then(|bound| bound.digest.as_deref());
        bound.is_some_and(|digest| run.and_then(|run| run.digest) != Some(digest))
    }

    /// Whether the rule holds for this run; nothing means that none is known.
    pub fn holds(&self, run: Option<&Run<'_>>) -> bool {
        self.runs.cover(run, self.effect) && !self.is_of_other_files(run)
    }
}

impl Policy {
    /// A skill as this host's rules are held against it. Only rules of ours can be bound, so that
    /// those of other hosts go by name for all skills alike.
    pub fn subject<'a>(&self, skill: &'a Skill) -> Subject<'a> {
        Subject {
            name: self.order.name_of(skill),
            path: Some(&skill.path),
            brought: self.order.bound && skill.is_brought(),
        }
    }

    /// Why a rule that allows a skill of this name does not allow this very one, where there is
    /// such a rule.
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
