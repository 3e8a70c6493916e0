//! Inputs that wait for a ranking: Enter after a quickly typed query is about the first row of its
//! result, and not about the row that the screen still shows.

use super::input::Input;
use super::picker_loop::Loop;
use crate::tui::app::{Action, Section};
use crate::tui::keymap::{Chord, Meaning};
use std::io;

impl Loop {
    /// Handles the inputs that came, up to one that must wait. Only the key that leaves overtakes
    /// others.
    pub(super) fn release(&mut self) -> io::Result<()> {
        while self.outcome.is_none() && self.pause.is_none() {
            let ready = match self.held.front() {
                Some(input) if !self.waits(input) => self.held.pop_front(),
                Some(_) => self
                    .held
                    .iter()
                    .position(|input| self.meaning(input) == Meaning::Action(Action::Abort))
                    .and_then(|place| self.held.remove(place)),
                None => None,
            };
            let Some(input) = ready else { return Ok(()) };
            self.handle(input)?;
        }
        Ok(())
    }

    /// Whether the input is about rows that are still being ranked. What edits the query is not.
    fn waits(&self, input: &Input) -> bool {
        self.state.awaits_ranking()
            && match (input, self.meaning(input)) {
                (Input::Mouse(_), _) => true,
                (_, Meaning::Action(action)) => action.section() != Section::Query,
                (_, Meaning::Text(_) | Meaning::Nothing) => false,
            }
    }

    fn meaning(&self, input: &Input) -> Meaning {
        match input {
            Input::Key(key) => self.keymap.meaning(self.state.context(), Chord::of(*key)),
            Input::Paste(_) | Input::Mouse(_) => Meaning::Nothing,
        }
    }
}
