//! The whole state of the terminal UI.

use super::layout::{self, PairLayout};
use super::{
    Action, Binding, Budgets, Chosen, Counted, Effect, Excerpt, ExcerptKey, Facts, HostRow,
    KeyTable, Marks, Notice, Picker, Screen, Spinner, Stage, Timer, Viewed, Waiting, Way,
};
use crate::catalog::{HostId, Refuses};
use crate::inert;
use crate::policy::{Entry, Looks, Tally};
use crate::search::Query;
use crate::text::time::Zone;
use crate::text::{SafeText, shortened};
use ratatui::layout::Rect;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Milliseconds until a plain notice disappears.
const NOTICE_MS: u64 = 5_000;

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
pub(super) type Answer<T> = Option<Result<Arc<T>, SafeText>>;

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
    pub(super) facts: Option<(Arc<Path>, u64, Answer<Facts>)>,
    pub(super) excerpt: Option<(ExcerptKey, Answer<Excerpt>)>,
    /// The known hosts; empty until they have been listed.
    pub(super) hosts: Arc<Vec<HostRow>>,
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

    pub fn entry(&self, path: &Path) -> Option<&Entry> {
        self.viewed.rows.at(path).map(|row| &row.entry)
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
}
