//! The first line: the query on the left; counts, scope, agent, and what Enter prints on the right.

use super::budget;
use super::paint::{Painter, Strip};
use super::theme::Meaning;
use crate::inert;
use crate::policy::budget::Forecast;
use crate::text::{SafeText, short_number};
use crate::tui::app::{Action, Chosen, Find, KeyTable, Line, State};
use ratatui::layout::{Position, Rect};

/// What Enter prints is cut to so many columns, with whom it is for, which is not cut.
const PRINTED: usize = 48;

/// If there is no room otherwise, to so many.
const PRINTED_BESIDE: usize = 24;

/// But the call is not cut to fewer than these.
const LEAST_PRINTED: usize = 12;

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const SPINNER_ASCII: [&str; 4] = ["|", "/", "-", "\\"];

/// Draws the prompt; returns the cursor.
pub(super) fn draw(state: &State, area: Rect, painter: &mut Painter) -> Option<Position> {
    // The query has the room that it needs; the least important counts are left out.
    let typed = SafeText::clean(state.picker.query.text());
    let needed = typed.width() + 5;
    let mut input = area;
    let fits = |count: &Strip| needed + count.width() < usize::from(area.width);
    if let Some(count) = (0..=5).rev().map(|more| count(state, more)).find(fits) {
        let taken =
            painter.strip_right(Rect { width: area.width.saturating_sub(1), ..area }, &count);
        input.width = area.width.saturating_sub(taken + 2);
    }
    line(&state.picker.query, input, painter)
}

/// Draws ` ❯ ` and a line of text, scrolled to its cursor; returns the cursor.
pub(super) fn line(typed: &Line, area: Rect, painter: &mut Painter) -> Option<Position> {
    let before = SafeText::clean(typed.before_cursor());
    let room = usize::from(area.width).saturating_sub(4);
    let skipped = before.width().saturating_sub(room);
    let whole = SafeText::clean(typed.text());
    let shown = if skipped == 0 { whole } else { before.cut_start(room) };
    let mut strip = Strip::default();
    strip.fixed(" ❯ ", Meaning::Accent);
    strip.push(shown, if typed.is_selected() { Meaning::Chosen } else { Meaning::Text });
    painter.strip(area, &strip);
    let column = 3 + before.width().min(room);
    let column = area.x.saturating_add(u16::try_from(column).unwrap_or(u16::MAX));
    Some(Position { x: column.min(area.right().saturating_sub(1)), y: area.y })
}

/// Draws a search in the last row of an area, with `count` at its right; returns the cursor while
/// the query is typed.
pub(super) fn find(
    find: &Find,
    area: Rect,
    count: &Strip,
    painter: &mut Painter,
) -> Option<Position> {
    let row = Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area };
    painter.clear(row);
    let taken = painter.strip_right(row, count);
    let cursor = line(&find.line, Rect { width: row.width - taken, ..row }, painter);
    cursor.filter(|_| find.typing)
}

/// `12 of 128 · 2 marked, 1 hidden · claude ▓▓▓░░ 6.9k of 8k · ↵ prints /pdf`. With `more` 4 what
/// Enter prints is shorter, with 3 the gauge is left out instead, with 2 it is shorter as well,
/// with 1 it is left out, with 0 also the agent.
fn count(state: &State, more: usize) -> Strip {
    let mut strip = Strip::default();
    if let Some(step) = state.spinner.step() {
        let steps: &[&'static str] = if state.options.ascii { &SPINNER_ASCII } else { &SPINNER };
        strip.fixed(steps[usize::from(step) % steps.len()], Meaning::Accent).gap(1);
    }
    found(state, &mut strip);
    let chosen = state.chosen();
    marks(state, &chosen, &mut strip);
    if let Some(scope) = state.picker.scope {
        strip.fixed(" · ", Meaning::Muted);
        strip.push(inert!("{} scope", scope.word()), Meaning::Text);
    }
    if more >= 1 {
        let through = if state.options.sees_all() { "all agents" } else { state.options.host };
        strip.fixed(" · ", Meaning::Muted).fixed(through, Meaning::Muted);
    }
    if more >= 4
        && let Some(forecast) = state.gauge()
    {
        gauge(state, forecast, &mut strip);
    }
    if more >= 2
        && let Some((printed, whom)) = state.printed(&chosen)
    {
        let key = state.key_word(KeyTable::Picker, Action::Pick);
        let most = if matches!(more, 2 | 4) { PRINTED_BESIDE } else { PRINTED };
        let whom = whom.map(|whom| inert!(" {}", whom)).unwrap_or_default();
        let printed = printed.cut(most.saturating_sub(whom.width()).max(LEAST_PRINTED));
        strip.push(inert!(" · {} ", key), Meaning::Muted);
        strip.push(printed, Meaning::Text).push(whom, Meaning::Text);
    }
    strip
}

/// `12 of 128`; where skills of other agents stand below the rule, `12 of 40 · 7 not seen`.
fn found(state: &State, strip: &mut Strip) {
    // A row that stands for several skills counts as all of them.
    let shown = &state.picker.shown;
    let all = shown.rows.len();
    if shown.rows.tally.skills == all {
        let hits = shown.hits.len() + shown.folded.iter().sum::<usize>();
        strip.push(inert!("{}", hits), Meaning::Text).push(inert!(" of {}", all), Meaning::Muted);
        return;
    }
    let seen = shown.seen + shown.folded[0];
    strip
        .push(inert!("{}", seen), Meaning::Text)
        .push(inert!(" of {}", shown.rows.seen), Meaning::Muted);
    if shown.below > 0 {
        strip.push(inert!(" · {} not seen", shown.below), Meaning::Muted);
    }
}

/// ` ▓▓▓▓▓░░ 6.9k of 8k · 9 cut`, after the agent's name.
fn gauge(state: &State, forecast: &Forecast, strip: &mut Strip) {
    if let Some(host) = state.gauged().filter(|_| state.options.sees_all()) {
        strip.push(inert!(" · {}", host.word()), Meaning::Muted);
    }
    strip.gap(1).append(budget::gauge(forecast)).gap(1);
    let limit = forecast.limit.unwrap_or_default();
    let (used, limit) = (short_number(forecast.used()), short_number(limit));
    strip.push(inert!("{} of {}", used, limit), Meaning::Muted);
    if forecast.cut() > 0 {
        strip.push(inert!(" · {} cut", forecast.cut()), Meaning::Warning);
    }
}

/// How many skills are marked, and how many of these the query hides.
fn marks(state: &State, chosen: &Chosen, strip: &mut Strip) {
    let (here, total) = (state.marks.count(), state.marks.total());
    if total == 0 {
        return;
    }
    let marked = match here == total {
        true => inert!("{} marked", total),
        false => inert!("{} of {} marked", here, total),
    };
    strip.fixed(" · ", Meaning::Muted).push(marked, Meaning::Mark);
    let hidden = state.hidden(chosen).len();
    if hidden > 0 {
        strip.push(inert!(", {} hidden", hidden), Meaning::Mark);
    }
}
