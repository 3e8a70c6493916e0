//! What the parts of a screen draw at the edges. Whole screens are in `tests/it/frames`.

use super::paint::{Painter, Strip, shown};
use super::palette::Palette;
use super::theme::{Meaning, Theme};
use super::{preview, prompt, status, used};
use crate::catalog::{Use, Uses};
use crate::policy::Origin;
use crate::text::SafeText;
use crate::tui::app::{Find, Line, ListPane, Notice, Options, State, Unseen, layout};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use std::path::Path;
use std::sync::Arc;

/// Draws into an empty area without colours.
pub(super) fn cells(width: u16, height: u16, draw: impl FnOnce(&mut Painter, Rect)) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    let mut cells = Buffer::empty(area);
    let theme = Theme::new(Palette::Plain);
    draw(&mut Painter { cells: &mut cells, theme, ascii: false }, area);
    cells
}

/// The rows that are drawn, without blanks at their ends.
fn rows(width: u16, height: u16, draw: impl FnOnce(&mut Painter, Rect)) -> Vec<String> {
    let cells = cells(width, height, draw);
    let rows = cells.content().chunks(usize::from(width).max(1));
    rows.map(|row| row.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned()).collect()
}

/// The only row of a strip that is drawn in this width.
pub(super) fn row(width: u16, strip: &Strip) -> String {
    rows(width, 1, |painter, area| painter.strip(area, strip)).concat()
}

fn strip(parts: &[&'static str]) -> Strip {
    let mut strip = Strip::default();
    for part in parts {
        strip.fixed(part, Meaning::Text);
    }
    strip
}

fn state(width: u16, height: u16) -> State {
    State::new(Rect::new(0, 0, width, height), Options::default(), "", None)
}

#[test]
fn a_strip_that_does_not_fit_ends_in_a_mark() {
    let two = strip(&["abc", "def"]);
    let drawn: Vec<String> = [7, 6, 5, 4, 2, 1].map(|width| row(width, &two)).into();
    assert_eq!(drawn, ["abcdef", "abcdef", "abcd…", "abc…", "a…", "…"]);
    assert!(row(3, &two).ends_with('…'), "the first part fits, and the second is missed");
    assert_eq!(row(3, &strip(&["abc", "  "])), "abc", "blanks at the end are not missed");
    assert_eq!(row(0, &two), "");
}

#[test]
fn a_wide_character_is_not_cut_in_half() {
    assert_eq!(row(3, &strip(&["日本"])), "日 …", "its second cell is empty");
}

#[test]
fn gaps_reach_a_column_and_never_go_back() {
    let mut strip = strip(&["ab"]);
    strip.until(4).fixed("c", Meaning::Text).until(2).fixed("d", Meaning::Text);
    assert_eq!((strip.width(), row(9, &strip).as_str()), (6, "ab  cd"));
}

#[test]
fn a_match_is_marked_by_whole_graphemes() {
    let marked = |text: &'static str, range| {
        let mut strip = Strip::default();
        strip.matched(&SafeText::fixed(text), &[range], Meaning::Text);
        let cells = cells(12, 1, |painter, area| painter.strip(area, &strip));
        let hits =
            cells.content().iter().filter(|cell| cell.modifier.contains(Modifier::UNDERLINED));
        hits.map(Cell::symbol).collect::<String>()
    };
    assert_eq!(marked("pdf-forms", 0..3), "pdf");
    assert_eq!(marked("pdf-forms", 4..9), "forms");
    assert_eq!(marked("pdf-forms", 9..20), "");
    assert_eq!(marked("e\u{301}a", 1..2), "e\u{301}", "a part of a grapheme marks all of it");
}

#[test]
fn the_scroll_bar_is_at_the_edges_only_where_the_list_is() {
    let bar = |top, total| {
        let rows = rows(3, 10, |painter, area| painter.scroll_bar(area, top, total));
        rows.iter().map(|row| if row.ends_with('▐') { '#' } else { '.' }).collect::<String>()
    };
    assert_eq!(bar(0, 10), "..........", "all rows are visible");
    assert_eq!(bar(0, 11), "#########.");
    assert_eq!(bar(1, 11), ".#########");
    assert_eq!(bar(0, 20), "#####.....");
    assert_eq!(bar(1, 20), ".#####....", "one row further is not the start any more");
    assert_eq!(bar(10, 20), ".....#####");
    assert_eq!(bar(0, 1_000_000), "#.........");
    assert_eq!(bar(999_990, 1_000_000), ".........#");
    assert_eq!(bar(usize::MAX / 100, 1_000_000), ".........#", "beyond the end");
}

