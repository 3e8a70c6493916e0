//! Help lines of single screens, if the action's own line is not true there.

use super::{Action, Binding, KeyTable, Section};

/// The action does nothing on that screen, so help does not list its key.
const NOTHING: &str = "";

/// The screens that have no search of their own.
const FINDLESS: &[KeyTable] = {
    use KeyTable as L;
    &[
        L::Rules,
        L::Confirm,
        L::Copy,
        L::Hosts,
        L::Seen,
        L::Compare,
        L::Project,
        L::Changes,
        L::Budget,
        L::Prefer,
        L::Copies,
    ]
};

/// The lists in which the keys for the next and the previous match only step.
const STEPPING: &[KeyTable] = {
    use KeyTable as L;
    &[L::Rules, L::Copy, L::Hosts, L::Seen, L::Project, L::Changes, L::Budget, L::Prefer, L::Copies]
};

/// Each line is true of these actions on each of these screens.
const LINES: &[(&[KeyTable], &[Action], &str)] = {
    use Action as A;
    use KeyTable as L;
    &[
        (&[L::Picker], &[A::Back], "clear the query, else leave and print nothing (130)"),
        (&[L::Detail], &[A::Left], "to the list of files, or back"),
        (&[L::Detail], &[A::Right], "to the text"),
        (&[L::Detail], &[A::Accept], "follow the link; fold the folder; else to the text"),
        (&[L::Detail], &[A::Back], "back from a link, else to the list"),
        (&[L::Detail], &[A::MarkDown, A::MarkUp], "to the other pane"),
        (&[L::Detail], &[A::Pick], "pick this skill, or the marks"),
        (&[L::Detail], &[A::Next], "next link or match"),
        (&[L::Detail], &[A::Previous], "previous link or match"),
        (&[L::Detail], &[A::Copy], "copy the skill as name, mention, link, path or block"),
        (&[L::Detail], &[A::Toggle], "turn the skill on or off"),
        (&[L::Detail], &[A::Activity], "activity of this skill"),
        (&[L::Detail], &[A::PreviewUp], "scroll the text one line up"),
        (&[L::Detail], &[A::PreviewDown], "scroll the text one line down"),
        (&[L::Detail], &[A::PreviewPageUp], "scroll the text one page up"),
        (&[L::Detail], &[A::PreviewPageDown], "scroll the text one page down"),
        (&[L::Detail], &[A::Edit], "open the file in $EDITOR"),
        (&[L::Detail], &[A::Find], "find in the text"),
        (
            &[L::Rules, L::Hosts, L::Seen, L::Compare, L::Changes, L::Budget, L::Prefer, L::Copies],
            &[A::Left],
            "back",
        ),
        (&[L::Budget], &[A::Accept, A::Right], "open the skill"),
        (
            &[L::Prefer],
            &[A::Accept, A::Right],
            "pick for this agent, and remember it for this repository",
        ),
        (&[L::Copies], &[A::Accept, A::Right], "open the skill"),
        (&[L::Copies], &[A::Toggle], "turn this one on or off"),
        (&[L::Copies], &[A::Pick], "pick this one"),
        (&[L::Copies], &[A::Compare], "difference from the first one"),
        (&[L::Copies], &[A::Edit], "open the file in $EDITOR"),
        (&[L::Budget], &[A::Toggle], "turn the skill off for this agent"),
        (&[L::Problems], &[A::Left], "fold, or back"),
        (&[L::Problems], &[A::Right, A::Accept], "unfold; to the skill in the list; open settings"),
        (&[L::Problems], &[A::Next], "next problem or match"),
        (&[L::Problems], &[A::Previous], "previous problem or match"),
        (&[L::Problems], &[A::Edit], "open the file at that line in $EDITOR"),
        (&[L::Problems], &[A::Find], "find in the list"),
        (&[L::Rules, L::Confirm, L::Copy, L::Compare], &[A::Right], NOTHING),
        (FINDLESS, &[A::Find], NOTHING),
        (STEPPING, &[A::Next], "one row down"),
        (STEPPING, &[A::Previous], "one row up"),
        (&[L::Rules], &[A::Undo], "undo unsaved edits, then the last change"),
        (&[L::Rules], &[A::PreviewUp], "scroll the effects one line up"),
        (&[L::Rules], &[A::PreviewDown], "scroll the effects one line down"),
        (&[L::Rules], &[A::PreviewPageUp], "scroll the effects one page up"),
        (&[L::Rules], &[A::PreviewPageDown], "scroll the effects one page down"),
        (&[L::Rules], &[A::Save], "save the rules"),
        (&[L::Rules], &[A::Back], "back; once more to discard unsaved rules"),
        (&[L::Confirm], &[A::Accept], "write it"),
        (&[L::Confirm], &[A::CyclePlace], "the next settings file: user, local, project"),
        (&[L::Confirm], &[A::Back], "write nothing"),
        (&[L::Confirm, L::Compare], &[A::Up], "scroll one line up"),
        (&[L::Confirm, L::Compare], &[A::Down], "scroll one line down"),
        (&[L::Confirm, L::Compare], &[A::PageUp], "scroll one page up"),
        (&[L::Confirm, L::Compare], &[A::PageDown], "scroll one page down"),
        (&[L::Confirm, L::Compare], &[A::First], "to the start"),
        (&[L::Confirm, L::Compare], &[A::Last], "to the end"),
        (&[L::Confirm, L::Copy], &[A::Left], NOTHING),
        (&[L::Confirm, L::Compare], &[A::Previous], NOTHING),
        (&[L::Confirm], &[A::Undo, A::Changes], NOTHING),
        (&[L::Copy], &[A::Accept], "copy in this form"),
        (&[L::Hosts, L::Seen], &[A::Accept, A::Right], "show what this agent sees"),
        (&[L::Seen], &[A::Toggle], "turn the skill on or off for this agent"),
        (&[L::Compare], &[A::Accept, A::Next], NOTHING),
        (&[L::Activity], &[A::Accept], "show or hide the details of the call"),
        (&[L::Activity], &[A::Right], "show the details of the call"),
        (&[L::Activity], &[A::Left], "hide the details, or back"),
        (&[L::Activity], &[A::Next], "next call or match"),
        (&[L::Activity], &[A::Previous], "previous call or match"),
        (&[L::Activity], &[A::Find], "find in the log"),
        (
            &[L::Project],
            &[A::Accept, A::Right],
            "show or hide the history; on a change, its difference",
        ),
        (&[L::Changes], &[A::Accept, A::Right, A::Compare], "show what it changed"),
        (&[L::Changes], &[A::Undo], "undo this change"),
        (&[L::Project], &[A::Left], "hide the history, or back"),
        (&[L::Project], &[A::Edit], "edit the text in $EDITOR, and store it"),
        (&[L::Project], &[A::Compare], "difference from the file of this name, or from a version"),
        (&[L::Project], &[A::Undo], "undo your last change in the project"),
        (&[L::Help], &[A::Accept], "do this"),
        (&[L::Help], &[A::Back], "clear what is typed, else back"),
        (&[L::Compose], &[A::Accept], "take the skill that is named or chosen; else send"),
        (&[L::Compose], &[A::Target], "take the offered skill; else the next agent for the prompt"),
        (&[L::Compose], &[A::Back], "close the completion; else leave, and keep the draft"),
        (&[L::Compose], &[A::Up], "one row up; in an empty prompt, what was sent before"),
        (&[L::Compose], &[A::Down], "one row down; in the history, the newer prompt"),
        (&[L::Compose], &[A::First], "to the start of the prompt"),
        (&[L::Compose], &[A::Last], "to the end of the prompt"),
        (&[L::Compose], &[A::Edit], "write the prompt in $EDITOR; skills stay skills"),
        (&[L::Compose], &[A::Undo], "take the last edit back"),
        (&[L::Compose], &[A::Redo], "make it again"),
        (&[L::Compose], &[A::CursorStart], "cursor to the start of the line"),
        (&[L::Compose], &[A::CursorEnd], "cursor to the end of the line"),
        (
            &[L::Compose],
            &[A::DeleteBack],
            "delete the selection, else the character or skill before",
        ),
        (&[L::Typing], &[A::Accept], "accept what is typed"),
        (&[L::Typing], &[A::Back], "discard what is typed"),
    ]
};

