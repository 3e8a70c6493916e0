//! Messages that come late: newer views, old previews, old body hits.

use crate::model::catalog::{TestCatalog, skill};
use crate::model::script::update;
use crate::model::script::{self, current, go_to, notice, rows, script, shop, top};
use skillpick::catalog::Scope;
use skillpick::search::{Misses, Ranker};
use skillpick::text::{Doc, SafeText};
use skillpick::tui::app::{
    self, Action, Effect, Facts, Msg, PreviewKey, RankQuestion, Screen, State, Timer, Unseen,
};
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

fn preview(effects: &[Effect]) -> PreviewKey {
    let asked = effects.iter().rev().find_map(|effect| match effect {
        Effect::Preview(key) => Some(key.clone()),
        _ => None,
    });
    asked.expect("a preview is asked for")
}

fn timer(effects: &[Effect]) -> Timer {
    let asked = effects.iter().rev().find_map(|effect| match effect {
        Effect::Wait(timer @ Timer::SlowPreview(_), _) => Some(*timer),
        _ => None,
    });
    asked.expect("a timer is asked for")
}

fn shown(state: &State) -> String {
    state.picker.preview.doc().map_or_else(String::new, |doc| doc.lines[0].plain())
}

fn text(words: &str) -> Result<Arc<Doc>, Unseen> {
    Ok(Arc::new(Doc::plain(words, 80, true)))
}

#[test]
fn a_stale_preview_is_dropped_and_the_old_one_stays_meanwhile() {
    let mut state = shop();
    let first = preview(&script(&mut state, "<down>"));
    update(&mut state, Msg::Previewed(first, text("first")));
    let second = preview(&script(&mut state, "<down>"));
    assert_eq!(shown(&state), "first", "no blank flash");
    let moved = script(&mut state, "<down>");
    let third = preview(&moved);
    update(&mut state, Msg::Previewed(second, text("second")));
    assert_eq!(shown(&state), "first");
    update(&mut state, Msg::Waited(timer(&moved)));
    assert!(state.picker.preview.slow, "now it says that it is reading");
    update(&mut state, Msg::Previewed(third, text("third")));
    assert_eq!((shown(&state).as_str(), state.picker.preview.slow), ("third", false));
}

#[test]
fn a_preview_is_asked_for_once_and_again_after_a_resize_or_a_new_scan() {
    let mut state = shop();
    let asked = |effects: Vec<Effect>| {
        effects.iter().filter(|effect| matches!(effect, Effect::Preview(_))).count()
    };
    assert_eq!(asked(script(&mut state, "<up><home>")), 0, "the cursor has not moved");
    assert_eq!(asked(update(&mut state, Msg::Resize(120, 30))), 1);
    assert_eq!(asked(update(&mut state, Msg::Resize(120, 40))), 0, "rows do not change it");
    assert_eq!(asked(update(&mut state, Msg::Viewed(Box::new(TestCatalog::shop().view())))), 1);
}

fn question(effects: &[Effect]) -> (u64, Vec<u32>) {
    let asked = effects.iter().rev().find_map(|effect| match effect {
        Effect::SearchBodies(question) => {
            Some((question.generation, question.candidates(&Misses::default())))
        }
        _ => None,
    });
    asked.expect("bodies are searched")
}

#[test]
fn body_hits_of_an_older_query_are_dropped() {
    let mut state = shop();
    let (old, candidates) = question(&script(&mut state, "elsewher"));
    let (new, _) = question(&script(&mut state, "e"));
    update(&mut state, Msg::Bodies(old, candidates.clone()));
    assert_eq!(rows(&state).len(), 0);
    update(&mut state, Msg::Bodies(new, vec![candidates[0]]));
    assert_eq!(rows(&state).len(), 1);
    script(&mut state, "<backspace>");
    assert_eq!(rows(&state).len(), 0, "another query begins without them");
}

