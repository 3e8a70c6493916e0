//! Draws the state: one file for each screen. Nothing here changes the state, reads a file or a
//! clock.

mod activity;
mod aside;
mod begin;
mod budget;
mod changes;
mod compare;
mod compose;
mod confirm;
mod copies;
mod copy;
mod detail;
mod help;
mod hosts;
mod list;
mod paint;
mod palette;
mod prefer;
mod preview;
mod problems;
mod project;
mod prompt;
mod rules;
mod seen;
mod status;
#[cfg(test)]
mod tests;
mod theme;
mod used;

pub use palette::{Palette, Part};
pub use theme::{Meaning, Theme};

use super::app::{Screen, State};
use paint::Painter;
use ratatui::Frame;
use ratatui::layout::Position;

/// Draws the topmost screen, and sets the terminal's cursor where text is typed.
pub fn draw(state: &State, theme: Theme, frame: &mut Frame) {
    let mut painter = Painter { cells: frame.buffer_mut(), theme, ascii: state.options.ascii };
    let cursor = screen(state, &mut painter);
    if let Some(cursor) = cursor.filter(|cursor| state.area.contains(*cursor)) {
        frame.set_cursor_position(cursor);
    }
}

fn screen(state: &State, painter: &mut Painter) -> Option<Position> {
    let below = state.screens.iter().rev().find(|screen| !matches!(screen, Screen::Copy(_)));
    let mut cursor = match below {
        None => picker(state, painter),
        Some(Screen::Detail(detail)) => detail::draw(state, detail, painter),
        Some(Screen::Problems(problems)) => problems::draw(state, problems, painter),
        Some(Screen::Rules(rules)) => rules::draw(state, rules, painter),
        Some(Screen::Help(help)) => help::draw(state, help, painter),
        Some(Screen::Confirm(confirm)) => confirm::draw(state, confirm, painter),
        Some(Screen::Hosts(menu)) => hosts::draw(state, menu, painter),
        Some(Screen::Seen(seen)) => seen::draw(state, seen, painter),
        Some(Screen::Compare(compare)) => compare::draw(state, compare, painter),
        Some(Screen::Activity(screen)) => activity::draw(state, screen, painter),
        Some(Screen::Changes(screen)) => changes::draw(state, screen, painter),
        Some(Screen::Prefer(screen)) => prefer::draw(state, screen, painter),
        Some(Screen::Begin(screen)) => begin::draw(state, screen, painter),
        Some(Screen::Compose(screen)) => compose::draw(state, screen, painter),
        Some(Screen::Copies(screen)) => copies::draw(state, screen, painter),
        Some(Screen::Budget(screen)) => budget::draw(state, screen, painter),
        Some(Screen::Project(screen)) => project::draw(state, screen, painter),
        Some(Screen::Copy(_)) => None,
    };
    if let Some(Screen::Copy(menu)) = state.screens.last() {
        copy::draw(state, menu, painter);
        cursor = None;
    }
    status::draw(state, painter);
    cursor
}

fn picker(state: &State, painter: &mut Painter) -> Option<Position> {
    let panes = state.panes();
    let cursor = prompt::draw(state, panes.prompt, painter);
    if let Some(rule) = panes.rule {
        painter.line(rule);
    }
    for divider in panes.dividers.into_iter().flatten() {
        painter.line(divider);
        if let (Some(rule), 1) = (panes.rule, divider.width) {
            painter.joint(divider.x, rule.y);
        }
    }
    list::draw(state, &panes, painter);
    if let Some(area) = panes.facts {
        preview::facts(state, area, painter);
    }
    if let Some(area) = panes.preview {
        preview::draw(state, area, painter);
    }
    if let Some(area) = panes.aside {
        aside::draw(state, area, painter);
    }
    cursor
}
