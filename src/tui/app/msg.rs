//! The messages to the model.

use super::{
    Action, ActivityLog, Budget, BudgetKey, ChangeAnswer, CopyRows, DiffKind, ExcerptKey,
    HostCounts, HostRow, KeptChange, Notice, PreviewKey, ProjectContent, Ranking, Recalled,
    StoredDraft, Timer,
};
use crate::catalog::risk::{Level, Rule};
use crate::catalog::{Draft, Enablement, Pane};
use crate::listing::Listing;
use crate::policy::{self, HostReport, Speech};
use crate::text::{Doc, SafeText};
use ratatui::layout::Position;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub enum Msg {
    Action(Action),
    /// A typed character.
    Text(char),
    /// A paste is one edit; its characters are never keys.
    Paste(String),
    Mouse(Mouse),
    /// The new number of columns and rows.
    Resize(u16, u16),
    /// A newer view of the catalog.
    Viewed(Box<Viewed>),
    /// A preview: first plain, then in colour.
    Previewed(PreviewKey, Result<Arc<Doc>, Unseen>),
    /// A skill's files and links.
    Learned(Arc<Path>, Result<Arc<Facts>, SafeText>),
    /// The lines around a problem.
    Excerpted(ExcerptKey, Result<Arc<Excerpt>, SafeText>),
    /// The ranking that was asked for with this number.
    Ranked(u64, Box<Ranking>),
    /// The rows for the completion that were asked for with this number.
    Completed(u64, Box<Ranking>),
    /// The draft and the prompts that were sent here.
    Recalled(Box<Recalled>),
    /// The prompt as the person's editor left it.
    PromptEdited(Box<Draft>),
    /// The panes in which agents run, or why that is not known.
    PanesFound(Result<Vec<Pane>, SafeText>),
    /// This prompt is in the agent's pane; in words.
    Delivered(Box<Draft>, SafeText),
    /// The prompt was not sent: why, and whether the same key sends it nevertheless.
    Unsent(SafeText, bool),
    /// The ranking that was asked for has failed.
    Unranked,
    /// Rows whose body has the words of the query with this generation.
    Bodies(u64, Vec<u32>),
    HostsFound(Arc<Vec<HostRow>>),
    /// What the hosts make of the skills of the view with this number.
    HostsCounted(u64, Arc<Vec<HostCounts>>),
    /// What every host makes of the view's skills.
    HostsReported(Arc<Vec<HostReport>>),
    /// The difference from another skill of the same name.
    Compared(SafeText, Result<Vec<(DiffKind, SafeText)>, SafeText>),
    /// What tells the skills of one name apart.
    CopiesRead(Arc<CopyRows>),
    /// The log of calls.
    ActivityRead(Arc<ActivityLog>),
    /// What became of the step of a change that was asked for with this number.
    Changed(u64, ChangeAnswer),
    /// The last mending was taken back.
    Unmended,
    /// What the project holds, or why that is not known.
    ProjectRead(Result<Arc<ProjectContent>, SafeText>),
    /// The editor that had this text of the project has ended. The text may be as it was.
    StoredEdited(StoredDraft),
    /// The changes of the journal, the newest first, or why they cannot be read.
    ChangesRead(Result<Arc<Vec<KeptChange>>, SafeText>),
    /// What an agent tells its model; `None` if the agent is not in the view.
    Budgeted(BudgetKey, Option<Arc<Budget>>),
    /// How that would be without this skill, in words.
    BudgetedWithout(BudgetKey, Arc<Path>, SafeText),
    /// A skill is shared with a host, or not any more.
    Shared(SafeText),
    /// The agents' own programs are being asked.
    Asking,
    /// They have answered.
    Asked,
    /// Words for the notice line: copied, edited, refused.
    Notice(Notice),
    /// A timer of [`Effect::Wait`] has expired.
    Waited(Timer),
}

/// A mouse event, in cells from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mouse {
    /// The left button was pressed.
    Click(Position),
    DoubleClick(Position),
    WheelUp(Position),
    WheelDown(Position),
    /// The left button is held, and the mouse has moved.
    Drag(Position),
}

/// A view of the catalog, with what the screens need to know of the settings. It never changes; a
/// newer view replaces it.
#[derive(Clone, Debug, Default)]
pub struct Viewed {
    pub listing: Listing,
    /// Errors in settings.
    pub alarms: Arc<Vec<SettingsAlarm>>,
    pub files: SettingsFiles,
    /// A number of its own for every view, so that a ranking of an older one is not reused.
    pub generation: u64,
}

impl Deref for Viewed {
    type Target = Listing;

    fn deref(&self) -> &Listing {
        &self.listing
    }
}

/// An error in settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsAlarm {
    /// File and line, from 1. `None` for an option or variable, which the words name.
    pub spot: Option<(PathBuf, u32)>,
    pub words: SafeText,
}

/// The host's settings files, and facts about the host for the screens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsFiles {
    /// Files for rules, the host's default first. Empty if the host has no rules.
    pub rules: Vec<(policy::Layer, PathBuf)>,
    /// The states of its switch.
    pub states: Vec<Enablement>,
    /// What the host does with several skills of one name.
    pub duplicates: &'static str,
    /// How a prompt mentions a skill, by an example.
    pub mention: SafeText,
    /// How skills are called in the prompt of the view's agent; `None` in a view through several.
    pub speech: Option<Speech>,
    /// The user file is broken, so nothing is written.
    pub read_only: bool,
}

/// Why there is no preview. The pane says it; it is never blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// Kind and size of a file that is no text.
    Binary(SafeText),
    /// The reason why the file cannot be read.
    Unreadable(SafeText),
    /// The file has been deleted.
    Gone,
}

/// A skill's files and links, read from its directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// In the order of the tree.
    pub files: Vec<FileRow>,
    /// Files beyond the limit.
    pub more_files: usize,
    /// Line and target.
    pub broken_links: Vec<(u32, SafeText)>,
    /// Links beyond the limit.
    pub unchecked_links: usize,
    /// Hidden or control characters in the `SKILL.md`, which are shown as marks.
    pub marks: usize,
    /// What the skill reaches; `None` until its files have been examined.
    pub risk: Option<RiskFacts>,
}

/// What a skill's text and scripts reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RiskFacts {
    /// The highest level; `None` if nothing was found.
    pub level: Option<Level>,
    /// The level in words, or why nothing is known.
    pub words: SafeText,
    /// Alarms first; each rule with its first places.
    pub rows: Vec<RiskFact>,
}

/// A row about what a skill reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RiskFact {
    pub rule: &'static Rule,
    /// File and line, or how many more places there are.
    pub place: SafeText,
}

/// A row of the file tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// Relative to the skill's directory.
    pub relative: PathBuf,
    pub name: SafeText,
    /// Depth below the skill's directory; 0 is directly in it.
    pub depth: usize,
    pub directory: bool,
    /// 0 for a directory.
    pub bytes: u64,
    /// What is unusual: the target of a link, no regular file.
    pub note: SafeText,
}

/// Lines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// From 1.
    pub first: u32,
    /// Tabs are shown as one space, so that columns count characters.
    pub lines: Vec<SafeText>,
    /// For the middle line: the columns before its n-th character, since marks are wider than one
    /// column.
    pub offsets: Vec<usize>,
}
