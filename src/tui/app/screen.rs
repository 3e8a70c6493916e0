//! The screens above the picker: one enum, and each variant owns its data, so that no flag can
//! disagree with it.

use super::update::tell_cut;
use super::{
    Action, Activity, Begin, BudgetScreen, Changes, Compare, Compose, Confirm, Context, Copies,
    CopyMenu, Detail, Help, HostMenu, KeyTable, Line, ListPane, Mouse, Msg, Prefer, Problems,
    Project, Rules, Seen, State,
};
use ratatui::layout::Position;

#[derive(Debug)]
pub enum Screen {
    Detail(Detail),
    Problems(Problems),
    Rules(Rules),
    Help(Help),
    Confirm(Confirm),
    Copy(CopyMenu),
    Hosts(HostMenu),
    Seen(Seen),
    Compare(Compare),
    Activity(Activity),
    Project(Project),
    Changes(Changes),
    Budget(BudgetScreen),
    Prefer(Prefer),
    Copies(Copies),
    Begin(Begin),
    Compose(Box<Compose>),
}

impl Screen {
    /// The table of keys, and the conditions of bindings.
    pub fn context(&self) -> Context {
        let table = match self {
            Self::Detail(_) => KeyTable::Detail,
            Self::Problems(_) => KeyTable::Problems,
            Self::Rules(_) => KeyTable::Rules,
            Self::Help(_) => KeyTable::Help,
            Self::Confirm(_) => KeyTable::Confirm,
            Self::Copy(_) => KeyTable::Copy,
            Self::Hosts(_) => KeyTable::Hosts,
            Self::Seen(_) => KeyTable::Seen,
            Self::Compare(_) => KeyTable::Compare,
            Self::Activity(_) => KeyTable::Activity,
            Self::Project(_) => KeyTable::Project,
            Self::Changes(_) => KeyTable::Changes,
            Self::Budget(_) => KeyTable::Budget,
            Self::Copies(_) => KeyTable::Copies,
            Self::Begin(_) => KeyTable::Typing,
            Self::Prefer(_) => KeyTable::Prefer,
            Self::Compose(_) => KeyTable::Compose,
        };
        match (self.line(), table) {
            (Some(line), KeyTable::Help) => {
                Context { table, empty: line.is_empty(), at_end: line.at_end(), bare: false }
            }
            (Some(line), _) => Context {
                table: KeyTable::Typing,
                empty: line.is_empty(),
                at_end: line.at_end(),
                bare: false,
            },
            (None, table) => Context { table, empty: true, at_end: true, bare: false },
        }
    }

    /// The line that is being typed.
    pub fn line(&self) -> Option<&Line> {
        match self {
            Self::Detail(Detail { find, .. })
            | Self::Problems(Problems { list: ListPane { find, .. }, .. })
            | Self::Activity(Activity { list: ListPane { find, .. }, .. }) => {
                find.as_ref().filter(|find| find.typing).map(|find| &find.line)
            }
            Self::Rules(rules) => rules.line(),
            Self::Copies(copies) => copies.name(),
            Self::Begin(begin) => Some(&begin.line),
            Self::Help(help) => Some(&help.query),
            _ => None,
        }
    }

    fn line_mut(&mut self) -> Option<&mut Line> {
        match self {
            Self::Detail(Detail { find, .. })
            | Self::Problems(Problems { list: ListPane { find, .. }, .. })
            | Self::Activity(Activity { list: ListPane { find, .. }, .. }) => {
                find.as_mut().filter(|find| find.typing).map(|find| &mut find.line)
            }
            Self::Rules(rules) => rules.line_mut(),
            Self::Copies(copies) => copies.naming.as_mut().map(|(_, line)| line),
            Self::Begin(begin) => Some(&mut begin.line),
            Self::Help(help) => Some(&mut help.query),
            _ => None,
        }
    }

    /// Inserts text into the open line and applies it.
    pub(super) fn insert(&mut self, text: &str, state: &mut State) {
        if let Self::Compose(compose) = self {
            return compose.insert(text, state);
        }
        if let Some(line) = self.line_mut() {
            let is_whole = line.insert(text);
            self.typed(state);
            tell_cut(state, is_whole);
        }
    }

    /// Applies an editing action to the open line; `false` if it is something else.
    pub(super) fn edit(&mut self, action: Action, state: &mut State) -> bool {
        let Some(line) = self.line_mut() else { return false };
        let edits = edit_line(line, action);
        if edits {
            self.typed(state);
        }
        edits
    }

    fn typed(&mut self, state: &mut State) {
        match self {
            Self::Detail(detail) => detail.typed(state),
            Self::Problems(problems) => problems.typed(state),
            Self::Rules(rules) => rules.typed(state),
            Self::Activity(activity) => activity.typed(),
            Self::Help(help) => help.typed(state),
            _ => {}
        }
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        match self {
            Self::Detail(detail) => detail.act(action, state),
            Self::Problems(problems) => problems.act(action, state),
            Self::Rules(rules) => rules.act(action, state),
            Self::Help(help) => help.act(action, state),
            Self::Confirm(confirm) => confirm.act(action, state),
            Self::Copy(menu) => menu.act(action, state),
            Self::Hosts(menu) => menu.act(action, state),
            Self::Seen(seen) => seen.act(action, state),
            Self::Compare(compare) => compare.act(action, state),
            Self::Activity(activity) => activity.act(action, state),
            Self::Project(project) => project.act(action, state),
            Self::Changes(changes) => changes.act(action, state),
            Self::Budget(budget) => budget.act(action, state),
            Self::Prefer(prefer) => prefer.act(action, state),
            Self::Copies(copies) => copies.act(action, state),
            Self::Begin(begin) => begin.act(action, state),
            Self::Compose(compose) => compose.act(action, state),
        }
    }

