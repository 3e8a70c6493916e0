//! Keys that would refuse where the cursor is, for the hints.

use super::choose::refusal;
use super::detail::is_about_skill;
use super::update::no_rules;
use super::{Action, KeyTable, Screen, State};
use crate::catalog::Enablement;
use crate::inert;
use crate::policy::{Entry, StatusKind};
use crate::text::SafeText;

/// Why a key would refuse here, in a few words.
pub(super) fn refused(state: &State, action: Action) -> Option<SafeText> {
    match state.screens.last() {
        Some(Screen::Detail(detail)) if state.entry(&detail.path).is_none() => {
            // Marked skills are picked instead of the shown one.
            let picks_others = action == Action::Pick && state.marks.count() > 0;
            let needs_it = is_about_skill(action) && !picks_others;
            return needs_it.then(|| SafeText::fixed("it is gone"));
        }
        Some(Screen::Copies(copies)) if action == Action::KeepCopy => {
            return copies.why_not_kept(state).map(SafeText::fixed);
        }
        None if action == Action::Rules => {
            let key = state.key_word(KeyTable::Picker, Action::Hosts);
            let first = || inert!("{} first", key);
            let none = || SafeText::fixed("it has none");
            return no_rules(state)
                .map(|_| if state.options.sees_all() { first() } else { none() });
        }
        _ => {}
    }
    Some(SafeText::fixed(match status_that_refuses(state, action)? {
        // It is on, and its own text keeps people from calling it.
        StatusKind::Is(state) if state != Enablement::Off => "not for people",
        status => status.word(),
    }))
}

/// The one skill that a key picks or switches here.
fn meant(state: &State, action: Action) -> Option<&Entry> {
    let unmarked = state.marks.count() == 0;
    match state.screens.last() {
        None => state.current().filter(|_| unmarked),
        Some(Screen::Detail(detail)) => {
            state.entry(&detail.path).filter(|_| unmarked || action == Action::Toggle)
        }
        Some(Screen::Copies(copies)) => copies.entry(state),
        _ => None,
    }
}

/// The status for which the current skill cannot be picked or switched.
fn status_that_refuses(state: &State, action: Action) -> Option<StatusKind> {
    let entry = meant(state, action)?;
    match (action, state.column().filter(|_| state.screens.is_empty())) {
        (Action::Toggle, Some(report)) => {
            let status = state.status(report.host, &entry.skill.path)?;
            status.verdict().is_none().then(|| status.status())
        }
        (Action::Toggle, None) if entry.taken() && !entry.is_elsewhere() => None,
        (Action::Pick, _) if entry.pickable() => None,
        (Action::Toggle | Action::Pick, _) => {
            refusal(state, entry).is_some().then(|| entry.status())
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