#[test]
fn a_row_that_is_cut_beside_a_scroll_bar_ends_in_its_mark() {
    let drawn = |count: usize| {
        let (items, list) = (vec![(); count], ListPane::default());
        rows(6, 2, |painter, area| {
            for row in shown(area, &list, &items) {
                painter.strip(row.area, &strip(&["abcdefg"]));
            }
            painter.scroll_bar(area, 0, items.len());
        })
    };
    assert_eq!(drawn(2), ["abcde…", "abcde…"]);
    assert_eq!(drawn(3), ["abcd…▐", "abcd…"]);
}

#[test]
fn what_is_beside_a_title_is_cut_and_left_out_before_the_title_is() {
    let title = |width| {
        rows(width, 1, |painter, area| {
            let panes = layout::whole(area, 0);
            painter.frame(&panes, "Problems", &SafeText::fixed("severity: errors"));
        })
        .concat()
    };
    assert_eq!(title(32), " ‹ Problems    severity: errors");
    assert_eq!(title(30), " ‹ Problems  severity: errors");
    assert_eq!(title(29), " ‹ Problems  severity: erro…");
    assert_eq!(title(20), " ‹ Problems  sever…");
    assert_eq!(title(19), " ‹ Problems", "six columns say nothing");
    assert_eq!(title(6), " ‹ Pr…");
}

#[test]
fn paragraphs_keep_a_margin_and_their_empty_rows() {
    let words = [
        (SafeText::fixed("one two three"), Meaning::Text),
        (SafeText::default(), Meaning::Text),
        (SafeText::fixed("four"), Meaning::Text),
    ];
    let drawn = rows(10, 6, |painter, area| painter.words(area, &words));
    assert_eq!(drawn, [" one two", " three", "", " four", "", ""]);
    let cut = |height| rows(10, height, |painter, area| painter.words(area, &words));
    assert_eq!(cut(2), [" one two", " three …"], "a cut is shown");
    assert_eq!(cut(3), [" one two", " three", "  …"]);
    assert_eq!(rows(1, 2, |painter, area| painter.words(area, &words)), ["", ""]);
}

#[test]
fn the_start_of_a_row_shows_the_cursor() {
    let starts = [true, false].map(|current| {
        rows(2, 1, |painter, area| {
            let strip = Strip::row(current);
            painter.strip(area, &strip);
        })
    });
    assert_eq!(starts, [["▌"], [""]]);
}

#[test]
fn an_input_line_scrolls_to_its_cursor() {
    let drawn = |line: &Line, width| {
        let mut cursor = None;
        let rows = rows(width, 1, |painter, area| cursor = prompt::line(line, area, painter));
        (rows.concat(), cursor.map(|cursor| cursor.x))
    };
    let mut line = Line::new("abcdef");
    assert_eq!(drawn(&line, 12), (" ❯ abcdef".to_owned(), Some(9)));
    assert_eq!(drawn(&line, 10), (" ❯ abcdef".to_owned(), Some(9)));
    assert_eq!(drawn(&line, 9), (" ❯ …cdef".to_owned(), Some(8)));
    assert_eq!(drawn(&line, 0).1, Some(0));
    line.start();
    assert_eq!(drawn(&line, 8), (" ❯ abcd…".to_owned(), Some(3)));
}

#[test]
fn a_search_has_the_last_row_and_its_cursor_only_while_it_is_typed() {
    let drawn = |find: &Find| {
        let mut cursor = None;
        let rows = rows(12, 2, |painter, area| {
            painter.text(area, &SafeText::fixed("above"), Meaning::Text);
            cursor = prompt::find(find, area, &strip(&[" 3"]), painter);
        });
        (rows, cursor)
    };
    let mut find = Find::start();
    find.line.set("pdf");
    let (rows, cursor) = drawn(&find);
    assert_eq!(
        (rows.join("|").as_str(), cursor),
        ("above| ❯ pdf     3", Some(Position::new(6, 1)))
    );
    find.typing = false;
    assert_eq!(drawn(&find).1, None);
}

