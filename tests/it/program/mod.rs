//! The real binary: what it prints, and how it ends.

mod change;
mod check;
mod hostile;
mod list;
mod pick;
mod rows;
mod schema;
#[cfg(target_os = "linux")]
mod script;
mod search;
#[cfg(target_os = "linux")]
mod serve;
mod settings;
mod show;
mod streams;
