//! Permission rules: the list on the left, and on the right what saving them would change.

use super::layout::{self, PairLayout};
use super::{Action, ChangeJob, ChangeRequest, Line, ListPane, Notice, State};
use crate::catalog::Skill;
use crate::inert;
use crate::policy::change::NewRule;
use crate::policy::{self, Bound, Layer, Outcome, Pattern, Policy, Rule, Tool};
use crate::text::SafeText;
use drafts::{bind, cycle_effect, drafts_of, is_same, on_top, same_rules};
use ratatui::layout::Position;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod drafts;
mod effects;
mod typing;

/// Width of the list, in percent.
const LIST: u16 = 50;

/// Rows below which the list has the whole screen: its head, and two rules with a reason each.
const LEAST_ROWS: u16 = 6;

#[derive(Debug)]
pub enum RulesMode {
    List,
    /// Typing the current rule's pattern.
    Pattern {
        line: Line,
        /// The pattern before typing.
        before: Pattern,
        /// The rule has just been added; Esc removes it again.
        fresh: bool,
    },
    /// Typing a name to test against the rules.
    Test {
        line: Line,
    },
}

#[derive(Debug)]
pub struct Rules {
    /// The rules with unsaved changes.
    pub drafts: Vec<Rule>,
    pub list: ListPane,
    pub mode: RulesMode,
    pub outcome: Outcome,
    pub effects_top: usize,
    /// The rule to which `effects_top` belongs.
    effects_of: usize,
    saved: Vec<Rule>,
    /// Earlier states, for undo.
    history: Vec<Vec<Rule>>,
    /// Back was pressed once with unsaved changes.
    warned: bool,
    generation: u64,
    /// Whether the host reads rules in their order. Then a new order is a change to save.
    ordered: bool,
}

impl Rules {
    /// The cursor begins on the rule that decides this skill.
    pub fn new(state: &State, skill: Option<&Skill>) -> Self {
        let saved = drafts_of(&state.viewed.policy);
        let mut rules = Self {
            drafts: saved.clone(),
            list: ListPane::default(),
            mode: RulesMode::List,
            outcome: policy::outcome(&state.viewed.policy, &state.viewed.policy, &[]),
            effects_top: 0,
            effects_of: 0,
            saved,
            history: Vec::new(),
            warned: false,
            generation: state.viewed.generation,
            ordered: state.viewed.policy.order.rules != policy::Order::Strictest,
        };
        rules.weigh(state);
        let policy = rules.policy(state);
        let decider =
            skill.and_then(|skill| policy.decider(Tool::SkillLoad, &policy.subject(skill), None));
        rules.list.cursor = decider.and_then(|rule| rules.draft_of_rule(state, rule)).unwrap_or(0);
        rules
    }

    /// The layout.
    ///
    /// On a small screen the list has all the room: beside two head lines and one of effects there
    /// would be none for rules.
    pub fn layout(state: &State) -> PairLayout {
        let notice = state.notice_rows();
        let panes = layout::pair(state.area, LIST, notice);
        if panes.left.height < LEAST_ROWS { layout::whole(state.area, notice) } else { panes }
    }

    pub fn is_unsaved(&self) -> bool {
        !same_rules(&self.drafts, &self.saved, self.ordered)
    }

    /// The file and line of the current rule if that file is not written from here.
    pub(super) fn elsewhere(&self, state: &State) -> Option<(PathBuf, u32)> {
        let (file, line) = self.drafts.get(self.list.cursor)?.origin.place()?;
        let is_here = state.viewed.files.rules.iter().any(|(_, known)| known == file);
        (!is_here).then(|| (file.to_owned(), line))
    }

    /// The line that is being typed.
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

