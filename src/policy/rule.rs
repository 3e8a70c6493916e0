//! What a settings file can say about skills: switches, rules and allowlists, already read.

use super::{Bound, Expression, FolderGlob, Origin, Pattern, Runs};
use crate::catalog::{Enablement, Permission, Scope, Skill};
use crate::inert;
use crate::text::SafeText;
use crate::words;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The kind of a settings file. A later layer is above an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    User,
    Project,
    /// The person's own file within the repository, which is not shared. Claude Code has one.
    Local,
    /// An administrator's file; we never write it.
    Managed,
}

words!(Layer, User = "user", Project = "project", Local = "local", Managed = "managed");

/// What the model wants to do with a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// Load its text.
    SkillLoad,
    /// Run one of its scripts.
    SkillScript,
}

words!(Tool, SkillLoad = "skill_load", SkillScript = "skill_script");

/// Which skills a switch applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The skill with this canonical path of its `SKILL.md`.
    Path(PathBuf),
    /// The skill that is found first in this directory, links not followed.
    Place(PathBuf),
    /// Every skill of this name, as the host uses names: trimmed, then compared exactly.
    Name(String),
    /// Every skill below this canonical folder.
    Beneath(PathBuf),
    /// Every skill whose name, as the host uses names, matches a glob with `*` and `?`.
    Glob(String),
    /// Every skill in whose name, as the host uses names, an expression finds something.
    Expression(Expression),
    /// Every skill whose folder matches a glob over paths, as pi has it.
    Folder(FolderGlob),
}

/// Skills that a settings file switches on or off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    pub target: Target,
    /// Among which skills; `None` means all.
    pub within: Option<Within>,
    pub state: Enablement,
    pub origin: Origin,
    pub layer: Layer,
}

/// The skills among which a switch counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Within {
    /// Those of this scope.
    Scope(Scope),
    /// Those of this scope that a plugin with this id brings.
    Plugin(Scope, String),
}

impl Within {
    pub(super) fn has(&self, skill: &Skill) -> bool {
        match self {
            Self::Scope(scope) => *scope == skill.scope,
            Self::Plugin(scope, id) => {
                let plugin = skill.root.plugin.as_deref();
                *scope == skill.scope && plugin.is_some_and(|plugin| plugin.id == *id)
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub tool: Tool,
    pub pattern: Pattern,
    /// Which runs of scripts it covers; only for [`Tool::SkillScript`].
    pub runs: Runs,
    /// The one skill that an allow rule is bound to; `None` means every skill of the name.
    pub bound: Option<Bound>,
    pub effect: Permission,
    /// Where it is written; [`Origin::Alarm`] for a rule that stands for something unreadable.
    pub origin: Origin,
    pub layer: Layer,
}

impl Rule {
    /// A rule about loading. The settings of other hosts have no other rules about skills.
    pub fn loading(pattern: Pattern, effect: Permission, origin: Origin, layer: Layer) -> Self {
        let (tool, runs) = (Tool::SkillLoad, Runs::ANY);
        Self { tool, pattern, runs, bound: None, effect, origin, layer }
    }

    /// The only skill to which the rule applies. Only rules that allow are bound to one.
    pub fn bound_to(&self) -> Option<&Bound> {
        self.bound.as_ref().filter(|_| self.effect == Permission::Allow)
    }

    /// Which skills of its name and which runs the rule covers; `None` if all.
    pub fn only(&self) -> Option<SafeText> {
        let runs = (!self.runs.is_any()).then(|| SafeText::line(&self.runs.text()));
        let bound = self.bound_to().map(|bound| {
            let files = if bound.digest.is_some() { ", its files as they were" } else { "" };
            inert!("at {}{}", bound.path.parent().unwrap_or(&bound.path), files)
        });
        let parts: Vec<SafeText> = runs.into_iter().chain(bound).collect();
        (!parts.is_empty()).then(|| inert!("only {}", SafeText::join(&parts, " ")))
    }

    /// Whether the rule cannot be edited: it stands for unreadable settings, is an expression, or
    /// an administrator has set it.
    pub fn is_fixed(&self) -> bool {
        self.is_alarm()
            || matches!(self.pattern, Pattern::Arguments(_))
            || self.layer == Layer::Managed
    }

    /// Whether the rule stands for something that could not be read.
    pub fn is_alarm(&self) -> bool {
        matches!(self.origin, Origin::Alarm { .. })
    }

    /// The effect of a rule that can be read only in part: deny and ask deny, and an allow rule
    /// does not count. A malformed rule must never allow anything.
    pub fn effect_in_part(effect: Permission) -> Option<Permission> {
        (effect != Permission::Allow).then_some(Permission::Deny)
    }
}

/// The only names that may be on. Names that no skill has are ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowlist {
    /// The names, trimmed. An empty set allows nothing. If an empty list in a settings file means
    /// *all*, its reader makes no allowlist.
    pub names: BTreeSet<String>,
    pub origin: Origin,
    pub layer: Layer,
}
