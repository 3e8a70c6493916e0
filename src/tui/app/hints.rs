//! The last line: hints at keys, and alarms. The model lays it out, so that a click can be
//! resolved.

use super::choose::any_on;
use super::refused::{is_shareable, refused};
use super::{
    Action, Chosen, Compose, Focus, Group, GroupBy, KeyTable, ProblemRow, Problems, ProjectRow,
    Rules, Screen, State, Way,
};
use crate::catalog::{Limit, RootReport, Severity};
use crate::inert;
use crate::text::{SafeText, counted};
use ratatui::layout::{Position, Rect};

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

/// The actions that a table hints at, the most important first.
fn wanted(table: KeyTable) -> &'static [Action] {
    use Action as A;
    match table {
        KeyTable::Picker => &[
            A::Pick,
            A::MarkDown,
            A::Toggle,
            A::Seen,
            A::Open,
            A::Rules,
            A::Problems,
            A::NextScope,
            A::Hosts,
            A::PreviewMode,
            A::Activity,
        ],
        KeyTable::Detail => &[
            A::Right,
            A::Left,
            A::Accept,
            A::Next,
            A::Raw,
            A::Wrap,
            A::Find,
            A::Edit,
            A::Toggle,
            A::Copy,
            A::Seen,
            A::Pick,
            A::Mark,
            A::NextSkill,
            A::Activity,
        ],
        KeyTable::Problems => &[
            A::Mend,
            A::Choose,
            A::MendAll,
            A::Accept,
            A::CopyPrompt,
            A::Edit,
            A::Severity,
            A::Sort,
            A::Refresh,
            A::Find,
        ],
        KeyTable::Rules => &[
            A::AddRule,
            A::EditRule,
            A::CycleEffect,
            A::Save,
            A::DeleteRule,
            A::TestName,
            A::Undo,
            A::CyclePlace,
        ],
        KeyTable::Help => &[A::Accept],
        KeyTable::Confirm => &[A::Accept, A::CyclePlace, A::Back],
        KeyTable::Copy => &[A::Accept, A::Back],
        KeyTable::Typing => &[A::Accept, A::Back],
        KeyTable::Hosts => &[A::Accept],
        KeyTable::Seen => &[A::Toggle, A::Share, A::Accept],
        KeyTable::Compare => &[A::Down, A::Up],
        KeyTable::Project => {
            &[A::Accept, A::Store, A::Edit, A::Compare, A::Restore, A::DeleteStored, A::Undo]
        }
        KeyTable::Changes => &[A::Accept, A::Undo, A::Redo],
        KeyTable::Budget => &[A::Toggle, A::Accept, A::Window],
        KeyTable::Prefer => &[A::Accept],
        KeyTable::Copies => &[A::KeepCopy, A::Rename, A::Toggle, A::Compare, A::Accept, A::Pick],
        KeyTable::Compose => {
            &[A::Accept, A::Submit, A::Newline, A::Target, A::Up, A::Edit, A::Inject, A::Back]
        }
        KeyTable::Activity => &[A::Accept, A::CopyCall, A::Narrow, A::ShowSkill, A::Find, A::Next],
    }
}

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

