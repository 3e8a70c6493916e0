//! The cells on which the picker draws.

use super::picker_loop::Loop;
use crate::tui::app::Msg;
use ratatui::layout::{Rect, Size};
use std::io;

impl Loop {
    /// Reads the terminal's size, which may have changed.
    pub(super) fn resize(&mut self) -> io::Result<()> {
        let size = self.device.size();
        let area = self.height.map(|height| {
            let height = height.rows(size.height);
            let top = self.state.area.y.min(size.height.saturating_sub(height));
            Rect::new(0, top, size.width, height)
        });
        match self.whole_or(area, size) {
            area if area == self.state.area => Ok(()),
            area => self.move_to(area),
        }
    }

    /// Keeps an inline area; without one the whole screen is used from now on.
    pub(super) fn whole_or(&mut self, area: Option<Rect>, size: Size) -> Rect {
        self.height = self.height.filter(|_| area.is_some());
        area.unwrap_or(Rect::new(0, 0, size.width, size.height))
    }

    /// Draws on these cells from now on and clears them, without asking the terminal anything.
    pub(super) fn move_to(&mut self, area: Rect) -> io::Result<()> {
        if self.height.is_some() {
            self.device.inline(Some(area));
        }
        self.wiped = true;
        self.state.area = area;
        self.update(Msg::Resize(area.width, area.height))
    }
}
