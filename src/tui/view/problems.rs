//! Problems, read like a compiler's messages: code, place, the line with a caret, help.

use super::confirm::title;
use super::paint::{self, Painter, Strip, rows};
use super::prompt;
use super::theme::Meaning;
use crate::catalog::{Diagnostic, RootState, Severity};
use crate::inert;
use crate::policy::Entry;
use crate::text::SafeText;
use crate::tui::app::{Excerpt, ProblemRow, Problems, State};
use ratatui::layout::{Position, Rect};

/// Columns of the code in the list.
const CODE: usize = 20;

/// Draws the screen; returns the cursor where something is typed.
pub(super) fn draw(state: &State, problems: &Problems, painter: &mut Painter) -> Option<Position> {
    let panes = Problems::layout(state);
    title(panes.title, "Problems", painter);
    let mut severity = Strip::default();
    severity.push(inert!("severity: {} ", problems.filter.word()), painter.style(Meaning::Muted));
    painter.strip_right(panes.title, &severity);
    painter.frame(&panes);
    painter.text(Rect { height: 1.min(panes.left.height), ..panes.left }, &summary(state), Meaning::Muted);
    list(state, problems, painter);
    if let Some(right) = panes.right {
        let inner = Rect { x: right.x + 1.min(right.width), width: right.width.saturating_sub(2), ..right };
        explain(state, problems, inner, painter);
    }
    find_line(problems, panes.left, painter)
}

/// `1 error · 3 warnings in 3 skills`
fn summary(state: &State) -> SafeText {
    let (errors, warnings) = state.problem_counts();
    let entries = &state.viewed.entries;
    let affected = entries.iter().filter(|entry| !entry.skill.diagnostics.is_empty()).count();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    inert!(" {} error{} · {} warning{} in {} skills", errors, plural(errors), warnings, plural(warnings), affected)
}

fn list(state: &State, problems: &Problems, painter: &mut Painter) {
    let area = Problems::list_area(state);
    if problems.rows.is_empty() {
        return painter.text(area, &SafeText::fixed(" nothing of this severity"), Meaning::Muted);
    }
    for ((row, problem), index) in rows(area).zip(problems.rows.iter().skip(problems.top)).zip(problems.top..) {
        let current = index == problems.cursor;
        let mut strip = Strip::default();
        strip.fixed(if current { "▌" } else { " " }, painter.style(Meaning::Accent));
        let strong = painter.style(if current { Meaning::Current } else { Meaning::Text });
        let width = usize::from(row.width);
        match problem.of_skill(state) {
            Some((entry, diagnostic)) => skill_row(entry, diagnostic, (width, strong), painter, &mut strip),
            None => {
                let (sign, meaning, what) = about(*problem, state);
                strip.fixed(sign, painter.style(meaning)).gap(1).push(what.cut(width.saturating_sub(3)), strong);
            }
        }
        painter.strip(row, &strip);
    }
    painter.scroll_bar(area, (problems.top, problems.rows.len()));
}

fn skill_row(
    entry: &Entry,
    diagnostic: &Diagnostic,
    (width, strong): (usize, ratatui::style::Style),
    painter: &Painter,
    strip: &mut Strip,
) {
    let (sign, meaning) = severity_sign(diagnostic.severity());
    let place = inert!("{}:{} ", diagnostic.place.line, diagnostic.place.column);
    strip.fixed(sign, painter.style(meaning)).gap(1);
    strip.push(SafeText::line(diagnostic.code()).pad(CODE), strong).gap(1);
    let room = width.saturating_sub(strip.width() + place.width() + 2);
    strip.push(SafeText::line(&entry.skill.name).cut(room), strong);
    strip.to_column(width.saturating_sub(place.width() + 1)).push(place, painter.style(Meaning::Muted));
}

fn severity_sign(severity: Severity) -> (&'static str, Meaning) {
    match severity {
        Severity::Error => ("✗", Meaning::Error),
        Severity::Warning => ("!", Meaning::Warning),
    }
}

/// What a row says that is not about a skill's text.
fn about(row: ProblemRow, state: &State) -> (&'static str, Meaning, SafeText) {
    match row {
        ProblemRow::Alarm(index) => ("✗", Meaning::Error, state.viewed.alarms.get(index).cloned().unwrap_or_default()),
        ProblemRow::Root(index) => {
            let report = state.viewed.roots.get(index);
            let why = report.map(|report| match &report.state {
                RootState::Failed(why) => inert!("{}: {}", SafeText::path(&report.root.path), SafeText::line(why)),
                RootState::Read | RootState::Missing => SafeText::path(&report.root.path),
            });
            ("✗", Meaning::Error, why.unwrap_or_default())
        }
        ProblemRow::Cut(index) => {
            let text = state.viewed.cuts.get(index).map(|cut| {
                inert!(
                    "cut at {} {}: {} left out, first {}",
                    cut.limit.word(),
                    cut.value,
                    cut.dropped,
                    SafeText::path(&cut.path)
                )
            });
            ("!", Meaning::Warning, text.unwrap_or_default())
        }
        ProblemRow::Skill(..) => (" ", Meaning::Text, SafeText::default()),
    }
}

