//! What of its skills an agent tells its model: a gauge in the first line, and the skills by what
//! they cost, with the line at which the agent's limit is.

use super::{Action, Chosen, Detail, Effect, ListPane, Notice, Screen, State, Timer, choose};
use crate::catalog::{HostId, Skill};
use crate::inert;
use crate::policy::budget::{Forecast, Portion};
use crate::text::{SafeText, short_number};
use ratatui::layout::{Position, Rect};
use std::path::Path;
use std::sync::Arc;

/// Milliseconds that a list is shown before its gauge is worked out. Most pickers are left sooner.
const BEFORE_GAUGE_MS: u64 = 1_500;

/// Rows above the list besides the rule: the gauge, what switching the current skill off wins back.
const HEAD: u16 = 2;

/// A list below the head has at least so many rows.
const LEAST_LIST: u16 = 4;

/// The context windows of common models, in tokens; first that of the model in the agent's
/// settings.
const WINDOWS: [Option<usize>; 5] =
    [None, Some(128_000), Some(200_000), Some(400_000), Some(1_000_000)];

/// What a forecast is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetKey {
    pub host: HostId,
    /// The context window in tokens; `None` for that of the model in the agent's settings.
    pub window: Option<usize>,
    /// The view whose skills are counted.
    pub generation: u64,
}

/// The forecast for one agent.
#[derive(Clone, Debug)]
pub struct Budget {
    /// The agent with its version.
    pub name: SafeText,
    /// Its rule in a few words.
    pub rule: &'static str,
    /// That its version is newer than the one for which the rule was proved; else empty.
    pub remark: SafeText,
    /// The skills that stay whole, then those that lose something; in each group the dearest first.
    pub rows: Vec<(Arc<Skill>, Portion)>,
    pub forecast: Forecast,
}

/// The newest forecast, and what was asked.
#[derive(Debug, Default)]
pub struct Budgets {
    /// Without a budget: it cannot be forecast for this agent.
    known: Option<(BudgetKey, Option<Arc<Budget>>)>,
    asked: Option<BudgetKey>,
    /// What is left to be seen without one skill, in words.
    without: Option<(BudgetKey, Arc<Path>, Option<SafeText>)>,
}

impl Budget {
    /// The rule in the rows that it needs.
    pub fn ruled(&self, columns: usize) -> Vec<SafeText> {
        let remark = if self.remark.is_empty() { "" } else { " · " };
        inert!("a forecast: {}{}{}", self.rule, remark, self.remark).fold(columns)
    }

    /// How many rows stay whole.
    pub fn whole(&self) -> usize {
        self.rows.len() - self.forecast.cut()
    }
}

impl State {
    /// The agent whose gauge the first line shows: that of the view; through all agents, the one
    /// whose column has the cursor, that a person picks for, or that has started this program.
    pub fn gauged(&self) -> Option<HostId> {
        match self.options.sees_all() {
            true => self.viewed.listing.preferred.or_else(|| {
                let inside = self.viewed.reports.iter().find(|report| report.inside);
                inside.map(|report| report.host)
            }),
            false => Some(HostId(self.options.host)),
        }
    }

    /// The agent of the budget screen: the gauged one, else the one for which the first line says
    /// that Enter prints, else the first program.
    fn budgeted(&self) -> Option<HostId> {
        let here = || self.viewed.reports.iter().map(|report| report.host);
        let is_here = |host: &HostId| !self.options.sees_all() || here().any(|one| one == *host);
        let first = || here().find(|host| *host != HostId::AGENTS).or(here().next());
        let printed = || self.printed_for(&self.chosen()).filter(is_here);
        self.gauged().filter(is_here).or_else(printed).or_else(first)
    }

    fn budget_key(&self, host: HostId, window: Option<usize>) -> BudgetKey {
        BudgetKey { host, window, generation: self.viewed.generation }
    }

    /// The forecast for this agent. It may be of an earlier view, until the new one has come.
    pub fn budget(&self, host: HostId) -> Option<&Budget> {
        let (key, budget) = self.budgets.known.as_ref()?;
        budget.as_deref().filter(|_| key.host == host)
    }

    /// The gauge of the first line: how much is taken, and of how much. None for another window
    /// than that of the agent's model.
    pub fn gauge(&self) -> Option<&Forecast> {
        let host = self.gauged()?;
        let (key, budget) = self.budgets.known.as_ref()?;
        let is_its = key.host == host && key.window.is_none();
        let forecast = &budget.as_ref()?.forecast;
        (is_its && forecast.limit.is_some()).then_some(forecast)
    }

    /// Asks for a forecast, unless it is known or asked for.
    fn want_budget(&mut self, host: HostId, window: Option<usize>) {
        let key = self.budget_key(host, window);
        let is_known = self.budgets.known.as_ref().is_some_and(|(known, _)| *known == key);
        if self.viewed.complete && !is_known && self.budgets.asked != Some(key) {
            self.budgets.asked = Some(key);
            self.effects.push(Effect::Budget(key, None));
        }
    }

