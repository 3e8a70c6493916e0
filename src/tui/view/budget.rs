//! The skills by what they cost an agent's model, with the line at which its limit is.

use super::paint::{Painter, Strip, beside_bar, rows};
use super::theme::Meaning;
use crate::catalog::Skill;
use crate::inert;
use crate::policy::budget::{Forecast, Part, Portion};
use crate::text::{SafeText, short_number};
use crate::tui::app::{Budget, BudgetScreen, State};
use ratatui::layout::{Position, Rect};

/// Cells of a gauge, and of the bar of the dearest skill.
const GAUGE: usize = 7;
const BAR: usize = 8;

/// Columns of a cost, of what the model gets, and of a name.
const COST: usize = 6;
const PART: usize = 11;
const NAME: usize = 28;

/// What the rows portion.
struct Widths {
    /// What the longest bar stands for.
    dearest: usize,
    /// Columns of a name.
    name: usize,
}

pub(super) fn draw(
    state: &State,
    screen: &BudgetScreen,
    painter: &mut Painter,
) -> Option<Position> {
    let panes = state.whole();
    let beside = inert!("{} · {}", screen.host.word(), screen.window());
    painter.frame(&panes, "Budget", &beside);
    let Some(budget) = state.budget(screen.host) else {
        painter.note(panes.left, " counting…");
        return None;
    };
    let (above, below) = BudgetScreen::areas(state);
    head(state, screen, budget, above, painter);
    let dearest = budget.rows.iter().map(|(_, portion)| portion.whole).max().unwrap_or(0).max(1);
    let widths = Widths { dearest, name: NAME.min(usize::from(below.width) / 3) };
    let lines = screen.list.lines(below.height.into(), budget.rows.len());
    for (area, line) in rows(beside_bar(below, budget.rows.len())).zip(lines) {
        let row = line.and_then(|index| Some((index, budget.rows.get(index)?)));
        let strip = match row {
            Some((index, (skill, portion))) => {
                row_of(skill, portion, &widths, index == screen.list.cursor)
            }
            None => limit(below.width.into()),
        };
        painter.strip(area, &strip);
    }
    painter.scroll_bar(below, screen.list.top, budget.rows.len());
    None
}

/// The gauge; the rule; what switching the current skill off wins back.
fn head(state: &State, screen: &BudgetScreen, budget: &Budget, area: Rect, painter: &mut Painter) {
    let mut first = Strip::default();
    first.gap(1).append(gauge(&budget.forecast)).gap(1);
    first.push(budget.forecast.gauge(), Meaning::Text);
    first.push(inert!(" · {}", budget.name), Meaning::Muted);
    let mut rule = Strip::default();
    let remark = if budget.remark.is_empty() { "" } else { " · " };
    let words = inert!(" a forecast: {}{}{}", budget.rule, remark, budget.remark);
    rule.push(words, Meaning::Muted);
    let mut without = Strip::default();
    if let Some(words) = screen.without(state) {
        without.push(inert!(" without this skill: {}", words), Meaning::Accent);
    }
    painter.strips(area, &[first, rule, without]);
}

/// `▓▓▓▓▓░░`: how much of the limit is taken; nothing without a limit.
pub(super) fn gauge(forecast: &Forecast) -> Strip {
    let mut strip = Strip::default();
    let Some(limit) = forecast.limit else { return strip };
    let taken = (forecast.used() * GAUGE).div_ceil(limit.max(1)).min(GAUGE);
    let meaning = if forecast.cut() > 0 { Meaning::Warning } else { Meaning::Good };
    strip.push(SafeText::fixed("▓").times(taken), meaning);
    strip.push(SafeText::fixed("░").times(GAUGE - taken), Meaning::Muted);
    strip
}

fn limit(width: usize) -> Strip {
    let mut strip = Strip::default();
    strip.fixed(" ── the limit is here ", Meaning::Muted);
    strip.push(SafeText::fixed("─").times(width.saturating_sub(strip.width() + 1)), Meaning::Muted);
    strip
}

/// What it takes, a bar, what the model gets, name and description.
fn row_of(skill: &Skill, portion: &Portion, widths: &Widths, current: bool) -> Strip {
    let mut strip = Strip::row(current);
    let text = if current { Meaning::Current } else { Meaning::Text };
    let bar = (portion.whole * BAR).div_ceil(widths.dearest).min(BAR);
    let cost = SafeText::clean(&short_number(portion.whole));
    strip.gap(1 + COST.saturating_sub(cost.width())).push(cost, text).gap(1);
    strip.push(SafeText::fixed("█").times(bar), Meaning::Muted).until(COST + BAR + 4);
    let (words, meaning) = match portion.part {
        Part::Whole => (SafeText::fixed("whole"), Meaning::Good),
        Part::Shortened(left) => (inert!("{} chars", left), Meaning::Warning),
        Part::Name => (SafeText::fixed("name only"), Meaning::Warning),
        Part::Nothing => (SafeText::fixed("left out"), Meaning::Error),
    };
    strip.push(words.pad(PART), meaning).gap(1);
    strip.push(SafeText::line(&skill.name).cut(widths.name).pad(widths.name), text).gap(1);
    strip.push(SafeText::line(&skill.description), Meaning::Muted);
    strip
}
