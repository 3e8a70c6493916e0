//! The screen of the log of calls, and a log that grows while it is open.

use crate::model::catalog::TestCatalog;
use crate::model::log::{self, FILE, NOW, load};
use crate::model::screen::{draw, text};
use crate::model::script::update;
use crate::model::script::{self, effects, go_to, notice, rows, script, top};
use ratatui::layout::Position;
use skillpick::catalog::{Call, CallKind};
use skillpick::tui::app::{Activity, ActivityLine, ActivityLog, Effect, Mouse, Msg, Screen, State};
use skillpick::tui::view::Palette;
use std::sync::Arc;

fn shop() -> State {
    let mut catalog = TestCatalog::shop();
    catalog.uses = log::uses(&catalog);
    let mut state = script::open((100, 30), catalog.view());
    state.now_ms = NOW;
    state
}

/// The screen, opened with these keys, with the shop's log.
fn opened(keys: &str) -> State {
    let mut state = shop();
    script(&mut state, keys);
    arrive(&mut state, log::shop(&TestCatalog::shop()));
    state
}

fn arrive(state: &mut State, log: ActivityLog) {
    update(state, Msg::ActivityRead(Arc::new(log)));
}

fn screen(state: &State) -> &Activity {
    let found = state.screens.iter().find_map(|screen| match screen {
        Screen::Activity(activity) => Some(activity),
        _ => None,
    });
    found.unwrap()
}

/// The cards that are listed, by deed and skill.
fn cards(state: &State) -> Vec<String> {
    let activity = screen(state);
    let heads = (0..activity.lines.len())
        .filter(|line| matches!(activity.lines[*line], ActivityLine::Card(_)));
    heads
        .filter_map(|line| activity.call(line))
        .map(|call| format!("{} {}", call.kind.word(), call.skill))
        .collect()
}

fn current(state: &State) -> &Call {
    let activity = screen(state);
    activity.call(activity.list.cursor).unwrap()
}

fn lines(state: &State) -> usize {
    screen(state).lines.len()
}

#[test]
fn rem_9_the_log_is_read_when_its_screen_opens_and_no_sooner() {
    let reads = |effects: &[Effect]| {
        effects.iter().filter(|effect| matches!(effect, Effect::ReadActivity)).count()
    };
    let mut state = shop();
    assert_eq!(reads(&script(&mut state, "pdf<down>")), 0);
    assert_eq!(reads(&script(&mut state, "<f7>jjk")), 1);
    assert_eq!(top(&state), "activity");
    arrive(&mut state, log::shop(&TestCatalog::shop()));
    assert_eq!(reads(&script(&mut state, "jG<enter><esc>")), 0);
    assert_eq!(top(&state), "picker");
    assert_eq!(reads(&script(&mut state, "<ctrl-l>")), 0, "nobody looks at it");
    assert_eq!(reads(&script(&mut state, "<alt-a><ctrl-l>")), 2, "opened, and by hand");
    for key in ["q", "<esc>", "<backspace>", "<f7>", "<left>"] {
        let mut state = opened("<f7>");
        assert!(effects(&mut state, key).is_empty());
        assert_eq!(top(&state), "picker", "{key}");
    }
}

