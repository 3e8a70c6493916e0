//! While a plan is made: how it is shown, and how it is given up.

use super::choose::toggle;
use super::{Action, Chosen, Effect, KeyTable, Msg, Notice, NoticeKind, State};
use crate::inert;
use crate::text::SafeText;

/// What becomes of a plan that is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planning {
    /// It is shown or written.
    Wanted,
    /// It is dropped when it comes. Until then no other one is asked for, since their answers could
    /// not be told apart.
    GivenUp,
}

impl State {
    /// Asks for a plan.
    pub(super) fn plan(&mut self, effect: Effect) {
        (self.changing, self.planning) = (true, Some(Planning::Wanted));
        self.effects.push(effect);
        self.turn_spinner();
    }

    /// Whether a plan is being made that somebody waits for.
    pub(super) fn is_planning(&self) -> bool {
        self.planning == Some(Planning::Wanted)
    }

    /// A plan takes long: says so, and how it is given up.
    pub(super) fn tell_planning(&mut self) {
        if self.is_planning() && self.notice.is_none() {
            // Above the picker the key closes a screen.
            let key = self.key_word(KeyTable::Picker, Action::Back);
            self.say(Notice::neutral(match self.screens.is_empty() {
                true => inert!("working out the change; {} gives it up", key),
                false => SafeText::fixed("working out the change"),
            }));
        }
    }

    /// Gives up the plan that is being made; `false` if there is none.
    pub(super) fn give_up(&mut self) -> bool {
        let is_planning = self.is_planning();
        if is_planning {
            self.planning = Some(Planning::GivenUp);
            self.waiting.clear();
            self.stop_spinner();
            self.say(Notice::neutral(SafeText::fixed("given up: nothing is written")));
        }
        is_planning
    }

    /// The plan that was awaited has come; whether it is dropped, since it was given up.
    pub(super) fn drops(&mut self, answer: &Msg) -> bool {
        if !matches!(answer, Msg::Planned(_) | Msg::MendPlanned(_) | Msg::StoredPlanned(_)) {
            return false;
        }
        let given_up = self.planning.take() == Some(Planning::GivenUp);
        self.stop_spinner();
        if self.notice.as_ref().is_some_and(|notice| notice.kind == NoticeKind::Neutral) {
            self.notice = None;
        }
        if given_up {
            (self.changing, self.acting) = (false, Chosen::default());
            if let Some(chosen) = self.waiting.pop_front() {
                toggle(self, chosen);
            }
        }
        given_up
    }
}
