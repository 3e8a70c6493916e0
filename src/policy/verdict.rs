//! What a host decides about one skill: three axes, each with the rule that decided it.

use crate::catalog::{Enablement, Listed, Permission};
use crate::inert;
use crate::text::SafeText;
use std::path::Path;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The host's default, since no settings file says anything.
    Default,
    /// As [`Origin::Default`], for a host whose default is unusual; the default in a few words.
    Host(&'static str),
    /// One rule, switch or value in a settings file. `file` and `text` are other people's text.
    Rule {
        file: Arc<Path>,
        /// Its line, from 1.
        line: u32,
        /// The rule as its file says it, short: `permissions.deny "internal-*"`.
        text: Arc<str>,
    },
    /// A settings file that could not be read in full. Everything that it might have denied is
    /// denied.
    Alarm {
        file: Arc<Path>,
        /// The line that could not be read, from 1.
        line: u32,
        /// What was found there, short. Other people's text.
        text: Arc<str>,
    },
    /// An option or environment variable of this run, by its name (`--no-skills`).
    Session(Arc<str>),
    /// The skill itself, with the reason (`cannot be offered`).
    Skill(&'static str),
    /// Another skill of its name, which the host uses instead; its canonical path.
    Shadowed(Arc<Path>),
}

impl Origin {
    /// The file and line that decided, if a file did.
    pub fn place(&self) -> Option<(&Path, u32)> {
        match self {
            Self::Rule { file, line, .. } | Self::Alarm { file, line, .. } => Some((file, *line)),
            Self::Default
            | Self::Host(_)
            | Self::Session(_)
            | Self::Skill(_)
            | Self::Shadowed(_) => None,
        }
    }

    /// The deciding rule in a few words. May be other people's text: show it only through
    /// [`crate::text::SafeText`].
    pub fn text(&self) -> &str {
        match self {
            Self::Default => "default",
            Self::Rule { text, .. } | Self::Alarm { text, .. } | Self::Session(text) => text,
            Self::Host(reason) | Self::Skill(reason) => reason,
            Self::Shadowed(_) => "another skill has its name",
        }
    }

    /// The deciding rule and its place, to be shown.
    pub fn shown(&self) -> SafeText {
        let text = SafeText::line(self.text());
        match self.place() {
            Some((file, line)) => inert!("{}, {}:{}", text, file, line),
            None => text,
        }
    }
}

/// A value, and who decided it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling<T> {
    pub value: T,
    pub origin: Origin,
}

impl<T> Ruling<T> {
    pub fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }
}

/// How a host judges one skill, on three axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the model is told that the skill exists.
    pub listed: Ruling<Listed>,
    /// Whether the model may load it by its own decision.
    pub model: Ruling<Permission>,
    /// Whether a person may invoke it.
    pub user: Ruling<bool>,
}

impl Verdict {
    /// The verdict on a skill that the host does not see: off on all three axes.
    pub fn off(origin: Origin) -> Self {
        Self {
            listed: Ruling::new(Listed::No, origin.clone()),
            model: Ruling::new(Permission::Deny, origin.clone()),
            user: Ruling::new(false, origin),
        }
    }

    /// Who decided that the host has the skill in this state. If it is on, that is who allows it to
    /// the model or denies it, since a permission is no switch. Else it is what keeps it from being
    /// on.
    pub fn decider(&self, state: Enablement) -> &Origin {
        let axes = [&self.listed.origin, &self.model.origin, &self.user.origin];
        let keeping = axes.into_iter().find(|origin| **origin != Origin::Default);
        keeping.filter(|_| state != Enablement::On).unwrap_or(&self.model.origin)
    }

    /// Whether the host lists the skill at all: the JSON field `enabled`.
    pub fn enabled(&self) -> bool {
        self.listed.value != Listed::No
    }
}