#[test]
fn kod_7c_cards_are_closed_newest_first_and_open_to_everything() {
    let mut state = opened("<f7>");
    assert_eq!((lines(&state), screen(&state).counts), (9, (9, 2)));
    assert_eq!(cards(&state)[..3], ["load internal-deploy", "run pdf-forms", "run pdf-forms"]);
    script(&mut state, "jj<enter>");
    let shown = text(&draw(&state, Palette::Plain)).join("\n");
    for part in [
        "path     /code/shop/.agents/skills/pdf-forms/SKILL.md",
        "file     scripts/check_fields.py",
        "time     2026-03-01 11:52:00.000Z · 8 minutes ago",
        "client   cli",
        "session  chat-7",
        "bytes    65536 B (65.5 KB), cut",
        "took     62.5 s",
        "exit     3",
        "sandbox  off",
        "digest   9f2c41d6b07e58a3",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    script(&mut state, "jjj");
    assert_eq!(screen(&state).field().unwrap().0, "file");
    script(&mut state, "<left>");
    assert_eq!((lines(&state), screen(&state).list.cursor), (9, 2), "closed, and on its card");
    script(&mut state, "<right><right>n");
    assert_eq!(
        (current(&state).kind, lines(&state) > 9),
        (CallKind::Read, true),
        "the next card, over the open one"
    );
    script(&mut state, "N<space>");
    assert_eq!(lines(&state), 9);
}

#[test]
fn rem_9_one_key_narrows_to_the_skill_and_widens_again() {
    let mut state = opened("<f7>");
    script(&mut state, "jjjf");
    assert_eq!(cards(&state).len(), 6);
    assert!(cards(&state).iter().all(|card| card.ends_with(" pdf-forms")));
    assert_eq!(current(&state).kind, CallKind::Read, "the cursor stays on its card");
    script(&mut state, "f");
    assert_eq!((cards(&state).len(), current(&state).kind), (9, CallKind::Read));
    // From a skill's own screen its own calls are shown.
    let mut state = shop();
    go_to(&mut state, "pdf");
    script(&mut state, "<f3>a");
    arrive(&mut state, log::shop(&TestCatalog::shop()));
    assert_eq!(cards(&state), ["load pdf"]);
    script(&mut state, "f<esc>");
    assert_eq!(top(&state), "detail");
}

#[test]
fn rem_9_a_card_leads_to_its_skill_or_says_that_it_is_not_there() {
    let mut state = opened("zzz<f7>");
    script(&mut state, "jo");
    assert_eq!((top(&state), script::current(&state)), ("picker", "pdf-forms"));
    assert!(state.picker.query.is_empty(), "what hid it is cleared");
    let mut state = opened("<f7>");
    script(&mut state, "Go");
    assert_eq!(
        (top(&state), notice(&state)),
        ("activity", "gone-since is not in the list of agents")
    );
    let mut state = shop();
    script(&mut state, "<f3><f7>");
    arrive(&mut state, log::shop(&TestCatalog::shop()));
    script(&mut state, "ffGko");
    assert_eq!(top(&state), "picker", "nothing stands before the list");
}

#[test]
fn kod_7c_a_card_is_copied_whole_and_an_open_one_line_by_line() {
    let mut state = opened("<f7>");
    assert_eq!(
        effects(&mut state, "y"),
        [
            "copy lines Error: denied (load internal-deploy) at 2026-03-01 11:58:00.000Z | error: denied | skill: internal-deploy | \
          path: /code/shop/.agents/skills/internal-deploy/SKILL.md | client: mcp:claude-code | took: 3 ms"
        ]
    );
    assert_eq!(
        effects(&mut state, "<enter>jjj<ctrl-y>"),
        ["copy lines /code/shop/.agents/skills/internal-deploy/SKILL.md"]
    );
    let mut state = opened("<f7>");
    arrive(&mut state, ActivityLog::default());
    assert!(
        effects(&mut state, "yof<enter><right>nNGg").is_empty(),
        "there is nothing to do it to"
    );
    assert_eq!(top(&state), "activity");
}

#[test]
fn rem_9_calls_are_found_by_what_they_say() {
    let mut state = opened("<f7>");
    script(&mut state, "/FIELDS");
    assert_eq!(
        (screen(&state).list.find.as_ref().unwrap().rows.len(), screen(&state).list.cursor),
        (3, 1)
    );
    script(&mut state, "<enter>nn");
    assert_eq!(current(&state).kind, CallKind::Read);
    script(&mut state, "n");
    assert_eq!(screen(&state).list.cursor, 1, "around the end");
    script(&mut state, "<esc>");
    assert_eq!((top(&state), screen(&state).list.find.is_none()), ("activity", true));
    script(&mut state, "/chat-7<esc>/denied");
    assert_eq!(screen(&state).list.cursor, 0);
}

#[test]
fn rem_9_a_newer_log_keeps_the_card_that_is_read() {
    let catalog = TestCatalog::shop();
    let mut newer = log::shop(&catalog);
    newer.calls.insert(0, load(&catalog, "scan-ocr", 1));
    newer.calls.insert(0, load(&catalog, "form-builder", 0));
    newer.calls.truncate(9);
    // An unmoved cursor stays on the newest call.
    let mut state = opened("<f7>");
    arrive(&mut state, newer.clone());
    assert_eq!((screen(&state).list.cursor, current(&state).skill.as_str()), (0, "form-builder"));
    // Whoever reads a card goes on reading it, with others open.
    let mut state = opened("<f7>");
    script(&mut state, "<enter>nn<enter>jj");
    let (field, all) = (screen(&state).field(), lines(&state));
    arrive(&mut state, newer.clone());
    assert_eq!((screen(&state).field(), current(&state).kind), (field, CallKind::Run));
    assert_eq!(lines(&state), all, "two came, two went");
    // A card that is gone takes its place with it.
    let mut state = opened("<f7>");
    script(&mut state, "G<enter>");
    arrive(&mut state, newer);
    assert_eq!(screen(&state).list.cursor, 8);
    // It comes to the screen though help stands above it.
    let mut state = opened("<f7>");
    script(&mut state, "?");
    arrive(&mut state, ActivityLog::default());
    script(&mut state, "<esc>");
    assert_eq!(lines(&state), 0);
}

#[test]
fn rem_9_the_mouse_moves_and_opens() {
    let mut state = opened("<f7>");
    let area = Activity::list_area(&state);
    update(&mut state, Msg::Mouse(Mouse::Click(Position::new(40, area.y + 4))));
    assert_eq!((screen(&state).list.cursor, lines(&state)), (4, 9));
    update(&mut state, Msg::Mouse(Mouse::DoubleClick(Position::new(40, area.y + 4))));
    assert!(lines(&state) > 9);
    update(&mut state, Msg::Mouse(Mouse::Click(Position::new(1, area.y + 4))));
    assert_eq!(lines(&state), 9, "one click on the sign closes it");
    update(&mut state, Msg::Mouse(Mouse::Click(Position::new(1, area.y + 25))));
    update(&mut state, Msg::Mouse(Mouse::WheelDown(Position::new(1, 1))));
    assert_eq!((screen(&state).list.cursor, lines(&state)), (5, 9));
}

#[test]
fn rem_9_an_opened_card_is_seen_to_its_end() {
    let mut state = opened("<f7>");
    update(&mut state, Msg::Resize(60, 12));
    script(&mut state, "jjjj<enter>");
    let (activity, height) = (screen(&state), usize::from(Activity::list_area(&state).height));
    assert!(
        activity.list.top <= activity.list.cursor
            && activity.list.cursor < activity.list.top + height
    );
    let after = activity.lines.iter().rposition(|line| line.card() == 4).unwrap();
    assert!(
        after < activity.list.top + height || activity.list.top + 2 >= activity.list.cursor,
        "as much of it as there is room for"
    );
    script(&mut state, "G<enter>G");
    assert_eq!(screen(&state).list.cursor, lines(&state) - 1);
}

#[test]
fn kod_7c_hostile_calls_are_inert_and_thousands_of_them_are_quick() {
    let catalog = TestCatalog::shop();
    let hostile = "\u{1b}[2J\u{1b}]52;c;AAAA\u{7}\u{202e}é日\n".repeat(200);
    let evil = |number: u64| Call {
        at_ms: if number.is_multiple_of(2) { u64::MAX - number } else { number },
        skill: hostile.clone(),
        file: Some(hostile.clone()),
        client: hostile.clone(),
        session: Some(hostile.clone()),
        digest: Some(hostile.clone()),
        sandbox: Some(hostile.clone()),
        error: Some(hostile.clone()),
        duration_ms: u64::MAX,
        bytes: Some(u64::MAX),
        exit: Some(i32::MIN),
        ..load(&catalog, "pdf", 0)
    };
    let many = (0..7_000).map(|number| Call { at_ms: NOW - number, ..load(&catalog, "pdf", 0) });
    let calls: Vec<Call> = (0..100).map(evil).chain(many).collect();
    for size in [(40, 10), (100, 30), (160, 45), (3, 3), (1, 60)] {
        let mut state = opened("<f7>");
        update(&mut state, Msg::Resize(size.0, size.1));
        arrive(
            &mut state,
            ActivityLog {
                calls: calls.clone(),
                broken: 3,
                unread: vec![FILE.into()],
                cut: Vec::new(),
                file: None,
            },
        );
        for keys in ["", "<enter>", "jjj<pagedown>", "f", "f", "G<enter>", "g/52", "<enter>n"] {
            assert!(effects(&mut state, keys).is_empty(), "{keys}");
            let cells = draw(&state, Palette::Ansi);
            let bad = |symbol: &str| {
                symbol.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c))
            };
            assert!(cells.content().iter().all(|cell| !bad(cell.symbol())), "{keys}");
        }
        let copied = effects(&mut state, "<esc>gy").join("\n");
        assert!(
            !copied.is_empty() && !copied.contains(['\u{1b}', '\u{202e}', '\u{7}', '\n']),
            "{copied:?}"
        );
    }
}

#[test]
fn rem_9_uses_are_filtered_and_leave_the_order_of_the_empty_query() {
    let mut state = shop();
    assert_eq!(rows(&state), rows(&script::open((100, 30), TestCatalog::shop().view())));
    script(&mut state, "is:used");
    let mut used = rows(&state);
    used.sort();
    assert_eq!(used, ["pdf", "pdf-forms"]);
    // Two of one name have one row.
    let all = state.viewed.rows.len() - 1;
    script(&mut state, "<ctrl-u>is:unused");
    assert_eq!(rows(&state).len(), all - 2);
    script(&mut state, "<ctrl-u>!is:used");
    assert_eq!(rows(&state).len(), all - 2);
}
