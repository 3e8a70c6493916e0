//! Which skills have the same name, and which of them the host uses.

use super::HostContext;
use crate::catalog::{Precedence, Root, Skill};
use crate::hosts::Duplicates;
use crate::policy::Policy;
use crate::store::normalized;
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
    collisions: Collisions<'a>,
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
        let taken =
            skills.iter().filter(|skill| policy.refusal(skill).is_none() && skill.stored.is_none());
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
        let collisions = Collisions::of(skills, policy, &place);
        Self { carriers, duplicates: host_context.host.duplicates, policy, collisions }
    }

    /// How many have this skill's name, itself included; at least 1.
    pub(super) fn count(&self, skill: &Skill) -> u32 {
        let several = self.carriers.get(&self.policy.order.key_of(skill));
        let files = several.and_then(|several| u32::try_from(several.len()).ok());
        let collides = self.collisions.at(skill).is_some();
        files.unwrap_or(1).max(1) + u32::from(collides)
    }

    /// The skill that the host uses instead. No skill is shadowed in a host that is `ambiguous` or
    /// `random`.
    pub(super) fn shadowed_by(&self, skill: &Skill) -> Option<Arc<Path>> {
        if let Some(Collision { stored, precedence, file }) = self.collisions.at(skill) {
            match (precedence, skill.stored.is_some()) {
                (Precedence::Over, false) => return Some(Arc::from(stored.path.as_path())),
                (Precedence::Under, true) => return Some(Arc::from(file.path.as_path())),
                (Precedence::Over | Precedence::Error, _) => return None,
                (Precedence::Under, false) => {}
            }
        }
        if skill.stored.is_some() {
            return None;
        }
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

/// A skill of a project and a file with its name.
struct Collision<'a> {
    stored: &'a Skill,
    precedence: Precedence,
    /// The first in the order of the host's roots.
    file: &'a Skill,
}

/// The names that a project's skill and a file have, trimmed and in small letters: the seed compares
/// them so, whatever the host does.
#[derive(Default)]
struct Collisions<'a>(HashMap<String, Collision<'a>>);

impl<'a> Collisions<'a> {
    fn of(
        skills: &'a [Arc<Skill>],
        policy: &Policy,
        place: &dyn Fn(&Skill) -> Option<usize>,
    ) -> Self {
        let counts = |skill: &&'a Arc<Skill>| policy.refusal(skill).is_none();
        let stored = skills.iter().filter_map(|skill| Some((skill, skill.stored.as_ref()?)));
        let stored: HashMap<String, (&'a Arc<Skill>, Precedence)> = stored
            .filter(|(skill, _)| counts(skill))
            .map(|(skill, stored)| (normalized(&skill.name), (skill, stored.precedence)))
            .collect();
        let mut collisions = Self::default();
        if stored.is_empty() {
            return collisions;
        }
        for file in skills.iter().filter(|skill| skill.stored.is_none()).filter(counts) {
            let name = normalized(&file.name);
            let Some((skill, precedence)) = stored.get(&name) else { continue };
            let order = |skill: &Skill| (place(skill), skill.location().to_owned());
            let first = collisions.0.entry(name).or_insert(Collision {
                stored: skill,
                precedence: *precedence,
                file,
            });
            if order(file) < order(first.file) {
                first.file = file;
            }
        }
        collisions
    }

    fn at(&self, skill: &Skill) -> Option<&Collision<'a>> {
        if self.0.is_empty() { None } else { self.0.get(&normalized(&skill.name)) }
    }
}
