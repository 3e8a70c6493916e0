//! The integration tests, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod corpus;
#[cfg(unix)]
mod pty;
