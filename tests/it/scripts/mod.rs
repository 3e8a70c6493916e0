//! The model, driven by keys and messages and read by its effects and state. Nothing is read,
//! written or waited for.

mod activity;
mod arriving;
mod asking;
mod budget;
mod change;
mod changes;
mod columns;
mod compose;
mod copies;
mod cost;
mod hosts;
mod mend;
mod modal;
mod mouse;
mod picker;
mod prefer;
mod problems;
mod project;
mod random;
mod rules;
mod rules_saved;
