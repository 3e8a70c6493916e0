//! The sets of keys, and what decides which of them a key is looked up in.

use super::{Action, State};
use crate::text::SafeText;
use crate::words;

/// The set of keys that is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyTable {
    /// Printable keys are the query.
    Picker,
    Detail,
    Problems,
    Rules,
    /// Printable keys are its query.
    Help,
    Confirm,
    Copy,
    Hosts,
    Seen,
    Compare,
    Activity,
    Project,
    Changes,
    Budget,
    Prefer,
    Copies,
    /// Printable keys are the prompt.
    Compose,
    /// An input line in a screen whose keys are commands.
    Typing,
}

words!(
    KeyTable,
    Picker = "picker",
    Detail = "detail",
    Problems = "problems",
    Rules = "rules",
    Help = "help",
    Confirm = "confirm",
    Copy = "copy",
    Hosts = "hosts",
    Seen = "seen",
    Compare = "compare",
    Activity = "activity",
    Project = "project",
    Changes = "changes",
    Budget = "budget",
    Prefer = "prefer",
    Copies = "copies",
    Compose = "compose",
    Typing = "typing",
);

impl KeyTable {
    /// Whether printable keys are text.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Picker | Self::Help | Self::Compose | Self::Typing)
    }
}

/// What decides the meaning of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The set of keys that is active.
    pub table: KeyTable,
    pub empty: bool,
    /// The cursor is behind the last character.
    pub at_end: bool,
    /// There is no skill at all, and nothing is typed.
    pub bare: bool,
}

/// A key and what it does, for help and hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub table: KeyTable,
    /// The keys as people write them, the preferred one first: `^x`, `Space ∅`.
    pub keys: Vec<SafeText>,
    pub action: Action,
    pub help: &'static str,
}

impl State {
    pub fn context(&self) -> Context {
        match self.screens.last() {
            Some(screen) => screen.context(),
            None => {
                let query = &self.picker.query;
                let empty = query.is_empty();
                let bare = empty && self.has_no_skills();
                Context { table: KeyTable::Picker, empty, at_end: query.at_end(), bare }
            }
        }
    }

    /// The preferred key of an action on a table.
    pub fn key_of(&self, table: KeyTable, action: Action) -> Option<&SafeText> {
        let bound = |binding: &&Binding| binding.table == table && binding.action == action;
        self.options.bindings.iter().find(bound).and_then(|binding| binding.keys.first())
    }

    /// The key of an action for a sentence; if it has none, the action's name in key settings.
    pub fn key_word(&self, table: KeyTable, action: Action) -> SafeText {
        self.key_of(table, action).cloned().unwrap_or(SafeText::fixed(action.name()))
    }
}