    /// Asks what is left without a skill, unless that is known or asked for.
    fn want_without(&mut self, host: HostId, window: Option<usize>, path: &Arc<Path>) {
        let key = self.budget_key(host, window);
        let is_asked = |(asked, of, _): &(BudgetKey, Arc<Path>, _)| *asked == key && of == path;
        if !self.budgets.without.as_ref().is_some_and(is_asked) {
            self.budgets.without = Some((key, Arc::clone(path), None));
            self.effects.push(Effect::Budget(key, Some(Arc::clone(path))));
        }
    }

    /// A whole view has come: its gauge is worked out a little later.
    pub(super) fn gauge_later(&mut self) {
        if self.gauged().is_some() {
            self.effects.push(Effect::Wait(Timer::Gauge(self.viewed.generation), BEFORE_GAUGE_MS));
        }
    }

    /// Works out the gauge, unless the budget screen is open, which asks by its own window.
    pub(super) fn gauge_now(&mut self, generation: u64) {
        let is_new = generation == self.viewed.generation;
        let is_free = !self.screens.iter().any(|screen| matches!(screen, Screen::Budget(_)));
        if let Some(host) = self.gauged().filter(|_| is_new && is_free) {
            self.want_budget(host, None);
        }
    }

    pub(super) fn budgeted_as(&mut self, key: BudgetKey, budget: Option<Arc<Budget>>) {
        if self.budgets.asked == Some(key) {
            self.budgets.asked = None;
            self.budgets.known = Some((key, budget));
        }
    }

    pub(super) fn budget_without(&mut self, key: BudgetKey, path: &Path, gauge: SafeText) {
        if let Some((asked, of, words)) = &mut self.budgets.without
            && *asked == key
            && **of == *path
        {
            *words = Some(gauge);
        }
    }
}

/// The skills by what they cost.
#[derive(Debug)]
pub struct BudgetScreen {
    pub list: ListPane,
    pub host: HostId,
    /// The place in [`WINDOWS`].
    window: usize,
}

impl BudgetScreen {
    /// `None` while no agent is known. What is not known is asked for anew, since the request
    /// before may have failed.
    pub(super) fn new(state: &mut State) -> Option<Self> {
        let host = state.budgeted()?;
        state.budgets.asked = None;
        state.budgets.without.take_if(|(.., words)| words.is_none());
        Some(Self { list: ListPane::default(), host, window: 0 })
    }

    pub fn rows<'a>(&self, state: &'a State) -> &'a [(Arc<Skill>, Portion)] {
        state.budget(self.host).map_or(&[], |budget| &budget.rows)
    }

    /// The head and the list. Without much room the head is one row.
    pub fn areas(&self, state: &State) -> (Rect, Rect) {
        let whole = state.whole().left;
        let columns = usize::from(whole.width).saturating_sub(2);
        let ruled = state.budget(self.host).map_or(1, |budget| budget.ruled(columns).len());
        let wanted = HEAD.saturating_add(u16::try_from(ruled).unwrap_or(u16::MAX));
        let fits = whole.height >= wanted.saturating_add(LEAST_LIST);
        let rows = if fits { wanted } else { 1.min(whole.height) };
        let head = Rect { height: rows, ..whole };
        (head, Rect { y: whole.y + rows, height: whole.height - rows, ..whole })
    }

    fn current(&self, state: &State) -> Option<Arc<Path>> {
        let (skill, _) = self.rows(state).get(self.list.cursor)?;
        Some(Arc::from(skill.path.as_path()))
    }

    /// The context window that is counted with, in words.
    pub fn window(&self) -> SafeText {
        match WINDOWS[self.window] {
            None => SafeText::fixed("the window of its model"),
            Some(tokens) => inert!("a window of {} tokens", short_number(tokens)),
        }
    }

    /// What switching the current skill off wins back; `None` until that is known.
    pub fn without<'a>(&self, state: &'a State) -> Option<&'a SafeText> {
        let current = self.current(state)?;
        let (_, path, words) = state.budgets.without.as_ref()?;
        words.as_ref().filter(|_| *path == current)
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        if self.list.moves(action, self.areas(state).1, self.rows(state).len()) {
            return;
        }
        match action {
            Action::Back | Action::Left => {
                state.closing = true;
                // The first line goes by the agent's own window.
                state.gauge_now(state.viewed.generation);
            }
            Action::Window => self.window = (self.window + 1) % WINDOWS.len(),
            Action::Toggle | Action::Accept | Action::Right => match self.current(state) {
                None => state.say(Notice::neutral(SafeText::fixed("there is no skill here"))),
                Some(path) if action == Action::Toggle => self.toggle(path, state),
                Some(path) => state.screens.push(Screen::Detail(Detail::new(path))),
            },
            _ => {}
        }
    }

    fn toggle(&self, path: Arc<Path>, state: &mut State) {
        let host = state.options.sees_all().then_some(self.host);
        choose::toggle(state, Chosen { paths: vec![path], marked: false, host });
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        if self.list.opens(place, twice, self.areas(state).1, self.rows(state).len()) {
            self.act(Action::Accept, state);
        }
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        let window = WINDOWS[self.window];
        state.want_budget(self.host, window);
        let ruled = |budget: &Budget| (budget.forecast.cut() > 0).then(|| budget.whole());
        self.list.ruled = state.budget(self.host).and_then(ruled);
        self.list.follow(self.areas(state).1, self.rows(state).len());
        if let Some(path) = self.current(state) {
            state.want_without(self.host, window, &path);
        }
    }
}
