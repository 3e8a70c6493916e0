//! How every host judges the skills of a view, for the *seen by* lines and for the view through
//! all hosts.

use super::{Denied, Origin, Policy, StatusKind, Verdict};
use crate::catalog::{Check, Enablement, HostId, Listed, MentionForm, Permission, Skill, checks};
use crate::inert;
use crate::text::SafeText;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// How one host has one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostStatus {
    pub host: HostId,
    pub status: Status,
}

/// What a skill is to a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The host does not look into its folder.
    NotThere,
    /// The host refuses it for this finding.
    Refused(&'static Check),
    /// The host uses another skill of its name instead; the canonical path of that one.
    Shadowed(Arc<Path>),
    /// The host takes it, on or off.
    Judged {
        /// In the host's own states.
        state: Enablement,
        verdict: Verdict,
    },
}

impl Status {
    /// The verdict, if the host takes the skill.
    pub fn verdict(&self) -> Option<&Verdict> {
        let Self::Judged { verdict, .. } = self else { return None };
        Some(verdict)
    }

    /// Why the host does not take it; `None` if it does. `shown` makes a path showable.
    pub fn why_not(&self, shown: impl Fn(&Path) -> SafeText) -> Option<SafeText> {
        match self {
            Self::NotThere => Some(SafeText::fixed("does not look there")),
            // Nothing that we found says why.
            Self::Refused(check) if *check == &checks::HOST_PARSER => {
                Some(SafeText::fixed("leaves it out because of its frontmatter"))
            }
            Self::Refused(check) => Some(inert!("refuses it: {}", check.code)),
            Self::Shadowed(winner) => Some(inert!("shadowed by {}", shown(winner))),
            Self::Judged { .. } => None,
        }
    }

    /// Who decided the state; `None` if it is the host's default, or the host does not take the
    /// skill.
    pub fn decider(&self) -> Option<&Origin> {
        let Self::Judged { state, verdict } = self else { return None };
        Some(verdict.decider(*state)).filter(|origin| **origin != Origin::Default)
    }

    pub fn status(&self) -> StatusKind {
        match self {
            Self::NotThere => StatusKind::NotThere,
            Self::Refused(_) => StatusKind::Refused,
            Self::Shadowed(_) => StatusKind::Shadowed,
            Self::Judged { state, .. } => StatusKind::Is(*state),
        }
    }

    /// The enablement; off if the host does not take the skill.
    pub fn state(&self) -> Enablement {
        if let Self::Judged { state, .. } = self { *state } else { Enablement::Off }
    }
}

/// A skill's enablement in a host's own states. `by_rule` says that a deny rule is the host's only
/// switch.
pub fn effective_state(
    policy: &Policy,
    by_rule: bool,
    skill: &Skill,
    verdict: &Verdict,
) -> Enablement {
    let denied = by_rule && verdict.model.value == Permission::Deny;
    // If denied skills stay listed, an unlisted skill is as good as switched off for the model.
    let unlisted = policy.order.denied != Denied::Hidden && verdict.listed.value == Listed::No;
    match policy.state(skill).value {
        Enablement::On | Enablement::NameOnly if denied || unlisted || kept(verdict) => {
            match verdict.user.value {
                true => Enablement::UserOnly,
                false => Enablement::Off,
            }
        }
        state => state,
    }
}

/// Whether the skill's own frontmatter keeps it from the model.
fn kept(verdict: &Verdict) -> bool {
    verdict.user.value && matches!(verdict.listed.origin, Origin::Skill(_))
}

/// How skills are called in one agent's prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speech {
    pub host: HostId,
    /// Its name as people write it.
    pub name: &'static str,
    pub form: MentionForm,
}

/// How one host judges the skills of a view. Verdicts are computed on demand, to keep it small.
#[derive(Clone, Debug)]
pub struct HostReport {
    pub host: HostId,
    pub policy: Arc<Policy>,
    pub speech: Speech,
    /// Whether the host started this process.
    pub inside: bool,
    /// Whether a deny rule is its only switch.
    pub by_rule: bool,
    /// The entries of the view that it finds, by index, ascending.
    pub found: Arc<Vec<u32>>,
    /// Those of them for which it uses another skill, with the canonical path of that one.
    pub shadowed: HashMap<u32, Arc<Path>>,
    /// Those of them that share a name for which the host takes none of them, or any one;
    /// ascending.
    pub contested: Vec<u32>,
    /// Those of them that it finds at another path than the view does, as it finds them: its folder
    /// name, scope and locations differ.
    pub own: HashMap<u32, Arc<Skill>>,
    /// That its version is newer than the newest one that was tested; empty if it is not.
    pub remark: String,
}

