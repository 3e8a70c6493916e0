//! The cells on which the picker draws.

use super::keys::Keys;
use super::pause::Pause;
use super::picker_loop::Loop;
use super::start::inline_area;
use crate::tui::app::Msg;
use crossterm::{cursor, queue};
use ratatui::layout::{Rect, Size};
use std::io;

impl Loop {
    /// Reads the terminal's size, which may have changed before signals were handled.
    pub(super) fn resize(&mut self) -> io::Result<()> {
        let size = self.device.size();
        if size.width != self.state.area.width { self.resized() } else { self.resize_here(size) }
    }

    /// The terminal has another size. Below a prompt, many terminals move the last frame: they wrap
    /// its rows anew when they become narrower, and scroll when they become lower or higher.
    pub(super) fn resized(&mut self) -> io::Result<()> {
        if self.height.is_some() && self.is_cursor_on_top() {
            self.pause = Some(Pause::Size);
            return Ok(());
        }
        self.resize_here(self.device.size())
    }

    /// Whether the terminal's cursor is in the first row of a frame: it is in the query, or hidden.
    fn is_cursor_on_top(&self) -> bool {
        self.state.screens.is_empty() || !self.state.context().table.takes_text()
    }

    /// Puts a hidden cursor into the first row, by which a frame that was moved is found again.
    pub(super) fn park(&mut self) -> io::Result<()> {
        let Rect { x, y, .. } = self.state.area;
        if self.height.is_some() && !self.state.context().table.takes_text() {
            queue!(self.screen.backend_mut(), cursor::MoveTo(x, y))?;
        }
        Ok(())
    }

    /// Asks the terminal where the frame is now, and draws from there.
    pub(super) fn find_again(&mut self, keys: &mut Keys) -> io::Result<()> {
        let Some(height) = self.height else { return self.resize() };
        keys.pause()?;
        let (size, mut early) = (self.device.size(), Vec::new());
        let area = inline_area(&mut self.device, height, size, &mut early)?;
        keys.go_on(&early)?;
        match area {
            Some(area) => self.move_to(area),
            None => self.resize_here(size),
        }
    }

    /// Stays at its row, as far as there is room.
    fn resize_here(&mut self, size: Size) -> io::Result<()> {
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
