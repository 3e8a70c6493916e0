//! What one host sees at one time: a row for each skill, found by its path. Pure data, which the
//! workspace makes and every front end reads.

mod callers;
mod copies;
mod halves;
mod namesakes;
mod row;
mod targets;
#[cfg(test)]
pub(crate) use row::tests as fixture;

use copies::Copies;

pub use callers::{Audience, CallError, CallText, Callers};
pub use halves::{both, in_halves};
pub use namesakes::Namesakes;
pub use row::{FoldedTexts, Row};

use crate::catalog::{Cut, Enablement, HostId, RootReport, RootState, Skill, Uses};
use crate::policy::{Entry, HostReport, Policy, Status, Tally};
use crate::text::SafeText;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// What one host sees. A listing never changes; a newer one takes its place. The default is that of
/// the time before anything has been scanned.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The skills, by scope, name and path once the scan is complete.
    pub rows: Arc<Rows>,
    /// How often and when last skills were loaded and run.
    pub uses: Arc<Uses>,
    /// The state of each root; empty while the scan runs.
    pub roots: Arc<Vec<RootReport>>,
    /// The limits that cut something off.
    pub cuts: Arc<Vec<Cut>>,
    /// The policy of that host; through all hosts, that of `agents`.
    pub policy: Arc<Policy>,
    /// How every host judges the skills. For a view through one host it is empty until it is
    /// needed.
    pub reports: Arc<Vec<HostReport>>,
    pub complete: bool,
    /// The agent for which a person wants calls to be written, in a view through all of them.
    pub preferred: Option<HostId>,
    /// The agent for which a call is written if the preferred agent does not let a person call the
    /// skill: that of `--for`, or of an earlier answer.
    pub chosen: Option<HostId>,
    /// Whether `--for` named it. Then a call is written for no other agent, since it goes into the
    /// prompt of that one.
    pub for_named: bool,
}

impl Listing {
    /// Why this host does not look where the skill lies although that is one of its folders, such
    /// as one in a repository that is not trusted. Known of the hosts whose folders the view has.
    pub fn closed_to(&self, host: HostId, skill: &Skill) -> Option<&'static str> {
        let of_host = self.roots.iter().filter(|report| report.root.host == host);
        of_host.into_iter().find_map(|report| match report.state {
            RootState::Closed { why, .. } => {
                skill.locations().any(|place| place.starts_with(&report.root.path)).then_some(why)
            }
            _ => None,
        })
    }
}

/// Rows in the order of a listing, found by the path of their skill.
#[derive(Debug, Default)]
pub struct Rows {
    rows: Vec<Row>,
    /// Their indexes in the order of their paths' bytes.
    by_path: Vec<u32>,
    by_name: Namesakes,
    copies: Copies,
    /// How many they are, and how much is wrong with them.
    pub tally: Tally,
    /// How many of them the view's host has, on or off.
    pub seen: usize,
    /// The columns in which four of five names fit, and all of them if they are short.
    pub name_width: usize,
}

impl Rows {
    pub fn new(mut rows: Vec<Row>) -> Self {
        let by_path = || {
            let mut by_path: Vec<u32> = (0..).take(rows.len()).collect();
            // Rows by name are almost in this order, which a stable sort makes use of.
            let path = |index: &u32| rows[*index as usize].path_bytes();
            by_path.sort_by(|one, other| path(one).cmp(path(other)));
            let mut order = by_path.clone();
            order.sort_by_key(|index| rows[*index as usize].entry.skill.scope);
            (by_path, order)
        };
        let ((by_path, order), by_name) =
            both(rows.len(), by_path, || Namesakes::of(&rows, Row::skill));
        for (place, index) in (0..).zip(order) {
            rows[index as usize].place = place;
        }
        Self::counted(rows, by_path, by_name)
    }

