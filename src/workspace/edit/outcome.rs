//! What a change comes to for each agent and each copy of a skill, in words. The picker's question
//! and the commands show the same ones.

use super::PlannedEffect;
use super::draft::Draft;
use super::goal;
use crate::catalog::{Enablement, HostId, Permission, Skill};
use crate::policy::change::{ChangeRequest, HostOutcome, NewRule};
use crate::policy::{self, Origin, Pattern, Policy, Rule, SampleRun, Status, Subject, Tool};
use crate::workspace::HostContext;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a change comes to for one host, for one entry or one rule.
#[derive(PartialEq, Eq)]
struct Sentence {
    /// The entry of a switch.
    entry: Option<usize>,
    words: String,
    copies: Vec<PathBuf>,
    expected: bool,
}

/// What is true of some hosts and some entries.
struct Group {
    hosts: Vec<HostId>,
    entries: Vec<usize>,
    sentence: Sentence,
}

/// The skills of a host among which copies are looked for.
struct Copies<'a> {
    /// The files of the skills that are to be switched.
    chosen: HashSet<&'a Path>,
    /// The files of the skills that the change concerns.
    changed: HashSet<&'a Path>,
    /// All that it takes, by their names.
    by_name: HashMap<String, Vec<&'a Arc<Skill>>>,
}

impl<'a> Copies<'a> {
    fn of(draft: &Draft<'a>, index: usize, effects: &'a [PlannedEffect]) -> Self {
        let HostContext { host, policy, .. } = &draft.after[index];
        let mut by_name: HashMap<String, Vec<&'a Arc<Skill>>> = HashMap::new();
        for skill in draft.all_taken(index) {
            let name = policy.order.folded(&policy.order.name_of(skill));
            by_name.entry(name).or_default().push(skill);
        }
        let chosen = draft.entries.iter().filter_map(|entry| draft.taken(index, *entry));
        let theirs = effects.iter().filter(|effect| effect.host == host.id);
        Self {
            chosen: chosen.map(|skill| &*skill.path).collect(),
            changed: theirs.map(|effect| &*effect.skill.path).collect(),
            by_name,
        }
    }

    /// The skills of this one's name that are not to be switched.
    fn with_name_of(&self, policy: &Policy, skill: &Skill) -> Vec<&'a Arc<Skill>> {
        let named = self.by_name.get(&policy.order.folded(&policy.order.name_of(skill)));
        let others = named.into_iter().flatten().copied();
        others.filter(|other| !self.chosen.contains(&*other.path)).collect()
    }
}

