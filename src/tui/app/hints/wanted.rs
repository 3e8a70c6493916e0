//! Which keys are hinted at: those of a screen that have something to act on.

use crate::tui::app::refused::is_shareable;
use crate::tui::app::{Action, Focus, KeyTable, ProblemRow, Problems, Screen, State, Way};

/// The actions that a table hints at, the most important first.
pub(super) fn wanted(table: KeyTable) -> &'static [Action] {
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

/// Whether the action has something to act on.
pub(super) fn makes_sense(state: &State, action: Action) -> bool {
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
