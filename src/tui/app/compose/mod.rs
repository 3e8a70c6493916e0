//! Compose: a prompt of several lines in which skills are chosen as pills, for an agent that calls
//! them.

mod areas;
mod complete;
mod editor;
mod edits;
mod recall;
mod sending;
mod targets;
mod wrap;

pub use complete::{Completion, CompletionRow};
pub use editor::{Editor, Spot};
pub use recall::{OldDraft, Recalled};
pub use sending::{ComposeStart, Sending, Way};
use wrap::{RowRanges, Wrapped, row_of};
pub use wrap::{column, shown};

use super::{Action, Effect, Exit, Mouse, Msg, Notice, State, Timer};
use crate::catalog::{Draft, HostId, MAX_PROMPT, Pane, Pill, left_out};
use crate::inert;
use crate::text::{SafeText, human_size};
use editor::{To, TooLarge};
use ratatui::layout::Position;
use recall::Memory;
use std::path::Path;
use std::sync::Arc;

/// What the dock says without an agent.
const NO_AGENT: &str = "no agent runs in another pane here; start one, and F5 looks again";

/// Milliseconds from the first change to the time when the draft is kept.
const KEEP_AFTER_MS: u64 = 300;

/// The screen.
#[derive(Debug, Default)]
pub struct Compose {
    pub editor: Editor,
    pub completion: Option<Completion>,
    /// Whether the skills' texts are put before the prompt.
    pub inject: bool,
    pub way: Way,
    /// Whether there is no picker below it.
    pub alone: bool,
    /// The first line that is shown, and the first of its rows.
    pub top: (usize, usize),
    /// The rows of the cursor's line, which may be large.
    wrapped: Wrapped,
    /// The agent that was chosen; `None`: the one that is likely meant.
    target: Option<HostId>,
    /// Counts the questions to the completion's worker.
    asks: u64,
    /// The column that moving up and down keeps to.
    goal: Option<usize>,
    memory: Memory,
    /// The version of the text that is kept as a draft.
    kept: u64,
    /// The version of the text that was there at the start, and has its place elsewhere.
    given: u64,
    /// The draft will be kept soon.
    keeping: bool,
    /// Enter was pressed, and what it needs is not known yet.
    waiting: bool,
    waits_to_submit: bool,
    /// The panes in which agents run; `None` until they have been looked for.
    pub panes: Option<Vec<Pane>>,
    /// The chosen one of them.
    pub pane: usize,
    remember: bool,
    submit: bool,
    /// The text with this version may be entered line by line, which was said.
    warned: Option<u64>,
    /// The pane of which that is not known, and into which several lines were sent all the same.
    trusted: Option<Pane>,
    /// The prompt is being written out. Until that is done nothing is sent twice.
    pub sending: bool,
}

impl Compose {
    pub fn new(start: ComposeStart) -> Self {
        let ComposeStart { text, inject, way, alone, remember, submit } = start;
        let mut compose = Self { inject, way, alone, remember, submit, ..Self::default() };
        // Its length was checked where it came from.
        if let Some(text) = text {
            compose.memory.dropped = compose.editor.insert(&text).unwrap_or_default();
            compose.editor.start_here();
            compose.memory.has_text = true;
        }
        if way == Way::Back {
            // Its place still has the text, so only a change makes a draft of it.
            (compose.kept, compose.given) = (compose.editor.version(), compose.editor.version());
        }
        compose
    }

    /// Opens it above the picker, with the marked skills as pills.
    pub(super) fn open(state: &mut State) -> Self {
        let mut compose = Self { remember: true, ..Self::default() };
        for path in state.marks.in_order() {
            if let Some(pill) = state.entry(path).map(|entry| pill_of(&entry.skill.name, path)) {
                let _ = compose.editor.put_pill(compose.editor.cursor(), &pill);
            }
        }
        compose.editor.start_here();
        state.effects.push(Effect::Recall(OldDraft::Shown));
        compose
    }

