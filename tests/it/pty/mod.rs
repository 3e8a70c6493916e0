//! The real program in a real terminal (L1–L6).

mod activity;
mod asking;
mod audit;
mod budget;
mod changes;
mod completion;
mod compose;
mod consent;
mod drafts;
mod editing;
mod env;
mod files;
mod hostile;
mod idle;
mod jobs;
mod leaving;
#[cfg(target_os = "linux")]
mod limits;
mod linear;
mod neovim;
#[cfg(target_os = "linux")]
mod own_word;
#[cfg(target_os = "linux")]
mod panes;
mod picking;
mod pointing;
mod prefer;
mod project;
mod random;
mod setup;
mod shells;
#[cfg(target_os = "linux")]
mod silent;
mod sizes;
mod tasks;
mod terminal;
mod typing;
mod widths;
