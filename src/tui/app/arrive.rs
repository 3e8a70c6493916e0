//! Messages from outside: a newer view, a plan, an expired timer.

use super::choose::{pick_waiting, undoable};
use super::{
    Action, Asked, ChangeJob, Compare, Compose, Confirm, Effect, KeyTable, Msg, Notice, Plan,
    Project, Ranking, Screen, SettingsAlarm, State, Timer, Viewed,
};
use crate::catalog::Skill;
use crate::inert;
use crate::listing::Rows;
use crate::text::SafeText;
use std::path::Path;
use std::sync::Arc;

/// Milliseconds that a screen is shown before keys count which were not meant for it, since they
/// were typed while it opened, or while the one above it closed.
const UNMEANT_MS: u64 = 250;

/// Handles a message that is not an input.
pub(super) fn arrived(state: &mut State, answer: Msg) {
    match answer {
        Msg::Viewed(viewed) => on_view(state, *viewed),
        Msg::Changed(number, answer) => state.answered(number, answer),
        Msg::StoredEdited(draft) => state.text_edited(draft),
        Msg::Unmended => {
            state.mended.pop();
        }
        Msg::ProjectRead(_) | Msg::ChangesRead(_) | Msg::CopiesRead(_) | Msg::ActivityRead(_) => {
            state.screens.iter_mut().for_each(|screen| screen.arrived(&answer));
        }
        Msg::Budgeted(key, budget) => state.budgeted_as(key, budget),
        Msg::BudgetedWithout(key, path, gauge) => state.budget_without(key, &path, gauge),
        Msg::Shared(text) => state.say(Notice::plain(undoable(state, &text))),
        Msg::Notice(notice) => state.say(notice),
        Msg::Asking => state.asking(true),
        Msg::Asked => state.asking(false),
        Msg::Waited(timer) => on_timer(state, timer),
        Msg::Compared(_, Err(why)) => state.say(Notice::grave(why)),
        Msg::Compared(title, Ok(lines)) => {
            state.screens.push(Screen::Compare(Compare::new(title, lines)))
        }
        Msg::Previewed(key, text) => {
            state.picker.preview.arrived(&key, text.clone());
            let details = state.screens.iter_mut().filter_map(|screen| match screen {
                Screen::Detail(detail) => Some(detail),
                _ => None,
            });
            details.for_each(|detail| detail.arrived(&key, text.clone()));
        }
        Msg::Learned(path, facts) => state.learned(&path, facts),
        Msg::Completed(..)
        | Msg::Recalled(_)
        | Msg::PromptEdited(_)
        | Msg::PanesFound(_)
        | Msg::Delivered(..)
        | Msg::Unsent(..) => {
            with_compose(state, |compose, state| compose.arrived(answer, state));
        }
        Msg::Excerpted(key, excerpt) => state.excerpted(&key, excerpt),
        Msg::Bodies(generation, found) => state.add_bodies(generation, &found),
        Msg::Ranked(number, ranking) => on_ranking(state, number, *ranking),
        Msg::Unranked => unranked(state),
        Msg::HostsCounted(generation, rows) => state.counted(generation, rows),
        Msg::HostsFound(hosts) => state.hosts = hosts,
        Msg::HostsReported(reports) => state.viewed.listing.reports = reports,
        Msg::Action(_) | Msg::Text(_) | Msg::Paste(_) | Msg::Mouse(_) | Msg::Resize(..) => {}
    }
}

/// A ranking has failed: the list stays as it is, and a completion closes.
fn unranked(state: &mut State) {
    state.picker.asked = None;
    with_compose(state, |compose, _| compose.completion = None);
}

/// Hands something to the compose screen, even if another screen is above it.
fn with_compose(state: &mut State, take: impl FnOnce(&mut Compose, &mut State)) {
    let is_its = |screen: &Screen| matches!(screen, Screen::Compose(_));
    let Some(at) = state.screens.iter().position(is_its) else { return };
    let mut screen = state.screens.remove(at);
    if let Screen::Compose(compose) = &mut screen {
        take(compose, state);
    }
    state.screens.insert(at, screen);
}

pub(super) fn projects(state: &mut State) -> impl Iterator<Item = &mut Project> {
    state.screens.iter_mut().filter_map(|screen| match screen {
        Screen::Project(project) => Some(project),
        _ => None,
    })
}

fn on_view(state: &mut State, viewed: Viewed) {
    // A change of the store makes a new view.
    projects(state).for_each(|project| project.reading.outdated());
    let was_complete = state.viewed.complete;
    let (alarms, rows) = (Arc::clone(&state.viewed.alarms), Arc::clone(&state.viewed.rows));
    let only_verdicts = was_complete && viewed.complete && same_skills(&state.viewed, &viewed);
    state.replace_view(viewed);
    if state.viewed.complete {
        state.epoch += 1;
        state.stop_spinner();
        meet_marks(state, &rows);
        state.gauge_later();
    }
    tell_new_alarm(state, &alarms);
    with_compose(state, Compose::viewed);
    if only_verdicts {
        return state.rejudge();
    }
    state.review(!was_complete);
}

