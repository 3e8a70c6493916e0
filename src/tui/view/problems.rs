//! What is to be mended: causes with their findings, each read like a compiler's message (code,
//! place, the line with a caret, help).

use super::paint::{Painter, Shown, Strip, first_row, inset, shown};
use super::prompt;
use super::theme::Meaning;
use crate::catalog::{Check, Diagnostic, HostId, Severity, fix};
use crate::inert;
use crate::policy::{Entry, Tally};
use crate::text::{SafeText, counted};
use crate::tui::app::{
    About, Action, Excerpt, Group, GroupBy, GroupOf, KeyTable, Options, ProblemRow, Problems,
    SeverityFilter, State,
};
use ratatui::layout::{Position, Rect};

/// Columns of the code if there is room.
const CODE: usize = 20;

fn code_columns(width: usize) -> usize {
    CODE.min(width * 2 / 5)
}

/// Columns of the number of findings.
const COUNT: usize = 3;

/// Rows of the path, the source with its caret, and a gap.
const LEAST_SOURCE: usize = 7;

/// Draws the screen; returns the cursor where something is typed.
pub(super) fn draw(state: &State, problems: &Problems, painter: &mut Painter) -> Option<Position> {
    let panes = Problems::layout(state);
    painter.frame(&panes, "Mend", &head(state, problems));
    painter.text(first_row(panes.left), &summary(state, problems), Meaning::Muted);
    list(state, problems, painter);
    if let Some(right) = panes.right {
        explain(state, problems, inset(right), painter);
    }
    let find = problems.list.find.as_ref()?;
    let mut count = Strip::default();
    count.gap(1).push(counted(find.rows.len(), "finding"), Meaning::Muted).gap(1);
    prompt::find(find, panes.left, &count, painter)
}

/// `hurts you 10 · cosmetic 66 · mended 34`.
fn head(state: &State, problems: &Problems) -> SafeText {
    let (hurts, cosmetic) = problems.counts;
    let mended: usize = state.mended.iter().sum();
    inert!("hurts you {} · cosmetic {} · mended {}", hurts, cosmetic, mended)
}

/// `2 errors · 3 warnings · 3 of 128 skills`: with those in settings, folders and limits.
fn summary(state: &State, problems: &Problems) -> SafeText {
    let Tally { skills, affected, errors, warnings, .. } = problems.tally;
    let [of_errors, of_warnings] = Problems::of_no_skill(state).map(|rows| rows.len());
    let (errors, warnings) = (errors + of_errors, warnings + of_warnings);
    let all = counted(errors + warnings, "finding");
    let word = problems.filter.word();
    match problems.filter {
        SeverityFilter::All => {
            let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
            inert!(" {} · {} · {} of {} skills", errors, warnings, affected, skills)
        }
        SeverityFilter::Errors => inert!(" only {}: {} of {}", word, errors, all),
        SeverityFilter::Warnings => inert!(" only {}: {} of {}", word, warnings, all),
    }
}

fn list(state: &State, problems: &Problems, painter: &mut Painter) {
    let area = Problems::list_area(state);
    if problems.rows.is_empty() {
        return painter.note(area, " nothing of this severity");
    }
    for Shown { area: row, item, current, .. } in shown(area, &problems.list, &problems.rows) {
        let (width, strong) = (usize::from(row.width), Meaning::of_row(current));
        let chosen = problems.is_chosen(*item, state);
        let line = Row { state, width, current, strong, chosen, by: problems.by };
        painter.strip(row, &line.strip(*item));
    }
    painter.scroll_bar(area, problems.list.top, problems.rows.len());
}

/// A row of the list.
struct Row<'a> {
    state: &'a State,
    width: usize,
    current: bool,
    strong: Meaning,
    chosen: bool,
    by: GroupBy,
}

