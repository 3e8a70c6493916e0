//! `update`: the one place where the state changes.

use super::screen::{Step, edit_line};
use super::{
    Action, Aim, Confirm, CopyMenu, Detail, Effect, Exit, Help, Layer, Mouse, Msg, Notice, Plan, Problems, Rules,
    Screen, State, Timer, Viewed, hints,
};
use crate::inert;
use crate::policy::Entry;
use crate::text::SafeText;
use ratatui::layout::Rect;
use std::path::Path;
use std::sync::Arc;

/// Takes a message in and says what is to be done outside.
pub fn update(state: &mut State, msg: Msg) -> Vec<Effect> {
    let mut effects = match msg {
        Msg::Action(action) => {
            state.notice = None;
            act(state, action)
        }
        Msg::Text(character) => {
            state.notice = None;
            insert(state, character.encode_utf8(&mut [0; 4]))
        }
        Msg::Paste(text) => insert(state, &text),
        Msg::Mouse(mouse) => on_mouse(state, mouse),
        Msg::Resize(columns, rows) => {
            state.area = Rect { width: columns, height: rows, ..state.area };
            Vec::new()
        }
        Msg::Viewed(viewed) => on_view(state, *viewed),
        Msg::Previewed(key, text) => {
            state.picker.preview.arrived(&key, text.clone());
            if let Some(Screen::Detail(detail)) =
                state.screens.iter_mut().find(|screen| matches!(screen, Screen::Detail(_)))
            {
                detail.pane.arrived(&key, text);
            }
            Vec::new()
        }
        Msg::Learned(path, facts) => {
            state.learned(&path, facts);
            Vec::new()
        }
        Msg::Excerpted(key, excerpt) => {
            state.excerpted(&key, excerpt);
            Vec::new()
        }
        Msg::Bodies(generation, found) => {
            state.picker.add_bodies(generation, &found, &state.viewed, &state.marks);
            Vec::new()
        }
        Msg::Planned(Ok(plan)) => on_plan(state, *plan),
        Msg::Planned(Err(why)) | Msg::Saved(Err(why)) => state.say(Notice::grave(why)),
        Msg::Saved(Ok(text)) => state.say(Notice::plain(text)),
        Msg::Told(notice) => state.say(notice),
        Msg::Waited(timer) => on_timer(state, timer),
    };
    effects.extend(follow(state));
    effects
}

/// Asks for whatever is shown and not there yet, and keeps every cursor visible.
fn follow(state: &mut State) -> Vec<Effect> {
    let panes = state.picker.layout(state.area, state.notice.is_some());
    state.picker.scroll(usize::from(panes.list.height));
    let mut effects = Vec::new();
    if state.screens.is_empty() {
        let columns = panes.preview.map_or(0, |preview| preview.width.saturating_sub(2));
        let key = if columns == 0 { None } else { state.picker.preview_key(&state.viewed, state.epoch, columns) };
        let current = key.as_ref().map(|key| Arc::clone(&key.path));
        effects.extend(state.picker.preview.want(key));
        state.picker.preview.scroll_by(0, preview_height(state));
        if let Some(path) = current {
            effects.extend(state.want_facts(&path));
        }
        return effects;
    }
    with_top(state, |screen, state| {
        effects.extend(screen.follow(state));
        Step::default()
    });
    effects
}

/// Rows of the preview's text: its pane without the head and the line below it.
fn preview_height(state: &State) -> usize {
    let panes = state.picker.layout(state.area, state.notice.is_some());
    panes.preview.map_or(1, |preview| hints::preview_text(preview).height.max(1).into())
}

/// Lets the topmost screen work on the state that it is part of; it is put back unless it closes.
fn with_top(state: &mut State, work: impl FnOnce(&mut Screen, &mut State) -> Step) -> Vec<Effect> {
    let Some(mut screen) = state.screens.pop() else { return Vec::new() };
    let depth = state.screens.len();
    let step = work(&mut screen, state);
    if !step.close {
        // What it opened stands above it.
        state.screens.insert(depth.min(state.screens.len()), screen);
    }
    step.effects
}

