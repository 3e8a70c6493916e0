//! [`update`]: the only function that changes the state.

use super::arrive::arrived;
use super::choose::{cycle_state, mark_all, mark_and_step, pick, toggle};
use super::line::MAX_BYTES;
use super::screen::edit_line;
use super::{
    Action, Activity, Begin, BeginWith, BudgetScreen, ChangeJob, Changes, Compose, Copies,
    CopyMenu, Detail, Effect, Exit, Help, HostMenu, KeyTable, Mouse, Msg, Notice, PickerLayout,
    PreviewPlace, Problems, Project, Rules, Screen, Seen, State, Way, hints, layout,
};
use crate::catalog::{HostId, RootReport, Scope};
use crate::inert;
use crate::text::SafeText;
use ratatui::layout::Rect;
use std::sync::Arc;

/// Applies a message, and returns what the shell must do.
pub fn update(state: &mut State, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Action(action) if state.unmeant.is_some() && action != Action::Abort => {}
        Msg::Text(_) | Msg::Paste(_) | Msg::Mouse(_) if state.unmeant.is_some() => {}
        Msg::Action(action) => {
            begin_key(state);
            act(state, action)
        }
        Msg::Text(character) => {
            begin_key(state);
            insert(state, character.encode_utf8(&mut [0; 4]))
        }
        Msg::Paste(text) => insert(state, &text),
        Msg::Mouse(mouse) => on_mouse(state, mouse),
        Msg::Resize(columns, rows) => {
            state.area = Rect { width: columns, height: rows, ..state.area };
        }
        answer => arrived(state, answer),
    }
    state.begin_waiting();
    follow(state);
    std::mem::take(&mut state.effects)
}

/// A key takes back what waited for rows, and the notice has been read.
fn begin_key(state: &mut State) {
    state.notice = None;
    state.waiting_pick = None;
    state.picker.anchor = None;
}

/// Requests what is shown and not known yet, and scrolls every list to its cursor.
fn follow(state: &mut State) {
    state.leave_hidden_column();
    let panes = state.panes();
    let count = state.picker.hits().len();
    state.picker.list.follow(panes.list, count);
    if state.screens.is_empty() {
        let columns = panes.preview.map_or(0, |preview| preview.width.saturating_sub(2));
        let path = state.current().map(|entry| Arc::from(entry.skill.path.as_path()));
        let key = path.filter(|_| columns > 0);
        let key = key.map(|path| state.picker.preview_key(path, state.epoch, columns));
        let current = key.as_ref().map(|key| Arc::clone(&key.path));
        state.effects.extend(state.picker.preview.want(key));
        state.picker.preview.scroll_by(0, preview_height(&panes));
        if let Some(path) = current {
            state.want_facts(&path);
            if panes.aside.is_some() {
                state.want_reports();
            }
        }
    }
    with_top(state, Screen::follow);
}

/// Rows of the preview's text: the pane without its head.
fn preview_height(panes: &PickerLayout) -> usize {
    panes.preview.map_or(1, |preview| hints::preview_text(preview).height.max(1).into())
}

fn on_mouse(state: &mut State, mouse: Mouse) {
    if let Mouse::Click(place) | Mouse::DoubleClick(place) = mouse
        && let Some(action) = hints::action_at(state, place)
    {
        return act(state, action);
    }
    if !state.screens.is_empty() {
        return with_top(state, |screen, state| screen.mouse(mouse, state));
    }
    let panes = state.panes();
    match mouse {
        Mouse::WheelUp(place) | Mouse::WheelDown(place) => {
            let rows = if matches!(mouse, Mouse::WheelUp(_)) { -1 } else { 1 };
            if panes.preview.is_some_and(|preview| preview.contains(place)) {
                state.picker.preview.scroll_by(rows * 3, preview_height(&panes));
            } else {
                state.picker.move_by(rows);
            }
        }
        Mouse::Drag(_) => {}
        Mouse::Click(place) | Mouse::DoubleClick(place)
            if panes.header.is_some_and(|header| header.contains(place)) =>
        {
            state.click_column(place.x - panes.list.x, panes.list.width);
        }
        Mouse::Click(place) | Mouse::DoubleClick(place) => {
            let count = state.picker.hits().len();
            let on_row = state.picker.list.clicked(place, panes.list, count);
            if on_row && matches!(mouse, Mouse::DoubleClick(_)) {
                act_in_picker(state, Action::Pick);
            }
        }
    }
}

