//! What the tests of the terminal UI stand on: a catalog of skills made by hand, a person at the
//! keys, a look at the screen.

pub(crate) mod agents;
pub(crate) mod catalog;
pub(crate) mod log;
pub(crate) mod screen;
pub(crate) mod script;
