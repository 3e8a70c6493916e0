//! Permission rules: the rules on the left, their outcome on the right before anything is saved.

use super::layout::{self, PairLayout};
use super::screen::Step;
use super::{Action, Aim, Effect, Line, Mouse, Notice, RuleDraft, State};
use crate::catalog::Permission;
use crate::inert;
use crate::policy::{self, Layer, Origin, Outcome, Pattern, Policy, Rule, Tool};
use crate::text::SafeText;
use std::path::Path;
use std::sync::Arc;

/// Share of the rules, in percent of the width.
const LIST: u16 = 50;

/// What the keys go to.
#[derive(Debug)]
pub enum RulesMode {
    /// The list.
    List,
    /// The pattern of the current rule is being typed; what it was before.
    Pattern { line: Line, before: String, fresh: bool },
    /// A name is tested against the rules.
    Test { line: Line },
}

/// The rules screen.
#[derive(Debug)]
pub struct Rules {
    /// The rules as they would be.
    pub drafts: Vec<RuleDraft>,
    /// The current row.
    pub cursor: usize,
    /// The first row shown.
    pub top: usize,
    /// What the keys go to.
    pub mode: RulesMode,
    /// What saving would do.
    pub outcome: Outcome,
    /// The rules as they are saved.
    saved: Vec<RuleDraft>,
    /// Earlier states, for undo.
    history: Vec<Vec<RuleDraft>>,
    /// Leaving with unsaved changes was asked for once.
    warned: bool,
    generation: u64,
}

impl Rules {
    /// Opens on the rules that hold; with a skill's name, on the rule that decides it.
    pub fn new(state: &State, name: Option<&str>) -> Self {
        let saved = drafts_of(&state.viewed.policy);
        let mut rules = Self {
            drafts: saved.clone(),
            cursor: 0,
            top: 0,
            mode: RulesMode::List,
            outcome: policy::outcome(&state.viewed.policy, &state.viewed.policy, &[]),
            saved,
            history: Vec::new(),
            warned: false,
            generation: state.viewed.generation,
        };
        rules.weigh(state);
        let decider = name.and_then(|name| rules.policy(state).decider(Tool::SkillLoad, name));
        rules.cursor = decider.and_then(|rule| rules.draft_of_rule(state, rule)).unwrap_or(0);
        rules
    }

    /// Where everything stands.
    pub fn layout(state: &State) -> PairLayout {
        layout::pair(state.area, LIST, state.notice.is_some())
    }

    /// Whether there is something to save.
    pub fn is_unsaved(&self) -> bool {
        self.drafts != self.saved
    }

    /// The line that is being typed, if one is.
    pub fn line(&self) -> Option<&Line> {
        match &self.mode {
            RulesMode::List => None,
            RulesMode::Pattern { line, .. } | RulesMode::Test { line } => Some(line),
        }
    }

    pub(super) fn line_mut(&mut self) -> Option<&mut Line> {
        match &mut self.mode {
            RulesMode::List => None,
            RulesMode::Pattern { line, .. } | RulesMode::Test { line } => Some(line),
        }
    }

    /// The policy as it would be after saving. Rules that stand for something unreadable stay.
    pub fn policy(&self, state: &State) -> Policy {
        let mut after = (*state.viewed.policy).clone();
        after.rules.retain(Rule::is_alarm);
        after.rules.extend(self.drafts.iter().map(|draft| rule_of(draft, state)));
        after
    }

    /// The draft that the outcome's rule with this index is; rules that stand for something unreadable have none.
    pub fn draft_of_rule(&self, state: &State, rule: usize) -> Option<usize> {
        let alarms = state.viewed.policy.rules.iter().filter(|rule| rule.is_alarm()).count();
        rule.checked_sub(alarms).filter(|draft| *draft < self.drafts.len())
    }

    /// The index in the outcome of the draft with this index.
    pub fn rule_of_draft(state: &State, draft: usize) -> usize {
        state.viewed.policy.rules.iter().filter(|rule| rule.is_alarm()).count() + draft
    }

    fn weigh(&mut self, state: &State) {
        let skills: Vec<_> = state.viewed.entries.iter().map(|entry| Arc::clone(&entry.skill)).collect();
        self.outcome = policy::outcome(&state.viewed.policy, &self.policy(state), &skills);
    }

