//! Turns keys into actions.
//!
//! The keys are in `assets/keymap.toml`, and settings can override them. This room reads both,
//! reports errors in them, says what a key means in a context, and lists all bindings for help,
//! hints and docs.

mod chord;

pub use chord::Chord;

use super::app::{Action, Binding, Context, KeyTable, WITHOUT_SKILLS};
use crate::inert;
use crate::text::SafeText;
use toml_edit::Document;

/// The action that frees a key.
const NONE: &str = "none";

const BUILT_IN: &str = include_str!("../../../assets/keymap.toml");

/// The condition of a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    Empty,
    AtEnd,
    Bare,
}

impl When {
    fn holds(self, context: Context) -> bool {
        match self {
            Self::Always => true,
            Self::Empty => context.empty,
            Self::AtEnd => context.at_end,
            Self::Bare => context.bare,
        }
    }
}

/// The names of the tables of the keymap.
fn tables() -> Vec<&'static str> {
    let tables = KeyTable::ALL.into_iter().map(KeyTable::word);
    tables.chain(["picker-empty", "picker-end", "picker-none", "modal"]).collect()
}

/// For which screens a table of the keymap file is, and under which condition: most are for the one
/// of their name.
fn table_of(name: &str) -> Option<(Vec<KeyTable>, When)> {
    Some(match name {
        "picker-empty" => (vec![KeyTable::Picker], When::Empty),
        "picker-end" => (vec![KeyTable::Picker], When::AtEnd),
        "picker-none" => (vec![KeyTable::Picker], When::Bare),
        "modal" => {
            (KeyTable::ALL.into_iter().filter(|table| !table.takes_text()).collect(), When::Always)
        }
        name => (vec![KeyTable::from_word(name)?], When::Always),
    })
}

#[derive(Clone, Debug)]
struct Row {
    table: KeyTable,
    when: When,
    chord: Chord,
    action: Action,
}

/// An error in a key setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyProblem {
    #[error("there is no screen of this name")]
    Table,
    #[error("a terminal sends no such key; write it as `ctrl-x`, `alt-x`, `shift-up`, `f3` or `?`")]
    Key,
    #[error("there is no action of this name")]
    Action,
}

impl KeyProblem {
    /// Of a binding, given as (table, key, action), the wrong word.
    pub fn word<'a>(self, (table, key, action): (&'a str, &'a str, &'a str)) -> &'a str {
        match self {
            Self::Table => table,
            Self::Key => key,
            Self::Action => action,
        }
    }

    /// The words that are known in its place; empty for a key, of which there are too many.
    pub fn known(self) -> Vec<&'static str> {
        match self {
            Self::Table => tables(),
            Self::Key => Vec::new(),
            Self::Action => Action::ALL.iter().map(|action| action.name()).chain([NONE]).collect(),
        }
    }
}

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Action(Action),
    Text(char),
    Nothing,
}

#[derive(Clone, Debug)]
pub struct Keymap {
    rows: Vec<Row>,
}

impl Default for Keymap {
    fn default() -> Self {
        let mut keymap = Self { rows: Vec::new() };
        if let Ok(document) = Document::parse(BUILT_IN) {
            for (table, keys) in document.iter() {
                for (key, action) in keys.as_table().into_iter().flat_map(|keys| keys.iter()) {
                    // A test checks that every row is bound.
                    let _ = keymap.bind(table, key, action.as_str().unwrap_or_default());
                }
            }
        }
        keymap
    }
}

impl Keymap {
    /// Binds a key in a table, replacing an older binding; the action `none` removes it.
    ///
    /// # Errors
    /// What of table, key and action is unknown; nothing changes then.
    pub fn bind(&mut self, table: &str, key: &str, action: &str) -> Result<(), Vec<KeyProblem>> {
        let of_table = table_of(table).ok_or(KeyProblem::Table);
        let chord = Chord::read(key).ok_or(KeyProblem::Key);
        let action = match action {
            NONE => Ok(None),
            name => Action::from_name(name).map(Some).ok_or(KeyProblem::Action),
        };
        let ((tables, when), chord, action) = match (of_table, chord, action) {
            (Ok(of_table), Ok(chord), Ok(action)) => (of_table, chord, action),
            (of_table, chord, action) => {
                let wrong = [of_table.err(), chord.err(), action.err()];
                return Err(wrong.into_iter().flatten().collect());
            }
        };
        for table in tables {
            self.rows.retain(|row| !(row.table == table && row.when == when && row.chord == chord));
            self.rows.extend(action.map(|action| Row { table, when, chord, action }));
        }
        Ok(())
    }

    /// What a key means. A binding with a condition wins over one without.
    pub fn meaning(&self, context: Context, chord: Chord) -> Meaning {
        let bound = self.rows.iter().filter(|row| row.table == context.table && row.chord == chord);
        let best =
            bound.filter(|row| row.when.holds(context)).max_by_key(|row| row.when != When::Always);
        match (best, chord.character()) {
            (Some(row), _) => Meaning::Action(row.action),
            (None, Some(character)) if context.table.takes_text() => Meaning::Text(character),
            _ => Meaning::Nothing,
        }
    }

