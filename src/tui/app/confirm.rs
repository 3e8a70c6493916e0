//! The confirmation of a change: its diff is shown before it is written.

use super::{
    Action, ChangeJob, Chosen, DiffKind, KeyTable, Mending, Mouse, Notice, Plan, State, StoredPlan,
};
use crate::inert;
use crate::policy::Entry;
use crate::policy::change::{FileChange, HostOutcome, PlannedEffect};
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

/// What is asked about.
#[derive(Debug)]
pub enum Asked {
    /// A change of settings.
    Settings(Box<Plan>),
    /// A change of skills.
    Mending(Box<Mending>),
    /// A change of a project in a store.
    Stored(Box<StoredPlan>),
}

impl Asked {
    fn label(&self) -> SafeText {
        match self {
            Self::Settings(plan) => SafeText::line(&plan.label),
            Self::Mending(mending) => mending.label.clone(),
            Self::Stored(plan) => plan.label.clone(),
        }
    }

    /// What it comes to.
    fn told(&self) -> Vec<SafeText> {
        match self {
            Self::Settings(plan) => plan.told().flat_map(HostOutcome::lines).collect(),
            Self::Mending(mending) => mending.told.clone(),
            Self::Stored(plan) => plan.told.clone(),
        }
    }

    /// The files, with what they are.
    fn changes(&self) -> Vec<(&FileChange, SafeText)> {
        match self {
            Self::Settings(plan) => {
                let files = plan.files.iter();
                files.map(|file| (&file.change, inert!(" ({})", file.kind.words()))).collect()
            }
            Self::Mending(mending) => plain(&mending.changes),
            Self::Stored(plan) => plain(&plan.changes),
        }
    }

    fn diffs(&self, state: &State) -> Vec<Vec<(DiffKind, SafeText)>> {
        let diff = |change: &FileChange| {
            diff::shown(change.diff_called(state.short_path(&change.path).as_str()))
        };
        self.changes().into_iter().map(|(change, _)| diff(change)).collect()
    }

    /// The effects on the agents' skills.
    pub fn effects(&self) -> &[PlannedEffect] {
        match self {
            Self::Settings(plan) => &plan.effects,
            Self::Mending(_) | Self::Stored(_) => &[],
        }
    }
}

fn plain(changes: &[FileChange]) -> Vec<(&FileChange, SafeText)> {
    changes.iter().map(|change| (change, SafeText::default())).collect()
}

#[derive(Debug)]
pub struct Confirm {
    /// Counts the questions, so that an old timer does not make a new one ready.
    pub(super) number: u64,
    pub asked: Asked,
    /// The same change in other settings files, the next one first.
    instead: VecDeque<Plan>,
    /// One for each file of the plan.
    diffs: Vec<Vec<(DiffKind, SafeText)>>,
    chosen: Chosen,
    /// Name and folder of each affected skill that the list below does not show: it was marked,
    /// then hidden by a filter.
    pub hidden: Vec<(SafeText, SafeText)>,
    pub scroll: usize,
    /// Whether keys count. At first they do not, since they were typed before the screen opened.
    pub ready: bool,
}

impl Confirm {
    pub(super) fn new(mut asked: Asked, chosen: Chosen, state: &State) -> Self {
        let instead = match &mut asked {
            Asked::Settings(plan) => std::mem::take(&mut plan.instead).into(),
            Asked::Mending(_) | Asked::Stored(_) => VecDeque::new(),
        };
        let paths = state.hidden(&chosen);
        let paths: HashSet<&Path> = paths.iter().map(|path| &**path).collect();
        let named = |entry: &Entry| {
            (SafeText::line(&entry.skill.full_name()), state.short_path(entry.skill.dir()))
        };
        let entries = state.viewed.rows.entries();
        let hidden = entries.filter(|entry| paths.contains(entry.skill.path.as_path()));
        Self {
            number: state.questions,
            hidden: hidden.map(named).collect(),
            diffs: asked.diffs(state),
            asked,
            instead,
            chosen,
            scroll: 0,
            ready: false,
        }
    }

