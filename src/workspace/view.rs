//! The catalog with verdicts: what one host sees from here.

use super::history::Recall;
use super::names::Names;
use super::{Lens, Workspace};
use crate::catalog::{Catalog, Cut, Enablement, HostId, RootReport, Skill, Uses};
use crate::config::Config;
use crate::hosts::{self, HOSTS, Host};
use crate::policy::{Entry, Glance, Layer, Origin, Policy, Sight, Verdict, effective_state};
use crate::scan;
use crate::search::{Item, Traits};
use std::collections::HashMap;
use std::path::PathBuf;
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
    /// How often and when last skills were loaded and run, by whomever.
    pub uses: Arc<Uses>,
    /// How each root answered; empty while the scan runs.
    pub roots: Arc<Vec<RootReport>>,
    /// The limits that bit.
    pub cuts: Arc<Vec<Cut>>,
    pub config: Arc<Config>,
    pub host: &'static Host,
    /// By what that host judges; through all hosts, by what `agents` does.
    pub policy: Arc<Policy>,
    /// That host, or all of them, with their settings.
    pub lenses: Arc<Vec<Lens>>,
    /// What every host makes of the entries: of a view through all hosts, and of others once that
    /// has been worked out.
    pub glances: Arc<Vec<Glance>>,
    /// Whether the scan has ended.
    pub complete: bool,
}

/// Where views go while a scan runs, and how often they are wanted.
pub struct Progress<'a> {
    /// Whether a view of what there is so far is wanted now; asked after every batch.
    pub wanted: &'a mut dyn FnMut() -> bool,
    pub take: &'a mut dyn FnMut(View),
}

impl View {
    /// What every host makes of one entry; of a view through one host only after
    /// [`Workspace::glances`].
    pub fn sights(&self, index: usize) -> Vec<Sight> {
        let (Some(entry), Ok(place)) = (self.entries.get(index), u32::try_from(index)) else {
            return Vec::new();
        };
        self.glances.iter().map(|glance| glance.sight(place, &entry.skill)).collect()
    }

    /// Whose files a new rule of this host can go to, and which file that would be, the host's own
    /// default first.
    pub fn rule_files(&self) -> Vec<(Layer, PathBuf)> {
        let Some(lens) = self.lenses.first().filter(|_| self.host.id != hosts::EVERY.id) else {
            return Vec::new();
        };
        let layers = lens.host.control.layers.iter().copied();
        layers.filter_map(|layer| Some((layer, lens.rule_file(layer)?))).collect()
    }
}

impl Workspace {
    /// Scans the roots and judges every skill.
    pub fn view(&self) -> View {
        self.view_streaming(&scan::Options::default(), None)
    }

    /// As [`Workspace::view`], with views of what there is so far.
    pub fn view_streaming(&self, options: &scan::Options, mut progress: Option<Progress>) -> View {
        let mut made = Made::new(self.history());
        let mut scanned = Scanned::default();
        let mut known = options.known.clone();
        for lens in self.lenses.iter() {
            let options = scan::Options {
                entries: options.entries,
                stop: Arc::clone(&options.stop),
                known: known.clone(),
                refusers: hosts::refusers,
            };
            let catalog = scan::scan(&lens.roots(&self.instead), &options, |skills| {
                if let Some(progress) = &mut progress
                    && scanned.is_empty()
                    && (progress.wanted)()
                {
                    let view = self.show(self.judged(&Scanned::of(skills)), &mut made);
                    (progress.take)(view);
                }
            });
            if self.is_every() {
                known.add(catalog.skills.iter().map(Arc::clone));
            }
            scanned.add(catalog);
        }
        let view = self.judge_whole(&scanned, &mut made);
        View {
            roots: Arc::new(scanned.roots),
            cuts: Arc::new(scanned.cuts),
            complete: true,
            ..view
        }
    }

    /// As [`Workspace::view`], after an earlier view of the same roots: skills that have not
    /// changed are taken over, so that to look again costs little time and no second catalog in
    /// memory.
    pub fn view_after(&self, before: &View, options: scan::Options) -> View {
        let known = scan::Known::new(before.entries.iter().map(|entry| Arc::clone(&entry.skill)));
        let mut scanned = Scanned::default();
        for lens in self.lenses.iter() {
            let options = scan::Options {
                known: known.clone(),
                refusers: hosts::refusers,
                stop: Arc::clone(&options.stop),
                ..options
            };
            scanned.add(scan::scan(&lens.roots(&self.instead), &options, |_| {}));
        }
        let (roots, cuts) = (
            Arc::new(std::mem::take(&mut scanned.roots)),
            Arc::new(std::mem::take(&mut scanned.cuts)),
        );
        let recall = self.history();
        if *recall.uses == *before.uses && self.judges_alike(before, &scanned) {
            let (config, policy) = (Arc::clone(&self.config), Arc::clone(&before.policy));
            return View { roots, cuts, config, policy, complete: true, ..before.clone() };
        }
        let mut made = Made::new(recall);
        made.keep(&before.items);
        View { roots, cuts, complete: true, ..self.judge_whole(&scanned, &mut made) }
    }