/// Marks wait for a view that has their skills. If a newer scan of the same view takes the last
/// ones away, says so, since the next key would be about the current row.
fn meet_marks(state: &mut State, before: &Rows) {
    let marked = state.marks.in_order().to_vec();
    let rows = Arc::clone(&state.viewed.rows);
    state.marks.meet(|path| rows.at(path).is_some());
    let view = (state.options.host, state.on_examples);
    let is_other = std::mem::replace(&mut state.met, view) != view;
    if is_other || state.marks.count() > 0 {
        state.gone = None;
        return;
    }
    let mut names = marked.iter().filter_map(|path| Some(before.at(path)?.skill().full_name()));
    let Some(first) = names.next().map(|name| SafeText::line(&name)) else { return };
    let why = match names.count() {
        0 => inert!("the marked skill is gone: {}", first),
        more => inert!("the marked skills are gone: {} +{}", first, more),
    };
    state.gone = Some(why.clone());
    if state.notice.is_none() {
        state.say(Notice::grave(why));
    }
}

fn on_ranking(state: &mut State, number: u64, ranking: Ranking) {
    state.ranked(number, ranking);
    let listed = state.viewed.complete && !state.picker.is_ranking();
    if listed {
        state.early = false;
        pick_waiting(state);
    }
}

/// Tells of settings that cannot be read: what they might forbid is denied, so the list alone would
/// mislead.
fn tell_new_alarm(state: &mut State, before: &[SettingsAlarm]) {
    let Some(alarm) = state.viewed.alarms.iter().find(|alarm| !before.contains(alarm)) else {
        return;
    };
    let place = alarm.spot.as_ref();
    let place = place.map(|(file, line)| inert!("{}:{}: ", state.short_path(file), *line));
    let place = place.unwrap_or_default();
    let key = state.key_word(KeyTable::Picker, Action::Problems);
    let text = inert!("{}{} ({} shows all problems)", place, alarm.words, key);
    state.say(Notice::grave(text));
}

/// Whether two views have the same skills, unchanged and in the same order.
fn same_skills(one: &Viewed, other: &Viewed) -> bool {
    let same = |(one, other): (&Arc<Skill>, &Arc<Skill>)| {
        one.path == other.path && one.stamp == other.stamp && one.bytes == other.bytes
    };
    one.rows.len() == other.rows.len() && one.rows.skills().zip(other.rows.skills()).all(same)
}

pub(super) fn on_plan(state: &mut State, plan: Box<Plan>) {
    if plan.files.is_empty() {
        let label = SafeText::line(&plan.label);
        let why = unseen_by(state).unwrap_or(SafeText::fixed("nothing to change"));
        // It is to be read, so the picker stays.
        state.waiting_pick = None;
        return state.change_ended(Notice::neutral(inert!("{}: {}", label, why)));
    }
    if plan.ask || !state.hidden(&state.acting).is_empty() {
        ask(state, Asked::Settings(plan));
    } else {
        state.begin(ChangeJob::Save(plan));
    }
}

/// Who does not see any of the skills that are being switched, so that nobody has them on or off.
fn unseen_by(state: &State) -> Option<SafeText> {
    let mut paths = state.acting.paths.iter();
    let seen = |path: &Arc<Path>| state.entry(path).is_none_or(|entry| entry.looks.here());
    (state.acting.host.is_none() && paths.len() > 0 && !paths.any(seen)).then(|| {
        match state.options.sees_all() {
            true => SafeText::fixed("nothing to change, since no agent sees it"),
            false => inert!("nothing to change, since {} does not see it", state.options.host),
        }
    })
}

/// Asks before a change is written.
pub(super) fn ask(state: &mut State, asked: Asked) {
    // What waits would follow on a plan that may be rejected.
    if state.turns_back() {
        let why = "the undo is not made: this question comes first";
        state.say(Notice::neutral(SafeText::fixed(why)));
    }
    state.drop_waiting();
    state.begin_delay();
    let chosen = std::mem::take(&mut state.acting);
    let confirm = Confirm::new(asked, chosen, state);
    state.screens.push(Screen::Confirm(confirm));
}

impl State {
    /// The topmost screen closes, and no key has asked for it.
    pub(super) fn closes_by_itself(&mut self, why: &'static str) {
        if self.notice.is_none() {
            self.say(Notice::neutral(SafeText::fixed(why)));
        }
        self.unmeant = Some(self.begin_delay());
    }

    /// A key that was meant for what stood here before does nothing for a moment. Its number.
    fn begin_delay(&mut self) -> u64 {
        self.questions += 1;
        self.effects.push(Effect::Wait(Timer::Confirm(self.questions), UNMEANT_MS));
        self.questions
    }
}

fn on_timer(state: &mut State, timer: Timer) {
    match timer {
        Timer::Spinner => state.step_spinner(),
        Timer::SlowPreview(number) => {
            state.picker.preview.late(number);
            for screen in &mut state.screens {
                if let Screen::Detail(detail) = screen {
                    detail.pane.late(number);
                }
            }
        }
        Timer::Draft => with_compose(state, Compose::keep),
        Timer::Early => state.early = false,
        Timer::Gauge(generation) => state.gauge_now(generation),
        Timer::Notice(number) => state.notice_read(number),
        Timer::Confirm(number) => {
            state.unmeant = state.unmeant.filter(|unmeant| *unmeant != number);
            for screen in &mut state.screens {
                if let Screen::Confirm(confirm) = screen {
                    confirm.ready |= confirm.number == number;
                }
            }
        }
    }
}
