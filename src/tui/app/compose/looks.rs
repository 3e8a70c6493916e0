//! The areas of the compose screen, and what is said of its prompt.

use super::Compose;
use crate::text::{SafeText, estimated_tokens};
use crate::tui::app::layout::{PairLayout, below};
use crate::tui::app::{Action, KeyTable, Screen, State};
use ratatui::layout::Rect;
use std::collections::HashSet;
use std::path::Path;

/// The most rows of the completion.
const MOST_OFFERED: u16 = 8;

impl Compose {
    /// The tokens of text and chosen skills, as estimated, and how many skills these are.
    pub fn tokens(&self, state: &State) -> (u64, usize) {
        let mut chosen: HashSet<&Path> = HashSet::new();
        let skills: u64 = self
            .editor
            .pills()
            .filter(|pill| chosen.insert(&pill.path))
            .filter_map(|pill| state.entry(&pill.path))
            .map(|entry| entry.skill.bytes)
            .sum();
        (estimated_tokens(self.editor.bytes() as u64 + skills), chosen.len())
    }

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
        let height = count.min(MOST_OFFERED).min((left.height / 2).max(1)).min(left.height);
        below(left, left.height - height)
    }
}

impl State {
    /// The compose screen, even if another screen is above it.
    pub fn compose(&self) -> Option<&Compose> {
        self.screens.iter().find_map(|screen| match screen {
            Screen::Compose(compose) => Some(&**compose),
            _ => None,
        })
    }

    /// Whether a key that acts on rows must wait for a ranking.
    pub fn awaits_ranking(&self) -> bool {
        match self.screens.last() {
            None => self.picker.awaits_ranking(),
            Some(Screen::Compose(compose)) => compose.awaits_completion(),
            Some(_) => false,
        }
    }

    /// The key of sending, for sentences.
    pub fn key_of_compose(&self, action: Action) -> SafeText {
        self.key_word(KeyTable::Compose, action)
    }
}
