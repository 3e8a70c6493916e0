//! The confirmation of a change: its diff is shown before it is written.

use super::{Action, Chosen, Effect, Mouse, Plan, State};
use crate::policy::Entry;
use crate::text::{SafeText, diff};
use std::collections::HashSet;
use std::path::Path;

#[derive(Debug)]
pub struct Confirm {
    /// Counts the questions, so that an old timer does not make a new one ready.
    pub(super) number: u64,
    pub plan: Box<Plan>,
    /// One for each file of the plan.
    pub diffs: Vec<Vec<diff::Line>>,
    chosen: Chosen,
    /// Name and folder of each affected skill that the list below does not show: it was marked,
    /// then hidden by a filter.
    pub hidden: Vec<(SafeText, SafeText)>,
    pub scroll: usize,
    /// Whether keys count. At first they do not, since they were typed before the screen opened.
    pub ready: bool,
}

impl Confirm {
    pub(super) fn new(plan: Box<Plan>, chosen: Chosen, state: &State) -> Self {
        let paths = state.hidden(&chosen);
        let paths: HashSet<&Path> = paths.iter().map(|path| &**path).collect();
        let named =
            |entry: &Entry| (SafeText::line(&entry.skill.name), SafeText::path(entry.skill.dir()));
        let entries = state.viewed.rows.entries();
        let hidden = entries.filter(|entry| paths.contains(entry.skill.path.as_path()));
        Self {
            number: state.questions,
            hidden: hidden.map(named).collect(),
            diffs: plan.files.iter().map(|file| file.change.diff()).collect(),
            plan,
            chosen,
            scroll: 0,
            ready: false,
        }
    }

    /// The number of lines: summary, hidden skills, each file with its diff, effects.
    pub fn lines(&self) -> usize {
        let files: usize = self.diffs.iter().map(|diff| diff.len() + 2).sum();
        let hidden = if self.hidden.is_empty() { 0 } else { self.hidden.len() + 2 };
        2 + self.plan.outcome.len() + hidden + files + self.plan.effects.len()
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let page = Self::height(state).cast_signed();
        match action {
            Action::Accept if self.ready => {
                (state.changing, state.acting) = (true, std::mem::take(&mut self.chosen));
                state.effects.push(Effect::Save(std::mem::take(&mut self.plan)));
                state.closing = true;
            }
            Action::Back => state.closing = true,
            Action::Up => self.scroll_by(-1, state),
            Action::Down => self.scroll_by(1, state),
            Action::PageUp => self.scroll_by(-page, state),
            Action::PageDown => self.scroll_by(page, state),
            Action::First => self.scroll = 0,
            Action::Last => self.scroll_by(isize::MAX, state),
            _ => {}
        }
    }

    pub(super) fn mouse(&mut self, mouse: Mouse, state: &mut State) {
        match mouse {
            Mouse::WheelUp(_) => self.scroll_by(-3, state),
            Mouse::WheelDown(_) => self.scroll_by(3, state),
            Mouse::Click(_) | Mouse::DoubleClick(_) => {}
        }
    }

    pub(super) fn follow(&mut self, state: &State) {
        self.scroll_by(0, state);
    }

    fn height(state: &State) -> usize {
        usize::from(state.whole().left.height)
    }

    fn scroll_by(&mut self, lines: isize, state: &State) {
        let last = self.lines().saturating_sub(Self::height(state).max(1));
        self.scroll = self.scroll.saturating_add_signed(lines).min(last);
    }
}