/// Whether the action has something to act on.
fn makes_sense(state: &State, action: Action) -> bool {
    use Action as A;
    match state.screens.last() {
        None if action == A::Seen => is_shareable(state),
        None if state.viewed.complete && state.picker.finds_nothing() => match action {
            A::Pick | A::Toggle => state.marks.count() > 0,
            action => !matches!(action, A::MarkDown | A::Open | A::PreviewMode),
        },
        Some(Screen::Detail(detail)) => match (action, detail.focus) {
            (A::Left, focus) => focus == Focus::Text,
            (A::Right, focus) => focus == Focus::Tree,
            (A::Accept, _) if detail.find.is_some() => true,
            (A::Accept, Focus::Text) => detail.target().is_some(),
            (A::Accept, Focus::Tree) => detail.on_directory(state),
            (A::Next, _) => detail.find.is_none() && detail.has_links(),
            _ => true,
        },
        Some(Screen::Rules(rules))
            if rules.drafts.is_empty() || rules.elsewhere(state).is_some() =>
        {
            !matches!(action, A::EditRule | A::CycleEffect | A::CyclePlace | A::DeleteRule)
        }
        Some(Screen::Confirm(confirm)) => action != A::CyclePlace || confirm.has_choice(),
        Some(Screen::Activity(activity)) if activity.lines.is_empty() => {
            action == A::Narrow && activity.only.is_some()
        }
        Some(Screen::Seen(seen)) => action != A::Share || seen.share_word(state).is_some(),
        Some(Screen::Problems(problems)) => on_problem(problems, action, state),
        Some(Screen::Project(project)) => project.takes(action),
        Some(Screen::Changes(changes)) => changes.takes(action),
        Some(Screen::Compose(compose)) => match action {
            A::Up => compose.editor.is_empty(),
            A::Submit => compose.way == Way::Pane && !compose.offers(),
            A::Target => !compose.takes_by_enter(),
            _ => true,
        },
        _ => true,
    }
}

/// Whether the action has something to act on in the current row.
fn on_problem(problems: &Problems, action: Action, state: &State) -> bool {
    use Action as A;
    let is_finding = matches!(problems.current(), Some(ProblemRow::Skill(..)));
    match action {
        A::Mend => problems.has_fix(state) || problems.count_chosen(state) > 0,
        A::Choose => problems.has_fix(state),
        A::MendAll => problems.has_fix(state) && is_finding,
        // Where a rule mends it, the rule comes first.
        A::CopyPrompt => problems.group().is_some() && !problems.has_fix(state),
        A::Edit => is_finding || matches!(problems.current(), Some(ProblemRow::Alarm(_))),
        // A folder and a limit have no file to open.
        A::Accept => !matches!(problems.current(), Some(ProblemRow::Root(_) | ProblemRow::Cut(_))),
        _ => true,
    }
}

fn label(state: &State, action: Action) -> SafeText {
    match state.screens.last() {
        Some(Screen::Compose(compose)) => compose_label(compose, action),
        _ => screen_label(state, action),
    }
}

/// What the switch does with all that is marked.
fn marked_words(state: &State) -> SafeText {
    let to = if any_on(state, &state.chosen()) { "off" } else { "on" };
    inert!("{} {} marked", to, state.marks.count())
}

/// What Enter does with the row of a problem.
fn on_enter(problems: &Problems) -> &'static str {
    match problems.current() {
        Some(ProblemRow::Alarm(_)) => "open settings",
        Some(
            ProblemRow::Group(Group { open: true, .. }) | ProblemRow::Cosmetic { open: true, .. },
        ) => "fold",
        Some(ProblemRow::Group(_) | ProblemRow::Cosmetic { .. }) => "unfold",
        _ => "show skill",
    }
}

