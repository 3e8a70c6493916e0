//! Every screen and state, at four sizes if that matters: text and styles.
//!
//! Look at a picture before you accept it. Its head has the keys that led to it.

mod activity;
mod agents;
mod cells;
mod compose;
mod picker;
mod screens;

use crate::model::catalog::TestCatalog;
use crate::model::screen::{self, play, settle};
use crate::model::script;
use crate::model::script::update;
use skillpick::tui::app::{Msg, State, Viewed};
use skillpick::tui::view::Palette;

const SMALL: (u16, u16) = (40, 10);
const MIDDLE: (u16, u16) = (60, 20);
const USUAL: (u16, u16) = (100, 30);
const WIDE: (u16, u16) = (160, 45);
const ALL: [(u16, u16); 4] = [SMALL, MIDDLE, USUAL, WIDE];
/// Sizes between which the columns of the list change.
const COLUMNS: [(u16, u16); 6] = [SMALL, MIDDLE, (80, 24), USUAL, WIDE, (220, 60)];

/// A picker with a catalog, after all requests were answered.
fn on(catalog: &mut TestCatalog, size: (u16, u16)) -> State {
    on_view(catalog.view(), size)
}

fn on_view(view: Viewed, size: (u16, u16)) -> State {
    let mut state = script::unopened(size, false);
    let effects = update(&mut state, Msg::Viewed(Box::new(view)));
    settle(&mut state, effects);
    state
}

fn shop(size: (u16, u16)) -> State {
    on(&mut TestCatalog::shop(), size)
}

/// Compares the picture with the snapshot of this name and size.
#[track_caller]
fn look(name: &str, state: &State, keys: &str) {
    let name = format!("{name}-{}x{}", state.area.width, state.area.height);
    let picture = screen::picture(&screen::draw(state, Palette::Ansi));
    insta::with_settings!({ description => keys, omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, picture);
    });
}

/// Presses keys in the shop at these sizes, and compares the pictures.
#[track_caller]
fn look_after(name: &str, sizes: &[(u16, u16)], keys: &str) {
    for size in sizes {
        let mut state = shop(*size);
        play(&mut state, keys);
        look(name, &state, keys);
    }
}