impl Draft<'_> {
    /// The outcome: hosts and skills of which the same is true together. Hosts that the change does
    /// not concern are left out.
    pub(super) fn outcome(&self, effects: &[PlannedEffect]) -> Vec<HostOutcome> {
        let mut groups: Vec<Group> = Vec::new();
        for (index, host_context) in self.after.iter().enumerate() {
            let host = host_context.host.id;
            for sentence in self.sentences(index, effects) {
                match groups.iter_mut().find(|group| group.sentence == sentence) {
                    Some(group) => group.hosts.push(host),
                    None => {
                        let entries = sentence.entry.into_iter().collect();
                        groups.push(Group { hosts: vec![host], entries, sentence });
                    }
                }
            }
        }
        let groups = by_entries(groups);
        groups.into_iter().map(|group| self.named(group)).collect()
    }

    /// For a rule that allows loading one skill with its files: the rules by its name that it
    /// replaces, and the name, if other skills of that name are asked for from then on.
    pub(super) fn replaced_and_asked(&self) -> (Vec<Origin>, Option<String>) {
        let (mut gone, mut asked) = (Vec::new(), None);
        let ChangeRequest::Permit(new) = self.request else { return (gone, asked) };
        let is_by_files = new.bound.as_ref().is_some_and(|bound| bound.digest.is_some());
        if new.tool != Tool::SkillLoad || !is_by_files {
            return (gone, asked);
        }
        let name = new.pattern.sample();
        let bound = self.before.iter().zip(&self.after).filter(|(_, it)| it.policy.order.bound);
        for (before, after) in bound {
            let known: Vec<Origin> = gone.clone();
            let origins = replaced(&before.policy, &after.policy).map(|rule| rule.origin.clone());
            gone.extend(origins.filter(|origin| !known.contains(origin)));
            let other = Subject { path: Some(Path::new("")), ..after.policy.named(&name) };
            if after.policy.permission_of(new.tool, &other, None).value == Permission::Ask {
                asked = Some(name.clone());
            }
        }
        (gone, asked)
    }

    /// A group with the names of its skills, unless it is about all that were chosen.
    fn named(&self, group: Group) -> HostOutcome {
        let Group { hosts, entries, sentence: Sentence { words, copies, expected, .. } } = group;
        let names = entries.iter().filter_map(|entry| self.view.rows.entry(*entry));
        let order = self.view.policy.order;
        let names = names.map(|entry| order.name_of(&entry.skill).into_owned());
        let skills = if entries.len() < self.entries.len() { names.collect() } else { Vec::new() };
        HostOutcome { hosts, skills, words, copies, expected }
    }

    /// What the change comes to for a host; nothing if it sees neither the skills nor others of
    /// their names.
    fn sentences(&self, index: usize, effects: &[PlannedEffect]) -> Vec<Sentence> {
        match self.request {
            ChangeRequest::Switch { to, .. } => {
                let copies = Copies::of(self, index, effects);
                let entries = self.entries.iter();
                entries.filter_map(|entry| self.of_entry(index, *entry, *to, &copies)).collect()
            }
            ChangeRequest::Permit(rule) => self.permitted(index, rule).into_iter().collect(),
            ChangeRequest::SetRules(_) => Vec::new(),
        }
    }

    /// Why a host leaves an entry as it is, or a rule away.
    fn unchanged(&self, index: usize, entry: Option<usize>) -> Option<Sentence> {
        let left = self.left.iter().find(|left| (left.host, left.entry) == (index, entry))?;
        let words = format!("unchanged: {}", left.why.about_it());
        Some(Sentence { entry, words, copies: Vec::new(), expected: false })
    }

    fn of_entry(
        &self,
        index: usize,
        entry: usize,
        to: Enablement,
        copies: &Copies<'_>,
    ) -> Option<Sentence> {
        if let Some(unchanged) = self.unchanged(index, Some(entry)) {
            return Some(unchanged);
        }
        match self.taken(index, entry) {
            Some(skill) => Some(self.switched(index, entry, skill, to, copies)),
            None => {
                let copies = self.instead(index, entry, to, copies);
                let words = "unchanged: it takes another copy".to_owned();
                let is_any = !copies.is_empty();
                is_any.then_some(Sentence { entry: Some(entry), words, copies, expected: false })
            }
        }
    }

    /// The folders of what a host has instead of an entry that it does not take: the copy that it
    /// takes for its name, or those in its own folders that are not as was wanted of the entry.
    fn instead(
        &self,
        index: usize,
        entry: usize,
        to: Enablement,
        copies: &Copies<'_>,
    ) -> Vec<PathBuf> {
        let skill = self.view.rows.entry(entry).map(|entry| &entry.skill);
        let (Some(skill), Some(report), Ok(place)) =
            (skill, self.view.reports.get(index), u32::try_from(entry))
        else {
            return Vec::new();
        };
        match report.status(place, skill) {
            Status::Shadowed(winner) => vec![winner.parent().unwrap_or(&winner).to_owned()],
            Status::NotThere => {
                let others = copies.with_name_of(&self.after[index].policy, skill).into_iter();
                let differs = |other: &&Arc<Skill>| {
                    (self.state_of(index, other) == Enablement::On) != (to == Enablement::On)
                };
                others.filter(differs).map(|other| other.dir().to_owned()).collect()
            }
            Status::Refused(_) | Status::Judged { .. } => Vec::new(),
        }
    }

    /// The state of a skill in a host after the change.
    fn state_of(&self, index: usize, skill: &Skill) -> Enablement {
        let HostContext { host, policy, .. } = &self.after[index];
        let verdict = policy.verdict(skill);
        policy::effective_state(policy, host.control.by_rule, skill, &verdict)
    }

    /// What becomes of an entry that a host takes, and of the copies beside it.
    fn switched(
        &self,
        index: usize,
        entry: usize,
        skill: &Arc<Skill>,
        to: Enablement,
        copies: &Copies<'_>,
    ) -> Sentence {
        let HostContext { host, policy, .. } = &self.after[index];
        let state = self.state_of(index, skill);
        let others = copies.with_name_of(policy, skill);
        let folders = |skills: Vec<&Arc<Skill>>| -> Vec<PathBuf> {
            skills.into_iter().map(|skill| skill.dir().to_owned()).collect()
        };
        let (changed, kept): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|other| copies.changed.contains(&*other.path));
        let differs = |other: &Skill| {
            (self.state_of(index, other) == Enablement::On) != (state == Enablement::On)
        };
        let stay = kept.into_iter().filter(|other| differs(other)).collect();
        let (also, stay) = (folders(changed), folders(stay));
        // Through one host, its lowest state is what *off* means.
        let wanted = match self.after.len() {
            1 => goal::possible(host, to).unwrap_or(to),
            _ => to,
        };
        let verdict = policy.verdict(skill);
        let by = match state == wanted && also.is_empty() {
            true => String::new(),
            false => by(verdict.decider(state)),
        };
        let denied = match state == Enablement::On && verdict.model.value == Permission::Deny {
            true if verdict.model.origin.place().is_some() => {
                format!(", but the model may not load it{}", self::by(&verdict.model.origin))
            }
            _ => String::new(),
        };
        let was_taken = self.view.rows[entry].entry.shadowed_by.is_none();
        let makes_room = policy.order.off_leaves_name && was_taken && state == Enablement::Off;
        let (more, copies) = match (also.is_empty(), stay.is_empty()) {
            (true, true) => (denied.as_str(), Vec::new()),
            (false, _) => (", and other copies with it", also),
            (true, false) if makes_room => (", and another copy takes its place", stay),
            (true, false) => (", but another copy stays as it is", stay),
        };
        // Through one host the label says how low the state is, but not that a skill is not wholly
        // on.
        let is_wanted = state == wanted || self.after.len() == 1 && to != Enablement::On;
        let expected = copies.is_empty() && denied.is_empty() && is_wanted;
        let words = format!("{}{by}{more}", state.word());
        Sentence { entry: Some(entry), words, copies, expected }
    }

    /// What becomes of the skills that a rule covers.
    fn permitted(&self, index: usize, rule: &NewRule) -> Option<Sentence> {
        if let Some(unchanged) = self.unchanged(index, None) {
            return Some(unchanged);
        }
        if self.is_of_others(rule, index) {
            return None;
        }
        let policy = &self.after[index].policy;
        let bound = rule.bound.as_ref().filter(|_| policy.order.bound);
        let sample = SampleRun::of(&rule.runs, bound);
        let ruling = |skill: &Skill| {
            policy.permission(rule.tool, skill, sample.as_ref().map(SampleRun::run).as_ref())
        };
        let covered = |skill: &&Arc<Skill>| {
            rule.names(policy, skill)
                && bound.is_none_or(|bound| bound.path == skill.path)
                && policy.refusal(skill).is_none()
        };
        let (reached, stay): (Vec<_>, Vec<_>) = self
            .all_taken(index)
            .filter(covered)
            .partition(|skill| ruling(skill).value == rule.effect);
        let effect = rule.effect.word();
        let by = stay.first().map(|skill| by(&ruling(skill).origin)).unwrap_or_default();
        let is_one = matches!(rule.pattern, Pattern::Exact(_));
        let folders =
            |skills: &[&Arc<Skill>]| skills.iter().map(|skill| skill.dir().to_owned()).collect();
        let (words, copies): (String, Vec<PathBuf>) = match (reached.len(), stay.len()) {
            (0, 0) => (format!("{effect}, once there is such a skill"), Vec::new()),
            (1, 0) if is_one => (effect.to_owned(), Vec::new()),
            (_, 0) if is_one => (format!("{effect}, every copy of that name"), folders(&reached)),
            (count, 0) => (format!("{effect}, {count} of the skills here"), Vec::new()),
            (0, _) => (format!("{effect}, but these stay as they are{by}"), folders(&stay)),
            (count, _) => {
                (format!("{effect}, {count} here, but these stay as they are{by}"), folders(&stay))
            }
        };
        let expected = copies.is_empty();
        Some(Sentence { entry: None, words, copies, expected })
    }
}

