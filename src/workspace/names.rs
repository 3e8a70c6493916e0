//! Who carries which name, and whom the host takes (D1).

use super::HostContext;
use crate::catalog::{Root, Skill};
use crate::hosts::Duplicates;
use crate::policy::{Fold, Policy};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// The carriers of each name among the skills that the host takes, in the order of its roots.
pub(super) struct Names<'a> {
    carriers: HashMap<Cow<'a, str>, Vec<&'a Arc<Skill>>>,
    duplicates: Duplicates,
    policy: &'a Policy,
}

impl<'a> Names<'a> {
    pub(super) fn of(
        skills: &'a [Arc<Skill>],
        host_context: &'a HostContext,
        roots: &[Root],
    ) -> Self {
        let policy = &*host_context.policy;
        let mut carriers: HashMap<Cow<str>, Vec<&Arc<Skill>>> = HashMap::new();
        for skill in skills.iter().filter(|skill| policy.refusal(skill).is_none()) {
            carriers.entry(key(policy, skill)).or_default().push(skill);
        }
        let place = |skill: &Skill| roots.iter().position(|root| *root.path == *skill.root);
        for several in carriers.values_mut().filter(|several| several.len() > 1) {
            several.sort_by_cached_key(|skill| (place(skill), skill.locations.first().cloned()));
        }
        Self { carriers, duplicates: host_context.host.duplicates, policy }
    }

    /// How many carry this skill's name, itself included; at least 1.
    pub(super) fn count(&self, skill: &Skill) -> usize {
        self.carriers.get(&key(self.policy, skill)).map_or(1, Vec::len).max(1)
    }

    /// The skill that the host takes instead. Under `ambiguous` and `random` nobody is shadowed.
    pub(super) fn shadowed_by(&self, skill: &Skill) -> Option<Arc<Path>> {
        let carriers = self.carriers.get(&key(self.policy, skill))?;
        let winner = match self.duplicates {
            Duplicates::Ambiguous | Duplicates::Random => return None,
            Duplicates::First => carriers.first()?,
            Duplicates::Last => carriers.last()?,
        };
        let among = carriers.iter().any(|carrier| carrier.path == skill.path);
        (among && winner.path != skill.path).then(|| Arc::from(winner.path.as_path()))
    }
}

fn key<'a>(policy: &Policy, skill: &'a Skill) -> Cow<'a, str> {
    let name = policy.order.name_of(skill);
    if policy.order.fold == Fold::Names { name.to_lowercase().into() } else { name }
}