impl Row<'_> {
    fn strip(&self, problem: ProblemRow) -> Strip {
        match (problem, problem.about(self.state)) {
            (_, None) => Strip::row(self.current),
            (ProblemRow::Group(group), Some(about)) => self.group(group, &about),
            (ProblemRow::Cosmetic { open, .. }, Some(about)) => {
                let mut strip = Strip::row(self.current);
                strip.gap(2).fixed(fold_sign(open), Meaning::Muted).gap(1);
                strip.push(about.kind, self.strong);
                strip
            }
            (ProblemRow::Skill(..), Some(about)) => self.finding(problem, about),
            (_, Some(about)) => self.elsewhere(&about),
        }
    }

    /// `✗ ▸ no-frontmatter 6 writes the name of the folder… x`; by skill `✗ ▸ pdf 2 name-case`.
    fn group(&self, group: Group, about: &About) -> Strip {
        let mut strip = Strip::row(self.current);
        let (sign, meaning) = severity_sign(group.severity);
        strip.fixed(sign, meaning).fixed(self.mark(), Meaning::Mark);
        strip.fixed(fold_sign(group.open), Meaning::Muted).gap(1);
        let columns = code_columns(self.width);
        strip.push(about.kind.cut(columns).pad(columns), self.strong).gap(1);
        strip.push(inert!("{}", group.findings).pad(COUNT), Meaning::Accent).gap(1);
        let key = match group.mendable {
            0 => SafeText::default(),
            _ => self.state.key_word(KeyTable::Problems, Action::Mend),
        };
        let end = self.width.saturating_sub(key.width() + 1);
        let fix = group.fix().map(|fix| SafeText::fixed(fix.what));
        let words = fix.unwrap_or_else(|| about.words.clone());
        let room = end.saturating_sub(strip.width() + 1);
        strip.push(words.cut(room), self.muted()).until(end).push(key, Meaning::Accent);
        strip
    }

    fn finding(&self, problem: ProblemRow, about: About) -> Strip {
        let mut strip = Strip::row(self.current);
        let place = problem.of_skill(self.state).map(|(_, found)| found.place);
        let place = place.map(|place| inert!("{}:{} ", place.line, place.column));
        let place = place.unwrap_or_default();
        strip.gap(2).fixed(self.mark(), Meaning::Mark).gap(1);
        let room = self.width.saturating_sub(strip.width() + place.width() + 2);
        let name = if self.by == GroupBy::Skill { about.kind } else { about.place };
        strip.push(name.cut(room), self.strong);
        strip.until(self.width.saturating_sub(place.width() + 1)).push(place, Meaning::Muted);
        strip
    }

    /// Of what is chosen.
    fn mark(&self) -> &'static str {
        if self.chosen { "●" } else { " " }
    }

    /// Of settings, a folder or a limit.
    fn elsewhere(&self, about: &About) -> Strip {
        let mut strip = Strip::row(self.current);
        let (sign, meaning) = severity_sign(about.severity);
        strip.fixed(sign, meaning).gap(1);
        strip.push(about.kind.pad(code_columns(self.width)), self.strong).gap(1);
        // The end of a path says most, so its start is cut.
        let place = about.place.cut_start(self.width.saturating_sub(strip.width() + 1));
        let room = self.width.saturating_sub(strip.width() + place.width() + 1);
        strip.push(place, self.muted()).push(behind(about).cut(room), self.muted());
        strip
    }

    fn muted(&self) -> Meaning {
        if self.current { Meaning::Current } else { Meaning::Muted }
    }
}

fn fold_sign(open: bool) -> &'static str {
    if open { "▾" } else { "▸" }
}

fn severity_sign(severity: Severity) -> (&'static str, Meaning) {
    match severity {
        Severity::Error => ("✗", Meaning::Error),
        Severity::Warning => ("!", Meaning::Warning),
    }
}

/// The words after the place.
fn behind(about: &About) -> SafeText {
    if about.place.is_empty() { about.words.clone() } else { inert!(": {}", about.words) }
}

/// The right pane: the source with a caret, the message, the help, the hosts that refuse the skill.
fn explain(state: &State, problems: &Problems, area: Rect, painter: &mut Painter) {
    let Some(row) = problems.current() else { return };
    let width = usize::from(area.width);
    let lines = match (row.of_skill(state), row.about(state)) {
        (Some((entry, diagnostic)), _) => {
            let severity = entry.severity(diagnostic);
            let explained = Explained { problems, entry, diagnostic, severity, width };
            explained.lines(state, usize::from(area.height))
        }
        (None, Some(about)) if matches!(row, ProblemRow::Group(_)) => {
            let head = inert!("{}[{}]", about.severity.word(), about.kind);
            let mut lines = vec![Strip::of(head, severity_sign(about.severity).1)];
            lines.extend(group(state, problems, &about, width));
            lines
        }
        (None, Some(about)) if matches!(row, ProblemRow::Cosmetic { .. }) => {
            fold(&about.words, Meaning::Muted, width).collect()
        }
        (None, Some(about)) => {
            let (_, meaning) = severity_sign(about.severity);
            let head = inert!("{}[{}]", about.severity.word(), about.kind);
            let mut lines = vec![Strip::of(head, meaning)];
            let what = inert!("{}{}", about.place, behind(&about));
            lines.extend(fold(&what, Meaning::Text, width));
            lines
        }
        (None, None) => return,
    };
    painter.strips(area, &lines);
}

