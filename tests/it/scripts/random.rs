//! Random keys, messages and sizes.

use crate::model::catalog::TestCatalog;
use crate::model::changes::changes;
use crate::model::screen::{self, settle};
use crate::model::script::{self, edited, in_words, plan, planned, script, shop, top};
use crate::model::script::{answered, update};
use crate::model::{self, log, project};
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Rect};
use skillpick::catalog::HostId;
use skillpick::text::SafeText;
use skillpick::tui::app::{
    Action, ActivityLog, BudgetKey, COPY_FORMS, ChangeAnswer, Effect, Mouse, Msg, Screen, State,
    Timer,
};
use skillpick::tui::keymap::Meaning;
use skillpick::tui::view::{Palette, Theme, draw};
use std::sync::Arc;

/// What a person, the shell or a terminal can send.
fn msg() -> impl Strategy<Value = Msg> {
    let action = prop::sample::select(Action::ALL).prop_map(Msg::Action);
    let cell = || (0_u16..170, 0_u16..50);
    prop_oneof![
        8 => action,
        3 => prop::sample::select(vec!['a', 'p', ' ', '?', '*', '!', ':', '日', '\u{202e}']).prop_map(Msg::Text),
        1 => "[pdf*/ \\n\\x1b]{0,12}".prop_map(Msg::Paste),
        1 => cell().prop_map(|(x, y)| Msg::Mouse(Mouse::Click(Position::new(x, y)))),
        1 => cell().prop_map(|(x, y)| Msg::Mouse(Mouse::DoubleClick(Position::new(x, y)))),
        1 => cell().prop_map(|(x, y)| Msg::Mouse(Mouse::WheelDown(Position::new(x, y)))),
        1 => (0_u16..200, 0_u16..60).prop_map(|(x, y)| Msg::Resize(x, y)),
        1 => (step(), answer()).prop_map(|(number, answer)| Msg::Changed(number, answer)),
        1 => Just(Msg::StoredEdited(edited())),
        1 => any::<prop::sample::Index>().prop_map(|at| Msg::Viewed(Box::new(view(at.index(3))))),
        1 => (0_u64..20, prop::collection::vec(0_u32..20, 0..4)).prop_map(|(old, found)| Msg::Bodies(old, found)),
        1 => (0_u64..20).prop_map(|number| Msg::Waited(Timer::SlowPreview(number))),
        1 => (0_u64..20).prop_map(|number| Msg::Waited(Timer::Confirm(number))),
        1 => (0_usize..10).prop_map(|calls| Msg::ActivityRead(Arc::new(log(calls)))),
        1 => prop::option::of(Just("release-notes"))
            .prop_map(|open| Msg::ProjectRead(Ok(Arc::new(project::content(open))))),
        1 => (0_usize..4).prop_map(|most| Msg::ChangesRead(Ok(Arc::new(changes(most))))),
        1 => (0_usize..3).prop_map(|most| Msg::CopiesRead(Arc::new(model::copies::facts(most)))),
        1 => (0_u64..30).prop_map(|generation| Msg::Budgeted(
            BudgetKey { host: HostId::AGENTS, window: None, generation },
            Some(Arc::new(model::budget::budget(&script::shop()))),
        )),
    ]
}

/// The number of a step of a change: the one that is awaited, or one that may be older.
fn step() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(AWAITED), 1 => 0_u64..4]
}

/// Stands for the number of the step that is awaited when the message is sent.
const AWAITED: u64 = u64::MAX;

fn answer() -> impl Strategy<Value = ChangeAnswer> {
    let told = || {
        any::<bool>().prop_map(|is_done| match is_done {
            true => Ok(SafeText::fixed("done")),
            false => Err(SafeText::fixed("no room")),
        })
    };
    prop_oneof![
        2 => any::<bool>().prop_map(|ask| ChangeAnswer::Planned(Ok(Box::new(plan(1, ask))))),
        1 => Just(ChangeAnswer::StoredPlanned(Err(SafeText::fixed("pdf is as it was")))),
        1 => told().prop_map(ChangeAnswer::Saved),
        1 => told().prop_map(ChangeAnswer::Stored),
        1 => told().prop_map(ChangeAnswer::Applied),
    ]
}

/// The first calls of the shop.
fn log(calls: usize) -> ActivityLog {
    let mut log = log::shop(&TestCatalog::shop());
    log.calls.truncate(calls);
    log
}