/// The right pane: the source with a caret, the message, the help, who refuses the skill.
fn explain(state: &State, problems: &Problems, area: Rect, painter: &mut Painter) {
    let Some(row) = problems.current() else { return };
    let Some((entry, diagnostic)) = row.of_skill(state) else {
        let (_, _, what) = about(row, state);
        return wrapped(&what, area, painter);
    };
    let width = usize::from(area.width);
    let skill = &entry.skill;
    let mut head = Strip::default();
    let place = inert!(":{}:{}", diagnostic.place.line, diagnostic.place.column);
    let path = SafeText::path(&skill.path).cut_start(width.saturating_sub(place.width()));
    head.push(path, painter.style(Meaning::Heading)).push(place, painter.style(Meaning::Muted));
    let mut lines = vec![head];
    match state.excerpt(&skill.path, diagnostic.place.line) {
        Some(Ok(excerpt)) => source(excerpt, diagnostic, (width, painter), &mut lines),
        Some(Err(why)) => lines.push(one(&inert!("  {}", why), Meaning::Error, painter)),
        None => lines.push(Strip::default()),
    }
    lines.push(Strip::default());
    let severity = diagnostic.severity();
    let (_, meaning) = severity_sign(severity);
    let message = inert!("{}[{}]: {}", severity.word(), diagnostic.code(), SafeText::line(&diagnostic.message));
    lines.extend(fold(&message, meaning, width, painter));
    lines.extend(fold(&inert!("help: {}", diagnostic.check.help), Meaning::Good, width, painter));
    lines.push(one(&refusals(diagnostic), Meaning::Muted, painter));
    for (row, line) in rows(area).zip(&lines) {
        painter.strip(row, line);
    }
}

fn refusals(diagnostic: &Diagnostic) -> SafeText {
    if diagnostic.severity() == Severity::Error {
        return SafeText::fixed("not offered to any agent");
    }
    let refused: Vec<SafeText> = diagnostic.refused_by.iter().map(|host| SafeText::fixed(host.word())).collect();
    if refused.is_empty() {
        return SafeText::fixed("offered all the same");
    }
    inert!("refused by: {} · others load it", SafeText::join(&refused, ", "))
}

/// The lines around the place, the caret below it.
fn source(excerpt: &Excerpt, diagnostic: &Diagnostic, (width, painter): (usize, &Painter), lines: &mut Vec<Strip>) {
    let last = excerpt.first.saturating_add(u32::try_from(excerpt.lines.len()).unwrap_or(u32::MAX));
    let gutter = last.to_string().len() + 2;
    for (number, text) in (excerpt.first..).zip(&excerpt.lines) {
        let mut strip = Strip::default();
        let here = number == diagnostic.place.line;
        let label = inert!("{}", number);
        strip.to_column(gutter.saturating_sub(label.width())).push(label, painter.style(Meaning::Muted));
        strip.fixed(" │ ", painter.style(Meaning::Line));
        strip.push(
            text.cut(width.saturating_sub(gutter + 3)),
            painter.style(if here { Meaning::Text } else { Meaning::Muted }),
        );
        lines.push(strip);
        if here {
            lines.push(caret(excerpt, diagnostic, gutter, painter));
        }
    }
}

fn caret(excerpt: &Excerpt, diagnostic: &Diagnostic, gutter: usize, painter: &Painter) -> Strip {
    let column = |character: u32| {
        let index = usize::try_from(character).unwrap_or(usize::MAX);
        excerpt.offsets.get(index).or(excerpt.offsets.last()).copied().unwrap_or_default()
    };
    let start = diagnostic.place.column.saturating_sub(1);
    let from = column(start);
    let to = column(start.saturating_add(diagnostic.place.width)).max(from + 1);
    let (_, meaning) = severity_sign(diagnostic.severity());
    let mut strip = Strip::default();
    strip.to_column(gutter).fixed(" │ ", painter.style(Meaning::Line)).gap(from);
    for _ in from..to {
        strip.fixed("^", painter.style(meaning));
    }
    strip
}

fn one(text: &SafeText, meaning: Meaning, painter: &Painter) -> Strip {
    let mut strip = Strip::default();
    strip.push(text.clone(), painter.style(meaning));
    strip
}

fn fold(text: &SafeText, meaning: Meaning, width: usize, painter: &Painter) -> Vec<Strip> {
    paint::fold(text, width).iter().map(|line| one(line, meaning, painter)).collect()
}

fn wrapped(text: &SafeText, area: Rect, painter: &mut Painter) {
    let lines = fold(text, Meaning::Text, usize::from(area.width), painter);
    for (row, line) in rows(area).zip(&lines) {
        painter.strip(row, line);
    }
}

fn find_line(problems: &Problems, area: Rect, painter: &mut Painter) -> Option<Position> {
    let find = problems.find.as_ref()?;
    let row = Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area };
    painter.clear(row);
    let cursor = prompt::line(&find.line, row, painter);
    cursor.filter(|_| find.typing)
}
