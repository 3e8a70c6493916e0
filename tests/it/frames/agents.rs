//! The menu of hosts, and what every host makes of a skill.

use super::{ALL, COLUMNS, SMALL, USUAL, WIDE, look, on_view};
use crate::model::agents;
use crate::model::catalog::TestCatalog;
use crate::model::screen::play;
use crate::model::script::update;
use skillpick::tui::app::Msg;

#[test]
fn hosts() {
    for size in ALL {
        let mut state = on_view(agents::seen(&mut TestCatalog::shop()), size);
        play(&mut state, "<ctrl-g>");
        update(&mut state, Msg::HostsFound(agents::rows()));
        play(&mut state, "j");
        let generation = state.viewed.generation;
        update(&mut state, Msg::HostsCounted(generation, agents::counts()));
        look("hosts", &state, "<ctrl-g>j");
    }
}

#[test]
fn the_question_for_which_agent_a_pick_is() {
    for size in ALL {
        let mut state = on_view(agents::seen(&mut TestCatalog::shop()), size);
        (state.options.host, state.options.format) = ("all", "mention");
        play(&mut state, "pdf-merge<enter>j");
        look("prefer", &state, "pdf-merge<enter>j");
    }
}

#[test]
fn seen_by() {
    for size in ALL {
        let mut state = on_view(agents::seen(&mut TestCatalog::shop()), size);
        play(&mut state, "PDF_Old<f6>jj");
        look("seen", &state, "PDF_Old<f6>jj");
        let mut state = on_view(agents::seen(&mut TestCatalog::shop()), size);
        play(&mut state, "^pdf<f6>j");
        look("seen-off", &state, "^pdf<f6>j");
    }
    let mut state = on_view(agents::seen(&mut TestCatalog::shop()), WIDE);
    play(&mut state, "^pdf");
    look("picker-seen", &state, "^pdf");
}

#[test]
fn agents_are_columns() {
    for size in COLUMNS {
        let mut state = on_view(agents::seen(&mut TestCatalog::shop()), size);
        state.options.host = "all";
        play(&mut state, "<down><alt-right><alt-right>");
        look("columns", &state, "<down><alt-right><alt-right>");
    }
}

#[test]
fn seen_by_all_agents_the_hint_names_the_agent_that_enter_prints_for() {
    for size in [SMALL, USUAL] {
        let mut state = on_view(agents::seen(&mut TestCatalog::shop()), size);
        state.options.host = "all";
        play(&mut state, "^pdf");
        look("picker-all", &state, "^pdf");
        play(&mut state, "<tab><tab><down><tab><ctrl-u>scan<ctrl-y>");
        look("copy-all", &state, "^pdf<tab><tab><down><tab><ctrl-u>scan<ctrl-y>");
    }
}