/// Runs `work` on the topmost screen and the rest of the state, and puts the screen back unless it
/// closes.
fn with_top(state: &mut State, work: impl FnOnce(&mut Screen, &mut State)) {
    let Some(mut screen) = state.screens.pop() else { return };
    let depth = state.screens.len();
    work(&mut screen, state);
    if !std::mem::take(&mut state.closing) {
        // A screen that it opened stays above it.
        state.screens.insert(depth.min(state.screens.len()), screen);
    }
}

/// Applies an action to the topmost screen.
pub(super) fn act(state: &mut State, action: Action) {
    if act_anywhere(state, action) {
        return;
    }
    if state.screens.is_empty() {
        return act_in_picker(state, action);
    }
    with_top(state, |screen, state| {
        if !screen.edit(action, state) {
            screen.act(action, state);
        }
    });
}

/// Applies an action that means the same on every screen; `false` if it is another one.
fn act_anywhere(state: &mut State, action: Action) -> bool {
    match action {
        Action::Abort => state.effects.push(Effect::Exit(Exit::Left)),
        Action::Suspend => state.effects.push(Effect::Suspend),
        Action::Refresh => {
            let log = state.shows_activity().then_some(Effect::ReadActivity);
            let is_dock = state.compose().is_some_and(|compose| compose.way == Way::Pane);
            let panes = is_dock.then_some(Effect::FindPanes);
            let more = log.into_iter().chain(panes);
            state.effects.extend([Effect::Scan, Effect::Repaint].into_iter().chain(more));
        }
        Action::Mouse => {
            state.mouse_taken = !state.mouse_taken;
            let text = if state.mouse_taken {
                "the picker uses the mouse again"
            } else {
                "select text with the mouse; the same key ends that"
            };
            state.effects.push(Effect::TakeMouse(state.mouse_taken));
            state.say(Notice::plain(SafeText::fixed(text)));
        }
        Action::Help if state.context().table != KeyTable::Help => {
            let table = match state.context().table {
                KeyTable::Typing => return false,
                table => table,
            };
            state.screens.push(Screen::Help(Help::new(table)));
        }
        // A plan that waits for confirmation, also below another screen, would not fit any more
        // after an undo.
        Action::Changes if !state.asks() => show_changes(state),
        // On these screens the key undoes what they show.
        Action::Undo
            if !state.asks()
                && !matches!(
                    state.context().table,
                    KeyTable::Rules | KeyTable::Project | KeyTable::Changes | KeyTable::Compose
                ) =>
        {
            state.turn_back(ChangeJob::Undo);
        }
        _ => return false,
    }
    true
}

/// Opens the list of changes, or goes back to it.
fn show_changes(state: &mut State) {
    match state.screens.iter().position(|screen| matches!(screen, Screen::Changes(_))) {
        Some(place) => state.screens.truncate(place + 1),
        None => state.screens.push(Screen::Changes(Changes::default())),
    }
}

/// Why there are no rules to show.
pub(super) fn no_rules(state: &State) -> Option<SafeText> {
    let host = state.options.host;
    let forms = state.viewed.policy.order.forms;
    if state.options.sees_all() {
        let key = state.key_word(KeyTable::Picker, Action::Hosts);
        return Some(inert!("every agent has rules of its own: choose one first ({})", key));
    }
    forms.effects().is_empty().then(|| inert!("{} has no permission rules for one skill", host))
}

