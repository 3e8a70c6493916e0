//! The rows of a view: entries with their folded texts, their use, and the hosts that list them.

use super::history::Recall;
use crate::catalog::HostId;
use crate::listing::{Row, Rows};
use crate::policy::{Entry, HostReport, Verdict};
use std::collections::HashMap;
use std::sync::Arc;

/// Makes the rows of one view after another.
pub(super) struct RowMaker {
    /// The rows before, whose folded texts are taken over. So a skill's texts are folded once,
    /// however many views it is in.
    before: Arc<Rows>,
    pub(super) recall: Recall,
}

impl RowMaker {
    pub(super) fn new(recall: Recall, before: &Arc<Rows>) -> Self {
        Self { before: Arc::clone(before), recall }
    }

    pub(super) fn rows(
        &mut self,
        entries: Vec<Entry>,
        reports: &[HostReport],
        host: HostId,
    ) -> Arc<Rows> {
        let hosts = listing_hosts(&entries, reports, host);
        let each = entries.into_iter().zip(hosts).enumerate();
        let rows = each.map(|(index, (entry, hosts))| self.row(index, entry, hosts));
        let rows = Rows::new(rows.collect());
        self.before = Arc::new(rows);
        Arc::clone(&self.before)
    }

    fn row(&self, index: usize, entry: Entry, hosts: Arc<[HostId]>) -> Row {
        let skill = &entry.skill;
        let (frecency, used) =
            (self.recall.weight(&skill.path), self.recall.uses.of(&skill.path).is_some());
        let mut row = match self.before.row_of(skill, index) {
            Some(before) => Row::after(before, entry),
            None => Row::new(entry),
        };
        (row.hosts, row.frecency, row.used) = (hosts, frecency, used);
        row
    }
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
