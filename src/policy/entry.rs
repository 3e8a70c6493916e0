//! A skill as one host sees it.

use super::{Origin, Policy, Ruling, Verdict};
use crate::catalog::{Check, Diagnostic, Enablement, HostId, Permission, Severity, Skill};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// A skill with the host's verdict. Built by the workspace, shown by every front end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub skill: Arc<Skill>,
    /// Its description as the host's own parser reads it, if that is another one than ours.
    pub described: Option<Arc<str>>,
    pub verdict: Arc<Verdict>,
    /// What our own runtime lets the model do with it; see [`Policy::handed`].
    pub handed: Arc<Ruling<Permission>>,
    /// How many skills of this view have this name and are not refused, this one included; at least
    /// 1.
    pub same_name: u32,
    /// The canonical path of the skill that the host uses instead, if it uses only the first or
    /// the last skill of a name.
    pub shadowed_by: Option<Arc<Path>>,
    /// The finding for which the host refuses the skill.
    pub refused: Option<&'static Check>,
    /// Its enablement, in the host's own states. Seen through all hosts: the highest level that any
    /// of them gives it.
    pub state: Enablement,
    /// Whether the hosts disagree, if it is seen through all of them.
    pub mixed: bool,
    /// Whether one of the hosts has it off, if it is seen through all of them.
    pub partly_off: bool,
    /// The permissions that the hosts give for loading it, if it is seen through all of them.
    pub permissions: Permissions,
    /// Whether the host looks in its folder; seen through all hosts, whether any does.
    pub looks: Looks,
    /// The hosts that list it to their model.
    pub hosts: Arc<Vec<HostId>>,
}

/// A set of permissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    allow: bool,
    ask: bool,
    deny: bool,
}

impl Permissions {
    /// The set of these.
    pub fn of(all: impl IntoIterator<Item = Permission>) -> Self {
        all.into_iter().fold(Self::default(), |known, new| match new {
            Permission::Allow => Self { allow: true, ..known },
            Permission::Ask => Self { ask: true, ..known },
            Permission::Deny => Self { deny: true, ..known },
        })
    }

    /// Whether this one is in it.
    pub fn has(self, permission: Permission) -> bool {
        match permission {
            Permission::Allow => self.allow,
            Permission::Ask => self.ask,
            Permission::Deny => self.deny,
        }
    }
}

/// Whether a host looks in the folder of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    Here,
    /// No; a person browses there (`--root DIR`), which a host need not do.
    Browsed,
    /// No; other hosts of this machine do. The skill is in the view so that a person finds it.
    Elsewhere,
}

impl Looks {
    pub fn here(self) -> bool {
        self == Self::Here
    }
}

/// Interns values: equal ones share one allocation. Most skills of a view have the same verdict.
#[derive(Debug)]
pub struct Interner<T>(Vec<Arc<T>>);

/// The newest values that are compared; more would cost more time than they save memory.
const COMPARED: usize = 8;

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> Interner<T> {
    pub fn intern(&mut self, value: T) -> Arc<T> {
        if let Some(known) = self.0.iter().find(|known| ***known == value) {
            return Arc::clone(known);
        }
        if self.0.len() == COMPARED {
            self.0.remove(0);
        }
        let kept = Arc::new(value);
        self.0.push(Arc::clone(&kept));
        kept
    }
}

/// The verdicts of a view.
#[derive(Debug, Default)]
pub struct Verdicts {
    pub host: Interner<Verdict>,
    pub ours: Interner<Ruling<Permission>>,
    pub lists: Interner<Vec<HostId>>,
}

/// What [`Entry::described`] is.
pub fn described(policy: &Policy, skill: &Skill) -> Option<Arc<str>> {
    match policy.order.description_of(skill) {
        Cow::Owned(text) if text != *skill.description => Some(text.into()),
        Cow::Owned(_) | Cow::Borrowed(_) => None,
    }
}

