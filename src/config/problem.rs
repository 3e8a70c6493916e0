//! What is wrong with settings: where, what, and the cure.

use std::path::Path;
use std::sync::Arc;

/// A place in a settings file, counted from 1; a column is a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub file: Arc<Path>,
    pub line: u32,
    pub column: u32,
}

/// One thing that is wrong, or that is ignored on purpose.
///
/// `message` and `help` may quote the file or the environment: show them only through
/// [`crate::text::SafeText`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where; nothing for a flag or an environment variable, which the message names.
    pub spot: Option<Spot>,
    /// What, one sentence without a full stop.
    pub message: String,
    /// The cure, one sentence without a full stop; may be empty.
    pub help: String,
    /// Whether it makes the settings broken. Else it is a remark: something is ignored, and this
    /// says so.
    pub grave: bool,
}