    /// The lines above the effects: summary, outcome, hidden skills, each file with its diff. All
    /// are folded, since nobody may say yes to what cannot be read.
    pub fn above(&self, state: &State) -> Vec<ConfirmLine> {
        // A column before the text, and one for the scroll bar.
        let columns = usize::from(state.whole().left.width).saturating_sub(2);
        let folds = |ConfirmLine { text, kind }: ConfirmLine| {
            let rows = match kind {
                LineKind::Diff(_) => diff::rows(&text, columns),
                _ => folded(&text, columns),
            };
            rows.into_iter().map(move |text| ConfirmLine { text, kind })
        };
        self.unfolded(state).into_iter().flat_map(folds).collect()
    }

    fn unfolded(&self, state: &State) -> Vec<ConfirmLine> {
        let mut lines = Vec::new();
        let mut add = |text: SafeText, kind| lines.push(ConfirmLine { text, kind });
        add(self.asked.label(), LineKind::Words);
        self.asked.told().into_iter().for_each(|line| add(line, LineKind::Words));
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
        for ((change, kind), diff) in self.asked.changes().into_iter().zip(&self.diffs) {
            add(inert!("{}{}", state.short_path(&change.path), kind), LineKind::Heading);
            for (kind, text) in diff {
                add(text.clone(), LineKind::Diff(*kind));
            }
            add(SafeText::default(), LineKind::Words);
        }
        lines
    }

    /// The number of lines with the effects.
    pub fn lines(&self, state: &State) -> usize {
        self.above(state).len() + self.asked.effects().len()
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let page = state.body_height().cast_signed();
        match action {
            Action::Accept if self.ready => {
                state.acting = std::mem::take(&mut self.chosen);
                state.begin(match &mut self.asked {
                    Asked::Settings(plan) => ChangeJob::Save(std::mem::take(plan)),
                    Asked::Mending(mending) => ChangeJob::Mend(std::mem::take(mending)),
                    Asked::Stored(plan) => ChangeJob::Store(plan.clone()),
                });
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

    /// The next settings file. Its plan was made together with the first one, so it is shown at
    /// once.
    fn next_file(&mut self, state: &mut State) {
        let (Asked::Settings(plan), Some(next)) = (&mut self.asked, self.instead.pop_front())
        else {
            let why = SafeText::fixed("no other settings file can say this");
            return state.say(Notice::neutral(why));
        };
        self.instead.push_back(std::mem::replace(&mut **plan, next));
        (self.diffs, self.scroll) = (self.asked.diffs(state), 0);
    }

    /// Whose file the change goes to, and for whose the key is.
    fn choice(&self, state: &State) -> SafeText {
        let words = |plan: &Plan| SafeText::join(plan.kinds().iter().map(|kind| kind.word()), "+");
        let key = state.key_word(KeyTable::Confirm, Action::CyclePlace);
        let others = SafeText::join(self.instead.iter().map(words), ", ");
        let to = match &self.asked {
            Asked::Settings(plan) => words(plan),
            Asked::Mending(_) | Asked::Stored(_) => SafeText::default(),
        };
        inert!("to: {} · {} for {}", to, key, others)
    }

    pub(super) fn mouse(&mut self, mouse: Mouse, state: &mut State) {
        match mouse {
            Mouse::WheelUp(_) => self.scroll_by(-3, state),
            Mouse::WheelDown(_) => self.scroll_by(3, state),
            Mouse::Click(_) | Mouse::DoubleClick(_) | Mouse::Drag(_) => {}
        }
    }

    pub(super) fn follow(&mut self, state: &State) {
        self.scroll_by(0, state);
    }

    fn scroll_by(&mut self, lines: isize, state: &State) {
        let last = self.lines(state).saturating_sub(state.body_height().max(1));
        self.scroll = self.scroll.saturating_add_signed(lines).min(last);
    }
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
