//! Two copies of one skill, side by side as a difference.

use super::layout;
use super::{Action, DiffKind, State};
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

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let height = Self::height(state);
        let last = self.lines.len().saturating_sub(height);
        match layout::moved(action, self.scroll, height, last + 1) {
            Some(scroll) => self.scroll = scroll,
            None if matches!(action, Action::Back | Action::Left | Action::Compare) => {
                state.closing = true;
            }
            None => {}
        }
    }

    pub(super) fn follow(&mut self, state: &State) {
        self.scroll = self.scroll.min(self.lines.len().saturating_sub(Self::height(state)));
    }

    fn height(state: &State) -> usize {
        usize::from(state.whole().left.height)
    }
}
