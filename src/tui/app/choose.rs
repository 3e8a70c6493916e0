//! Marking, picking, turning on and off.

use super::{
    Action, ChangeJob, ChangeRequest, Chosen, Effect, Exit, KeyTable, Notice, Prefer, Screen,
    State, Waiting,
};
use crate::catalog::{Enablement, HostId, checks};
use crate::inert;
use crate::policy::{Cure, Entry, HostLabel, Status};
use crate::text::SafeText;
use std::path::Path;
use std::sync::Arc;

/// Columns of the folder of a skill that is not seen.
const FOLDER: usize = 32;

pub(super) fn mark_and_step(state: &mut State, rows: isize) {
    if !state.options.multi {
        return state.picker.move_by(rows);
    }
    let marked = state.marked_at(state.picker.list.cursor);
    if !marked.is_empty() {
        state.marks.remove(&marked);
    } else if let Some(path) = state.current().map(|entry| Arc::from(entry.skill.path.as_path())) {
        state.marks.add(&path);
    }
    state.picker.move_by(rows);
}

/// What is said of a skill that has vanished meanwhile.
pub(super) const GONE: &str = "this skill is gone";

/// Marks the skill, or takes the mark away, and says how many are marked.
pub(super) fn mark(state: &mut State, path: &Arc<Path>) {
    if !state.options.multi {
        return state.say(Notice::neutral(SafeText::fixed("only one skill can be picked here")));
    }
    if state.entry(path).is_none() {
        return state.say(Notice::grave(SafeText::fixed(GONE)));
    }
    state.marks.toggle(path);
    let count = state.marks.count();
    state.say(Notice::plain(inert!("{} marked", count)));
}

/// Marks all rows that can be picked or switched, without those that only a body mentions. If all
/// of these are marked already, takes their marks away; marks that the query hides stay.
pub(super) fn mark_all(state: &mut State) {
    if !state.options.multi {
        return state.say(Notice::neutral(SafeText::fixed("only one skill can be picked here")));
    }
    let shown = &state.picker.shown;
    let matches = shown.hits.iter().enumerate().filter(|(_, hit)| hit.reason.is_match());
    let matches = matches.filter_map(|(row, _)| Some((row, state.picker.entry(row)?)));
    let (usable, others): (Vec<(usize, &Entry)>, Vec<_>) =
        matches.partition(|(_, entry)| entry.pickable() || entry.is_seen());
    let left = others.len();
    // Few of those that only mention a word are meant.
    let mentioned = shown.hits.iter().filter(|hit| !hit.reason.is_match()).count();
    let mentioned = (mentioned > 0).then(|| inert!("{} match only in their text", mentioned));
    if usable.is_empty() {
        let why = match (left, mentioned) {
            (0, None) => SafeText::fixed("no match"),
            (0, Some(mentioned)) => mentioned,
            _ => SafeText::fixed("none of these can be picked or switched"),
        };
        return state.say(Notice::neutral(inert!("nothing to mark: {}", why)));
    }
    let unmarked = usable.iter().filter(|(row, _)| state.marked_at(*row).is_empty());
    let unmarked: Vec<Arc<Path>> =
        unmarked.map(|(_, entry)| Arc::from(entry.skill.path.as_path())).collect();
    if unmarked.is_empty() {
        let marked: Vec<_> = usable.iter().flat_map(|(row, _)| state.marked_at(*row)).collect();
        state.marks.remove(&marked);
    } else {
        unmarked.iter().for_each(|path| state.marks.add(path));
    }
    let (count, hidden) = (state.marks.count(), state.hidden(&state.chosen()).len());
    let hidden = (hidden > 0).then(|| inert!("{} of them hidden", hidden));
    let left = (left > 0).then(|| inert!("{} cannot be picked or switched", left));
    let parts = [Some(inert!("{} marked", count)), hidden, left, mentioned];
    state.say(Notice::plain(SafeText::join(parts.into_iter().flatten(), ", ")));
}

/// Picks the marked skills, else the current row.
pub(super) fn pick(state: &mut State) {
    pick_these(state, state.chosen());
}

