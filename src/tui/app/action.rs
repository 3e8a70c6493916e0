//! Every action of the picker, defined once.
//!
//! A row here makes the variant, its name in key settings, its line in the help screen and in
//! docs/keys.md, and its label in the hints. Its keys are in `assets/keymap.toml`.

use crate::words;

/// The group of an action in help and docs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    Move,
    Pick,
    /// Switching skills on and off, rules, undo.
    Change,
    Look,
    Query,
    Leave,
}

words!(
    Section,
    Move = "Move",
    Pick = "Mark and pick",
    Change = "Change",
    Look = "Look",
    Query = "Query",
    Leave = "Leave"
);

macro_rules! actions {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $section:ident, $help:literal, $hint:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action {
            $(#[doc = $help] $variant,)*
        }

        impl Action {
            /// Every action, in the order of the help screen.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name used in key settings.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// One line for help and documentation; a screen may have one of its own (`help_on`).
            pub fn help(self) -> &'static str {
                match self { $(Self::$variant => $help),* }
            }

            /// One or two words for the hints.
            pub fn hint(self) -> &'static str {
                match self { $(Self::$variant => $hint),* }
            }

            pub fn section(self) -> Section {
                match self { $(Self::$variant => Section::$section),* }
            }
        }
    };
}

actions! {
    Up, "up", Move, "one row up", "up";
    Down, "down", Move, "one row down", "down";
    PageUp, "page-up", Move, "one page up", "page";
    PageDown, "page-down", Move, "one page down", "page";
    First, "first", Move, "to the first row", "first";
    Last, "last", Move, "to the last row", "last";
    Left, "left", Move, "to the pane on the left, or back", "left";
    Right, "right", Move, "to the pane on the right, or open", "right";
    Next, "next", Move, "next match, problem or call", "next";
    Previous, "previous", Move, "previous match, problem or call", "previous";

    NextSkill, "next-skill", Move, "to the next skill of the list", "next skill";
    PreviousSkill, "previous-skill", Move, "to the skill before it in the list", "";

    MarkDown, "mark-down", Pick, "mark and step down", "mark";
    MarkUp, "mark-up", Pick, "mark and step up", "mark";
    Mark, "mark", Pick, "mark this skill, or take the mark away", "mark";
    MarkAll, "mark-all", Pick, "mark all that match, or unmark them", "mark all";
    Pick, "pick", Pick, "pick the marks in mark order, else the current row", "pick";
    Copy, "copy", Pick, "copy as name, mention, link, path or block", "copy";
    CopyCall, "copy-call", Pick, "copy the call, or the current line of its details", "copy";
    CopyPrompt, "copy-prompt", Pick, "copy a prompt by which an agent can mend this", "prompt";
    Submit, "submit", Pick, "in the dock: send, and press Enter in the agent's pane", "enter";

    Toggle, "toggle", Change, "turn the marked skills, else this one, on or off", "on/off";
    CycleState, "cycle-state", Change, "next state of this agent: on, name-only, user-only, off", "state";
    Share, "share", Change, "share the skill with this agent, or unshare it", "share";
    Rules, "rules", Change, "permission rules", "rules";
    AddRule, "add-rule", Change, "add a rule", "add";
    EditRule, "edit-rule", Change, "edit the rule's pattern", "edit";
    CycleEffect, "cycle-effect", Change, "next effect: deny, ask, allow", "effect";
    CyclePlace, "cycle-place", Change, "move the rule to the next settings file", "file";
    DeleteRule, "delete-rule", Change, "delete the rule", "delete";
    TestName, "test-name", Change, "test a name against the rules", "test";
    Save, "save", Change, "save", "save";
    Store, "store", Change, "store the list's current skill in the project", "add";
    Restore, "restore", Change, "take this version again; on a skill, the one before", "restore";
    DeleteStored, "delete-stored", Change, "delete the skill from the project; its versions stay", "delete";
    Choose, "choose", Change, "choose this finding; on a cause or skill, all of it", "choose";
    Mend, "mend", Change, "mend what is chosen, else this finding or cause", "mend";
    MendAll, "mend-all", Change, "mend all findings of this cause or skill", "mend all";
    NewSkill, "new-skill", Change, "a new skill here", "new";
    LinkSkills, "link-skills", Change, "link a folder of skills that you have", "link";
    KeepCopy, "keep-copy", Change, "keep this one; the others become links to it", "keep";
    Rename, "rename", Change, "give this one another name", "rename";
    Undo, "undo", Change, "undo the last change", "undo";
    Redo, "redo", Change, "make the change again", "redo";
    Accept, "accept", Change, "do it", "yes";

    Open, "open", Look, "open: the skill's files and text, or its copies", "open";
    Examples, "examples", Look, "browse the examples that come with skillpick, and back", "examples";
    Problems, "problems", Look, "mend: what hurts here, this skill first", "mend";
    Sort, "sort", Look, "by cause, or by skill", "by skill";
    Severity, "severity", Look, "show all problems, errors only, or warnings only", "severity";
    Hosts, "hosts", Look, "choose the agent whose view is shown", "agent";
    Activity, "activity", Look, "activity: what was loaded, read and run, and by whom", "activity";
    Project, "project", Look, "project: a team's skills in a store, and their versions", "project";
    Budget, "budget", Look, "budget: what skills take of the prompt, and what is cut", "budget";
    Window, "window", Look, "the next size of the context window", "window";
    Changes, "changes", Look, "changes: what was changed from here, undo and redo", "changes";
    Narrow, "narrow", Look, "only the calls of this skill, or all again", "this skill";
    ShowSkill, "show-skill", Look, "to this skill in the list", "show skill";
    Seen, "seen", Look, "seen by: what every agent makes of the skill", "seen by";
    Ask, "ask", Look, "ask the agents' own programs what else they have", "ask";
    Compose, "compose", Look, "compose: write a prompt, with skills in it", "compose";
    Target, "target", Look, "the next agent for the prompt", "target";
    Inject, "inject", Look, "the skills' texts before the prompt, or only their names", "inject text";
    Copies, "copies", Look, "copies: all skills of this name, side by side", "copies";
    Compare, "compare", Look, "difference from the other skill of the same name", "diff";
    PreviewUp, "preview-up", Look, "scroll the preview one line up", "";
    PreviewDown, "preview-down", Look, "scroll the preview one line down", "";
    PreviewPageUp, "preview-page-up", Look, "scroll the preview one page up", "";
    PreviewPageDown, "preview-page-down", Look, "scroll the preview one page down", "";
    PreviewMode, "preview-mode", Look, "preview: on the other side, raw, hidden", "preview";
    ColumnLeft, "column-left", Look, "to the column of the agent on the left, or to the row", "";
    ColumnRight, "column-right", Look, "to the column of the next agent", "column";
    Raw, "raw", Look, "raw or rendered", "raw";
    Numbers, "numbers", Look, "line numbers or none", "numbers";
    Wrap, "wrap", Look, "wrap long lines or not", "wrap";
    NextScope, "next-scope", Look, "next scope: all, repo, user, system", "scope";
    Edit, "edit", Look, "open in $EDITOR", "edit";
    Refresh, "refresh", Look, "scan again and redraw", "refresh";
    Mouse, "mouse", Look, "release the mouse to select text, or capture it again", "mouse";
    Help, "help", Look, "keys of this screen", "help";

    Find, "find", Query, "find in this text or list", "find";
    CursorLeft, "cursor-left", Query, "cursor one character left", "";
    CursorRight, "cursor-right", Query, "cursor one character right", "";
    CursorStart, "cursor-start", Query, "cursor to the start of the query", "";
    CursorEnd, "cursor-end", Query, "cursor to the end of the query", "";
    DeleteBack, "delete-back", Query, "delete the character before the cursor", "";
    DeleteForward, "delete-forward", Query, "delete the character under the cursor", "";
    DeleteWord, "delete-word", Query, "delete the word before the cursor", "";
    WordLeft, "word-left", Query, "cursor one word left", "";
    WordRight, "word-right", Query, "cursor one word right", "";
    SelectLeft, "select-left", Query, "select one character left", "";
    SelectRight, "select-right", Query, "select one character right", "";
    SelectUp, "select-up", Query, "select one row up", "";
    SelectDown, "select-down", Query, "select one row down", "";
    SelectAll, "select-all", Query, "select all", "";
    Newline, "newline", Query, "a new line", "line";
    Cut, "cut", Query, "cut the selection, else the line", "";
    PutBack, "put-back", Query, "put back what was cut", "";
    DeleteEnd, "delete-end", Query, "delete from the cursor to the end of the line", "";
    DeleteLine, "delete-line", Query, "delete from the start to the cursor", "";

    Back, "back", Leave, "back", "back";
    Abort, "abort", Leave, "leave now and print nothing (130)", "leave";
    Suspend, "suspend", Leave, "suspend", "";
}

impl Action {
    /// Finds the action by its name in key settings.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_read_back() {
        for action in Action::ALL {
            assert_eq!(Action::from_name(action.name()), Some(*action));
        }
    }

    #[test]
    fn help_has_each_section_once() {
        assert!(Action::ALL.is_sorted_by_key(|action| action.section()));
    }

    #[test]
    fn help_fits_a_row() {
        for action in Action::ALL {
            assert!(action.help().len() <= 60, "{}", action.help());
        }
    }
}