    /// Whether keys wait for the completion's rows.
    pub fn awaits_completion(&self) -> bool {
        self.completion.as_ref().is_some_and(Completion::is_asking)
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        if self.acts_on_completion(action, state) {
            return;
        }
        let columns = usize::from(self.text_area(state).width);
        let goal = self.goal.take();
        match action {
            Action::Accept => self.send(self.submit, state),
            Action::Submit if self.way == Way::Pane => self.send(true, state),
            Action::Submit => say(state, "only the dock enters a prompt (skillpick dock)"),
            Action::Newline => self.insert("\n", state),
            Action::Target => self.next_target(state),
            Action::Inject => self.inject = !self.inject,
            Action::Edit => state.effects.push(Effect::EditPrompt(Box::new(self.editor.draft()))),
            Action::Up if self.recall(state, 1) => {}
            Action::Down if self.recall(state, -1) => {}
            Action::Up | Action::SelectUp => {
                self.step(-1, action == Action::SelectUp, goal, columns)
            }
            Action::Down | Action::SelectDown => {
                self.step(1, action == Action::SelectDown, goal, columns);
            }
            Action::PageUp | Action::PageDown => {
                let page = usize::from(self.text_area(state).height).max(2) - 1;
                let by = page.cast_signed() * if action == Action::PageUp { -1 } else { 1 };
                self.step(by, false, goal, columns);
            }
            Action::Undo if !self.editor.undo() => say(state, "there is nothing to take back"),
            Action::Redo if !self.editor.redo() => say(state, "there is nothing to make again"),
            Action::Back if self.editor.selection().is_some() => self.editor.unselect(),
            Action::Back => self.leave(state),
            _ => self.edit(action, state),
        }
        self.recomplete(state);
    }

    /// Actions that only edit the text.
    fn edit(&mut self, action: Action, state: &mut State) {
        let editor = &mut self.editor;
        match action {
            Action::CursorLeft => editor.go(To::Left, false),
            Action::CursorRight => editor.go(To::Right, false),
            Action::WordLeft => editor.go(To::WordLeft, false),
            Action::WordRight => editor.go(To::WordRight, false),
            Action::CursorStart => editor.go(To::LineStart, false),
            Action::CursorEnd => editor.go(To::LineEnd, false),
            Action::First => editor.go(To::Start, false),
            Action::Last => editor.go(To::End, false),
            Action::SelectLeft => editor.go(To::Left, true),
            Action::SelectRight => editor.go(To::Right, true),
            Action::SelectAll => editor.select_all(),
            Action::DeleteBack => editor.delete(To::Left),
            Action::DeleteForward => editor.delete(To::Right),
            Action::DeleteWord => editor.delete(To::WordLeft),
            Action::DeleteLine => editor.delete(To::LineStart),
            Action::DeleteEnd => editor.delete(To::LineEnd),
            Action::Cut => editor.cut(),
            Action::PutBack => {
                let done = editor.put_back();
                taken(done.map(|()| 0), state);
            }
            _ => {}
        }
    }

    /// Takes typed or pasted text.
    pub(super) fn insert(&mut self, text: &str, state: &mut State) {
        self.goal = None;
        let mut characters = text.chars();
        let done = match (characters.next(), characters.next()) {
            (Some(typed), None) if !typed.is_control() => {
                let done = self.editor.type_character(typed).map(|()| 0);
                self.open_completion(typed);
                done
            }
            _ => self.editor.insert(&Draft::of_text(text)),
        };
        taken(done, state);
        self.recomplete(state);
    }

    /// Moves by rows of the screen.
    fn step(&mut self, by: isize, select: bool, goal: Option<usize>, columns: usize) {
        let cursor = self.editor.cursor();
        let mut line = cursor.line;
        let mut all = self.rows(line, columns);
        let mut row = row_of(&all, cursor.byte);
        let wanted =
            goal.unwrap_or_else(|| column(&self.editor, line, all[row].start, cursor.byte));
        self.goal = Some(wanted);
        for _ in 0..by.unsigned_abs() {
            if by > 0 && row + 1 < all.len() {
                row += 1;
            } else if by > 0 && line + 1 < self.editor.lines().len() {
                line += 1;
                (all, row) = (self.rows(line, columns), 0);
            } else if by < 0 && row > 0 {
                row -= 1;
            } else if by < 0 && line > 0 {
                line -= 1;
                all = self.rows(line, columns);
                row = all.len() - 1;
            } else {
                // Beyond the first and the last row lie the ends of the text.
                let to = if by > 0 { To::End } else { To::Start };
                return self.editor.go(to, select);
            }
        }
        let last = row + 1 == all.len();
        let spot = wrap::spot_at(&self.editor, line, &all[row], wanted, last);
        self.editor.jump(spot, select);
    }