    /// Whether these are the very skills of a view, and are judged by the same policy: then it need
    /// not be made again.
    fn judges_alike(&self, before: &View, scanned: &Scanned) -> bool {
        let [skills] = scanned.found.as_slice() else { return false };
        let same = |(entry, skill): (&Entry, &Arc<Skill>)| Arc::ptr_eq(&entry.skill, skill);
        !self.is_every()
            && *before.policy == *self.lenses[0].policy
            && before.config.policy == self.config.policy
            && before.entries.len() == skills.len()
            && before.entries.iter().zip(skills).all(same)
    }

    /// The same skills judged by other settings: what a change of rules or switches makes of a
    /// view.
    pub fn rejudge(&self, view: &View) -> View {
        let mut made = Made::new(Recall::of_uses(&view.uses));
        made.keep(&view.items);
        let entries = match self.is_every() {
            true => self.united_again(view),
            false => {
                let skills: Vec<Arc<Skill>> =
                    view.entries.iter().map(|entry| Arc::clone(&entry.skill)).collect();
                (self.entries(&skills), Vec::new())
            }
        };
        let judged = self.show(entries, &mut made);
        let glances = if self.is_every() {
            judged.glances
        } else {
            Arc::new(self.glances_again(&view.glances))
        };
        View {
            frecency: Arc::clone(&view.frecency),
            roots: Arc::clone(&view.roots),
            cuts: Arc::clone(&view.cuts),
            complete: view.complete,
            glances,
            ..judged
        }
    }

    /// What every host made of the skills, by its settings as they are now.
    fn glances_again(&self, glances: &[Glance]) -> Vec<Glance> {
        let lenses = if glances.is_empty() { Vec::new() } else { self.everyone() };
        let again = |glance: &Glance| {
            let lens = lenses.iter().find(|lens| lens.host.id == glance.host);
            let policy =
                lens.map_or_else(|| Arc::clone(&glance.policy), |lens| Arc::clone(&lens.policy));
            Glance { policy, ..glance.clone() }
        };
        glances.iter().map(again).collect()
    }

    /// The view of a scan that has ended: now it is known which names look alike.
    fn judge_whole(&self, scanned: &Scanned, made: &mut Made) -> View {
        let (mut entries, glances) = self.judged(scanned);
        super::alike::flag(&mut entries);
        self.show((entries, glances), made)
    }

    fn judged(&self, scanned: &Scanned) -> (Vec<Entry>, Vec<Glance>) {
        match (self.is_every(), scanned.found.as_slice()) {
            (true, found) => self.united(found),
            (false, [skills]) => (self.entries(skills), Vec::new()),
            (false, _) => (Vec::new(), Vec::new()),
        }
    }

    fn show(&self, (entries, glances): (Vec<Entry>, Vec<Glance>), made: &mut Made) -> View {
        let places = places(&entries);
        let seen = made.seen(&entries, &glances, self.host.id);
        let each = entries.iter().zip(places).zip(seen);
        let items =
            each.map(|((entry, place), seen)| made.item(entry, seen).with_place(place)).collect();
        let frecency = entries.iter().map(|entry| made.recall.weight(&entry.skill.path)).collect();
        let policy = self
            .lenses
            .first()
            .map_or_else(|| Arc::new(self.config.policy.clone()), |lens| Arc::clone(&lens.policy));
        View {
            entries: Arc::new(entries),
            items: Arc::new(items),
            frecency: Arc::new(frecency),
            uses: Arc::clone(&made.recall.uses),
            roots: Arc::default(),
            cuts: Arc::default(),
            config: Arc::clone(&self.config),
            host: self.host,
            policy,
            lenses: Arc::clone(&self.lenses),
            glances: Arc::new(glances),
            complete: false,
        }
    }

    /// The entries of one host.
    fn entries(&self, skills: &[Arc<Skill>]) -> Vec<Entry> {
        let Some(lens) = self.lenses.first() else { return Vec::new() };
        let roots = lens.roots(&self.instead);
        let names = Names::of(skills, lens, &roots);
        skills.iter().map(|skill| entry(skill, lens, &names)).collect()
    }
}

