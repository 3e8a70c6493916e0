//! What a settings file can say about skills: switches, rules and allowlists, already read.

use super::{Bound, FolderGlob, Origin, Pattern, Runs};
use crate::catalog::{Enablement, Permission, Scope};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Which settings file speaks; a later layer stands above an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The person's own file.
    User,
    Project,
    /// The person's own file within the repository, which is not shared (Claude Code).
    Local,
    /// What an administrator has laid down; nobody writes it from here.
    Managed,
}

impl Layer {
    /// The word used in tables, notices and `--in`.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Managed => "managed",
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
    /// The one with this canonical path of its `SKILL.md`; whoever builds the switch canonicalises
    /// it.
    Path(PathBuf),
    /// Every skill of this name, as the host takes names: trimmed, then exact (D2).
    Name(String),
    /// Every skill below this canonical folder.
    Beneath(PathBuf),
    /// Every skill whose name, as the host takes names, fits a glob with `*` and `?`.
    Glob(String),
    /// Every skill whose folder fits a glob over paths (pi).
    Folder(FolderGlob),
}

/// One skill, or one name, switched on or off (COD-14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    pub target: Target,
    /// Only where it is of this scope; nothing means wherever it is.
    pub within: Option<Scope>,
    pub state: Enablement,
    /// Where it is written.
    pub origin: Origin,
    /// Whose file says so.
    pub layer: Layer,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What the model wants to do.
    pub tool: Tool,
    pub pattern: Pattern,
    /// Which runs of their scripts, for a rule about [`Tool::SkillScript`]; any other says nothing
    /// of runs.
    pub runs: Runs,
    /// The one skill that it is bound to, of a rule that allows; nothing means each of that name.
    pub bound: Option<Bound>,
    /// What the rule says to it.
    pub effect: Permission,
    /// Where it is written; [`Origin::Alarm`] for a rule that stands for something unreadable.
    pub origin: Origin,
    /// Whose file says so.
    pub layer: Layer,
}

impl Rule {
    /// A rule about loading, which is all that the settings of hosts have.
    pub fn loading(pattern: Pattern, effect: Permission, origin: Origin, layer: Layer) -> Self {
        let (tool, runs) = (Tool::SkillLoad, Runs::ANY);
        Self { tool, pattern, runs, bound: None, effect, origin, layer }
    }

    /// Whether the rule stands for something that could not be read.
    pub fn is_alarm(&self) -> bool {
        matches!(self.origin, Origin::Alarm { .. })
    }

    /// What a rule counts as that can be read in part only: a deny or ask denies, an allow grants
    /// nothing. A malformed rule must never widen to allow.
    pub fn closed(effect: Permission) -> Option<Permission> {
        (effect != Permission::Allow).then_some(Permission::Deny)
    }
}

/// The names that remain when the switches have spoken (KOD-8); names that no skill carries are
/// ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowlist {
    /// The names, trimmed. Empty admits nothing: a reader for whom an empty list means *all* makes
    /// no allowlist.
    pub names: BTreeSet<String>,
    /// Where it is written.
    pub origin: Origin,
    /// Whose file says so.
    pub layer: Layer,
}
