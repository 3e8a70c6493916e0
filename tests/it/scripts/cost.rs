//! What a key costs: as much as the screen has, and not as much as there is.

use crate::model::agents;
use crate::model::catalog::skill;
use crate::model::screen::draw;
use crate::model::script::{self, script, top};
use skillpick::catalog::Scope;
use skillpick::listing::{Listing, Row, Rows};
use skillpick::policy::{Entry, Evaluation, Policy};
use skillpick::tui::app::Viewed;
use skillpick::tui::view::Palette;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn viewed(skills: usize) -> Viewed {
    let policy = Policy::without_settings(Evaluation::AGENTS);
    let row = |number| {
        let skill = skill(Scope::Repo, &format!("s-{number}"), "d");
        Row::new(Entry::alone(Arc::new(skill), &policy))
    };
    let rows = Arc::new(Rows::new((0..skills).map(row).collect()));
    let listing = Listing { rows, complete: true, ..Listing::default() };
    Viewed { listing, generation: 1, ..Viewed::default() }
}

/// The time of a key and its frame, in the best of many tries: other programs disturb some.
fn taken(skills: usize, open: &str, screen: &str) -> Duration {
    let mut state = script::open((160, 45), agents::reported(viewed(skills)));
    state.options.host = "all";
    script(&mut state, open);
    assert_eq!(top(&state), screen);
    let once = |_| {
        let begun = Instant::now();
        script(&mut state, "<down>");
        draw(&state, Palette::default());
        begun.elapsed()
    };
    (0..30).map(once).min().unwrap()
}

#[test]
fn a_key_costs_the_same_with_a_hundred_times_as_many_skills() {
    for (open, screen) in [("", "picker"), ("<right>", "detail")] {
        let (few, many) = (taken(400, open, screen), taken(60_000, open, screen));
        assert!(many < 3 * few, "{screen}: {few:?} and {many:?}");
    }
}
