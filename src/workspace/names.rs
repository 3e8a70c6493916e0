//! Which skills have the same name, and which of them the host uses.

use super::HostContext;
use crate::catalog::{Root, Skill};
use crate::hosts::Duplicates;
use crate::policy::Policy;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;

/// The skills of each name that several have and the host does not refuse, in the order of its roots.
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
        let key = |skill: &'a Skill| policy.order.key_of(skill);
        // Most names are there once, and a hash tells them apart.
        let hasher = RandomState::new();
        let taken = skills.iter().filter(|skill| policy.refusal(skill).is_none());
        let mut hashed: Vec<(u64, &Arc<Skill>)> =
            taken.map(|skill| (hasher.hash_one(key(skill)), skill)).collect();
        hashed.sort_by_key(|(hash, _)| *hash);
        let mut carriers: HashMap<Cow<str>, Vec<&Arc<Skill>>> = HashMap::new();
        let several =
            hashed.chunk_by(|one, other| one.0 == other.0).filter(|group| group.len() > 1);
        for (_, skill) in several.flatten() {
            carriers.entry(key(skill)).or_default().push(skill);
        }
        let place = |skill: &Skill| roots.iter().position(|root| *root.path == *skill.root);
        for several in carriers.values_mut().filter(|several| several.len() > 1) {
            several.sort_by_cached_key(|skill| (place(skill), skill.location().to_owned()));
        }
        Self { carriers, duplicates: host_context.host.duplicates, policy }
    }

    /// How many have this skill's name, itself included; at least 1.
    pub(super) fn count(&self, skill: &Skill) -> u32 {
        let several = self.carriers.get(&self.policy.order.key_of(skill));
        several.and_then(|several| u32::try_from(several.len()).ok()).unwrap_or(1).max(1)
    }

    /// The skill that the host uses instead. No skill is shadowed in a host that is `ambiguous` or
    /// `random`.
    pub(super) fn shadowed_by(&self, skill: &Skill) -> Option<Arc<Path>> {
        let carriers = self.carriers.get(&self.policy.order.key_of(skill))?;
        let winner = match self.duplicates {
            Duplicates::Ambiguous | Duplicates::Random => return None,
            Duplicates::First => carriers.first()?,
            Duplicates::Last => carriers.last()?,
        };
        let among = carriers.iter().any(|carrier| carrier.path == skill.path);
        (among && winner.path != skill.path).then(|| Arc::from(winner.path.as_path()))
    }
}
