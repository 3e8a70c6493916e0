//! Which skills have the same name, and which of them the host uses.

use super::HostContext;
use crate::catalog::{Precedence, Root, Skill};
use crate::hosts::{Duplicates, Siblings};
use crate::listing::Namesakes;
use crate::policy::Policy;
use crate::store::normalized;
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
        let mut shared = Namesakes::of(skills.iter()).shared();
        // A host's own parser may read another name.
        shared.extend((0..skills.len()).filter(|index| skills[*index].head.is_some()));
        shared.sort_unstable();
        shared.dedup();
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
    collisions: Collisions<'a>,
}

impl<'a> Names<'a> {
    pub(super) fn of(found: &Found<'a>, host_context: &'a HostContext, roots: &[Root]) -> Self {
        let policy = &*host_context.policy;
        let mut carriers: HashMap<Cow<str>, Vec<&Arc<Skill>>> = HashMap::new();
        let is_taken = |skill: &&Arc<Skill>| {
            policy.refusal(skill).is_none()
                && skill.stored.is_none()
                && !policy.is_of_plugin_off(skill)
        };
        for skill in found.sharing().filter(is_taken) {
            carriers.entry(policy.order.key_of(skill)).or_default().push(skill);
        }
        carriers.retain(|_, several| several.len() > 1);
        let place = |skill: &Skill| roots.iter().position(|root| root.path == skill.root.path);
        let siblings = host_context.host.siblings;
        // What waits for a file to be touched leaves its name to others until then.
        let order = |skill: &Skill| (policy.order.calls(skill).later, place(skill));
        for several in carriers.values_mut() {
            several.sort_by(|one, other| {
                let within = || siblings.order(one.location(), other.location());
                order(one).cmp(&order(other)).then_with(within)
            });
            if siblings == Siblings::Listed {
                let listed =
                    |skill: &&Arc<Skill>| siblings.positions(&skill.root.path, skill.location());
                several.sort_by_cached_key(|skill| (place(skill), listed(skill)));
            }
        }
        let collisions = Collisions::of(found.skills, policy, &place);
        Self { carriers, duplicates: host_context.host.duplicates, policy, collisions }
    }

    /// How many have this skill's name, itself included; at least 1.
    pub(super) fn count(&self, skill: &Skill) -> u32 {
        let files = self.carriers(skill).and_then(|several| u32::try_from(several.len()).ok());
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
