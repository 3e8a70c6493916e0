//! Mouse events as the model takes them.

use super::picker_loop::Loop;
use crate::tui::app::Mouse;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;
use std::time::{Duration, Instant};

/// The longest time between the clicks of a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

impl Loop {
    pub(super) fn mouse(&mut self, event: MouseEvent) -> Option<Mouse> {
        let place = Position::new(event.column, event.row);
        match event.kind {
            MouseEventKind::ScrollUp => Some(Mouse::WheelUp(place)),
            MouseEventKind::Drag(MouseButton::Left) => Some(Mouse::Drag(place)),
            MouseEventKind::ScrollDown => Some(Mouse::WheelDown(place)),
            MouseEventKind::Down(MouseButton::Left) => {
                let now = Instant::now();
                let double = self
                    .last_click
                    .is_some_and(|(at, old)| old == place && now.duration_since(at) < DOUBLE_CLICK);
                self.last_click = (!double).then_some((now, place));
                Some(if double { Mouse::DoubleClick(place) } else { Mouse::Click(place) })
            }
            _ => None,
        }
    }
}