impl Action {
    /// The help line on this screen; `None` if the action does nothing there.
    pub fn help_on(self, table: KeyTable) -> Option<&'static str> {
        let is_own = |(screens, actions, _): &&(&[KeyTable], &[Action], _)| {
            screens.contains(&table) && actions.contains(&self)
        };
        let own = LINES.iter().find(is_own);
        let line = own.map_or(self.help(), |(.., line)| *line);
        (line != NOTHING).then_some(line)
    }

    /// The group in the help of this screen.
    pub fn section_on(self, table: KeyTable) -> Section {
        use KeyTable as L;
        match table {
            L::Detail if matches!(self, Self::MarkDown | Self::MarkUp) => Section::Move,
            L::Copy | L::Prefer | L::Compose if self == Self::Accept => Section::Pick,
            L::Confirm | L::Rules | L::Typing => self.section(),
            _ if self == Self::Accept => Section::Look,
            _ => self.section(),
        }
    }
}

impl Binding {
    /// The group in the help of its screen.
    pub fn section(&self) -> Section {
        self.action.section_on(self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_there_once_says_something_of_its_own_and_fits() {
        for (tables, actions, line) in LINES {
            assert!(line.len() <= 60, "{line}");
            for (table, action) in
                tables.iter().flat_map(|table| actions.iter().map(move |action| (table, action)))
            {
                assert_ne!(*line, action.help(), "{table:?} {action:?}");
                let same = LINES.iter().filter(|(tables, actions, _)| {
                    tables.contains(table) && actions.contains(action)
                });
                assert_eq!(same.count(), 1, "{table:?} {action:?} is there twice");
            }
        }
    }

    #[test]
    fn what_does_nothing_on_a_screen_has_no_line_there() {
        assert_eq!(Action::Find.help_on(KeyTable::Seen), None);
        assert_eq!(Action::MarkDown.help_on(KeyTable::Detail), Some("to the other pane"));
        assert_eq!(Action::Back.help_on(KeyTable::Seen), Some("back"));
        assert_eq!(Action::Find.help_on(KeyTable::Problems), Some("find in the list"));
    }
}
