//! What a settings file can say about skills: switches, rules and allowlists, already read.

use super::Origin;
use crate::catalog::{Permission, Skill};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Which settings file speaks; a later layer stands above an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The person's own file.
    User,
    /// The repository's file.
    Project,
}

impl Layer {
    /// The word used in tables, notices and `--in`.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// What the model wants to do with a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// Load its text (COD-8.1).
    SkillLoad,
    /// Run one of its scripts (D13).
    SkillScript,
}

impl Tool {
    /// Every tool.
    pub const ALL: [Self; 2] = [Self::SkillLoad, Self::SkillScript];

    /// The word used in settings.
    pub fn word(self) -> &'static str {
        match self {
            Self::SkillLoad => "skill_load",
            Self::SkillScript => "skill_script",
        }
    }

    /// The tool that `word` names, exactly as [`Tool::word`] writes it.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.word() == word)
    }
}

/// Which skill a switch is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The one with this canonical path of its `SKILL.md`; whoever builds the switch canonicalises it.
    Path(PathBuf),
    /// Every skill of this name: trimmed, then exact (D2).
    Name(String),
}

impl Target {
    /// Whether this skill is meant.
    pub fn matches(&self, skill: &Skill) -> bool {
        match self {
            Self::Path(path) => *path == skill.path,
            Self::Name(name) => name.trim() == skill.name.trim(),
        }
    }
}

/// One skill, or one name, switched on or off (COD-14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Which skill.
    pub target: Target,
    /// On or off.
    pub enabled: bool,
    /// Where it is written.
    pub origin: Origin,
    /// Whose file says so.
    pub layer: Layer,
}

/// The names a rule covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Every skill: the rule is about the whole tool (COD-8.1b).
    Any,
    /// One name, exact (D2).
    Exact(String),
    /// Every name that begins so: `internal-*`.
    Prefix(String),
}

/// Why a pattern cannot be read; the sentence quotes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Nothing but blanks.
    #[error("a skill name is empty")]
    Empty,
    /// A `*` elsewhere, or a character of some other glob language: as a plain name it would match nothing, so a deny
    /// would silently deny nothing.
    #[error("only one `*`, at the end, is understood in a skill name")]
    Glob,
    /// A path where a name belongs.
    #[error("a rule names a skill; a path belongs in [[skills.config]]")]
    Path,
}

impl Pattern {
    /// Reads a settings text: a name, or a beginning and `*`.
    ///
    /// COD-8.1 asks for lowercase kebab-case. Any other name is taken as it stands, since skills with such names are
    /// offered (with a warning), and a rule that could not name them would leave them without one.
    ///
    /// # Errors
    /// [`PatternError`] where the text could mean something else than we would read; the caller fails closed.
    pub fn read(text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        let (name, prefix) = text.strip_suffix('*').map_or((text, false), |name| (name, true));
        match name {
            "" if prefix => Ok(Self::Any),
            "" => Err(PatternError::Empty),
            _ if name.contains(['/', '\\']) => Err(PatternError::Path),
            _ if name.contains(['*', '?', '[', ']', '{', '}', '!']) => Err(PatternError::Glob),
            _ if prefix => Ok(Self::Prefix(name.to_owned())),
            _ => Ok(Self::Exact(name.to_owned())),
        }
    }

    /// Whether `name` is covered.
    pub fn matches(&self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Exact(exact) => exact.trim() == name.trim(),
            Self::Prefix(prefix) => name.trim().starts_with(prefix),
        }
    }

    /// The settings text; nothing for a rule about the whole tool.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Any => None,
            Self::Exact(name) => Some(name.clone()),
            Self::Prefix(prefix) => Some(format!("{prefix}*")),
        }
    }
}

/// One permission rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What the model wants to do.
    pub tool: Tool,
    /// With which skills.
    pub pattern: Pattern,
    /// What the rule says to it.
    pub effect: Permission,
    /// Where it is written; [`Origin::Alarm`] for a rule that stands for something unreadable.
    pub origin: Origin,
    /// Whose file says so.
    pub layer: Layer,
}

impl Rule {
    /// Whether the rule covers `tool` used with a skill of this name.
    pub fn matches(&self, tool: Tool, name: &str) -> bool {
        self.tool == tool && self.pattern.matches(name)
    }

    /// Whether the rule stands for something that could not be read.
    pub fn is_alarm(&self) -> bool {
        matches!(self.origin, Origin::Alarm { .. })
    }

    /// What a rule counts as that can be read in part only: a deny or ask denies, an allow grants nothing. A malformed
    /// rule must never widen to allow.
    pub fn closed(effect: Permission) -> Option<Permission> {
        (effect != Permission::Allow).then_some(Permission::Deny)
    }
}

/// The names that remain when the switches have spoken (KOD-8); names that no skill carries are ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowlist {
    /// The names, trimmed. Empty admits nothing: a reader for whom an empty list means *all* makes no allowlist.
    pub names: BTreeSet<String>,
    /// Where it is written.
    pub origin: Origin,
    /// Whose file says so.
    pub layer: Layer,
}
