use super::wrap::rows;
use super::*;
use crate::tui::app::{Msg, Options, Screen, update};
use ratatui::layout::Rect;

fn state(columns: u16, rows: u16) -> State {
    let options = Options { host: "agents", ..Options::default() };
    let mut state = State::new(Rect::new(0, 0, columns, rows), options, "", None);
    let start = ComposeStart { alone: true, remember: true, ..ComposeStart::default() };
    state.screens.push(Screen::Compose(Box::new(Compose::new(start))));
    state
}

fn compose(state: &State) -> &Compose {
    state.compose().unwrap()
}

fn cursor_row(state: &State) -> Option<usize> {
    let compose = compose(state);
    let area = compose.text_area(state);
    let columns = usize::from(area.width);
    let shown: Vec<_> = compose.visible(columns, area.height.into()).collect();
    let own = compose.cursor_row(columns);
    shown.iter().position(|one| *one == own)
}

#[test]
fn lines_are_wrapped_at_words_and_rows_hold_every_byte_once() {
    let mut state = state(22, 12);
    let text = "one two three four five\n\nsix 日本語 seven a-very-long-word-without-an-end-x";
    update(&mut state, Msg::Paste(text.to_owned()));
    let editor = &compose(&state).editor;
    for columns in 1..60 {
        for line in 0..editor.lines().len() {
            let all = rows(editor, line, columns);
            assert_eq!((all[0].start, all.last().unwrap().end), (0, editor.lines()[line].len()));
            assert!(all.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }
    let row = |range: &std::ops::Range<usize>| editor.lines()[0][range.clone()].to_owned();
    let words: Vec<String> = rows(editor, 0, 8).iter().map(row).collect();
    assert_eq!(words, ["one two ", "three ", "four ", "five"]);
}

#[test]
fn the_cursor_is_always_shown_and_up_and_down_come_back() {
    let mut state = state(30, 9);
    let text: String = (0..40).map(|n| format!("line {n} with some words to wrap it\n")).collect();
    update(&mut state, Msg::Paste(text));
    let end = compose(&state).editor.cursor();
    for action in [Action::Up, Action::Down] {
        for _ in 0..100 {
            update(&mut state, Msg::Action(action));
            assert!(cursor_row(&state).is_some());
        }
    }
    assert_eq!(compose(&state).editor.cursor(), end);
    update(&mut state, Msg::Action(Action::First));
    assert_eq!((cursor_row(&state), compose(&state).top), (Some(0), (0, 0)));
}

#[test]
fn no_row_stays_out_of_sight_while_there_is_room_below() {
    let mut state = state(100, 30);
    update(&mut state, Msg::Paste("1\n2\n3\n4\n5\n6\n7".to_owned()));
    update(&mut state, Msg::Resize(40, 5));
    assert!(compose(&state).top > (0, 0) && cursor_row(&state).is_some());
    update(&mut state, Msg::Resize(100, 30));
    assert_eq!((compose(&state).top, cursor_row(&state)), ((0, 0), Some(6)));
    update(&mut state, Msg::Resize(40, 6));
    let rows = usize::from(compose(&state).text_area(&state).height);
    for _ in 0..4 {
        update(&mut state, Msg::Action(Action::DeleteBack));
        let shown = compose(&state).visible(40, rows).count();
        assert_eq!(shown, rows.min(compose(&state).editor.lines().len()));
    }
}

#[test]
fn a_draft_is_kept_after_a_moment_and_never_before_the_old_one_was_read() {
    let mut state = state(60, 20);
    let effects = update(&mut state, Msg::Text('x'));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Wait(Timer::Draft, _))));
    let recalled = Recalled { draft: Draft::of_text("old\ntext "), ..Recalled::default() };
    let effects = update(&mut state, Msg::Recalled(Box::new(recalled)));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Wait(Timer::Draft, 300))));
    assert!(update(&mut state, Msg::Text('y')).is_empty(), "one timer at a time");
    let effects = update(&mut state, Msg::Waited(Timer::Draft));
    let kept: Vec<Draft> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::KeepDraft(draft) => Some((**draft).clone()),
            _ => None,
        })
        .collect();
    assert_eq!(kept, [Draft::of_text("old\ntext xy")]);
    assert!(update(&mut state, Msg::Waited(Timer::Draft)).is_empty(), "nothing has changed");
    let again = Some((Draft::of_text("old\ntext xy"), None));
    assert_eq!(compose(&state).unkept(), again, "whether it was written is not known");
}

#[test]
fn a_draft_that_only_was_shown_is_not_kept_at_the_end() {
    let mut state = state(60, 20);
    let recalled = Recalled { draft: Draft::of_text("old"), ..Recalled::default() };
    update(&mut state, Msg::Recalled(Box::new(recalled)));
    assert_eq!(compose(&state).unkept(), None);
}

