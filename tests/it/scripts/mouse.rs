//! The mouse.

use crate::model::catalog::TestCatalog;
use crate::model::script::update;
use crate::model::script::{self, current, in_words, script, shop, top};
use ratatui::layout::Position;
use skillpick::tui::app::{Mouse, Msg, Screen, State, hints};

fn mouse(state: &mut State, mouse: Mouse) -> Vec<String> {
    in_words(&update(state, Msg::Mouse(mouse)))
}

#[test]
fn the_wheel_moves_the_list_or_the_preview() {
    let mut state = script::open((160, 45), TestCatalog::shop().view());
    mouse(&mut state, Mouse::WheelDown(Position::new(5, 5)));
    mouse(&mut state, Mouse::WheelDown(Position::new(5, 5)));
    mouse(&mut state, Mouse::WheelUp(Position::new(5, 5)));
    assert_eq!(state.picker.list.cursor, 1);
    mouse(&mut state, Mouse::WheelDown(Position::new(120, 10)));
    assert_eq!(state.picker.list.cursor, 1, "over the preview the list stands still");
}

#[test]
fn a_click_selects_and_a_double_click_picks() {
    let mut state = shop();
    assert!(mouse(&mut state, Mouse::Click(Position::new(8, 7))).is_empty());
    assert_eq!(current(&state), "pdf");
    assert_eq!(mouse(&mut state, Mouse::DoubleClick(Position::new(8, 7))), ["picked pdf"]);
    assert!(
        mouse(&mut state, Mouse::DoubleClick(Position::new(8, 25))).is_empty(),
        "below the last row there is nothing"
    );
    assert!(mouse(&mut state, Mouse::DoubleClick(Position::new(8, 0))).is_empty());
}

#[test]
fn a_click_on_a_hint_runs_it() {
    let mut state = shop();
    let place = |state: &State, label: &str| {
        let hint =
            hints::hints(state).into_iter().find(|hint| hint.label.as_str() == label).unwrap();
        (hint.area.x + hint.area.width / 2, hint.area.y)
    };
    let (x, y) = place(&state, "rules");
    mouse(&mut state, Mouse::Click(Position::new(x, y)));
    assert_eq!(top(&state), "rules");
    let (x, y) = place(&state, "back");
    mouse(&mut state, Mouse::Click(Position::new(x, y)));
    let (x, y) = place(&state, "mark");
    mouse(&mut state, Mouse::Click(Position::new(x, y)));
    mouse(&mut state, Mouse::DoubleClick(Position::new(x, y)));
    assert_eq!(state.marks.count(), 2, "two quick clicks are two");
    let (x, y) = place(&state, "✗ 1 problem");
    mouse(&mut state, Mouse::Click(Position::new(x, y)));
    assert_eq!(top(&state), "problems");
}

#[test]
fn rows_of_the_other_screens_are_clicked() {
    let mut state = shop();
    script(&mut state, "<f1>");
    assert_eq!(mouse(&mut state, Mouse::Click(Position::new(4, 4))), [""; 0]);
    assert!(matches!(state.screens.last(), Some(Screen::Help(help)) if help.list.cursor == 2));
    let mut state = shop();
    script(&mut state, "<ctrl-r>");
    mouse(&mut state, Mouse::Click(Position::new(4, 6)));
    assert!(matches!(state.screens.last(), Some(Screen::Rules(rules)) if rules.list.cursor == 2));
    let mut state = shop();
    script(&mut state, "<ctrl-d>");
    for row in 5..8 {
        assert_eq!(top(&state), "problems");
        mouse(&mut state, Mouse::DoubleClick(Position::new(4, row)));
    }
    assert_eq!((top(&state), current(&state)), ("picker", "PDF_Old"));
    let mut state = shop();
    script(&mut state, "pdf-m<ctrl-y>");
    assert_eq!(
        mouse(&mut state, Mouse::DoubleClick(Position::new(4, 24))),
        ["copy Name pdf-merge-split"]
    );
}

#[test]
fn hints_never_touch_each_other_or_the_edge() {
    for keys in
        ["", "<tab>", "<right>", "<right>/x", "<ctrl-d>", "<ctrl-r>", "<ctrl-r>a", "?", "<ctrl-y>"]
    {
        let mut state = shop();
        script(&mut state, keys);
        for width in 0..=200 {
            update(&mut state, Msg::Resize(width, 30));
            let hints = hints::hints(&state);
            assert!(hints.iter().all(|hint| hint.area.right() <= width), "{keys} {width}");
            for pair in hints.windows(2) {
                let gap = i32::from(pair[1].area.x) - i32::from(pair[0].area.right());
                assert!(gap == 3 || gap >= 5, "{keys} at {width}: {gap} between {:?}", pair);
            }
        }
    }
    let mut state = script::shop();
    update(&mut state, Msg::Resize(0, 0));
    assert!(hints::hints(&state).is_empty());
}
