//! Help: the keys of the screen below, with a search. Enter runs a row.

use super::{Action, Binding, KeyTable, Line, ListPane, State};
use crate::inert;
use crate::text::{SafeText, width};
use ratatui::layout::{Position, Rect};

/// A row of the help screen.
#[derive(Clone, Copy, Debug)]
pub enum HelpRow<'a> {
    Key(&'a Binding),
    Word(&'static HelpWord),
}

/// A sign of the list, or a form of the query, and what it means.
#[derive(Clone, Copy, Debug)]
pub struct HelpWord {
    pub section: &'static str,
    pub word: &'static str,
    pub help: &'static str,
}

/// The most columns for the keys.
const KEYS: usize = 26;

/// The column after the sections, where the keys begin.
const SECTION: usize = 17;

/// The list above the whole text of the current row has at least so many rows.
const LEAST_LIST: u16 = 4;

/// A line, and a row of that text.
const LEAST_BELOW: u16 = 2;

const SIGNS: &str = "Signs";
const FILTERS: &str = "Query";

/// What stands in the list, and what the query understands.
const WORDS: &[HelpWord] = {
    const fn sign(word: &'static str, help: &'static str) -> HelpWord {
        HelpWord { section: SIGNS, word, help }
    }
    const fn filter(word: &'static str, help: &'static str) -> HelpWord {
        HelpWord { section: FILTERS, word, help }
    }
    &[
        sign("✓", "on: the agent lists it to its model"),
        sign("○", "off"),
        sign("◐", "in part: agents differ, or a state between on and off"),
        sign("≡", "shadowed: another skill of its name is taken"),
        sign("?", "which of a name is meant is chance, or needs the path"),
        sign("✗", "refused: the agent cannot read it"),
        sign("·", "the agent does not look in its folder"),
        sign("●", "marked"),
        sign("!", "it has warnings"),
        sign("⇉3", "the row stands for three skills of its name; → tells them apart"),
        sign("▓", "how much of the agent's limit its skills take"),
        filter("'word", "exactly this text"),
        filter("^word", "the name begins with it"),
        filter("!word", "not this"),
        filter("is:on", "the agent lists it"),
        filter("is:off", "switched off; through several agents, in one of them"),
        filter("is:invalid", "it has an error"),
        filter("is:marked", "marked here"),
        filter("is:shadowed", "another one of its name is taken"),
        filter("is:used", "in the log of calls"),
        filter("is:unused", "not in the log of calls"),
        filter("scope:repo", "whose it is: project, repo, user, system"),
        filter("host:codex", "this agent looks in its folder"),
        filter("perm:ask", "what a model may do: allow, ask, deny"),
        filter("tool:Bash", "it names this tool in allowed-tools"),
        filter("path:work", "its path has this text"),
    ]
};

impl HelpRow<'_> {
    /// The heading that it stands under.
    pub fn section(&self) -> &'static str {
        match self {
            Self::Key(binding) => binding.section().word(),
            Self::Word(row) => row.section,
        }
    }

    /// The keys or the word that it is about.
    pub fn keys(&self) -> SafeText {
        match self {
            Self::Key(binding) => SafeText::join(&binding.keys, "  "),
            Self::Word(row) => SafeText::fixed(row.word),
        }
    }

    pub fn help(&self) -> &'static str {
        match self {
            Self::Key(binding) => binding.help,
            Self::Word(row) => row.help,
        }
    }

    /// All of it, in rows of an area of this width.
    pub fn whole(&self, width: u16) -> Vec<SafeText> {
        let columns = usize::from(width).saturating_sub(2);
        inert!("{}  {}", self.keys(), self.help()).fold(columns)
    }

    /// What a search looks through.
    fn text(&self) -> String {
        match self {
            Self::Key(binding) => {
                let keys: String = binding.keys.iter().map(|key| format!(" {key}")).collect();
                let action = binding.action;
                format!("{} {} {}{keys}", action.name(), binding.help, binding.section().word())
            }
            Self::Word(row) => format!("{} {} {}", row.word, row.help, row.section),
        }
    }
}

/// Where the keys and their help begin. On a wide screen the sections come before them.
#[derive(Clone, Copy, Debug)]
pub struct HelpColumns {
    pub keys: usize,
    pub help: usize,
    width: usize,
}

impl HelpColumns {
    pub fn of(rows: &[HelpRow<'_>], width: usize) -> Self {
        let keys = if width >= 70 { SECTION } else { 2 };
        let widest = rows.iter().map(|row| row.keys().width()).max().unwrap_or_default();
        Self { keys, help: keys + widest.min(KEYS).min(width / 3) + 2, width }
    }

    pub fn has_sections(self) -> bool {
        self.keys == SECTION
    }

    /// The columns for the keys of a row.
    pub fn room(self) -> usize {
        self.help - self.keys - 2
    }

    fn cuts(self, row: &HelpRow<'_>) -> bool {
        // The last column may have the scroll bar.
        row.keys().width() > self.room() || self.help + width(row.help()) >= self.width
    }
}

#[derive(Debug)]
pub struct Help {
    pub table: KeyTable,
    pub query: Line,
    pub list: ListPane,
}

impl Help {
    pub fn new(table: KeyTable) -> Self {
        Self { table, query: Line::default(), list: ListPane::default() }
    }

