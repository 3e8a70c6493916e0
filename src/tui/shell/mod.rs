//! The loop around the model, with all side effects: the terminal device, the workers, the editor,
//! the signals.

mod area;
mod ask;
mod clipboard;
mod composed;
mod convert;
#[cfg(test)]
mod counts;
mod device;
mod discard;
mod editor;
mod effects;
mod frame_wait;
mod held;
mod input;
mod jobs;
mod keys;
mod mouse;
mod own_keys;
mod pause;
mod picker_loop;
mod prompt_file;
mod results;
mod signals;
mod spawn;
mod start;
mod watching;
mod worker;

use crate::catalog::Scope;
pub use crate::tui::app::{ComposeStart, Sending, Way};
use crate::workspace::{View, Workspace};
pub use composed::Composed;
pub use jobs::Keeper;
pub use own_keys::{WrongKey, wrong_keys};
use std::io;

#[derive(Clone, Debug)]
pub struct Pick {
    /// The directory and the host.
    pub workspace: Workspace,
    /// The query at the start.
    pub query: String,
    /// The scope at the start; `None` means all.
    pub scope: Option<Scope>,
    pub multi: bool,
    /// Whether the selection is separated by NUL; then paths may have any characters.
    pub print0: bool,
    /// The height of an inline picker; `None` means the whole screen.
    pub height: Option<Height>,
    /// A prompt is written instead of skills being picked.
    pub compose: Option<ComposeStart>,
}

/// The height of an inline picker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Height {
    Rows(u16),
    Percent(u16),
}

impl Height {
    /// The height on a screen of `rows` rows: at least three if the screen has them.
    pub fn rows(self, rows: u16) -> u16 {
        let wanted = match self {
            Self::Rows(wanted) => u32::from(wanted),
            Self::Percent(share) => u32::from(rows) * u32::from(share) / 100,
        };
        u16::try_from(wanted.max(3)).unwrap_or(u16::MAX).min(rows)
    }
}

#[derive(Debug)]
pub enum Outcome {
    /// With these rows of the view, in mark order.
    Picked(View, Vec<usize>),
    /// A prompt was written for an agent.
    Composed(Box<Composed>),
    /// Without a selection (exit code 130).
    Left,
    /// By the signal with this number (exit code 128 + n).
    Signal(i32),
}

/// Runs the picker on the terminal, whatever stdin and stdout are, and leaves the terminal as it
/// was.
///
/// # Errors
/// There is no terminal, or it went away.
pub fn run(pick: Pick) -> io::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(picker_loop::run(pick));
    // Does not wait for workers: one may hang on a file that never answers.
    runtime.shutdown_background();
    outcome
}