/// Why an action has nothing to act on. A key that does nothing must say so.
fn no_object(state: &State, action: Action) -> Option<SafeText> {
    use Action as A;
    let nothing = || state.chosen().paths.is_empty();
    let no_preview = || state.panes().preview.is_none();
    match action {
        A::Toggle | A::CycleState | A::Copy if nothing() => {
            Some(SafeText::fixed("there is no skill here"))
        }
        A::Open | A::Seen | A::Edit | A::Copies if state.current().is_none() => {
            Some(SafeText::fixed("there is no skill here"))
        }
        A::ColumnLeft | A::ColumnRight if state.agents().is_empty() => {
            let key = state.key_word(KeyTable::Picker, Action::Hosts);
            Some(inert!("there are no columns in a view through one agent ({})", key))
        }
        A::PreviewUp | A::PreviewDown | A::PreviewPageUp | A::PreviewPageDown | A::PreviewMode
            if no_preview() && state.picker.place != PreviewPlace::Nowhere =>
        {
            let key = state.key_word(KeyTable::Picker, Action::Open);
            Some(inert!("there is no room for the preview here: {} opens the skill", key))
        }
        _ => None,
    }
}

/// Why an action that was meant for marks would be about the current row. That is refused once.
fn marks_are_gone(state: &mut State, action: Action) -> Option<SafeText> {
    use Action as A;
    let is_about_marks =
        matches!(action, A::Pick | A::Accept | A::Toggle | A::CycleState | A::Copy);
    let gone = if is_about_marks { state.gone.take() } else { None };
    gone.filter(|_| state.marks.count() == 0 && state.marks.total() > 0)
}

fn act_in_picker(state: &mut State, action: Action) {
    if let Some(why) = no_object(state, action) {
        return state.say(Notice::neutral(why));
    }
    if let Some(why) = marks_are_gone(state, action) {
        return state.say(Notice::grave(why));
    }
    if move_in_picker(state, action) || open_from_picker(state, action) {
        return;
    }
    match action {
        Action::MarkDown => mark_and_step(state, 1),
        Action::MarkUp => mark_and_step(state, -1),
        Action::MarkAll => mark_all(state),
        Action::Pick | Action::Accept => pick(state),
        Action::Toggle => {
            let chosen = state.chosen();
            toggle(state, chosen);
        }
        Action::CycleState => cycle_state(state),
        Action::Edit => edit(state),
        Action::PreviewMode => state.next_preview(),
        Action::ColumnLeft | Action::ColumnRight => {
            if !state.move_column(action == Action::ColumnRight) {
                let key = state.key_word(KeyTable::Picker, Action::Hosts);
                let why =
                    inert!("there is no room for columns here: {} shows one agent's view", key);
                state.say(Notice::neutral(why));
            }
        }
        Action::NextScope => {
            let is_project = |report: &RootReport| report.root.scope == Scope::Project;
            let has_project = state.viewed.roots.iter().any(is_project);
            state.picker.next_scope(has_project);
            state.rescope();
        }
        Action::Back => back(state),
        _ => {
            if edit_line(&mut state.picker.query, action)
                && !matches!(
                    action,
                    Action::CursorLeft
                        | Action::CursorRight
                        | Action::CursorStart
                        | Action::CursorEnd
                )
            {
                retype(state);
            }
        }
    }
}

