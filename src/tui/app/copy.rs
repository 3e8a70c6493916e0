//! Copy as: a small menu.

use super::screen::Step;
use super::{Action, Chosen, CopyForm, Effect, State, layout};
use ratatui::layout::Rect;

/// The forms, in the order of the menu, with what is said of each. What a mention is, the agent
/// says.
pub const COPY_FORMS: [(CopyForm, &str, &str); 5] = [
    (CopyForm::Name, "name", "the bare name"),
    (CopyForm::Mention, "mention", ""),
    (CopyForm::Link, "link", "[$name](/path/to/SKILL.md)"),
    (CopyForm::Path, "path", "the path of SKILL.md"),
    (CopyForm::Block, "block", "the whole <skill_context> text"),
];

#[derive(Debug)]
pub struct CopyMenu {
    pub skills: Chosen,
    pub cursor: usize,
}

impl CopyMenu {
    /// Offers these skills; the cursor is on the mention, which is what a prompt wants.
    pub fn new(skills: Chosen) -> Self {
        Self { skills, cursor: 1 }
    }

    /// The menu's place: the last rows above the hints, with a hairline and a title above the
    /// forms.
    pub fn area(state: &State) -> Rect {
        let Rect { x, width, .. } = state.area;
        let rows = u16::try_from(COPY_FORMS.len() + 2).unwrap_or(u16::MAX);
        let bottom =
            state.area.bottom().saturating_sub(u16::from(state.area.height >= layout::FLAT));
        let height = rows.min(bottom.saturating_sub(state.area.y));
        Rect { x, y: bottom - height, width, height }
    }

    /// The forms that are shown: all of them, or those around the current one, from the first of
    /// them on.
    pub fn top(&self, state: &State) -> usize {
        let room = usize::from(Self::area(state).height.saturating_sub(2)).max(1);
        (self.cursor + 1).saturating_sub(room)
    }

    pub(super) fn act(&mut self, action: Action, _state: &mut State) -> Step {
        if let Some(row) = layout::moved(action, self.cursor, (COPY_FORMS.len(), COPY_FORMS.len()))
        {
            self.cursor = row;
            return Step::default();
        }
        match action {
            Action::Accept | Action::Pick | Action::Copy => {
                return Step::close(vec![Effect::Copy(
                    COPY_FORMS[self.cursor].0,
                    self.skills.paths.clone(),
                )]);
            }
            Action::Back => return Step::close(Vec::new()),
            _ => {}
        }
        Step::default()
    }

    pub(super) fn clicked(&mut self, (_, row): (u16, u16), twice: bool, state: &mut State) -> Step {
        let first = Self::area(state).y + 2;
        match row
            .checked_sub(first)
            .map(|row| self.top(state) + usize::from(row))
            .filter(|form| *form < COPY_FORMS.len())
        {
            Some(form) => self.cursor = form,
            None => return Step::default(),
        }
        if twice { self.act(Action::Accept, state) } else { Step::default() }
    }
}
