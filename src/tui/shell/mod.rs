//! The impure loop around the model: the terminal device, the workers, the editor, the signals.

mod ask;
mod convert;
mod device;
mod editor;
mod effects;
mod failpoint;
mod input;
mod jobs;
mod keys;
mod pause;
mod picker_loop;
mod signals;
mod start;
mod watching;
mod worker;

use crate::catalog::Scope;
use crate::workspace::{View, Workspace};
use std::io;

/// What the picker is started with.
#[derive(Clone, Debug)]
pub struct Pick {
    /// Where we stand, and through which host we look.
    pub workspace: Workspace,
    /// What is typed already.
    pub query: String,
    /// Which scope is shown at first; none means all.
    pub scope: Option<Scope>,
    /// Whether several skills can be picked.
    pub multi: bool,
    /// Whether the selection is printed with NUL: then a path may hold anything.
    pub print0: bool,
    /// How many rows below the prompt's line are used; none means the whole screen.
    pub height: Option<Height>,
}

/// How high an inline picker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Height {
    Rows(u16),
    /// So many hundredths of the screen.
    Percent(u16),
}

impl Height {
    /// The rows of a screen that has `rows`: at least three where there are as many, at most all.
    pub fn rows(self, rows: u16) -> u16 {
        let wanted = match self {
            Self::Rows(wanted) => u32::from(wanted),
            Self::Percent(share) => u32::from(rows) * u32::from(share) / 100,
        };
        u16::try_from(wanted.max(3)).unwrap_or(u16::MAX).min(rows)
    }
}

/// How the picker was left.
#[derive(Debug)]
pub enum Outcome {
    /// With these entries of the view, in mark order.
    Picked(View, Vec<usize>),
    /// Without a selection (130).
    Left,
    /// By a signal with this number (128 + n).
    Signal(i32),
}

/// Runs the picker on the terminal device, whatever stdin and stdout are, and leaves the terminal
/// as it was.
///
/// # Errors
/// There is no terminal, or it went away.
pub fn run(pick: Pick) -> io::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(picker_loop::run(pick));
    // Workers may be at a file that never answers: nobody waits for them.
    runtime.shutdown_background();
    outcome
}
