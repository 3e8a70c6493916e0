//! Cells never hold non-ASCII signs in ASCII mode, colours without a palette, or hostile text.

use super::{COLUMNS, USUAL, WIDE, look, on, shop};
use crate::model::catalog::{self, TestCatalog, skill};
use crate::model::screen::{self, play, settle};
use crate::model::script::update;
use crate::model::script::{self, planned};
use crate::model::{agents, log, project};
use skillpick::catalog::{Cut, Limit, Scope, checks};
use skillpick::listing::Rows;
use skillpick::text::SafeText;
use skillpick::tui::app::{DiffKind, Msg, State, Timer, Viewed};
use skillpick::tui::view::Palette;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

#[test]
fn ascii_frames_hold_no_glyph_of_ours() {
    let mut seen = BTreeSet::new();
    for size in COLUMNS {
        for ascii in [false, true] {
            let mut states: Vec<(&str, State)> =
                SCREENS.iter().map(|keys| (*keys, after(keys, latin(), (size, ascii)))).collect();
            for keys in ["", "<f6>", "<f6>jjj", "<ctrl-g>"] {
                let mut state = after(keys, agents::seen(&mut latin_catalog()), (size, ascii));
                update(&mut state, Msg::HostsFound(agents::rows()));
                states.push((keys, state));
            }
            let mut state = after("", latin(), (size, ascii));
            planned(&mut state, 1, true);
            states.push(("a plan", state));
            let mut state = script::unopened(size, ascii);
            play(&mut state, "<f7>");
            update(&mut state, Msg::ActivityRead(Arc::new(log::shop(&TestCatalog::shop()))));
            play(&mut state, "jj<enter>nnn<enter>/x");
            states.push(("activity", state));
            let mut state = after("<f8>", latin(), (size, ascii));
            project::answer(&mut state, None);
            play(&mut state, "j<enter>");
            project::answer(&mut state, Some("release-notes"));
            states.push(("a project", state));
            let mut state = after("", latin(), (size, ascii));
            let lines = vec![
                (DiffKind::Header, SafeText::fixed("--- a")),
                (DiffKind::Added, SafeText::fixed("+b")),
            ];
            update(&mut state, Msg::Compared(SafeText::fixed("pdf"), Ok(lines)));
            states.push(("two copies", state));
            for (keys, state) in states {
                let rows = screen::text(&screen::draw(&state, Palette::Ansi));
                let strange = rows.iter().find(|row| !row.is_ascii());
                assert!(!ascii || strange.is_none(), "{keys} at {size:?}: {strange:?}");
                seen.extend(
                    rows.iter()
                        .flat_map(|row| row.chars())
                        .filter(|character| !character.is_ascii()),
                );
            }
        }
    }
    let missing: Vec<char> =
        "●✓◐○✗≡⇉•◦▪–…·".chars().filter(|glyph| !seen.contains(glyph)).collect();
    assert!(missing.is_empty(), "no screen here shows {missing:?}");
}

/// The keys to every screen of a catalog.
const SCREENS: [&str; 22] = [
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
    "<ctrl-r>a<ctrl-u>more-*<enter>",
    "<right>",
    "<right>/x",
    "<right>w",
    "<ctrl-y>",
    "<ctrl-d>",
    "<ctrl-d>ff",
    "a-name<enter>",
    "nested",
    "<f7>",
];

/// Skills with ASCII texts, so that other characters are ours.
fn latin_catalog() -> TestCatalog {
    let long = "a-name-that-is-so-long-that-it-must-be-cut-somewhere-in-every-pane";
    let mut skills = vec![
        skill(Scope::User, "pdf", "Extract text."),
        skill(Scope::Repo, "pdf", "The same name elsewhere."),
        skill(Scope::Repo, long, "Long. ".repeat(40).trim()),
        skill(Scope::Repo, "nested-lists", "Lists in lists."),
        catalog::with(
            skill(Scope::Repo, "broken", ""),
            &checks::DESC_MISSING,
            (1, 1, 1),
            "no description",
        ),
    ];
    skills.extend(
        (0..40).map(|number| skill(Scope::User, &format!("more-{number}"), "One of many.")),
    );
    let mut catalog = TestCatalog::of(skills);
    catalog.turn_off(long);
    catalog.cuts =
        vec![Cut { limit: Limit::Depth, value: 6, dropped: 1, path: "/code/shop".into() }];
    catalog
}

fn latin() -> Viewed {
    let mut view = latin_catalog().view();
    let mut rows = view.rows.to_vec();
    rows[3].entry.mixed = true;
    rows[1].entry.shadowed_by = Some(Arc::from(Path::new("/other/SKILL.md")));
    view.listing.rows = Arc::new(Rows::new(rows));
    view
}

/// A picker with a view after these keys, with all requests answered.
fn after(keys: &str, view: Viewed, (size, ascii): ((u16, u16), bool)) -> State {
    let mut state = script::unopened(size, ascii);
    update(&mut state, Msg::Waited(Timer::Spinner));
    let effects = update(&mut state, Msg::Viewed(Box::new(view)));
    settle(&mut state, effects);
    play(&mut state, keys);
    state
}

#[test]
fn ascii_picker() {
    let mut state = script::unopened(USUAL, true);
    let effects = update(&mut state, Msg::Viewed(Box::new(TestCatalog::shop().view())));
    settle(&mut state, effects);
    play(&mut state, "<tab>");
    look("ascii", &state, "--ascii");
}

#[test]
fn the_plain_palette_has_no_colour() {
    use ratatui::style::Color;
    for keys in ["pdf<tab>", "pdf-forms<right>", "<ctrl-d>", "<ctrl-r>", "<f1>", "<ctrl-y>", "<f7>"]
    {
        let mut state = shop(WIDE);
        play(&mut state, keys);
        let cells = screen::draw(&state, Palette::Plain);
        assert!(
            cells.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset),
            "{keys}"
        );
    }
}

#[test]
fn nothing_hostile_reaches_a_cell() {
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
        let mut catalog = TestCatalog::shop();
        let evil = catalog.skills.iter_mut().find(|skill| skill.name.starts_with("evil")).unwrap();
        *evil = catalog::with(
            evil.clone(),
            &checks::NAME_CHARS,
            (2, 7, 1),
            "no \u{1b}[31m \u{202e}place",
        );
        let mut state = on(&mut catalog, WIDE);
        play(&mut state, keys);
        update(&mut state, Msg::Paste("\u{1b}[2J\u{202e}".into()));
        let cells = screen::draw(&state, Palette::Ansi);
        let found = cells.content().iter().find(|cell| cell.symbol().contains(hostile));
        assert!(found.is_none(), "{keys}: {found:?}");
    }
}