#[test]
fn a_prompt_that_is_not_remembered_stays_private_until_it_is_sent() {
    let mut state = state(60, 20);
    let draft = Draft { private: true, ..Draft::of_text("secret") };
    update(&mut state, Msg::Recalled(Box::new(Recalled { draft, ..Recalled::default() })));
    update(&mut state, Msg::Text('!'));
    let (written, _) = compose(&state).unkept().unwrap();
    assert_eq!(written, Draft { private: true, ..Draft::of_text("secret!") });
    let effects = update(&mut state, Msg::Delivered(Box::new(written), SafeText::default()));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Remember(_))));
    update(&mut state, Msg::Text('x'));
    assert_eq!(compose(&state).unkept().unwrap().0, Draft::of_text("x"));
}

#[test]
fn the_history_is_walked_in_an_empty_prompt_and_left_by_an_edit() {
    let mut state = state(60, 20);
    let sent = vec![Draft::of_text("first"), Draft::of_text("second")];
    update(&mut state, Msg::Recalled(Box::new(Recalled { sent, ..Recalled::default() })));
    let text = |state: &State| compose(state).editor.draft().text(|pill| pill.name.clone());
    let mut seen = Vec::new();
    for action in [Action::Up, Action::Up, Action::Up, Action::Down, Action::Down] {
        update(&mut state, Msg::Action(action));
        seen.push(text(&state));
    }
    assert_eq!(seen, ["second", "first", "first", "second", ""]);
    update(&mut state, Msg::Action(Action::Up));
    update(&mut state, Msg::Text('!'));
    update(&mut state, Msg::Action(Action::Up));
    assert_eq!(text(&state), "second!", "an edited prompt is no step of the history");
}

#[test]
fn a_text_that_was_given_takes_the_drafts_place_only_where_there_is_a_history_for_that_one() {
    for (text, remember, lot) in [
        (None, true, OldDraft::Shown),
        (Some("given"), true, OldDraft::Remembered),
        (Some("given"), false, OldDraft::Stays),
    ] {
        let mut state = state(60, 20);
        state.screens.clear();
        let text = text.map(Draft::of_text);
        let start = ComposeStart { text, remember, ..ComposeStart::default() };
        state.screens.push(Screen::Compose(Box::new(Compose::new(start))));
        let starts = state.start();
        assert!(starts.iter().any(|effect| matches!(effect, Effect::Recall(own) if *own == lot)));
    }
}

#[test]
fn undo_stops_at_the_text_that_was_there_at_the_start() {
    let given = Draft::of_text("given");
    for text in [None, Some(given.clone())] {
        let mut state = state(60, 20);
        state.screens.clear();
        let draft = if text.is_none() { given.clone() } else { Draft::default() };
        let start = ComposeStart { text, ..ComposeStart::default() };
        state.screens.push(Screen::Compose(Box::new(Compose::new(start))));
        update(&mut state, Msg::Recalled(Box::new(Recalled { draft, ..Recalled::default() })));
        update(&mut state, Msg::Text('!'));
        for _ in 0..2 {
            update(&mut state, Msg::Action(Action::Undo));
            assert_eq!(compose(&state).editor.draft(), given);
        }
        assert!(state.notice.is_some());
    }
}

#[test]
fn an_empty_prompt_is_never_sent() {
    let mut state = state(60, 20);
    update(&mut state, Msg::Recalled(Box::default()));
    update(&mut state, Msg::Paste(" \n ".to_owned()));
    let effects = update(&mut state, Msg::Action(Action::Accept));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Send(_))));
    assert!(state.notice.is_some());
}

#[test]
fn one_control_character_is_said_to_be_one() {
    let mut state = state(60, 12);
    for (text, words) in [
        ("a\u{7}b", "1 control character was left out"),
        ("a\u{7}\u{8}b", "2 control characters were left out"),
    ] {
        update(&mut state, Msg::Paste(text.to_owned()));
        assert_eq!(state.notice.as_ref().unwrap().text.as_str(), words);
    }
}

#[test]
fn what_is_left_out_of_a_given_text_is_said_at_the_start() {
    let earlier = "the earlier draft is kept";
    for (said, words) in [
        (None, "2 control characters were left out".to_owned()),
        (Some(earlier), format!("2 control characters were left out; {earlier}")),
    ] {
        let mut state = state(60, 20);
        state.screens.clear();
        let text = Some(Draft::of_text("a\u{1b}[31mb\u{7} c"));
        let start = ComposeStart { text, ..ComposeStart::default() };
        state.screens.push(Screen::Compose(Box::new(Compose::new(start))));
        let recalled = Recalled { said: said.map(SafeText::fixed), ..Recalled::default() };
        update(&mut state, Msg::Recalled(Box::new(recalled)));
        assert_eq!(state.notice.as_ref().unwrap().text.as_str(), words);
    }
}
