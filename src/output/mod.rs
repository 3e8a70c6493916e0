//! Everything that is printed: the formats of a selection, plain tables and reports, JSON documents
//! and their schemas.
//!
//! This room only turns results into text; it scans, judges and changes nothing. Plain text
//! consists of [`SafeText`](crate::text::SafeText) only. JSON escapes every character that could
//! act on a terminal.

pub mod activity;
pub mod api;
pub mod approvals;
pub mod budget;
pub mod calls;
pub mod change;
pub mod check;
mod clock;
pub mod compare;
pub mod compose;
pub mod failure;
pub mod github;
pub mod hosts;
mod json;
pub mod list;
pub mod mend;
pub mod mention;
mod out;
mod parts;
pub mod project;
pub mod prompt;
mod report;
pub mod resource;
pub mod risk;
pub mod sarif;
pub mod schema;
pub mod search;
pub mod seen;
pub mod selection;
pub mod session;
pub mod settings;
pub mod share;
pub mod show;
pub mod skill;
pub mod table;
pub mod terminal;
pub mod token;
pub mod tree;
pub mod undo;
pub mod verify;

pub use clock::Clock;
#[cfg(test)]
pub(crate) use json::as_read;
pub use out::{Out, last_words};
pub use parts::Versioned;
