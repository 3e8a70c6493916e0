//! The agents' own programs say what they see.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg(unix)]

mod mention;
mod mock;