#[test]
fn an_emptied_query_ends_the_search_of_bodies() {
    let mut state = shop();
    let (_, candidates) = question(&script(&mut state, "elsewher"));
    assert!(!candidates.is_empty());
    let (_, candidates) = question(&script(&mut state, "<ctrl-u>"));
    assert!(candidates.is_empty(), "the newest question takes the place of the one before");
}

#[test]
fn body_hits_come_below_and_the_cursor_stays_on_its_skill() {
    let mut state = shop();
    let (generation, candidates) = question(&script(&mut state, "pdf"));
    let before = rows(&state);
    script(&mut state, "<down><down>");
    let skill = current(&state).to_owned();
    update(&mut state, Msg::Bodies(generation, candidates));
    assert!(rows(&state).len() > before.len());
    // What the agent does not see stays at the end.
    let seen = before.len() - 1;
    assert_eq!(before[seen], "pdf-broken");
    assert_eq!(rows(&state)[..seen], before[..seen]);
    assert_eq!(rows(&state).last().map(String::as_str), Some("pdf-broken"));
    assert_eq!(current(&state), skill);
}

#[test]
fn marking_all_counts_what_only_has_the_word_in_its_text() {
    let mut state = shop();
    let (generation, candidates) = question(&script(&mut state, "pdf-merge"));
    update(&mut state, Msg::Bodies(generation, vec![candidates[0]]));
    script(&mut state, "<ctrl-space>");
    assert!(notice(&state).ends_with("marked, 1 match only in their text"), "{}", notice(&state));
    let (generation, candidates) = question(&script(&mut state, "<ctrl-u>zzzzzz"));
    update(&mut state, Msg::Bodies(generation, vec![candidates[0]]));
    script(&mut state, "<ctrl-space>");
    assert_eq!(notice(&state), "nothing to mark: 1 match only in their text");
}

/// The ranking that is asked for, without an answer.
fn rank_question(effects: Vec<Effect>) -> RankQuestion {
    let asked = effects.into_iter().rev().find_map(|effect| match effect {
        Effect::Rank(question) => Some(*question),
        _ => None,
    });
    asked.expect("a ranking is asked for")
}

fn answer(state: &mut State, question: &RankQuestion) -> Vec<Effect> {
    let ranking = question.answer(&mut Ranker::default(), &|| true).unwrap();
    app::update(state, Msg::Ranked(question.number, Box::new(ranking)))
}

#[test]
fn a_key_about_the_best_row_waits_for_the_whole_list_but_not_for_ever() {
    let partial = || {
        let mut view = TestCatalog::shop().view();
        view.listing.complete = false;
        let mut state = script::unopened((100, 30), false);
        update(&mut state, Msg::Viewed(Box::new(view)));
        state
    };
    let about_rows = [Action::Pick, Action::MarkDown, Action::Toggle, Action::Copy, Action::Open];
    let waits = |state: &State| about_rows.map(|action| state.awaits_list(action));
    let mut state = partial();
    assert_eq!(waits(&state), [true; 5]);
    for action in [Action::Down, Action::Back, Action::Help, Action::DeleteLine, Action::Hosts] {
        assert!(!state.awaits_list(action), "{action:?}");
    }
    script(&mut state, "<down>");
    assert_eq!(waits(&state), [false; 5], "who has moved means the row");
    let mut state = partial();
    update(&mut state, Msg::Viewed(Box::new(TestCatalog::shop().view())));
    assert_eq!(waits(&state), [false; 5], "all are read");
    let mut state = partial();
    update(&mut state, Msg::Waited(Timer::Early));
    assert_eq!(waits(&state), [false; 5], "a person has seen the rows for long");
    // Another agent's list begins anew.
    let mut state = shop();
    assert_eq!(waits(&state), [false; 5]);
    script(&mut state, "<ctrl-g>");
    update(&mut state, Msg::HostsFound(crate::model::agents::rows()));
    script(&mut state, "<down><enter>");
    assert_eq!((top(&state), waits(&state)), ("picker", [true; 5]));
}

