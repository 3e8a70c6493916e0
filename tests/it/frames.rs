//! Every screen and state, drawn at the four sizes of the design where that matters: text and styles.
//!
//! The pictures are looked at before they are accepted; the keys that led to each stand in its head.

use crate::desk::agents;
use crate::desk::log;
use crate::desk::screen::{self, play, settle};
use crate::desk::script::{self, planned};
use crate::desk::stock::{self, Stock, skill};
use skillpick::catalog::{Cut, Limit, Scope, checks};
use skillpick::text::SafeText;
use skillpick::tui::app::{ActivityLog, DiffKind, Effect, Msg, Notice, State, Timer, Viewed, update};
use skillpick::tui::view::Palette;
use std::sync::Arc;

const SMALL: (u16, u16) = (40, 10);
const MIDDLE: (u16, u16) = (60, 20);
const USUAL: (u16, u16) = (100, 30);
const WIDE: (u16, u16) = (160, 45);
const ALL: [(u16, u16); 4] = [SMALL, MIDDLE, USUAL, WIDE];

/// A picker on a catalog, everything read.
fn on(stock: &mut Stock, size: (u16, u16)) -> State {
    let mut state = script::unopened(size, false);
    let effects = update(&mut state, Msg::Viewed(Box::new(stock.view())));
    settle(&mut state, effects);
    state
}

fn on_view(view: Viewed, size: (u16, u16)) -> State {
    let mut state = script::unopened(size, false);
    let effects = update(&mut state, Msg::Viewed(Box::new(view)));
    settle(&mut state, effects);
    state
}

fn shop(size: (u16, u16)) -> State {
    on(&mut Stock::shop(), size)
}

/// Keeps the picture under a name and the size.
#[track_caller]
fn look(name: &str, state: &State, keys: &str) {
    let name = format!("{name}-{}x{}", state.area.width, state.area.height);
    let picture = screen::picture(&screen::draw(state, Palette::Ansi));
    insta::with_settings!({ description => keys, omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, picture);
    });
}

/// Presses keys on the shop's catalog at these sizes and looks.
#[track_caller]
fn look_after(name: &str, sizes: &[(u16, u16)], keys: &str) {
    for size in sizes {
        let mut state = shop(*size);
        play(&mut state, keys);
        look(name, &state, keys);
    }
}

#[test]
fn picker_list() {
    look_after("picker", &ALL, "");
}

#[test]
fn picker_query() {
    look_after("picker-query", &[SMALL, USUAL, WIDE], "pdf form");
}

#[test]
fn picker_query_of_one_word() {
    look_after("picker-query-word", &[USUAL], "pdf");
}

#[test]
fn picker_marks() {
    look_after("picker-marks", &[SMALL, USUAL], "<tab><down><tab>");
}

#[test]
fn picker_end_of_list() {
    look_after("picker-end", &[SMALL], "<end>");
}

#[test]
fn picker_typo() {
    look_after("picker-typo", &[USUAL], "kuberentes");
}

#[test]
fn picker_no_match() {
    look_after("picker-no-match", &[USUAL], "is:on scope:nowhere redact<ctrl-s>");
}

#[test]
fn picker_refusal() {
    look_after("picker-refusal", &[SMALL, USUAL], "redact<enter>");
}

#[test]
fn picker_raw_and_hidden() {
    look_after("picker-raw", &[USUAL], "forms<ctrl-t>");
    look_after("picker-hidden", &[USUAL], "<ctrl-t><ctrl-t>");
}

#[test]
fn picker_scope() {
    look_after("picker-scope", &[USUAL], "<ctrl-s>");
}

#[test]
fn picker_of_a_broken_skill() {
    look_after("picker-broken", &[WIDE], "pdf-broken");
}

#[test]
fn picker_of_a_hostile_skill() {
    look_after("picker-hostile", &[USUAL], "evil");
}

