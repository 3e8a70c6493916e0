//! The pane of effects: what saving would change for the skills.

use super::Rules;
use crate::policy;
use crate::tui::app::{Action, Mouse, State, layout};
use ratatui::layout::Rect;

/// Lines of the pane that are not effects: its head and the sum.
const FRAME: usize = 2;

impl Rules {
    /// Skills that a rule decides, whose verdict would change, or that are not as by default: those
    /// of the current rule first, of these the changed ones first.
    pub fn effects(&self, state: &State) -> Vec<&policy::Effect> {
        let current = Self::rule_of_draft(state, self.list.cursor);
        let policy = &state.viewed.policy;
        let differs = |effect: &&policy::Effect| {
            effect.after.model.value != policy.defaults.load.value
                && policy.refusal(&effect.skill).is_none()
        };
        let told =
            |effect: &&policy::Effect| effect.changed() || effect.rule.is_some() || differs(effect);
        let mut effects: Vec<_> = self.outcome.effects.iter().filter(told).collect();
        effects.sort_by_key(|effect| {
            (effect.rule != Some(current), !effect.changed(), effect.rule.is_none())
        });
        effects
    }

    /// How many of `count` effects are visible. If not all are, one line says which.
    pub fn effects_shown(pane: Rect, count: usize) -> usize {
        let room = usize::from(pane.height).saturating_sub(FRAME);
        if count > room { room.saturating_sub(1) } else { count }
    }

    /// Scrolls the effects; `false` if the action is something else.
    pub(super) fn scroll_effects(&mut self, action: Action, state: &State) -> bool {
        let page =
            Self::layout(state).right.map_or(0, |pane| Self::effects_shown(pane, usize::MAX));
        let page = page.saturating_sub(1).max(1).cast_signed();
        let lines = layout::scrolled(action, page);
        lines.inspect(|lines| self.effects_by(*lines, state)).is_some()
    }

    /// Scrolls the effects; for another rule they begin at the top.
    pub(super) fn effects_by(&mut self, lines: isize, state: &State) {
        if std::mem::replace(&mut self.effects_of, self.list.cursor) != self.list.cursor {
            self.effects_top = 0;
        }
        let count = self.effects(state).len();
        let shown =
            Self::layout(state).right.map_or(count, |pane| Self::effects_shown(pane, count));
        self.effects_top = self.effects_top.saturating_add_signed(lines).min(count - shown);
    }

    /// The wheel scrolls the effects if it is over them, else it moves the cursor.
    pub(in crate::tui::app) fn mouse(&mut self, mouse: Mouse, state: &mut State) {
        let (place, action, lines) = match mouse {
            Mouse::WheelUp(place) => (place, Action::Up, -3),
            Mouse::WheelDown(place) => (place, Action::Down, 3),
            Mouse::Drag(_) => return,
            Mouse::Click(place) | Mouse::DoubleClick(place) => return self.clicked(place, state),
        };
        if Self::layout(state).right.is_some_and(|pane| pane.contains(place)) {
            self.effects_by(lines, state);
            return;
        }
        self.act(action, state)
    }
}
