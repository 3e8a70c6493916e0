//! The whole state of the terminal UI.

use super::layout::{self, PairLayout};
use super::{
    Action, Budgets, Chosen, Counted, Effect, Excerpt, ExcerptKey, Facts, FileRow, HostRow, Marks,
    Notice, Picker, Screen, Spinner, Stage, Timer, Viewed, Waiting, Way,
};
use crate::catalog::{HostId, Refuses};
use crate::inert;
use crate::policy::{Entry, Looks, Tally};
use crate::search::Query;
use crate::text::time::Zone;
use crate::text::{SafeText, shortened};
use crate::words;
use ratatui::layout::Rect;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Milliseconds until a plain notice disappears.
const NOTICE_MS: u64 = 5_000;

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

/// What is set at the start.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub multi: bool,
    /// Draw ASCII only.
    pub ascii: bool,
    /// Whether pictures are drawn: the terminal has 24 bits of colour.
    pub pictures: bool,
    /// The host whose view is shown; the menu of hosts changes it.
    pub host: &'static str,
    /// The hosts that a filter may name.
    pub hosts: Vec<HostId>,
    /// Which of them refuse a skill for a finding.
    pub refuses: Refuses,
    /// Whether to capture the mouse.
    pub mouse: bool,
    /// The person's home directory.
    pub home: Option<PathBuf>,
    /// The repository, or the directory in which the picker was started.
    pub here: PathBuf,
    /// The same as a canonical path: what lies in it is the person's to mend.
    pub own: PathBuf,
    /// The agent for which calls are written, unless the cursor is in another's column.
    pub preferred: Option<HostId>,
    /// The format in which a pick is printed.
    pub format: &'static str,
    /// All keys, for help and hints.
    pub bindings: Vec<Binding>,
}

impl Options {
    /// Whether the view is of all hosts at once.
    pub fn sees_all(&self) -> bool {
        self.host == "all"
    }

    /// What was typed as a query, in which paths may begin as they are shown.
    pub fn query(&self, text: &str) -> Query {
        Query::parse(text).with_folders(self.home.as_deref(), &self.here)
    }
}

/// The answer to a request; `None` until it comes.
type Answer<T> = Option<Result<Arc<T>, SafeText>>;

#[derive(Debug, Default)]
pub struct State {
    pub area: Rect,
    pub options: Options,
    pub viewed: Viewed,
    /// Counts the completed scans.
    pub epoch: u64,
    pub marks: Marks,
    /// The view that the marks have met: its host, and whether it is of the examples.
    pub(super) met: (&'static str, bool),
    /// Which marked skills have vanished, if none is left; the next key that would have acted on
    /// them refuses.
    pub(super) gone: Option<SafeText>,
    pub picker: Picker,
    /// The screens above the picker, the topmost last.
    pub screens: Vec<Screen>,
    pub notice: Option<Notice>,
    pub spinner: Spinner,
    /// Whether the mouse is captured.
    pub mouse_taken: bool,
    /// Whether the examples are browsed; set by the shell, which knows the folders.
    pub on_examples: bool,
    /// Unix time in milliseconds, set for each frame, so that tests can choose it.
    pub now_ms: u64,
    /// The time zone in which details show times; set once by the shell.
    pub zone: Zone,
    /// What the shell must do, in this order; [`super::update`] hands it over.
    pub(super) effects: Vec<Effect>,
    /// The screen that is acting closes.
    pub(super) closing: bool,
    facts: Option<(Arc<Path>, u64, Answer<Facts>)>,
    excerpt: Option<(ExcerptKey, Answer<Excerpt>)>,
    /// The known hosts, and whether they have been requested.
    pub(super) hosts: (Arc<Vec<HostRow>>, bool),
    /// The view for which the hosts' reports have been requested.
    pub(super) reported_for: u64,
    pub(super) budgets: Budgets,
    pub(super) counted: Counted,
    notices: u64,
    /// How many changes were asked about, and how many screens closed by themselves.
    pub(super) questions: u64,
    /// The number of the one that has just closed: keys do not count, since they were meant for it.
    pub(super) unmeant: Option<u64>,
    /// How many findings each mending since the start has taken away, without those undone.
    pub mended: Vec<usize>,
    /// How far the change of settings or skills is that is on its way. Later ones wait for its
    /// outcome.
    pub(super) stage: Option<Stage>,
    /// Counts what the shell was asked to do for changes; each answer carries its number.
    pub(super) asked: u64,
    /// The skills that this change affects.
    pub(super) acting: Chosen,
    /// What waits for that change.
    pub(super) waiting: VecDeque<Waiting>,
    /// A pick that waits for that change too; or for the first rows, then it is empty and means the
    /// best of them.
    pub(super) waiting_pick: Option<Chosen>,
    /// The view's skills and their findings, counted once and shown in every frame.
    pub tally: Tally,
    /// Whether any skill of this view was ever used.
    pub has_uses: bool,
    /// Whether the first list of this view is still awaited.
    pub(super) early: bool,
}

impl State {
    /// An empty picker; rows come with [`super::Msg::Viewed`].
    pub fn new(
        area: Rect,
        options: Options,
        query: &str,
        scope: Option<crate::catalog::Scope>,
    ) -> Self {
        Self {
            area,
            mouse_taken: options.mouse,
            picker: Picker::new(options.query(query), scope),
            options,
            early: true,
            ..Self::default()
        }
    }

