//! Before the first key: the rows of an inline picker, and the colours for the background.

use super::ask;
use super::device::Device;
use crate::tui::front::Height;
use crate::tui::view::Palette;
use ratatui::layout::{Rect, Size};
use std::env;
use std::io::{self, Write};

/// The area of an inline picker: below the cursor, after scrolling to make room. `None` if the
/// terminal does not say where its cursor is.
pub(super) fn inline_area(
    device: &mut Device,
    height: Height,
    size: Size,
    typed_early: &mut Vec<u8>,
) -> io::Result<Option<Rect>> {
    let height = height.rows(size.height);
    let mut tty = device.handle()?;
    typed_early.extend(device.raw()?);
    let answer = ask::cursor(&tty)?;
    typed_early.extend(answer.typed);
    let Some((row, _)) = answer.cursor else {
        device.inline(None);
        return Ok(None);
    };
    let missing = row.saturating_add(height).saturating_sub(size.height);
    write!(tty, "\r{}", "\n".repeat(usize::from(height.saturating_sub(1))))?;
    tty.flush()?;
    let area = Rect::new(0, row.saturating_sub(missing), size.width, height);
    device.inline(Some(area));
    Ok(Some(area))
}

/// Whether `NO_COLOR` is set.
pub(super) fn no_colour() -> bool {
    env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Whether the terminal promises 24 bits of colour.
pub(super) fn true_colour() -> bool {
    env::var("COLORTERM").is_ok_and(|value| matches!(value.as_str(), "truecolor" | "24bit"))
}

/// The palette of the first frame, before the terminal has answered.
pub(super) fn first_palette(theme: &str) -> Palette {
    if no_colour() { Palette::Plain } else { Palette::from_word(theme) }
}