/// Does what an action means on the topmost screen.
pub(super) fn act(state: &mut State, action: Action) -> Vec<Effect> {
    if let Some(effects) = act_anywhere(state, action) {
        return effects;
    }
    if state.screens.is_empty() {
        return act_in_picker(state, action);
    }
    let mut edited = false;
    let effects = with_top(state, |screen, state| {
        edited = screen.edit(action, state);
        if edited { Step::default() } else { screen.act(action, state) }
    });
    effects
}

/// Actions that mean the same on every screen.
fn act_anywhere(state: &mut State, action: Action) -> Option<Vec<Effect>> {
    Some(match action {
        Action::Abort => vec![Effect::Exit(Exit::Left)],
        Action::Suspend => vec![Effect::Suspend],
        Action::Refresh => vec![Effect::Scan, Effect::Repaint],
        Action::Mouse => {
            state.mouse_taken = !state.mouse_taken;
            let text = if state.mouse_taken {
                "the mouse is back"
            } else {
                "select text with the mouse; the same key takes it back"
            };
            let mut effects = vec![Effect::TakeMouse(state.mouse_taken)];
            effects.extend(state.say(Notice::plain(SafeText::fixed(text))));
            effects
        }
        Action::Help if state.context().layer != Layer::Help => {
            let layer = match state.context().layer {
                Layer::Typing => return None,
                layer => layer,
            };
            state.screens.push(Screen::Help(Help::new(layer)));
            Vec::new()
        }
        Action::Undo if state.context().layer != Layer::Rules => vec![Effect::Undo],
        _ => return None,
    })
}

fn act_in_picker(state: &mut State, action: Action) -> Vec<Effect> {
    let panes = state.picker.layout(state.area, state.notice.is_some());
    let page = usize::from(panes.list.height).saturating_sub(1).max(1).cast_signed();
    let text_page = preview_height(state).saturating_sub(1).max(1).cast_signed();
    let mut text = |lines: isize| state.picker.preview.scroll_by(lines, preview_height_of(&panes));
    match action {
        Action::Up => state.picker.move_by(-1),
        Action::Down => state.picker.move_by(1),
        Action::PageUp => state.picker.move_by(-page),
        Action::PageDown => state.picker.move_by(page),
        Action::First => state.picker.move_to(0),
        Action::Last => state.picker.move_to(usize::MAX),
        Action::PreviewUp => text(-1),
        Action::PreviewDown => text(1),
        Action::PreviewPageUp => text(-text_page),
        Action::PreviewPageDown => text(text_page),
        Action::MarkDown => mark_and_step(state, 1),
        Action::MarkUp => mark_and_step(state, -1),
        Action::MarkAll => mark_all(state),
        Action::Pick | Action::Accept => return pick(state),
        Action::Toggle => {
            let chosen = state.chosen();
            return toggle(state, chosen);
        }
        Action::Open | Action::Right => open_detail(state),
        Action::Problems => {
            let current = state.current().map(|entry| entry.skill.path.clone());
            return open_problems(state, current.as_deref());
        }
        Action::Rules => {
            let name = state.current().map(|entry| entry.skill.name.clone());
            let rules = Rules::new(state, name.as_deref());
            state.screens.push(Screen::Rules(rules));
        }
        Action::Copy => {
            let chosen = state.chosen();
            if !chosen.is_empty() {
                state.screens.push(Screen::Copy(CopyMenu::new(chosen)));
            }
        }
        Action::Edit => return edit(state),
        Action::PreviewMode => state.picker.mode = state.picker.mode.next(),
        Action::NextScope => {
            let before = state.current().map(|entry| entry.skill.path.clone());
            state.picker.next_scope();
            state.picker.rank(&state.viewed, &state.marks);
            state.picker.stay(before.as_deref(), &state.viewed);
        }
        Action::Back => return back(state),
        _ => {
            if edit_line(&mut state.picker.query, action)
                && !matches!(action, Action::CursorLeft | Action::CursorRight | Action::CursorStart | Action::CursorEnd)
            {
                return state.picker.retype(&state.viewed, &state.marks);
            }
        }
    }
    Vec::new()
}

fn preview_height_of(panes: &super::layout::PickerLayout) -> usize {
    panes.preview.map_or(1, |preview| hints::preview_text(preview).height.max(1).into())
}

/// Close the overlay (done by the screens) → clear the query → leave.
fn back(state: &mut State) -> Vec<Effect> {
    if state.picker.query.is_empty() {
        return vec![Effect::Exit(Exit::Left)];
    }
    state.picker.query.clear();
    state.picker.retype(&state.viewed, &state.marks)
}