    /// Counts while the rows are made, so that nothing is counted by the thread that draws.
    fn counted(rows: Vec<Row>, by_path: Vec<u32>, by_name: Namesakes) -> Self {
        let mut tally = Tally::default();
        for Row { entry, .. } in rows.iter().filter(|row| !row.entry.is_elsewhere()) {
            let findings = entry.skill.diagnostics.iter();
            tally.add(!entry.offered(), findings.map(|found| entry.severity(found)));
        }
        let name_width = name_width(&rows);
        let copies = Copies::of(&rows, &by_name);
        let seen = rows.iter().filter(|row| row.entry.is_seen()).count();
        Self { rows, by_path, by_name, copies, tally, seen, name_width }
    }

    /// The same rows, with other findings of the skills at these indexes. Everything else of a
    /// skill must be as it was.
    #[must_use]
    pub fn with_skills(&self, changed: impl Iterator<Item = (usize, Arc<Skill>)>) -> Self {
        let mut rows = self.rows.clone();
        for (index, skill) in changed {
            if let Some(row) = rows.get_mut(index) {
                row.entry.skill = skill;
            }
        }
        Self::counted(rows, self.by_path.clone(), self.by_name.clone())
    }

    /// The index of the skill whose `SKILL.md` is at this canonical path.
    pub fn index_of(&self, path: &Path) -> Option<usize> {
        let path = path.as_os_str().as_encoded_bytes();
        let of = |index: &u32| self.rows[*index as usize].path_bytes();
        let place = self.by_path.binary_search_by(|index| of(index).cmp(path)).ok()?;
        self.by_path.get(place).map(|index| *index as usize)
    }

    /// Like [`Self::index_of`], as the `u32` that hits and reports hold.
    pub fn number_of(&self, path: &Path) -> Option<u32> {
        self.index_of(path).and_then(|index| u32::try_from(index).ok())
    }

    /// The rows that an agent may take for a skill of one of these names, and perhaps more.
    fn with_name(&self, names: [&str; 2]) -> Vec<usize> {
        self.by_name.candidates(names)
    }

    /// The skills with this very name, in the order of the rows.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Entry> {
        let entries = self.with_name([name, name]).into_iter().filter_map(|at| self.entry(at));
        entries.filter(move |entry| entry.skill.name == name)
    }

    /// The skills of one name that a host may choose from, this one included; empty if it is the
    /// only one, or if it is refused.
    pub fn copies_of(&self, index: usize) -> &[u32] {
        self.copies.of_row(index)
    }

    /// Whether any row has copies.
    pub fn has_copies(&self) -> bool {
        self.copies.are_some()
    }

    /// Whether chance or the path decides if the name of this skill means it or another one of the
    /// host. One that is off takes no name.
    pub fn is_contested(&self, report: &HostReport, index: u32) -> bool {
        let met = |index: u32| Some(report.as_found(index, self.get(index as usize)?.skill()));
        let Some(skill) = met(index).filter(|_| report.shares_name(index)) else { return false };
        let order = report.policy.order;
        let key = order.rival_key(skill);
        let competes = |other: u32, skill: &Arc<Skill>| match report.status(other, skill) {
            Status::Refused(_) => order.blocks_name(skill),
            status => status.state() != Enablement::Off,
        };
        let named = self.with_name([&skill.name, &order.name_of(skill)]).into_iter();
        let mut others = named.filter_map(|other| u32::try_from(other).ok());
        others.any(|other| {
            let has_name = |found: &Arc<Skill>| {
                // A skill of a project is compared in another way, which has decided already.
                let is_stored = found.stored.is_some() != skill.stored.is_some();
                is_stored || order.rival_key(found) == key
            };
            other != index
                && report.shares_name(other)
                && met(other).is_some_and(|found| has_name(found) && competes(other, found))
        })
    }

    /// The row of the skill whose `SKILL.md` is at this canonical path.
    pub fn at(&self, path: &Path) -> Option<&Row> {
        self.rows.get(self.index_of(path)?)
    }

    /// What to call the skill at `path`: its version and author if it is stored, else what `shown`
    /// makes of its path.
    pub fn called(&self, path: &Path, shown: impl FnOnce(&Path) -> SafeText) -> SafeText {
        let stored = self.at(path).and_then(|row| row.skill().stored.as_ref());
        stored.map_or_else(|| shown(path), |stored| stored.words())
    }

    /// The row of this very skill, which is mostly at this index.
    pub fn row_of(&self, skill: &Arc<Skill>, index: usize) -> Option<&Row> {
        let is_its = |row: &&Row| Arc::ptr_eq(row.skill(), skill);
        self.rows.get(index).filter(is_its).or_else(|| self.at(&skill.path).filter(is_its))
    }

    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Entry> + Clone {
        self.rows.iter().map(|row| &row.entry)
    }

    /// Without what only other hosts find: no setting of this host changes those.
    pub fn own(&self) -> impl Iterator<Item = &Entry> + Clone {
        self.entries().filter(|entry| !entry.is_elsewhere())
    }

    pub fn entry(&self, index: usize) -> Option<&Entry> {
        self.rows.get(index).map(|row| &row.entry)
    }

    pub fn skills(&self) -> impl ExactSizeIterator<Item = &Arc<Skill>> + Clone {
        self.rows.iter().map(Row::skill)
    }
}

