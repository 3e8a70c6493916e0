//! The log of calls: one line for each card, and the fields of open cards.

use super::paint::{Painter, Shown, Strip, first_row, shown};
use super::prompt;
use super::theme::Meaning;
use super::used::{ago, glimpse, glimpse_end, short_ago};
use crate::catalog::Call;
use crate::inert;
use crate::text::time::{duration, utc};
use crate::text::{SafeText, counted, human_size};
use crate::tui::app::{
    Action, Activity, ActivityLine, ActivityLog, BEFORE_VALUE, CardEnd, KeyTable, State,
};
use ratatui::layout::{Position, Rect};
use std::path::Path;

/// Columns of the date, and the width of the screen from which it replaces the age.
const STAMP: (usize, usize) = (20, 80);
const AGE: usize = 4;
/// Columns of the longest word for a call.
const KIND: usize = 7;

/// Draws the screen; returns the cursor where something is typed.
pub(super) fn draw(state: &State, activity: &Activity, painter: &mut Painter) -> Option<Position> {
    let panes = state.whole();
    let whose = match &activity.only {
        Some((_, name)) => inert!("only {}", glimpse(name, usize::from(panes.title.width / 2))),
        None => SafeText::fixed("all skills"),
    };
    painter.frame(&panes, "Activity", &whose);
    let area = Activity::list_area(state);
    match &activity.log {
        None => painter.note(area, " reading the log…"),
        Some(log) => {
            let nothing = log.calls.is_empty()
                && log.broken == 0
                && log.cut.is_empty()
                && log.unread.is_empty();
            if !nothing {
                painter.strip(first_row(panes.left), &summary(activity, log));
            }
            if activity.lines.is_empty() {
                let place = if nothing { panes.left } else { area };
                painter.words(place, &empty(state, activity, log));
            }
            list(state, activity, log, painter);
        }
    }
    find_line(activity, area, painter)
}

/// `214 calls · 3 refused or failed · 2 lines malformed`
fn summary(activity: &Activity, log: &ActivityLog) -> Strip {
    let (shown, failed) = activity.counts;
    let count = match activity.only {
        Some(_) => inert!("{} of {}", shown, counted(log.calls.len(), "call")),
        None => counted(shown, "call"),
    };
    let mut parts = vec![(count, Meaning::Muted)];
    if failed > 0 {
        parts.push((inert!("{} refused or failed", failed), Meaning::Error));
    }
    if log.broken > 0 {
        parts.push((inert!("{} malformed", counted(log.broken, "line")), Meaning::Warning));
    }
    let name = |file: &Path| SafeText::path(file.file_name().map_or(file, Path::new));
    let cut =
        log.cut.iter().map(|file| (inert!("{} is cut at 1 MiB", name(file)), Meaning::Warning));
    let unread = log.unread.iter();
    parts.extend(
        cut.chain(unread.map(|file| (inert!("{} cannot be read", name(file)), Meaning::Error))),
    );
    let mut strip = Strip::default();
    strip.gap(1).append(Strip::dotted(parts));
    strip
}

/// The text of an empty log: what comes here, and how.
fn empty(state: &State, activity: &Activity, log: &ActivityLog) -> Vec<(SafeText, Meaning)> {
    let key = |action| state.key_word(KeyTable::Activity, action);
    match (&activity.only, &log.file) {
        (Some((_, name)), _) => vec![
            (inert!("No call of {} is logged.", glimpse(name, 60)), Meaning::Text),
            (inert!("{} shows those of all skills.", key(Action::Narrow)), Meaning::Muted),
        ],
        (None, None) => {
            let why = "Nothing is logged: there is no folder for it (XDG_STATE_HOME and HOME are not set).";
            vec![(SafeText::fixed(why), Meaning::Warning)]
        }
        (None, Some(file)) => {
            let how = "Each load, read and run of a skill becomes a card here: by an agent through `skillpick serve`, or \
                       by hand with `skillpick load`.";
            let what = "What, when, by whom, how much, and how it ended; never the text itself.";
            let mut words = vec![
                (SafeText::fixed(how), Meaning::Muted),
                (inert!("Kept in {}, at most 1 MiB.", file), Meaning::Muted),
                (SafeText::fixed(what), Meaning::Muted),
            ];
            if log.unread.is_empty() {
                words.insert(
                    0,
                    (SafeText::fixed("Nothing was loaded, read or run yet."), Meaning::Text),
                );
            }
            words
        }
    }
}