fn view(which: usize) -> skillpick::tui::app::Viewed {
    let mut catalog = [TestCatalog::shop, TestCatalog::empty, TestCatalog::shop][which]();
    if which == 2 {
        catalog.skills.truncate(5);
        catalog.policy.rules.truncate(1);
    }
    let mut view = catalog.view();
    view.generation += which as u64 * 10;
    view
}

/// The cursor of the picker and of the topmost screen, with the number of rows.
fn lists(state: &State) -> Vec<(usize, usize)> {
    let picker = (state.picker.list.cursor, state.picker.hits().len());
    let top = match state.screens.last() {
        Some(Screen::Detail(detail)) => (detail.tree.cursor, detail.rows(state).len()),
        Some(Screen::Problems(problems)) => (problems.list.cursor, problems.rows.len()),
        Some(Screen::Rules(rules)) => (rules.list.cursor, rules.drafts.len()),
        Some(Screen::Help(help)) => (help.list.cursor, help.rows(&state.options.bindings).len()),
        Some(Screen::Copy(menu)) => (menu.cursor, COPY_FORMS.len()),
        Some(Screen::Hosts(menu)) => (menu.list.cursor, state.hosts().len()),
        Some(Screen::Seen(seen)) => (seen.list.cursor, seen.rows.len()),
        Some(Screen::Activity(activity)) => (activity.list.cursor, activity.lines.len()),
        Some(Screen::Project(project)) => (project.list.cursor, project.rows().len()),
        Some(Screen::Changes(changes)) => (changes.list.cursor, changes.rows().len()),
        Some(Screen::Prefer(prefer)) => (prefer.list.cursor, prefer.rows.len()),
        Some(Screen::Begin(_) | Screen::Compose(_)) => picker,
        Some(Screen::Copies(copies)) => (copies.list.cursor, copies.paths.len()),
        Some(Screen::Budget(budget)) => (budget.list.cursor, budget.rows(state).len()),
        Some(Screen::Compare(compare)) => (compare.scroll, compare.rows.len()),
        Some(Screen::Confirm(confirm)) => (confirm.scroll, confirm.lines(state)),
        None => picker,
    };
    vec![picker, top]
}

/// What must hold after every message: cursors are on rows, and two keys lead out.
fn check(state: &State) -> Result<(), TestCaseError> {
    for (cursor, count) in lists(state) {
        prop_assert!(cursor < count.max(1), "{}: row {cursor} of {count}", top(state));
    }
    prop_assert_eq!(script::meaning(state, "esc"), Meaning::Action(Action::Back));
    prop_assert_eq!(script::meaning(state, "ctrl-c"), Meaning::Action(Action::Abort));
    Ok(())
}

/// Draws within a larger terminal, as an inline picker does: the same twice, and nothing outside.
fn check_drawing(state: &mut State) -> Result<(), TestCaseError> {
    const MARGIN: u16 = 3;
    let Rect { width, height, .. } = state.area;
    state.area.y = MARGIN;
    let draw = |state: &State| {
        let backend = TestBackend::new(width + MARGIN, height + 2 * MARGIN);
        let mut terminal = Terminal::new(backend).unwrap();
        terminal.draw(|frame| draw(state, Theme::new(Palette::Dark), frame)).unwrap();
        terminal.backend().buffer().clone()
    };
    let cells = draw(state);
    prop_assert_eq!(&cells, &draw(state));
    for position in cells.area.positions().filter(|position| !state.area.contains(*position)) {
        prop_assert_eq!(&cells[position], &Cell::EMPTY, "{} at {}", top(state), position);
    }
    state.area.y = 0;
    Ok(())
}

/// Presses esc until the picker is left. Returns how often until it is on top, and how often from
/// there.
fn escapes(state: &mut State) -> (usize, usize) {
    let mut back = 0;
    while !state.screens.is_empty() && back < 20 {
        let left = escape(state).contains(&"left".to_owned());
        assert!(!left, "the picker is not left from above it");
        back += 1;
    }
    let left = (1..=20).find(|_| escape(state) == ["left"]);
    (back, left.unwrap_or(usize::MAX))
}

