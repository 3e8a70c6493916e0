//! A change on its way: what the shell does for it, what it answers, and what waits for it.

use super::arrive::{ask, on_plan, projects};
use super::choose::{cycle, pick_waiting, toggle, undoable};
use super::{
    Action, Asked, ChangeRequest, Chosen, Effect, KeyTable, MendRequest, Mending, Notice,
    NoticeKind, Plan, Screen, State, StoredDraft, StoredPlan, StoredRequest, project,
};
use crate::inert;
use crate::text::SafeText;

/// What the shell does for a change.
#[derive(Clone, Debug)]
pub enum ChangeJob {
    Plan(ChangeRequest),
    /// Plan a change for this host, whichever host the view is of.
    PlanThrough(&'static str, ChangeRequest),
    /// Work out what a change of skills' files would write: fixes, a new name, one copy, links.
    PlanMend(MendRequest),
    /// Work out what a change of the project would do.
    PlanStored(StoredRequest),
    Save(Box<Plan>),
    /// Write the change that was shown, unless the files have changed since.
    Mend(Box<Mending>),
    /// Make the change of the project that was shown.
    Store(Box<StoredPlan>),
    /// Take back the last change.
    Undo,
    /// Take back the change of the journal with this number.
    UndoOne(u64),
    /// Make the change of the journal with this number again.
    RedoOne(u64),
    /// Take back the last change of the project.
    UndoStored,
}

impl ChangeJob {
    fn stage(&self) -> Stage {
        match self {
            Self::Plan(_) | Self::PlanThrough(..) | Self::PlanMend(_) | Self::PlanStored(_) => {
                Stage::Planning
            }
            Self::Save(_)
            | Self::Mend(_)
            | Self::Store(_)
            | Self::Undo
            | Self::UndoOne(_)
            | Self::RedoOne(_)
            | Self::UndoStored => Stage::Writing,
        }
    }
}

/// What became of a [`ChangeJob`]: its result in words, or why there is none.
#[derive(Clone, Debug)]
pub enum ChangeAnswer {
    Planned(Result<Box<Plan>, SafeText>),
    /// What would mend the findings.
    MendPlanned(Result<Box<Mending>, SafeText>),
    /// What a change of the project would do.
    StoredPlanned(Result<Box<StoredPlan>, SafeText>),
    Saved(Result<SafeText, SafeText>),
    /// So many findings were mended.
    Mended(Result<(usize, SafeText), SafeText>),
    /// A change of the project was made.
    Stored(Result<SafeText, SafeText>),
    /// A change was taken back or made again.
    Applied(Result<SafeText, SafeText>),
    /// A change of the project was taken back.
    StoredUndone(Result<SafeText, SafeText>),
    /// The job could not be done at all.
    Failed(SafeText),
}

/// How far the change on its way is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Its plan is awaited; nothing is written yet.
    Planning,
    /// It is written or taken back.
    Writing,
    /// The same for an agent whose view was left meanwhile.
    Left,
}

/// What waits for the change before it.
#[derive(Debug)]
pub enum Waiting {
    /// Turn these skills on or off.
    Toggle(Chosen),
    /// Set these skills to their next state.
    Cycle(Chosen),
    /// Take back a change, or make one again.
    Journal(ChangeJob),
    /// Work out what it would do to store this text. It does not follow on the change before it,
    /// and waits for the answer to a question as well.
    Edited(StoredDraft),
}

impl Waiting {
    fn is_text(&self) -> bool {
        matches!(self, Self::Edited(_))
    }
}

impl State {
    /// Asks the shell for the next step of a change, while none is on its way.
    pub(super) fn begin(&mut self, job: ChangeJob) {
        self.asked += 1;
        self.stage = Some(job.stage());
        if self.is_planning() {
            self.turn_spinner();
        }
        self.effects.push(Effect::Change(self.asked, job));
    }

    /// Whether a change is on its way.
    pub(super) fn is_changing(&self) -> bool {
        self.stage.is_some()
    }

    /// The number of the step of a change whose answer is awaited; `None` if there is none.
    pub fn awaited(&self) -> Option<u64> {
        self.stage.map(|_| self.asked)
    }

    /// Whether a change is asked about.
    pub(super) fn asks(&self) -> bool {
        self.screens.iter().any(|screen| matches!(screen, Screen::Confirm(_)))
    }