fn mark_and_step(state: &mut State, rows: isize) {
    if !state.options.multi {
        return state.picker.move_by(rows);
    }
    if let Some(path) = state.current().map(|entry| Arc::from(entry.skill.path.as_path())) {
        state.marks.toggle(&path);
        state.picker.move_by(rows);
    }
}

/// Marks all that match; where all are marked already, or nothing matches, clears the marks.
fn mark_all(state: &mut State) {
    if !state.options.multi {
        return;
    }
    let rows = 0..state.picker.hits().len();
    let paths: Vec<Arc<Path>> = rows
        .filter_map(|row| state.picker.entry(&state.viewed, row))
        .filter(|entry| entry.pickable())
        .map(|entry| Arc::from(entry.skill.path.as_path()))
        .collect();
    if paths.iter().all(|path| state.marks.has(path)) {
        state.marks.clear();
    } else {
        paths.iter().for_each(|path| state.marks.add(path));
    }
}

fn pick(state: &mut State) -> Vec<Effect> {
    let chosen = state.chosen();
    if chosen.is_empty() {
        return state.say(Notice::grave(SafeText::fixed("nothing to pick: no skill matches")));
    }
    let refused = chosen.iter().find_map(|path| {
        let entry = state.entry(path)?;
        (!entry.pickable()).then(|| refusal(entry))
    });
    match refused {
        Some(why) => state.say(Notice::grave(why)),
        None => vec![Effect::Exit(Exit::Picked(chosen))],
    }
}

/// Why an entry cannot be picked, and the cure.
pub(super) fn refusal(entry: &Entry) -> SafeText {
    let name = SafeText::line(&entry.skill.name);
    if !entry.skill.offerable() {
        return inert!("{} cannot be offered: see its problems (^d), or edit it (^o)", name);
    }
    match entry.verdict.user.origin.place() {
        Some((file, line)) => inert!("{} is off ({}:{}): ^x turns it on", name, SafeText::path(file), line),
        None => inert!("{} is off ({}): ^x turns it on", name, SafeText::line(entry.verdict.user.origin.text())),
    }
}

/// Turns skills on if all of them are off, else off.
pub(super) fn toggle(state: &mut State, paths: Vec<Arc<Path>>) -> Vec<Effect> {
    let entries: Vec<&Entry> = paths.iter().filter_map(|path| state.entry(path)).collect();
    if let Some(broken) = entries.iter().find(|entry| !entry.skill.offerable()) {
        let why = refusal(broken);
        return state.say(Notice::grave(why));
    }
    if entries.is_empty() {
        return Vec::new();
    }
    if state.viewed.files.read_only {
        return state.say(Notice::grave(SafeText::fixed(
            "the settings file is broken, so nothing is written: see the problems (^d)",
        )));
    }
    let on = entries.iter().all(|entry| !entry.verdict.enabled());
    vec![Effect::Plan(Aim::Switch { paths, on })]
}

fn open_detail(state: &mut State) {
    if let Some(path) = state.current().map(|entry| Arc::from(entry.skill.path.as_path())) {
        state.screens.push(Screen::Detail(Detail::new(path)));
    }
}

pub(super) fn open_problems(state: &mut State, path: Option<&Path>) -> Vec<Effect> {
    let problems = Problems::new(state, path);
    if problems.rows.is_empty() {
        return state.say(Notice::plain(SafeText::fixed("no problems")));
    }
    state.screens.push(Screen::Problems(problems));
    Vec::new()
}

/// Puts the picker's cursor on a skill; a query that hides it is cleared.
pub(super) fn show(state: &mut State, path: &Path) -> Vec<Effect> {
    let mut effects = Vec::new();
    state.picker.stay(Some(path), &state.viewed);
    if state.current().is_none_or(|entry| entry.skill.path != path) {
        state.picker.query.clear();
        state.picker.scope = None;
        effects = state.picker.retype(&state.viewed, &state.marks);
        state.picker.stay(Some(path), &state.viewed);
    }
    effects
}

fn edit(state: &State) -> Vec<Effect> {
    let line = state
        .picker
        .preview
        .doc()
        .and_then(|doc| doc.lines.get(state.picker.preview.scroll()))
        .map_or(1, |line| line.source);
    state.current().map(|entry| Effect::Edit(entry.skill.path.clone(), line.max(1))).into_iter().collect()
}

