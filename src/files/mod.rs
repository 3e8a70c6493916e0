//! Files as handles: open beneath a directory, write through links, lock, digest, sniff.
//!
//! This room knows paths and bytes. It may not know what a skill, a host or a setting is, and
//! imports no other room. Its errors never quote other people's text: a path stands only in a
//! field, for the caller to clean.

pub mod access;
pub mod beneath;
pub mod child;
mod copy;
pub mod digest;
pub mod lock;
pub mod mirror;
pub mod removal;
pub mod scratch;
pub mod snapshot;
pub mod sniff;
pub mod write;