    /// A key waits for the change on its way, since it inverts the result. The result of a change
    /// for an agent that was left comes only with the next scan, so then the key does nothing.
    pub(super) fn wait_in_turn(&mut self, next: Waiting) {
        match self.stage {
            Some(Stage::Left) => self.say_busy(),
            _ => self.waiting.push_back(next),
        }
    }

    /// Takes a text from the editor. It may be unchanged, so no plan is given up for it.
    pub(super) fn text_edited(&mut self, draft: StoredDraft) {
        if self.awaits_change() || self.asks() {
            let words = inert!("the text of {} waits for the change before it", &*draft.name);
            self.say(Notice::neutral(words));
        }
        self.waiting.push_back(Waiting::Edited(draft));
    }

    /// Takes back a change, or makes one again. A change that was asked for before comes first: the
    /// key may be meant for it.
    pub(super) fn turn_back(&mut self, job: ChangeJob) {
        if self.is_changing() {
            return self.waiting.push_back(Waiting::Journal(job));
        }
        self.begin(job);
    }

    /// Begins what waits, as soon as it can.
    pub(super) fn begin_waiting(&mut self) {
        // A text can be planned only on a view.
        let holds_text = self.asks() || !self.viewed.complete;
        while !self.is_changing()
            && let Some(next) = self.waiting.pop_front_if(|next| !(holds_text && next.is_text()))
        {
            match next {
                Waiting::Toggle(chosen) => toggle(self, chosen),
                Waiting::Cycle(chosen) => cycle(self, chosen),
                Waiting::Journal(job) => self.turn_back(job),
                Waiting::Edited(draft) => {
                    self.begin(ChangeJob::PlanStored(StoredRequest::Edited(draft)));
                }
            }
        }
    }

    /// No change is on its way: what waits next begins, or what was picked is handed over.
    fn after_change(&mut self) {
        self.begin_waiting();
        if !self.awaits_change() {
            pick_waiting(self);
        }
    }

    /// Whether a change can be asked for; says so if not.
    pub(super) fn is_free(&mut self) -> bool {
        if self.is_changing() {
            self.say_busy();
        }
        !self.is_changing()
    }

    fn say_busy(&mut self) {
        let why = "one change at a time: the one before is not finished";
        self.say(Notice::neutral(SafeText::fixed(why)));
    }

    /// Whether a plan is being made.
    pub(super) fn is_planning(&self) -> bool {
        self.stage == Some(Stage::Planning)
    }

    /// Whether a change is being worked out or written, or waits for another one.
    pub(super) fn awaits_change(&self) -> bool {
        self.is_changing() || !self.waiting.is_empty()
    }

    /// Whether an undo or redo waits for the change before it.
    pub(super) fn turns_back(&self) -> bool {
        self.waiting.iter().any(|one| matches!(one, Waiting::Journal(_)))
    }

    /// Drops what was to follow on a change. Whether a change was among it.
    pub(super) fn drop_waiting(&mut self) -> bool {
        let count = self.waiting.len();
        self.waiting.retain(Waiting::is_text);
        self.waiting_pick = None;
        self.waiting.len() < count
    }

    /// The same for a change that has failed, of which this is said.
    fn drop_with(&mut self, Notice { text, kind }: Notice) -> Notice {
        match self.drop_waiting() {
            true => Notice { text: inert!("{} · what waited for it is not made", text), kind },
            false => Notice { text, kind },
        }
    }

    /// What is said when the picker is left before a change was worked out, or taken back.
    pub fn unmade(&self) -> Option<SafeText> {
        let is_back = |one: &Waiting| matches!(one, Waiting::Journal(_));
        if self.is_planning() || !self.waiting.iter().all(is_back) {
            return Some(SafeText::fixed("left before the change was worked out: it is not made"));
        }
        let waits = !self.waiting.is_empty();
        waits.then(|| SafeText::fixed("left before the next undo or redo began: it is not made"))
    }

    /// A plan takes long: says so, and how it is given up.
    pub(super) fn tell_planning(&mut self) {
        if self.is_planning() && self.notice.is_none() {
            // Above the picker the key closes a screen.
            let key = self.key_word(KeyTable::Picker, Action::Back);
            self.say(Notice::neutral(match self.screens.is_empty() {
                true => inert!("working out the change; {} gives it up", key),
                false => SafeText::fixed("working out the change"),
            }));
        }
    }