    /// All actions of all tables in which they do something, with their keys, in the order of
    /// [`Action::ALL`].
    pub fn bindings(&self, ascii: bool) -> Vec<Binding> {
        let mut bindings = Vec::new();
        for table in KeyTable::ALL {
            for action in Action::ALL {
                let rows =
                    self.rows.iter().filter(|row| row.table == table && row.action == *action);
                let keys: Vec<SafeText> = rows.map(|row| label(row, ascii)).collect();
                if let Some(help) = action.help_on(table).filter(|_| !keys.is_empty()) {
                    bindings.push(Binding { table, keys, action: *action, help });
                }
            }
        }
        bindings
    }

    /// The words of key settings for docs/keys.md: the screens and the actions.
    pub fn words() -> String {
        let screens: Vec<String> = tables().iter().map(|name| format!("`{name}`")).collect();
        let screens = screens.join(" ");
        let actions = Action::ALL.iter().map(|action| (action.name(), action.help()));
        let rows = actions.chain([(NONE, "nothing: frees the key")]);
        let rows: String = rows.map(|(name, help)| format!("| `{name}` | {help} |\n")).collect();
        format!("| screens |\n|---|\n| {screens} |\n\n| action | does |\n|---|---|\n{rows}")
    }

    /// The tables of docs/keys.md: the picker's keys, the keys that most screens share, and each
    /// screen's own.
    pub fn markdown(&self) -> String {
        let bindings = self.bindings(false);
        let of = |table: KeyTable| bindings.iter().filter(move |binding| binding.table == table);
        let same =
            |one: &Binding, other: &Binding| (one.action, one.help) == (other.action, other.help);
        // A binding that most screens have is listed once; the tables of the other screens list the
        // difference.
        let shared = |binding: &Binding, key: &SafeText| {
            let has = |table: KeyTable| of(table).find(|other| other.keys.contains(key));
            let all: Vec<_> = SCREENS.iter().filter_map(|(table, _)| has(*table)).collect();
            let alike = all.iter().filter(|other| same(binding, other)).count();
            all.len() == SCREENS.len() && alike > SCREENS.len() / 2
        };
        let mut text = rows_of("In the picker", of(KeyTable::Picker), |_, _| true);
        text.push_str(&rows_of(
            "In every other screen, where its own table says nothing else",
            SCREENS.iter().flat_map(|(table, _)| of(*table)),
            shared,
        ));
        // A question shares too little to count among the screens.
        let question = (KeyTable::Confirm, "In the question before a change");
        let compose = (KeyTable::Compose, "In compose");
        for (table, title) in SCREENS.into_iter().chain([question, compose]) {
            text.push_str(&rows_of(title, of(table), |binding, key| !shared(binding, key)));
        }
        text.push_str(
            "`∅` means: while nothing is typed. `→` opens when the cursor is at the query's end.\n",
        );
        text
    }
}

/// The screens that have a table of their own keys.
const SCREENS: [(KeyTable, &str); 11] = [
    (KeyTable::Detail, "In the detail screen"),
    (KeyTable::Problems, "In the mend screen"),
    (KeyTable::Rules, "In the rules screen"),
    (KeyTable::Hosts, "In the list of agents"),
    (KeyTable::Seen, "In the screen *seen by*"),
    (KeyTable::Compare, "In the difference of two copies"),
    (KeyTable::Activity, "In the log of calls"),
    (KeyTable::Project, "In the project screen"),
    (KeyTable::Changes, "In the list of changes"),
    (KeyTable::Budget, "In the budget"),
    (KeyTable::Copies, "In the copies of a skill"),
];

/// A table of the wanted keys; empty if there are none.
fn rows_of<'a>(
    title: &str,
    bindings: impl Iterator<Item = &'a Binding>,
    wanted: impl Fn(&Binding, &SafeText) -> bool,
) -> String {
    // Keys that do the same share a row.
    let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
    for binding in bindings {
        let at = lines.iter().position(|(help, _)| *help == binding.help).unwrap_or_else(|| {
            lines.push((binding.help, Vec::new()));
            lines.len() - 1
        });
        for key in
            binding.keys.iter().filter(|key| wanted(binding, key)).map(|key| format!("`{key}`"))
        {
            if !lines[at].1.contains(&key) {
                lines[at].1.push(key);
            }
        }
    }
    lines.retain(|(_, keys)| !keys.is_empty());
    let rows: String =
        lines.iter().map(|(help, keys)| format!("| {} | {help} |\n", keys.join(" "))).collect();
    match rows.is_empty() {
        true => rows,
        false => format!("**{title}**\n\n| key | does |\n|---|---|\n{rows}\n"),
    }
}

fn label(row: &Row, ascii: bool) -> SafeText {
    let label = row.chord.label(ascii);
    match row.when {
        When::Bare => inert!("{}{}", label, WITHOUT_SKILLS),
        When::Empty => inert!("{}{}", label, if ascii { " (empty)" } else { " ∅" }),
        When::Always | When::AtEnd => label,
    }
}

