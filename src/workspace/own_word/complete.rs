//! A view, completed by what agents' programs say.

use super::Heard;
use crate::catalog::{Cut, Limit, Skill};
use crate::policy::{Entry, HostReport, effective_state};
use crate::workspace::history::Recall;
use crate::workspace::row_maker::RowMaker;
use crate::workspace::{View, Workspace};
use std::sync::Arc;

impl Workspace {
    /// The view with what the programs have said so far, at its end. If skills or settings may have
    /// changed since, without the differences: they were differences from another view.
    pub(in crate::workspace) fn completed(&self, plain: View) -> View {
        let heard = self.own_words.as_ref().filter(|words| !words.heard.is_empty());
        let Some(words) = heard.filter(|_| !self.is_browsing()) else { return plain };
        let mut entries: Vec<Entry> = plain.rows.entries().cloned().collect();
        if words.fresh {
            words.heard.iter().for_each(|heard| differ(&plain, &mut entries, heard));
        }
        let mut reports = plain.reports.to_vec();
        for heard in &words.heard {
            let is_new = |skill: &&Arc<Skill>| plain.rows.at(&skill.path).is_none();
            for skill in heard.skills.iter().filter(is_new) {
                let own = &entries[plain.rows.len()..];
                let known = own.iter().position(|entry| entry.skill.path == skill.path);
                let index = known.map_or(entries.len(), |at| plain.rows.len() + at);
                let entry = match self.is_every() {
                    true => self.known_to(heard, skill, index, &plain, &mut reports),
                    false => self.known_here(skill, &plain),
                };
                match (entry, known) {
                    (Some(entry), Some(_)) => entries[index] = entry,
                    (entry, _) => entries.extend(entry),
                }
            }
        }
        let mut maker = RowMaker::new(Recall::of_view(&plain), &plain.rows);
        let mut view = self.show(entries, reports, &mut maker);
        let cuts = words.heard.iter().filter_map(|heard| cut(heard));
        view.listing.cuts = Arc::new(plain.cuts.iter().cloned().chain(cuts).collect());
        view.listing.roots = Arc::clone(&plain.roots);
        view.listing.complete = plain.complete;
        view.plain = Some(Arc::new(plain));
        view
    }

    /// The entry of a skill that the view's host knows alone.
    fn known_here(&self, skill: &Arc<Skill>, plain: &View) -> Option<Entry> {
        let host_context = self.host_contexts.first()?;
        let (host, policy) = (host_context.host, &host_context.policy);
        let alone = Entry::alone(Arc::clone(skill), policy);
        let state = match alone.offered() {
            true => effective_state(policy, host.control.by_rule, skill, &alone.verdict),
            false => alone.state,
        };
        let hosts = Arc::new(if alone.is_listed() { vec![host.id] } else { Vec::new() });
        Some(Entry { state, hosts, same_name: of_one_name(skill, plain), ..alone })
    }

    /// The same in a view through all hosts, where it will have this index.
    fn known_to(
        &self,
        heard: &Heard,
        skill: &Arc<Skill>,
        index: usize,
        plain: &View,
        reports: &mut [HostReport],
    ) -> Option<Entry> {
        let index = u32::try_from(index).ok()?;
        let report = reports.iter_mut().find(|report| report.host == heard.host.id)?;
        Arc::make_mut(&mut report.found).push(index);
        Some(self.entry_of(skill, index, of_one_name(skill, plain), reports))
    }
}

/// How many skills have this name, with this one.
fn of_one_name(skill: &Skill, plain: &View) -> u32 {
    let others = plain.rows.named(&skill.name).filter(|entry| entry.offered()).count();
    u32::try_from(others).unwrap_or(u32::MAX).saturating_add(1)
}

/// Adds the findings about skills of the view.
fn differ(plain: &View, entries: &mut [Entry], heard: &Heard) {
    for (path, finding) in &heard.differences {
        let entry = plain.rows.index_of(path).and_then(|index| entries.get_mut(index));
        if let Some(entry) = entry {
            Arc::make_mut(&mut entry.skill).diagnostics.insert(0, finding.clone());
        }
    }
}

fn cut(heard: &Heard) -> Option<Cut> {
    let path = std::path::PathBuf::from(heard.host.name);
    let value = heard.skills.len();
    (heard.left_out > 0).then_some(Cut {
        limit: Limit::Answer,
        value,
        dropped: heard.left_out,
        path,
    })
}
