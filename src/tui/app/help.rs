//! Help: the keys of the screen below, with a search. Enter runs a row.

use super::{Action, Binding, Layer, Line, ListPane, State};
use ratatui::layout::Position;

#[derive(Debug)]
pub struct Help {
    pub layer: Layer,
    pub query: Line,
    pub list: ListPane,
}

impl Help {
    pub fn new(layer: Layer) -> Self {
        Self { layer, query: Line::default(), list: ListPane::default() }
    }

    /// The matching bindings, in the order of [`Action::ALL`].
    pub fn rows<'a>(&self, bindings: &'a [Binding]) -> Vec<&'a Binding> {
        let words: Vec<String> =
            self.query.text().split_whitespace().map(str::to_lowercase).collect();
        let matches = |binding: &&Binding| {
            let keys: String = binding.keys.iter().map(|key| format!(" {key}")).collect();
            let action = binding.action;
            let text =
                format!("{} {} {}{keys}", action.name(), binding.help, action.section().word())
                    .to_lowercase();
            binding.layer == self.layer && words.iter().all(|word| text.contains(word))
        };
        bindings.iter().filter(matches).collect()
    }

    pub(super) fn typed(&mut self, _state: &State) {
        self.list.reset();
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let count = self.rows(&state.options.bindings).len();
        if self.list.moves(action, state.whole().left, count) {
            return;
        }
        match action {
            Action::Accept => self.run(state),
            Action::Back if !self.query.is_empty() => {
                self.query.clear();
                self.typed(state);
            }
            Action::Back | Action::Help => state.closing = true,
            _ => {}
        }
    }

    /// Closes, and runs the row's action on the screen below.
    fn run(&self, state: &mut State) {
        let row =
            self.rows(&state.options.bindings).get(self.list.cursor).map(|binding| binding.action);
        if let Some(action) = row {
            super::update::act(state, action);
        }
        state.closing = true;
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        let count = self.rows(&state.options.bindings).len();
        let on_row = self.list.clicked(place, state.whole().left, count);
        if on_row && twice {
            self.run(state);
        }
    }

    pub(super) fn follow(&mut self, state: &State) {
        let count = self.rows(&state.options.bindings).len();
        self.list.follow(state.whole().left, count);
    }
}
