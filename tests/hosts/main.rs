//! The agents' own programs say what they see (`.ci/agents` installs them; what is not there is
//! skipped, loudly).
//!
//! What these tests expect is what the programs really did, at the versions of
//! `agents/package.json`. Each file's head says what that means for the host of the same name.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::too_many_lines, reason = "a table of cases is read from top to bottom")]

mod agent;
mod agent_env;
mod amp;
mod budget;
mod built_in;
mod claude;
mod codex;
mod copilot;
mod dock;
mod droid;
#[path = "../env/mod.rs"]
mod env;
mod findings;
mod fuzz;
mod gemini;
mod kilo;
mod kimi;
mod mention;
mod mock;
mod opencode;
mod ours;
mod own_word;
mod panes;
mod pi;
mod plugins;
mod qoder;
mod qwen;
mod served;
mod starting;
mod toggles;
mod tree;
mod vibe;