    /// Handles the mouse. On most screens the wheel moves the cursor by a row.
    pub(super) fn mouse(&mut self, mouse: Mouse, state: &mut State) {
        match (self, mouse) {
            (Self::Detail(detail), _) => detail.mouse(mouse, state),
            (Self::Confirm(confirm), _) => confirm.mouse(mouse, state),
            (Self::Rules(rules), _) => rules.mouse(mouse, state),
            (Self::Compose(compose), _) => compose.mouse(mouse, state),
            (_, Mouse::Drag(_)) => {}
            (screen, Mouse::WheelUp(..)) => screen.act(Action::Up, state),
            (screen, Mouse::WheelDown(..)) => screen.act(Action::Down, state),
            (screen, Mouse::Click(place)) => screen.clicked(place, false, state),
            (screen, Mouse::DoubleClick(place)) => screen.clicked(place, true, state),
        }
    }

    fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        match self {
            Self::Problems(problems) => problems.clicked(place, twice, state),
            Self::Help(help) => help.clicked(place, twice, state),
            Self::Copy(menu) => menu.clicked(place, twice, state),
            Self::Hosts(menu) => menu.clicked(place, twice, state),
            Self::Activity(activity) => activity.clicked(place, twice, state),
            Self::Project(project) => project.clicked(place, twice, state),
            Self::Changes(changes) => changes.clicked(place, twice, state),
            Self::Budget(budget) => budget.clicked(place, twice, state),
            Self::Prefer(prefer) => prefer.clicked(place, twice, state),
            Self::Copies(copies) => copies.clicked(place, twice, state),
            Self::Seen(seen) => seen.clicked(place, state),
            Self::Detail(_)
            | Self::Confirm(_)
            | Self::Rules(_)
            | Self::Compare(_)
            | Self::Begin(_)
            | Self::Compose(_) => {}
        }
    }

    /// A change of skills was written.
    pub(super) fn written(&mut self) {
        match self {
            Self::Copies(copies) => copies.written(),
            Self::Problems(problems) => problems.written(),
            _ => {}
        }
    }

    /// Takes what was read for it.
    pub(super) fn arrived(&mut self, answer: &Msg) {
        match (self, answer) {
            (Self::Project(project), Msg::ProjectRead(content)) => project.arrived(content.clone()),
            (Self::Changes(changes), Msg::ChangesRead(rows)) => changes.arrived(rows.clone()),
            (Self::Copies(copies), Msg::CopiesRead(facts)) => copies.arrived(facts),
            (Self::Activity(activity), Msg::ActivityRead(log)) => activity.arrived(log),
            _ => {}
        }
    }

    /// Requests what the screen shows and does not have, and scrolls to the cursor.
    pub(super) fn follow(&mut self, state: &mut State) {
        match self {
            Self::Detail(detail) => detail.follow(state),
            Self::Problems(problems) => problems.follow(state),
            Self::Rules(rules) => rules.follow(state),
            Self::Help(help) => help.follow(state),
            Self::Confirm(confirm) => confirm.follow(state),
            Self::Hosts(menu) => menu.follow(state),
            Self::Seen(seen) => seen.follow(state),
            Self::Compare(compare) => compare.follow(state),
            Self::Activity(activity) => activity.follow(state),
            Self::Project(project) => project.follow(state),
            Self::Changes(changes) => changes.follow(state),
            Self::Budget(budget) => budget.follow(state),
            Self::Prefer(prefer) => prefer.follow(state),
            Self::Copies(copies) => copies.follow(state),
            Self::Compose(compose) => compose.follow(state),
            Self::Copy(_) | Self::Begin(_) => {}
        }
    }
}

/// Applies an editing action to a line; `false` if it is something else.
pub(super) fn edit_line(line: &mut Line, action: Action) -> bool {
    match action {
        Action::CursorLeft => line.left(),
        Action::CursorRight => line.right(),
        Action::CursorStart => line.start(),
        Action::CursorEnd => line.end(),
        Action::DeleteBack => line.delete_back(),
        Action::DeleteForward => line.delete_forward(),
        Action::DeleteWord => line.delete_word(),
        Action::DeleteLine => line.delete_line(),
        _ => return false,
    }
    true
}

impl State {
    /// The compose screen, even if another screen is above it.
    pub fn compose(&self) -> Option<&Compose> {
        self.screens.iter().find_map(|screen| match screen {
            Screen::Compose(compose) => Some(&**compose),
            _ => None,
        })
    }

    /// Whether a key that acts on rows must wait for a ranking.
    pub fn awaits_ranking(&self) -> bool {
        match self.screens.last() {
            None => self.picker.awaits_ranking(),
            Some(Screen::Compose(compose)) => compose.awaits_completion(),
            Some(_) => false,
        }
    }
}
