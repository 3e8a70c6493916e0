//! The log of calls, and how skills were used, wherever that stands.

use super::{ALL, MIDDLE, SMALL, USUAL, WIDE, look, on};
use crate::model::catalog::TestCatalog;
use crate::model::log;
use crate::model::screen::play;
use crate::model::script::update;
use skillpick::tui::app::{ActivityLog, Msg, State};
use std::sync::Arc;

/// The shop with its log: what was used is known, and what the keys open has come.
fn used(size: (u16, u16), keys: &str, log: Option<ActivityLog>) -> State {
    let mut catalog = TestCatalog::shop();
    catalog.uses = log::uses(&catalog);
    let mut state = on(&mut catalog, size);
    state.now_ms = log::NOW;
    let (opens, rest) = keys.split_once('|').unwrap_or((keys, ""));
    play(&mut state, opens);
    if let Some(log) = log {
        update(&mut state, Msg::ActivityRead(Arc::new(log)));
    }
    play(&mut state, rest);
    state
}

#[test]
fn activity() {
    let log = || Some(log::shop(&TestCatalog::shop()));
    for size in ALL {
        look("activity", &used(size, "<f7>|j", log()), "<f7>j");
        look("activity-open", &used(size, "<f7>|jj<enter>jj", log()), "<f7>jj<enter>jj");
    }
    let large = ActivityLog { cut: vec![log::FILE.into()], ..log().unwrap() };
    look(
        "activity-cut",
        &used(USUAL, "<f7>", Some(large)),
        "the newer file is larger than any that we write",
    );
    look("activity-narrowed", &used(USUAL, "<f7>|jf", log()), "<f7>jf");
    look("activity-find", &used(USUAL, "<f7>|/fields", log()), "<f7>/fields");
    look("activity-reading", &used(USUAL, "<f7>", None), "<f7>, and nothing has come");
    let odd = ActivityLog {
        broken: 2,
        unread: vec![log::FILE.replace("activity", "activity.1").into()],
        ..log().unwrap()
    };
    look(
        "activity-broken",
        &used(USUAL, "<f7>", Some(odd)),
        "two lines are broken, the older file is not ours to read",
    );
}

#[test]
fn activity_without_calls() {
    let empty = || Some(ActivityLog { file: Some(log::FILE.into()), ..ActivityLog::default() });
    for size in [SMALL, USUAL] {
        look("activity-empty", &used(size, "<f7>", empty()), "no call was noted yet");
    }
    look(
        "activity-empty-one",
        &used(USUAL, "^form<f3>a", empty()),
        "no call of this skill was noted",
    );
    look(
        "activity-nowhere",
        &used(USUAL, "<f7>", Some(ActivityLog::default())),
        "there is no state directory",
    );
}

#[test]
fn uses() {
    for size in ALL {
        look("picker-used", &used(size, "pdf", None), "pdf, with a log");
    }
    look(
        "picker-used-hidden",
        &used(USUAL, "<ctrl-t><ctrl-t>", None),
        "<ctrl-t><ctrl-t>, with a log",
    );
    for size in [MIDDLE, USUAL, WIDE] {
        look("detail-used", &used(size, "pdf-forms<right>", None), "pdf-forms<right>, with a log");
    }
}