    /// Gives up the plan that is being made, whose answer will be late; `false` if there is none.
    pub(super) fn give_up(&mut self) -> bool {
        let is_planning = self.is_planning();
        if is_planning {
            self.asked += 1;
            (self.stage, self.acting) = (None, Chosen::default());
            self.drop_waiting();
            self.stop_spinner();
            self.say(Notice::neutral(SafeText::fixed("given up: nothing is written")));
        }
        is_planning
    }

    /// Another agent is looked through: what is being written is still waited for, and what was to
    /// follow was meant for the agent before.
    pub(super) fn leave_changes(&mut self) {
        if !self.give_up() && self.drop_waiting() {
            let why = "another agent was chosen: what waited for the change is not made";
            self.say(Notice::neutral(SafeText::fixed(why)));
        }
        self.stage = self.stage.map(|_| Stage::Left);
    }

    /// A step of the change with this number has been answered. What the answer says of files is
    /// so in any case; but only the one that is awaited ends the waiting.
    pub(super) fn answered(&mut self, number: u64, answer: ChangeAnswer) {
        use ChangeAnswer as A;
        self.note_written(&answer);
        let mut told = self.told(&answer);
        if self.awaited() != Some(number) {
            // A plan that nobody waits for was given up, which was said.
            let is_plan = matches!(answer, A::Planned(_) | A::MendPlanned(_) | A::StoredPlanned(_));
            told.filter(|_| !is_plan).into_iter().for_each(|notice| self.say(notice));
            return;
        }
        if self.stage.take() == Some(Stage::Planning) {
            self.stop_spinner();
            self.notice.take_if(|notice| notice.kind == NoticeKind::Neutral);
        }
        match answer {
            A::Planned(Ok(plan)) => return on_plan(self, plan),
            A::MendPlanned(Ok(mending)) => return ask(self, Asked::Mending(mending)),
            A::StoredPlanned(Ok(plan)) => return ask(self, Asked::Stored(plan)),
            // Its marks are removed, since the next key is about something else.
            A::Saved(Ok(_)) | A::Mended(Ok(_)) if self.acting.marked => {
                self.marks.remove(&self.acting.paths);
            }
            A::Saved(Ok(_)) | A::Mended(Ok(_)) | A::Stored(Ok(_)) => {}
            A::Applied(Ok(_)) | A::StoredUndone(Ok(_)) => {}
            // Those that wait were meant to follow on it. The picker stays, since the reason is to
            // be read.
            A::Applied(Err(_)) | A::StoredUndone(Err(_)) => {
                self.waiting.retain(|one| !matches!(one, Waiting::Journal(_)));
                self.waiting_pick = None;
            }
            _ => told = told.map(|notice| self.drop_with(notice)),
        }
        told.into_iter().for_each(|notice| self.change_ended(notice));
    }

    /// The change has ended; what waited for it follows.
    pub(super) fn change_ended(&mut self, notice: Notice) {
        self.acting = Chosen::default();
        self.say(notice);
        self.after_change();
    }

    /// Takes over what an answer says of files.
    fn note_written(&mut self, answer: &ChangeAnswer) {
        match answer {
            ChangeAnswer::Mended(Ok((findings, _))) => {
                // The name that was typed has been taken.
                self.screens.retain(|it| !matches!(it, Screen::Begin(begin) if begin.asked));
                self.screens.iter_mut().for_each(Screen::written);
                self.mended.push(*findings);
            }
            ChangeAnswer::Stored(Ok(_)) | ChangeAnswer::StoredUndone(Ok(_)) => {
                projects(self).for_each(|project| project.reading.outdated());
            }
            _ => {}
        }
    }

    /// What is said of an answer; `None` if it is asked about.
    fn told(&self, answer: &ChangeAnswer) -> Option<Notice> {
        use ChangeAnswer as A;
        Some(match answer {
            A::Planned(Ok(_)) | A::MendPlanned(Ok(_)) | A::StoredPlanned(Ok(_)) => return None,
            A::Saved(Ok(text)) | A::Mended(Ok((_, text))) => Notice::plain(undoable(self, text)),
            A::Stored(Ok(text)) => Notice::plain(project::undoable(self, text)),
            A::Applied(Ok(text)) | A::StoredUndone(Ok(text)) => Notice::plain(text.clone()),
            A::Planned(Err(why))
            | A::MendPlanned(Err(why))
            | A::StoredPlanned(Err(why))
            | A::Saved(Err(why))
            | A::Mended(Err(why))
            | A::Stored(Err(why))
            | A::Applied(Err(why))
            | A::StoredUndone(Err(why))
            | A::Failed(why) => Notice::grave(why.clone()),
        })
    }
}
