//! What several integration tests stand on: a catalog made by hand, a person at the keys, a look at the screen.

pub(crate) mod house;
pub(crate) mod screen;
pub(crate) mod script;
