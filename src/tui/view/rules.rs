//! Permission rules: the order of evaluation, the list with hits, and the effects of saving.

use super::paint::{Painter, Strip, first_row, inset, rows};
use super::preview::permission_meaning;
use super::prompt;
use super::theme::Meaning;
use crate::catalog::Permission;
use crate::inert;
use crate::policy::{Idle, Origin, Other, Rule, Tool};
use crate::text::{SafeText, counted};
use crate::tui::app::{Rules, RulesMode, State};
use ratatui::layout::{Position, Rect};
use std::path::Path;

/// The column of the pattern, after cursor, number and effect.
const BEFORE: usize = 12;

/// Columns after the pattern: the file, the hits, gaps.
const BEHIND: usize = 15;

fn pattern_columns(area: Rect) -> usize {
    usize::from(area.width).saturating_sub(BEFORE + BEHIND).clamp(8, 40)
}

/// A path is not cut below this.
const LEAST_PATH: usize = 20;

/// Draws the screen; returns the cursor where something is typed.
pub(super) fn draw(state: &State, rules: &Rules, painter: &mut Painter) -> Option<Position> {
    let panes = Rules::layout(state);
    head(state, rules, panes.title, painter);
    painter.lines(&panes);
    let policy = rules.policy(state);
    let (order, meaning) = match Rules::closed(state) {
        Some(_) => (SafeText::fixed(" broken settings · every skill denied"), Meaning::Error),
        None => {
            let default = policy.defaults.load.value.word();
            (inert!(" {} · default {}", policy.order.rules.words(), default), Meaning::Accent)
        }
    };
    painter.text(first_row(panes.left), &order, meaning);
    let second =
        Rect { y: panes.left.y + 1, height: u16::from(panes.left.height > 1), ..panes.left };
    let mut columns = Strip::default();
    columns.fixed("    effect", Meaning::Muted).until(BEFORE);
    columns.push(SafeText::fixed("skill").pad(pattern_columns(second) + 1), Meaning::Muted);
    columns.fixed("file     hits", Meaning::Muted);
    painter.strip(second, &columns);
    let cursor = list(state, rules, painter);
    if let Some(right) = panes.right {
        outcome(state, rules, inset(right), painter);
    }
    cursor.or_else(|| test_line(state, rules, panes.left, painter))
}

fn head(state: &State, rules: &Rules, area: Rect, painter: &mut Painter) {
    let mut strip = Strip::default();
    strip.fixed(" ‹ ", Meaning::Muted).fixed("Permission rules", Meaning::Accent);
    if rules.is_unsaved() {
        strip.fixed(" ● unsaved", Meaning::Mark);
    }
    painter.strip(area, &strip);
    let files = &state.viewed.files;
    let mut right = Strip::default();
    // The file of the current rule.
    let layer = rules.drafts.get(rules.list.cursor).map(|draft| draft.layer);
    let file = files.rules.iter().find(|(known, _)| Some(*known) == layer).or(files.rules.first());
    let file = file.map_or(Path::new(""), |(_, file)| file);
    let room = usize::from(area.width).saturating_sub(strip.width() + state.options.host.len() + 6);
    right.fixed(state.options.host, Meaning::Muted);
    if room >= LEAST_PATH {
        right.push(inert!(" · {}", state.short_path(file).cut_start(room)), Meaning::Muted);
    }
    right.gap(1);
    if strip.width() + right.width() + 2 < usize::from(area.width) {
        painter.strip_right(area, &right);
    }
}