/// The built-in keys, overridden by settings, given as (table, key, action).
///
/// Also returns the errors, by the index of their row, which may have several. The other rows are
/// bound.
pub fn with_settings<'a>(
    rows: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
) -> (Keymap, Vec<(usize, KeyProblem)>) {
    let mut keymap = Keymap::default();
    let mut problems = Vec::new();
    for (index, (table, key, action)) in rows.enumerate() {
        let wrong = keymap.bind(table, key, action).err().unwrap_or_default();
        problems.extend(wrong.into_iter().map(|problem| (index, problem)));
    }
    (keymap, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(table: KeyTable, empty: bool, at_end: bool) -> Context {
        Context { table, empty, at_end, bare: false }
    }

    fn meaning(keymap: &Keymap, context: Context, key: &str) -> Meaning {
        keymap.meaning(context, Chord::read(key).unwrap())
    }

    #[test]
    fn every_built_in_row_is_bound() {
        let rows = BUILT_IN.lines().filter(|line| line.starts_with('"')).count();
        let shared = BUILT_IN.split("[modal]").nth(1).unwrap().split("\n[").next().unwrap();
        let shared = shared.lines().filter(|line| line.starts_with('"')).count();
        // `enter` in rules, `n` in confirm and `alt-z` in changes, and nothing else, replace a row
        // of the shared table.
        assert_eq!(Keymap::default().rows.len(), rows - shared + shared * 14 - 3);
    }

    #[test]
    fn a_screen_says_only_of_its_own_keys_what_they_do_there() {
        let keymap = Keymap::default();
        for table in KeyTable::ALL {
            for action in
                Action::ALL.iter().filter(|action| action.help_on(table) != Some(action.help()))
            {
                let bound =
                    keymap.rows.iter().any(|row| row.table == table && row.action == *action);
                assert!(bound, "{table:?} {action:?} has no key");
            }
        }
    }

    #[test]
    fn conditions_stand_above_plain_bindings() {
        let keymap = Keymap::default();
        let empty = context(KeyTable::Picker, true, true);
        let typed = context(KeyTable::Picker, false, true);
        let within = context(KeyTable::Picker, false, false);
        assert_eq!(meaning(&keymap, empty, "space"), Meaning::Action(Action::Toggle));
        assert_eq!(meaning(&keymap, typed, "space"), Meaning::Text(' '));
        assert_eq!(meaning(&keymap, typed, "?"), Meaning::Text('?'));
        assert_eq!(meaning(&keymap, typed, "right"), Meaning::Action(Action::Open));
        assert_eq!(meaning(&keymap, within, "right"), Meaning::Action(Action::CursorRight));
    }

    #[test]
    fn every_printable_key_is_text_in_the_picker() {
        let keymap = Keymap::default();
        for character in (' '..='~').chain(['é', '日']) {
            let key = if character == ' ' { "space".to_owned() } else { character.to_string() };
            assert_eq!(
                meaning(&keymap, context(KeyTable::Picker, false, true), &key),
                Meaning::Text(character)
            );
        }
    }

    #[test]
    fn letters_are_commands_in_modal_screens() {
        let keymap = Keymap::default();
        assert_eq!(
            meaning(&keymap, context(KeyTable::Detail, true, true), "j"),
            Meaning::Action(Action::Down)
        );
        assert_eq!(meaning(&keymap, context(KeyTable::Detail, true, true), "z"), Meaning::Nothing);
        assert_eq!(
            meaning(&keymap, context(KeyTable::Typing, true, true), "j"),
            Meaning::Text('j')
        );
    }

    #[test]
    fn settings_replace_and_free_keys_and_are_checked() {
        let rows = [
            ("picker", "ctrl-o", "none"),
            ("picker", "ctrl-g", "edit"),
            ("picker", "ctrl-h", "edit"),
            ("nope", "x", "edit"),
            ("modal", "x", "fly"),
            ("nope", "ctrl-foo", "fly"),
        ];
        let (keymap, problems) = with_settings(rows.into_iter());
        let picker = context(KeyTable::Picker, false, true);
        assert_eq!(meaning(&keymap, picker, "ctrl-o"), Meaning::Nothing);
        assert_eq!(meaning(&keymap, picker, "ctrl-g"), Meaning::Action(Action::Edit));
        let wrong: Vec<_> =
            problems.iter().map(|(index, problem)| (*index, problem.word(rows[*index]))).collect();
        let all =
            [(2, "ctrl-h"), (3, "nope"), (4, "fly"), (5, "nope"), (5, "ctrl-foo"), (5, "fly")];
        assert_eq!(wrong, all);
        assert!(KeyProblem::Table.known().contains(&"picker-empty"));
        assert!(KeyProblem::Action.known().contains(&"none"));
    }

    #[test]
    fn every_layer_can_be_left() {
        let keymap = Keymap::default();
        for table in KeyTable::ALL {
            let back = meaning(&keymap, context(table, true, true), "esc");
            assert_eq!(back, Meaning::Action(Action::Back), "{table:?}");
            assert_eq!(
                meaning(&keymap, context(table, true, true), "ctrl-c"),
                Meaning::Action(Action::Abort)
            );
        }
    }
}