    /// The matching keys, by section; in the picker also signs and filters.
    pub fn rows<'a>(&self, bindings: &'a [Binding]) -> Vec<HelpRow<'a>> {
        let words: Vec<String> =
            self.query.text().split_whitespace().map(str::to_lowercase).collect();
        let keys = bindings.iter().filter(|binding| binding.table == self.table).map(HelpRow::Key);
        let has_words = self.table == KeyTable::Picker;
        let others = WORDS.iter().filter(|_| has_words).map(HelpRow::Word);
        let matches = |row: &HelpRow<'_>| {
            let text = row.text().to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let mut keys: Vec<HelpRow<'_>> = keys.filter(matches).collect();
        keys.sort_by_key(|row| match row {
            HelpRow::Key(binding) => Some(binding.section()),
            HelpRow::Word(_) => None,
        });
        keys.extend(others.filter(matches));
        keys
    }

    /// The list and, where some row is cut, the rows below it for the whole text of the current one.
    pub fn areas(state: &State, rows: &[HelpRow<'_>]) -> (Rect, Option<Rect>) {
        let whole = state.whole().left;
        let columns = HelpColumns::of(rows, whole.width.into());
        // As many as the longest text needs, so that the list does not move under the cursor.
        let cut = rows.iter().filter(|row| columns.cuts(row));
        let Some(longest) = cut.map(|row| row.whole(whole.width).len()).max() else {
            return (whole, None);
        };
        let needed = u16::try_from(longest).unwrap_or(u16::MAX).saturating_add(1);
        let height = needed.min(whole.height.saturating_sub(LEAST_LIST));
        if height < LEAST_BELOW {
            return (whole, None);
        }
        let below = Rect { y: whole.bottom() - height, height, ..whole };
        (Rect { height: whole.height - height, ..whole }, Some(below))
    }

    fn list_area(&self, state: &State) -> Rect {
        Self::areas(state, &self.rows(&state.options.bindings)).0
    }

    pub(super) fn typed(&mut self, _state: &State) {
        self.list.reset();
    }

    pub(super) fn act(&mut self, action: Action, state: &mut State) {
        let count = self.rows(&state.options.bindings).len();
        if self.list.moves(action, self.list_area(state), count) {
            return;
        }
        match action {
            Action::Accept => self.run(state),
            Action::Back if !self.query.is_empty() => {
                self.query.clear();
                self.typed(state);
            }
            Action::Back | Action::Help => state.closing = true,
            _ => {}
        }
    }

    /// Closes, and runs the row's action on the screen below. A filter is put into the query.
    fn run(&self, state: &mut State) {
        match self.rows(&state.options.bindings).get(self.list.cursor) {
            Some(HelpRow::Key(binding)) => super::update::act(state, binding.action),
            Some(HelpRow::Word(row)) if row.section == FILTERS => {
                state.picker.query.end();
                let space = if state.picker.query.is_empty() { "" } else { " " };
                state.picker.query.insert(&format!("{space}{}", row.word));
                super::update::retype(state);
            }
            Some(HelpRow::Word(_)) => return,
            None => {}
        }
        state.closing = true;
    }

    pub(super) fn clicked(&mut self, place: Position, twice: bool, state: &mut State) {
        let count = self.rows(&state.options.bindings).len();
        if self.list.opens(place, twice, self.list_area(state), count) {
            self.run(state);
        }
    }

    pub(super) fn follow(&mut self, state: &State) {
        let count = self.rows(&state.options.bindings).len();
        self.list.follow(self.list_area(state), count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Query;
    use crate::tui::app::Section;

    #[test]
    fn a_section_stands_together_and_fits_its_screen() {
        for table in KeyTable::ALL {
            let bindings: Vec<Binding> = Action::ALL
                .iter()
                .filter_map(|action| {
                    let help = action.help_on(table)?;
                    Some(Binding { table, keys: Vec::new(), action: *action, help })
                })
                .collect();
            let help = Help::new(table);
            let rows = help.rows(&bindings);
            let keys = rows.iter().filter(|row| matches!(row, HelpRow::Key(_)));
            let mut sections: Vec<&str> = keys.map(HelpRow::section).collect();
            sections.dedup();
            let mut once = sections.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), sections.len(), "{table:?}: {sections:?}");
        }
        let of = |action: Action| action.section_on(KeyTable::Detail);
        assert_eq!([of(Action::MarkDown), of(Action::Accept)], [Section::Move, Section::Look]);
        assert_eq!(Action::Accept.section_on(KeyTable::Confirm), Section::Change);
    }

    #[test]
    fn every_filter_is_one_that_the_query_understands() {
        for row in WORDS.iter().filter(|row| row.section == FILTERS) {
            let query = Query::parse(row.word);
            assert!(query.problems.is_empty() && !query.is_empty(), "{}", row.word);
        }
        for value in ["on", "off", "invalid", "marked", "shadowed", "used", "unused"] {
            assert!(WORDS.iter().any(|row| row.word == format!("is:{value}")), "{value}");
        }
    }
}
