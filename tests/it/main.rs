//! The integration tests, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod corpus;
mod desk;
mod docs;
mod frames;
mod layers;
mod program;
#[cfg(unix)]
mod pty;
mod scripts;
mod support;
