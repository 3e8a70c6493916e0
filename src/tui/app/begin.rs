//! What a person without skills begins with: a line for the name of a new one, or for the folder
//! whose skills are linked.

use super::{Action, Line, MendRequest, State};
use crate::text::SafeText;

/// What stands behind a key that counts only while there is no skill.
pub const WITHOUT_SKILLS: &str = " (no skills)";

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeginWith {
    /// The name of a new skill.
    New,
    /// A folder with skills.
    Links,
}

/// The screen of the line.
#[derive(Debug)]
pub struct Begin {
    pub with: BeginWith,
    pub line: Line,
    /// Whether what is typed was asked for.
    pub(super) asked: bool,
}

impl Begin {
    pub fn new(with: BeginWith) -> Self {
        Self { with, line: Line::default(), asked: false }
    }

    /// The screen stays until the change is written, so that a name which is refused can be mended.
    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        match action {
            Action::Accept => {
                self.asked = !state.is_changing();
                let typed = self.line.text().trim().to_owned();
                state.plan_mend(match self.with {
                    BeginWith::New => MendRequest::New(typed),
                    BeginWith::Links => MendRequest::Links(typed),
                });
            }
            Action::Back => state.closing = true,
            _ => {}
        }
    }
}

impl State {
    /// Whether there is nothing to search for: no skill at all, though skills are switched on.
    pub fn has_no_skills(&self) -> bool {
        let switch = &self.viewed.policy.skills_enabled;
        self.viewed.complete && self.viewed.rows.is_empty() && switch.value
    }

    /// The key of an action while there is no skill, for a sentence.
    pub fn key_without_skills(&self, action: Action) -> SafeText {
        let bindings = self.options.bindings.iter();
        let keys = bindings.filter(|binding| binding.action == action).flat_map(|it| &it.keys);
        let bare = keys.filter_map(|key| key.as_str().strip_suffix(WITHOUT_SKILLS));
        bare.map(SafeText::clean).next().unwrap_or(SafeText::fixed(action.name()))
    }
}