/// The cure of a cause, who mends it, and how many findings it has; of a skill, where it is and
/// what was found.
fn group(state: &State, problems: &Problems, about: &About, width: usize) -> Vec<Strip> {
    let Some(group) = problems.group() else { return Vec::new() };
    let count = (counted(group.findings, "finding"), Meaning::Text);
    let texts = match group.of {
        GroupOf::Check(check) => vec![
            count,
            (inert!("help: {}", group.help), Meaning::Good),
            (mended_by(state, problems, check), Meaning::Accent),
        ],
        GroupOf::Skill(_) => {
            let key = state.key_word(KeyTable::Problems, Action::Mend);
            let mended = match group.mendable {
                0 => kept(state, problems).unwrap_or(SafeText::fixed("no rule mends it")),
                some => inert!("fix: {} of them ({} shows it first)", some, key),
            };
            vec![
                (about.place.clone(), Meaning::Heading),
                count,
                (about.words.clone(), Meaning::Text),
                (mended, Meaning::Accent),
            ]
        }
    };
    texts.iter().flat_map(|(text, meaning)| fold(text, *meaning, width)).collect()
}

/// Why the fix of the current row is not made.
fn kept(state: &State, problems: &Problems) -> Option<SafeText> {
    Some(inert!("not mended from here: {}", problems.why_kept(false, state)?))
}

/// What mends a finding of the current row: a rule, or an agent.
fn mended_by(state: &State, problems: &Problems, check: &Check) -> SafeText {
    let key = |action| state.key_word(KeyTable::Problems, action);
    match fix::of(check) {
        Some(fix) if problems.has_fix(state) => {
            inert!("fix: {} ({} shows it first)", fix.what, key(Action::Mend))
        }
        _ => kept(state, problems).unwrap_or_else(|| {
            inert!("no rule mends it; {} copies a prompt for an agent", key(Action::CopyPrompt))
        }),
    }
}

/// A diagnostic of a skill, for the right pane.
struct Explained<'a> {
    problems: &'a Problems,
    entry: &'a Entry,
    diagnostic: &'a Diagnostic,
    severity: Severity,
    width: usize,
}