#[test]
fn picker_body_hits() {
    let mut state = shop(USUAL);
    let effects = script::script(&mut state, "elsewhere");
    let asked = effects.iter().rev().find_map(|effect| match effect {
        Effect::SearchBodies(question) => Some(question.generation),
        _ => None,
    });
    let effects = update(&mut state, Msg::Bodies(asked.unwrap(), vec![0, 6]));
    settle(&mut state, effects);
    look("picker-body", &state, "elsewhere, found in two bodies");
}

#[test]
fn picker_while_loading() {
    let mut state = script::unopened(USUAL, false);
    look("picker-first-frame", &state, "nothing has come yet");
    update(&mut state, Msg::Waited(Timer::Spinner));
    look("picker-loading", &state, "nothing has come for 200 ms");
    let mut stock = Stock::of(vec![skill(Scope::User, "pdf", "Extract text.")]);
    stock.complete = false;
    update(&mut state, Msg::Viewed(Box::new(stock.view())));
    look("picker-streaming", &state, "the first skill has come, the preview has not");
}

#[test]
fn picker_without_skills() {
    for size in [SMALL, USUAL] {
        look("picker-empty", &on(&mut Stock::empty(), size), "no skills anywhere");
    }
}

#[test]
fn picker_alarms() {
    let mut stock = Stock::shop();
    stock.alarms = vec![SafeText::fixed("/home/ada/.config/skillpick/config.toml:7: not TOML. close the bracket")];
    stock.cuts = vec![Cut { limit: Limit::Entries, value: 20_000, dropped: 311, path: "/code/shop/vendor".into() }];
    for size in [SMALL, USUAL] {
        let mut state = on(&mut stock, size);
        let effects = update(&mut state, Msg::Told(Notice::grave(SafeText::fixed("not saved: the disk is full"))));
        settle(&mut state, effects);
        look("picker-alarms", &state, "broken settings, a cut, a failed save");
    }
    let mut state = on(&mut stock, USUAL);
    play(&mut state, "<ctrl-d>");
    look("problems-alarms", &state, "broken settings, a cut, a root that cannot be read");
}

#[test]
fn picker_slow_preview() {
    let mut state = script::open(USUAL, Stock::shop().view());
    update(&mut state, Msg::Waited(Timer::SlowPreview(1)));
    look("picker-reading", &state, "the preview takes long");
}

#[test]
fn copy_menu() {
    look_after("copy", &[SMALL, USUAL], "<tab><tab><ctrl-y>");
}

#[test]
fn detail() {
    look_after("detail", &ALL, "pdf-forms<right>");
}

#[test]
fn detail_of_other_files() {
    look_after("detail-binary", &[USUAL], "pdf-forms<right><down><down>");
    look_after("detail-code", &[USUAL], "pdf-forms<right>Gkkrw");
    look_after("detail-find", &[USUAL], "pdf-forms<right>/form");
}

#[test]
fn problems() {
    look_after("problems", &ALL, "PDF_Old<ctrl-d>");
}

#[test]
fn problems_filtered_and_found() {
    look_after("problems-errors", &[USUAL], "<ctrl-d>f");
    look_after("problems-find", &[USUAL], "<ctrl-d>/name");
}

#[test]
fn rules() {
    look_after("rules", &ALL, "pdf-forms<ctrl-r>");
}

#[test]
fn rules_edited() {
    look_after("rules-typing", &[SMALL, USUAL], "pdf-redact<ctrl-r>a<ctrl-u>pdf-*");
    look_after("rules-unsaved", &[USUAL], "<ctrl-r>a<ctrl-u>pdf-*<enter><space><esc>");
    look_after("rules-test", &[USUAL], "<ctrl-r>tinternal-wiki");
}

#[test]
fn rules_without_any() {
    let mut stock = Stock::of(vec![skill(Scope::User, "pdf", "Extract text.")]);
    let mut state = on(&mut stock, USUAL);
    play(&mut state, "<ctrl-r>");
    look("rules-empty", &state, "no rules are written anywhere");
}

#[test]
fn help() {
    look_after("help", &ALL, "<f1>");
    look_after("help-search", &[USUAL], "<ctrl-r>?rule");
}