    fn change(&mut self, state: &State, change: impl FnOnce(&mut Vec<RuleDraft>)) {
        let before = self.drafts.clone();
        change(&mut self.drafts);
        if self.drafts != before {
            self.history.push(before);
        }
        self.warned = false;
        self.cursor = self.cursor.min(self.drafts.len().saturating_sub(1));
        self.weigh(state);
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) -> Step {
        if !matches!(self.mode, RulesMode::List) {
            return self.act_on_line(action, state);
        }
        let cursor = self.cursor;
        let last = self.drafts.len().saturating_sub(1);
        let page = usize::from(Self::list_area(state).height).saturating_sub(1);
        match action {
            Action::Up | Action::Previous => self.cursor = cursor.saturating_sub(1),
            Action::Down | Action::Next => self.cursor = (cursor + 1).min(last),
            Action::PageUp => self.cursor = cursor.saturating_sub(page),
            Action::PageDown => self.cursor = (cursor + page).min(last),
            Action::First => self.cursor = 0,
            Action::Last => self.cursor = last,
            Action::AddRule => self.add(state),
            Action::EditRule | Action::Accept => self.edit(),
            Action::CycleEffect => self.change(state, |drafts| cycle_effect(drafts, cursor)),
            Action::CyclePlace => return Step::stay(self.cycle_place(state)),
            Action::DeleteRule => {
                self.change(state, |drafts| drop((cursor < drafts.len()).then(|| drafts.remove(cursor))))
            }
            Action::Undo => return Step::stay(self.undo(state)),
            Action::TestName => self.mode = RulesMode::Test { line: Line::default() },
            Action::Save => return Step::stay(self.save(state)),
            Action::Back | Action::Left => return self.leave(state),
            _ => {}
        }
        Step::default()
    }

    fn add(&mut self, state: &State) {
        // A new rule begins as the strictest about the skill that the picker is on.
        let pattern = state.current().map(|entry| entry.skill.name.trim().to_owned()).unwrap_or_default();
        let draft = RuleDraft { effect: Permission::Deny, pattern: pattern.clone(), script: false, project: false };
        let at = self.drafts.len();
        self.change(state, |drafts| drafts.push(draft));
        self.cursor = at;
        self.mode = RulesMode::Pattern { line: Line::new(&pattern), before: pattern, fresh: true };
    }

    fn edit(&mut self) {
        if let Some(draft) = self.drafts.get(self.cursor) {
            let before = draft.pattern.clone();
            self.mode = RulesMode::Pattern { line: Line::new(&before), before, fresh: false };
        }
    }

    fn act_on_line(&mut self, action: Action, state: &mut State) -> Step {
        match action {
            Action::Accept => return Step::stay(self.accept_line(state)),
            Action::Back => self.cancel_line(state),
            _ => {}
        }
        Step::default()
    }

    fn accept_line(&mut self, state: &mut State) -> Vec<Effect> {
        if let RulesMode::Pattern { line, before, .. } = &self.mode {
            let typed = line.text().trim().to_owned();
            if !typed.is_empty()
                && let Err(error) = Pattern::read(&typed)
            {
                return state.say(Notice::grave(inert!("not a pattern: {}", SafeText::line(&error.to_string()))));
            }
            if typed != *before {
                let mut earlier = self.drafts.clone();
                if let Some(draft) = earlier.get_mut(self.cursor) {
                    draft.pattern.clone_from(before);
                }
                self.history.push(earlier);
            }
            if let Some(draft) = self.drafts.get_mut(self.cursor) {
                draft.pattern = typed;
            }
            self.weigh(state);
        }
        self.mode = RulesMode::List;
        Vec::new()
    }

    fn cancel_line(&mut self, state: &State) {
        if let RulesMode::Pattern { before, fresh, .. } = &self.mode {
            let (before, fresh) = (before.clone(), *fresh);
            if fresh {
                self.drafts = self.history.pop().unwrap_or_default();
                self.cursor = self.cursor.min(self.drafts.len().saturating_sub(1));
            } else if let Some(draft) = self.drafts.get_mut(self.cursor) {
                draft.pattern = before;
            }
            self.weigh(state);
        }
        self.mode = RulesMode::List;
    }

    /// The pattern takes effect while it is typed, so that the right pane shows what it would do.
    pub(super) fn typed(&mut self, state: &State) {
        if let RulesMode::Pattern { line, .. } = &self.mode {
            let typed = line.text().trim().to_owned();
            if typed.is_empty() || Pattern::read(&typed).is_ok() {
                if let Some(draft) = self.drafts.get_mut(self.cursor) {
                    draft.pattern = typed;
                }
                self.weigh(state);
            }
        }
    }

    fn cycle_place(&mut self, state: &mut State) -> Vec<Effect> {
        if state.viewed.files.project.is_none() {
            return state
                .say(Notice::grave(SafeText::fixed("there is no repository here, so there is no project file")));
        }
        let cursor = self.cursor;
        self.change(state, |drafts| {
            if let Some(draft) = drafts.get_mut(cursor) {
                draft.project = !draft.project;
            }
        });
        Vec::new()
    }

    fn undo(&mut self, state: &mut State) -> Vec<Effect> {
        match self.history.pop() {
            Some(before) => {
                self.drafts = before;
                self.cursor = self.cursor.min(self.drafts.len().saturating_sub(1));
                self.weigh(state);
                Vec::new()
            }
            // Nothing left to take back here: take back what was saved last.
            None => vec![Effect::Undo],
        }
    }