#[test]
fn a_stale_ranking_is_dropped_and_the_list_stays_meanwhile() {
    let mut state = shop();
    let all = rows(&state);
    let first = rank_question(app::update(&mut state, Msg::Text('o')));
    let second = rank_question(app::update(&mut state, Msg::Text('c')));
    let third = rank_question(app::update(&mut state, Msg::Text('r')));
    answer(&mut state, &first);
    answer(&mut state, &second);
    assert_eq!(rows(&state), all, "the rows of older queries are never shown");
    assert!(state.picker.awaits_ranking());
    answer(&mut state, &third);
    let found = rows(&state);
    assert_eq!(found[0], "scan-ocr");
    assert_ne!(found, all);
    assert!(!state.picker.awaits_ranking() && !state.picker.is_ranking());
    app::update(&mut state, Msg::Text('x'));
    app::update(&mut state, Msg::Unranked);
    assert!(!state.picker.awaits_ranking(), "no key waits for a ranking that failed");
    assert_eq!(rows(&state), found);
}

#[test]
fn a_view_that_comes_before_the_ranking_leaves_the_cursor_to_the_query() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    script(&mut state, "<down><down>");
    let typed = rank_question(app::update(&mut state, Msg::Text('p')));
    catalog.skills.insert(0, skill(Scope::User, "p", "Comes first."));
    let viewed = rank_question(app::update(&mut state, Msg::Viewed(Box::new(catalog.view()))));
    assert!(state.picker.awaits_ranking(), "a key still asks for it");
    answer(&mut state, &typed);
    assert!(state.picker.is_ranking(), "its rows are those of the older view");
    assert!(answer(&mut state, &viewed).iter().any(|e| matches!(e, Effect::Preview(_))));
    assert_eq!((current(&state), state.picker.list.cursor), ("p", 0));
}

#[test]
fn a_stale_ranking_of_many_rows_stops_early() {
    let names = (0..5_000).map(|n| skill(Scope::User, &format!("skill-{n}"), "One of many."));
    let mut state = script::open((100, 30), TestCatalog::of(names.collect()).view());
    let question = rank_question(app::update(&mut state, Msg::Text('s')));
    let asked = Cell::new(0);
    let go_on = || asked.replace(asked.get() + 1) < 1;
    assert!(question.answer(&mut Ranker::default(), &go_on).is_none());
    assert_eq!(asked.get(), 2);
}

#[test]
fn mark_all_skips_matches_of_the_body_only() {
    let mut state = shop();
    let (generation, candidates) = question(&script(&mut state, "pdf"));
    let before = rows(&state);
    update(&mut state, Msg::Bodies(generation, candidates));
    script(&mut state, "<ctrl-space>");
    assert!(rows(&state).len() > before.len() && state.marks.count() > 0);
    let named = |path: &Arc<Path>| before.contains(&state.entry(path).unwrap().skill.name);
    assert!(state.marks.in_order().iter().all(named), "{:?}", state.marks);
}

#[test]
fn the_cursor_stays_on_its_skill_over_a_new_view() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    go_to(&mut state, "pdf-merge-split");
    catalog.skills.insert(0, skill(Scope::User, "a-new-one", "Comes first."));
    catalog.skills.retain(|skill| skill.name != "pdf-forms");
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(current(&state), "pdf-merge-split");
    catalog.skills.clear();
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!((current(&state), state.picker.list.cursor), ("", 0));
}

#[test]
fn cod_3_2_no_row_moves_when_only_verdicts_change() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    let before = rows(&state);
    go_to(&mut state, "form-builder");
    catalog.turn_off("form-builder");
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(rows(&state), before);
    assert_eq!(current(&state), "form-builder");
    assert!(!state.current().unwrap().is_on());
    script(&mut state, "x<backspace>");
    assert_ne!(rows(&state), before, "the next query sorts it to the others that are off");
}

