//! What is wanted of our settings, and why a change is refused.

use crate::catalog::Permission;
use crate::policy::{
    self, Bound, Layer, Origin, Pattern, Policy, Probe, Ruling, Runs, Subject, Tool,
};
use std::path::PathBuf;

/// A rule as the rules screen writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRule {
    pub effect: Permission,
    pub tool: Tool,
    pub pattern: Pattern,
    /// Which runs of the skills' scripts; [`Runs::ANY`] in a rule about loading.
    pub runs: Runs,
    /// The one skill that an allow rule is bound to.
    pub bound: Option<Bound>,
}

impl NewRule {
    /// What a policy decides for the rule's subject.
    pub fn weighed(&self, policy: &Policy) -> Ruling<Permission> {
        let (name, probe) = (self.pattern.probe(), Probe::of(&self.runs, self.bound.as_ref()));
        let named = Subject::named(&name);
        let subject = match &self.bound {
            // A bound rule also allows a skill that a repository brings.
            Some(bound) => Subject { path: Some(&bound.path), brought: true, ..named },
            None => named,
        };
        policy.permission_of(self.tool, &subject, probe.as_ref().map(Probe::run).as_ref())
    }

    /// Whether it is the same rule as one of a policy.
    pub fn is(&self, rule: &policy::Rule) -> bool {
        (rule.tool, rule.effect) == (self.tool, self.effect)
            && (&rule.pattern, &rule.runs, &rule.bound) == (&self.pattern, &self.runs, &self.bound)
    }
}

/// Why a change is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such file to write: no home directory, or no repository.
    NoPlace(Layer),
    /// A broken file is not edited.
    Broken {
        layer: Layer,
        /// The line of its first fault, from 1.
        line: u32,
        /// The file; other people's text.
        file: PathBuf,
    },
    Unreadable {
        layer: Layer,
        /// The file; other people's text.
        file: PathBuf,
        why: String,
    },
    /// The change would have no effect, since another setting decides.
    Blocked {
        by: Origin,
        /// Whether that switches the skill off; otherwise a rule or default decides.
        off: bool,
    },
    /// No edit of the file has the wanted result.
    NoEdit,
    /// The host ignores this file, so writing to it would change nothing.
    Ignored { layer: Layer, why: &'static str },
    /// The skill's path is not UTF-8, but settings are.
    Path,
    /// What the host lacks.
    Lacks(&'static str),
    /// A new allowlist must name all skills that stay on, but some folder could not be read.
    Unread,
    /// The change would also switch another skill, for example because the host takes the name for
    /// a pattern.
    Others {
        /// Other people's text.
        name: String,
    },
}