impl Explained<'_> {
    fn lines(&self, state: &State, height: usize) -> Vec<Strip> {
        let Self { diagnostic, width, .. } = *self;
        let skill = &self.entry.skill;
        let place = inert!(":{}:{}", diagnostic.place.line, diagnostic.place.column);
        let path = state.short_path(&skill.path).cut_start(width.saturating_sub(place.width()));
        let mut head = Strip::of(path, Meaning::Heading);
        head.push(place, Meaning::Muted);
        let mut lines = vec![head];
        let mut words = self.message(state);
        // If not both fit, the message comes before the source.
        let low = height < LEAST_SOURCE + words.len();
        if low {
            lines.append(&mut words);
        }
        match state.excerpt(&skill.path, diagnostic.place.line) {
            Some(Ok(excerpt)) => self.source(excerpt, &mut lines),
            Some(Err(why)) => lines.push(Strip::of(inert!("  {}", why), Meaning::Error)),
            None => lines.push(Strip::default()),
        }
        if !low {
            lines.push(Strip::default());
            lines.append(&mut words);
        }
        lines
    }

    /// The message, the help, and the hosts that refuse the skill.
    fn message(&self, state: &State) -> Vec<Strip> {
        let Self { diagnostic, severity, width, .. } = *self;
        let (_, meaning) = severity_sign(severity);
        let message = SafeText::line(&diagnostic.message);
        let texts = [
            (inert!("{}[{}]: {}", severity.word(), diagnostic.code(), message), meaning),
            (inert!("help: {}", diagnostic.help()), Meaning::Good),
            (mended_by(state, self.problems, diagnostic.check), Meaning::Accent),
            (self.refusals(state), Meaning::Muted),
        ];
        texts.iter().flat_map(|(text, meaning)| fold(text, *meaning, width)).collect()
    }

    /// The hosts that refuse the skill for it. Their readers are asked, away from this thread, when
    /// the lines around the place are read.
    fn refusals(&self, state: &State) -> SafeText {
        let Self { entry, diagnostic, .. } = *self;
        if state.excerpt(&entry.skill.path, diagnostic.place.line).is_none() {
            return SafeText::default();
        }
        let Options { hosts, refuses, .. } = &state.options;
        let refuse = |host: &HostId, check: &Check| refuses.0(*host, &entry.skill, check);
        let (refusing, others): (Vec<&HostId>, Vec<&HostId>) =
            hosts.iter().partition(|host| refuse(host, diagnostic.check));
        let found = entry.skill.diagnostics.iter().map(|found| found.check);
        let for_another =
            others.into_iter().filter(|host| found.clone().any(|check| refuse(host, check)));
        let words =
            |hosts: Vec<&HostId>| SafeText::join(hosts.iter().map(|host| host.word()), ", ");
        refusals(diagnostic.severity(), words(refusing), words(for_another.collect()))
    }

    /// The lines around the place, with a caret.
    fn source(&self, excerpt: &Excerpt, lines: &mut Vec<Strip>) {
        let diagnostic = self.diagnostic;
        let count = u32::try_from(excerpt.lines.len()).unwrap_or(u32::MAX);
        let gutter = excerpt.first.saturating_add(count).to_string().len() + 2;
        for (number, text) in (excerpt.first..).zip(&excerpt.lines) {
            let here = number == diagnostic.place.line;
            let label = inert!("{}", number);
            let mut strip = Strip::default();
            strip.until(gutter.saturating_sub(label.width()));
            strip.push(label, Meaning::Muted);
            strip.fixed(" │ ", Meaning::Line);
            let meaning = if here { Meaning::Text } else { Meaning::Muted };
            strip.push(text.cut(self.width.saturating_sub(gutter + 3)), meaning);
            lines.push(strip);
            if here {
                lines.push(self.caret(excerpt, gutter));
            }
        }
    }

    fn caret(&self, excerpt: &Excerpt, gutter: usize) -> Strip {
        let Self { diagnostic, severity, .. } = *self;
        let column = |character: u32| {
            let index = usize::try_from(character).unwrap_or(usize::MAX);
            excerpt.offsets.get(index).or(excerpt.offsets.last()).copied().unwrap_or_default()
        };
        let start = diagnostic.place.column.saturating_sub(1);
        let from = column(start);
        let to = column(start.saturating_add(diagnostic.place.width)).max(from + 1);
        let (_, meaning) = severity_sign(severity);
        let mut strip = Strip::default();
        strip.until(gutter).fixed(" │ ", Meaning::Line).gap(from);
        for _ in from..to {
            strip.fixed("^", meaning);
        }
        strip
    }
}

/// The agents that refuse a skill for a finding, and those that refuse it for another one.
fn refusals(severity: Severity, names: SafeText, for_another: SafeText) -> SafeText {
    let for_another = match for_another.is_empty() {
        true => for_another,
        false => inert!(" · for another finding: {}", for_another),
    };
    match (severity == Severity::Error, names.is_empty()) {
        // Some agents take a skill without a description; none takes a file that cannot be read.
        (true, false) => inert!("refused by: {}", names),
        (true, true) => SafeText::fixed("not offered to any agent"),
        (false, false) => inert!("refused by: {}{} · others load it", names, for_another),
        (false, true) if for_another.is_empty() => SafeText::fixed("offered all the same"),
        (false, true) => inert!("no agent refuses it for this{}", for_another),
    }
}

fn fold(text: &SafeText, meaning: Meaning, width: usize) -> impl Iterator<Item = Strip> {
    text.fold(width).into_iter().map(move |line| Strip::of(line, meaning))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::checks;

    #[test]
    fn a_code_has_two_fifths_of_a_narrow_list() {
        assert_eq!([0, 10, 49, 50, 200].map(code_columns), [0, 4, 19, 20, 20]);
    }

    #[test]
    fn the_hosts_that_refuse_a_skill_are_named_and_no_others() {
        let also = |check: &'static Check, hosts: &[&'static str], others: &'static str| {
            let names = SafeText::join(hosts.iter().copied(), ", ");
            refusals(check.severity, names, SafeText::fixed(others)).to_string()
        };
        let said = |check, hosts| also(check, hosts, "");
        let codex = &["codex"];
        // Claude Code loads a skill without a description, which is an error for the plain
        // standard.
        assert_eq!(said(&checks::DESC_MISSING, codex), "refused by: codex");
        assert_eq!(said(&checks::NAME_CASE, codex), "refused by: codex · others load it");
        assert_eq!(said(&checks::NAME_CASE, &[]), "offered all the same");
        let also = |hosts| also(&checks::NAME_CASE, hosts, "qwen");
        assert_eq!(also(codex), "refused by: codex · for another finding: qwen · others load it");
        assert_eq!(also(&[]), "no agent refuses it for this · for another finding: qwen");
    }
}
