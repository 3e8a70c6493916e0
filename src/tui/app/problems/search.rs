//! The search in the list of what is to be mended. It unfolds everything, and goes back if it was in
//! vain.

use super::{Anchor, Problems};
use crate::tui::app::groups::{self, GroupKey};
use crate::tui::app::{Find, ProblemRow, State};
use std::borrow::Cow;
use std::collections::HashSet;

/// The folds and the row as they were before a search unfolded everything.
#[derive(Debug)]
pub(super) struct Before {
    open: HashSet<GroupKey>,
    cosmetic: bool,
    row: usize,
    anchor: Option<Anchor>,
    /// The same row among the unfolded ones.
    unfolded: usize,
}

impl Problems {
    /// Unfolds everything, so that all of it is found.
    pub(super) fn find(&mut self, state: &State) {
        let (open, anchor) = (self.open.clone(), self.anchor_of(state));
        let (cosmetic, row) = (self.cosmetic, self.list.cursor);
        let before = Before { open, cosmetic, row, anchor, unfolded: 0 };
        self.cosmetic = true;
        let groups = groups::grouped(state, self.by, self.filter).into_iter();
        self.open.extend(groups.map(|(group, _)| group.key(state)));
        self.collect_and_stay_here(state);
        self.list.find = Some(Find::start());
        self.before.get_or_insert(before).unfolded = self.list.cursor;
    }

    /// Ends the search. Unless its words were taken and something was found, it was in vain: the
    /// folds and the row are as before.
    pub(super) fn end_find(&mut self, state: &State) {
        let find = self.list.find.take().filter(|find| !find.typing && !find.rows.is_empty());
        let Some(before) = self.before.take().filter(|_| find.is_none()) else { return };
        (self.open, self.cosmetic) = (before.open, before.cosmetic);
        self.list.cursor = before.row;
        self.collect_and_stay(state, before.anchor.as_ref());
    }

    pub(in crate::tui::app) fn typed(&mut self, state: &State) {
        self.look(state);
        self.list.cursor = self.before.as_ref().map_or(self.list.cursor, |before| before.unfolded);
        self.list.go_to_found();
    }

    pub(super) fn look(&mut self, state: &State) {
        let Some(find) = &mut self.list.find else { return };
        let text = |row: &ProblemRow| match (row, row.about(state)) {
            // Their findings have the same words.
            (_, None) | (ProblemRow::Group(_) | ProblemRow::Cosmetic { .. }, _) => Cow::from(""),
            (ProblemRow::Skill(..), Some(about)) => {
                Cow::from(format!("{} {}", about.kind, about.place))
            }
            (_, Some(about)) => {
                Cow::from(format!("{} {} {}", about.kind, about.place, about.words))
            }
        };
        find.look(self.rows.iter().map(text));
    }
}