    pub(super) fn mouse(&mut self, mouse: Mouse, state: &mut State) {
        let list = self.list_area(state);
        match mouse {
            Mouse::WheelUp(_) => self.act(Action::Up, state),
            Mouse::WheelDown(_) => self.act(Action::Down, state),
            Mouse::Click(place) | Mouse::DoubleClick(place) if list.contains(place) => {
                self.click_completion(place, list, mouse == Mouse::DoubleClick(place), state);
            }
            Mouse::Click(place) | Mouse::DoubleClick(place) | Mouse::Drag(place) => {
                let Some(spot) = self.spot_under(place, state) else { return };
                self.completion = None;
                match mouse {
                    Mouse::DoubleClick(_) => self.editor.select_word(spot),
                    _ => self.editor.jump(spot, matches!(mouse, Mouse::Drag(_))),
                }
            }
        }
    }

    /// The place in the text that a cell shows.
    fn spot_under(&self, place: Position, state: &State) -> Option<Spot> {
        let area = self.text_area(state);
        if place.y < area.y || place.y >= area.bottom() {
            return None;
        }
        let shown = usize::from(place.y - area.y);
        let (line, row) =
            self.visible(usize::from(area.width), shown + 1).last().filter(|_| area.width > 0)?;
        let all = self.rows(line, usize::from(area.width));
        let at = all.iter().position(|one| *one == row)?;
        let wanted = usize::from(place.x.saturating_sub(area.x));
        Some(wrap::spot_at(&self.editor, line, &row, wanted, at + 1 == all.len()))
    }

    /// The rows of a line.
    pub fn rows(&self, line: usize, columns: usize) -> RowRanges {
        self.wrapped.get(&self.editor, line, columns)
    }

    /// The row in which the cursor stands: its line and bytes.
    pub fn cursor_row(&self, columns: usize) -> (usize, std::ops::Range<usize>) {
        let Spot { line, byte } = self.editor.cursor();
        let all = self.rows(line, columns);
        (line, all[row_of(&all, byte)].clone())
    }

