//! Copy as: a small menu.

use super::screen::Step;
use super::{Action, CopyForm, Effect, Mouse, State};
use std::path::Path;
use std::sync::Arc;

/// The forms, in the order of the menu, with what is said of each.
pub const COPY_FORMS: [(CopyForm, &str, &str); 5] = [
    (CopyForm::Name, "name", "the bare name"),
    (CopyForm::Mention, "mention", "$name, or the link where the name is not unique"),
    (CopyForm::Link, "link", "[$name](/path/to/SKILL.md)"),
    (CopyForm::Path, "path", "the path of SKILL.md"),
    (CopyForm::Block, "block", "the whole <skill_context> text"),
];

/// The menu.
#[derive(Debug)]
pub struct CopyMenu {
    /// What is copied.
    pub skills: Vec<Arc<Path>>,
    /// The current row.
    pub cursor: usize,
}

impl CopyMenu {
    /// Offers these skills; the cursor is on the mention, which is what a prompt wants.
    pub fn new(skills: Vec<Arc<Path>>) -> Self {
        Self { skills, cursor: 1 }
    }

    pub(super) fn act(&mut self, action: Action, _state: &mut State) -> Step {
        match action {
            Action::Up | Action::Previous => self.cursor = self.cursor.saturating_sub(1),
            Action::Down | Action::Next => self.cursor = (self.cursor + 1).min(COPY_FORMS.len() - 1),
            Action::First => self.cursor = 0,
            Action::Last => self.cursor = COPY_FORMS.len() - 1,
            Action::Accept | Action::Pick | Action::Copy => {
                return Step::close(vec![Effect::Copy(COPY_FORMS[self.cursor].0, self.skills.clone())]);
            }
            Action::Back => return Step::close(Vec::new()),
            _ => {}
        }
        Step::default()
    }

    pub(super) fn mouse(&mut self, mouse: Mouse, state: &mut State) -> Step {
        match mouse {
            Mouse::WheelUp(..) => self.act(Action::Up, state),
            Mouse::WheelDown(..) => self.act(Action::Down, state),
            Mouse::Click(..) | Mouse::DoubleClick(..) => Step::default(),
        }
    }
}
