//! Which skills have the same name, and which of them the host uses.

use super::HostContext;
use crate::catalog::{Root, Skill};
use crate::hosts::Duplicates;
use crate::listing::Namesakes;
use crate::policy::Policy;
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// What a host finds.
#[derive(Default)]
pub(super) struct Found<'a> {
    pub(super) skills: &'a [Arc<Skill>],
    /// Those of which some agent may take several for one name: few, and the same for all agents.
    sharing: Vec<&'a Arc<Skill>>,
}

impl<'a> Found<'a> {
    pub(super) fn of(skills: &'a [Arc<Skill>]) -> Self {
        let shared = Namesakes::of(skills.iter()).shared();
        Self { skills, sharing: shared.into_iter().map(|index| &skills[index]).collect() }
    }

    /// The skills of which some agent may take several for one name.
    pub(super) fn sharing(&self) -> impl Iterator<Item = &'a Arc<Skill>> {
        self.sharing.iter().copied()
    }
}

/// The skills of each name that several have and the host does not refuse, in the order of its roots.
pub(super) struct Names<'a> {
    carriers: HashMap<Cow<'a, str>, Vec<&'a Arc<Skill>>>,
    duplicates: Duplicates,
    policy: &'a Policy,
}

impl<'a> Names<'a> {
    pub(super) fn of(found: &Found<'a>, host_context: &'a HostContext, roots: &[Root]) -> Self {
        let policy = &*host_context.policy;
        let mut carriers: HashMap<Cow<str>, Vec<&Arc<Skill>>> = HashMap::new();
        for skill in found.sharing().filter(|skill| policy.refusal(skill).is_none()) {
            carriers.entry(policy.order.key_of(skill)).or_default().push(skill);
        }
        carriers.retain(|_, several| several.len() > 1);
        let place = |skill: &Skill| roots.iter().position(|root| *root.path == *skill.root);
        for several in carriers.values_mut() {
            several.sort_by_cached_key(|skill| (place(skill), skill.location().to_owned()));
        }
        Self { carriers, duplicates: host_context.host.duplicates, policy }
    }

    /// How many have this skill's name, itself included; at least 1.
    pub(super) fn count(&self, skill: &Skill) -> u32 {
        self.carriers(skill)
            .and_then(|several| u32::try_from(several.len()).ok())
            .unwrap_or(1)
            .max(1)
    }

    /// The skill that the host uses instead. No skill is shadowed in a host that is `ambiguous` or
    /// `random`.
    pub(super) fn shadowed_by(&self, skill: &Skill) -> Option<Arc<Path>> {
        let pick = match self.duplicates {
            Duplicates::Ambiguous | Duplicates::Random => return None,
            Duplicates::First => <[_]>::first,
            Duplicates::Last => <[_]>::last,
        };
        let carriers = self.carriers(skill)?;
        let winner = pick(carriers)?;
        let among = carriers.iter().any(|carrier| carrier.path == skill.path);
        (among && winner.path != skill.path).then(|| Arc::from(winner.path.as_path()))
    }

    /// The skills with this skill's name, if there are several.
    fn carriers<'s>(&'s self, skill: &'s Skill) -> Option<&'s [&'a Arc<Skill>]> {
        if self.carriers.is_empty() {
            return None;
        }
        self.carriers.get(&self.policy.order.key_of(skill)).map(Vec::as_slice)
    }
}
