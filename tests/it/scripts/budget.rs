//! The budget: the gauge in the first line, the skills by what they cost, and what each wins back.

use crate::model::agents::seen;
use crate::model::budget::budget;
use crate::model::catalog::TestCatalog;
use crate::model::screen::{self, play};
use crate::model::script::{self, current, effects, go_to, notice, rows, shop, top, update};
use skillpick::catalog::HostId;
use skillpick::text::SafeText;
use skillpick::tui::app::{BudgetKey, Effect, Msg, Screen, State, Timer};
use std::sync::Arc;

fn key(state: &State, window: Option<usize>) -> BudgetKey {
    BudgetKey { host: HostId::AGENTS, window, generation: state.viewed.generation }
}

fn answer(state: &mut State, window: Option<usize>) {
    let (key, known) = (key(state, window), Arc::new(budget(state)));
    update(state, Msg::Budgeted(key, Some(known)));
}

fn opened() -> State {
    let mut state = shop();
    assert_eq!(effects(&mut state, "%"), ["budget of agents"]);
    assert_eq!(top(&state), "budget");
    answer(&mut state, None);
    state
}

#[test]
fn the_gauge_is_worked_out_after_a_while_and_only_for_the_newest_view() {
    let mut state = shop();
    let generation = state.viewed.generation;
    let asks = |state: &mut State, generation| {
        let effects = skillpick::tui::app::update(state, Msg::Waited(Timer::Gauge(generation)));
        effects.iter().any(|effect| matches!(effect, Effect::Budget(_, None)))
    };
    assert!(!asks(&mut state, generation + 1));
    assert!(asks(&mut state, generation));
    assert!(!asks(&mut state, generation), "it is asked twice");
    assert!(!screen::shown(&state).contains(" cut"));
    answer(&mut state, None);
    assert!(screen::shown(&state).contains("of 12k · 3 cut"), "{}", screen::shown(&state));
}

#[test]
fn a_late_answer_to_an_older_question_is_dropped() {
    let mut state = shop();
    play(&mut state, "%");
    let old = BudgetKey { generation: 77, ..key(&state, None) };
    let known = Arc::new(budget(&state));
    update(&mut state, Msg::Budgeted(old, Some(known)));
    assert!(screen::shown(&state).contains("counting"), "{}", screen::shown(&state));
}

#[test]
fn what_did_not_come_is_asked_for_again_when_the_screen_opens() {
    let mut state = shop();
    play(&mut state, "%<esc>");
    assert_eq!(effects(&mut state, "%"), ["budget of agents"]);
    answer(&mut state, None);
    let again = effects(&mut state, "<esc>%");
    let [again] = again.as_slice() else { panic!("{again:?}") };
    assert!(again.starts_with("budget of agents without "), "{again}");
}

#[test]
fn the_skills_that_lose_something_stand_below_the_limit() {
    let mut state = opened();
    let shown = screen::shown(&state);
    let line = |words: &str| shown.lines().position(|line| line.contains(words));
    let limit = line("the limit is here").unwrap();
    assert!(shown.lines().take(limit).skip(6).all(|line| line.contains("whole")), "{shown}");
    for part in ["40 chars", "name only", "left out"] {
        assert!(line(part).unwrap() > limit, "{shown}");
    }
    // The cursor steps over the line.
    play(&mut state, "<end><up><up>");
    assert_eq!(effects(&mut state, "<up>").len(), 1);
}

#[test]
fn switching_the_current_skill_off_is_asked_about_before_it_is_done() {
    let mut state = opened();
    let asked = effects(&mut state, "<end>");
    let [asked] = asked.as_slice() else { panic!("{asked:?}") };
    let name = asked.strip_prefix("budget of agents without ").unwrap().to_owned();
    let path =
        state.viewed.rows.skills().find(|skill| skill.path.to_string_lossy().contains(&name));
    let path: Arc<std::path::Path> = Arc::from(path.unwrap().path.as_path());
    let words = SafeText::fixed("6.5k of 8k characters · 2 of 9 cut");
    let key = key(&state, None);
    update(&mut state, Msg::BudgetedWithout(key, path, words));
    assert!(
        screen::shown(&state).contains("without this skill: 6.5k of 8k"),
        "{}",
        screen::shown(&state)
    );
    assert_eq!(effects(&mut state, "<space>"), [format!("plan off {name}")]);
}

