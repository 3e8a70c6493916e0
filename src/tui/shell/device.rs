//! The terminal device. However the program ends, the terminal is left exactly as it was found: a
//! broken terminal would cost the person the shell.

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, KeyboardEnhancementFlags,
    PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::terminal::{
    Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
};
use crossterm::{cursor, execute, queue, style};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Rect, Size};
use ratatui::{TerminalOptions, Viewport};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, OFlags, fstat};
use rustix::process::{getpgrp, getsid};
use rustix::stdio::{stderr, stdin, stdout};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcgetsid, tcgetwinsize,
    tcsetattr, ttyname,
};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions, read_dir};
use std::io::{self, BufWriter, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What must be undone when the terminal is left.
struct Entered {
    tty: File,
    before: Termios,
    /// The rows of an inline picker; `None` means the alternate screen.
    inline: Option<Rect>,
    /// Whether more than the modes must be undone: the screen, the mouse, paste, keyboard flags.
    whole: bool,
}

/// The terminal while it is ours. The panic hook and every way out read it.
static ENTERED: Mutex<Option<Entered>> = Mutex::new(None);

/// Clicks, the wheel, and movements while a button is held, in cells of any number. Crossterm asks
/// for every movement as well, at each of which the program would wake up.
const MOUSE: &[u8] = b"\x1b[?1000h\x1b[?1002h\x1b[?1006h";

/// Whether we may draw on the screen.
static OURS: AtomicBool = AtomicBool::new(false);

pub(super) type Screen = Terminal<CrosstermBackend<BufWriter<Ours>>>;

/// The terminal while it is ours. Afterwards writes are dropped, so that a buffer left by a panic
/// never reaches the shell's screen.
pub(super) struct Ours(File);

impl Write for Ours {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if OURS.load(Ordering::SeqCst) { self.0.write(bytes) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

pub(super) struct Device {
    tty: File,
    inline: Option<Rect>,
    pub(super) mouse: bool,
}

impl Device {
    /// Opens the controlling terminal, whatever stdin and stdout are, and changes nothing.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn open() -> io::Result<Self> {
        Ok(Self { tty: open()?, inline: None, mouse: false })
    }

    /// Columns and rows; 80 × 24 if the terminal does not know.
    pub(super) fn size(&self) -> Size {
        match tcgetwinsize(&self.tty) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => Size::new(size.ws_col, size.ws_row),
            _ => Size::new(80, 24),
        }
    }

    pub(super) fn handle(&self) -> io::Result<File> {
        self.tty.try_clone()
    }

    /// Whether we are the foreground job.
    pub(super) fn in_foreground(&self) -> bool {
        tcgetpgrp(&self.tty).is_ok_and(|group| group == getpgrp())
    }

    /// Uses these rows of the screen; `None` means the alternate screen.
    pub(super) fn inline(&mut self, area: Option<Rect>) {
        self.inline = area;
        if let Some(entered) = entered().as_mut() {
            entered.inline = self.inline;
        }
    }

    /// Enters raw mode without drawing, for questions to the terminal. The modes are saved now and
    /// restored when it is left. In the background this stops the process, as it should. Returns
    /// what was typed before.
    pub(super) fn raw(&self) -> io::Result<Vec<u8>> {
        let mut slot = entered();
        if slot.is_some() {
            return Ok(Vec::new());
        }
        let before = tcgetattr(&self.tty)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(&self.tty, OptionalActions::Now, &raw)?;
        // The terminal has made a line feed of each Enter, which would be another key.
        let makes_line_feeds = before.input_modes.contains(InputModes::ICRNL);
        *slot =
            Some(Entered { tty: self.tty.try_clone()?, before, inline: self.inline, whole: false });
        drop(slot);
        let key = |byte| if makes_line_feeds && byte == b'\n' { b'\r' } else { byte };
        Ok(self.waiting()?.into_iter().map(key).collect())
    }

    /// The bytes that can be read without waiting.
    fn waiting(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut ready = [PollFd::new(&self.tty, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        while poll(&mut ready, Some(&now)).is_ok_and(|count| count > 0)
            && ready[0].revents().contains(PollFlags::IN)
        {
            let mut chunk = [0; 4096];
            let count = rustix::io::read(&self.tty, &mut chunk)?;
            if count == 0 {
                break;
            }
            bytes.extend_from_slice(&chunk[..count]);
        }
        Ok(bytes)
    }

    /// Enters raw mode and takes the screen. Returns what was typed before.
    pub(super) fn enter(&mut self, mouse: bool) -> io::Result<Vec<u8>> {
        let typed = self.raw()?;
        self.mouse = mouse;
        if let Some(entered) = entered().as_mut() {
            entered.whole = true;
        }
        OURS.store(true, Ordering::SeqCst);
        if self.inline.is_none() {
            // A program that calls us as its editor may be on it already, with its own text.
            execute!(self.tty, EnterAlternateScreen, Clear(ClearType::All))?;
        }
        let keys =
            PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES);
        execute!(self.tty, EnableBracketedPaste, keys)?;
        self.take_mouse(mouse)?;
        Ok(typed)
    }

    /// Sets modes that [`leave`] told. If it fails the terminal is gone.
    pub(super) fn set_modes(&self, modes: &Termios) {
        let _ = tcsetattr(&self.tty, OptionalActions::Now, modes);
    }

    /// Captures the mouse, or releases it.
    pub(super) fn take_mouse(&mut self, take: bool) -> io::Result<()> {
        self.mouse = take;
        if take { self.tty.write_all(MOUSE) } else { execute!(self.tty, DisableMouseCapture) }
    }

    /// A screen on these cells. Its viewport is fixed, so that ratatui never asks the terminal
    /// anything.
    pub(super) fn screen(&self, area: Rect) -> io::Result<Screen> {
        let backend =
            CrosstermBackend::new(BufWriter::with_capacity(64 << 10, Ours(self.tty.try_clone()?)));
        Terminal::with_options(backend, TerminalOptions { viewport: Viewport::Fixed(area) })
    }
}

/// The controlling terminal.
pub(super) fn open() -> io::Result<File> {
    // macOS cannot poll /dev/tty, only the terminal by its own name.
    let named = cfg!(target_os = "macos").then(by_own_name).flatten();
    named.map_or_else(|| open_at(Path::new(ANY)), Ok)
}

/// Every process's own terminal.
const ANY: &str = "/dev/tty";

fn open_at(path: &Path) -> io::Result<File> {
    // It becomes nobody's terminal by this.
    let no_control = i32::try_from(OFlags::NOCTTY.bits()).unwrap_or(0);
    OpenOptions::new().read(true).write(true).custom_flags(no_control).open(path)
}

/// Our terminal by the name that one of our streams has, or else by a look at all that macOS has
/// open. A stream that was opened as [`ANY`] has that name.
fn by_own_name() -> Option<File> {
    let names = [
        ttyname(stdin(), Vec::new()),
        ttyname(stdout(), Vec::new()),
        ttyname(stderr(), Vec::new()),
    ];
    let names = names.into_iter().flatten();
    let names = names.map(|name| PathBuf::from(OsStr::from_bytes(name.as_bytes())));
    let opened = |path: PathBuf| open_at(&path).ok();
    let known = names.filter(|name| *name != Path::new(ANY)).find_map(opened);
    known.or_else(|| {
        let all = read_dir("/dev").ok()?.flatten();
        let all = all.filter(|item| item.file_name().as_encoded_bytes().starts_with(b"ttys"));
        let ours = getsid(None).ok()?;
        all.filter_map(|item| opened(item.path())).find(|tty| tcgetsid(tty) == Ok(ours))
    })
}

/// Whether what we print goes to another program.
pub(super) fn writes_into_pipe() -> bool {
    fstat(stdout()).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo)
}

impl Drop for Device {
    fn drop(&mut self) {
        leave();
    }
}

fn entered() -> std::sync::MutexGuard<'static, Option<Entered>> {
    ENTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leaves the terminal as it was found, and tells its modes. Does nothing the second time.
pub(super) fn leave() -> Option<Termios> {
    let Entered { mut tty, before, inline, whole } = entered().take()?;
    OURS.store(false, Ordering::SeqCst);
    if whole {
        // The modes come first, since a person who sees the shell's screen may type. Echo and
        // signals come last: an echo in the middle of a sequence would spoil it, and a key that
        // sends a signal drops what was written and not yet read.
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ISIG);
        let _ = tcsetattr(&tty, OptionalActions::Now, &silent);
        // If the write fails the terminal is gone.
        let _ = restore(&mut tty, inline);
    }
    let _ = tcsetattr(&tty, OptionalActions::Now, &before);
    Some(before)
}

fn restore(tty: &mut File, inline: Option<Rect>) -> io::Result<()> {
    // In one write instead of one for each command.
    let mut bytes = Vec::new();
    queue!(bytes, EndSynchronizedUpdate, style::ResetColor, DisableMouseCapture)?;
    queue!(bytes, PopKeyboardEnhancementFlags, DisableBracketedPaste)?;
    match inline {
        Some(area) => queue!(bytes, cursor::MoveTo(0, area.y), Clear(ClearType::FromCursorDown))?,
        None => queue!(bytes, LeaveAlternateScreen)?,
    }
    queue!(bytes, cursor::Show)?;
    tty.write_all(&bytes)?;
    tty.flush()
}