    fn save(&mut self, state: &mut State) -> Vec<Effect> {
        if !self.is_unsaved() {
            return state.say(Notice::plain(SafeText::fixed("nothing to save")));
        }
        vec![Effect::Plan(Aim::Rules(self.drafts.clone()))]
    }

    fn leave(&mut self, state: &mut State) -> Step {
        if self.is_unsaved() && !self.warned {
            self.warned = true;
            return Step::stay(
                state.say(Notice::grave(SafeText::fixed("unsaved rules: ^s saves, esc again drops them"))),
            );
        }
        Step::close(Vec::new())
    }

    /// What the rules as they would be say to the name that is tested.
    pub fn test(&self, state: &State) -> Option<(Permission, Option<usize>)> {
        let RulesMode::Test { line } = &self.mode else { return None };
        let name = line.text().trim();
        if name.is_empty() {
            return None;
        }
        let policy = self.policy(state);
        Some(match policy.decider(Tool::SkillLoad, name) {
            Some(rule) => (policy.rules[rule].effect, self.draft_of_rule(state, rule)),
            None => (policy.defaults.load.value, None),
        })
    }

    pub(super) fn mouse(&mut self, mouse: Mouse, state: &mut State) -> Step {
        match mouse {
            Mouse::WheelUp(..) => self.act(Action::Up, state),
            Mouse::WheelDown(..) => self.act(Action::Down, state),
            Mouse::Click(column, row) | Mouse::DoubleClick(column, row) => {
                let list = Self::list_area(state);
                if list.contains((column, row).into())
                    && let Some(draft) = self.draft_at(usize::from(row - list.y), state)
                    && matches!(self.mode, RulesMode::List)
                {
                    self.cursor = draft;
                }
                Step::default()
            }
        }
    }

    /// The rows below the line with the order of evaluation and the head of the table.
    pub fn list_area(state: &State) -> ratatui::layout::Rect {
        let mut area = Self::layout(state).left;
        let head = 2.min(area.height);
        area.y += head;
        area.height -= head;
        area
    }

    /// How many lines a draft takes: one, and one more if it decides nothing.
    pub fn lines_of(&self, draft: usize, state: &State) -> usize {
        let hits = self.outcome.rules.get(Self::rule_of_draft(state, draft));
        1 + usize::from(hits.is_some_and(|hits| hits.idle.is_some()))
    }

    /// The draft on this line of the list, counted from the first one shown.
    fn draft_at(&self, line: usize, state: &State) -> Option<usize> {
        let mut below = 0;
        (self.top..self.drafts.len()).find(|draft| {
            below += self.lines_of(*draft, state);
            line < below
        })
    }

    pub(super) fn follow(&mut self, state: &mut State) -> Vec<Effect> {
        if self.generation != state.viewed.generation {
            self.generation = state.viewed.generation;
            let now = drafts_of(&state.viewed.policy);
            if !self.is_unsaved() || self.drafts == now {
                self.drafts.clone_from(&now);
                self.history.clear();
            }
            self.saved = now;
            self.cursor = self.cursor.min(self.drafts.len().saturating_sub(1));
            self.weigh(state);
        }
        let height = usize::from(Self::list_area(state).height);
        // Rows that decide nothing take two lines, so keep twice the room.
        self.top = layout::scroll_to(self.top, self.cursor, (height / 2).max(1), self.drafts.len());
        Vec::new()
    }
}

fn cycle_effect(drafts: &mut [RuleDraft], cursor: usize) {
    if let Some(draft) = drafts.get_mut(cursor) {
        draft.effect = match draft.effect {
            Permission::Deny => Permission::Ask,
            Permission::Ask => Permission::Allow,
            Permission::Allow => Permission::Deny,
        };
    }
}

/// The rules of a policy that can be edited, strictest first: the order in which they are read.
fn drafts_of(policy: &Policy) -> Vec<RuleDraft> {
    let editable = policy.rules.iter().filter(|rule| !rule.is_alarm());
    editable
        .map(|rule| RuleDraft {
            effect: rule.effect,
            pattern: rule.pattern.text().unwrap_or_default(),
            script: rule.tool == Tool::SkillScript,
            project: rule.layer == Layer::Project,
        })
        .collect()
}

fn rule_of(draft: &RuleDraft, state: &State) -> Rule {
    let files = &state.viewed.files;
    let (layer, file) = match (&files.project, draft.project) {
        (Some(project), true) => (Layer::Project, project.as_path()),
        _ => (Layer::User, files.user.as_path()),
    };
    Rule {
        tool: if draft.script { Tool::SkillScript } else { Tool::SkillLoad },
        pattern: Pattern::read(&draft.pattern).unwrap_or(Pattern::Any),
        effect: draft.effect,
        origin: Origin::Rule { file: Arc::<Path>::from(file), line: 0, text: draft.pattern.as_str().into() },
        layer,
    }
}
