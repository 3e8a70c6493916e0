//! The catalog with verdicts: what one host sees from here.

use super::ended_search::{end_search, ends};
use super::history::Recall;
use super::judge::Judge;
use super::plugin_names::{depend_on_plugins, tell_apart};
use super::report::Finds;
use super::row_maker::RowMaker;
use super::scanned::Scanned;
use super::{HostContext, Workspace, findings};
use crate::catalog::{HostId, Skill};
use crate::config::{Config, Origin as ConfigOrigin, Setting};
use crate::hosts::{self, Context, Host};
use crate::listing::{Listing, Rows};
use crate::policy::{Alarm, Entry, HostLabel, HostReport, HostStatus, Layer, Limits, Looks};
use crate::scan;
use std::collections::HashSet;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// What one host sees from one place, at one time, with the settings that decided it. It never
/// changes; a newer view replaces it.
#[derive(Clone, Debug)]
pub struct View {
    pub listing: Listing,
    pub config: Arc<Config>,
    pub host: &'static Host,
    /// That host, or all of them, with their settings.
    pub host_contexts: Arc<Vec<HostContext>>,
    /// The view without what agents' programs say, if this one has that; its rows are the first
    /// ones of this view.
    pub(super) plain: Option<Arc<View>>,
}

impl Deref for View {
    type Target = Listing;

    fn deref(&self) -> &Listing {
        &self.listing
    }
}

/// Where views go while a scan runs, and how often they are wanted.
pub struct Progress<'a> {
    /// Whether a view of what was found so far, so many skills, is wanted now; called after every
    /// batch.
    pub wanted: &'a mut dyn FnMut(usize) -> bool,
    pub take: &'a mut dyn FnMut(View),
}

impl View {
    /// The view without what agents' programs say.
    pub(super) fn plain(&self) -> &Self {
        self.plain.as_deref().unwrap_or(self)
    }

    /// Its rows without what agents' programs say, so that a thread of its own can free them.
    pub fn plain_rows(&self) -> Arc<Rows> {
        Arc::clone(&self.plain().listing.rows)
    }

    /// How much of its skills the host shows or gives a model: what our own settings say, otherwise
    /// what the host's say, otherwise the host's defaults and ours.
    pub fn limits(&self) -> Limits {
        let values = &self.config.values;
        let host = self.policy.limits.or(self.host.limits);
        let pick = |own: &Setting<usize>, host: Option<usize>| match own.origin {
            ConfigOrigin::Default => Some(host.unwrap_or(own.value)),
            // A repository cannot show more than the host either.
            ConfigOrigin::File { layer: Layer::Project, .. } => {
                Some(host.map_or(own.value, |host| host.min(own.value)))
            }
            _ => Some(own.value),
        };
        Limits {
            discovered: host.discovered,
            entries: pick(&values.max_entries, host.entries),
            bytes: pick(&values.max_bytes, host.bytes),
            description: host.description,
            found: pick(&values.default_limit, host.found),
            most_found: pick(&values.max_limit, host.most_found),
            skill_md: pick(&values.max_skill_md, host.skill_md),
            resource: pick(&values.max_resource, host.resource),
        }
    }

    /// Whether it is the view through every host at once.
    pub fn sees_all(&self) -> bool {
        self.host.id == hosts::EVERY.id
    }

    /// The host, as refusals name it.
    pub fn host_label(&self) -> HostLabel {
        HostLabel { id: self.host.id, name: self.host.name, order: self.policy.order }
    }

    /// What is wrong in the settings files of hosts. What is in our own is among the problems of
    /// `config`.
    pub fn host_alarms(&self) -> impl Iterator<Item = (&HostContext, &Alarm)> {
        let ours =
            |alarm: &Alarm| self.config.policy.alarms.iter().any(|own| own.file == alarm.file);
        self.host_contexts.iter().flat_map(move |host_context| {
            let theirs = host_context.policy.alarms.iter().filter(move |alarm| !ours(alarm));
            theirs.map(move |alarm| (host_context, alarm))
        })
    }

    /// How every host has one entry. A view through one host must have its
    /// [`Workspace::reports`] first.
    pub fn statuses(&self, index: usize) -> Vec<HostStatus> {
        let (Some(entry), Ok(place)) = (self.rows.entry(index), u32::try_from(index)) else {
            return Vec::new();
        };
        self.reports.iter().map(|report| report.host_status(place, &entry.skill)).collect()
    }

