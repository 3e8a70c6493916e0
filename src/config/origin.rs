//! Where a value comes from, and what is wrong with it.

use crate::policy::Layer;
use std::path::Path;
use std::sync::Arc;

/// Where a value comes from; `skillpick config` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    Default,
    /// A line of the person's settings file or of the project's.
    File {
        layer: Layer,
        file: Arc<Path>,
        /// From 1; 0 for what is planned and not yet written.
        line: u32,
    },
    Environment(&'static str),
    /// An option of the command line.
    Flag(&'static str),
}

impl Origin {
    pub fn written(layer: Layer, file: &Arc<Path>, line: u32) -> Self {
        Self::File { layer, file: Arc::clone(file), line }
    }
}

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    pub origin: Origin,
}

/// A value as it is in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<T> {
    pub value: T,
    /// From 1; 0 for what is planned and not yet written.
    pub line: u32,
}

/// A place in a settings file, counted from 1; a column is a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub file: Arc<Path>,
    pub line: u32,
    pub column: u32,
}

/// A fault, or something that is ignored on purpose.
///
/// `message` and `help` may quote the file or the environment: show them only through
/// [`crate::text::SafeText`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `None` for an option or an environment variable; the message names it.
    pub spot: Option<Spot>,
    /// One sentence without a full stop.
    pub message: String,
    /// How to mend it: one sentence without a full stop, or empty.
    pub help: String,
    /// Whether it makes the settings broken. Otherwise something is only ignored.
    pub grave: bool,
}

impl Problem {
    /// An error in a line of a file.
    pub(super) fn at(
        file: &Arc<Path>,
        line: u32,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let spot = Some(Spot { file: Arc::clone(file), line, column: 1 });
        Self { spot, message: message.into(), help: help.into(), grave: true }
    }
}
