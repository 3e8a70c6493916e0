//! The integration tests, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::too_many_lines, reason = "a table of cases is read from top to bottom")]
#![cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, unused_imports, reason = "some of it serves only the tests of Linux")
)]

mod corpus;
mod docs;
#[path = "../env/mod.rs"]
mod env;
mod frames;
mod fuzz;
#[cfg(unix)]
mod git;
#[cfg(unix)]
mod inert;
mod known_items;
mod layers;
mod model;
#[cfg(unix)]
mod process;
mod program;
#[cfg(unix)]
mod pty;
mod scripts;
mod support;