/// Joins the groups of the same hosts and words, if no copies tell them apart.
fn by_entries(groups: Vec<Group>) -> Vec<Group> {
    let mut joined: Vec<Group> = Vec::new();
    for group in groups {
        let alike = joined.iter_mut().find(|other| {
            other.hosts == group.hosts
                && other.sentence.words == group.sentence.words
                && other.sentence.copies.is_empty()
                && group.sentence.copies.is_empty()
        });
        match alike {
            Some(other) => other.entries.extend(group.entries),
            None => joined.push(group),
        }
    }
    joined
}

/// The rules that ask or deny before a change and are gone after it.
fn replaced<'a>(before: &'a Policy, after: &'a Policy) -> impl Iterator<Item = &'a Rule> {
    let stays = |rule: &Rule| {
        let said = NewRule::of(rule);
        after.rules.iter().any(|other| other.layer == rule.layer && said.is(other))
    };
    before.rules.iter().filter(move |rule| rule.effect != Permission::Allow && !stays(rule))
}

/// Who decides: ` by opencode.json:5`.
fn by(origin: &Origin) -> String {
    match origin.place() {
        Some((file, line)) => format!(" by {}:{line}", goal::name(file)),
        None if *origin == Origin::Default => String::new(),
        None => format!(" by {}", origin.text()),
    }
}
