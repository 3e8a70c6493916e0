//! The list of rows that every screen uses: cursor, scroll position, search.

use super::layout::{moved, row_at, scroll_to};
use super::{Action, Find};
use ratatui::layout::{Position, Rect};
use std::cmp::Ordering;

/// The screen owns the rows; this is only the position in them.
#[derive(Clone, Debug, Default)]
pub struct ListPane {
    /// The current row.
    pub cursor: usize,
    /// The first line shown: of rows, and of the rule between them.
    pub top: usize,
    /// The row above which a rule is drawn.
    pub ruled: Option<usize>,
    /// The search, if one is open.
    pub find: Option<Find>,
}

impl ListPane {
    pub fn at(cursor: usize) -> Self {
        Self { cursor, ..Self::default() }
    }

    /// Applies an action to the search: the next match, the end of the search. True if the search
    /// has taken it.
    pub(super) fn searches(&mut self, action: Action) -> bool {
        let taken = Find::act(&mut self.find, action, self.cursor);
        self.cursor = taken.flatten().unwrap_or(self.cursor);
        taken.is_some()
    }

    /// Moves the cursor in `count` rows, which `area` shows. True if the action is a movement.
    pub(super) fn moves(&mut self, action: Action, area: Rect, count: usize) -> bool {
        let page = usize::from(area.height).saturating_sub(1).max(1);
        let row = moved(action, self.cursor, page, count);
        self.cursor = row.unwrap_or(self.cursor);
        row.is_some()
    }

    /// The lines that fill `height`: each the number of its row, or `None` for the rule.
    pub fn lines(&self, height: usize, count: usize) -> impl Iterator<Item = Option<usize>> {
        let ruled = self.ruled.filter(|row| *row < count).unwrap_or(usize::MAX);
        let row = move |line: usize| match line.cmp(&ruled) {
            Ordering::Less => Some(line),
            Ordering::Equal => None,
            Ordering::Greater => Some(line - 1),
        };
        (self.top..self.count_lines(count)).take(height).map(row)
    }

    fn count_lines(&self, count: usize) -> usize {
        count + usize::from(self.ruled.is_some_and(|row| row < count))
    }

    /// Moves the cursor to the clicked row. True if there is one.
    pub(super) fn clicked(&mut self, place: Position, area: Rect, count: usize) -> bool {
        let line = row_at(area, place, self.top, self.count_lines(count));
        let shown = line.map(|line| line - self.top);
        let row = shown.and_then(|line| self.lines(line + 1, count).nth(line).flatten());
        self.cursor = row.unwrap_or(self.cursor);
        row.is_some()
    }

    /// Moves the cursor to the clicked row. True if there is one and it was clicked `twice`.
    pub(super) fn opens(&mut self, place: Position, twice: bool, area: Rect, count: usize) -> bool {
        self.clicked(place, area, count) && twice
    }

    /// Goes to the first match at or after the cursor.
    pub(super) fn go_to_found(&mut self) {
        let found = self.find.as_ref().and_then(|find| find.from(self.cursor));
        self.cursor = found.unwrap_or(self.cursor);
    }

    pub(super) fn reset(&mut self) {
        (self.cursor, self.top) = (0, 0);
    }

    /// Moves the cursor to the last row if it is beyond.
    pub(super) fn clamp(&mut self, count: usize) {
        self.cursor = self.cursor.min(count.saturating_sub(1));
    }

    /// Clamps the cursor, and scrolls so that `area` shows it.
    pub(super) fn follow(&mut self, area: Rect, count: usize) {
        self.clamp(count);
        let below_rule = self.ruled.is_some_and(|row| row < count && row <= self.cursor);
        let line = self.cursor + usize::from(below_rule);
        let lines = self.count_lines(count);
        self.top = scroll_to(self.top, line, usize::from(area.height), lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect { x: 0, y: 2, width: 20, height: 5 };

    #[test]
    fn a_movement_stays_within_the_rows_and_another_action_is_not_taken() {
        let mut list = ListPane::default();
        assert!(list.moves(Action::Up, AREA, 9) && list.cursor == 0);
        assert!(list.moves(Action::PageDown, AREA, 9) && list.cursor == 4);
        assert!(list.moves(Action::Last, AREA, 9) && list.cursor == 8);
        assert!(list.moves(Action::Down, AREA, 9) && list.cursor == 8);
        assert!(!list.moves(Action::Accept, AREA, 9) && list.cursor == 8);
        list.follow(AREA, 9);
        assert_eq!(list.top, 4);
        list.follow(AREA, 0);
        assert_eq!((list.cursor, list.top), (0, 0));
    }

    #[test]
    fn a_click_counts_from_the_first_row_shown() {
        let mut list = ListPane { top: 4, ..ListPane::at(6) };
        assert!(list.clicked(Position::new(3, 3), AREA, 9) && list.cursor == 5);
        assert!(!list.clicked(Position::new(3, 1), AREA, 9), "above the list");
        assert!(!list.clicked(Position::new(3, 6), AREA, 8), "below the last row");
        assert_eq!(list.cursor, 5);
    }

    #[test]
    fn a_rule_takes_a_line_and_is_no_row() {
        let mut list = ListPane { ruled: Some(2), ..ListPane::default() };
        let lines = |list: &ListPane, count| list.lines(5, count).collect::<Vec<_>>();
        assert_eq!(lines(&list, 4), [Some(0), Some(1), None, Some(2), Some(3)]);
        assert_eq!(lines(&list, 2), [Some(0), Some(1)], "there is nothing below it");
        assert!(list.clicked(Position::new(0, 5), AREA, 4) && list.cursor == 2);
        assert!(!list.clicked(Position::new(0, 4), AREA, 4), "the rule");
        list.cursor = 8;
        list.follow(AREA, 9);
        assert_eq!(lines(&list, 9), [Some(4), Some(5), Some(6), Some(7), Some(8)]);
        list.cursor = 0;
        list.follow(AREA, 9);
        assert_eq!(list.top, 0);
        list.ruled = Some(0);
        assert_eq!(lines(&list, 1), [None, Some(0)]);
    }

    #[test]
    fn a_search_takes_next_and_back_and_leaves_the_other_actions() {
        let mut list = ListPane { find: Some(Find::start()), ..ListPane::at(1) };
        let find = list.find.as_mut().unwrap();
        find.line.set("b");
        find.look(["ab", "a", "b"].map(std::borrow::Cow::from).into_iter());
        list.go_to_found();
        assert_eq!(list.cursor, 2);
        assert!(list.searches(Action::Next) && list.cursor == 0, "around the end");
        assert!(!list.searches(Action::Edit));
        assert!(list.searches(Action::Back) && list.find.is_none());
        assert!(!list.searches(Action::Back));
    }
}