#[test]
fn counts_and_estimates_round_and_take_their_plural() {
    let counted = [0, 1, 2].map(|count| crate::text::counted(count, "file").to_string());
    assert_eq!(counted, ["0 files", "1 file", "2 files"]);
    let tokens = [0, 4, 41_990, 42_000].map(|bytes| preview::tokens(bytes).to_string());
    assert_eq!(tokens, ["~0 tok", "~1 tok", "~9998 tok", "~10k tok"]);
}

#[test]
fn an_origin_is_a_file_and_line_or_a_word() {
    let file = Arc::from(Path::new("/home/ada/.config/skillpick/config.toml"));
    let rule = Origin::Rule { file, line: 12, text: "skills.config".into() };
    assert_eq!(preview::origin(&rule).as_str(), "config.toml:12");
    assert_eq!(preview::origin(&Origin::Default).as_str(), "default");
}

#[test]
fn a_pane_without_a_text_says_why() {
    let said = [
        Unseen::Binary(SafeText::fixed("a PNG picture")),
        Unseen::Unreadable(SafeText::fixed("Permission denied")),
        Unseen::Gone,
    ];
    let said = said.map(|unseen| preview::unseen_text(&unseen).to_string());
    assert_eq!(
        said,
        ["not text: a PNG picture", "cannot be read: Permission denied", "it no longer exists"]
    );
}

#[test]
fn a_use_is_shown_with_its_number_and_client_if_they_are_known() {
    let often = |count, client: &str| {
        used::often(&Use { count, last_ms: 0, client: client.into() }).to_string()
    };
    assert_eq!(often(1, ""), "once");
    assert_eq!(often(1, "codex"), "once by codex");
    assert_eq!(often(2, ""), "2 times");
    assert_eq!(often(2, "codex"), "2 times, last by codex");
}

#[test]
fn a_use_fits_its_column_at_every_number_and_age() {
    const HOUR: u64 = 3_600_000;
    let path = Path::new("/pdf/SKILL.md");
    for (count, age, short) in [
        (1, 0, "1× now"),
        (999, 5 * HOUR, "999× 5h"),
        (1_000, 48 * HOUR, "1k× 2d"),
        (99_999, 24 * 7 * 30 * HOUR, "99k× 30w"),
        (200_000, 24 * 366 * 4 * HOUR, "99k× 4y"),
    ] {
        let mut uses = Uses::default();
        (0..count).for_each(|_| uses.add(path, 0, "codex"));
        let mut state = state(100, 30);
        (state.viewed.listing.uses, state.now_ms) = (Arc::new(uses), age);
        let shown = used::short(&state, path).unwrap();
        assert_eq!(shown.as_str(), short);
        assert!(shown.width() <= crate::tui::app::USED, "{shown}");
    }
    assert!(used::short(&state(100, 30), path).is_none(), "it was never used");
}

#[test]
fn a_time_ahead_of_the_clock_is_no_age_beyond_a_minute() {
    assert_eq!(used::ago(0, 60_000).as_str(), "just now");
    assert_eq!(used::ago(0, 60_001).as_str(), "in the future");
    assert_eq!(
        (used::short_ago(0, 60_000).as_str(), used::short_ago(0, 60_001).as_str()),
        ("now", "?")
    );
}

#[test]
fn of_a_long_text_the_start_or_the_end_is_shown_with_a_mark() {
    let long = "ab".repeat(5_000);
    assert_eq!(used::glimpse(&long, 5).as_str(), "abab…");
    assert_eq!(used::glimpse_end(&long, 5).as_str(), "…abab");
    assert_eq!(
        (used::glimpse("abc", 3).as_str(), used::glimpse_end("abc", 3).as_str()),
        ("abc", "abc")
    );
    assert_eq!((used::glimpse("abc", 0).as_str(), used::glimpse_end("", 4).as_str()), ("", ""));
}

#[test]
fn a_notice_begins_with_a_sign_and_its_next_rows_are_aligned() {
    let mut state = state(20, 12);
    state.notice = Some(Notice::grave(SafeText::fixed("the settings file is broken")));
    let drawn = rows(20, 12, |painter, _| status::draw(&state, painter));
    assert_eq!(drawn[9..11], [" ✗ the settings", "   file is broken"]);
    state.notice = Some(Notice::plain(SafeText::fixed("saved")));
    assert_eq!(rows(20, 12, |painter, _| status::draw(&state, painter))[10], " ✓ saved");
}
