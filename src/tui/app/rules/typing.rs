//! The input line for a pattern or for a name to test.

use super::{Rules, RulesMode};
use crate::catalog::Permission;
use crate::inert;
use crate::policy::{Bound, Layer, Origin, Pattern, PatternError, Rule, Tool};
use crate::text::SafeText;
use crate::tui::app::{Action, Line, Notice, State};

impl Rules {
    pub(super) fn add(&mut self, state: &State) {
        // A new rule begins with the strictest effect on the picker's current skill.
        let order = state.viewed.policy.order;
        let current = state.current();
        let bound = current
            .filter(|_| order.bound)
            .map(|entry| Bound { path: entry.skill.path.clone(), digest: None });
        let named = current.and_then(|entry| order.forms.read(&order.name_of(&entry.skill)).ok());
        let named = named.filter(|pattern| matches!(pattern, Pattern::Exact(_)));
        let bound = bound.filter(|_| named.is_some());
        let pattern = named.unwrap_or(Pattern::Any);
        let layer = state.viewed.files.rules.first().map_or(Layer::User, |(layer, _)| *layer);
        let new = Rule::loading(pattern.clone(), Permission::Deny, Origin::Default, layer);
        let draft = Rule { bound, ..new };
        let at = self.drafts.len();
        self.change(state, |drafts| drafts.push(draft));
        self.list.cursor = at;
        self.type_pattern(pattern, true);
    }

    pub(super) fn edit(&mut self) {
        if let Some(draft) = self.drafts.get(self.list.cursor) {
            self.type_pattern(draft.pattern.clone(), false);
        }
    }

    fn type_pattern(&mut self, before: Pattern, fresh: bool) {
        let text = before.text().unwrap_or_default();
        let line = if fresh { Line::suggesting(&text) } else { Line::new(&text) };
        self.mode = RulesMode::Pattern { line, before, fresh };
    }

    pub(super) fn act_on_line(&mut self, action: Action, state: &mut State) {
        match action {
            Action::Accept => self.accept_line(state),
            Action::Back => self.cancel_line(state),
            _ => {}
        }
    }

    fn accept_line(&mut self, state: &mut State) {
        if let RulesMode::Pattern { line, before, fresh } = &self.mode {
            let typed = match read(line, state) {
                Ok(pattern) => pattern,
                Err(error) => {
                    let why = SafeText::line(&error.to_string());
                    return state.say(Notice::grave(inert!("not a pattern: {}", why)));
                }
            };
            if typed != *before {
                let mut earlier = self.drafts.clone();
                if let Some(draft) = earlier.get_mut(self.list.cursor) {
                    draft.pattern.clone_from(before);
                }
                self.history.push(earlier);
            }
            if let Some(draft) = self.drafts.get_mut(self.list.cursor) {
                // A new rule is about the skill that it began with, unless another name is typed.
                draft.bound = draft.bound.take().filter(|_| !fresh || typed == *before);
                draft.pattern = typed;
            }
            self.sayable(state);
            self.weigh(state);
        }
        self.mode = RulesMode::List;
    }

    /// A rule whose effect the host does not have with its new pattern denies.
    fn sayable(&mut self, state: &mut State) {
        let Some(draft) = self.drafts.get_mut(self.list.cursor) else { return };
        let lack = state.viewed.policy.order.forms.lack(draft.effect, &draft.pattern);
        let Some(what) = lack else { return };
        draft.effect = Permission::Deny;
        let why = inert!("the rule denies: {} does not have {}", state.options.host, what);
        state.say(Notice::neutral(why));
    }

    fn cancel_line(&mut self, state: &State) {
        if let RulesMode::Pattern { before, fresh, .. } = &self.mode {
            let (before, fresh) = (before.clone(), *fresh);
            if fresh {
                self.drafts = self.history.pop().unwrap_or_default();
                self.list.cursor = self.list.cursor.min(self.drafts.len().saturating_sub(1));
            } else if let Some(draft) = self.drafts.get_mut(self.list.cursor) {
                draft.pattern = before;
            }
            self.weigh(state);
        }
        self.mode = RulesMode::List;
    }

    /// The pattern takes effect while it is typed, so that the right pane shows its effects.
    pub(in crate::tui::app) fn typed(&mut self, state: &State) {
        if let RulesMode::Pattern { line, .. } = &self.mode
            && let Ok(typed) = read(line, state)
        {
            if let Some(draft) = self.drafts.get_mut(self.list.cursor) {
                draft.pattern = typed;
            }
            self.weigh(state);
        }
    }

    /// The verdict of the unsaved rules on the tested name, and what decides it.
    pub fn test(&self, state: &State) -> Option<(Permission, SafeText)> {
        let RulesMode::Test { line } = &self.mode else { return None };
        let name = line.text().trim();
        if name.is_empty() {
            return None;
        }
        let policy = self.policy(state);
        Some(match policy.decider(Tool::SkillLoad, &policy.named(name), None) {
            Some(number) => {
                let (rule, draft) = (&policy.rules[number], self.draft_of_rule(state, number));
                let why = match draft {
                    Some(draft) => inert!("rule {}", draft + 1),
                    None if rule.is_alarm() => SafeText::fixed("broken settings"),
                    None => SafeText::line(rule.origin.text()),
                };
                (rule.effect, why)
            }
            None => (policy.defaults.load.value, SafeText::fixed("default")),
        })
    }
}

/// The typed pattern; nothing means every skill.
fn read(line: &Line, state: &State) -> Result<Pattern, PatternError> {
    match line.text().trim() {
        "" => Ok(Pattern::Any),
        typed => state.viewed.policy.order.forms.read(typed),
    }
}