#[test]
fn confirm() {
    for size in [SMALL, USUAL] {
        let mut state = shop(size);
        planned(&mut state, 7, true);
        look("confirm", &state, "a plan for the project's file has come");
    }
}

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

/// The shop with its log: what was used is known, and what the keys open has come.
fn used(size: (u16, u16), keys: &str, log: Option<ActivityLog>) -> State {
    let mut stock = Stock::shop();
    stock.uses = log::uses(&stock);
    let mut state = on(&mut stock, size);
    state.now_ms = log::NOW;
    let (opens, rest) = keys.split_once('|').unwrap_or((keys, ""));
    play(&mut state, opens);
    if let Some(log) = log {
        update(&mut state, Msg::ActivityRead(Arc::new(log)));
    }
    play(&mut state, rest);
    state
}

#[test]
fn activity() {
    let log = || Some(log::shop(&Stock::shop()));
    for size in ALL {
        look("activity", &used(size, "<f7>|j", log()), "<f7>j");
        look("activity-open", &used(size, "<f7>|jj<enter>jj", log()), "<f7>jj<enter>jj");
    }
    let large = ActivityLog { cut: vec![log::FILE.into()], ..log().unwrap() };
    look("activity-cut", &used(USUAL, "<f7>", Some(large)), "the newer file is larger than any that we write");
    look("activity-narrowed", &used(USUAL, "<f7>|jf", log()), "<f7>jf");
    look("activity-find", &used(USUAL, "<f7>|/fields", log()), "<f7>/fields");
    look("activity-reading", &used(USUAL, "<f7>", None), "<f7>, and nothing has come");
    let odd =
        ActivityLog { broken: 2, unread: vec![log::FILE.replace("activity", "activity.1").into()], ..log().unwrap() };
    look(
        "activity-broken",
        &used(USUAL, "<f7>", Some(odd)),
        "two lines are broken, the older file is not ours to read",
    );
}

#[test]
fn activity_without_calls() {
    let empty = || Some(ActivityLog { file: Some(log::FILE.into()), ..ActivityLog::default() });
    for size in [SMALL, USUAL] {
        look("activity-empty", &used(size, "<f7>", empty()), "no call was noted yet");
    }
    look("activity-empty-one", &used(USUAL, "^form<f3>a", empty()), "no call of this skill was noted");
    look("activity-nowhere", &used(USUAL, "<f7>", Some(ActivityLog::default())), "there is no state directory");
}

#[test]
fn uses() {
    for size in ALL {
        look("picker-used", &used(size, "pdf", None), "pdf, with a log");
    }
    look("picker-used-hidden", &used(USUAL, "<ctrl-t><ctrl-t>", None), "<ctrl-t><ctrl-t>, with a log");
    for size in [MIDDLE, USUAL, WIDE] {
        look("detail-used", &used(size, "pdf-forms<right>", None), "pdf-forms<right>, with a log");
    }
}

#[test]
fn compare() {
    for size in [SMALL, USUAL] {
        let mut state = shop(size);
        let lines = vec![
            (DiffKind::Header, SafeText::fixed("--- /code/shop/.agents/skills/scan-ocr/SKILL.md")),
            (DiffKind::Header, SafeText::fixed("+++ /home/ada/.agents/skills/scan-ocr/SKILL.md")),
            (DiffKind::Context, SafeText::fixed(" name: scan-ocr")),
            (DiffKind::Removed, SafeText::fixed("-description: Searchable PDFs.")),
            (DiffKind::Added, SafeText::fixed("+description: Searchable PDFs, in five languages.")),
            (DiffKind::Added, SafeText::fixed("only in the second: scripts/ocr.py")),
        ];
        update(&mut state, Msg::Compared(SafeText::fixed("scan-ocr"), Ok(lines)));
        look("compare", &state, "two copies have been held against each other");
    }
}