    /// The first effects.
    pub fn start(&self) -> Vec<Effect> {
        let recall = self.compose().map(|compose| Effect::Recall(compose.old_draft()));
        let dock = self.compose().filter(|compose| compose.way == Way::Pane);
        let panes = dock.map(|_| Effect::FindPanes);
        let first = [Effect::Scan, Spinner::FIRST, Self::EARLY];
        first.into_iter().chain(recall).chain(panes).collect()
    }

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

    pub fn entry(&self, path: &Path) -> Option<&Entry> {
        self.viewed.rows.at(path).map(|row| &row.entry)
    }

    /// The files of a skill; none until they have been read.
    pub(super) fn files_of(&self, path: &Path) -> &[FileRow] {
        match self.facts(path) {
            Some(Ok(facts)) => &facts.files,
            _ => &[],
        }
    }

    /// The entry under the picker's cursor; of several skills of one name, the one of the agent
    /// whose column has the cursor, or for which a person picks.
    pub fn current(&self) -> Option<&Entry> {
        let preferred = self.viewed.preferred.filter(|_| self.options.sees_all());
        let host = self.picker.column.or(preferred);
        let report = self.viewed.reports.iter().find(|report| Some(report.host) == host);
        let index = report.and_then(|report| self.copy_for(report, self.picker.list.cursor));
        match index {
            Some(index) => self.picker.shown.rows.entry(index as usize),
            None => self.picker.current(),
        }
    }

    /// Whether the log of calls is open, also below another screen.
    pub fn shows_activity(&self) -> bool {
        self.screens.iter().any(|screen| matches!(screen, Screen::Activity(_)))
    }

    pub(super) fn replace_view(&mut self, viewed: Viewed) {
        self.viewed = viewed;
        self.prefer_column();
        self.tally = self.viewed.rows.tally;
        let uses = &self.viewed.uses;
        self.has_uses = !uses.is_empty()
            && self.viewed.rows.entries().any(|entry| uses.of(&entry.skill.path).is_some());
    }

    /// A path from where the person works (`./…`), else from home (`~/…`), else whole.
    pub fn short_path(&self, path: &Path) -> SafeText {
        let Options { home, here, .. } = &self.options;
        match path.strip_prefix(here) {
            Ok(rest) if rest.as_os_str().is_empty() => SafeText::fixed("."),
            Ok(rest) if here.parent().is_some() => inert!("./{}", SafeText::path(rest)),
            _ => shortened(path, home.as_deref()),
        }
    }

    /// Why the view's agent does not see a skill, and the key that helps; `None` if it does.
    pub fn why_unseen(&self, entry: &Entry) -> Option<SafeText> {
        // In a folder that a person browses, the rule above the rows says it once for all.
        let is_browsed = entry.looks == Looks::Browsed && entry.taken();
        if entry.is_seen() || is_browsed {
            return None;
        }
        let key = |action| self.key_word(KeyTable::Picker, action);
        Some(match (&entry.refused, &entry.shadowed_by) {
            (Some(_), _) => inert!("{} · {} mends", entry.about(), key(Action::Problems)),
            (None, Some(winner)) => {
                let folder = |path: &Path| self.short_path(path.parent().unwrap_or(path));
                inert!("another is taken: {}", self.viewed.rows.called(winner, folder))
            }
            (None, None) if entry.is_too_deep() => {
                inert!("too deep for every agent here · {} mends", key(Action::Problems))
            }
            (None, None) => self.where_nobody_looks(entry),
        })
    }

