//! Which skills have the same name, and which of them the host uses.

use super::HostContext;
use crate::catalog::{Plugin, Precedence, Root, Skill, Stored, normalized};
use crate::files::positions::Positions;
use crate::hosts::Duplicates;
use crate::listing::Namesakes;
use crate::policy::Policy;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// What a host finds.
#[derive(Default)]
pub(super) struct Found<'a> {
    pub(super) skills: &'a [Arc<Skill>],
    /// Those of which some agent may take several for one name: few, and the same for all agents.
    sharing: Vec<&'a Arc<Skill>>,
    namesakes: Namesakes,
}

impl<'a> Found<'a> {
    pub(super) fn of(skills: &'a [Arc<Skill>]) -> Self {
        let namesakes = Namesakes::of(skills, |skill| skill);
        let mut shared = namesakes.shared();
        // A host's own parser may read another name.
        shared.extend((0..skills.len()).filter(|index| skills[*index].head.is_some()));
        shared.sort_unstable();
        shared.dedup();
        let sharing = shared.into_iter().map(|index| &skills[index]).collect();
        Self { skills, sharing, namesakes }
    }

    /// Those that may have this name.
    fn named(&self, name: &str) -> impl Iterator<Item = &'a Arc<Skill>> {
        self.namesakes.candidates([name, name]).into_iter().map(|index| &self.skills[index])
    }

    /// The skills of which some agent may take several for one name.
    pub(super) fn sharing(&self) -> impl Iterator<Item = &'a Arc<Skill>> {
        self.sharing.iter().copied()
    }
}

/// What other skills mean for one.
pub(super) struct Rivals {
    /// How many have its name, itself included; at least 1.
    pub(super) same_name: u32,
    /// The skill that the host uses instead. None is in a host that is `ambiguous` or `random`.
    pub(super) shadowed_by: Option<Arc<Path>>,
}

/// The skills of each name that several have, in the order of the host's roots: those that it does
/// not refuse, and refused ones that still shadow others.
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
            (policy.refusal(skill).is_none() || policy.order.blocks_name(skill))
                && skill.stored.is_none()
                && !policy.leaves_its_name(skill)
        };
        for skill in found.sharing().filter(is_taken) {
            carriers.entry(policy.order.rival_key(skill)).or_default().push(skill);
        }
        // A plain file may have the name that the host's own parser reads in another.
        for (key, several) in &mut carriers {
            let is_read = |skill: &Arc<Skill>| skill.head.is_some();
            if several.iter().any(|skill| is_read(skill)) {
                let met: HashSet<_> = several.iter().map(|skill| Arc::as_ptr(skill)).collect();
                let plain = found.named(key).filter(|skill| !is_read(skill)).filter(is_taken);
                several.extend(plain.filter(|skill| {
                    !met.contains(&Arc::as_ptr(skill)) && policy.order.rival_key(skill) == *key
                }));
            }
        }
        carriers.retain(|_, several| several.len() > 1);
        let place = |skill: &Skill| roots.iter().position(|root| root.path == skill.root.path);
        let siblings = host_context.host.siblings;
        // What waits for a file to be touched leaves its name to others until then.
        let order = |skill: &Skill| (policy.order.calls(skill).later, place(skill));
        let mut positions = Positions::default();
        for several in carriers.values_mut() {
            several.sort_by(|one, other| {
                let within = || siblings.order(one, other);
                order(one).cmp(&order(other)).then_with(within)
            });
            if siblings.are_listed() {
                let mut listed = |skill: &Skill| siblings.places(skill, &mut positions);
                several.sort_by_cached_key(|skill| (place(skill), listed(skill)));
            }
        }
        let collisions = Collisions::of(found, policy, &place);
        Self { carriers, duplicates: host_context.host.duplicates, policy, collisions }
    }

    /// What the others mean for this skill.
    pub(super) fn rivals(&self, skill: &Skill) -> Rivals {
        let (collision, carriers) = (self.collisions.at(skill), self.carriers(skill));
        let same = carriers.iter().filter(|carrier| self.has_same_name(skill, carrier));
        let files = u32::try_from(same.count()).unwrap_or(u32::MAX);
        let same_name = files.max(1).saturating_add(u32::from(collision.is_some()));
        let winner = self.winner(skill, collision, carriers);
        Rivals { same_name, shadowed_by: winner.map(|winner| Arc::from(winner.path.as_path())) }
    }

    fn winner(
        &self,
        skill: &Skill,
        collision: Option<&Collision<'a>>,
        carriers: &[&'a Arc<Skill>],
    ) -> Option<&'a Skill> {
        if let Some(Collision { stored, precedence, file }) = collision {
            match (precedence, skill.stored.is_some()) {
                (Precedence::Over, false) => return Some(stored),
                (Precedence::Under, true) => return *file,
                (Precedence::Over | Precedence::Error, _) => return None,
                (Precedence::Under, false) => {}
            }
        }
        if skill.stored.is_some() {
            return None;
        }
        let winner = *match self.duplicates {
            Duplicates::Ambiguous | Duplicates::Random => return None,
            Duplicates::First => {
                carriers.iter().find(|carrier| self.has_same_name(skill, carrier))?
            }
            Duplicates::Last => carriers.last()?,
        };
        let among = carriers.iter().any(|carrier| carrier.path == skill.path);
        (among && winner.path != skill.path).then_some(&**winner)
    }

    /// Whether a carrier of the skill's name means this skill, or takes its place. A name with that
    /// of a plugin before it does so for this plugin only.
    fn has_same_name(&self, skill: &Skill, carrier: &Skill) -> bool {
        !self.policy.order.plugin_names
            || prefix(skill).is_empty()
            || prefix(skill) == prefix(carrier)
    }

    /// Whether several plugins have a skill of this name, and no other skill comes before them.
    pub(super) fn is_of_several_plugins(&self, skill: &Skill) -> bool {
        let carriers = self.carriers(skill);
        let first = carriers.first().and_then(|first| first.plugin());
        let is_other = |other: &Plugin| first.is_some_and(|first| first.name() != other.name());
        carriers.iter().any(|carrier| carrier.path == skill.path)
            && carriers.iter().filter_map(|carrier| carrier.plugin()).any(is_other)
    }

    /// The skills with this skill's name, if there are several.
    fn carriers<'s>(&'s self, skill: &'s Skill) -> &'s [&'a Arc<Skill>] {
        if self.carriers.is_empty() {
            return &[];
        }
        self.carriers.get(&self.policy.order.rival_key(skill)).map_or(&[], Vec::as_slice)
    }
}