impl Entry {
    /// A skill without others of its name, judged by a host whose states are on and off. No host is
    /// said to list it.
    pub fn alone(skill: Arc<Skill>, policy: &Policy) -> Self {
        let refused = policy.refusal(&skill);
        let state = if refused.is_some() { Enablement::Off } else { policy.state(&skill).value };
        let verdict = policy.verdict(&skill);
        let handed = policy.handed(&skill, &verdict);
        Self {
            described: described(policy, &skill),
            skill,
            verdict: Arc::new(verdict),
            handed: Arc::new(handed),
            same_name: 1,
            shadowed_by: None,
            refused,
            state,
            mixed: false,
            partly_off: false,
            permissions: Permissions::default(),
            looks: Looks::Here,
            hosts: Arc::default(),
        }
    }

    /// Whether the host sees it at all. A denied skill that stays listed is on: enablement is not
    /// permission, and a person may still invoke it.
    pub fn is_on(&self) -> bool {
        self.looks.here() && matches!(self.state, Enablement::On | Enablement::NameOnly)
    }

    /// Whether the host has it and it is off; seen through all hosts, whether that is so in any.
    pub fn is_off(&self) -> bool {
        self.is_seen() && (self.state == Enablement::Off || self.partly_off)
    }

    /// Whether the host's model knows of it.
    pub fn is_listed(&self) -> bool {
        self.looks.here() && self.verdict.enabled()
    }

    pub fn status(&self) -> StatusKind {
        match (self.offered(), &self.shadowed_by, self.mixed) {
            (false, _, _) => StatusKind::Refused,
            _ if !self.looks.here() => StatusKind::NotThere,
            (true, Some(_), _) => StatusKind::Shadowed,
            (true, None, true) => StatusKind::Mixed,
            (true, None, false) => StatusKind::Is(self.state),
        }
    }

    /// Who decided its state.
    pub fn decider(&self) -> &Origin {
        self.verdict.decider(self.state)
    }

    /// Whether the host uses this skill for its name, on or off. Only then a switch has an effect
    /// on it.
    pub fn taken(&self) -> bool {
        self.offered() && self.shadowed_by.is_none()
    }

    /// Whether the host has it, on or off: it looks there, does not refuse it, and uses no other
    /// skill of its name.
    pub fn is_seen(&self) -> bool {
        self.looks.here() && self.taken()
    }

    /// Whether only other hosts of this machine look in its folder.
    pub fn is_elsewhere(&self) -> bool {
        self.looks == Looks::Elsewhere
    }

    /// Whether it lies deeper than any host here looks.
    pub fn is_too_deep(&self) -> bool {
        self.is_elsewhere() && self.skill.is_too_deep()
    }

    /// Whether the host does not refuse it; it may be off.
    pub fn offered(&self) -> bool {
        self.refused.is_none()
    }

    /// Whether the model or a person may use it: it is neither refused nor off. A skill that a rule
    /// denies to the model is usable, since a person may invoke it.
    pub fn usable(&self) -> bool {
        self.offered() && (self.verdict.enabled() || self.verdict.user.value)
    }

    /// The finding for which the host refuses it, which may be a warning of the standard; otherwise
    /// its first error.
    pub fn fault(&self) -> Option<&Diagnostic> {
        let all = || self.skill.diagnostics.iter();
        let refused = all().find(|diagnostic| Some(diagnostic.check) == self.refused);
        refused.or_else(|| all().find(|diagnostic| diagnostic.severity() == Severity::Error))
    }

    /// The severity of a finding for this host: an error if it refuses the skill for it, a warning
    /// if it takes the skill all the same.
    pub fn severity(&self, diagnostic: &Diagnostic) -> Severity {
        super::severity(self.refused, diagnostic)
    }

    /// One line about it: the fault if the host refuses it, else its description. Other people's
    /// text.
    pub fn about(&self) -> &str {
        let wrong = self.fault().filter(|_| !self.offered());
        wrong.map_or(self.description(), |fault| &fault.message)
    }

    /// Its description as the host reads it. Other people's text.
    pub fn description(&self) -> &str {
        self.described.as_deref().unwrap_or(&self.skill.description)
    }