fn entry(skill: &Arc<Skill>, lens: &Lens, names: &Names) -> Entry {
    let shadowed_by = names.shadowed_by(skill);
    let verdict = match &shadowed_by {
        Some(winner) => Verdict::off(Origin::Shadowed(Arc::clone(winner))),
        None => lens.policy.verdict(skill),
    };
    let refused = lens.policy.refusal(skill);
    let state = match refused.is_some() || shadowed_by.is_some() {
        true => Enablement::Off,
        false => effective_state(&lens.policy, lens.host.control.by_rule, skill, &verdict),
    };
    let (skill, same_name) = (Arc::clone(skill), names.count(skill));
    Entry { skill, verdict, same_name, shadowed_by, refused, state, mixed: false }
}

/// What the scans of all lenses have found, in their order.
#[derive(Default)]
struct Scanned {
    found: Vec<Vec<Arc<Skill>>>,
    roots: Vec<RootReport>,
    cuts: Vec<Cut>,
}

impl Scanned {
    /// The first lens's skills, so far.
    fn of(skills: &[Arc<Skill>]) -> Self {
        Self { found: vec![skills.to_vec()], ..Self::default() }
    }

    fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    fn add(&mut self, catalog: Catalog) {
        self.found.push(catalog.skills);
        for report in catalog.roots {
            // Many hosts look in the same folders.
            if self.roots.iter().all(|known| known.root.path != report.root.path) {
                self.roots.push(report);
            }
        }
        for cut in catalog.cuts {
            if !self.cuts.contains(&cut) {
                self.cuts.push(cut);
            }
        }
    }
}

/// For each skill its place by scope and path.
fn places(entries: &[Entry]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(entries.len()).collect();
    let key = |index: &u32| {
        let skill = &entries[*index as usize].skill;
        (skill.scope, skill.path.as_os_str().as_encoded_bytes())
    };
    order.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
    let mut places = vec![0; entries.len()];
    for (place, index) in (0..).zip(order) {
        places[index as usize] = place;
    }
    places
}

/// What is kept from one view to the next of the same scan.
struct Made {
    /// The items made so far, by the address of their skill, which they keep alive: a skill's texts
    /// are folded once, however many views it is in.
    items: HashMap<usize, Item>,
    recall: Recall,
}

impl Made {
    fn new(recall: Recall) -> Self {
        Self { items: HashMap::new(), recall }
    }

    /// Takes over the items of an earlier view.
    fn keep(&mut self, items: &[Item]) {
        self.items
            .extend(items.iter().map(|item| (Arc::as_ptr(item.skill()) as usize, item.clone())));
    }

    /// For each entry the hosts that list it; equal lists are one.
    fn seen(&self, entries: &[Entry], glances: &[Glance], host: HostId) -> Vec<Arc<[HostId]>> {
        if glances.is_empty() {
            let (seen, unseen): (Arc<[HostId]>, Arc<[HostId]>) = (Arc::new([host]), Arc::new([]));
            let one =
                |entry: &Entry| Arc::clone(if entry.verdict.enabled() { &seen } else { &unseen });
            return entries.iter().map(one).collect();
        }
        let mut lists: HashMap<Vec<HostId>, Arc<[HostId]>> = HashMap::new();
        let lists_it = |glance: &&Glance, index: u32, entry: &Entry| {
            glance.standing(index, &entry.skill).verdict().is_some_and(Verdict::enabled)
        };
        let mut one = |(entry, index): (&Entry, u32)| {
            let listing = glances.iter().filter(|glance| lists_it(glance, index, entry));
            let hosts: Vec<HostId> = listing.map(|glance| glance.host).collect();
            Arc::clone(lists.entry(hosts).or_insert_with_key(|hosts| Arc::from(hosts.as_slice())))
        };
        entries.iter().zip(0..).map(&mut one).collect()
    }

    fn item(&mut self, entry: &Entry, hosts: Arc<[HostId]>) -> Item {
        let traits = Traits {
            on: entry.is_on(),
            permission: entry.verdict.model.value,
            shadowed: entry.shadowed_by.is_some() || entry.same_name > 1,
            invalid: !entry.offered(),
            used: self.recall.uses.of(&entry.skill.path).is_some(),
            hosts,
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

/// Every host that a query may name: those with a file of their own first.
pub fn known_hosts() -> Vec<HostId> {
    hosts::every().map(|host| host.id).collect()
}

/// The hosts with a file of their own: what is offered where every host would be too many to read.
pub fn foremost_hosts() -> Vec<HostId> {
    HOSTS.iter().map(|host| host.id).collect()
}

/// The host that a word means, every host at once included.
pub fn host_by_word(word: &str) -> Option<&'static Host> {
    if word == hosts::ALL { Some(&hosts::EVERY) } else { hosts::by_word(word).ok() }
}

/// The hosts that refuse a skill for a finding of this code (D19).
pub fn refusers(code: &str) -> &'static [HostId] {
    hosts::refusers(code)
}

#[cfg(test)]
mod tests;
