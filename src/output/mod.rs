//! Everything that is printed: the formats of a selection, plain tables and reports, JSON documents
//! and their schemas.
//!
//! The room turns what others found out into text; it scans, judges and changes nothing. Plain text
//! is made of [`SafeText`](crate::text::SafeText) alone, JSON escapes whatever could act on a
//! terminal.

pub mod activity;
pub mod calls;
pub mod change;
pub mod check;
pub mod compare;
pub mod failure;
pub mod hosts;
mod json;
pub mod launch;
pub mod list;
pub mod mention;
mod out;
pub mod prompt;
mod report;
pub mod resource;
pub mod schema;
pub mod search;
pub mod seen;
pub mod selection;
pub mod session;
pub mod settings;
pub mod share;

pub mod show;
pub mod signs;
pub mod skill;
pub mod table;
pub mod terminal;
pub mod verify;

pub use out::{Out, last_words};
pub use skill::VERSION;
