//! The areas of the compose screen.

use super::Compose;
use crate::tui::app::State;
use crate::tui::app::layout::{PairLayout, below};
use ratatui::layout::Rect;

/// The most rows of the completion.
const MAX_OFFERED: u16 = 8;

impl Compose {
    /// The cells of the text.
    pub fn text_area(&self, state: &State) -> Rect {
        let PairLayout { left, .. } = state.whole();
        let taken = self.list_area(state).height;
        let height = left.height - (taken + u16::from(taken > 0)).min(left.height);
        let margin = 1.min(left.width / 2);
        Rect { x: left.x + margin, width: left.width - 2 * margin, height, ..left }
    }

    /// The cells of the completion, below a line; empty if there is none.
    pub fn list_area(&self, state: &State) -> Rect {
        let PairLayout { left, .. } = state.whole();
        let Some(completion) = self.completion.as_ref().filter(|it| !it.rows.is_empty()) else {
            return Rect { height: 0, ..left };
        };
        let count = u16::try_from(completion.rows.len()).unwrap_or(u16::MAX);
        let height = count.min(MAX_OFFERED).min((left.height / 2).max(1)).min(left.height);
        below(left, left.height - height)
    }
}