    /// The policy after saving. Rules that cannot be edited here stay. Where the last rule decides,
    /// an administrator's come after all others, as their host reads them.
    pub fn policy(&self, state: &State) -> Policy {
        let mut after = (*state.viewed.policy).clone();
        after.rules.retain(|rule| leads(&state.viewed.policy, rule));
        for draft in &self.drafts {
            let is_new = !self.saved.iter().any(|saved| is_same(saved, draft));
            let bound = draft.bound_to().cloned();
            let bound =
                bound.map(|bound| if is_new { bound_now(bound, &mut after) } else { bound });
            after.rules.push(Rule { bound, ..draft.clone() });
        }
        let is_last = |rule: &&Rule| rule.is_fixed() && !leads(&state.viewed.policy, rule);
        after.rules.extend(state.viewed.policy.rules.iter().filter(is_last).cloned());
        after
    }

    /// Why no rule counts: settings that cannot be read deny every skill.
    pub fn closed(state: &State) -> Option<SafeText> {
        let rules = &state.viewed.policy.rules;
        let every = rules.iter().find(|rule| is_closing(rule))?;
        Some(unreadable(every, "every skill is"))
    }

    /// What unreadable settings deny.
    pub fn unread(state: &State) -> Option<SafeText> {
        let named = || state.viewed.policy.rules.iter().find(|rule| rule.is_alarm());
        Self::closed(state).or_else(|| named().map(|rule| unreadable(rule, "what they name is")))
    }

    /// The draft of a rule of the outcome; `None` for rules that cannot be edited here.
    pub fn draft_of_rule(&self, state: &State, rule: usize) -> Option<usize> {
        rule.checked_sub(Self::rule_of_draft(state, 0)).filter(|draft| *draft < self.drafts.len())
    }

    /// The index of a draft's rule in the outcome.
    pub fn rule_of_draft(state: &State, draft: usize) -> usize {
        let policy = &state.viewed.policy;
        policy.rules.iter().filter(|rule| leads(policy, rule)).count() + draft
    }

    fn weigh(&mut self, state: &State) {
        let skills: Vec<_> =
            state.viewed.rows.own().map(|entry| Arc::clone(&entry.skill)).collect();
        self.outcome = policy::outcome(&state.viewed.policy, &self.policy(state), &skills);
    }

    fn change(&mut self, state: &State, change: impl FnOnce(&mut Vec<Rule>)) {
        let before = self.drafts.clone();
        change(&mut self.drafts);
        if self.drafts != before {
            self.history.push(before);
        }
        self.list.clamp(self.drafts.len());
        self.weigh(state);
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        if !matches!(self.mode, RulesMode::List) {
            return self.act_on_line(action, state);
        }
        // Back must be pressed twice in a row to drop unsaved changes.
        let warned = std::mem::take(&mut self.warned);
        if changes_rules(action)
            && let Some(why) = Self::closed(state)
        {
            return state.say(Notice::grave(why));
        }
        if changes_rules(action)
            && !matches!(action, Action::AddRule | Action::Save)
            && let Some((file, line)) = self.elsewhere(state)
        {
            let text =
                inert!("this rule stands in {}:{}: change it there", state.short_path(&file), line);
            return state.say(Notice::neutral(text));
        }
        if self.drafts.is_empty()
            && changes_rules(action)
            && !matches!(action, Action::AddRule | Action::Save)
        {
            let key = state.key_word(super::KeyTable::Rules, Action::AddRule);
            return state.say(Notice::neutral(inert!("no rule here: {} adds one", key)));
        }
        let cursor = self.list.cursor;
        let moved = self.list.moves(action, Self::list_area(state), self.drafts.len());
        if moved || self.scroll_effects(action, state) {
            return;
        }
        match action {
            Action::AddRule => self.add(state),
            Action::EditRule | Action::Accept => self.edit(),
            Action::CycleEffect => self.cycle_effect(state),
            Action::CyclePlace => self.cycle_place(state),
            Action::DeleteRule => self.change(state, |drafts| {
                drop((cursor < drafts.len()).then(|| drafts.remove(cursor)))
            }),
            Action::Undo => self.undo(state),
            Action::TestName => self.mode = RulesMode::Test { line: Line::default() },
            Action::Save => self.save(state),
            Action::Back | Action::Left => self.leave(warned, state),
            _ => {}
        }
    }

