//! What comes to the model, as plain values.

use super::{Action, ActivityLog, DiffKind, ExcerptKey, HostRow, Notice, Plan, PreviewKey, Timer};
use crate::catalog::{Enablement, Permission};
use crate::listing::Listing;
use crate::policy::{self, Glance};
use crate::text::{Doc, SafeText};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// The hosts there are.
    HostsFound(Arc<Vec<HostRow>>),
    /// What every host makes of the skills of the view.
    Glanced(Arc<Vec<Glance>>),
    /// A skill held against another of its name, or why it cannot be.
    Compared(SafeText, Result<Vec<(DiffKind, SafeText)>, SafeText>),
    /// The log of calls, as it is now.
    ActivityRead(Arc<ActivityLog>),
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

/// What is seen now, and what the screens must know of the settings behind it. Never changes; a
/// newer one takes its place.
#[derive(Clone, Debug, Default)]
pub struct Viewed {
    /// The skills.
    pub listing: Listing,
    /// What is wrong with the settings.
    pub alarms: Arc<Vec<SettingsAlarm>>,
    /// The settings files that rules go to.
    pub files: SettingsFiles,
    /// Another number for every view: rankings within older ones are not reused.
    pub generation: u64,
}

impl Deref for Viewed {
    type Target = Listing;

    fn deref(&self) -> &Listing {
        &self.listing
    }
}

/// Something that is wrong with settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsAlarm {
    /// The file and the line, from 1; nothing for a flag or a variable, which the words name.
    pub spot: Option<(PathBuf, u32)>,
    /// What is wrong, and the cure.
    pub words: SafeText,
}

/// The host's settings files, and what else the screens say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsFiles {
    /// Those that rules can go to, the host's own default first; none where the host has no rules.
    pub rules: Vec<(policy::Layer, PathBuf)>,
    /// What a rule can say.
    pub effects: Vec<Permission>,
    /// The states that the host's switch has.
    pub states: Vec<Enablement>,
    /// What becomes of several skills of one name, in a few words.
    pub duplicates: &'static str,
    /// How a skill is mentioned in a prompt.
    pub mention: SafeText,
    /// A user file that cannot be read: nothing is written.
    pub read_only: bool,
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