/// Picks these skills, and asks for which agent if that matters and nobody has said it.
pub(super) fn pick_these(state: &mut State, skills: Chosen) {
    if state.awaits_change() {
        // The change was asked for first, and leaving would lose it.
        state.waiting_pick = Some(skills);
        return;
    }
    let chosen = skills.paths.clone();
    if (!state.viewed.complete || state.picker.is_ranking())
        && (chosen.is_empty() || chosen.iter().any(|path| state.entry(path).is_none()))
    {
        // Enter was typed before the first rows came, and means the best of them; marked rows may
        // still come.
        state.waiting_pick = Some(Chosen::default());
        return;
    }
    if chosen.is_empty() {
        return state.say(Notice::grave(SafeText::fixed("nothing to pick: no skill matches")));
    }
    let refused = chosen.iter().find_map(|path| match state.entry(path) {
        None => Some(SafeText::fixed(GONE)),
        Some(entry) => (!entry.pickable()).then(|| refusal(state, entry)).flatten(),
    });
    match refused {
        Some(why) => state.say(Notice::grave(why)),
        None => match Prefer::new(state, skills) {
            Some(question) => state.screens.push(Screen::Prefer(question)),
            None => state.effects.push(Effect::Exit(Exit::Picked(chosen))),
        },
    }
}

/// Picks what waited to be picked.
pub(super) fn pick_waiting(state: &mut State) {
    let Some(skills) = state.waiting_pick.take() else { return };
    let skills = if skills.paths.is_empty() { state.chosen() } else { skills };
    pick_these(state, skills);
}

/// Why an entry cannot be picked or switched, with the keys that help.
pub(super) fn refusal(state: &State, entry: &Entry) -> Option<SafeText> {
    let (name, order) = (state.options.host, state.viewed.policy.order);
    let host = HostLabel { id: HostId(name), name, order };
    let key = |action| state.key_word(KeyTable::Picker, action);
    if entry.is_elsewhere() {
        let host = state.options.host;
        return state
            .why_unseen(entry)
            .map(|why| inert!("{}: {} {}", entry.skill.full_name(), host, why));
    }
    let refusal = entry.refusal(host)?;
    Some(match &refusal.cure {
        Some(Cure::Check(_)) => inert!(
            "{}: see its problems ({}), or edit it ({})",
            refusal.reason(),
            key(Action::Problems),
            key(Action::Edit)
        ),
        Some(Cure::Enable(_)) => {
            let more = state.on_in_columns(&entry.skill.path).unwrap_or_default();
            inert!("{}: {} turns it on{}", refusal.reason(), key(Action::Toggle), more)
        }
        Some(Cure::Stays(_) | Cure::Tell { .. }) | None => refusal.line(),
    })
}

/// Turns the skills on if all of them are off, else off. While an earlier change of this view is
/// being written the toggle waits, so that it inverts the result of that change.
pub(super) fn toggle(state: &mut State, chosen: Chosen) {
    if state.is_changing() {
        return state.wait_in_turn(Waiting::Toggle(chosen));
    }
    if let Some(host) = chosen.host {
        return toggle_through(state, host, chosen);
    }
    let entries: Vec<&Entry> = chosen.paths.iter().filter_map(|path| state.entry(path)).collect();
    // The host's switch goes by name, so it would switch the skill that shadows this one.
    let is_other = |entry: &&&Entry| !entry.taken() || entry.is_elsewhere();
    let other = entries.iter().find(is_other);
    if let Some(why) = other.and_then(|entry| refusal(state, entry)) {
        return state.say(Notice::grave(why));
    }
    if entries.is_empty() {
        return;
    }
    if state.viewed.files.read_only {
        let key = state.key_word(KeyTable::Picker, Action::Problems);
        let why = inert!(
            "the settings file is broken, so nothing is written: see the problems ({})",
            key
        );
        return state.say(Notice::grave(why));
    }
    let on = !any_on(state, &chosen);
    plan_switch(state, chosen, on.into());
}

/// Turns the skills on or off for one agent.
fn toggle_through(state: &mut State, host: HostId, chosen: Chosen) {
    let mut statuses =
        chosen.paths.iter().filter_map(|path| Some((path, state.status(host, path)?)));
    if let Some((path, other)) = statuses.find(|(_, status)| status.verdict().is_none()) {
        let why = why_not_there(state, KeyTable::Picker, (host, path), &other);
        return state.say(Notice::grave(why));
    }
    let to = Enablement::from(!any_on(state, &chosen));
    let paths = chosen.paths.clone();
    if paths.is_empty() {
        return;
    }
    state.acting = chosen;
    state.begin(ChangeJob::PlanThrough(host.word(), ChangeRequest::Switch { paths, to }));
}

