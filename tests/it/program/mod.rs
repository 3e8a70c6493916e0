//! The real binary: what it prints, and how it ends.

mod change;
mod check;
#[cfg(target_os = "linux")]
mod faults;
mod hostile;
mod hosts;
mod list;
mod pick;
mod places;
mod refusals;
mod rows;
mod runtime;
mod schema;
#[cfg(target_os = "linux")]
mod script;
mod search;
mod seen;
#[cfg(target_os = "linux")]
mod serve;
mod settings;
mod share;
mod show;
mod streams;
#[cfg(unix)]
mod verify;
mod writing;
