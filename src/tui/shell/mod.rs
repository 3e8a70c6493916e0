//! The loop around the model, with all side effects: the terminal device, the workers, the editor,
//! the signals.

mod area;
mod ask;
mod clipboard;
mod convert;
#[cfg(test)]
mod counts;
mod device;
mod discard;
mod editor;
mod effects;
mod frame_wait;
mod held;
mod input;
mod jobs;
mod keys;
mod mouse;
mod pause;
mod picker_loop;
mod prompt_file;
mod results;
mod signals;
mod spawn;
mod start;
mod watching;
mod worker;

use crate::tui::front::{Outcome, Pick};
use std::io;

/// See [`crate::tui::run`].
pub(super) fn run(pick: Pick) -> io::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(picker_loop::run(pick));
    // Does not wait for workers: one may hang on a file that never answers.
    runtime.shutdown_background();
    outcome
}
