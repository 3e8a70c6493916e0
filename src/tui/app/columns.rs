//! The columns of the list: which agents have one, and how wide each part of a row is.

use super::{Action, KeyTable, State};
use crate::catalog::{Enablement, HostId};
use crate::inert;
use crate::policy::{HostReport, Status};
use crate::text::SafeText;
use std::path::Path;
use std::sync::Arc;

/// Columns before the name: cursor, mark, flag and a gap. Without columns of agents, also the sign
/// of the skill's state.
const BEFORE_NAME: usize = 4;

/// From this width on the list has a description in every row, of at least [`SENTENCE`] columns.
const WITH_SENTENCES: usize = 60;
const SENTENCE: usize = 30;

/// A narrower description says nothing.
const LEAST_DESCRIPTION: usize = 8;

/// Names have at least so many columns.
const LEAST_NAME: usize = 8;

/// The name of an agent is cut to so many columns.
const WIDEST_AGENT: usize = 8;

/// Columns of how often and when a skill was used.
pub const USED: usize = 8;

/// Columns of `+12`, for agents that have no column, with a gap.
const MORE: usize = 4;

/// The parts of a row in the list, in columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    pub before_name: usize,
    pub name: usize,
    /// 0: there is no room for one.
    pub description: usize,
    /// 0 or [`USED`].
    pub used: usize,
    pub agents: Vec<AgentColumn>,
    /// The agents for which there is no room.
    pub more: usize,
}

/// The column of one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentColumn {
    /// The index of its report.
    pub report: usize,
    /// The first column, from the left edge of the list.
    pub start: usize,
    pub width: usize,
}

impl Columns {
    pub fn of(state: &State, width: usize) -> Self {
        let with_agents = Self::with_agents(state, width);
        with_agents.unwrap_or_else(|| Self::with_signs(state, width))
    }

    /// `None` if there is no room for the column of any agent, or no agent has one.
    fn with_agents(state: &State, width: usize) -> Option<Self> {
        if width < WITH_SENTENCES || state.agents().is_empty() {
            return None;
        }
        // The last name does not touch what stands beside the list.
        let width = width - 1;
        let mut columns = Self { before_name: BEFORE_NAME, ..Self::default() };
        let room = width.saturating_sub(BEFORE_NAME);
        columns.name = state.viewed.rows.name_width.clamp(LEAST_NAME, room / 3);
        columns.add_agents(state, room.saturating_sub(columns.name + 1 + SENTENCE));
        let taken = columns.agents.iter().map(|agent| agent.width + 1).sum::<usize>()
            + if columns.more > 0 { MORE } else { 0 };
        let mut start = width.saturating_sub(taken);
        for agent in &mut columns.agents {
            agent.start = start + 1;
            start += agent.width + 1;
        }
        columns.divide(state, room.saturating_sub(columns.name + 1 + taken));
        (!columns.agents.is_empty()).then_some(columns)
    }

    /// Each row has the sign of its state in place of columns.
    fn with_signs(state: &State, width: usize) -> Self {
        let before_name = BEFORE_NAME + 1;
        let room = width.saturating_sub(before_name);
        let share = if width < WITH_SENTENCES { room / 2 } else { room / 3 };
        let name = state.viewed.rows.name_width.clamp(LEAST_NAME, share.max(LEAST_NAME));
        let mut columns = Self { before_name, name, ..Self::default() };
        columns.divide(state, room.saturating_sub(name + 1));
        if columns.description < LEAST_DESCRIPTION {
            (columns.name, columns.description) = (room, 0);
        }
        columns
    }

    /// Divides what is left between the description and the uses.
    fn divide(&mut self, state: &State, room: usize) {
        let with_used = state.has_uses && room > SENTENCE + USED;
        self.used = if with_used { USED } else { 0 };
        self.description = room - if with_used { USED + 1 } else { 0 };
    }

    /// Gives columns to as many agents as fit, those first that differ from the others.
    fn add_agents(&mut self, state: &State, spare: usize) {
        let reports = state.agents();
        let width = |index: &usize| reports[*index].host.word().len().min(WIDEST_AGENT);
        let order = in_order_of_interest(reports, state.picker.column);
        let all: usize = order.iter().map(|index| width(index) + 1).sum();
        let spare = if all > spare { spare.saturating_sub(MORE) } else { spare };
        let mut taken = 0;
        let mut fitting: Vec<usize> = Vec::new();
        for index in order {
            if taken + width(&index) < spare {
                taken += width(&index) + 1;
                fitting.push(index);
            }
        }
        self.more = reports.len() - fitting.len();
        fitting.sort_unstable();
        let column = |report: usize| AgentColumn { report, start: 0, width: width(&report) };
        self.agents = fitting.into_iter().map(column).collect();
    }

    /// The agent in whose column this one is, from the left edge of the list.
    pub fn agent_at(&self, column: usize) -> Option<usize> {
        let has = |agent: &&AgentColumn| (agent.start..agent.start + agent.width).contains(&column);
        self.agents.iter().find(has).map(|agent| agent.report)
    }
}

/// The agent with the cursor, then programs that find other skills than the ones before them, then
/// the others.
fn in_order_of_interest(reports: &[HostReport], chosen: Option<HostId>) -> Vec<usize> {
    let finds = |report: &HostReport| (report.found.len(), report.shadowed.len());
    let is_like_another = |index: usize| {
        reports[..index].iter().any(|earlier| finds(earlier) == finds(&reports[index]))
    };
    let mut order: Vec<usize> = (0..reports.len()).collect();
    order.sort_by_key(|index| {
        let host = reports[*index].host;
        (Some(host) != chosen, host == HostId::AGENTS, is_like_another(*index))
    });
    order
}

