//! The last line: hints at keys, and alarms. The model lays it out, so that a click can be
//! resolved.

mod labels;
mod wanted;

use super::refused::refused;
use super::{Action, KeyTable, Screen, State};
use crate::catalog::{Limit, RootReport, Severity};
use crate::inert;
use crate::text::{SafeText, counted};
use labels::{label, pick_count};
use ratatui::layout::{Position, Rect};
use wanted::{makes_sense, wanted};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// What a click runs; some alarms have nothing to run.
    pub action: Option<Action>,
    pub key: SafeText,
    pub label: SafeText,
    pub alarm: bool,
    /// The key would refuse; the label says why.
    pub dim: bool,
    pub area: Rect,
}

impl Hint {
    fn new(state: &State, table: KeyTable, action: Action, label: SafeText) -> Option<Self> {
        let key = state.key_of(table, action)?.clone();
        let hint = Self::alarm(Some(action), label);
        Some(Self { key, alarm: false, ..hint })
    }

    /// One that would refuse.
    fn dimmed(self, state: &State) -> Self {
        let why = self.action.and_then(|action| refused(state, action));
        let Some((action, why)) = self.action.zip(why) else { return self };
        // Of the two that refuse for the same reason, the one that stands first says it.
        let (second, first) = match state.screens.is_empty() {
            true => (Action::Toggle, Action::Pick),
            false => (Action::Pick, Action::Toggle),
        };
        let is_said = action == second && refused(state, first).as_ref() == Some(&why);
        let label = if is_said { self.label } else { inert!("{} ({})", action.hint(), why) };
        Self { label, dim: true, ..self }
    }

    fn alarm(action: Option<Action>, label: SafeText) -> Self {
        let (key, area) = (SafeText::default(), Rect::default());
        Self { action, key, label, alarm: true, dim: false, area }
    }

    fn width(&self) -> usize {
        let gap = usize::from(!self.key.is_empty());
        self.key.width() + gap + self.label.width()
    }
}

/// Columns between two hints: ` · `.
const GAP: usize = 3;

/// The hints of the topmost screen. If they do not fit, those at the end of the left side go first.
pub fn hints(state: &State) -> Vec<Hint> {
    let Some(area) = state.whole().hints else {
        return Vec::new();
    };
    let table = state.context().table;
    let mut right = right_side(state, table);
    let mut left: Vec<Hint> = wanted(table)
        .iter()
        .filter(|action| makes_sense(state, **action))
        .filter_map(|action| Hint::new(state, table, *action, label(state, *action)))
        .map(|hint| hint.dimmed(state))
        .collect();
    // On a narrow screen what is unsaved must be saved, and what the whole view does not have is no
    // use.
    let is_unsaved =
        matches!(state.screens.last(), Some(Screen::Rules(rules)) if rules.is_unsaved());
    left.sort_by_key(|hint| match hint.action {
        Some(Action::Save) if is_unsaved => 0,
        Some(Action::Rules) if hint.dim => 2,
        _ => 1,
    });
    let total = |hints: &[Hint]| hints.iter().map(|hint| hint.width() + GAP).sum::<usize>();
    let room = usize::from(area.width).saturating_sub(2);
    // The gap between the two sides is wider than between neighbours, so that they do not look like
    // one row.
    while total(&left) + total(&right) + 2 > room + GAP {
        match left.pop() {
            // The hint for Enter is shortened before it is left out.
            Some(hint) if left.is_empty() && hint.action == Some(Action::Pick) => {
                let label = pick_count(&state.chosen());
                left.extend((label != hint.label).then_some(Hint { label, ..hint }));
            }
            Some(_) => {}
            None => break,
        }
    }
    // The most serious alarm, and help, go last.
    while right.len() > 1 && total(&right) > room + GAP {
        right.remove(right.len() - 2);
    }
    place(&mut left, area, 1);
    let start = usize::from(area.width).saturating_sub(total(&right).saturating_sub(GAP) + 1);
    place(&mut right, area, start);
    left.append(&mut right);
    left
}

/// The text area of a preview pane: below its two head lines and an empty one, with a margin at
/// each side.
pub fn preview_text(pane: Rect) -> Rect {
    let head = 3.min(pane.height);
    let air = 1.min(pane.width / 2);
    Rect {
        x: pane.x + air,
        y: pane.y + head,
        width: pane.width - 2 * air,
        height: pane.height - head,
    }
}

fn right_side(state: &State, table: KeyTable) -> Vec<Hint> {
    let mut hints = Vec::new();
    if table == KeyTable::Picker {
        hints.extend(alarms(state));
    } else if let Some(back) = Hint::new(state, table, Action::Back, SafeText::fixed("back")) {
        // Some tables have this hint on the left.
        hints.extend((!wanted(table).contains(&Action::Back)).then_some(back));
    }
    if table != KeyTable::Help {
        hints.extend(Hint::new(state, table, Action::Help, SafeText::fixed("help")));
    }
    hints
}

/// Broken settings, errors, limits that were reached.
fn alarms(state: &State) -> Vec<Hint> {
    let glyph = SafeText::fixed("✗");
    let mut hints = Vec::new();
    let leads = Some(Action::Problems);
    if !state.viewed.alarms.is_empty() {
        hints.push(Hint::alarm(leads, inert!("{} settings", glyph)));
    }
    let is_error = |root: &&RootReport| root.severity() == Some(Severity::Error);
    let folders = state.viewed.roots.iter().filter(is_error).count();
    if folders > 0 {
        hints.push(Hint::alarm(leads, inert!("{} {}", glyph, counted(folders, "folder"))));
    }
    // Warnings are common, so they are no alarm.
    let errors = state.tally.errors;
    if errors > 0 {
        hints.push(Hint::alarm(leads, inert!("{} {}", glyph, counted(errors, "problem"))));
    }
    let silent = state.viewed.cuts.iter().filter(|cut| cut.limit == Limit::Silent).count();
    if silent > 0 {
        hints.push(Hint::alarm(leads, inert!("! {} without answer", counted(silent, "folder"))));
    }
    if state.viewed.cuts.len() > silent {
        hints.push(Hint::alarm(leads, SafeText::fixed("! search cut")));
    }
    hints
}

fn place(hints: &mut [Hint], area: Rect, start: usize) {
    let mut column = start;
    for hint in hints {
        let x = area.x.saturating_add(u16::try_from(column).unwrap_or(u16::MAX));
        let width = u16::try_from(hint.width()).unwrap_or(u16::MAX);
        hint.area = Rect { x, y: area.y, width, height: 1 }.intersection(area);
        column += hint.width() + GAP;
    }
}

/// The action of the hint in this cell.
pub(super) fn action_at(state: &State, place: Position) -> Option<Action> {
    hints(state).into_iter().find(|hint| hint.area.contains(place))?.action
}