#[test]
fn the_window_goes_round_and_enter_opens_the_skill() {
    let mut state = opened();
    for window in ["128000", "200000", "400000", "1000000"] {
        let asked = effects(&mut state, "w");
        assert_eq!(asked[0], format!("budget of agents at {window}"));
    }
    assert!(effects(&mut state, "w").iter().all(|asked| asked != "budget of agents"));
    play(&mut state, "<enter>");
    assert_eq!(top(&state), "detail");
    play(&mut state, "<esc>%");
    assert_eq!(top(&state), "picker");
}

#[test]
fn the_first_line_goes_by_the_agents_own_window_again() {
    let mut state = opened();
    play(&mut state, "w");
    answer(&mut state, Some(128_000));
    let asks = |state: &mut State, generation| {
        let effects = skillpick::tui::app::update(state, Msg::Waited(Timer::Gauge(generation)));
        effects.iter().any(|effect| matches!(effect, Effect::Budget(..)))
    };
    let generation = state.viewed.generation;
    assert!(!asks(&mut state, generation), "the screen asks by its own window");
    assert_eq!(effects(&mut state, "%"), ["budget of agents"]);
    assert!(!screen::shown(&state).contains("of 12k"), "{}", screen::shown(&state));
    answer(&mut state, None);
    assert!(screen::shown(&state).contains("of 12k · 3 cut"), "{}", screen::shown(&state));
}

#[test]
fn without_skills_the_keys_say_so() {
    let mut state = shop();
    play(&mut state, "%");
    assert!(effects(&mut state, "<space>").is_empty());
    assert!(notice(&state).contains("no skill here"), "{}", notice(&state));
}

#[test]
fn what_cannot_be_forecast_is_asked_for_once() {
    let mut state = shop();
    let generation = state.viewed.generation;
    let asks = |state: &mut State| {
        let effects = skillpick::tui::app::update(state, Msg::Waited(Timer::Gauge(generation)));
        effects.iter().any(|effect| matches!(effect, Effect::Budget(..)))
    };
    assert!(asks(&mut state));
    let key = key(&state, None);
    update(&mut state, Msg::Budgeted(key, None));
    assert!(!asks(&mut state), "it is asked again");
    assert!(effects(&mut state, "%").is_empty());
}

#[test]
fn the_skill_that_was_opened_from_here_goes_on_in_the_list_from_its_own_place() {
    let mut state = opened();
    play(&mut state, "<enter>");
    let shown = |state: &State| match state.screens.last() {
        Some(Screen::Detail(detail)) => state.entry(&detail.path).unwrap().skill.name.clone(),
        _ => panic!("{} is on top", top(state)),
    };
    let names = rows(&state);
    let at = names.iter().position(|name| *name == shown(&state)).unwrap();
    assert_ne!(current(&state), names[at], "the list's cursor is elsewhere");
    play(&mut state, "]");
    assert_eq!(shown(&state), names[at + 1]);
}

#[test]
fn the_budget_is_that_of_the_agent_for_which_the_first_line_prints() {
    let mut state = script::open((120, 30), seen(&mut TestCatalog::shop()));
    state.options.host = "all";
    let mut told = 0;
    for name in rows(&state) {
        go_to(&mut state, &name);
        let printed = state.printed(&state.chosen());
        let Some(whom) = printed.and_then(|(_, whom)| whom) else { continue };
        let wanted = format!("budget of {}", whom.as_str().replace("for ", ""));
        assert_eq!(effects(&mut state, "%")[0], wanted, "{name}");
        play(&mut state, "<esc>");
        told += 1;
    }
    assert!(told > 0);
}

#[test]
fn skills_of_one_name_are_told_apart_by_their_folder() {
    let state = opened();
    let shown = screen::shown(&state);
    let copies: Vec<&str> = shown.lines().filter(|line| line.contains("scan-ocr")).collect();
    assert_eq!(copies.len(), 2, "{shown}");
    for folder in ["~/", "./"] {
        let has = |line: &&&str| line.contains(&format!("scan-ocr {folder}"));
        assert_eq!(copies.iter().filter(has).count(), 1, "{folder}: {copies:#?}");
    }
}

#[test]
fn the_rule_is_read_whole_on_a_narrow_screen() {
    let mut state = opened();
    update(&mut state, Msg::Resize(60, 20));
    let shown = screen::shown(&state).replace('\n', " ");
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert!(words.join(" ").contains("what is used most stays whole"), "{shown}");
}
