//! What is to be mended: settings, folders, limits, and the findings of skills by their cause.

mod search;

use super::groups::{self, Found, GroupKey};
use super::layout::{self, PairLayout};
use super::{
    Action, ChosenFinding, Effect, ExcerptKey, Group, GroupBy, KeyTable, ListPane, MendRequest,
    Notice, ProblemRow,
};
use super::{SeverityFilter, State};
use crate::catalog::{Diagnostic, Severity};
use crate::inert;
use crate::policy::Tally;
use crate::text::SafeText;
use ratatui::layout::Position;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

/// Width of the list, in percent.
const LIST: u16 = 46;

#[derive(Debug, Default)]
pub struct Problems {
    pub filter: SeverityFilter,
    pub rows: Vec<ProblemRow>,
    pub list: ListPane,
    /// How many problems hurt here, and how many do not; not filtered.
    pub counts: (usize, usize),
    /// The skills, and what was found in them; not filtered.
    pub tally: Tally,
    /// What is mended together.
    pub(super) chosen: BTreeSet<ChosenFinding>,
    /// What was last asked to be mended.
    pub(super) asked: BTreeSet<ChosenFinding>,
    /// By what the findings are grouped.
    pub by: GroupBy,
    /// The groups whose findings have rows.
    open: HashSet<GroupKey>,
    /// Whether what hurts nobody has rows.
    cosmetic: bool,
    /// How many of these findings can be mended.
    pub(super) cosmetic_mendable: usize,
    /// The view that the rows were collected from, and the number of hosts that were known.
    collected: (u64, usize),
    /// The row under the cursor, to find it again in a newer view.
    anchor: Option<Anchor>,
    /// What a search goes back to.
    before: Option<search::Before>,
}

/// Identifies a row of a newer view.
#[derive(Debug)]
enum Anchor {
    /// By skill, code and line.
    Finding(Arc<Path>, &'static str, u32),
    Group(GroupKey),
}

impl Problems {
    /// The cursor begins at the worst finding of the skill at `path`, if there is one.
    pub fn new(state: &State, path: Option<&Path>) -> Self {
        let mut problems = Self::default();
        problems.collect(state);
        if let Some(path) = path {
            problems.stand_on(state, path, None);
        }
        problems
    }

    /// Like [`Self::new`], but what hurts comes first: a skill with cosmetic findings alone is not
    /// unfolded where something hurts. The cursor begins at errors in settings if there are some:
    /// what they might forbid is denied, so they may be why the skill cannot be used.
    pub fn of_all(state: &State, path: Option<&Path>) -> Self {
        let hurts = |path: &Path| {
            state.entry(path).is_some_and(|entry| {
                let mut findings = entry.skill.diagnostics.iter();
                findings.any(|finding| groups::hurts(state, entry, finding))
            })
        };
        let mut problems = Self::new(state, None);
        if let Some(path) = path.filter(|path| problems.counts.0 == 0 || hurts(path)) {
            problems.stand_on(state, path, None);
        }
        if !state.viewed.alarms.is_empty() {
            problems.list.cursor = 0;
        }
        problems
    }

    pub fn layout(state: &State) -> PairLayout {
        layout::pair(state.area, LIST, state.notice_rows())
    }

    pub fn current(&self) -> Option<ProblemRow> {
        self.rows.get(self.list.cursor).copied()
    }

    /// The problems that no skill has: settings, folders, limits.
    pub fn of_no_skill(state: &State) -> [Vec<ProblemRow>; 2] {
        let viewed = &state.viewed;
        let alarms = (0..viewed.alarms.len()).map(ProblemRow::Alarm);
        let roots = |severity| {
            let grave = move |index: &usize| viewed.roots[*index].severity() == Some(severity);
            (0..viewed.roots.len()).filter(grave).map(ProblemRow::Root)
        };
        let cuts = (0..viewed.cuts.len()).map(ProblemRow::Cut);
        [
            alarms.chain(roots(Severity::Error)).collect(),
            roots(Severity::Warning).chain(cuts).collect(),
        ]
    }

    fn collect(&mut self, state: &State) {
        self.collected = (state.viewed.generation, state.hosts().len());
        let [errors, warnings] = Self::of_no_skill(state);
        let elsewhere = errors.len() + warnings.len();
        let mut rows: Vec<ProblemRow> = Vec::new();
        if self.filter.admits(Severity::Error) {
            rows.extend(errors);
        }
        if self.filter.admits(Severity::Warning) {
            rows.extend(warnings);
        }
        let (hurt, cosmetic, tally) = groups::counted(state);
        (self.counts, self.tally) = ((elsewhere + hurt, cosmetic), tally);
        let shown = groups::grouped(state, self.by, self.filter);
        let (hurting, cosmetic): (Vec<Found>, Vec<Found>) =
            shown.into_iter().partition(|(group, _)| group.hurts);
        let findings = cosmetic.iter().map(|(group, _)| group.findings).sum();
        self.cosmetic_mendable = cosmetic.iter().map(|(group, _)| group.mendable).sum();
        self.add_groups(hurting, state, &mut rows);
        if findings > 0 {
            rows.push(ProblemRow::Cosmetic { findings, open: self.cosmetic });
            if self.cosmetic {
                self.add_groups(cosmetic, state, &mut rows);
            }
        }
        self.rows = rows;
        self.forget_mended(state);
        self.look(state);
    }