/// Draws the rules; returns the cursor while a pattern is typed.
fn list(state: &State, rules: &Rules, painter: &mut Painter) -> Option<Position> {
    let area = Rules::list_area(state);
    if rules.drafts.is_empty() {
        if let Some(unread) = Rules::unread(state) {
            painter.words(area, &[(unread, Meaning::Error)]);
            return None;
        }
        painter.words(area, &without_rules(state, rules));
        return None;
    }
    let mut places = rows(area);
    let mut cursor = None;
    for index in rules.list.top..rules.drafts.len() {
        let Some(row) = places.next() else { break };
        painter.strip(row, &rule_row(state, rules, index));
        if index == rules.list.cursor
            && let RulesMode::Pattern { line, .. } = &rules.mode
        {
            // The input begins where the pattern does, and ends before the file.
            let start = 9.min(row.width);
            let wanted = u16::try_from(pattern_columns(area) + 3).unwrap_or(u16::MAX);
            let input = Rect { x: row.x + start, width: wanted.min(row.width - start), ..row };
            painter.clear(input);
            cursor = prompt::line(line, input, painter);
        }
        if let Some(only) = rules.drafts.get(index).and_then(Rule::only)
            && let Some(row) = places.next()
        {
            painter.text(row, &inert!("    {}", only), Meaning::Muted);
        }
        if let Some(why) = idle(state, rules, index)
            && let Some(row) = places.next()
        {
            painter.text(
                row,
                &inert!("    ! rule {} decides nothing: {}", index + 1, why),
                Meaning::Warning,
            );
        }
    }
    cursor
}

/// What is true where no rule can be edited: the default, and each reason why skills are otherwise.
fn without_rules(state: &State, rules: &Rules) -> Vec<(SafeText, Meaning)> {
    let word = match rules.policy(state).defaults.load.value {
        Permission::Allow => "allowed",
        Permission::Ask => "asked for",
        Permission::Deny => "denied",
    };
    let others = &rules.outcome.others;
    if others.is_empty() {
        return vec![(inert!("no rules: every skill is {} by default", word), Meaning::Muted)];
    }
    let head = (inert!("no rules here: {} by default, but", word), Meaning::Muted);
    let other = |other: &Other| {
        let text = inert!("  {} {}: {}", other.count, other.effect.word(), other.why);
        (text, permission_meaning(other.effect))
    };
    std::iter::once(head).chain(others.iter().map(other)).collect()
}

fn rule_row(state: &State, rules: &Rules, index: usize) -> Strip {
    let Some(draft) = rules.drafts.get(index) else { return Strip::default() };
    let current = index == rules.list.cursor;
    let text = Meaning::of_row(current);
    let mut strip = Strip::row(current);
    strip.push(inert!("{}", index + 1).pad(2), Meaning::Muted);
    strip.gap(1).fixed(draft.effect.word(), permission_meaning(draft.effect)).until(BEFORE);
    let pattern = match (draft.pattern.text(), draft.tool) {
        (None, Tool::SkillLoad) => SafeText::fixed("every skill"),
        (None, Tool::SkillScript) => SafeText::fixed("every script"),
        (Some(name), Tool::SkillLoad) => SafeText::line(&name),
        (Some(name), Tool::SkillScript) => inert!("{} (scripts)", name),
    };
    strip.push(pattern.pad(pattern_columns(Rules::list_area(state))), text).gap(1);
    strip.push(SafeText::fixed(draft.layer.word()).pad(8), Meaning::Muted).gap(1);
    let hits =
        rules.outcome.rules.get(Rules::rule_of_draft(state, index)).map_or(0, |hits| hits.decides);
    strip.push(inert!("{}", hits), text);
    strip
}

/// Why a rule decides nothing.
fn idle(state: &State, rules: &Rules, draft: usize) -> Option<SafeText> {
    let hits = rules.outcome.rules.get(Rules::rule_of_draft(state, draft))?;
    Some(match hits.idle? {
        Idle::NoMatch => SafeText::fixed("no skill matches it"),
        Idle::Ignored => SafeText::fixed("a project file may only tighten"),
        Idle::Unbound => match rules.drafts.get(draft).and_then(Rule::bound_to) {
            Some(_) => {
                SafeText::fixed("a path alone does not cover a skill of a repository: it asks")
            }
            None => SafeText::fixed("a name does not cover skills of a repository"),
        },
        Idle::Changed => SafeText::fixed("the skill has changed since: it asks"),
        Idle::Default => SafeText::fixed("the default says so already"),
        Idle::Overruled { by, says } => match rules.draft_of_rule(state, by) {
            Some(other) => inert!("rule {} says {}", other + 1, says.word()),
            None => inert!("a rule that cannot be read says {}", says.word()),
        },
    })
}

