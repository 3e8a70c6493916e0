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

/// The least columns for the folder of a copy.
const LEAST_TAG: usize = 8;

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
    let (above, below) = screen.areas(state);
    head(state, screen, budget, above, painter);
    let dearest = budget.rows.iter().map(|(_, portion)| portion.whole).max().unwrap_or(0).max(1);
    let widths = Widths { dearest, name: NAME.min(usize::from(below.width) / 3) };
    let lines = screen.list.lines(below.height.into(), budget.rows.len());
    for (area, line) in rows(beside_bar(below, budget.rows.len())).zip(lines) {
        let row = line.and_then(|index| Some((index, budget.rows.get(index)?)));
        let strip = match row {
            Some((index, (skill, portion))) => {
                let tag = tag(state, skill, budget);
                row_of((skill, tag), portion, &widths, index == screen.list.cursor)
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
    let mut lines = vec![first];
    for rule in budget.ruled(usize::from(area.width).saturating_sub(2)) {
        lines.push(Strip::of(inert!(" {}", rule), Meaning::Muted));
    }
    let mut without = Strip::default();
    if let Some(words) = screen.without(state) {
        without.push(inert!(" without this skill: {}", words), Meaning::Accent);
    }
    lines.push(without);
    painter.strips(area, &lines);
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

/// What tells a skill apart from the others of its name: the agent's folder, or if they share that,
/// its own.
fn tag(state: &State, skill: &Skill, budget: &Budget) -> SafeText {
    let is_copy = |other: &&Skill| other.name == skill.name && other.path != skill.path;
    let mut copies = budget.rows.iter().map(|(other, _)| &**other).filter(is_copy).peekable();
    if copies.peek().is_none() {
        return SafeText::default();
    }
    let folder = skill.root.agents_folder();
    let is_shared = copies.any(|copy| copy.root.agents_folder() == folder);
    state.short_path(if is_shared { skill.location() } else { folder })
}

/// What it takes, a bar, what the model gets, name and description.
fn row_of(
    (skill, tag): (&Skill, SafeText),
    portion: &Portion,
    widths: &Widths,
    current: bool,
) -> Strip {
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
    let before = strip.width();
    let most = widths.name / 2;
    // Of a tag that is cut to a few columns nothing can be read.
    let tag = if most < LEAST_TAG { SafeText::default() } else { tag.cut_start(most) };
    let room = widths.name.saturating_sub(if tag.is_empty() { 0 } else { tag.width() + 1 });
    strip.push(SafeText::line(&skill.name).cut(room), text);
    if !tag.is_empty() {
        strip.gap(1).push(tag, Meaning::Muted);
    }
    strip.until(before + widths.name).gap(1);
    strip.push(SafeText::line(&skill.description), Meaning::Muted);
    strip
}
