//! skillpick: browse, search, check, switch and pick Agent Skills.
//!
//! The crate has rooms (see `ARCHITECTURE.md`): top-level modules, each of which may import only
//! the rooms that its row there names. `tests/it/layers.rs` reads the `use` lines and fails on any
//! other import.
//!
//! The terminal UI ([`tui`]) and the command line ([`cli`]) are front ends for the same three
//! answers: *which skills are there* ([`catalog`], [`scan`]), *which of them may this agent use,
//! and who says so* ([`policy`], [`hosts`], [`config`]), and *what does the chosen one contain*
//! ([`runtime`]).

#![forbid(unsafe_code)]
#![cfg_attr(not(unix), allow(dead_code, reason = "some of it serves only what Unix has"))]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking"))]
#![cfg_attr(
    test,
    allow(clippy::too_many_lines, reason = "a table of cases is read from top to bottom")
)]

pub mod catalog;
pub mod cli;
pub mod config;
mod failpoint;
pub mod files;
pub mod hosts;
pub mod listing;
pub mod output;
pub mod panes;
pub mod policy;
pub mod runtime;
pub mod sandbox;
pub mod scan;
pub mod search;
pub mod serve;
pub mod settings;
pub mod state;
pub mod store;
pub mod text;
pub mod tui;
pub mod workspace;
mod yaml;

#[cfg(test)]
#[path = "../tests/env/mod.rs"]
mod test_env;
