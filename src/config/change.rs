//! What a change of settings is asked to say, and why it cannot.

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
    /// Which runs of their scripts; [`Runs::ANY`] in a rule about loading.
    pub runs: Runs,
    /// The one skill that it is bound to, of a rule that allows.
    pub bound: Option<Bound>,
}

impl NewRule {
    /// What a policy says to what the rule is about.
    pub fn weighed(&self, policy: &Policy) -> Ruling<Permission> {
        let (name, probe) = (self.pattern.probe(), Probe::of(&self.runs, self.bound.as_ref()));
        let named = Subject::named(&name);
        let subject = match &self.bound {
            // Whosever skill it is: a rule that is bound allows what a repository brings.
            Some(bound) => Subject { path: Some(&bound.path), brought: true, ..named },
            None => named,
        };
        policy.permission_of(self.tool, &subject, probe.as_ref().map(Probe::run).as_ref())
    }

    /// Whether a rule of a policy says the same.
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
    /// The file is broken; it is not edited until it is mended. The line of its first fault.
    Broken {
        layer: Layer,
        /// The line, from 1.
        line: u32,
        /// The file; other people's text.
        file: PathBuf,
    },
    /// The file is there and cannot be read.
    Unreadable {
        layer: Layer,
        /// The file; other people's text.
        file: PathBuf,
        why: String,
    },
    /// It would stay as this rules; `off` tells an off skill from a permission.
    Blocked {
        /// What decides, with file and line.
        by: Origin,
        /// Whether the skill is off by it (else a rule or default decides).
        off: bool,
    },
    /// No edit of the file says what is wanted.
    NoEdit,
    /// The host ignores this file, so writing to it would change nothing.
    Ignored { layer: Layer, why: &'static str },
    /// The skill's path is not UTF-8, and settings are.
    Path,
    /// The host has no such thing; what it lacks.
    Lacks(&'static str),
    /// An allowlist would begin, and not every folder could be read: nobody knows which other
    /// skills are to stay on.
    Unread,
    /// It would switch another skill besides, since the host takes the name for a pattern,
    /// say.
    Others {
        /// Which; other people's text.
        name: String,
    },
}