impl State {
    /// Where the skill lies that the view's agent does not see, and the key that helps.
    pub(super) fn where_nobody_looks(&self, entry: &Entry) -> SafeText {
        let looks = if self.options.sees_all() { "no agent looks" } else { "does not look" };
        // The folder that holds it: one above may be looked in, but not so deep.
        let place = entry.skill.location();
        let place = self.short_path(place.parent().unwrap_or(place)).cut_start(FOLDER);
        match self.viewed.closed_to(HostId(self.options.host), &entry.skill) {
            // A share would be in a folder that is closed to the agent as well.
            Some(why) => inert!("{} in {}: {}", looks, place, why),
            None => {
                let key = self.key_word(KeyTable::Picker, Action::Seen);
                inert!("{} in {} · {} shares it", looks, place, key)
            }
        }
    }
}

/// Why an agent does not have the skill, and the key of this table that helps.
pub(super) fn why_not_there(
    state: &State,
    table: KeyTable,
    (host, path): (HostId, &Path),
    status: &Status,
) -> SafeText {
    let entry = state.entry(path);
    let closed = entry.and_then(|entry| state.viewed.closed_to(host, &entry.skill));
    let host = host.word();
    match (status, closed) {
        (Status::NotThere, Some(why)) => {
            inert!("{} does not look in this skill's folder: {}", host, why)
        }
        (Status::NotThere, None) => {
            let action = if table == KeyTable::Seen { Action::Share } else { Action::Seen };
            let key = state.key_word(table, action);
            inert!("{} does not look in this skill's folder; {} shares it", host, key)
        }
        (Status::Refused(check), _) if *check == &checks::HOST_PARSER => {
            inert!("{} leaves it out because of its frontmatter", host)
        }
        (Status::Refused(check), _) => inert!("{} does not take this skill: {}", host, check.code),
        _ => inert!("{} takes another skill of this name", host),
    }
}

/// Whether one of these is on; then a toggle turns all of them off.
pub(super) fn any_on(state: &State, chosen: &Chosen) -> bool {
    let is_on = |path: &Arc<Path>| match chosen.host {
        None => state.entry(path).is_some_and(Entry::is_on),
        Some(host) => state
            .status(host, path)
            .is_some_and(|status| matches!(status.state(), Enablement::On | Enablement::NameOnly)),
    };
    chosen.paths.iter().any(is_on)
}

fn plan_switch(state: &mut State, chosen: Chosen, to: Enablement) {
    let paths = chosen.paths.clone();
    state.acting = chosen;
    state.begin(ChangeJob::Plan(ChangeRequest::Switch { paths, to }));
}

/// Sets the chosen skills to the next state of the host's switch. A switch with only on and off is
/// toggled.
pub(super) fn cycle_state(state: &mut State) {
    cycle(state, state.chosen());
}

/// The same for these skills. While an earlier change is made, it waits: their state may change.
pub(super) fn cycle(state: &mut State, chosen: Chosen) {
    if state.is_changing() {
        return state.wait_in_turn(Waiting::Cycle(chosen));
    }
    let states = state.viewed.files.states.clone();
    let now = chosen
        .paths
        .first()
        .and_then(|path| state.entry(path))
        .filter(|entry| entry.taken())
        .map(|entry| entry.state);
    let next = now.and_then(|now| {
        let place = states.iter().position(|state| *state == now)?;
        states.get((place + 1) % states.len()).copied()
    });
    match next {
        Some(to) if states.len() > 2 && !state.viewed.files.read_only => {
            plan_switch(state, chosen, to)
        }
        _ => toggle(state, chosen),
    }
}

/// What was changed, and the key that takes it back.
pub(super) fn undoable(state: &State, text: &SafeText) -> SafeText {
    // Where text is written, the key takes back what was written.
    if state.compose().is_some() {
        return inert!("{} · skillpick undo takes it back", text);
    }
    let table = match state.context().table {
        // There the key takes back what is unsaved, is text, or does nothing; copies close when one
        // is left.
        KeyTable::Rules | KeyTable::Confirm | KeyTable::Typing | KeyTable::Copies => {
            KeyTable::Picker
        }
        table => table,
    };
    inert!("{} · {} undoes it", text, state.key_word(table, Action::Undo))
}