    /// The layers and files to which a new rule of this host can be written, the host's default
    /// first.
    pub fn rule_files(&self) -> Vec<(Layer, PathBuf)> {
        let one = self.host_contexts.first().filter(|_| !self.sees_all());
        let files = one.map(|one| {
            let layers = one.host.control.layers.iter().copied();
            layers.filter_map(|layer| Some((layer, one.rule_file(layer)?))).collect()
        });
        files.unwrap_or_default()
    }

    /// A host of the view with its settings.
    pub fn host_context(&self, host: HostId) -> Option<&HostContext> {
        self.host_contexts.iter().find(|host_context| host_context.host.id == host)
    }
}

impl Workspace {
    /// The folder in which the person works, for a scan.
    pub(super) fn ground(&self) -> scan::Ground {
        let Context { home, cwd, repo_root, .. } = &*self.context;
        // The home directory, or a folder above it, has the person's own skills below it.
        let is_around = |place: &PathBuf| home.as_ref().is_some_and(|home| home.starts_with(place));
        let working = repo_root.as_ref().unwrap_or(cwd);
        let working = Some(working).filter(|place| !is_around(place)).cloned();
        scan::Ground { home: home.clone(), working }
    }

    /// What a scan from here must know, besides what its caller wants.
    pub(super) fn scan_options(&self, wanted: &scan::Options, known: scan::Known) -> scan::Options {
        // What has changed since an earlier scan was changed too lately to be in the index.
        let index = self.index().filter(|_| wanted.known.is_empty());
        scan::Options {
            known,
            index,
            file_limit: self.config.values.file_limit(),
            bodies: self.bodies,
            ground: self.ground(),
            ..wanted.clone()
        }
    }

    /// What earlier processes have read, unless a setting says not to use it.
    pub(super) fn index(&self) -> Option<scan::Index> {
        let folder = self.cache_dir.clone().filter(|_| self.config.values.index.value)?;
        Some(scan::Index { folder, now: SystemTime::now() })
    }

    /// Scans the roots and judges every skill.
    pub fn view(&self) -> View {
        self.view_streaming(&scan::Options::default(), None)
    }

    /// This place through another host, with nothing that only others find. Skills that are known
    /// are not read again.
    pub fn seen_through(&self, host: &'static Host, known: &View) -> (Self, View) {
        let there = Self { unseen: false, own_words: None, ..self.through(host) };
        let known = scan::Known::new(known.plain().rows.skills().cloned());
        let view = there.view_streaming(&scan::Options { known, ..scan::Options::default() }, None);
        (there, view)
    }

    /// Like [`Workspace::view`], with views of what was found so far.
    pub fn view_streaming(&self, options: &scan::Options, progress: Option<Progress>) -> View {
        self.stream(options, progress, &mut Judge::default())
    }

    fn stream(
        &self,
        options: &scan::Options,
        mut progress: Option<Progress>,
        judge: &mut Judge,
    ) -> View {
        let mut maker = RowMaker::new(self.history(), &Arc::default());
        let scanned = self.scan_for_all(options, |skills| {
            if let Some(progress) = &mut progress
                && (progress.wanted)(skills.len())
            {
                let (entries, reports) = self.judged(&self.so_far(skills), judge);
                let view = self.show(entries, reports, &mut maker);
                judge.before = Arc::clone(&view.rows);
                (progress.take)(view);
            }
        });
        let view = self.judge_whole(&scanned, &mut maker, judge);
        self.completed(scanned.end(view))
    }

