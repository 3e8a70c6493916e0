//! The terminal UI: a pure model ([`app`]), its keys ([`keymap`]), how it is drawn ([`view`]), the
//! impure loop around them (`shell`), which needs a Unix terminal, and what all of it shows to the
//! command line ([`front`]).

pub mod app;
pub mod front;
pub mod keymap;
#[cfg(unix)]
mod shell;
pub mod view;

use front::{Outcome, Pick};
use std::io;

/// Whether a screen can be drawn on this system at all. Where it cannot, the picker talks line by
/// line.
pub const HAS_SCREEN: bool = cfg!(unix);

/// Runs the picker on the terminal, whatever stdin and stdout are, and leaves the terminal as it
/// was.
///
/// # Errors
/// There is no terminal, or it went away; or this system has no screen ([`HAS_SCREEN`]).
#[cfg(unix)]
pub fn run(pick: Pick) -> io::Result<Outcome> {
    shell::run(pick)
}

#[cfg(not(unix))]
pub fn run(_: Pick) -> io::Result<Outcome> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "the picker draws on Linux and macOS only"))
}