#[test]
fn an_unmoved_cursor_stays_on_the_best_row_while_rows_arrive() {
    let mut catalog = TestCatalog::of(vec![skill(Scope::User, "zebra", "Last.")]);
    catalog.complete = false;
    let mut state = script::unopened((100, 30), false);
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(current(&state), "zebra");
    catalog.skills.push(skill(Scope::User, "aardvark", "First."));
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(current(&state), "aardvark");
    script(&mut state, "<down>");
    catalog.skills.push(skill(Scope::User, "bee", "Between."));
    catalog.complete = true;
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(current(&state), "zebra", "who has moved stays on the skill");
}

#[test]
fn typing_works_before_anything_has_come() {
    let mut state = script::unopened((100, 30), false);
    script(&mut state, "pdf-m");
    update(&mut state, Msg::Viewed(Box::new(TestCatalog::shop().view())));
    assert_eq!(rows(&state)[0], "pdf-merge-split");
}

#[test]
fn marks_outlive_a_scan_but_not_their_skills() {
    let mut catalog = TestCatalog::shop();
    let mut state = script::open((100, 30), catalog.view());
    for name in ["pdf", "form-builder"] {
        go_to(&mut state, name);
        script(&mut state, "<tab>");
    }
    catalog.skills.retain(|skill| skill.name != "pdf");
    catalog.complete = false;
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(state.marks.count(), 2, "a scan that runs may still find it");
    catalog.complete = true;
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    assert_eq!(state.marks.count(), 1);
}

#[test]
fn the_spinner_turns_only_while_something_is_missing() {
    let mut state = script::unopened((100, 30), false);
    assert!(state.spinner.step().is_none(), "not in the first 200 ms");
    let again = update(&mut state, Msg::Waited(Timer::Spinner));
    assert!(
        state.spinner.step().is_some()
            && again.iter().any(|effect| matches!(effect, Effect::Wait(Timer::Spinner, _)))
    );
    update(&mut state, Msg::Viewed(Box::new(TestCatalog::shop().view())));
    assert!(state.spinner.step().is_none());
    let after = update(&mut state, Msg::Waited(Timer::Spinner));
    assert!(
        !after.iter().any(|effect| matches!(effect, Effect::Wait(Timer::Spinner, _))),
        "no clock while idle"
    );
    // While agents are asked it turns again, with one clock however often they are.
    let turns = |effects: &[Effect]| {
        effects.iter().filter(|effect| matches!(effect, Effect::Wait(Timer::Spinner, _))).count()
    };
    assert_eq!(turns(&update(&mut state, Msg::Asking)), 1);
    assert_eq!(turns(&update(&mut state, Msg::Asking)), 0);
    assert_eq!(turns(&update(&mut state, Msg::Waited(Timer::Spinner))), 1);
    assert!(state.spinner.step().is_some());
    update(&mut state, Msg::Asked);
    assert!(state.spinner.step().is_none());
    assert_eq!(turns(&update(&mut state, Msg::Waited(Timer::Spinner))), 0);
}

#[test]
fn a_search_finds_its_hit_in_a_text_that_arrives_later() {
    let mut state = shop();
    let opened = script(&mut state, "pdf-forms<right>");
    script(&mut state, "/needle<enter>");
    update(&mut state, Msg::Previewed(preview(&opened), text("a\nb\nneedle\n")));
    let Some(Screen::Detail(detail)) = state.screens.last() else { panic!("{}", top(&state)) };
    assert_eq!(detail.find.as_ref().unwrap().rows, [2]);
}

#[test]
fn facts_of_another_skill_are_dropped() {
    let mut state = shop();
    let here = Arc::from(state.current().unwrap().skill.path.as_path());
    let other = Arc::from(TestCatalog::shop().path("pdf").as_path());
    let facts = |marks| Ok(Arc::new(Facts { marks, ..Facts::default() }));
    update(&mut state, Msg::Learned(Arc::clone(&other), facts(7)));
    assert!(state.facts(&here).is_none() && state.facts(&other).is_none());
    update(&mut state, Msg::Learned(Arc::clone(&here), Err(SafeText::fixed("gone"))));
    assert!(matches!(state.facts(&here), Some(Err(_))));
}