/// Wider names than this are not told apart; no list has so much room for them.
const WIDEST_NAME: usize = 64;

/// So many columns every name may take.
const USUAL_NAME: usize = 20;

/// The columns in which four of five names fit, and all of them if they are short.
fn name_width(rows: &[Row]) -> usize {
    let mut of_width = [0_usize; WIDEST_NAME + 1];
    for row in rows {
        let name = &*row.entry.skill.full_name();
        let width = if name.is_ascii() { name.len() } else { SafeText::line(name).width() };
        of_width[width.min(WIDEST_NAME)] += 1;
    }
    let longer: usize = of_width[USUAL_NAME + 1..].iter().sum();
    let enough = if longer == 0 { rows.len() } else { (rows.len() * 4).div_ceil(5) };
    let mut fit = 0;
    let fits = |names: &usize| {
        fit += names;
        fit >= enough
    };
    of_width.iter().position(fits).unwrap_or_default()
}

impl Deref for Rows {
    type Target = [Row];

    fn deref(&self) -> &[Row] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::fixture::{row, row_of, skill};
    use super::*;
    use crate::catalog::Scope;

    #[test]
    fn short_names_fit_and_of_long_ones_four_of_five() {
        let width =
            |names: &[&str]| Rows::new(names.iter().map(|name| row(name, "")).collect()).name_width;
        assert_eq!(width(&["a", "b", "c", "d", "e", "f", "twenty-columns-wide1"]), 20);
        assert_eq!(width(&["a", "b", "c", "d4", "twenty-one-columns-wide"]), 2);
        assert_eq!(width(&["a", "b", "日本語", "twenty-one-columns-wide"]), 23);
        assert_eq!((width(&[]), width(&["x".repeat(900).as_str()])), (0, WIDEST_NAME));
    }

    #[test]
    fn a_row_is_found_by_the_path_of_its_skill_and_by_no_other() {
        let rows = Rows::new(vec![row("zip", ""), row("pdf", "")]);
        let path = rows[1].skill().path.clone();
        assert_eq!(rows.index_of(&path), Some(1));
        assert_eq!(rows.at(&path).unwrap().name(), "pdf");
        assert!(rows.at(path.parent().unwrap()).is_none());
        assert!(rows.at(Path::new("/home/me/skills/./pdf/SKILL.md")).is_none());
    }

    #[test]
    fn rows_keep_their_order_and_ties_go_by_scope_then_path() {
        let system = row_of(Skill { scope: Scope::System, ..skill("alpha", "") });
        let rows = Rows::new(vec![system, row("zip", ""), row("pdf", "")]);
        let names: Vec<&str> = rows.iter().map(Row::name).collect();
        assert_eq!(names, ["alpha", "zip", "pdf"]);
        let mut sorted: Vec<&Row> = rows.iter().collect();
        sorted.sort_by(|one, other| one.by_place(other));
        let names: Vec<&str> = sorted.into_iter().map(Row::name).collect();
        assert_eq!(names, ["pdf", "zip", "alpha"]);
    }
}