/// Presses esc, and waits: no key counts for a moment after a screen has closed by itself.
fn escape(state: &mut State) -> Vec<String> {
    let effects = script::press(state, "esc");
    script::seen_long_enough(state, &effects);
    in_words(&effects)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn no_key_sequence_traps_a_person(msgs in prop::collection::vec(msg(), 0..40)) {
        let mut state = shop();
        for mut msg in msgs {
            if let Msg::Changed(number @ AWAITED, _) = &mut msg {
                *number = state.awaited().unwrap_or_default();
            }
            let awaited = state.awaited();
            let is_answer = matches!(&msg, Msg::Changed(number, _) if Some(*number) == awaited);
            let effects = update(&mut state, msg);
            let asked = effects.iter().any(|effect| matches!(effect, Effect::Change(..)));
            prop_assert!(
                awaited.is_none() || is_answer || state.awaited() == awaited || !asked,
                "{:?} is asked for while another step is awaited", in_words(&effects)
            );
            settle(&mut state, effects);
            check(&state)?;
        }
        check_drawing(&mut state)?;
        // Time passes, after which every key counts.
        for number in 0..64 {
            update(&mut state, Msg::Waited(Timer::Confirm(number)));
        }
        prop_assert!(state.screens.len() <= 6, "{} screens stand on each other", state.screens.len());
        let top = top(&state);
        let (back, left) = escapes(&mut state);
        prop_assert!(back <= 9 && left <= 2, "{top}: {back} to the picker, {left} from there");
    }

    #[test]
    fn six_escapes_lead_from_anywhere_to_the_picker(keys in prop::collection::vec(prop::sample::select(KEYS), 0..30)) {
        let mut state = shop();
        for key in &keys {
            let effects = script::press(&mut state, key);
            if in_words(&effects).iter().any(|effect| effect.starts_with("plan")) {
                planned(&mut state, 1, true);
            }
            settle(&mut state, effects);
            check(&state)?;
        }
        let (back, left) = escapes(&mut state);
        prop_assert!(back <= 6 && left <= 2, "{back} to the picker, {left} from there, after {keys:?}");
    }
}

const KEYS: &[&str] = &[
    "enter",
    "tab",
    "esc",
    "space",
    "right",
    "left",
    "up",
    "down",
    "end",
    "f1",
    "f2",
    "f3",
    "f7",
    "/",
    "?",
    "a",
    "d",
    "e",
    "f",
    "g",
    "i",
    "n",
    "o",
    "q",
    "r",
    "t",
    "u",
    "w",
    "y",
    "ctrl-d",
    "ctrl-r",
    "ctrl-s",
    "ctrl-t",
    "ctrl-x",
    "ctrl-y",
    "ctrl-space",
];

proptest! {
    // Debug builds draw slowly, so the sizes are sampled.
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_screen_can_be_drawn_at_every_size(
        size in (0_u16..=200, 0_u16..=60),
        keys in prop::sample::select(SCREENS),
        ascii in any::<bool>(),
        notice in any::<bool>(),
    ) {
        let mut state = script::unopened((100, 30), ascii);
        let effects = update(&mut state, Msg::Viewed(Box::new(TestCatalog::shop().view())));
        settle(&mut state, effects);
        screen::play(&mut state, keys);
        let effects = update(&mut state, Msg::Resize(size.0, size.1));
        settle(&mut state, effects);
        if notice {
            answered(&mut state, ChangeAnswer::Saved(Err(SafeText::fixed("the disk is full"))));
        }
        check(&state)?;
        check_drawing(&mut state)?;
    }
}

const SCREENS: &[&str] = &[
    "",
    "pdf form",
    "zzz",
    "<tab><tab>",
    "<right>",
    "pdf-forms<right>/form",
    "<ctrl-d>",
    "<ctrl-d>/name",
    "<ctrl-r>",
    "<ctrl-r>a<ctrl-u>a-very-long-pattern-that-has-no-room-anywhere*",
    "<ctrl-r>tname",
    "?",
    "?rule",
    "<ctrl-y>",
    "<f7>",
    "<f7>/x",
];

#[test]
fn the_smallest_and_oddest_sizes_can_be_drawn() {
    for size in [(0, 0), (1, 1), (2, 1), (1, 60), (200, 1), (3, 8), (80, 7), (79, 25), (140, 8)] {
        for keys in SCREENS {
            let mut state = script::open(size, TestCatalog::shop().view());
            script(&mut state, keys);
            planned(&mut state, 1, size.0 == 3);
            check(&state).unwrap();
            check_drawing(&mut state).unwrap();
        }
    }
}
