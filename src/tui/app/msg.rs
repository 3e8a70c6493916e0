//! What comes to the model and what it asks for: messages in, effects out, as plain values.

use super::action::Action;
use crate::catalog::{Cut, Permission, RootReport};
use crate::policy::{Entry, Evaluation, Policy};
use crate::search::{Item, Query};
use crate::text::{Doc, SafeText};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Msg {
    /// A key that means an action here.
    Action(Action),
    /// A key that is text here.
    Text(char),
    /// A paste: one edit, never a key press.
    Paste(String),
    /// The mouse, in cells from the top left corner.
    Mouse(Mouse),
    /// The terminal has this many columns and rows.
    Resize(u16, u16),
    /// A newer view of the catalog.
    Viewed(Box<Viewed>),
    /// A text that was asked for, in plain or in colour.
    Previewed(PreviewKey, Result<Arc<Doc>, Unseen>),
    /// What else there is to know of a skill.
    Learned(Arc<Path>, Result<Arc<Facts>, SafeText>),
    /// The source lines around a problem.
    Excerpted(ExcerptKey, Result<Arc<Excerpt>, SafeText>),
    /// Entries whose body has the words of the query with this generation.
    Bodies(u64, Vec<u32>),
    /// What a change would do, or why it cannot be.
    Planned(Result<Box<Plan>, SafeText>),
    /// A change was written, or why not.
    Saved(Result<SafeText, SafeText>),
    /// A plain notice from outside: copied, edited, refused.
    Told(Notice),
    /// A timer that was asked for ran out.
    Waited(Timer),
}

/// What the mouse did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mouse {
    /// The left button went down.
    Click(u16, u16),
    /// It went down twice at one place.
    DoubleClick(u16, u16),
    /// The wheel turned up.
    WheelUp(u16, u16),
    /// The wheel turned down.
    WheelDown(u16, u16),
}

/// Something to be done outside; its result comes back as a message.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Leave.
    Exit(Exit),
    /// Read and lay out a text.
    Preview(PreviewKey),
    /// Learn what else there is to know of a skill: its files, its links.
    Learn(Arc<Path>),
    /// Read the source lines around a problem.
    Excerpt(ExcerptKey),
    /// Look for the words of a query in the bodies.
    SearchBodies(Box<BodyQuestion>),
    /// Scan again.
    Scan,
    /// Work out what a change would do.
    Plan(Aim),
    /// Write the plan with this number.
    Save(u64),
    /// Take back the last change.
    Undo,
    /// Open a file in the person's editor, at a line.
    Edit(PathBuf, u32),
    /// Copy these skills in a form.
    Copy(CopyForm, Vec<Arc<Path>>),
    /// Stop the process until it is continued.
    Suspend,
    /// Draw everything anew.
    Repaint,
    /// Take the mouse, or let go of it.
    TakeMouse(bool),
    /// Send [`Msg::Waited`] after so many milliseconds.
    Wait(Timer, u64),
}

/// Which bodies are to be read for which words.
#[derive(Clone, Debug)]
pub struct BodyQuestion {
    /// Comes back with the answer; an older one is dropped.
    pub generation: u64,
    /// The words.
    pub query: Query,
    /// The view's items.
    pub items: Arc<Vec<Item>>,
    /// The indexes of those whose bodies could add a hit.
    pub candidates: Vec<u32>,
}

/// How the picker is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// With a selection, in mark order.
    Picked(Vec<Arc<Path>>),
    /// Without (130).
    Left,
}

/// One immutable look at the catalog; the newest replaces the one before.
#[derive(Clone, Debug)]
pub struct Viewed {
    /// Every skill with its verdict.
    pub entries: Arc<Vec<Entry>>,
    /// What is searched of each entry, in the same order.
    pub items: Arc<Vec<Item>>,
    /// How often and how lately each entry was picked, in the same order; empty means never.
    pub frecency: Arc<Vec<u32>>,
    /// How each root answered.
    pub roots: Arc<Vec<RootReport>>,
    /// The limits that bit.
    pub cuts: Arc<Vec<Cut>>,
    /// What is wrong with the settings.
    pub alarms: Arc<Vec<SafeText>>,
    /// What decides.
    pub policy: Arc<Policy>,
    /// The settings files that rules go to.
    pub files: SettingsFiles,
    /// Whether the scan has ended.
    pub complete: bool,
    /// Another number for every view: rankings within older ones are not reused.
    pub generation: u64,
}

impl Viewed {
    /// Before anything has been scanned.
    pub fn nothing() -> Self {
        Self {
            entries: Arc::default(),
            items: Arc::default(),
            frecency: Arc::default(),
            roots: Arc::default(),
            cuts: Arc::default(),
            alarms: Arc::default(),
            policy: Arc::new(Policy::open(Evaluation::AGENTS)),
            files: SettingsFiles::default(),
            complete: false,
            generation: 0,
        }
    }
}

