//! The picker: its list, its states, its menu of forms.

use super::{ALL, SMALL, USUAL, WIDE, look, look_after, on, shop};
use crate::model::catalog::{TestCatalog, alarm, skill};
use crate::model::screen::{play, settle};
use crate::model::script;
use crate::model::script::update;
use skillpick::catalog::{Cut, Limit, Scope};
use skillpick::text::SafeText;
use skillpick::tui::app::{Effect, Msg, Notice, Timer};

#[test]
fn picker_list() {
    look_after("picker", &ALL, "");
}

#[test]
fn picker_query() {
    look_after("picker-query", &[SMALL, USUAL, WIDE], "pdf form");
}

#[test]
fn picker_query_of_one_word() {
    look_after("picker-query-word", &[USUAL], "pdf");
}

#[test]
fn picker_marks() {
    look_after("picker-marks", &[SMALL, USUAL], "<tab><down><tab>");
}

#[test]
fn picker_hidden_marks() {
    look_after("picker-marks-hidden", &[SMALL, USUAL], "<tab><tab>pdf");
}

#[test]
fn picker_end_of_list() {
    look_after("picker-end", &[SMALL], "<end>");
}

#[test]
fn picker_typo() {
    look_after("picker-typo", &[USUAL], "kuberentes");
}

#[test]
fn picker_no_match() {
    look_after("picker-no-match", &[USUAL], "is:on scope:nowhere redact<ctrl-s>");
}

#[test]
fn picker_refusal() {
    look_after("picker-refusal", &[SMALL, USUAL], "redact<enter>");
}

#[test]
fn picker_raw_and_hidden() {
    look_after("picker-raw", &[USUAL], "forms<ctrl-t>");
    look_after("picker-hidden", &[USUAL], "<ctrl-t><ctrl-t>");
}

#[test]
fn picker_scope() {
    look_after("picker-scope", &[USUAL], "<ctrl-s>");
}

#[test]
fn picker_of_a_broken_skill() {
    look_after("picker-broken", &[WIDE], "pdf-broken");
}

#[test]
fn picker_of_a_hostile_skill() {
    look_after("picker-hostile", &[USUAL], "evil");
}

#[test]
fn picker_body_hits() {
    let mut state = shop(USUAL);
    let effects = script::script(&mut state, "elsewhere");
    let asked = effects.iter().rev().find_map(|effect| match effect {
        Effect::SearchBodies(question) => Some(question.generation),
        _ => None,
    });
    let effects = update(&mut state, Msg::Bodies(asked.unwrap(), vec![0, 6]));
    settle(&mut state, effects);
    look("picker-body", &state, "elsewhere, found in two bodies");
}

#[test]
fn picker_while_loading() {
    let mut state = script::unopened(USUAL, false);
    look("picker-first-frame", &state, "nothing has come yet");
    update(&mut state, Msg::Waited(Timer::Spinner));
    look("picker-loading", &state, "nothing has come for 200 ms");
    let mut catalog = TestCatalog::of(vec![skill(Scope::User, "pdf", "Extract text.")]);
    catalog.complete = false;
    update(&mut state, Msg::Viewed(Box::new(catalog.view())));
    look("picker-streaming", &state, "the first skill has come, the preview has not");
}

#[test]
fn picker_without_skills() {
    for size in [SMALL, USUAL] {
        look("picker-empty", &on(&mut TestCatalog::empty(), size), "no skills anywhere");
    }
}

#[test]
fn picker_alarms() {
    let mut catalog = TestCatalog::shop();
    catalog.alarms = vec![alarm(7)];
    catalog.cuts = vec![Cut {
        limit: Limit::Entries,
        value: 20_000,
        dropped: 311,
        path: "/code/shop/vendor".into(),
    }];
    for size in [SMALL, USUAL] {
        let mut state = on(&mut catalog, size);
        let effects = update(
            &mut state,
            Msg::Notice(Notice::grave(SafeText::fixed("not saved: the disk is full"))),
        );
        settle(&mut state, effects);
        look("picker-alarms", &state, "broken settings, a cut, a failed save");
    }
    let mut state = on(&mut catalog, USUAL);
    play(&mut state, "<ctrl-d>");
    look("problems-alarms", &state, "broken settings, a cut, a root that cannot be read");
}

#[test]
fn picker_slow_preview() {
    let mut state = script::open(USUAL, TestCatalog::shop().view());
    update(&mut state, Msg::Waited(Timer::SlowPreview(1)));
    look("picker-reading", &state, "the preview takes long");
}

#[test]
fn copy_menu() {
    look_after("copy", &[SMALL, USUAL], "<tab><tab><ctrl-y>");
}
