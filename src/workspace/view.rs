//! The catalog with verdicts: what one host sees from here.

use super::Workspace;
use super::history::Recall;
use crate::catalog::{Catalog, Cut, HostId, RootReport, Skill};
use crate::config::Config;
use crate::hosts::{Duplicates, HOSTS};
use crate::policy::Entry;
use crate::scan;
use crate::search::{Item, Traits};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// What one host sees from one place, at one time. Never changes; a newer one replaces it.
#[derive(Clone, Debug)]
pub struct View {
    /// Every skill with its verdict, by scope, name and path once the scan is complete.
    pub entries: Arc<Vec<Entry>>,
    /// What is searched of each entry, in the same order.
    pub items: Arc<Vec<Item>>,
    /// How often and how lately each entry was picked, in the same order; 0: never.
    pub frecency: Arc<Vec<u32>>,
    /// How each root answered; empty while the scan runs.
    pub roots: Arc<Vec<RootReport>>,
    /// The limits that bit.
    pub cuts: Arc<Vec<Cut>>,
    /// The settings that were judged by.
    pub config: Arc<Config>,
    /// Whether the scan has ended.
    pub complete: bool,
}

/// Where views go while a scan runs, and how often they are wanted.
pub struct Progress<'a> {
    /// Whether a view of what there is so far is wanted now; asked after every batch.
    pub wanted: &'a mut dyn FnMut() -> bool,
    /// Takes it.
    pub take: &'a mut dyn FnMut(View),
}

impl Workspace {
    /// Scans the roots and judges every skill.
    pub fn view(&self) -> View {
        self.view_streaming(&scan::Options::default(), None)
    }

    /// As [`Workspace::view`], with views of what there is so far.
    pub fn view_streaming(&self, options: &scan::Options, mut progress: Option<Progress>) -> View {
        let mut made = Made::new(self.history(), self.host.id);
        let catalog = scan::scan(&self.roots(), options, |skills| {
            if let Some(progress) = &mut progress
                && (progress.wanted)()
            {
                let view = self.judge(skills, &mut made);
                (progress.take)(view);
            }
        });
        let Catalog { skills, roots, cuts } = catalog;
        let view = self.judge(&skills, &mut made);
        View { roots: Arc::new(roots), cuts: Arc::new(cuts), complete: true, ..view }
    }

    /// As [`Workspace::view`], after an earlier view of the same roots: skills that have not changed are taken over, so
    /// that to look again costs little time and no second catalog in memory.
    pub fn view_after(&self, before: &View, options: scan::Options) -> View {
        let known = scan::Known::new(before.entries.iter().map(|entry| Arc::clone(&entry.skill)));
        let catalog = scan::scan(&self.roots(), &scan::Options { known, ..options }, |_| {});
        let Catalog { skills, roots, cuts } = catalog;
        let (roots, cuts) = (Arc::new(roots), Arc::new(cuts));
        if self.judges_alike(before, &skills) {
            return View { roots, cuts, config: Arc::clone(&self.config), complete: true, ..before.clone() };
        }
        let mut made = Made::new(self.history(), self.host.id);
        made.keep(&before.items);
        View { roots, cuts, complete: true, ..self.judge(&skills, &mut made) }
    }

    /// Whether these are the very skills of a view, and are judged by the same policy: then it need not be made again.
    fn judges_alike(&self, before: &View, skills: &[Arc<Skill>]) -> bool {
        let same = |(entry, skill): (&Entry, &Arc<Skill>)| Arc::ptr_eq(&entry.skill, skill);
        before.config.policy == self.config.policy
            && before.entries.len() == skills.len()
            && before.entries.iter().zip(skills).all(same)
    }

    /// The same skills judged by other settings: what a change of rules or switches makes of a view.
    pub fn rejudge(&self, view: &View) -> View {
        let skills: Vec<Arc<Skill>> = view.entries.iter().map(|entry| Arc::clone(&entry.skill)).collect();
        let mut made = Made::new(Recall::default(), self.host.id);
        made.keep(&view.items);
        let judged = self.judge(&skills, &mut made);
        View {
            frecency: Arc::clone(&view.frecency),
            roots: Arc::clone(&view.roots),
            cuts: Arc::clone(&view.cuts),
            complete: view.complete,
            ..judged
        }
    }

    fn judge(&self, skills: &[Arc<Skill>], made: &mut Made) -> View {
        let names = Names::of(skills, self.host.duplicates);
        let entries: Vec<Entry> = skills.iter().map(|skill| self.entry(skill, &names)).collect();
        let places = places(skills);
        let items = entries.iter().zip(places).map(|(entry, place)| made.item(entry).with_place(place)).collect();
        let frecency = entries.iter().map(|entry| made.recall.weight(&entry.skill.path)).collect();
        View {
            entries: Arc::new(entries),
            items: Arc::new(items),
            frecency: Arc::new(frecency),
            roots: Arc::default(),
            cuts: Arc::default(),
            config: Arc::clone(&self.config),
            complete: false,
        }
    }

    fn entry(&self, skill: &Arc<Skill>, names: &Names) -> Entry {
        Entry {
            skill: refused(skill),
            verdict: self.config.policy.verdict(skill),
            same_name: names.count(skill),
            shadowed_by: names.shadowed_by(skill),
        }
    }
}

