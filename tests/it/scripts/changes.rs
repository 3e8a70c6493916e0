//! The list of changes: any of them is shown, undone and made again.

use crate::model::changes::changes;
use crate::model::screen::play;
use crate::model::script::{answered, update};
use crate::model::script::{effects, notice, planned, shop, top};
use skillpick::text::SafeText;
use skillpick::tui::app::{ChangeAnswer, Msg, State};
use std::sync::Arc;

fn opened(most: usize) -> State {
    let mut state = shop();
    assert_eq!(effects(&mut state, "<alt-z>"), ["changes: read"]);
    update(&mut state, Msg::ChangesRead(Ok(Arc::new(changes(most)))));
    state
}

/// The journal has answered.
fn applied(state: &mut State) {
    answered(state, ChangeAnswer::Applied(Ok(SafeText::fixed("done"))));
}

#[test]
fn each_change_is_shown_undone_and_made_again_by_its_number() {
    let mut state = opened(3);
    assert_eq!(effects(&mut state, "<enter>"), ["changes: show(7)"]);
    assert_eq!(effects(&mut state, "u"), ["changes: undo(7)"]);
    applied(&mut state);
    assert!(effects(&mut state, "r").is_empty());
    assert!(notice(&state).contains("was not undone"), "{}", notice(&state));
    play(&mut state, "j");
    assert_eq!(effects(&mut state, "rd"), ["changes: redo(6)", "changes: show(6)"]);
    assert!(effects(&mut state, "u").is_empty());
    assert!(notice(&state).contains("undone already"), "{}", notice(&state));
    play(&mut state, "j");
    for key in ["u", "r", "<enter>"] {
        assert!(effects(&mut state, key).is_empty());
        assert!(notice(&state).contains("cannot be read"), "{key}: {}", notice(&state));
    }
    play(&mut state, "<alt-z>");
    assert_eq!(top(&state), "picker");
}

#[test]
fn the_cursor_goes_with_its_change_when_that_one_becomes_the_newest() {
    let mut state = opened(2);
    assert_eq!(effects(&mut state, "jr"), ["changes: redo(6)"]);
    applied(&mut state);
    let again = |undone| {
        let mut rows = changes(2);
        rows.reverse();
        rows[0].undone = undone;
        Msg::ChangesRead(Ok(Arc::new(rows)))
    };
    update(&mut state, again(false));
    assert_eq!(effects(&mut state, "u"), ["changes: undo(6)"]);
    applied(&mut state);
    update(&mut state, again(true));
    assert_eq!(effects(&mut state, "r"), ["changes: redo(6)"]);
    applied(&mut state);
    // While they cannot be read, the change is not forgotten.
    update(&mut state, Msg::ChangesRead(Err(SafeText::fixed("busy"))));
    update(&mut state, Msg::ChangesRead(Ok(Arc::new(changes(2)))));
    assert_eq!(effects(&mut state, "r"), ["changes: redo(6)"]);
}

#[test]
fn they_open_above_every_screen_that_is_not_typed_into_but_a_question() {
    for (keys, below) in [("<f2>", "problems"), ("<right>", "detail"), ("<f6>", "seen")] {
        let mut state = shop();
        play(&mut state, keys);
        assert_eq!(top(&state), below);
        assert!(effects(&mut state, "<alt-z>").contains(&"changes: read".to_owned()), "{below}");
        assert_eq!(top(&state), "changes");
        play(&mut state, "<alt-z>");
        assert_eq!(top(&state), below);
    }
    let mut state = shop();
    planned(&mut state, 1, true);
    play(&mut state, "<alt-z>");
    assert_eq!(top(&state), "confirm", "what it shows would not fit any more");
}

#[test]
fn without_changes_nothing_is_done_and_that_is_said() {
    let mut state = opened(0);
    for key in ["u", "r", "<enter>"] {
        assert!(effects(&mut state, key).is_empty());
        assert!(notice(&state).contains("no change here"), "{key}: {}", notice(&state));
    }
    let unread = SafeText::fixed("the state folder cannot be read");
    update(&mut state, Msg::ChangesRead(Err(unread)));
    assert!(effects(&mut state, "u").is_empty());
}
