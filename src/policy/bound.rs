//! Allow rules that are bound to one skill, and the skill to which rules are applied.

use super::{Layer, Origin, Pattern, Policy, Rule, Run, Tool};
use crate::catalog::{Permission, Skill, decomposed};
use crate::inert;
use crate::text::SafeText;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The one skill that an allow rule is bound to. Anybody can use any name, and change any file, so
/// only a rule that is bound to a skill's files allows a skill that a repository brings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// The canonical path of its `SKILL.md`.
    pub path: PathBuf,
    /// The digest of all its files, 64 hex digits: if one of them changes, the person is asked
    /// again. Without it, the rule covers only a skill of the person's own, whatever is in its
    /// files.
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
    /// Whether a repository brings it, so that only a rule that is bound to its files allows it.
    pub brought: bool,
    /// The digest of all its files, if a rule about loading is bound to it and they could be read.
    pub files: Option<&'a str>,
    /// Whether it is a stored skill, which stays the same one if the name of its next version
    /// differs in case.
    pub stored: bool,
    /// Whether our own rules judge it. They take composed and decomposed letters for the same, as
    /// whoever calls a skill by its name does; how another host compares them is its own affair.
    pub by_ours: bool,
}

impl<'a> Subject<'a> {
    /// A skill of the person's own with this name.
    pub fn named(name: &'a str) -> Self {
        Self {
            name: name.into(),
            path: None,
            brought: false,
            files: None,
            stored: false,
            by_ours: false,
        }
    }

    /// Whether a rule with this pattern and effect is about its name. What asks or denies covers
    /// every form of it: its letters composed or not, and a stored skill's in any case, since
    /// whoever writes the next version chooses it. What allows is about the name as it is written.
    pub fn is_named_by(&self, pattern: &Pattern, effect: Permission) -> bool {
        let has_forms = self.by_ours && !(self.name.is_ascii() && pattern.is_ascii());
        let by_any = effect != Permission::Allow && (self.stored || has_forms);
        let form = |name: &str| {
            let name = if self.stored { name.to_lowercase() } else { name.to_owned() };
            if has_forms { decomposed(&name) } else { name }
        };
        pattern.matches(&self.name) || by_any && pattern.in_form(form).matches(&form(&self.name))
    }
}

/// Why an allow rule for this name does not allow this particular skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// The rule has no path or no digest, and a repository brings the skill.
    Unbound(Origin),
    /// The files have changed since the rule was written.
    Changed(Origin),
    /// The rule is about a skill of this name in another place. A new version of a stored skill is
    /// one, and so is a skill whose folder was renamed.
    Elsewhere(Origin),
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
            Self::Elsewhere(origin) => {
                inert!("{} allows a skill of this name in another place", origin.shown())
            }
        }
    }

    /// A sentence to be shown after who decided, which may be the rule that falls short.
    pub fn shown_after(&self, decider: &Origin) -> SafeText {
        match self {
            Self::Unbound(origin) if origin == decider => SafeText::fixed(
                "it allowed the path alone, and does not reach the files that a repository brings",
            ),
            Self::Changed(origin) if origin == decider => {
                SafeText::fixed("the skill's files have changed since they were allowed")
            }
            Self::Elsewhere(origin) if origin == decider => {
                SafeText::fixed("it allowed a skill of this name in another place")
            }
            _ => self.shown(),
        }
    }
}

impl Rule {
    /// Whether the rule is about `tool` used with this skill.
    pub fn covers(&self, tool: Tool, subject: &Subject<'_>) -> bool {
        self.tool == tool
            && subject.is_named_by(&self.pattern, self.effect)
            && self.bound.as_ref().is_none_or(|bound| subject.path == Some(&*bound.path))
    }

    /// Whether the rule has an effect on a skill that it covers. A skill that a repository brings
    /// is allowed only by a rule that is bound to its files.
    pub(super) fn reaches(&self, subject: &Subject<'_>) -> bool {
        self.effect != Permission::Allow || !subject.brought || self.digest().is_some()
    }

    /// Whether the rule is bound to one skill, and this one has its path, or its name where the
    /// rule is bound to files.
    fn is_akin(&self, subject: &Subject<'_>) -> bool {
        let (Some(bound), Some(path)) = (self.bound_path(), subject.path) else { return false };
        let is_named = matches!(self.pattern, Pattern::Exact(_));
        let named = subject.is_named_by(&self.pattern, Permission::Ask);
        match (named, self.digest().is_some()) {
            (true, has_files) => bound == path || (is_named && has_files),
            (false, has_files) => bound == path && has_files,
        }
    }

    fn bound_path(&self) -> Option<&Path> {
        self.bound.as_ref().map(|bound| &*bound.path)
    }

    /// The digest of the files that the rule is bound to.
    fn digest(&self) -> Option<&str> {
        self.bound.as_ref().and_then(|bound| bound.digest.as_deref())
    }

