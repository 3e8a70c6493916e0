//! The terminal device: entered, drawn on, and left exactly as it was found (L1), whatever ends the program.

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, KeyboardEnhancementFlags,
    PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue, style};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{TerminalOptions, Viewport};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::sync::Mutex;

/// What must be undone when the terminal is left.
struct Entered {
    tty: File,
    before: Termios,
    /// The rows of an inline picker; none means the alternate screen.
    inline: Option<Rect>,
}

/// The terminal that has been entered, if one is. The panic hook and every way out read it.
static ENTERED: Mutex<Option<Entered>> = Mutex::new(None);

/// The screen that is drawn on.
pub(super) type Screen = Terminal<CrosstermBackend<BufWriter<File>>>;

/// The terminal device.
pub(super) struct Device {
    tty: File,
    before: Termios,
    inline: Option<Rect>,
    mouse: bool,
}

impl Device {
    /// Opens the controlling terminal, whatever stdin and stdout are. Nothing is changed yet.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn open() -> io::Result<Self> {
        let tty = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
        let before = tcgetattr(&tty)?;
        Ok(Self { tty, before, inline: None, mouse: false })
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> (u16, u16) {
        tcgetwinsize(&self.tty).map_or((80, 24), |size| (size.ws_col, size.ws_row))
    }

    /// Another handle on the device.
    pub(super) fn handle(&self) -> io::Result<File> {
        self.tty.try_clone()
    }

    /// Uses these rows of the screen instead of the alternate one.
    pub(super) fn inline(&mut self, area: Rect) {
        self.inline = Some(area);
    }

    /// Takes keys as they come, without drawing yet: for questions to the terminal.
    pub(super) fn raw(&self) -> io::Result<()> {
        remember(Entered { tty: self.tty.try_clone()?, before: self.before.clone(), inline: self.inline });
        terminal::enable_raw_mode()
    }

    /// Takes keys and the screen.
    pub(super) fn enter(&mut self, mouse: bool) -> io::Result<()> {
        self.raw()?;
        self.mouse = mouse;
        if self.inline.is_none() {
            execute!(self.tty, EnterAlternateScreen)?;
        }
        let keys = PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES);
        execute!(self.tty, EnableBracketedPaste, keys)?;
        self.take_mouse(mouse)
    }

    /// Takes the mouse, or lets go of it.
    pub(super) fn take_mouse(&mut self, take: bool) -> io::Result<()> {
        self.mouse = take;
        if take { execute!(self.tty, EnableMouseCapture) } else { execute!(self.tty, DisableMouseCapture) }
    }

    /// Takes everything again, as before [`leave`].
    pub(super) fn enter_again(&mut self) -> io::Result<()> {
        self.enter(self.mouse)
    }

    /// A screen on these cells of the device. Its viewport is fixed, so that ratatui never asks the terminal anything.
    pub(super) fn screen(&self, area: Rect) -> io::Result<Screen> {
        let backend = CrosstermBackend::new(BufWriter::with_capacity(64 << 10, self.tty.try_clone()?));
        Terminal::with_options(backend, TerminalOptions { viewport: Viewport::Fixed(area) })
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        leave();
    }
}

fn remember(entered: Entered) {
    if let Ok(mut slot) = ENTERED.lock() {
        *slot = Some(entered);
    }
}

/// Leaves the terminal as it was found. Does nothing if it has been left already.
pub(super) fn leave() {
    let Ok(mut slot) = ENTERED.lock() else { return };
    let Some(Entered { mut tty, before, inline }) = slot.take() else { return };
    // What cannot be written any more has no terminal left to restore.
    let _ = restore(&mut tty, inline);
    let _ = terminal::disable_raw_mode();
    let _ = tcsetattr(&tty, OptionalActions::Now, &before);
}

fn restore(tty: &mut File, inline: Option<Rect>) -> io::Result<()> {
    queue!(tty, DisableMouseCapture, PopKeyboardEnhancementFlags, DisableBracketedPaste, style::ResetColor)?;
    match inline {
        Some(area) => queue!(tty, cursor::MoveTo(0, area.y), Clear(ClearType::FromCursorDown))?,
        None => queue!(tty, LeaveAlternateScreen)?,
    }
    queue!(tty, cursor::Show)?;
    tty.flush()
}
