//! Problems, read like a compiler's messages: code, place, the line with a caret, help.

use super::paint::{self, Painter, Shown, Strip, rows, shown};
use super::preview::counted;
use super::prompt;
use super::theme::Meaning;
use super::title::title_beside;
use crate::catalog::{Diagnostic, Severity};
use crate::inert;
use crate::policy::Entry;
use crate::text::SafeText;
use crate::tui::app::{About, Excerpt, Problems, State};
use ratatui::layout::{Position, Rect};

/// Columns of the code in the list, where there is room for the longest.
const CODE: usize = 20;

fn code_columns(width: usize) -> usize {
    CODE.min(width * 2 / 5)
}

/// Rows of the path, the source with its caret, and one of air.
const LEAST_SOURCE: usize = 7;

/// Draws the screen; returns the cursor where something is typed.
pub(super) fn draw(state: &State, problems: &Problems, painter: &mut Painter) -> Option<Position> {
    let panes = Problems::layout(state);
    title_beside(panes.title, "Problems", inert!("severity: {}", problems.filter.word()), painter);
    painter.frame(&panes);
    painter.text(
        Rect { height: 1.min(panes.left.height), ..panes.left },
        &summary(state),
        Meaning::Muted,
    );
    list(state, problems, painter);
    if let Some(right) = panes.right {
        let inner =
            Rect { x: right.x + 1.min(right.width), width: right.width.saturating_sub(2), ..right };
        explain(state, problems, inner, painter);
    }
    prompt::find(problems.list.find.as_ref()?, panes.left, &Strip::default(), painter)
}

/// `1 error · 3 warnings in 3 of 128 skills`; with a dot for `in` where some of them are about no
/// skill.
fn summary(state: &State) -> SafeText {
    let (errors, warnings) = state.problem_counts();
    let [more_errors, more_warnings] = Problems::of_no_skill(state).map(|rows| rows.len());
    let within = if more_errors + more_warnings == 0 { "in" } else { "·" };
    let (errors, warnings) = (errors + more_errors, warnings + more_warnings);
    let rows = &state.viewed.rows;
    let affected = rows.skills().filter(|skill| !skill.diagnostics.is_empty()).count();
    let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
    inert!(" {} · {} {} {} of {} skills", errors, warnings, within, affected, rows.len())
}

fn list(state: &State, problems: &Problems, painter: &mut Painter) {
    let area = Problems::list_area(state);
    if problems.rows.is_empty() {
        return painter.text(area, &SafeText::fixed(" nothing of this severity"), Meaning::Muted);
    }
    for Shown { area: row, item: problem, current, .. } in
        shown(area, &problems.list, &problems.rows)
    {
        let mut strip = Strip::default();
        strip.fixed(if current { "▌" } else { " " }, painter.style(Meaning::Accent));
        let strong = painter.style(if current { Meaning::Current } else { Meaning::Text });
        let width = usize::from(row.width);
        match problem.of_skill(state) {
            Some((entry, diagnostic)) => {
                skill_row(entry, diagnostic, (width, strong), painter, &mut strip)
            }
            None => {
                let Some(about) = problem.about(state) else { continue };
                let (sign, meaning) = severity_sign(about.severity);
                strip.fixed(sign, painter.style(meaning)).gap(1);
                strip.push(about.kind.pad(code_columns(width)), strong).gap(1);
                // The end of a path says which it is: where not all fits, its start goes.
                let place = about.place.cut_start(width.saturating_sub(strip.width() + 1));
                let words = behind(&about);
                let muted = painter.style(if current { Meaning::Current } else { Meaning::Muted });
                let room = width.saturating_sub(strip.width() + place.width() + 1);
                strip.push(place, muted).push(words.cut(room), muted);
            }
        }
        painter.strip(row, &strip);
    }
    painter.scroll_bar(area, (problems.list.top, problems.rows.len()));
}

fn skill_row(
    entry: &Entry,
    diagnostic: &Diagnostic,
    (width, strong): (usize, ratatui::style::Style),
    painter: &Painter,
    strip: &mut Strip,
) {
    let (sign, meaning) = severity_sign(entry.severity(diagnostic));
    let place = inert!("{}:{} ", diagnostic.place.line, diagnostic.place.column);
    strip.fixed(sign, painter.style(meaning)).gap(1);
    strip.push(SafeText::line(diagnostic.code()).pad(code_columns(width)), strong).gap(1);
    let room = width.saturating_sub(strip.width() + place.width() + 2);
    strip.push(SafeText::line(&entry.skill.name).cut(room), strong);
    strip.until(width.saturating_sub(place.width() + 1)).push(place, painter.style(Meaning::Muted));
}

fn severity_sign(severity: Severity) -> (&'static str, Meaning) {
    match severity {
        Severity::Error => ("✗", Meaning::Error),
        Severity::Warning => ("!", Meaning::Warning),
    }
}

/// The words behind the place.
fn behind(about: &About) -> SafeText {
    if about.place.is_empty() { about.words.clone() } else { inert!(": {}", about.words) }
}