    /// Shows a notice above the hints.
    pub fn say(&mut self, notice: Notice) {
        self.notices += 1;
        let grave = notice.is_grave();
        self.notice = Some(notice);
        if !grave {
            self.effects.push(Effect::Wait(Timer::Notice(self.notices), NOTICE_MS));
        }
    }

    /// The rows that the notice needs.
    pub fn notice_rows(&self) -> u16 {
        let lines = |notice: &Notice| {
            notice.lines(usize::from(self.area.width), super::notice::MAX_ROWS).len()
        };
        self.notice.as_ref().map_or(0, |notice| u16::try_from(lines(notice)).unwrap_or(1))
    }

    /// The layout of a screen of one pane.
    pub fn whole(&self) -> PairLayout {
        layout::whole(self.area, self.notice_rows())
    }

    /// The lines of its pane.
    pub fn body_height(&self) -> usize {
        usize::from(self.whole().left.height)
    }

    /// Hides a plain notice after its time, unless a newer one has replaced it.
    pub(super) fn notice_read(&mut self, number: u64) {
        if number == self.notices && self.notice.as_ref().is_some_and(|notice| !notice.is_grave()) {
            self.notice = None;
        }
    }

    /// A skill's files and links; `None` until they have been read.
    pub fn facts(&self, path: &Path) -> Option<&Result<Arc<Facts>, SafeText>> {
        self.facts
            .as_ref()
            .filter(|(of, _, _)| **of == *path)
            .and_then(|(_, _, facts)| facts.as_ref())
    }

    /// Requests a skill's files and links, unless they are known or requested.
    pub(super) fn want_facts(&mut self, path: &Arc<Path>) {
        if self.facts.as_ref().is_some_and(|(of, epoch, _)| of == path && *epoch == self.epoch) {
            return;
        }
        // Those of the scan before stay until the new ones come.
        let kept =
            self.facts.take().filter(|(of, _, _)| of == path).and_then(|(_, _, facts)| facts);
        self.facts = Some((Arc::clone(path), self.epoch, kept));
        self.effects.push(Effect::Learn(Arc::clone(path)));
    }

    pub(super) fn learned(&mut self, path: &Path, facts: Result<Arc<Facts>, SafeText>) {
        if let Some((of, _, slot)) = &mut self.facts
            && **of == *path
        {
            *slot = Some(facts);
        }
    }

    /// The known hosts; empty until they have been listed.
    pub fn hosts(&self) -> &[HostRow] {
        &self.hosts.0
    }

    /// Requests the list of hosts once.
    pub(super) fn want_hosts(&mut self) {
        if !std::mem::replace(&mut self.hosts.1, true) {
            self.effects.push(Effect::FindHosts);
        }
    }

    /// Changes to another host. The query stays, and so does the cursor on the skill at this path.
    /// The old view is dropped; marks wait for a view that has their skills.
    pub(super) fn look_through(&mut self, host: &'static str, at: Option<&Path>) {
        if host == self.options.host {
            return;
        }
        self.options.host = host;
        self.viewed = Viewed { generation: self.viewed.generation, ..Viewed::default() };
        self.leave_changes();
        self.retype();
        self.picker.column = None;
        self.picker.anchor = at.map(Arc::from);
        self.effects.push(Effect::LookThrough(host));
        self.begin_early();
        self.turn_spinner();
    }

    /// The lines around a problem; `None` until they have been read.
    pub fn excerpt(&self, path: &Path, line: u32) -> Option<&Result<Arc<Excerpt>, SafeText>> {
        let (key, excerpt) = self.excerpt.as_ref()?;
        if *key.path == *path && key.line == line { excerpt.as_ref() } else { None }
    }

    pub(super) fn want_excerpt(&mut self, key: ExcerptKey) {
        if self.excerpt.as_ref().is_some_and(|(wanted, _)| *wanted == key) {
            return;
        }
        self.excerpt = Some((key.clone(), None));
        self.effects.push(Effect::Excerpt(key));
    }

    pub(super) fn excerpted(&mut self, key: &ExcerptKey, excerpt: Result<Arc<Excerpt>, SafeText>) {
        if let Some((wanted, slot)) = &mut self.excerpt
            && wanted == key
        {
            *slot = Some(excerpt);
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