fn insert(state: &mut State, text: &str) -> Vec<Effect> {
    if state.screens.is_empty() {
        state.picker.query.insert(text);
        return state.picker.retype(&state.viewed, &state.marks);
    }
    with_top(state, |screen, state| {
        screen.insert(text, state);
        Step::default()
    })
}

fn on_view(state: &mut State, viewed: Viewed) -> Vec<Effect> {
    let before = state.current().map(|entry| entry.skill.path.clone());
    let untouched = state.picker.cursor() == 0;
    let was_complete = state.viewed.complete;
    let only_verdicts = was_complete && viewed.complete && same_skills(&state.viewed, &viewed);
    state.viewed = viewed;
    if state.viewed.complete {
        state.epoch += 1;
        state.spinner = None;
        let entries = Arc::clone(&state.viewed.entries);
        let exists: std::collections::HashSet<&Path> = entries.iter().map(|entry| entry.skill.path.as_path()).collect();
        state.marks.keep(|path| exists.contains(path));
    }
    if only_verdicts {
        state.picker.rejudge(&state.viewed, &state.marks);
        return Vec::new();
    }
    // While rows stream in, whoever has not moved stays on the best row; later the cursor stays on its skill.
    let anchor = if untouched && !was_complete { None } else { before };
    state.picker.review(anchor.as_deref(), &state.viewed, &state.marks)
}

/// Whether two views hold the same skills, unchanged, in the same order.
fn same_skills(one: &Viewed, other: &Viewed) -> bool {
    let same = |(one, other): (&Entry, &Entry)| {
        let (one, other) = (&one.skill, &other.skill);
        one.path == other.path && one.mtime_ms == other.mtime_ms && one.bytes == other.bytes
    };
    one.entries.len() == other.entries.len() && one.entries.iter().zip(other.entries.iter()).all(same)
}

fn on_plan(state: &mut State, plan: Plan) -> Vec<Effect> {
    if plan.files.is_empty() {
        return state.say(Notice::plain(plan.summary));
    }
    if plan.ask {
        state.screens.push(Screen::Confirm(Confirm::new(plan)));
        return Vec::new();
    }
    vec![Effect::Save(plan.number)]
}

fn on_timer(state: &mut State, timer: Timer) -> Vec<Effect> {
    match timer {
        Timer::Spinner if !state.viewed.complete => {
            state.spinner = Some(state.spinner.map_or(0, |step| step.wrapping_add(1)));
            return vec![Effect::Wait(Timer::Spinner, 100)];
        }
        Timer::Spinner => state.spinner = None,
        Timer::SlowPreview(number) => {
            state.picker.preview.slow(number);
            if let Some(Screen::Detail(detail)) = state.screens.last_mut() {
                detail.pane.slow(number);
            }
        }
        Timer::Notice(number) => state.notice_read(number),
    }
    Vec::new()
}

fn on_mouse(state: &mut State, mouse: Mouse) -> Vec<Effect> {
    if let Mouse::Click(column, row) = mouse
        && let Some(action) = hints::action_at(state, column, row)
    {
        return act(state, action);
    }
    if !state.screens.is_empty() {
        return with_top(state, |screen, state| screen.mouse(mouse, state));
    }
    let panes = state.picker.layout(state.area, state.notice.is_some());
    match mouse {
        Mouse::WheelUp(column, row) | Mouse::WheelDown(column, row) => {
            let rows = if matches!(mouse, Mouse::WheelUp(..)) { -1 } else { 1 };
            if panes.preview.is_some_and(|preview| preview.contains((column, row).into())) {
                state.picker.preview.scroll_by(rows * 3, preview_height_of(&panes));
            } else {
                state.picker.move_by(rows);
            }
        }
        Mouse::Click(column, row) | Mouse::DoubleClick(column, row) if panes.list.contains((column, row).into()) => {
            let clicked = state.picker.top() + usize::from(row - panes.list.y);
            if clicked < state.picker.hits().len() {
                state.picker.move_to(clicked);
                if matches!(mouse, Mouse::DoubleClick(..)) {
                    return pick(state);
                }
            }
        }
        Mouse::Click(..) | Mouse::DoubleClick(..) => {}
    }
    Vec::new()
}