/// The settings files of this view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsFiles {
    /// The person's.
    pub user: PathBuf,
    /// The repository's; where there is no repository there is none.
    pub project: Option<PathBuf>,
    /// A user file that cannot be read: nothing is written.
    pub read_only: bool,
}

/// Everything that decides what a preview looks like: a result whose key is not the wanted one is dropped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PreviewKey {
    /// The skill.
    pub path: Arc<Path>,
    /// Which scan it belongs to: files may have changed since an earlier one.
    pub epoch: u64,
    /// A file of the skill, relative to its directory; none means the body of `SKILL.md`.
    pub file: Option<PathBuf>,
    /// How it is laid out.
    pub style: PreviewStyle,
    /// Columns.
    pub columns: u16,
    /// Whether long lines are wrapped.
    pub wrap: bool,
}

/// How a preview is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PreviewStyle {
    /// Markdown rendered, code in colour.
    Rendered,
    /// The text as it is.
    Raw,
}

/// Why there is nothing to preview (named, never a blank pane).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// Not text: its kind and size.
    Binary(SafeText),
    /// It cannot be read; the reason.
    Unreadable(SafeText),
    /// It was there and is not any more.
    Gone,
}

/// What else there is to know of a skill, read from its directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its files, in the order of the tree.
    pub files: Vec<FileRow>,
    /// How many more files there are that are not shown.
    pub more_files: usize,
    /// Links in the body that lead nowhere: line and target.
    pub broken_links: Vec<(u32, SafeText)>,
    /// Hidden or control characters in the `SKILL.md` that are shown as marks.
    pub marks: usize,
}

/// One row of a skill's file tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// Relative to the skill's directory.
    pub relative: PathBuf,
    /// Its own name.
    pub name: SafeText,
    /// How deep below the skill's directory; 0 is directly in it.
    pub depth: usize,
    /// Whether it is a directory.
    pub directory: bool,
    /// Size in bytes; of a directory 0.
    pub bytes: u64,
    /// A word on what is odd: where a link leads, that it is not a regular file.
    pub note: SafeText,
}

/// Which source lines are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExcerptKey {
    /// The skill.
    pub path: Arc<Path>,
    /// The line in the middle, from 1.
    pub line: u32,
    /// Which scan it belongs to.
    pub epoch: u64,
}

/// Source lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of the first line, from 1.
    pub first: u32,
    /// The lines, tabs not expanded but shown as one space, so that columns count characters.
    pub lines: Vec<SafeText>,
    /// For the middle line, the columns before its n-th character (marks are wider than one).
    pub offsets: Vec<usize>,
}

/// A change that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// These skills on or off.
    Switch { paths: Vec<Arc<Path>>, on: bool },
    /// Exactly these rules in the two files.
    Rules(Vec<RuleDraft>),
}

/// A permission rule as it stands in the rules screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDraft {
    /// What it says.
    pub effect: Permission,
    /// Which names: exact, or with a trailing `*`; empty means every skill.
    pub pattern: String,
    /// Whether it is about running scripts (`skill_script`) and not about loading (`skill_load`).
    pub script: bool,
    /// Whether it lives in the project's file.
    pub project: bool,
}

/// A change that has been worked out and can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its number: what [`Effect::Save`] names.
    pub number: u64,
    /// What it does, one line.
    pub summary: SafeText,
    /// The files and their changes.
    pub files: Vec<PlannedFile>,
    /// What changes for whom: name, before, after.
    pub effects: Vec<(SafeText, SafeText, SafeText)>,
    /// Whether the diff is shown before it is written (S5): a repository's file, several files, or a rule set.
    pub ask: bool,
}

/// One file of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    /// Which.
    pub path: SafeText,
    /// Its diff.
    pub diff: Vec<(DiffKind, SafeText)>,
}

/// The kind of a line of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffKind {
    /// File names and positions.
    Header,
    /// Unchanged.
    Context,
    /// Added.
    Added,
    /// Removed.
    Removed,
}

/// What a skill is copied as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyForm {
    /// Its name.
    Name,
    /// `$name`, or the link where the name is not unique.
    Mention,
    /// `[$name](path)`.
    Link,
    /// The path of its `SKILL.md`.
    Path,
    /// The whole text in a `<skill_context>` block.
    Block,
}

/// One line above the hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What is said.
    pub text: SafeText,
    /// Whether something failed: it stays until a key.
    pub grave: bool,
}

impl Notice {
    /// Something that went well, or a plain word.
    pub fn plain(text: SafeText) -> Self {
        Self { text, grave: false }
    }

    /// Something that failed.
    pub fn grave(text: SafeText) -> Self {
        Self { text, grave: true }
    }
}

/// What a timer is for. A timer that has been overtaken is ignored when it runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timer {
    /// The spinner: first after 200 ms of loading, then each step.
    Spinner,
    /// The preview with this number is still not there: say so.
    SlowPreview(u64),
    /// The notice with this number has been read.
    Notice(u64),
}
