//! Two copies of one skill, side by side as a difference.

use super::layout;
use super::{Action, DiffKind, State};
use crate::text::{SafeText, diff};

/// The screen of a difference.
#[derive(Debug)]
pub struct Compare {
    pub title: SafeText,
    lines: Vec<(DiffKind, SafeText)>,
    /// The lines, folded to so many columns.
    pub rows: Vec<(DiffKind, SafeText)>,
    columns: usize,
    pub scroll: usize,
}

impl Compare {
    pub fn new(title: SafeText, lines: Vec<(DiffKind, SafeText)>) -> Self {
        Self { title, lines, rows: Vec::new(), columns: 0, scroll: 0 }
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let height = state.body_height();
        let last = self.rows.len().saturating_sub(height);
        match layout::moved(action, self.scroll, height, last + 1) {
            Some(scroll) => self.scroll = scroll,
            None if matches!(action, Action::Back | Action::Left | Action::Compare) => {
                state.closing = true;
            }
            None => {}
        }
    }

    pub(super) fn follow(&mut self, state: &State) {
        // A column before the text, and one for the scroll bar.
        let columns = usize::from(state.whole().left.width).saturating_sub(2);
        if std::mem::replace(&mut self.columns, columns) != columns {
            let folded = |(kind, text): &(DiffKind, SafeText)| {
                let kind = *kind;
                diff::rows(text, columns).into_iter().map(move |text| (kind, text))
            };
            self.rows = self.lines.iter().flat_map(folded).collect();
        }
        self.scroll = self.scroll.min(self.rows.len().saturating_sub(state.body_height()));
    }
}