    /// Scans for one host after another, and reads no file twice. `progress` is called with what
    /// the first host has found so far.
    fn scan_for_all(
        &self,
        options: &scan::Options,
        mut progress: impl FnMut(&[Arc<Skill>]),
    ) -> Scanned {
        let mut scanned = Scanned::default();
        let several = self.scanned_for().count() > 1 || self.shows_others();
        let listed = several.then(scan::Listed::default);
        let wanted = scan::Options { listed, ..options.clone() };
        std::thread::scope(|scope| {
            let mut stored = self.stored_in(scope);
            let mut read = scan::Known::fresh();
            for host_context in self.scanned_for() {
                let known = if read.is_empty() { options.known.clone() } else { read.clone() };
                let place = host_context.host.place;
                let options = scan::Options { place, ..self.scan_options(&wanted, known) };
                let is_first = scanned.found.is_empty();
                let catalog = scan::scan(&host_context.roots(&self.instead), &options, |skills| {
                    if is_first {
                        progress(skills);
                    }
                });
                drop(options);
                let mut catalog = self.with_stored(host_context, catalog, &mut stored);
                tell_apart(&mut catalog.skills, host_context, &self.instead);
                if !self.is_browsing() {
                    end_search(&mut catalog, host_context);
                }
                if self.is_every() {
                    read.add(scanned.new_in(&catalog).map(Arc::clone));
                }
                scanned.add(catalog);
            }
        });
        scanned.own = self.own_finds(&scanned.found);
        scanned.others = self.others_find(&scanned.found, &scanned.too_deep, &wanted);
        scanned
    }

    /// Like [`Workspace::view`], after an earlier view of the same roots. Unchanged skills are
    /// reused, which saves time and keeps one catalog in memory instead of two.
    pub fn view_after(&self, before: &View, options: scan::Options) -> View {
        let before = before.plain();
        let known = scan::Known::new(before.rows.skills().map(Arc::clone));
        let scanned = self.scan_for_all(&scan::Options { known, ..options }, |_| {});
        let recall = self.history();
        let unchanged = *recall.uses == *before.uses && self.judges_alike(before, &scanned);
        if unchanged {
            let mut view = View { config: Arc::clone(&self.config), ..before.clone() };
            // The other agents may find the same skills elsewhere by now.
            view.listing.reports = Arc::default();
            return self.completed(scanned.end(view));
        }
        let mut maker = RowMaker::new(recall, &before.rows);
        let view = self.judge_whole(&scanned, &mut maker, &Judge::default());
        self.completed(scanned.end(view))
    }

    /// Whether these are exactly the skills of a view and the policy is the same, so that the view
    /// need not be made again.
    fn judges_alike(&self, before: &View, scanned: &Scanned) -> bool {
        let [skills] = scanned.found.as_slice() else { return false };
        !self.is_every()
            && !self.is_browsing()
            && *before.policy == *self.host_contexts[0].policy
            && before.config.policy == self.config.policy
            // A scan makes a skill anew that it finds in several places, or through several roots,
            // though its file was not read again.
            && before.rows.skills().eq(skills.iter().chain(&scanned.others))
    }

    /// The same skills, judged by the settings as they are now. If names depend on them, or where
    /// the search ends, the folders are looked through again.
    pub fn rejudge(&self, view: &View) -> View {
        let looks_again = |host: &HostContext| depend_on_plugins(host) || ends(host);
        if self.host_contexts.iter().any(looks_again) {
            return self.view_after(view, scan::Options::default());
        }
        let view = view.plain();
        let mut maker = RowMaker::new(Recall::of_view(view), &view.rows);
        let (entries, reports) = match self.is_every() {
            true => self.all_entries_again(view),
            false => {
                let of = |elsewhere: bool| {
                    let entries = view.rows.entries();
                    let part = entries.filter(|entry| entry.is_elsewhere() == elsewhere);
                    part.map(|entry| Arc::clone(&entry.skill)).collect::<Vec<_>>()
                };
                let looks = |skill: &Skill| {
                    view.rows.at(&skill.path).map_or(Looks::Here, |row| row.entry.looks)
                };
                (self.with_others(&of(false), &of(true), &looks, &Judge::default()), Vec::new())
            }
        };
        let mut judged = self.show(entries, reports, &mut maker);
        if !self.is_every() {
            judged.listing.reports = Arc::new(self.reports_again(&view.reports));
        }
        judged.listing.roots = Arc::clone(&view.roots);
        judged.listing.cuts = Arc::clone(&view.cuts);
        judged.listing.complete = view.complete;
        self.completed(judged)
    }

    /// The view with what the agents' programs have said meanwhile.
    #[must_use]
    pub fn complete_again(&self, view: &View) -> View {
        self.completed(view.plain().clone())
    }

    /// How every host judges the skills, by its settings as they are now.
    fn reports_again(&self, reports: &[HostReport]) -> Vec<HostReport> {
        let everyone = if reports.is_empty() { Vec::new() } else { self.everyone() };
        let again = |report: &HostReport| {
            let now = everyone.iter().find(|now| now.host.id == report.host);
            let policy = now.map_or(&report.policy, |now| &now.policy);
            HostReport { policy: Arc::clone(policy), ..report.clone() }
        };
        reports.iter().map(again).collect()
    }

