//! The menu of hosts, and what every host makes of a skill.

use super::{ALL, WIDE, look, on_view};
use crate::desk::agents;
use crate::desk::screen::play;
use crate::desk::stock::Stock;
use skillpick::tui::app::{Msg, update};

#[test]
fn hosts() {
    for size in ALL {
        let mut state = on_view(agents::seen(&mut Stock::shop()), size);
        play(&mut state, "<ctrl-g>");
        update(&mut state, Msg::HostsFound(agents::rows()));
        play(&mut state, "j");
        look("hosts", &state, "<ctrl-g>j");
    }
}

#[test]
fn seen_by() {
    for size in ALL {
        let mut state = on_view(agents::seen(&mut Stock::shop()), size);
        play(&mut state, "PDF_Old<f6>jj");
        look("seen", &state, "PDF_Old<f6>jj");
        let mut state = on_view(agents::seen(&mut Stock::shop()), size);
        play(&mut state, "^pdf<f6>j");
        look("seen-off", &state, "^pdf<f6>j");
    }
    let mut state = on_view(agents::seen(&mut Stock::shop()), WIDE);
    play(&mut state, "^pdf");
    look("picker-seen", &state, "^pdf");
}
