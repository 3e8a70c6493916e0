//! Where a value comes from.

use crate::policy::Layer;
use std::path::Path;
use std::sync::Arc;

/// Where a value comes from; `skillpick config` prints it beside each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nothing is written anywhere.
    Default,
    /// The person's own file.
    User {
        file: Arc<Path>,
        /// Its line, from 1; 0 for what is planned and not yet written.
        line: u32,
    },
    Project {
        file: Arc<Path>,
        /// Its line, from 1; 0 for what is planned and not yet written.
        line: u32,
    },
    Environment(&'static str),
    /// An option of the command line.
    Flag(&'static str),
}

impl Origin {
    /// A line of this layer's file.
    pub fn written(layer: Layer, file: &Arc<Path>, line: u32) -> Self {
        let file = Arc::clone(file);
        match layer {
            Layer::User => Self::User { file, line },
            Layer::Project | Layer::Local | Layer::Managed => Self::Project { file, line },
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

/// A value as one file says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<T> {
    pub value: T,
    /// Its line, from 1; 0 for what is planned and not yet written.
    pub line: u32,
}