/// The right pane: the source with a caret, the message, the help, who refuses the skill.
fn explain(state: &State, problems: &Problems, area: Rect, painter: &mut Painter) {
    let Some(row) = problems.current() else { return };
    let Some((entry, diagnostic)) = row.of_skill(state) else {
        let Some(about) = row.about(state) else { return };
        let (_, meaning) = severity_sign(about.severity);
        let head = one(&inert!("{}[{}]", about.severity.word(), about.kind), meaning, painter);
        let what = inert!("{}{}", about.place, behind(&about));
        let lines =
            [head].into_iter().chain(fold(&what, Meaning::Text, usize::from(area.width), painter));
        return rows(area).zip(lines).for_each(|(row, line)| painter.strip(row, &line));
    };
    let width = usize::from(area.width);
    let skill = &entry.skill;
    let mut head = Strip::default();
    let place = inert!(":{}:{}", diagnostic.place.line, diagnostic.place.column);
    let path = SafeText::path(&skill.path).cut_start(width.saturating_sub(place.width()));
    head.push(path, painter.style(Meaning::Heading)).push(place, painter.style(Meaning::Muted));
    let mut lines = vec![head];
    let severity = entry.severity(diagnostic);
    let mut words = message(diagnostic, severity, (width, painter));
    // Where not both have room, what is wrong is said before it is shown.
    let low = usize::from(area.height) < LEAST_SOURCE + words.len();
    if low {
        lines.append(&mut words);
    }
    match state.excerpt(&skill.path, diagnostic.place.line) {
        Some(Ok(excerpt)) => source(excerpt, (diagnostic, severity), (width, painter), &mut lines),
        Some(Err(why)) => lines.push(one(&inert!("  {}", why), Meaning::Error, painter)),
        None => lines.push(Strip::default()),
    }
    if !low {
        lines.push(Strip::default());
        lines.append(&mut words);
    }
    for (row, line) in rows(area).zip(&lines) {
        painter.strip(row, line);
    }
}

/// What is wrong, what to do about it, and who refuses the skill for it.
fn message(
    diagnostic: &Diagnostic,
    severity: Severity,
    (width, painter): (usize, &Painter),
) -> Vec<Strip> {
    let (_, meaning) = severity_sign(severity);
    let message = inert!(
        "{}[{}]: {}",
        severity.word(),
        diagnostic.code(),
        SafeText::line(&diagnostic.message)
    );
    let mut lines = fold(&message, meaning, width, painter);
    lines.extend(fold(&inert!("help: {}", diagnostic.check.help), Meaning::Good, width, painter));
    lines.extend(fold(&refusals(diagnostic), Meaning::Muted, width, painter));
    lines
}

fn refusals(diagnostic: &Diagnostic) -> SafeText {
    let refused: Vec<SafeText> =
        diagnostic.refused_by.iter().map(|host| SafeText::fixed(host.word())).collect();
    let names = SafeText::join(&refused, ", ");
    match (diagnostic.severity() == Severity::Error, refused.is_empty()) {
        // Some agents take a skill without a description; none takes a file that cannot be read.
        (true, false) => inert!("refused by: {}", names),
        (true, true) => SafeText::fixed("not offered to any agent"),
        (false, false) => inert!("refused by: {} · others load it", names),
        (false, true) => SafeText::fixed("offered all the same"),
    }
}

/// The lines around the place, the caret below it.
fn source(
    excerpt: &Excerpt,
    (diagnostic, severity): (&Diagnostic, Severity),
    (width, painter): (usize, &Painter),
    lines: &mut Vec<Strip>,
) {
    let last = excerpt.first.saturating_add(u32::try_from(excerpt.lines.len()).unwrap_or(u32::MAX));
    let gutter = last.to_string().len() + 2;
    for (number, text) in (excerpt.first..).zip(&excerpt.lines) {
        let mut strip = Strip::default();
        let here = number == diagnostic.place.line;
        let label = inert!("{}", number);
        strip
            .until(gutter.saturating_sub(label.width()))
            .push(label, painter.style(Meaning::Muted));
        strip.fixed(" │ ", painter.style(Meaning::Line));
        strip.push(
            text.cut(width.saturating_sub(gutter + 3)),
            painter.style(if here { Meaning::Text } else { Meaning::Muted }),
        );
        lines.push(strip);
        if here {
            lines.push(caret(excerpt, (diagnostic, severity), gutter, painter));
        }
    }
}

fn caret(
    excerpt: &Excerpt,
    (diagnostic, severity): (&Diagnostic, Severity),
    gutter: usize,
    painter: &Painter,
) -> Strip {
    let column = |character: u32| {
        let index = usize::try_from(character).unwrap_or(usize::MAX);
        excerpt.offsets.get(index).or(excerpt.offsets.last()).copied().unwrap_or_default()
    };
    let start = diagnostic.place.column.saturating_sub(1);
    let from = column(start);
    let to = column(start.saturating_add(diagnostic.place.width)).max(from + 1);
    let (_, meaning) = severity_sign(severity);
    let mut strip = Strip::default();
    strip.until(gutter).fixed(" │ ", painter.style(Meaning::Line)).gap(from);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Check, HostId, Place, checks};

    #[test]
    fn who_refuses_a_skill_is_told_and_nobody_else() {
        let said = |check: &'static Check, hosts: &'static [HostId]| {
            let mut diagnostic = Diagnostic::new(check, Place::START, "");
            diagnostic.refused_by = hosts;
            refusals(&diagnostic).to_string()
        };
        let codex = &[HostId("codex")];
        // Claude Code loads a skill without a description, which is an error for the plain
        // standard.
        assert_eq!(said(&checks::DESC_MISSING, codex), "refused by: codex");
        assert_eq!(said(&checks::NAME_CASE, codex), "refused by: codex · others load it");
        assert_eq!(said(&checks::NAME_CASE, &[]), "offered all the same");
    }
}
