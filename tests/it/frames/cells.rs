//! What no cell of any screen may hold: a glyph of ours where only ASCII is, a colour where there is none, anything hostile.

use super::{ALL, USUAL, WIDE, look, on, shop};
use crate::desk::log;
use crate::desk::screen::{self, play, settle};
use crate::desk::script::{self, planned};
use crate::desk::stock::{self, Stock, skill};
use skillpick::catalog::{Cut, Limit, Scope, checks};
use skillpick::tui::app::{Msg, Timer, update};
use skillpick::tui::view::Palette;
use std::sync::Arc;

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