/// Opens the screen of an action; `false` if it has none.
fn open_from_picker(state: &mut State, action: Action) -> bool {
    let current = state.current().map(|entry| Arc::clone(&entry.skill));
    let path = current.as_ref().map(|skill| Arc::from(skill.path.as_path()));
    let screen = match (action, path) {
        (Action::Open | Action::Right | Action::Copies, Some(path)) => match Copies::new(state) {
            Some(copies) => Screen::Copies(copies),
            None if action == Action::Copies => {
                let why = SafeText::fixed("no other skill here has this name");
                state.say(Notice::neutral(why));
                return true;
            }
            None => Screen::Detail(Detail::new(path)),
        },
        (Action::Seen, Some(path)) => Screen::Seen(Seen::new(path)),
        (Action::Problems, path) => {
            open_problems(state, Problems::of_all(state, path.as_deref()));
            return true;
        }
        (Action::Rules, _) => match no_rules(state) {
            None => Screen::Rules(Rules::new(state, current.as_deref())),
            Some(why) => {
                state.say(Notice::grave(why));
                return true;
            }
        },
        (Action::Project, path) => {
            let is_file = current.as_ref().is_some_and(|skill| skill.stored.is_none());
            Screen::Project(Project::new(path.filter(|_| is_file)))
        }
        (Action::Compose, _) => Screen::Compose(Box::new(Compose::open(state))),
        (Action::NewSkill, _) => Screen::Begin(Begin::new(BeginWith::New)),
        (Action::LinkSkills, _) => Screen::Begin(Begin::new(BeginWith::Links)),
        (Action::Examples, _) => {
            state.effects.push(Effect::Examples);
            return true;
        }
        (Action::Ask, _) => {
            let words =
                "asking the agents' own programs; what only they have comes when they answer";
            state.say(Notice::neutral(SafeText::fixed(words)));
            state.effects.push(Effect::AskAgents);
            return true;
        }
        (Action::Budget, _) => match BudgetScreen::new(state) {
            Some(screen) => Screen::Budget(screen),
            None => {
                state.say(Notice::neutral(SafeText::fixed("the agents are not known yet")));
                return true;
            }
        },
        (Action::Activity, _) => Screen::Activity(Activity::default()),
        (Action::Copy, _) => Screen::Copy(CopyMenu::new(state.chosen())),
        (Action::Hosts, path) => match state.picker.column.filter(|_| state.column().is_some()) {
            None => Screen::Hosts(HostMenu::new(state)),
            Some(host) => {
                state.look_through(host.word(), path.as_deref());
                return true;
            }
        },
        _ => return false,
    };
    state.screens.push(screen);
    true
}

/// Moves in the list or in the preview; `false` if the action is something else.
fn move_in_picker(state: &mut State, action: Action) -> bool {
    let panes = state.panes();
    let count = state.picker.hits().len();
    if state.picker.list.moves(action, panes.list, count) {
        return true;
    }
    let height = preview_height(&panes);
    let text_page = height.saturating_sub(1).max(1).cast_signed();
    let lines = layout::scrolled(action, text_page);
    lines.inspect(|lines| state.picker.preview.scroll_by(*lines, height)).is_some()
}

/// The query has changed. An unknown filter hides nothing, and a notice names it.
pub(super) fn retype(state: &mut State) {
    state.retype();
    let query = &state.picker.parsed;
    let unknown = query.unknown_hosts(&state.options.hosts, HostId(state.options.host));
    if let Some(problem) = query.problems.first().or(unknown.first()) {
        let text = SafeText::line(&problem.to_string());
        state.say(Notice::grave(text));
    }
}

/// Esc in the picker gives up a plan and clears the query, then leaves, from the examples to where
/// the person was. Screens above it handle their own Esc.
fn back(state: &mut State) {
    let gave_up = state.give_up();
    if gave_up {
        // The key is about an edited text as well.
        state.waiting.clear();
    }
    if !state.picker.query.is_empty() {
        state.picker.query.clear();
        retype(state);
    } else if !gave_up {
        let back = if state.on_examples { Effect::Examples } else { Effect::Exit(Exit::Left) };
        state.effects.push(back);
    }
}

pub(super) fn open_problems(state: &mut State, problems: Problems) {
    if problems.rows.is_empty() {
        return state.say(Notice::plain(SafeText::fixed("no problems")));
    }
    // Which agents are here decides what hurts.
    state.want_hosts();
    state.screens.push(Screen::Problems(problems));
}

fn edit(state: &mut State) {
    if let Some(path) = state.current().map(|entry| entry.skill.path.clone()) {
        state.effects.push(Effect::Edit(path, state.picker.preview.source_line()));
    }
}

fn insert(state: &mut State, text: &str) {
    if state.screens.is_empty() {
        let is_whole = state.picker.query.insert(text);
        retype(state);
        return tell_cut(state, is_whole);
    }
    with_top(state, |screen, state| screen.insert(text, state));
}

/// Says that not all of a text was put into a line.
pub(super) fn tell_cut(state: &mut State, is_whole: bool) {
    if !is_whole {
        let why = inert!("a line holds {} bytes; what is behind them was left out", MAX_BYTES);
        state.say(Notice::grave(why));
    }
}
