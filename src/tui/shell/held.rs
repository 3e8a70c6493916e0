//! Inputs that wait for the rows that they are about: Enter after a quickly typed query is about
//! the first row of its result among all skills, and not about the row that the screen still shows.

use super::input::Input;
use super::picker_loop::Loop;
use crate::tui::app::{Action, KeyTable, Msg, Section};
use crate::tui::keymap::{Chord, Meaning};
use crossterm::event::KeyEventKind;
use std::collections::VecDeque;
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
            let is_text = matches!(self.meaning(&input), Meaning::Text(_));
            self.handle(input)?;
            if is_text && self.state.context().table == KeyTable::Picker {
                self.take_text()?;
            }
        }
        Ok(())
    }

    /// Takes the text that came together with a letter of the query as one edit: a terminal without
    /// bracketed paste types a paste, and each edit parses the query and asks for a ranking.
    fn take_text(&mut self) -> io::Result<()> {
        let mut held = std::mem::take(&mut self.held);
        let text = text_at_front(&mut held, |input| match self.meaning(input) {
            Meaning::Text(letter) => Some(letter),
            _ => None,
        });
        self.held = held;
        if text.is_empty() { Ok(()) } else { self.update(Msg::Paste(text)) }
    }

    /// Whether the input is about rows that are still being read or ranked. What edits the query is
    /// not.
    fn waits(&self, input: &Input) -> bool {
        let awaits_ranking = self.state.awaits_ranking();
        match (input, self.meaning(input)) {
            (Input::Mouse(_), _) => awaits_ranking,
            (_, Meaning::Action(action)) => {
                awaits_ranking && action.section() != Section::Query
                    || self.state.awaits_list(action)
            }
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

/// Takes the inputs at the front that are letters.
fn text_at_front(held: &mut VecDeque<Input>, letter: impl Fn(&Input) -> Option<char>) -> String {
    let is_pressed =
        |input: &&Input| !matches!(input, Input::Key(key) if key.kind == KeyEventKind::Release);
    let mut text = String::new();
    while let Some(next) = held.front().filter(is_pressed).and_then(&letter) {
        text.push(next);
        held.pop_front();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    #[test]
    fn letters_that_came_together_are_one_text_up_to_the_next_key() {
        let key = |code| Input::Key(KeyEvent::new(code, KeyModifiers::NONE));
        let letters = "a quick fox".chars().map(|letter| key(KeyCode::Char(letter)));
        let rest = [key(KeyCode::Enter), key(KeyCode::Char('x')), Input::Paste("y".to_owned())];
        let mut held: VecDeque<Input> = letters.chain(rest.clone()).collect();
        let letter = |input: &Input| match input {
            Input::Key(key) => key.code.as_char(),
            _ => None,
        };
        assert_eq!(text_at_front(&mut held, letter), "a quick fox");
        assert_eq!(held, rest);
        assert_eq!(text_at_front(&mut held, letter), "");
        held.pop_front();
        assert_eq!(text_at_front(&mut held, letter), "x");
        assert_eq!(held, &rest[2..]);
    }
}
