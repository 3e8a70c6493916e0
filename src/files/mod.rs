//! Files: open them beneath a directory, replace them, lock them, compute digests.
//!
//! This room knows paths and bytes, but no skill, host or setting. Its error messages never quote
//! other people's text: a path stands in a field, and the caller cleans it before it is shown.

pub mod access;
pub mod beneath;
pub mod cache;
pub mod child;
pub mod clear;
mod copy;
pub mod digest;
pub mod git;
pub mod lock;
pub mod mirror;
pub mod moves;
pub mod positions;
pub mod removal;
pub mod scratch;
pub mod snapshot;
pub mod sniff;
pub mod whole;
pub mod write;
