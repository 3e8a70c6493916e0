//! For which agent a pick is written: asked once, where agents take it differently.

use crate::model::agents::seen;
use crate::model::catalog::TestCatalog;
use crate::model::screen::{draw, play, text};
use crate::model::script::{self, effects, go_to, top};
use skillpick::catalog::HostId;
use skillpick::tui::app::{Screen, State};
use skillpick::tui::view::Palette;

/// Through all agents, on a skill that Codex calls `$pdf` and Claude Code `/pdf`.
fn all() -> State {
    let mut state = script::open((100, 30), seen(&mut TestCatalog::shop()));
    state.options.host = "all";
    state.options.format = "mention";
    go_to(&mut state, "pdf-merge-split");
    state
}

fn rows(state: &State) -> Vec<(HostId, String)> {
    let Some(Screen::Prefer(prefer)) = state.screens.last() else { panic!("{}", top(state)) };
    prefer.rows.iter().map(|row| (row.host, row.text.to_string())).collect()
}

#[test]
fn it_is_asked_with_what_each_agent_would_get_and_the_answer_is_remembered() {
    let mut state = all();
    assert!(effects(&mut state, "<enter>").is_empty());
    let rows = rows(&state);
    assert!(rows.iter().any(|(host, text)| host.word() == "claude" && text == "/pdf-merge-split"));
    assert!(rows.iter().all(|(host, _)| *host != HostId::AGENTS), "{rows:?}");
    let at = rows.iter().position(|(host, _)| host.word() == "claude").unwrap();
    play(&mut state, &"j".repeat(at));
    assert_eq!(effects(&mut state, "<enter>"), ["prefer claude", "picked pdf-merge-split"]);
    assert_eq!(state.viewed.listing.preferred, Some(HostId("claude")));
    // The next pick is not asked about.
    assert_eq!(effects(&mut state, "<enter>"), ["picked pdf-merge-split"]);
}

#[test]
fn the_lines_say_that_enter_asks_and_what_it_prints_once_somebody_has_said_it() {
    let mut state = all();
    let lines = |state: &State| {
        let lines = text(&draw(state, Palette::Ansi));
        (lines[0].clone(), lines[lines.len() - 1].clone())
    };
    let (first, last) = lines(&state);
    assert!(first.ends_with("↵ asks for which agent"), "{first}");
    assert!(last.contains("pick (asks for which agent)"), "{last}");
    play(&mut state, "<alt-right><alt-right>");
    let (first, last) = lines(&state);
    assert!(first.ends_with("↵ prints $pdf-merge-split for codex"), "{first}");
    assert!(last.contains("pick for codex"), "{last}");
}

#[test]
fn leaving_the_question_picks_nothing() {
    let mut state = all();
    play(&mut state, "<enter>");
    assert!(effects(&mut state, "<esc>").is_empty());
    assert_eq!((top(&state), state.viewed.listing.preferred), ("picker", None));
}

#[test]
fn nothing_is_asked_where_somebody_has_said_it() {
    let mut state = all();
    state.options.preferred = Some(HostId("codex"));
    play(&mut state, "<alt-right><alt-left>");
    assert_eq!(effects(&mut state, "<enter>"), ["picked pdf-merge-split"]);
    let mut state = all();
    play(&mut state, "<alt-right><alt-right>");
    assert_eq!(effects(&mut state, "<enter>"), ["picked pdf-merge-split"]);
    let mut state = all();
    state.options.format = "name";
    assert_eq!(effects(&mut state, "<enter>"), ["picked pdf-merge-split"]);
    let mut state = all();
    state.options.host = "codex";
    assert_eq!(effects(&mut state, "<enter>"), ["picked pdf-merge-split"]);
}
