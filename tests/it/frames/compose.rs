//! The prompt that is written, with pills, and the completion of skills.

use super::{ALL, USUAL, look, on_view};
use crate::model::agents;
use crate::model::catalog::TestCatalog;
use crate::model::screen::play;
use crate::model::script::update;
use skillpick::catalog::{HostId, Multiplexer, Pane};
use skillpick::tui::app::{Compose, ComposeStart, Msg, Screen, State, Way};

fn open(size: (u16, u16)) -> State {
    let mut state = on_view(agents::seen(&mut TestCatalog::shop()), size);
    state.options.preferred = Some(HostId("codex"));
    play(&mut state, ">");
    update(&mut state, Msg::Recalled(Box::default()));
    state
}

const PROMPT: &str = "Use $merge<enter>to join the forms in docs/, \
     then $scan<enter>for the changes.<ctrl-j>Keep the dates.";

#[test]
fn compose() {
    for size in ALL {
        let mut state = open(size);
        look("compose-empty", &state, "><esc>");
        play(&mut state, PROMPT);
        look("compose", &state, PROMPT);
        play(&mut state, " And $pdf");
        look("compose-completing", &state, "… And $pdf");
    }
}

#[test]
fn compose_says_what_the_target_does_not_take_and_what_is_injected() {
    let mut state = open(USUAL);
    play(&mut state, "$pdf");
    let rows = &state.compose().unwrap().completion.as_ref().unwrap().rows;
    let at = rows.iter().position(|row| row.name.as_str() == "pdf").unwrap();
    play(&mut state, &"<down>".repeat(at));
    play(&mut state, "<enter>now<shift-left><shift-left><ctrl-t>");
    look("compose-off", &state, "$pdf<enter>now<shift-left><shift-left><ctrl-t>");
}

#[test]
fn the_dock() {
    let pane = |id: &str, host| Pane {
        of: Multiplexer::Tmux,
        id: id.to_owned(),
        host: HostId(host),
        bracketed: None,
    };
    for size in ALL {
        let mut state = on_view(agents::seen(&mut TestCatalog::shop()), size);
        let start = ComposeStart { way: Way::Pane, alone: true, ..ComposeStart::default() };
        state.screens.push(Screen::Compose(Box::new(Compose::new(start))));
        update(&mut state, Msg::Recalled(Box::default()));
        update(&mut state, Msg::PanesFound(Ok(Vec::new())));
        look("dock-alone", &state, "the dock, and no agent is there");
        let panes = vec![pane("%3", "claude"), pane("%5", "codex")];
        update(&mut state, Msg::PanesFound(Ok(panes)));
        play(&mut state, PROMPT);
        look("dock", &state, PROMPT);
    }
}
