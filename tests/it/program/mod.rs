//! The real binary: what it prints, and how it ends.

mod change;
mod check;
mod hostile;
mod list;
mod pick;
mod rows;
mod runtime;
mod schema;
#[cfg(target_os = "linux")]
mod script;
mod search;
mod settings;
mod show;
mod streams;