    /// Whether the rule's digest differs from that of the skill's files or, about scripts, from
    /// that of the files of this run.
    fn is_of_other_files(&self, subject: &Subject<'_>, run: Option<&Run<'_>>) -> bool {
        let now = match self.tool {
            Tool::SkillLoad => subject.files,
            Tool::SkillScript => run.and_then(|run| run.digest),
        };
        self.digest().is_some_and(|digest| now != Some(digest))
    }

    /// Whether the rule covers this skill and run. `run` is `None` if it is not known what would be
    /// run.
    pub(super) fn holds(&self, subject: &Subject<'_>, run: Option<&Run<'_>>) -> bool {
        self.covers(self.tool, subject)
            && self.runs.cover(run, self.effect)
            && self.reaches(subject)
            && !self.is_of_other_files(subject, run)
    }
}

impl Policy {
    /// A skill of the person's own with this name, as this host's rules see it.
    pub fn named<'a>(&self, name: &'a str) -> Subject<'a> {
        Subject { by_ours: self.order.bound, ..Subject::named(name) }
    }

    /// A skill as this host's rules see it. Only our own rules can be bound; the rules of other
    /// hosts go by name for every skill.
    pub fn subject<'a>(&'a self, skill: &'a Skill) -> Subject<'a> {
        Subject {
            name: self.order.name_of(skill),
            path: Some(&skill.path),
            brought: self.order.bound && skill.is_brought(),
            files: self.files.get(&skill.path).map(String::as_str),
            stored: skill.stored.is_some(),
            by_ours: self.order.bound,
        }
    }

    /// The paths of the skills to whose files rules about loading are bound. [`Policy::files`] must
    /// have their digests.
    pub fn bound_to_files(&self) -> impl Iterator<Item = &Path> {
        let rules = self.rules.iter().filter(|rule| self.is_bound_load(rule));
        rules.filter(|rule| rule.digest().is_some()).filter_map(Rule::bound_path)
    }

    /// The same policy with this digest of a skill's files. `digest` is `None` if they cannot be
    /// read.
    #[must_use]
    pub fn with_files(&self, skill: &Path, digest: Option<String>) -> Self {
        let mut policy = self.clone();
        policy.files.remove(skill);
        policy.files.extend(digest.map(|digest| (skill.to_owned(), digest)));
        policy
    }

    /// Whether the rule with this origin is bound to the files of this skill, so that its word is
    /// as old as their digest.
    pub fn is_by_files(&self, origin: &Origin, skill: &Path) -> bool {
        let bound = self.rules.iter().filter(|rule| self.is_bound_load(rule));
        bound
            .filter(|rule| rule.digest().is_some() && rule.bound_path() == Some(skill))
            .any(|rule| rule.origin == *origin)
    }

    fn is_bound_load(&self, rule: &Rule) -> bool {
        rule.tool == Tool::SkillLoad
            && rule.effect == Permission::Allow
            && rule.bound.is_some()
            && !self.ignored(rule)
    }

    /// The rule that allowed loading this skill, and does so no longer: its files have changed, or
    /// it was given another name, or a repository brings the skill and the rule has no digest. A
    /// person is asked anew.
    ///
    /// Where the default allows, a skill that has only the name is asked for too. The rule may have
    /// replaced one that asked for all skills of the name, or be about a stored skill, which has
    /// another path in each version.
    pub(super) fn lapsed(&self, tool: Tool, subject: &Subject<'_>) -> Option<usize> {
        let by_default = self.default_for(tool).value == Permission::Allow;
        let lapsed = |rule: &Rule| {
            tool == Tool::SkillLoad
                && self.is_bound_load(rule)
                && rule.is_akin(subject)
                && (by_default || rule.bound_path() == subject.path)
                && !rule.holds(subject, None)
        };
        let is_lapsed = |index: &usize| lapsed(&self.rules[*index]);
        let found = || (0..self.rules.len()).filter(is_lapsed);
        found().find(|index| self.rules[*index].bound_path() == subject.path).or(found().next())
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
        let changed = rules().find(|rule| {
            (run.is_some() || tool == Tool::SkillLoad) && rule.is_of_other_files(&subject, run)
        });
        let unbound = || rules().find(|rule| !rule.reaches(&subject));
        changed
            .map(|rule| Shortfall::Changed(rule.origin.clone()))
            .or_else(|| unbound().map(|rule| Shortfall::Unbound(rule.origin.clone())))
            .or_else(|| {
                let lapsed = &self.rules[self.lapsed(tool, &subject)?];
                let origin = lapsed.origin.clone();
                Some(match lapsed.bound_path() == subject.path {
                    true => Shortfall::Changed(origin),
                    false => Shortfall::Elsewhere(origin),
                })
            })
    }
}