/// What saving would do.
fn outcome(state: &State, rules: &Rules, area: Rect, painter: &mut Painter) {
    let mut lines = Vec::new();
    let total = state.viewed.rows.own().filter(|entry| entry.offered()).count();
    let head = inert!("effect on {}", counted(total, "skill"));
    lines.push(Strip::of(head, Meaning::Muted));
    let width = usize::from(area.width);
    let name = (width / 3).clamp(8, 28);
    let all = rules.effects(state);
    let shown = Rules::effects_shown(area, all.len());
    for effect in all.iter().skip(rules.effects_top).take(shown) {
        let mut strip = Strip::default();
        strip.push(SafeText::line(&effect.skill.full_name()).pad(name), Meaning::Text).gap(1);
        let (before, after) = (effect.before.model.value, effect.after.model.value);
        strip.fixed(before.word(), permission_meaning(before));
        if before != after {
            strip.fixed(" → ", Meaning::Muted).fixed(after.word(), permission_meaning(after));
        }
        strip.until(name + 16);
        strip.push(decider(state, rules, effect.rule, &effect.after.model.origin), Meaning::Muted);
        lines.push(strip);
    }
    if shown < all.len() {
        let (first, last) = (rules.effects_top + 1, rules.effects_top + shown);
        let which = inert!("{}–{} of {}", first, last, all.len());
        lines.push(Strip::of(which, Meaning::Muted));
        // In the margin beside the text.
        let list = Rect {
            y: area.y + 1.min(area.height),
            width: area.width + 1,
            height: u16::try_from(shown).unwrap_or(0),
            ..area
        };
        painter.scroll_bar(list, rules.effects_top, all.len());
    }
    let counts = &rules.outcome.counts;
    let sum = inert!(
        "{} changed · {} deny · {} ask · {} allow",
        rules.outcome.changed,
        counts.deny,
        counts.ask,
        counts.allow
    );
    lines.push(Strip::of(sum, Meaning::Accent));
    painter.strips(area, &lines);
}

fn decider(state: &State, rules: &Rules, rule: Option<usize>, origin: &Origin) -> SafeText {
    match rule.and_then(|rule| rules.draft_of_rule(state, rule)) {
        Some(draft) => inert!("rule {}", draft + 1),
        None => SafeText::line(origin.text()),
    }
}

/// While a name is tested, the last row of the list is its input line, with the verdict.
fn test_line(state: &State, rules: &Rules, area: Rect, painter: &mut Painter) -> Option<Position> {
    let RulesMode::Test { line } = &rules.mode else { return None };
    let row = Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area };
    painter.clear(row);
    let mut taken = 0;
    if let Some((permission, why)) = rules.test(state) {
        let mut answer = Strip::default();
        answer.gap(1).fixed(permission.word(), permission_meaning(permission));
        answer.push(inert!(" ({}) ", why), Meaning::Muted);
        taken = painter.strip_right(row, &answer);
    }
    let label = Rect { width: row.width - taken, ..row };
    painter.text(label, &SafeText::fixed(" test"), Meaning::Muted);
    let input = Rect { x: row.x + 5.min(label.width), width: label.width.saturating_sub(5), ..row };
    prompt::line(line, input, painter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_of_a_pattern_grows_with_the_pane_within_limits() {
        let columns =
            [0, 34, 35, 50, 67, 200].map(|width| pattern_columns(Rect::new(0, 0, width, 9)));
        assert_eq!(columns, [8, 8, 8, 23, 40, 40]);
    }
}