    fn cycle_effect(&mut self, state: &mut State) {
        let cursor = self.list.cursor;
        let Some(draft) = self.drafts.get(cursor) else { return };
        let effects = state.viewed.policy.order.forms.effects_of(&draft.pattern);
        if effects.iter().all(|effect| *effect == draft.effect) {
            let host = state.options.host;
            return state.say(Notice::neutral(inert!(
                "{} has no other effect for a rule with this pattern",
                host
            )));
        }
        self.change(state, |drafts| cycle_effect(drafts, cursor, &effects));
    }

    fn cycle_place(&mut self, state: &mut State) {
        let layers: Vec<_> = state.viewed.files.rules.iter().map(|(layer, _)| *layer).collect();
        if layers.len() < 2 {
            return state.say(Notice::grave(SafeText::fixed(
                "there is no repository here, so there is no project file",
            )));
        }
        let cursor = self.list.cursor;
        self.change(state, |drafts| {
            if let Some(draft) = drafts.get_mut(cursor) {
                let now = layers.iter().position(|layer| *layer == draft.layer).unwrap_or_default();
                draft.layer = layers[(now + 1) % layers.len()];
            }
        });
    }

    fn undo(&mut self, state: &mut State) {
        match self.history.pop() {
            Some(before) => {
                self.drafts = before;
                self.list.clamp(self.drafts.len());
                self.weigh(state);
            }
            // No unsaved change is left, so undo the last saved one.
            None => state.turn_back(ChangeJob::Undo),
        }
    }

    fn save(&mut self, state: &mut State) {
        if !self.is_unsaved() {
            return state.say(Notice::neutral(SafeText::fixed("nothing to save")));
        }
        let mut layers: Vec<_> =
            self.drafts.iter().chain(&self.saved).map(|draft| draft.layer).collect();
        layers.sort();
        layers.dedup();
        let of = |rules: &[Rule], layer| -> Vec<Rule> {
            rules.iter().filter(|rule| rule.layer == layer).cloned().collect()
        };
        let files = layers.into_iter().filter_map(|layer| {
            let (now, before) = (of(&self.drafts, layer), of(&self.saved, layer));
            (!same_rules(&now, &before, self.ordered))
                .then(|| (layer, now.iter().map(NewRule::of).collect()))
        });
        let request = ChangeRequest::SetRules(files.collect());
        if state.is_free() {
            state.begin(ChangeJob::Plan(request));
        }
    }

    fn leave(&mut self, warned: bool, state: &mut State) {
        if self.is_unsaved() && !warned {
            self.warned = true;
            let key = |action| state.key_word(super::KeyTable::Rules, action);
            let text = inert!(
                "unsaved rules: {} saves, {} again drops them",
                key(Action::Save),
                key(Action::Back)
            );
            return state.say(Notice::grave(text));
        }
        state.closing = true;
    }

    pub(super) fn clicked(&mut self, place: Position, state: &State) {
        let list = Self::list_area(state);
        if list.contains(place)
            && let Some(draft) = self.draft_at(usize::from(place.y - list.y), state)
            && matches!(self.mode, RulesMode::List)
        {
            self.list.cursor = draft;
        }
    }

    /// The area of the rules: below the order of evaluation and the head of the table.
    pub fn list_area(state: &State) -> ratatui::layout::Rect {
        layout::below(Self::layout(state).left, 2)
    }

    /// Lines of a rule: one, one more for a narrower range (skill, script, arguments), one more if
    /// it decides nothing.
    pub fn lines_of(&self, draft: usize, state: &State) -> usize {
        let hits = self.outcome.rules.get(Self::rule_of_draft(state, draft));
        let is_narrowed = self.drafts.get(draft).is_some_and(|draft| draft.only().is_some());
        1 + usize::from(is_narrowed) + usize::from(hits.is_some_and(|hits| hits.idle.is_some()))
    }