impl State {
    /// The agents that may have a column: those of a view through several.
    pub fn agents(&self) -> &[HostReport] {
        let reports = &self.viewed.reports;
        if self.options.sees_all() && reports.len() > 1 { reports } else { &[] }
    }

    /// The report of the agent whose column has the cursor.
    pub fn column(&self) -> Option<&HostReport> {
        let chosen = self.picker.column?;
        self.agents().iter().find(|report| report.host == chosen)
    }

    /// What an agent makes of a skill; `None` while that is not known.
    pub fn status(&self, host: HostId, path: &Path) -> Option<Status> {
        let report = self.viewed.reports.iter().find(|report| report.host == host)?;
        let index = self.viewed.rows.index_of(path)?;
        let skill = self.viewed.rows.get(index)?.skill();
        Some(report.status(u32::try_from(index).ok()?, skill))
    }

    /// The skill that an agent uses of those for which a row stands: one that is on, else one that
    /// is off, and of several the row's own. A row that no agent here sees stands for itself.
    pub fn copy_for(&self, report: &HostReport, row: usize) -> Option<u32> {
        let shown = &self.picker.shown;
        let own = shown.hits.get(row)?.index;
        let copies = self.picker.copies_at(row);
        // The reports are of the newest rows, which may not be ranked yet.
        let is_older = !Arc::ptr_eq(&shown.rows, &self.viewed.rows);
        if copies.is_empty() || row >= shown.seen || is_older {
            return Some(own);
        }
        let worth = |index: &&u32| {
            let status = report.status(**index, shown.rows.get(**index as usize)?.skill());
            status.verdict().map(|_| status.state() != Enablement::Off)
        };
        // Of equal ones the last is taken.
        copies.iter().rev().chain([&own]).max_by_key(worth).copied()
    }

    /// The other agents for which a skill of this one's name is picked from their columns, and the
    /// key that goes there: ` · claude has it on (Alt-→)`.
    pub fn on_in_columns(&self, path: &Path) -> Option<SafeText> {
        let rows = &self.viewed.rows;
        let copies = rows.copies_of(rows.index_of(path)?);
        let calls = |report: &HostReport| {
            let is_called = |copy: &&u32| {
                rows.get(**copy as usize).is_some_and(|row| report.lets_call(**copy, row.skill()))
            };
            copies.iter().filter(is_called).count() == 1
        };
        let is_here = |report: &HostReport| Some(report.host) == self.picker.column;
        let here = self.agents().iter().position(is_here);
        let others = self.agents().iter().enumerate();
        let others: Vec<_> =
            others.filter(|(_, report)| !is_here(report) && calls(report)).collect();
        let is_right = others.last().map(|(place, _)| Some(*place) > here)?;
        let action = if is_right { Action::ColumnRight } else { Action::ColumnLeft };
        let names = SafeText::join(others.iter().map(|(_, report)| report.host.word()), ", ");
        let has = if others.len() == 1 { "has" } else { "have" };
        let key = self.key_word(KeyTable::Picker, action);
        Some(inert!(" · {} {} it on ({})", names, has, key))
    }

    /// Moves the cursor by one column to the left or right; an agent for whose column there is no
    /// room is passed over. Left of the first one it is on the row as a whole. `false` if there is
    /// no room for any column.
    pub(super) fn move_column(&mut self, to_right: bool) -> bool {
        let hosts: Vec<HostId> = self.agents().iter().map(|report| report.host).collect();
        let before = self.picker.column;
        let now = hosts.iter().position(|host| Some(*host) == before);
        let next: Vec<Option<HostId>> = match (to_right, now) {
            (true, now) => {
                hosts.iter().skip(now.map_or(0, |now| now + 1)).copied().map(Some).collect()
            }
            (false, now) => {
                let left = hosts.iter().take(now.unwrap_or(0)).rev().copied().map(Some);
                left.chain([None]).collect()
            }
        };
        // The one with the cursor is the first to get a column.
        let is_drawn = |host: &Option<HostId>| {
            self.picker.column = *host;
            self.draws_column()
        };
        let next = next.into_iter().find(is_drawn);
        self.picker.column = next.unwrap_or(before);
        self.prefer_column();
        self.gauge_later();
        next.is_some() || before.is_some()
    }

    /// Whether the cursor is on the row as a whole, or in a column that is drawn.
    fn draws_column(&self) -> bool {
        let Some(chosen) = self.picker.column else { return true };
        let columns = Columns::of(self, self.panes().list.width.into());
        columns.agents.iter().any(|it| self.agents()[it.report].host == chosen)
    }

    /// Takes the cursor out of a column for which there is no room any more: a key that is about
    /// one agent is only for one that is seen.
    pub(super) fn leave_hidden_column(&mut self) {
        if self.column().is_some() && !self.draws_column() {
            self.picker.column = None;
            self.prefer_column();
            self.gauge_later();
        }
    }

    /// The name of a column was clicked: the cursor goes there, or leaves it.
    pub(super) fn click_column(&mut self, column: u16, width: u16) {
        let clicked = Columns::of(self, width.into()).agent_at(column.into());
        let clicked = clicked.map(|report| self.agents()[report].host);
        self.picker.column = clicked.filter(|host| self.picker.column != Some(*host));
        self.prefer_column();
        self.gauge_later();
    }

    /// Calls are written for the agent whose column has the cursor, else for that of `--for` or the one
    /// that was chosen here before.
    pub(super) fn prefer_column(&mut self) {
        let column = self.column().map(|report| report.host);
        let chosen = self.options.preferred;
        (self.viewed.listing.preferred, self.viewed.listing.chosen) = (column.or(chosen), chosen);
    }
}
