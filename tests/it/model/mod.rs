//! The base of the tests of the model: a catalog made by hand, key presses, the screen as text.

pub(crate) mod agents;
pub(crate) mod budget;
pub(crate) mod catalog;
pub(crate) mod changes;
pub(crate) mod copies;
pub(crate) mod log;
pub(crate) mod project;
pub(crate) mod screen;
pub(crate) mod script;
