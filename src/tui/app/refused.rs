//! Keys of the picker that would refuse where the cursor is, for the hints.

use super::detail::is_about_skill;
use super::update::no_rules;
use super::{Action, KeyTable, Screen, State};
use crate::inert;
use crate::policy::{Entry, StatusKind};
use crate::text::SafeText;

/// Why a key of the picker would refuse here, in a few words.
pub(super) fn refused(state: &State, action: Action) -> Option<SafeText> {
    if let Some(Screen::Detail(detail)) = state.screens.last() {
        // Marked skills are picked instead of the shown one.
        let picks_others = action == Action::Pick && state.marks.count() > 0;
        let is_gone = state.entry(&detail.path).is_none() && !picks_others;
        let is_gone = is_gone && is_about_skill(action);
        return is_gone.then(|| SafeText::fixed("it is gone"));
    }
    if !state.screens.is_empty() {
        return None;
    }
    if action == Action::Rules {
        let key = state.key_word(KeyTable::Picker, Action::Hosts);
        let first = || inert!("{} first", key);
        let none = || SafeText::fixed("it has none");
        return no_rules(state).map(|_| if state.options.sees_all() { first() } else { none() });
    }
    status_that_refuses(state, action).map(|status| SafeText::fixed(status.word()))
}

/// The status for which the current skill cannot be picked or switched.
fn status_that_refuses(state: &State, action: Action) -> Option<StatusKind> {
    let entry = state.current().filter(|_| state.marks.count() == 0)?;
    match (action, state.column()) {
        (Action::Toggle, Some(report)) => {
            let status = state.status(report.host, &entry.skill.path)?;
            status.verdict().is_none().then(|| status.status())
        }
        (Action::Toggle, None) if entry.taken() && !entry.is_elsewhere() => None,
        (Action::Pick, _) if entry.pickable() => None,
        (Action::Toggle | Action::Pick, _) => {
            state.why_unseen(entry).is_some().then(|| entry.status())
        }
        _ => None,
    }
}

/// Whether an agent that does not look at the current skill can be given a share of it.
pub(super) fn is_shareable(state: &State) -> bool {
    let is_left_out = [Action::Pick, Action::Toggle]
        .into_iter()
        .any(|action| status_that_refuses(state, action) == Some(StatusKind::NotThere));
    is_left_out && !state.current().is_some_and(Entry::is_too_deep)
}
