//! What the model asks the shell to do.

use super::{BudgetKey, ChangeJob, ChangesTask, OldDraft, ProjectTask, RankQuestion, Sending};
use crate::catalog::{Draft, HostId};
use crate::listing::Rows;
use crate::search::{BodySearch, Context, Hit, Misses, Query};
use crate::text::SafeText;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Work for the shell. Its result comes back as a message.
#[derive(Clone, Debug)]
pub enum Effect {
    Exit(Exit),
    Preview(PreviewKey),
    /// Read a skill's files and links.
    Learn(Arc<Path>),
    /// Read the lines around a problem.
    Excerpt(ExcerptKey),
    /// Rank the rows for the list.
    Rank(Box<RankQuestion>),
    /// Rank the rows for the completion of a prompt.
    Complete(Box<RankQuestion>),
    /// Read the draft and the prompts that were sent here.
    Recall(OldDraft),
    /// Keep this as the draft; without text there is none.
    KeepDraft(Box<Draft>),
    /// Keep this among the prompts that were sent.
    Remember(Box<Draft>),
    /// Open the prompt in the person's editor.
    EditPrompt(Box<Draft>),
    /// Look for the panes in which agents run.
    FindPanes,
    /// Write the prompt out, and hand it over.
    Send(Box<Sending>),
    /// Search the bodies for the words of a query.
    SearchBodies(Box<BodyQuestion>),
    Scan,
    /// Take a step of a change. Its answer comes back with this number.
    Change(u64, ChangeJob),
    /// List the hosts.
    FindHosts,
    /// Count what the hosts make of the skills of the view with this number.
    CountHosts(u64),
    /// Remember for which agent a person picks here.
    Prefer(HostId),
    /// Show another host's view.
    LookThrough(&'static str),
    /// Report what every host makes of the skills.
    ReportHosts,
    /// Ask the agents' own programs what they have.
    AskAgents,
    /// Make a skill visible to a host.
    Share(Arc<Path>, &'static str),
    Unshare(Arc<Path>, &'static str),
    /// Tell how a skill differs from another one: this one, else the first of the same name.
    Compare(Arc<Path>, Option<Arc<Path>>),
    /// Browse the examples.
    Examples,
    /// Read what tells these skills of one name apart.
    ReadCopies(Vec<Arc<Path>>),
    /// Read the log of calls.
    ReadActivity,
    Project(ProjectTask),
    Changes(ChangesTask),
    /// Work out what an agent tells its model; with a path, how that would be without this skill.
    Budget(BudgetKey, Option<Arc<Path>>),
    /// Open a file in the person's editor, at a line.
    Edit(PathBuf, u32),
    /// Copy these skills in a form.
    Copy(CopyForm, Vec<Arc<Path>>),
    CopyLines(Vec<SafeText>),
    /// Stop the process until it is continued.
    Suspend,
    Repaint,
    /// Whether to capture the mouse.
    TakeMouse(bool),
    /// Send [`Msg::Waited`] after this number of milliseconds.
    Wait(Timer, u64),
}

/// A search of the bodies. Without words in its query it only ends the one before.
#[derive(Clone, Debug)]
pub struct BodyQuestion {
    /// Comes back with the answer, so that the answer to an older query is dropped.
    pub generation: u64,
    pub query: Query,
    pub rows: Arc<Rows>,
    /// What name and description have matched already.
    pub hits: Arc<Vec<Hit>>,
    /// The marked rows, ascending.
    pub marked: Vec<u32>,
}

impl BodyQuestion {
    /// The rows whose bodies could add a hit, as far as earlier searches know. This judges every
    /// row again, so the worker does it, after the key has been drawn.
    pub fn candidates(&self, misses: &Misses) -> Vec<u32> {
        let marked = |index: u32| self.marked.binary_search(&index).is_ok();
        let context = Context { marked: &marked, ..Context::PLAIN };
        BodySearch::new(&self.query).map_or_else(Vec::new, |mut search| {
            search.candidates(&self.rows, &self.hits, &context, misses)
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// With these skills, in mark order.
    Picked(Vec<Arc<Path>>),
    /// Without a selection (exit code 130).
    Left,
}

/// All that a preview depends on. A result with another key than the wanted one is dropped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PreviewKey {
    pub path: Arc<Path>,
    /// The scan that it belongs to. Files may have changed since an earlier one.
    pub epoch: u64,
    /// A file of the skill, relative to its directory; `None` is the body of `SKILL.md`.
    pub file: Option<PathBuf>,
    pub style: PreviewStyle,
    pub columns: u16,
    pub wrap: bool,
    /// Whether a picture is drawn: the terminal has 24 bits of colour.
    pub pictures: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PreviewStyle {
    /// Markdown rendered, code in colour.
    #[default]
    Rendered,
    /// The plain text.
    Raw,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExcerptKey {
    pub path: Arc<Path>,
    /// The line in the middle, from 1.
    pub line: u32,
    /// The scan that it belongs to. Files may have changed since an earlier one.
    pub epoch: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyForm {
    Name,
    /// `$name`, or a link if the name is not unique.
    Mention,
    /// `[$name](path)`.
    Link,
    /// The path of its `SKILL.md`.
    Path,
    /// The text in a `<skill_context>` block.
    Block,
}

/// What a timer is for. An outdated timer is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timer {
    /// The next step of the spinner; it begins after 200 ms of loading.
    Spinner,
    /// The preview with this number is late: say so.
    SlowPreview(u64),
    /// The question with this number has been visible long enough to be answered.
    Confirm(u64),
    /// The gauge of the view with this number is worked out.
    Gauge(u64),
    /// The notice with this number disappears.
    Notice(u64),
    /// The draft of a prompt is kept.
    Draft,
    /// Keys count though not all skills are read.
    Early,
}
