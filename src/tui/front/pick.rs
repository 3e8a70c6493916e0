//! What the picker is started with, and how it ends.

use super::{ComposeStart, Composed};
use crate::catalog::Scope;
use crate::workspace::{View, Workspace};

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