fn screen_label(state: &State, action: Action) -> SafeText {
    let top = state.screens.last();
    let is_list = matches!(top, Some(Screen::Problems(_) | Screen::Activity(_)));
    let is_finding = is_list && top.is_some_and(|top| top.line().is_some());
    match (action, top) {
        (Action::Accept, _) if is_finding => SafeText::fixed("done"),
        (Action::Pick, None) => pick_words(state),
        (Action::Seen, None) => SafeText::fixed("share"),
        (Action::Toggle, None) if state.marks.count() > 0 => marked_words(state),
        (Action::Toggle, Some(Screen::Budget(_))) => SafeText::fixed("off"),
        (Action::Share, Some(Screen::Seen(seen))) => {
            SafeText::fixed(seen.share_word(state).unwrap_or_default())
        }
        (Action::Mend, Some(Screen::Problems(problems))) if problems.count_chosen(state) > 0 => {
            inert!("mend {} chosen", problems.count_chosen(state))
        }
        (Action::Sort, Some(Screen::Problems(problems))) => SafeText::fixed(match problems.by {
            GroupBy::Check => "by skill",
            GroupBy::Skill => "by cause",
        }),
        (Action::Accept, Some(Screen::Problems(problems))) => SafeText::fixed(on_enter(problems)),
        (Action::Accept, Some(Screen::Project(project))) => {
            SafeText::fixed(match project.current() {
                Some((ProjectRow::Skill(_), row)) if project.is_open(row) => "fold",
                Some((ProjectRow::Change(_), _)) => "diff",
                _ => "history",
            })
        }
        (Action::Store, Some(Screen::Project(project))) => {
            let offered = project.offered.as_ref().and_then(|path| state.entry(path));
            offered.map_or_else(SafeText::default, |entry| inert!("add {}", entry.skill.name))
        }
        (Action::Accept, Some(Screen::Changes(_))) => SafeText::fixed("diff"),
        (Action::Accept, Some(Screen::Prefer(_))) => SafeText::fixed("pick for it"),
        (Action::Accept, Some(Screen::Copies(copies))) if copies.name().is_some() => {
            SafeText::fixed("rename")
        }
        (Action::Accept, Some(Screen::Budget(_) | Screen::Copies(_))) => SafeText::fixed("open"),
        (Action::Accept, Some(Screen::Help(_))) => SafeText::fixed("run"),
        (Action::Accept, Some(Screen::Copy(_))) => SafeText::fixed("copy"),
        (Action::Accept, Some(Screen::Hosts(_) | Screen::Seen(_))) => {
            SafeText::fixed("show its view")
        }
        (Action::Accept, Some(Screen::Activity(activity))) => {
            SafeText::fixed(if activity.on_open() { "close" } else { "details" })
        }
        (Action::CopyCall, Some(Screen::Activity(activity))) => match activity.field() {
            Some((label, _)) => inert!("copy {}", label),
            None => SafeText::fixed("copy"),
        },
        (Action::Narrow, Some(Screen::Activity(activity))) if activity.only.is_some() => {
            SafeText::fixed("all skills")
        }
        (Action::Accept, Some(Screen::Confirm(_))) => SafeText::fixed("write"),
        (Action::Accept, Some(Screen::Detail(detail))) if detail.find.is_none() => {
            SafeText::fixed(match detail.focus {
                Focus::Text => "follow",
                Focus::Tree => "fold",
            })
        }
        (Action::Accept, Some(_)) => SafeText::fixed("done"),
        (Action::Back, Some(_)) => SafeText::fixed("cancel"),
        (Action::Right, Some(Screen::Detail(_))) => SafeText::fixed("read"),
        (Action::Next, Some(Screen::Detail(_))) => SafeText::fixed("link"),
        (Action::Left, Some(Screen::Detail(_))) => SafeText::fixed("files"),
        (Action::Save, Some(Screen::Rules(rules))) if !Rules::is_unsaved(rules) => {
            SafeText::fixed("save")
        }
        _ => SafeText::fixed(action.hint()),
    }
}

fn compose_label(compose: &Compose, action: Action) -> SafeText {
    SafeText::fixed(match action {
        Action::Accept if compose.takes_by_enter() => "take",
        Action::Target if compose.offers() => "take",
        Action::Accept if compose.way == Way::Pane => "into its prompt",
        Action::Accept if compose.way == Way::Back => "put it back",
        Action::Accept => "send",
        Action::Up => "history",
        Action::Edit => "$EDITOR",
        Action::Back if compose.completion.is_some() => "close",
        Action::Back => "keep draft",
        Action::Inject if compose.inject => "names only",
        other => other.hint(),
    })
}

/// How many skills Enter picks, if there are marks.
fn pick_count(chosen: &Chosen) -> SafeText {
    match chosen.marked {
        true => inert!("pick {}", chosen.paths.len()),
        false => SafeText::fixed(Action::Pick.hint()),
    }
}

/// How many skills Enter picks, for which agent, and which marked skills the query hides.
fn pick_words(state: &State) -> SafeText {
    let chosen = state.chosen();
    let hidden = state.hidden_words(&chosen).map(|hidden| inert!("({})", hidden));
    let whom = match state.asks_for_whom(&chosen) {
        true => Some(SafeText::fixed("(asks for which agent)")),
        false => state.for_whom(&chosen),
    };
    let words = [Some(pick_count(&chosen)), whom, hidden];
    SafeText::join(words.into_iter().flatten(), " ")
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