    /// The rule on this line, counted from the first one shown.
    fn draft_at(&self, line: usize, state: &State) -> Option<usize> {
        let mut below = 0;
        (self.list.top..self.drafts.len()).find(|draft| {
            below += self.lines_of(*draft, state);
            line < below
        })
    }

    pub(super) fn follow(&mut self, state: &mut State) {
        // While a pattern is typed the rules stay as they are.
        if self.generation != state.viewed.generation && matches!(self.mode, RulesMode::List) {
            self.renew(state);
        }
        let height = usize::from(Self::list_area(state).height);
        self.list.top = self.top_for(height, state);
        self.effects_by(0, state);
    }

    /// Takes the rules of a newer view. Unsaved changes stay, on top of them.
    fn renew(&mut self, state: &State) {
        self.generation = state.viewed.generation;
        let now = drafts_of(&state.viewed.policy);
        bind(&mut self.drafts, &now);
        let before = self.drafts.get(self.list.cursor).cloned();
        if !self.is_unsaved() || same_rules(&self.drafts, &now, self.ordered) {
            self.drafts.clone_from(&now);
            self.history.clear();
        } else {
            let on_top = |drafts: &[Rule]| on_top(&self.saved, drafts, &now);
            self.history = self.history.iter().map(|drafts| on_top(drafts)).collect();
            self.drafts = on_top(&self.drafts);
        }
        let same =
            before.and_then(|before| self.drafts.iter().position(|draft| is_same(draft, &before)));
        self.list.cursor = same.unwrap_or(self.list.cursor);
        self.saved = now;
        self.list.clamp(self.drafts.len());
        self.weigh(state);
    }

    /// The first rule to show so that all lines of the current one are visible, scrolling as little
    /// as possible.
    fn top_for(&self, height: usize, state: &State) -> usize {
        let mut top = self.list.top.min(self.list.cursor);
        let lines = |top: usize| {
            (top..=self.list.cursor).map(|draft| self.lines_of(draft, state)).sum::<usize>()
        };
        while top < self.list.cursor && lines(top) > height {
            top += 1;
        }
        let below = |top: usize| {
            (top..self.drafts.len()).map(|draft| self.lines_of(draft, state)).sum::<usize>()
        };
        while top > 0 && below(top - 1) <= height {
            top -= 1;
        }
        top
    }
}

/// Saving binds a new rule to the files of its skill, whose digest is computed then.
fn bound_now(bound: Bound, policy: &mut Policy) -> Bound {
    if bound.digest.is_some() {
        return bound;
    }
    let now = policy.files.entry(bound.path.clone()).or_insert_with(|| "as they are".to_owned());
    Bound { digest: Some(now.clone()), ..bound }
}

/// Whether an action changes rules, not only what is shown of them.
fn changes_rules(action: Action) -> bool {
    use Action as A;
    matches!(
        action,
        A::AddRule
            | A::EditRule
            | A::Accept
            | A::CycleEffect
            | A::CyclePlace
            | A::DeleteRule
            | A::Save
    )
}

/// Whether a rule that cannot be edited here comes before those that can.
fn leads(policy: &Policy, rule: &Rule) -> bool {
    let is_last = policy.order.rules == policy::Order::LastMatch && rule.layer == Layer::Managed;
    rule.is_fixed() && !is_last
}

/// Whether a rule stands for unreadable settings that could be about every skill.
fn is_closing(rule: &Rule) -> bool {
    rule.is_alarm() && rule.tool == Tool::SkillLoad && rule.pattern == Pattern::Any
}

fn unreadable(rule: &Rule, what: &'static str) -> SafeText {
    let place = rule.origin.place().map(|(file, line)| {
        let name = file.file_name().map_or(file, Path::new);
        inert!(" ({}:{})", name, line)
    });
    inert!(
        "the settings cannot be read{}: {} denied until that is fixed",
        place.unwrap_or_default(),
        what
    )
}
