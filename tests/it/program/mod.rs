//! The real binary: what it prints, and how it ends.

#[cfg(unix)]
mod budget;
mod bytes;
#[cfg(unix)]
mod callers;
mod change;
mod check;
#[cfg(unix)]
mod cures;
#[cfg(unix)]
pub(crate) mod documents;
#[cfg(target_os = "linux")]
mod faults;
mod hostile;
mod hosts;
#[cfg(target_os = "linux")]
mod index;
#[cfg(target_os = "linux")]
mod journal;
#[cfg(unix)]
mod layouts;
#[cfg(target_os = "linux")]
mod limits;
mod list;
mod man;
#[cfg(target_os = "linux")]
mod memory;
mod mend;
mod monorepo;
mod named_places;
#[cfg(unix)]
pub(crate) mod own_word;
mod pick;
mod places;
#[cfg(unix)]
mod planted;
#[cfg(unix)]
pub(crate) mod project;
mod refusals;
mod risk;
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
#[cfg(target_os = "linux")]
pub(crate) mod silent;
mod starts;
#[cfg(target_os = "linux")]
mod state_faults;
#[cfg(target_os = "linux")]
mod strace;
mod streams;
#[cfg(target_os = "linux")]
mod tls;
mod trees;
#[cfg(unix)]
mod verify;
#[cfg(target_os = "linux")]
mod writers;
mod writing;
