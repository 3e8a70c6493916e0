//! Two copies of one skill, side by side as a difference.

use super::layout;
use super::screen::Step;
use super::{Action, DiffKind, Effect, State};
use crate::text::SafeText;

/// The screen of a difference.
#[derive(Debug)]
pub struct Compare {
    pub title: SafeText,
    pub lines: Vec<(DiffKind, SafeText)>,
    pub scroll: usize,
}

impl Compare {
    pub fn new(title: SafeText, lines: Vec<(DiffKind, SafeText)>) -> Self {
        Self { title, lines, scroll: 0 }
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) -> Step {
        let height = Self::height(state);
        let last = self.lines.len().saturating_sub(height);
        match layout::moved(action, self.scroll, height, last + 1) {
            Some(scroll) => self.scroll = scroll,
            None if matches!(action, Action::Back | Action::Left | Action::Compare) => {
                return Step::close(Vec::new());
            }
            None => {}
        }
        Step::default()
    }

    pub(super) fn follow(&mut self, state: &State) -> Vec<Effect> {
        self.scroll = self.scroll.min(self.lines.len().saturating_sub(Self::height(state)));
        Vec::new()
    }

    fn height(state: &State) -> usize {
        usize::from(state.whole().left.height)
    }
}