fn prefix(skill: &Skill) -> &str {
    skill.root.plugin.as_deref().map_or("", |plugin| &plugin.prefix)
}

/// A skill of a project, and the file with its name that is the first in the order of the host's
/// roots.
struct Collision<'a> {
    stored: &'a Skill,
    precedence: Precedence,
    file: Option<&'a Skill>,
}

/// The skills of a project by their names, trimmed and in small letters: the seed compares them so,
/// whatever the host does.
struct Collisions<'a>(HashMap<Cow<'a, str>, Collision<'a>>);

impl<'a> Collisions<'a> {
    fn of(found: &Found<'a>, policy: &Policy, place: &dyn Fn(&Skill) -> Option<usize>) -> Self {
        let counts = |skill: &&'a Arc<Skill>| policy.refusal(skill).is_none();
        let mut all = HashMap::new();
        for skill in found.sharing().filter(counts) {
            if let Some(Stored { precedence, .. }) = skill.stored.as_deref() {
                let alone = Collision { stored: skill, precedence: *precedence, file: None };
                all.insert(key(skill), alone);
            }
        }
        if all.is_empty() {
            return Self(all);
        }
        for file in found.sharing().filter(|skill| skill.stored.is_none()).filter(counts) {
            let Some(collision) = all.get_mut(&key(file)) else { continue };
            let is_earlier = |first: &Skill| {
                let places = place(file).cmp(&place(first));
                places.then_with(|| file.location().cmp(first.location())).is_lt()
            };
            if collision.file.is_none_or(is_earlier) {
                collision.file = Some(file);
            }
        }
        all.retain(|_, collision| collision.file.is_some());
        Self(all)
    }

    fn at<'s>(&'s self, skill: &'s Skill) -> Option<&'s Collision<'a>> {
        if self.0.is_empty() { None } else { self.0.get(&key(skill)) }
    }
}

/// The name of a skill as the store compares it. Most names are so already.
fn key(skill: &Skill) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !byte.is_ascii_uppercase();
    match skill.name.bytes().all(is_plain) {
        true => skill.name.as_str().into(),
        false => normalized(&skill.name).into(),
    }
}