#[test]
fn ascii_frames_hold_no_glyph_of_ours() {
    let latin = vec![
        skill(Scope::User, "pdf", "Extract text."),
        skill(Scope::Repo, "pdf", "The same name elsewhere."),
        skill(
            Scope::Repo,
            "a-name-that-is-so-long-that-it-must-be-cut-somewhere-in-every-pane",
            "Long. ".repeat(40).trim(),
        ),
    ];
    let mut stock = Stock::of(latin);
    stock.turn_off("a-name-that-is-so-long-that-it-must-be-cut-somewhere-in-every-pane");
    stock.cuts = vec![Cut { limit: Limit::Depth, value: 6, dropped: 1, path: "/code/shop".into() }];
    let screens = [
        "",
        "zzz",
        "is:marked",
        "<tab><tab>",
        "<ctrl-t>",
        "<f1>",
        "<f1>zzz",
        "<ctrl-r>",
        "<ctrl-r>a",
        "<ctrl-r>a<enter>d",
        "<ctrl-r>a<enter><esc>",
        "<ctrl-r>tpdf",
        "<right>",
        "<right>/x",
        "<right>w",
        "<ctrl-y>",
        "<ctrl-d>",
        "<ctrl-d>ff",
        "a-name<enter>",
        "<f7>",
    ];
    for size in ALL {
        for keys in screens {
            let mut state = script::unopened(size, true);
            update(&mut state, Msg::Waited(Timer::Spinner));
            let effects = update(&mut state, Msg::Viewed(Box::new(stock.view())));
            settle(&mut state, effects);
            play(&mut state, keys);
            let rows = screen::text(&screen::draw(&state, Palette::Ansi));
            for row in rows {
                assert!(row.is_ascii(), "{keys} at {size:?}: {row}");
            }
        }
        let mut state = script::unopened(size, true);
        planned(&mut state, 1, true);
        assert!(screen::text(&screen::draw(&state, Palette::Ansi)).iter().all(|row| row.is_ascii()));
        let mut state = script::unopened(size, true);
        play(&mut state, "<f7>");
        update(&mut state, Msg::ActivityRead(Arc::new(log::shop(&Stock::shop()))));
        play(&mut state, "jj<enter>nnn<enter>/x");
        let rows = screen::text(&screen::draw(&state, Palette::Ansi));
        assert!(rows.iter().all(|row| row.is_ascii()), "{rows:?}");
    }
}

#[test]
fn ascii_picker() {
    let mut state = script::unopened(USUAL, true);
    let effects = update(&mut state, Msg::Viewed(Box::new(Stock::shop().view())));
    settle(&mut state, effects);
    play(&mut state, "<tab>");
    look("ascii", &state, "--ascii");
}

#[test]
fn the_plain_palette_has_no_colour() {
    use ratatui::style::Color;
    for keys in ["pdf<tab>", "pdf-forms<right>", "<ctrl-d>", "<ctrl-r>", "<f1>", "<ctrl-y>", "<f7>"] {
        let mut state = shop(WIDE);
        play(&mut state, keys);
        let cells = screen::draw(&state, Palette::Plain);
        assert!(cells.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset), "{keys}");
    }
}

#[test]
fn t1_nothing_hostile_reaches_a_cell() {
    let hostile = |character: char| {
        character.is_control()
            || matches!(character, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let screens = [
        "",
        "evil",
        "evil<right>",
        "evil<right>r",
        "evil<ctrl-y>",
        "evil<ctrl-r>a",
        "evil<ctrl-r>a<enter>",
        "<ctrl-d>",
    ];
    for keys in screens {
        let mut stock = Stock::shop();
        let evil = stock.skills.iter_mut().find(|skill| skill.name.starts_with("evil")).unwrap();
        *evil = stock::with(evil.clone(), &checks::NAME_CHARS, (2, 7, 1), "no \u{1b}[31m \u{202e}place");
        let mut state = on(&mut stock, WIDE);
        play(&mut state, keys);
        update(&mut state, Msg::Paste("\u{1b}[2J\u{202e}".into()));
        let cells = screen::draw(&state, Palette::Ansi);
        let found = cells.content().iter().find(|cell| cell.symbol().contains(hostile));
        assert!(found.is_none(), "{keys}: {found:?}");
    }
}
