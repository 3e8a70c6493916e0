//! Help: a searchable palette of the keys of the screen below; Enter runs the row.

use super::screen::Step;
use super::{Action, Binding, Effect, Layer, Line, State, layout};

#[derive(Debug)]
pub struct Help {
    /// The layer whose keys are shown.
    pub layer: Layer,
    pub query: Line,
    pub cursor: usize,
    /// The first row shown.
    pub top: usize,
}

impl Help {
    /// The palette of a layer.
    pub fn new(layer: Layer) -> Self {
        Self { layer, query: Line::default(), cursor: 0, top: 0 }
    }

    /// The rows: what matches, in the order of the catalog of actions.
    pub fn rows<'a>(&self, bindings: &'a [Binding]) -> Vec<&'a Binding> {
        let words: Vec<String> =
            self.query.text().split_whitespace().map(str::to_lowercase).collect();
        let matches = |binding: &&Binding| {
            let keys: String = binding.keys.iter().map(|key| format!(" {key}")).collect();
            let action = binding.action;
            let text =
                format!("{} {} {}{keys}", action.name(), binding.help, action.section().title())
                    .to_lowercase();
            binding.layer == self.layer && words.iter().all(|word| text.contains(word))
        };
        bindings.iter().filter(matches).collect()
    }

    pub(super) fn typed(&mut self, _state: &State) {
        (self.cursor, self.top) = (0, 0);
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) -> Step {
        let count = self.rows(&state.options.bindings).len();
        if let Some(row) = layout::moved(action, self.cursor, (Self::height(state), count)) {
            self.cursor = row;
            return Step::default();
        }
        match action {
            Action::Accept => return self.run(state),
            Action::Back if !self.query.is_empty() => {
                self.query.clear();
                self.typed(state);
            }
            Action::Back | Action::Help => return Step::close(Vec::new()),
            _ => {}
        }
        Step::default()
    }

    /// Closes, and does on the screen below what the row says.
    fn run(&self, state: &mut State) -> Step {
        let row = self.rows(&state.options.bindings).get(self.cursor).map(|binding| binding.action);
        Step::close(row.map_or_else(Vec::new, |action| super::update::act(state, action)))
    }

    pub(super) fn clicked(&mut self, place: (u16, u16), twice: bool, state: &mut State) -> Step {
        let list = layout::whole(state.area, state.notice_rows()).left;
        let rows = (self.top, self.rows(&state.options.bindings).len());
        let Some(clicked) = layout::row_at(list, place, rows) else { return Step::default() };
        self.cursor = clicked;
        if twice { self.run(state) } else { Step::default() }
    }

    pub(super) fn follow(&mut self, state: &State) -> Vec<Effect> {
        let count = self.rows(&state.options.bindings).len();
        self.cursor = self.cursor.min(count.saturating_sub(1));
        self.top = layout::scroll_to(self.top, self.cursor, Self::height(state), count);
        Vec::new()
    }

    fn height(state: &State) -> usize {
        usize::from(layout::whole(state.area, state.notice_rows()).left.height)
    }
}
