//! The confirmation of a change: its diff is shown before it is written.

use super::{Action, Chosen, DiffKind, Effect, Layer, Mouse, Notice, Plan, State};
use crate::inert;
use crate::policy::Entry;
use crate::policy::change::HostOutcome;
use crate::text::{SafeText, diff};
use std::collections::{HashSet, VecDeque};
use std::path::Path;

/// A further row of a folded line begins so many columns behind the first.
const HANGING: usize = 2;

/// What a line of the question is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    Words,
    Heading,
    /// Which settings file it goes to.
    Choice,
    /// About marked skills.
    Mark,
    Diff(DiffKind),
}

/// A line of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmLine {
    pub text: SafeText,
    pub kind: LineKind,
}

#[derive(Debug)]
pub struct Confirm {
    /// Counts the questions, so that an old timer does not make a new one ready.
    pub(super) number: u64,
    pub plan: Box<Plan>,
    /// The same change in other settings files, the next one first.
    instead: VecDeque<Plan>,
    /// One for each file of the plan.
    pub diffs: Vec<Vec<diff::Line>>,
    chosen: Chosen,
    /// Name and folder of each affected skill that the list below does not show: it was marked,
    /// then hidden by a filter.
    pub hidden: Vec<(SafeText, SafeText)>,
    pub scroll: usize,
    /// Whether keys count. At first they do not, since they were typed before the screen opened.
    pub ready: bool,
}

impl Confirm {
    pub(super) fn new(mut plan: Box<Plan>, chosen: Chosen, state: &State) -> Self {
        let instead = std::mem::take(&mut plan.instead).into();
        let paths = state.hidden(&chosen);
        let paths: HashSet<&Path> = paths.iter().map(|path| &**path).collect();
        let named = |entry: &Entry| {
            (SafeText::line(&entry.skill.name), state.short_path(entry.skill.dir()))
        };
        let entries = state.viewed.rows.entries();
        let hidden = entries.filter(|entry| paths.contains(entry.skill.path.as_path()));
        Self {
            number: state.questions,
            hidden: hidden.map(named).collect(),
            diffs: diffs(&plan),
            plan,
            instead,
            chosen,
            scroll: 0,
            ready: false,
        }
    }

    /// The lines above the effects: summary, outcome, hidden skills, each file with its diff. All but
    /// the diffs are folded, since nobody may say yes to what cannot be read.
    pub fn above(&self, state: &State) -> Vec<ConfirmLine> {
        // A column before the text, and one for the scroll bar.
        let columns = usize::from(state.whole().left.width).saturating_sub(2);
        let folds = |line: ConfirmLine| match line.kind {
            LineKind::Diff(_) => vec![line],
            kind => folded(&line.text, columns)
                .into_iter()
                .map(|text| ConfirmLine { text, kind })
                .collect(),
        };
        self.unfolded(state).into_iter().flat_map(folds).collect()
    }

    fn unfolded(&self, state: &State) -> Vec<ConfirmLine> {
        let mut lines = Vec::new();
        let mut add = |text: SafeText, kind| lines.push(ConfirmLine { text, kind });
        add(SafeText::line(&self.plan.label), LineKind::Words);
        let told = self.plan.told().flat_map(HostOutcome::lines);
        told.for_each(|line| add(line, LineKind::Words));
        if self.has_choice() {
            add(self.choice(state), LineKind::Choice);
        }
        add(SafeText::default(), LineKind::Words);
        if !self.hidden.is_empty() {
            add(inert!("marked but hidden: {}", self.hidden.len()), LineKind::Mark);
            for (name, folder) in &self.hidden {
                add(inert!("  {}  {}", name, folder), LineKind::Words);
            }
            add(SafeText::default(), LineKind::Words);
        }
        for (file, diff) in self.plan.files.iter().zip(&self.diffs) {
            let path = state.short_path(&file.change.path);
            add(inert!("{} ({})", path, file.kind.words()), LineKind::Heading);
            for line in diff {
                add(SafeText::clean(&line.text), LineKind::Diff(line.kind));
            }
            add(SafeText::default(), LineKind::Words);
        }
        lines
    }

    /// The number of lines with the effects.
    pub fn lines(&self, state: &State) -> usize {
        self.above(state).len() + self.plan.effects.len()
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let page = Self::height(state).cast_signed();
        match action {
            Action::Accept if self.ready => {
                (state.changing, state.acting) = (true, std::mem::take(&mut self.chosen));
                state.effects.push(Effect::Save(std::mem::take(&mut self.plan)));
                state.closing = true;
            }
            Action::Back => state.closing = true,
            Action::CyclePlace => self.next_file(state),
            Action::Up => self.scroll_by(-1, state),
            Action::Down => self.scroll_by(1, state),
            Action::PageUp => self.scroll_by(-page, state),
            Action::PageDown => self.scroll_by(page, state),
            Action::First => self.scroll = 0,
            Action::Last => self.scroll_by(isize::MAX, state),
            _ => {}
        }
    }

    /// Whether the change can go to another settings file.
    pub fn has_choice(&self) -> bool {
        !self.instead.is_empty()
    }

    /// The next settings file. Its plan was made together with the first one, so it is shown at once.
    fn next_file(&mut self, state: &mut State) {
        let Some(next) = self.instead.pop_front() else {
            let why = SafeText::fixed("no other settings file can say this");
            return state.say(Notice::plain(why));
        };
        self.instead.push_back(std::mem::replace(&mut *self.plan, next));
        (self.diffs, self.scroll) = (diffs(&self.plan), 0);
    }

    /// Whose file the change goes to, and for whose the key is.
    fn choice(&self, state: &State) -> SafeText {
        let words = |plan: &Plan| SafeText::join(plan.kinds().iter().map(|kind| kind.word()), "+");
        let key = state.key_word(Layer::Confirm, Action::CyclePlace);
        let others = SafeText::join(self.instead.iter().map(words), ", ");
        inert!("to: {} · {} for {}", words(&self.plan), key, others)
    }

    pub(super) fn mouse(&mut self, mouse: Mouse, state: &mut State) {
        match mouse {
            Mouse::WheelUp(_) => self.scroll_by(-3, state),
            Mouse::WheelDown(_) => self.scroll_by(3, state),
            Mouse::Click(_) | Mouse::DoubleClick(_) => {}
        }
    }

    pub(super) fn follow(&mut self, state: &State) {
        self.scroll_by(0, state);
    }

    fn height(state: &State) -> usize {
        usize::from(state.whole().left.height)
    }

    fn scroll_by(&mut self, lines: isize, state: &State) {
        let last = self.lines(state).saturating_sub(Self::height(state).max(1));
        self.scroll = self.scroll.saturating_add_signed(lines).min(last);
    }
}

fn diffs(plan: &Plan) -> Vec<Vec<diff::Line>> {
    plan.files.iter().map(|file| file.change.diff()).collect()
}

/// The rows of a line; a further row is indented more than the first.
fn folded(text: &SafeText, columns: usize) -> Vec<SafeText> {
    if text.width() <= columns {
        return vec![text.clone()];
    }
    let rest = text.as_str().trim_start();
    let indent = text.width() - SafeText::clean(rest).width();
    let room = columns.saturating_sub(indent + HANGING).max(1);
    let rows = SafeText::clean(rest).fold(room).into_iter().enumerate();
    let hang = |row| if row == 0 { indent } else { indent + HANGING };
    rows.map(|(row, text)| inert!("{}{}", SafeText::spaces(hang(row)), text)).collect()
}