/// For each skill its place by scope and path.
fn places(skills: &[Arc<Skill>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(skills.len()).collect();
    let key = |index: &u32| {
        let skill = &skills[*index as usize];
        (skill.scope, skill.path.as_os_str().as_encoded_bytes())
    };
    order.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
    let mut places = vec![0; skills.len()];
    for (place, index) in (0..).zip(order) {
        places[index as usize] = place;
    }
    places
}

/// What is kept from one view to the next of the same scan.
struct Made {
    /// The items made so far, by the address of their skill, which they keep alive: a skill's texts are folded once,
    /// however many views it is in.
    items: HashMap<usize, Item>,
    recall: Recall,
    /// The hosts that see a skill that is on, and those that see one that is off: one list for all.
    seen: Arc<[HostId]>,
    unseen: Arc<[HostId]>,
}

impl Made {
    fn new(recall: Recall, host: HostId) -> Self {
        Self { items: HashMap::new(), recall, seen: Arc::new([host]), unseen: Arc::new([]) }
    }

    /// Takes over the items of an earlier view.
    fn keep(&mut self, items: &[Item]) {
        self.items.extend(items.iter().map(|item| (Arc::as_ptr(item.skill()) as usize, item.clone())));
    }

    fn item(&mut self, entry: &Entry) -> Item {
        let traits = Traits {
            on: entry.is_on(),
            permission: entry.verdict.model.value,
            shadowed: entry.shadowed_by.is_some() || entry.same_name > 1,
            invalid: !entry.skill.offerable(),
            hosts: Arc::clone(if entry.verdict.enabled() { &self.seen } else { &self.unseen }),
        };
        let address = Arc::as_ptr(&entry.skill) as usize;
        if let Some(item) = self.items.get(&address) {
            return item.clone().with_traits(traits);
        }
        let item = Item::new(&entry.skill, traits);
        self.items.insert(address, item.clone());
        item
    }
}

/// Who carries which name among the skills that can be offered, and whom the host takes.
struct Names<'a> {
    carriers: HashMap<&'a str, Vec<&'a Arc<Skill>>>,
    duplicates: Duplicates,
}

impl<'a> Names<'a> {
    fn of(skills: &'a [Arc<Skill>], duplicates: Duplicates) -> Self {
        let mut carriers: HashMap<&str, Vec<&Arc<Skill>>> = HashMap::new();
        for skill in skills.iter().filter(|skill| skill.offerable()) {
            carriers.entry(skill.name.trim()).or_default().push(skill);
        }
        Self { carriers, duplicates }
    }

    fn count(&self, skill: &Skill) -> usize {
        self.carriers.get(skill.name.trim()).map_or(1, Vec::len).max(1)
    }

    /// The skill that the host takes instead (D1). Under `ambiguous` and `random` nobody is shadowed.
    fn shadowed_by(&self, skill: &Skill) -> Option<Arc<Path>> {
        let carriers = self.carriers.get(skill.name.trim())?;
        let winner = match self.duplicates {
            Duplicates::Ambiguous | Duplicates::Random => return None,
            Duplicates::First => carriers.first()?,
            Duplicates::Last => carriers.last()?,
        };
        (winner.path != skill.path).then(|| Arc::from(winner.path.as_path()))
    }
}

/// Every host that a query may name.
pub fn known_hosts() -> Vec<HostId> {
    HOSTS.iter().map(|host| host.id).collect()
}

/// The hosts that refuse a skill for a finding of this code (D19).
pub fn refusers(code: &str) -> Vec<HostId> {
    HOSTS.iter().filter(|host| host.refuses(code)).map(|host| host.id).collect()
}

/// The skill with the hosts that refuse it named in each of its diagnostics (D19).
fn refused(skill: &Arc<Skill>) -> Arc<Skill> {
    if skill.diagnostics.iter().all(|diagnostic| refusers(diagnostic.code()) == diagnostic.refused_by) {
        return Arc::clone(skill);
    }
    let mut named = Skill::clone(skill);
    for diagnostic in &mut named.diagnostics {
        diagnostic.refused_by = refusers(diagnostic.code());
    }
    Arc::new(named)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::House;
    use super::*;

    #[test]
    fn looking_again_makes_a_new_view_only_where_something_has_changed() {
        let mut house = House::with(&[("repo/.agents/skills/pdf", "pdf"), ("repo/.agents/skills/docx", "docx")]);
        let first = house.workspace.view();
        let again = house.workspace.view_after(&first, scan::Options::default());
        assert!(Arc::ptr_eq(&first.entries, &again.entries) && again.complete);
        // Other settings judge anew, the skills stay the very same.
        house.write(
            "home/.config/skillpick/config.toml",
            "version = 1\n[[skills.config]]\nname = \"pdf\"\nenabled = false\n",
        );
        let judged = house.workspace.view_after(&again, scan::Options::default());
        let off: Vec<bool> = judged.entries.iter().map(|entry| entry.verdict.enabled()).collect();
        assert_eq!(off, [true, false]);
        assert!(Arc::ptr_eq(&judged.entries[0].skill, &first.entries[0].skill));
        // A new skill is seen.
        house.write("repo/.agents/skills/xlsx/SKILL.md", "---\nname: xlsx\ndescription: New.\n---\n");
        assert_eq!(house.workspace.view_after(&judged, scan::Options::default()).entries.len(), 3);
    }
}
