//! Update scripts: keys and messages in, effects and state out. Nothing is read, written or waited
//! for.

mod activity;
mod arriving;
mod change;
mod hosts;
mod modal;
mod mouse;
mod picker;
mod random;
mod rules;
