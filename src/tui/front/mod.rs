//! What the command line hands to the picker and what comes out of it, with a screen or without.

mod composed;
pub mod keeper;
pub mod own_keys;
mod pick;

pub use crate::tui::app::{ComposeStart, Sending, Way};
pub use composed::Composed;
pub use keeper::Keeper;
pub use pick::{Height, Outcome, Pick};