    fn add_groups(&self, groups: Vec<Found>, state: &State, rows: &mut Vec<ProblemRow>) {
        for (group, findings) in groups {
            let open = self.open.contains(&group.key(state));
            rows.push(ProblemRow::Group(Group { open, ..group }));
            rows.extend(findings.into_iter().filter(|_| open));
        }
    }

    /// Unfolds the worst finding of the skill at `path`, or the one of this code and line, and goes
    /// there; `false` if there is none.
    fn stand_on(
        &mut self,
        state: &State,
        path: &Path,
        wanted: Option<(&'static str, u32)>,
    ) -> bool {
        let rows = &state.viewed.rows;
        let Some(index) = rows.index_of(path) else { return false };
        let Some(entry) = rows.entry(index) else { return false };
        let is_wanted =
            |finding: &Diagnostic| wanted.is_none_or(|(code, _)| finding.code() == code);
        let worth = |finding: &Diagnostic| match wanted {
            Some((_, line)) => (finding.place.line == line, false),
            None => {
                let severity = entry.severity(finding);
                (groups::hurts(state, entry, finding), severity == Severity::Error)
            }
        };
        let findings = entry.skill.diagnostics.iter().enumerate();
        // Of equal ones the first.
        let found = findings.filter(|(_, finding)| is_wanted(finding)).rev();
        let Some((number, finding)) = found.max_by_key(|(_, finding)| worth(finding)) else {
            return false;
        };
        let hurts = groups::hurts(state, entry, finding);
        self.open.insert((hurts, self.by.key_of(&entry.skill, finding)));
        self.cosmetic |= !hurts;
        self.collect(state);
        let row = self.rows.iter().position(|row| *row == ProblemRow::Skill(index, number));
        self.list.cursor = row.unwrap_or(self.list.cursor);
        row.is_some()
    }

    /// Collects the rows again and keeps the cursor on its finding or cause, else at its place.
    fn collect_and_stay(&mut self, state: &State, before: Option<&Anchor>) {
        let stands_there = match before {
            Some(Anchor::Finding(path, code, line)) => {
                self.stand_on(state, path, Some((code, *line)))
            }
            Some(Anchor::Group(_)) | None => false,
        };
        if !stands_there {
            self.collect(state);
        }
        if let Some(Anchor::Group(key)) = before {
            let is_same = |row: &ProblemRow| match row {
                ProblemRow::Group(group) => group.key(state) == *key,
                _ => false,
            };
            let same = self.rows.iter().position(is_same);
            self.list.cursor = same.unwrap_or(self.list.cursor);
        }
        self.list.clamp(self.rows.len());
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let area = Self::list_area(state);
        if action == Action::Back && self.list.find.is_some() {
            return self.end_find(state);
        }
        if self.list.searches(action) || self.list.moves(action, area, self.rows.len()) {
            return;
        }
        match action {
            Action::Severity => {
                self.filter = self.filter.next();
                self.cosmetic = self.filter == SeverityFilter::Warnings;
                self.collect(state);
                self.list.cursor = 0;
            }
            Action::Sort => {
                // The groups have other names now; the finding under the cursor is unfolded.
                let finding = self.anchor_of(state);
                self.by = self.by.next();
                self.list.cursor = 0;
                self.collect_and_stay(state, finding.as_ref());
            }
            Action::Find => self.find(state),
            Action::Edit => self.edit(state),
            Action::Choose => self.choose_and_step(state),
            Action::Mend => self.mend(false, state),
            Action::MendAll => self.mend(true, state),
            Action::CopyPrompt => match self.prompt(state) {
                Some(prompt) => state.effects.push(Effect::CopyLines(vec![prompt])),
                None => state.say(Notice::grave(SafeText::fixed("no file has this problem"))),
            },
            Action::Accept | Action::Right | Action::Open => self.open(action, state),
            Action::Left => self.fold(state),
            Action::Back => state.closing = true,
            _ => {}
        }
    }

    /// Collects the rows after a fold has changed; the cursor stays on its row.
    fn collect_and_stay_here(&mut self, state: &State) {
        let anchor = self.anchor_of(state);
        self.collect_and_stay(state, anchor.as_ref());
    }

    /// Unfolds a row, or folds it again (Enter) or enters it (→). Shows the skill of a finding.
    fn open(&mut self, action: Action, state: &mut State) {
        let (key, is_open) = match self.current() {
            Some(ProblemRow::Group(group)) => (Some(group.key(state)), group.open),
            Some(ProblemRow::Cosmetic { open, .. }) => (None, open),
            _ => return self.show_skill(state),
        };
        if is_open && action == Action::Right {
            self.list.cursor += 1;
            return;
        }
        self.set_open(key, !is_open);
        self.collect(state);
    }

    /// Folds the row, or what it lies in, and stands on the fold. Goes back where nothing is open.
    fn fold(&mut self, state: &mut State) {
        let group = self.group().filter(|group| group.open || !group.hurts);
        let (key, up) = match (self.current(), group) {
            (Some(ProblemRow::Cosmetic { open: true, .. }), _) => (None, self.list.cursor),
            (_, Some(group)) => {
                let key = group.open.then(|| group.key(state));
                let is_fold = |row: &ProblemRow| match row {
                    ProblemRow::Group(_) => key.is_some(),
                    ProblemRow::Cosmetic { .. } => key.is_none(),
                    _ => false,
                };
                let above = &self.rows[..=self.list.cursor];
                let up = above.iter().rposition(is_fold).unwrap_or_default();
                (key, up)
            }
            _ => {
                state.closing = true;
                return;
            }
        };
        self.set_open(key, false);
        self.list.cursor = up;
        self.collect(state);
    }

    fn set_open(&mut self, key: Option<GroupKey>, open: bool) {
        match key {
            None => self.cosmetic = open,
            Some(key) if open => {
                self.open.insert(key);
            }
            Some(key) => {
                self.open.remove(&key);
            }
        }
    }

    /// Chooses the row, and goes to the next one.
    fn choose_and_step(&mut self, state: &mut State) {
        if self.choose(state) {
            self.list.cursor += 1;
            return self.list.clamp(self.rows.len());
        }
        let why = self.why_not_mended(false, state);
        state.say(Notice::grave(why));
    }

    /// Asks for the fix of what is chosen, else of the current finding, or of all findings of its
    /// group.
    fn mend(&mut self, whole: bool, state: &mut State) {
        let Some(request) = self.mend_request(whole, state) else {
            let why = self.why_not_mended(whole, state);
            return state.say(Notice::grave(why));
        };
        if let MendRequest::Findings(findings) = &request {
            self.asked.clone_from(findings);
        }
        state.plan_mend(request);
    }

    fn why_not_mended(&self, whole: bool, state: &State) -> SafeText {
        if let Some(kept) = self.why_kept(whole, state) {
            return inert!("not mended: {}", kept);
        }
        let key = state.key_word(KeyTable::Problems, Action::CopyPrompt);
        inert!("no rule can mend this; {} copies a prompt for an agent", key)
    }

    fn edit(&self, state: &mut State) {
        match self.current().map(|row| row.spot(state)) {
            Some(Some((file, line))) => state.effects.push(Effect::Edit(file, line)),
            Some(None) => {
                state.say(Notice::grave(SafeText::fixed("there is no file to open for this")))
            }
            None => {}
        }
    }

    /// Goes to the skill in the picker. For a problem without a skill, opens the file.
    fn show_skill(&self, state: &mut State) {
        let Some((entry, _)) = self.current().and_then(|row| row.of_skill(state)) else {
            return self.edit(state);
        };
        let path = entry.skill.path.clone();
        // The skill is shown in the picker, so all screens close.
        state.screens.clear();
        state.show(&path);
        // Its row may stand for another one of its name; while a query hides it, it has none yet.
        if state.picker.row_of(&path).is_some()
            && state.current().is_some_and(|entry| entry.skill.path != path)
            && let Some(copies) = super::Copies::new(state)
        {
            state.screens.push(super::Screen::Copies(copies.at(&path)));
        }
        state.closing = true;
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        if self.list.opens(place, twice, Self::list_area(state), self.rows.len()) {
            self.open(Action::Accept, state);
        }
    }

    /// The area of the rows: below the line with the counts.
    pub fn list_area(state: &State) -> ratatui::layout::Rect {
        layout::below(Self::layout(state).left, 1)
    }

    fn anchor_of(&self, state: &State) -> Option<Anchor> {
        let row = self.current()?;
        if let ProblemRow::Group(group) = row {
            return Some(Anchor::Group(group.key(state)));
        }
        let (entry, finding) = row.of_skill(state)?;
        let path = Arc::from(entry.skill.path.as_path());
        Some(Anchor::Finding(path, finding.code(), finding.place.line))
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        if self.collected != (state.viewed.generation, state.hosts().len()) {
            let before = self.anchor.take();
            self.collect_and_stay(state, before.as_ref());
        }
        self.list.follow(Self::list_area(state), self.rows.len());
        self.anchor = self.anchor_of(state);
        if let Some(Anchor::Finding(path, _, line)) = &self.anchor {
            let key = ExcerptKey { path: Arc::clone(path), line: *line, epoch: state.epoch };
            state.want_excerpt(key);
        }
    }
}
