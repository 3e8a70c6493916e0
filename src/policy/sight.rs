//! What every host makes of the skills of a view: the *seen by* lines, and the rows of the view
//! through all hosts.

use super::{Denied, Origin, Policy, StatusKind, Verdict};
use crate::catalog::{Check, Enablement, HostId, Listed, MentionForm, Permission, Skill};
use crate::inert;
use crate::text::SafeText;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// What one host makes of one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    pub host: HostId,
    /// How the skill stands with it.
    pub standing: Standing,
}

/// How a skill stands with a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The host does not look where it lies.
    NotThere,
    /// The host does not take it, for this finding.
    Refused(&'static Check),
    /// The host takes another skill of its name instead: the canonical path of that one.
    Shadowed(Arc<Path>),
    /// The host takes it.
    Judged {
        /// How far on, in the host's own states.
        state: Enablement,
        verdict: Verdict,
    },
}

impl Standing {
    /// Whether the host takes the skill, on or off.
    pub fn verdict(&self) -> Option<&Verdict> {
        match self {
            Self::Judged { verdict, .. } => Some(verdict),
            Self::NotThere | Self::Refused(_) | Self::Shadowed(_) => None,
        }
    }

    /// Why the host does not take it; nothing where it does. `shown` is how a path is shown.
    pub fn why_not(&self, shown: impl Fn(&Path) -> SafeText) -> Option<SafeText> {
        match self {
            Self::NotThere => Some(SafeText::fixed("does not look there")),
            Self::Refused(check) => Some(inert!("refuses it: {}", check.code)),
            Self::Shadowed(winner) => Some(inert!("shadowed by {}", shown(winner))),
            Self::Judged { .. } => None,
        }
    }

    /// Who decided how the host has it; nothing where nothing is written anywhere, or the host does
    /// not take it.
    pub fn decider(&self) -> Option<&Origin> {
        let Self::Judged { state, verdict } = self else { return None };
        Some(verdict.decider(*state)).filter(|origin| **origin != Origin::Default)
    }

    /// The same in one word.
    pub fn status(&self) -> StatusKind {
        match self {
            Self::NotThere => StatusKind::NotThere,
            Self::Refused(_) => StatusKind::Refused,
            Self::Shadowed(_) => StatusKind::Shadowed,
            Self::Judged { state, .. } => StatusKind::Is(*state),
        }
    }

    /// How far on the skill is with the host: off where it does not take it.
    pub fn state(&self) -> Enablement {
        match self {
            Self::Judged { state, .. } => *state,
            Self::NotThere | Self::Refused(_) | Self::Shadowed(_) => Enablement::Off,
        }
    }
}

/// How far on a skill is in a host's own states. `by_rule` says that a rule which denies is the
/// host's only switch.
pub fn effective_state(
    policy: &Policy,
    by_rule: bool,
    skill: &Skill,
    verdict: &Verdict,
) -> Enablement {
    let denied = by_rule && verdict.model.value == Permission::Deny;
    // Where a denied skill stays listed, one that is not is as good as switched off for the model.
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

/// Whether the skill itself keeps from the model.
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

/// All that one host makes of the skills of a view, kept small: verdicts are worked out when they
/// are asked for.
#[derive(Clone, Debug)]
pub struct Glance {
    pub host: HostId,
    /// By what it judges.
    pub policy: Arc<Policy>,
    /// How skills are called in its prompt.
    pub speech: Speech,
    /// Whether this process runs inside it.
    pub inside: bool,
    /// Whether a rule that denies is its only switch.
    pub by_rule: bool,
    /// The entries of the view that it finds, by index, ascending.
    pub found: Vec<u32>,
    /// Among them those in whose place it takes another, and the canonical path of that one.
    pub shadowed: HashMap<u32, Arc<Path>>,
    /// Among them those that it meets in another place than the view does, as it has them: the name
    /// of a folder, a scope and the way there are the host's own.
    pub own: HashMap<u32, Arc<Skill>>,
    /// What a person should know of it besides: its version is newer than what was proved. Empty
    /// where nothing is.
    pub remark: String,
}

impl Glance {
    /// The entry with this index, which is this skill, as the host has it.
    pub fn as_met<'a>(&'a self, index: u32, skill: &'a Arc<Skill>) -> &'a Arc<Skill> {
        self.own.get(&index).unwrap_or(skill)
    }

    /// Whether the host lets a person call the entry with this index, which is this skill.
    pub fn lets_call(&self, index: u32, skill: &Arc<Skill>) -> bool {
        self.standing(index, skill).verdict().is_some_and(|verdict| verdict.user.value)
    }

    /// What the host makes of the entry with this index, which is this skill.
    pub fn sight(&self, index: u32, skill: &Arc<Skill>) -> Sight {
        Sight { host: self.host, standing: self.standing(index, skill) }
    }

    /// How the entry with this index, which is this skill, stands with the host.
    pub fn standing(&self, index: u32, skill: &Arc<Skill>) -> Standing {
        let skill = self.as_met(index, skill);
        if self.found.binary_search(&index).is_err() {
            return Standing::NotThere;
        }
        match (self.policy.refusal(skill), self.shadowed.get(&index)) {
            (Some(check), _) => Standing::Refused(check),
            (None, Some(winner)) => Standing::Shadowed(Arc::clone(winner)),
            (None, None) => {
                let verdict = self.policy.verdict(skill);
                Standing::Judged {
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
    fn what_a_host_does_not_take_says_why_and_what_it_takes_who_decided() {
        let why =
            |standing: &Standing| standing.why_not(SafeText::path).map(|words| words.to_string());
        let winner = Arc::from(Path::new("/other/SKILL.md"));
        let without =
            [Standing::NotThere, Standing::Refused(&checks::NAME_CASE), Standing::Shadowed(winner)];
        let words = ["does not look there", "refuses it: name-case", "shadowed by /other/SKILL.md"];
        assert_eq!(without.each_ref().map(why), words.map(|words| Some(words.to_owned())));
        assert!(without.iter().all(|standing| standing.decider().is_none()));
        let verdict = Policy::open(Evaluation::HOST).verdict(&skill("pdf"));
        let open = Standing::Judged { state: Enablement::On, verdict: verdict.clone() };
        assert_eq!((why(&open), open.decider()), (None, None));
        // What has no place in a file decides as well.
        let origin = Origin::Skill("disable-model-invocation");
        let verdict = Verdict { listed: Ruling::new(Listed::No, origin.clone()), ..verdict };
        let kept = Standing::Judged { state: Enablement::UserOnly, verdict };
        assert_eq!(kept.decider(), Some(&origin));
    }
}
