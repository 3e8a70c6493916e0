//! While a plan is made: how it is shown, and how it is given up.

use super::choose::{cycle, pick_waiting, toggle};
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

/// What waits for the change before it.
#[derive(Debug)]
pub enum Waiting {
    /// Turn these skills on or off.
    Toggle(Chosen),
    /// Set these skills to their next state.
    Cycle(Chosen),
    /// Take back a change, or make one again.
    Journal(Effect),
}

impl State {
    /// Takes back a change, or makes one again. A change that was asked for before comes first: the
    /// key may be meant for it.
    pub(super) fn turn_back(&mut self, effect: Effect) {
        if self.changing {
            return self.waiting.push_back(Waiting::Journal(effect));
        }
        self.changing = true;
        self.effects.push(effect);
    }

    /// No change is on its way: what waits next begins, or what was picked is handed over.
    pub(super) fn after_change(&mut self) {
        while !self.changing
            && let Some(next) = self.waiting.pop_front()
        {
            match next {
                Waiting::Toggle(chosen) => toggle(self, chosen),
                Waiting::Cycle(chosen) => cycle(self, chosen),
                Waiting::Journal(effect) => self.turn_back(effect),
            }
        }
        if !self.changing {
            pick_waiting(self);
        }
    }

    /// Asks for a plan.
    pub(super) fn plan(&mut self, effect: Effect) {
        (self.changing, self.planning) = (true, Some(Planning::Wanted));
        self.effects.push(effect);
        self.turn_spinner();
    }

    /// Whether a change can be asked for; says so if not. One change at a time.
    pub(super) fn is_free(&mut self) -> bool {
        if self.changing {
            let why = "one change at a time: the one before is not finished";
            self.say(Notice::neutral(SafeText::fixed(why)));
        }
        !self.changing
    }

    /// Whether a plan is being made that somebody waits for.
    pub(super) fn is_planning(&self) -> bool {
        self.planning == Some(Planning::Wanted)
    }

    /// Whether a change that somebody wants is being worked out or written, or waits for another
    /// one.
    pub(super) fn awaits_change(&self) -> bool {
        let is_wanted = self.changing && self.planning != Some(Planning::GivenUp);
        is_wanted || !self.waiting.is_empty()
    }

    /// Whether an undo or redo waits for the change before it.
    pub(super) fn turns_back(&self) -> bool {
        self.waiting.iter().any(|one| matches!(one, Waiting::Journal(_)))
    }

    /// Drops what was to follow on a change.
    pub(super) fn drop_waiting(&mut self) {
        self.waiting.clear();
        self.waiting_pick = None;
    }

    /// What is said when the picker is left before a change was worked out, or taken back.
    pub fn unmade(&self) -> Option<SafeText> {
        let is_back = |one: &Waiting| matches!(one, Waiting::Journal(_));
        if self.is_planning() || !self.waiting.iter().all(is_back) {
            return Some(SafeText::fixed("left before the change was worked out: it is not made"));
        }
        let waits = !self.waiting.is_empty();
        waits.then(|| SafeText::fixed("left before the next undo or redo began: it is not made"))
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
            self.drop_waiting();
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
            self.after_change();
        }
        given_up
    }
}