/// Whether a host lets a person call a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Calling {
    Yes,
    /// The host does not look in its folder, but a path in the prompt says which file is meant.
    ByPath,
    /// Not before the skill is turned on.
    Off,
    /// Turning it on does not help; why.
    No(SafeText),
}

impl HostReport {
    /// Whether the host lets a person call the entry with this index and skill. `shown` makes a
    /// path showable.
    pub fn calling(
        &self,
        index: u32,
        skill: &Arc<Skill>,
        shown: impl Fn(&Path) -> SafeText,
    ) -> Calling {
        let status = self.status(index, skill);
        match (&status, status.state()) {
            (Status::NotThere, _) => Calling::ByPath,
            (Status::Judged { verdict, .. }, _) if verdict.user.value => Calling::Yes,
            (Status::Judged { .. }, Enablement::Off) => Calling::Off,
            (Status::Judged { .. }, _) => Calling::No(SafeText::fixed("it is only for the model")),
            (other, _) => Calling::No(other.why_not(shown).unwrap_or_default()),
        }
    }

    /// The entry with this index and skill, as the host finds it.
    pub fn as_found<'a>(&'a self, index: u32, skill: &'a Arc<Skill>) -> &'a Arc<Skill> {
        self.own.get(&index).unwrap_or(skill)
    }

    /// Whether the host lets a person call the entry with this index and skill.
    pub fn lets_call(&self, index: u32, skill: &Arc<Skill>) -> bool {
        self.status(index, skill).verdict().is_some_and(|verdict| verdict.user.value)
    }

    pub fn host_status(&self, index: u32, skill: &Arc<Skill>) -> HostStatus {
        HostStatus { host: self.host, status: self.status(index, skill) }
    }

    /// Whether another skill has the name of the entry with this index, on or off, and the host
    /// does not decide which one is meant.
    pub fn shares_name(&self, index: u32) -> bool {
        self.contested.binary_search(&index).is_ok()
    }

    /// Whether the host finds the entry with this index, and uses no other one of its name.
    pub fn uses(&self, index: u32) -> bool {
        self.finds(index) && !self.shadowed.contains_key(&index)
    }

    fn finds(&self, index: u32) -> bool {
        // Most hosts find all of them.
        self.found.get(index as usize) == Some(&index) || self.found.binary_search(&index).is_ok()
    }

    /// The finding for which the host refuses the entry with this index and skill.
    pub fn refusal(&self, index: u32, skill: &Arc<Skill>) -> Option<&'static Check> {
        let found = self.finds(index).then(|| self.as_found(index, skill))?;
        self.policy.refusal(found)
    }

    /// What the entry with this index and skill is to the host.
    pub fn status(&self, index: u32, skill: &Arc<Skill>) -> Status {
        if !self.finds(index) {
            return Status::NotThere;
        }
        let skill = self.as_found(index, skill);
        match (self.policy.refusal(skill), self.shadowed.get(&index)) {
            (Some(check), _) => Status::Refused(check),
            (None, Some(winner)) => Status::Shadowed(Arc::clone(winner)),
            (None, None) => {
                let verdict = self.policy.verdict(skill);
                Status::Judged {
                    state: effective_state(&self.policy, self.by_rule, skill, &verdict),
                    verdict,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::skill;
    use super::super::{Evaluation, Ruling};
    use super::*;
    use crate::catalog::checks;

    #[test]
    fn a_skill_that_is_not_taken_says_why_and_one_that_is_says_who_decided() {
        let why = |status: &Status| status.why_not(SafeText::path).map(|words| words.to_string());
        let winner = Arc::from(Path::new("/other/SKILL.md"));
        let without =
            [Status::NotThere, Status::Refused(&checks::NAME_CASE), Status::Shadowed(winner)];
        let words = ["does not look there", "refuses it: name-case", "shadowed by /other/SKILL.md"];
        assert_eq!(without.each_ref().map(why), words.map(|words| Some(words.to_owned())));
        assert!(without.iter().all(|status| status.decider().is_none()));
        let verdict = Policy::without_settings(Evaluation::HOST).verdict(&skill("pdf"));
        let open = Status::Judged { state: Enablement::On, verdict: verdict.clone() };
        assert_eq!((why(&open), open.decider()), (None, None));
        // A decider need not be in a settings file.
        let origin = Origin::Skill("disable-model-invocation");
        let verdict = Verdict { listed: Ruling::new(Listed::No, origin.clone()), ..verdict };
        let kept = Status::Judged { state: Enablement::UserOnly, verdict };
        assert_eq!(kept.decider(), Some(&origin));
    }
}
