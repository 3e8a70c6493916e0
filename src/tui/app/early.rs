//! Keys that come before the list is whole. Whoever types a name and Enter at once means the best
//! match of all skills, and not of those that happen to be read by then.

use super::{Action, Effect, Screen, Section, State, Timer};

/// Milliseconds until keys count though skills are still being read: by then a person has seen
/// rows.
const EARLY_MS: u64 = 1_000;

impl State {
    /// A list begins that nobody has seen yet.
    pub(super) fn begin_early(&mut self) {
        self.early = true;
        self.effects.push(Self::EARLY);
    }

    pub(super) const EARLY: Effect = Effect::Wait(Timer::Early, EARLY_MS);

    /// Whether this key must wait until all skills are read: it is about the row of the best match,
    /// which may still change. Who has moved the cursor means the row below it.
    pub fn awaits_list(&self, action: Action) -> bool {
        let is_whole = self.viewed.complete && !self.picker.is_ranking();
        self.early && !is_whole && self.takes_best(action)
    }

    fn takes_best(&self, action: Action) -> bool {
        match self.screens.last() {
            None => {
                let is_about_row = matches!(action.section(), Section::Pick | Section::Change)
                    || matches!(
                        action,
                        Action::Open | Action::Right | Action::Seen | Action::Copies | Action::Edit
                    );
                self.picker.list.cursor == 0 && is_about_row
            }
            Some(Screen::Compose(compose)) => {
                compose.completes_best() && matches!(action, Action::Accept | Action::Target)
            }
            Some(_) => false,
        }
    }
}
