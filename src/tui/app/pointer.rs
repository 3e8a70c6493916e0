//! The mouse.

use super::choose::pick;
use super::update::{act, preview_height_of, with_top};
use super::{Effect, Mouse, State, hints};

pub(super) fn on_mouse(state: &mut State, mouse: Mouse) -> Vec<Effect> {
    if let Mouse::Click(column, row) | Mouse::DoubleClick(column, row) = mouse
        && let Some(action) = hints::action_at(state, column, row)
    {
        return act(state, action);
    }
    if !state.screens.is_empty() {
        return with_top(state, |screen, state| screen.mouse(mouse, state));
    }
    let panes = state.picker.layout(state.area, state.notice_rows());
    match mouse {
        Mouse::WheelUp(column, row) | Mouse::WheelDown(column, row) => {
            let rows = if matches!(mouse, Mouse::WheelUp(..)) { -1 } else { 1 };
            if panes.preview.is_some_and(|preview| preview.contains((column, row).into())) {
                state.picker.preview.scroll_by(rows * 3, preview_height_of(&panes));
            } else {
                state.picker.move_by(rows);
            }
        }
        Mouse::Click(column, row) | Mouse::DoubleClick(column, row) => {
            let count = state.picker.hits().len();
            let on_row = state.picker.list.clicked((column, row), panes.list, count);
            if on_row && matches!(mouse, Mouse::DoubleClick(..)) {
                return pick(state);
            }
        }
    }
    Vec::new()
}