    /// Whether a person may invoke it.
    pub fn pickable(&self) -> bool {
        self.offered() && self.verdict.user.value
    }
}

/// The status of a skill in a host, in one word. What keeps the skill from being used comes before
/// its enablement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusKind {
    /// The host does not look in its folder.
    NotThere,
    /// The host refuses it for a finding.
    Refused,
    /// Another skill of its name is used instead.
    Shadowed,
    /// Among all hosts, some differ.
    Mixed,
    /// The host has it in this state.
    Is(Enablement),
}

impl StatusKind {
    pub fn word(self) -> &'static str {
        match self {
            Self::NotThere => "not there",
            Self::Refused => "cannot be offered",
            Self::Shadowed => "shadowed",
            Self::Mixed => "on in part",
            Self::Is(state) => state.word(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Evaluation;
    use super::super::fixture::skill;
    use super::*;
    use crate::catalog::{Listed, checks};

    fn entry(state: Enablement) -> Entry {
        let policy = Policy::without_settings(Evaluation::HOST);
        Entry { state, ..Entry::alone(Arc::new(skill("pdf")), &policy) }
    }

    #[test]
    fn equal_verdicts_are_kept_once() {
        let mut interner = Interner::default();
        let first = interner.intern(1);
        assert!(Arc::ptr_eq(&first, &interner.intern(1)) && *interner.intern(2) == 2);
        (3..100).for_each(|other| drop(interner.intern(other)));
        assert!(interner.0.len() <= COMPARED && *interner.intern(1) == 1);
    }

    #[test]
    fn what_keeps_a_skill_from_being_used_comes_before_its_enablement() {
        let mut entry = entry(Enablement::NameOnly);
        assert_eq!((entry.status(), entry.taken()), (StatusKind::Is(Enablement::NameOnly), true));
        entry.mixed = true;
        assert_eq!((entry.status(), entry.taken()), (StatusKind::Mixed, true));
        entry.shadowed_by = Some(Arc::from(Path::new("/other/SKILL.md")));
        assert_eq!((entry.status(), entry.taken()), (StatusKind::Shadowed, false));
        entry.refused = Some(&checks::DESC_MISSING);
        assert_eq!((entry.status(), entry.taken()), (StatusKind::Refused, false));
    }

    #[test]
    fn off_is_neither_refused_nor_shadowed_nor_a_state_between() {
        let off = entry(Enablement::Off);
        assert!(off.is_off() && !entry(Enablement::On).is_off());
        assert!(!entry(Enablement::UserOnly).is_off() && !entry(Enablement::NameOnly).is_off());
        let in_one_host = Entry { mixed: true, partly_off: true, ..entry(Enablement::On) };
        assert!(in_one_host.is_off() && in_one_host.is_on());
        let winner = Some(Arc::from(Path::new("/other/SKILL.md")));
        for other in [
            Entry { refused: Some(&checks::DESC_MISSING), ..off.clone() },
            Entry { shadowed_by: winner, ..off.clone() },
            Entry { looks: Looks::Elsewhere, ..off },
        ] {
            assert!(!other.is_off(), "{other:?}");
        }
    }

    #[test]
    fn the_decider_is_what_keeps_a_skill_from_being_on_or_else_what_permits_it() {
        let mut entry = entry(Enablement::UserOnly);
        assert_eq!(*entry.decider(), Origin::Default);
        let (switch, rule) = (Origin::Session("a switch".into()), Origin::Session("a rule".into()));
        let verdict = Arc::make_mut(&mut entry.verdict);
        verdict.model = Ruling::new(Permission::Deny, rule.clone());
        assert_eq!(*entry.decider(), rule);
        let verdict = Arc::make_mut(&mut entry.verdict);
        verdict.listed = Ruling::new(Listed::No, switch.clone());
        assert_eq!(*entry.decider(), switch);
        entry.state = Enablement::On;
        assert_eq!(*entry.decider(), rule);
    }
}
