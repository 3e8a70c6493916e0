//! A change is shown before it is written (S5).

use super::layout;
use super::screen::Step;
use super::{Action, Effect, Mouse, Plan, State};

/// A plan that waits for a word.
#[derive(Debug)]
pub struct Confirm {
    /// What would be written.
    pub plan: Plan,
    pub scroll: usize,
    /// Whether it has been on the screen long enough: until then a key was meant for something
    /// else.
    pub ready: bool,
}

impl Confirm {
    pub fn new(plan: Plan) -> Self {
        Self { plan, scroll: 0, ready: false }
    }

    /// How many lines there are to show: summary, each file with its diff, who is affected.
    pub fn lines(&self) -> usize {
        let files: usize = self.plan.files.iter().map(|file| file.diff.len() + 2).sum();
        2 + files + self.plan.effects.len()
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) -> Step {
        let page = Self::height(state).cast_signed();
        match action {
            Action::Accept if self.ready => {
                state.changing = true;
                return Step::close(vec![Effect::Save(self.plan.number)]);
            }
            Action::Back => return Step::close(Vec::new()),
            Action::Up => self.scroll_by(-1, state),
            Action::Down => self.scroll_by(1, state),
            Action::PageUp => self.scroll_by(-page, state),
            Action::PageDown => self.scroll_by(page, state),
            Action::First => self.scroll = 0,
            Action::Last => self.scroll_by(isize::MAX, state),
            _ => {}
        }
        Step::default()
    }

    pub(super) fn mouse(&mut self, mouse: Mouse, state: &mut State) -> Step {
        match mouse {
            Mouse::WheelUp(..) => self.scroll_by(-3, state),
            Mouse::WheelDown(..) => self.scroll_by(3, state),
            Mouse::Click(..) | Mouse::DoubleClick(..) => {}
        }
        Step::default()
    }

    pub(super) fn follow(&mut self, state: &State) -> Vec<Effect> {
        self.scroll_by(0, state);
        Vec::new()
    }

    fn height(state: &State) -> usize {
        usize::from(layout::whole(state.area, state.notice_rows()).left.height)
    }

    fn scroll_by(&mut self, lines: isize, state: &State) {
        let last = self.lines().saturating_sub(Self::height(state));
        self.scroll = self.scroll.saturating_add_signed(lines).min(last);
    }
}
