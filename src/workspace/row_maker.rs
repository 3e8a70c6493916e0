//! The rows of a view: entries with their folded texts, their use, and the hosts that list them.

use super::history::Recall;
use crate::catalog::{HostId, Skill};
use crate::listing::{Row, Rows, Texts};
use crate::policy::{Entry, HostReport, Verdict};
use std::collections::HashMap;
use std::sync::Arc;

/// Makes the rows of one view after another.
pub(super) struct RowMaker {
    /// Folded texts by the address of their skill, which is kept alive here. So a skill's texts are
    /// folded once, however many views it is in.
    texts: HashMap<usize, (Arc<Skill>, Arc<Texts>)>,
    pub(super) recall: Recall,
}

impl RowMaker {
    pub(super) fn new(recall: Recall) -> Self {
        Self { texts: HashMap::new(), recall }
    }

    /// Takes over the folded texts of an earlier view.
    pub(super) fn keep(&mut self, rows: &Rows) {
        let known =
            |row: &Row| (address(row.skill()), (Arc::clone(row.skill()), Arc::clone(&row.texts)));
        self.texts.extend(rows.iter().map(known));
    }

    pub(super) fn rows(
        &mut self,
        entries: Vec<Entry>,
        reports: &[HostReport],
        host: HostId,
    ) -> Rows {
        let hosts = listing_hosts(&entries, reports, host);
        let each = entries.into_iter().zip(hosts);
        Rows::new(each.map(|(entry, hosts)| self.row(entry, hosts)).collect())
    }

    fn row(&mut self, entry: Entry, hosts: Arc<[HostId]>) -> Row {
        let skill = &entry.skill;
        let (frecency, used) =
            (self.recall.weight(&skill.path), self.recall.uses.of(&skill.path).is_some());
        let fold = || (Arc::clone(skill), Arc::new(Texts::of(skill)));
        let (_, texts) = self.texts.entry(address(skill)).or_insert_with(fold);
        let texts = Arc::clone(texts);
        let mut row = Row::with_texts(entry, texts);
        (row.hosts, row.frecency, row.used) = (hosts, frecency, used);
        row
    }
}

fn address(skill: &Arc<Skill>) -> usize {
    Arc::as_ptr(skill) as usize
}

/// For each entry the hosts that list it to their model; equal lists are one.
fn listing_hosts(entries: &[Entry], reports: &[HostReport], host: HostId) -> Vec<Arc<[HostId]>> {
    if reports.is_empty() {
        let (listed, unlisted): (Arc<[HostId]>, Arc<[HostId]>) = (Arc::new([host]), Arc::new([]));
        let one = |entry: &Entry| Arc::clone(if entry.is_listed() { &listed } else { &unlisted });
        return entries.iter().map(one).collect();
    }
    let mut lists: HashMap<Vec<HostId>, Arc<[HostId]>> = HashMap::new();
    let lists_it = |report: &&HostReport, index: u32, entry: &Entry| {
        report.status(index, &entry.skill).verdict().is_some_and(Verdict::enabled)
    };
    let mut one = |(entry, index): (&Entry, u32)| {
        let listing = reports.iter().filter(|report| lists_it(report, index, entry));
        let hosts: Vec<HostId> = listing.map(|report| report.host).collect();
        Arc::clone(lists.entry(hosts).or_insert_with_key(|hosts| Arc::from(hosts.as_slice())))
    };
    entries.iter().zip(0..).map(&mut one).collect()
}