    /// The view of a scan that has ended. Only now all names are known that may be confused.
    fn judge_whole(&self, scanned: &Scanned, maker: &mut RowMaker, judge: &Judge) -> View {
        let (mut entries, reports) = self.judged(scanned, judge);
        findings::flag_confusable(&mut entries);
        findings::flag_refused(&mut entries, self.host, &reports);
        findings::clear_approved(&mut entries, self.state_dir.as_deref());
        self.show(entries, reports, maker)
    }

    fn judged(&self, scanned: &Scanned, judge: &Judge) -> (Vec<Entry>, Vec<HostReport>) {
        match (self.is_every(), scanned.found.as_slice()) {
            (true, found) => {
                let own = scanned.own.as_deref().unwrap_or(found);
                let (mut entries, reports) = self.all_entries(found, own);
                entries.extend(self.unseen_entries(&scanned.others));
                (entries, reports)
            }
            (false, [skills]) => {
                let own =
                    scanned.own.as_deref().map(|own| paths(own.iter().flat_map(|own| own.iter())));
                let looks = |skill: &Skill| match &own {
                    Some(own) if !own.contains(&*skill.path) => Looks::Browsed,
                    _ => Looks::Here,
                };
                (self.with_others(skills, &scanned.others, &looks, judge), Vec::new())
            }
            (false, _) => (Vec::new(), Vec::new()),
        }
    }

    /// The hosts whose roots are scanned for a view. Where other folders are browsed, one scan is
    /// that of every host.
    fn scanned_for(&self) -> impl Iterator<Item = &HostContext> {
        let count = if self.is_browsing() { 1 } else { self.host_contexts.len() };
        self.host_contexts.iter().take(count)
    }

    /// What the scan for the first host has found so far.
    fn so_far(&self, skills: &[Arc<Skill>]) -> Scanned {
        // Nobody is said to see a skill before it is known.
        let own = self.is_looking_elsewhere().then(Vec::new);
        let mut found = skills.to_vec();
        self.host_contexts.iter().take(1).for_each(|it| tell_apart(&mut found, it, &self.instead));
        Scanned { found: vec![Arc::new(found)], own, ..Scanned::default() }
    }

    /// What each host finds in its own folders, where others are browsed.
    fn own_finds(&self, found: &[Finds]) -> Option<Vec<Finds>> {
        let known: Vec<Arc<Skill>> =
            found.iter().flat_map(|finds| finds.iter()).map(Arc::clone).collect();
        let listed = scan::Listed::default();
        let own = |host_context| Arc::new(self.catalog_of(host_context, &known, &listed).skills);
        self.is_looking_elsewhere().then(|| self.host_contexts.iter().map(own).collect())
    }

    /// Whether the host need not look where the view does. Through `agents`, the person's word is
    /// enough, since that is how our own server and commands look; but nobody looks at the
    /// examples.
    fn is_looking_elsewhere(&self) -> bool {
        let is_named = self.host.id == HostId::AGENTS
            && !self.instead.iter().any(|folder| self.is_example(folder));
        self.is_browsing() && !is_named
    }

    pub(super) fn show(
        &self,
        entries: Vec<Entry>,
        reports: Vec<HostReport>,
        maker: &mut RowMaker,
    ) -> View {
        let rows = maker.rows(entries);
        let first = self.host_contexts.first().map(|first| Arc::clone(&first.policy));
        let policy = first.unwrap_or_else(|| Arc::new(self.config.policy.clone()));
        let listing = Listing {
            rows,
            uses: Arc::clone(&maker.recall.uses),
            policy,
            reports: Arc::new(reports),
            preferred: self.preferred,
            chosen: self.preferred,
            for_named: self.for_named,
            ..Listing::default()
        };
        View {
            listing,
            config: Arc::clone(&self.config),
            host: self.host,
            host_contexts: Arc::clone(&self.host_contexts),
            plain: None,
        }
    }
}

fn paths<'a>(skills: impl Iterator<Item = &'a Arc<Skill>>) -> HashSet<&'a Path> {
    skills.map(|skill| skill.path.as_path()).collect()
}

#[cfg(test)]
mod tests;