/// The columns of a row.
#[derive(Clone, Copy)]
struct Columns {
    all: usize,
    client: usize,
    end: usize,
}

impl Columns {
    /// As wide as the widest that is visible, up to a share. The skill and its file have the rest.
    fn of<'a>(calls: impl Iterator<Item = &'a Call>, all: usize) -> Self {
        let (most_client, most_end) = match all {
            0..50 => (0, 12),
            50..71 => (0, 16),
            71..110 => (16, 22),
            _ => (28, 32),
        };
        let (mut client, mut end) = (0, 0);
        for call in calls {
            client = client.max(glimpse(&call.client, most_client).width());
            end = end.max(outcome(call, most_end).width());
        }
        Self { all, client, end: if all < 50 { most_end } else { end } }
    }
    /// `✓ 2026-01-02 03:04:05Z load    pdf-forms                codex     2.4 KB · 3 ms`
    fn head(self, call: &Call, current: bool, now_ms: u64, strip: &mut Strip) {
        let width = self.all;
        let (glyph, meaning) = sign(call);
        strip.fixed(glyph, meaning).gap(1);
        if width + 1 >= STAMP.1 {
            strip
                .push(SafeText::line(&utc(call.at_ms)).cut(STAMP.0).pad(STAMP.0), Meaning::Muted)
                .gap(2);
        } else {
            let age = short_ago(now_ms, call.at_ms);
            strip.gap(AGE.saturating_sub(age.width())).push(age, Meaning::Muted).gap(1);
        }
        strip.push(SafeText::fixed(call.kind.word()).pad(KIND), Meaning::Text).gap(1);
        // On a narrow screen each row has its own columns, since room matters more than alignment.
        let end = if width < 50 { outcome(call, self.end).width() } else { self.end };
        let client = self.client;
        let gaps = 1 + usize::from(client > 0) * 2;
        let room = width.saturating_sub(strip.width() + client + end + gaps);
        let start = strip.width();
        let name = glimpse(&call.skill, room);
        let left = room.saturating_sub(name.width() + 1);
        strip.push(name, if current { Meaning::Current } else { Meaning::Name });
        if let Some(file) = call.file.as_deref().filter(|_| left >= 4) {
            // The end of a path says most.
            strip.gap(1).push(glimpse_end(file, left), Meaning::Muted);
        }
        strip.until(start + room + 1);
        if client > 0 {
            strip.push(glimpse(&call.client, client).pad(client), Meaning::Muted).gap(2);
        }
        strip.append(outcome(call, end));
    }
}

fn list(state: &State, activity: &Activity, log: &ActivityLog, painter: &mut Painter) {
    let area = Activity::list_area(state);
    let lines = shown(area, &activity.list, &activity.lines).map(|row| row.item);
    let heads = lines.filter(|line| matches!(line, ActivityLine::Card(_)));
    // The last column is for the scroll bar.
    let width = usize::from(area.width).saturating_sub(1);
    let columns = Columns::of(heads.filter_map(|line| log.calls.get(line.card())), width);
    for Shown { area: row, item: line, current, .. } in shown(area, &activity.list, &activity.lines)
    {
        let Some(call) = log.calls.get(line.card()) else { continue };
        let mut strip = Strip::row(current);
        match line {
            ActivityLine::Card(place) => {
                let open = activity.is_open(*place);
                strip.fixed(if open { "▾" } else { "▸" }, Meaning::Muted).gap(1);
                columns.head(call, current, state.now_ms, &mut strip);
            }
            ActivityLine::Field { label, first, text, .. } => {
                let style = if current { Meaning::Key } else { Meaning::Muted };
                strip.gap(2).fixed(if *first { label } else { "" }, style).until(BEFORE_VALUE);
                strip.push(text.clone(), value_meaning(label, call));
                if *label == "time" && *first {
                    let ago = ago(state.now_ms, call.at_ms);
                    strip.push(inert!(" · {}", ago), Meaning::Muted);
                }
            }
        }
        painter.strip(row, &strip);
    }
    painter.scroll_bar(area, activity.list.top, activity.lines.len());
}