    /// The rows that are shown from the first one on: each its line and bytes.
    pub fn visible(
        &self,
        columns: usize,
        height: usize,
    ) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
        let (first, skipped) = self.top;
        let lines = first..self.editor.lines().len();
        let each = lines.flat_map(move |line| {
            let skip = if line == first { skipped } else { 0 };
            let all = self.rows(line, columns);
            (skip..all.len()).map(move |row| (line, all[row].clone()))
        });
        each.take(height)
    }

    /// Scrolls to the cursor, keeps the draft soon, and sends what waited.
    pub(super) fn follow(&mut self, state: &mut State) {
        state.want_reports();
        let area = self.text_area(state);
        self.scroll(usize::from(area.width), usize::from(area.height));
        let count = self.completion.as_ref().map_or(0, |completion| completion.rows.len());
        let list = self.list_area(state);
        if let Some(completion) = &mut self.completion {
            completion.list.follow(list, count);
        }
        if self.is_changed() && !self.keeping && self.memory.is_read {
            self.keeping = true;
            state.effects.push(Effect::Wait(Timer::Draft, KEEP_AFTER_MS));
        }
        if self.waiting && self.is_ready(state) {
            self.send(self.waits_to_submit, state);
        }
    }

    fn scroll(&mut self, columns: usize, height: usize) {
        let cursor = self.editor.cursor();
        self.wrapped.renew(&self.editor, columns);
        let row = row_of(&self.rows(cursor.line, columns), cursor.byte);
        let at = (cursor.line, row);
        self.top.0 = self.top.0.min(self.editor.lines().len() - 1);
        if height == 0 {
            self.top = at;
            return;
        }
        self.top = self.top.min(at);
        // No room stays empty below the text while there are rows above.
        if self.top > (0, 0) && self.visible(columns, height).count() < height {
            let last = self.editor.lines().len() - 1;
            let end = (last, self.rows(last, columns).len() - 1);
            self.top = self.top.min(self.first_above(end, columns, height));
        }
        self.top = self.top.max(self.first_above(at, columns, height));
    }

    /// The first row of a screen of which this row is the last.
    fn first_above(
        &self,
        (mut line, mut first): (usize, usize),
        columns: usize,
        height: usize,
    ) -> (usize, usize) {
        let mut left = height - 1;
        while left > first && line > 0 {
            left -= first + 1;
            line -= 1;
            first = self.rows(line, columns).len() - 1;
        }
        (line, first.saturating_sub(left))
    }

    /// Whether the text has changed since it was kept.
    fn is_changed(&self) -> bool {
        self.kept != self.editor.version()
    }

    fn leave(&mut self, state: &mut State) {
        if self.alone {
            state.effects.push(Effect::Exit(Exit::Left));
        } else {
            self.keep(state);
            state.closing = true;
        }
    }

    /// Whether the skills, the draft and the agents have been read, without which nothing is sent.
    fn is_ready(&self, state: &State) -> bool {
        state.viewed.complete && self.memory.is_read && !state.viewed.targets().is_empty()
    }

    fn send(&mut self, submit: bool, state: &mut State) {
        self.waiting = false;
        if self.sending {
            return;
        }
        let draft = self.draft();
        // A prompt that came from elsewhere can be emptied there.
        if draft.is_blank() && self.way != Way::Back {
            return say(state, "the prompt is empty");
        }
        if self.panes.as_ref().is_some_and(Vec::is_empty) {
            return say(state, NO_AGENT);
        }
        if let (Some(pane), true) = (self.docked(), self.is_ready(state))
            && self.target(state).is_none()
        {
            let why =
                inert!("{} is not installed here, as far as its files tell", pane.host.word());
            return state.say(Notice::grave(why));
        }
        match self.target(state).map(|report| report.host).filter(|_| self.is_ready(state)) {
            None => (self.waiting, self.waits_to_submit) = (true, submit),
            Some(host) => {
                self.sending = true;
                let Self { inject, way, .. } = *self;
                let (pane, anyway) = (self.docked().cloned(), self.sends_anyway());
                let sending = Sending { draft, host, inject, way, pane, submit, anyway };
                state.effects.push(Effect::Send(Box::new(sending)));
            }
        }
    }

    /// Takes a message for this screen.
    pub(super) fn arrived(&mut self, answer: Msg, state: &mut State) {
        match answer {
            Msg::Completed(number, ranking) => self.completed(number, &ranking, state),
            Msg::Recalled(recalled) => self.recalled(*recalled, state),
            Msg::PromptEdited(draft) => self.edited(&draft, state),
            Msg::PanesFound(found) => self.found_panes(found, state),
            Msg::Delivered(draft, words) => self.delivered(*draft, words, state),
            Msg::Unsent(why, again) => {
                self.sending = false;
                self.warned = again.then(|| self.editor.version());
                state.say(Notice::grave(why));
            }
            _ => {}
        }
    }

    /// The editor has ended: its text takes the place of ours.
    fn edited(&mut self, draft: &Draft, state: &mut State) {
        if *draft != self.editor.draft() {
            let done = self.editor.replace_all(draft);
            taken(done, state);
        }
        self.recomplete(state);
    }
}

fn pill_of(name: &str, path: &Arc<Path>) -> Pill {
    Pill { name: name.to_owned(), path: path.to_path_buf() }
}

fn say(state: &mut State, words: &'static str) {
    state.say(Notice::neutral(SafeText::fixed(words)));
}

/// Says what was not taken of a text.
fn taken(done: Result<usize, TooLarge>, state: &mut State) {
    match done {
        Ok(dropped) => left_out(dropped).into_iter().for_each(|it| state.say(Notice::neutral(it))),
        Err(TooLarge) => {
            let most = human_size(MAX_PROMPT as u64);
            let why = inert!("not taken: a prompt has at most {}; the text is as it was", most);
            state.say(Notice::grave(why));
        }
    }
}

#[cfg(test)]
mod tests;
