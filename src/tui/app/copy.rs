//! The menu of forms in which a skill can be copied.

use super::{Action, Chosen, CopyForm, Effect, State, layout};
use ratatui::layout::{Position, Rect};

/// The forms in the order of the menu, with a description. The form of a mention depends on the
/// host.
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
    /// The cursor begins on the mention, the form that a prompt needs.
    pub fn new(skills: Chosen) -> Self {
        Self { skills, cursor: 1 }
    }

    /// The menu's area: the last rows above notice and hints, with a rule and a title above the
    /// forms.
    pub fn area(state: &State) -> Rect {
        let Rect { x, width, .. } = state.area;
        let rows = u16::try_from(COPY_FORMS.len() + 2).unwrap_or(u16::MAX);
        let whole = state.whole();
        let bottom = whole.notice.or(whole.hints).map_or(state.area.bottom(), |below| below.y);
        let height = rows.min(bottom.saturating_sub(state.area.y));
        Rect { x, y: bottom - height, width, height }
    }

    /// The first form shown. In a small area the menu scrolls with its cursor.
    pub fn top(&self, state: &State) -> usize {
        let room = usize::from(Self::area(state).height.saturating_sub(2)).max(1);
        (self.cursor + 1).saturating_sub(room)
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let forms = COPY_FORMS.len();
        if let Some(row) = layout::moved(action, self.cursor, forms, forms) {
            self.cursor = row;
            return;
        }
        match action {
            Action::Accept | Action::Pick | Action::Copy => {
                let form = COPY_FORMS[self.cursor].0;
                state.effects.push(Effect::Copy(form, self.skills.paths.clone()));
                state.closing = true;
            }
            Action::Back => state.closing = true,
            _ => {}
        }
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        let forms = layout::below(Self::area(state), 2);
        let Some(form) = layout::row_at(forms, place, self.top(state), COPY_FORMS.len()) else {
            return;
        };
        self.cursor = form;
        if twice {
            self.act(Action::Accept, state);
        }
    }
}