/// How a field's value looks. Its words say the same as its colour.
fn value_meaning(label: &str, call: &Call) -> Meaning {
    match label {
        "error" => Meaning::Error,
        "exit" if CardEnd::of(call) == CardEnd::Odd => Meaning::Warning,
        "bytes" if call.truncated => Meaning::Warning,
        "sandbox" if call.sandbox.as_deref() == Some("off") => Meaning::Warning,
        _ => Meaning::Text,
    }
}

fn sign(call: &Call) -> (&'static str, Meaning) {
    match CardEnd::of(call) {
        CardEnd::Good => ("✓", Meaning::Good),
        CardEnd::Odd => ("!", Meaning::Warning),
        CardEnd::Failed => ("✗", Meaning::Error),
    }
}

/// The outcome, as much of it as fits: `denied`, `exit 1 · 1.2 KB · cut · 340 ms`.
fn outcome(call: &Call, width: usize) -> Strip {
    if let Some(error) = &call.error {
        return Strip::of(glimpse(error, width), Meaning::Error);
    }
    let odd = if CardEnd::of(call) == CardEnd::Odd { Meaning::Warning } else { Meaning::Muted };
    let size = call.bytes.map(|bytes| SafeText::line(&human_size(bytes)));
    // In the order of the row. The part with the highest number goes first if they do not fit.
    let parts: [Option<(u8, SafeText, Meaning)>; 4] = [
        call.exit.map(|code| (0, inert!("exit {}", code), odd)),
        size.map(|size| (2, size, Meaning::Muted)),
        call.truncated.then(|| (1, SafeText::fixed("cut"), Meaning::Warning)),
        (call.duration_ms > 0)
            .then(|| (3, SafeText::line(&duration(call.duration_ms)), Meaning::Muted)),
    ];
    let mut shown: Vec<(u8, SafeText, Meaning)> = parts.into_iter().flatten().collect();
    let columns = |shown: &[(u8, SafeText, Meaning)]| {
        shown.iter().map(|(_, text, _)| text.width() + 3).sum::<usize>()
    };
    while columns(&shown) > width + 3 {
        let least = shown.iter().map(|(missed, ..)| *missed).max();
        shown.retain(|(missed, ..)| Some(*missed) != least);
    }
    Strip::dotted(shown.into_iter().map(|(_, text, meaning)| (text, meaning)))
}

/// The last row is the input line of a search.
fn find_line(activity: &Activity, area: Rect, painter: &mut Painter) -> Option<Position> {
    let find = activity.list.find.as_ref()?;
    let mut count = Strip::default();
    count.gap(1).push(counted(find.rows.len(), "call"), Meaning::Muted).gap(1);
    prompt::find(find, area, &count, painter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::CallKind;
    use crate::tui::view::tests::row;

    fn shown(call: &Call, width: usize) -> String {
        let strip = outcome(call, width);
        assert!(strip.width() <= width, "{width}");
        row(80, &strip)
    }

    #[test]
    fn of_an_outcome_the_exit_code_is_the_last_to_go() {
        let call = Call {
            exit: Some(3),
            bytes: Some(65_536),
            truncated: true,
            duration_ms: 340,
            ..Call::new(CallKind::Run, 0, "pdf", Path::new("/pdf/SKILL.md"))
        };
        assert_eq!(shown(&call, 34), "exit 3 · 65.5 KB · cut · 340 ms");
        assert_eq!(shown(&call, 30), "exit 3 · 65.5 KB · cut");
        assert_eq!(shown(&call, 21), "exit 3 · cut");
        assert_eq!(shown(&call, 11), "exit 3");
        assert_eq!(shown(&call, 5), "");
        let failed = Call { error: Some("not_found".to_owned()), ..call };
        assert_eq!(
            (shown(&failed, 9).as_str(), shown(&failed, 6).as_str()),
            ("not_found", "not_f…")
        );
    }
}
