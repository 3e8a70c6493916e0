//! What the model asks for, as plain values.

use super::Aim;
use crate::listing::Rows;
use crate::search::{BodySearch, Context, Hit, Query};
use crate::text::SafeText;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Something to be done outside; its result comes back as a message.
#[derive(Clone, Debug)]
pub enum Effect {
    Exit(Exit),
    /// Read and lay out a text.
    Preview(PreviewKey),
    /// Learn what else there is to know of a skill: its files, its links.
    Learn(Arc<Path>),
    /// Read the source lines around a problem.
    Excerpt(ExcerptKey),
    /// Look for the words of a query in the bodies.
    SearchBodies(Box<BodyQuestion>),
    Scan,
    /// Work out what a change would do.
    Plan(Aim),
    /// The same for one host, whoever is looked through.
    PlanThrough(&'static str, Aim),
    /// Find out which hosts there are.
    FindHosts,
    /// Look through another host from now on.
    LookThrough(&'static str),
    /// Find out what every host makes of the skills.
    Glance,
    /// Make a skill visible to a host.
    Share(Arc<Path>, &'static str),
    Unshare(Arc<Path>, &'static str),
    /// Hold a skill against another of its name.
    Compare(Arc<Path>),
    /// Read the log of calls.
    ReadActivity,
    /// Write the plan with this number.
    Save(u64),
    /// Take back the last change.
    Undo,
    /// Open a file in the person's editor, at a line.
    Edit(PathBuf, u32),
    /// Copy these skills in a form.
    Copy(CopyForm, Vec<Arc<Path>>),
    CopyLines(Vec<SafeText>),
    /// Stop the process until it is continued.
    Suspend,
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
    pub query: Query,
    /// The rows of the view.
    pub rows: Arc<Rows>,
    /// What was found by name and description already.
    pub hits: Vec<Hit>,
    /// The marked ones, by index, in order; only where a filter asks.
    pub marked: Vec<u32>,
}

impl BodyQuestion {
    /// The indexes of those whose bodies could add a hit. It judges every row once more, so it is
    /// not done before the key is on the screen.
    pub fn candidates(&self) -> Vec<u32> {
        let marked = |index: u32| self.marked.binary_search(&index).is_ok();
        let context = Context { marked: &marked, ..Context::PLAIN };
        BodySearch::new(&self.query)
            .map_or_else(Vec::new, |mut search| search.candidates(&self.rows, &self.hits, &context))
    }
}

/// How the picker is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// With a selection, in mark order.
    Picked(Vec<Arc<Path>>),
    /// Without (130).
    Left,
}

/// Everything that decides what a preview looks like: a result whose key is not the wanted one is
/// dropped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PreviewKey {
    pub path: Arc<Path>,
    /// Which scan it belongs to: files may have changed since an earlier one.
    pub epoch: u64,
    /// A file of the skill, relative to its directory; none means the body of `SKILL.md`.
    pub file: Option<PathBuf>,
    /// How it is laid out.
    pub style: PreviewStyle,
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

/// Which source lines are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExcerptKey {
    pub path: Arc<Path>,
    /// The line in the middle, from 1.
    pub line: u32,
    /// Which scan it belongs to.
    pub epoch: u64,
}

/// What a skill is copied as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyForm {
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

/// What a timer is for. A timer that has been overtaken is ignored when it runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timer {
    /// The spinner: first after 200 ms of loading, then each step.
    Spinner,
    /// The preview with this number is still not there: say so.
    SlowPreview(u64),
    /// The change with this number has been on the screen long enough to be agreed to.
    Confirm(u64),
    /// The notice with this number has been read.
    Notice(u64),
}
