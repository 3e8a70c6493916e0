//! The whole state of the terminal UI.

use super::{
    Action, Chosen, Effect, Excerpt, ExcerptKey, Facts, HostRow, Marks, Notice, Picker, Screen,
    Timer, Viewed,
};
use crate::catalog::{HostId, Severity};
use crate::policy::{Entry, Glance, Sight};
use crate::text::SafeText;
use ratatui::layout::Rect;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// How long a plain notice stays, in milliseconds.
const NOTICE_MS: u64 = 5_000;

/// Who takes the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The picker: printable keys are the query.
    Picker,
    /// The skill's files and text.
    Detail,
    Problems,
    Rules,
    /// The palette of keys: printable keys are its query.
    Help,
    /// A change that waits for a word.
    Confirm,
    /// The choice of what to copy.
    Copy,
    /// The choice of a host.
    Hosts,
    /// What every host makes of a skill.
    Seen,
    /// Two copies of a skill.
    Compare,
    /// The log of calls.
    Activity,
    /// A line of text in one of the modal screens.
    Typing,
}

impl Layer {
    /// Every layer with its name in key settings.
    pub const ALL: [(Self, &'static str); 12] = [
        (Self::Picker, "picker"),
        (Self::Detail, "detail"),
        (Self::Problems, "problems"),
        (Self::Rules, "rules"),
        (Self::Help, "help"),
        (Self::Confirm, "confirm"),
        (Self::Copy, "copy"),
        (Self::Hosts, "hosts"),
        (Self::Seen, "seen"),
        (Self::Compare, "compare"),
        (Self::Activity, "activity"),
        (Self::Typing, "typing"),
    ];

    /// Whether printable keys are text here.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Picker | Self::Help | Self::Typing)
    }
}

/// A pure snapshot of what decides the meaning of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Who takes the keys.
    pub layer: Layer,
    pub empty: bool,
    /// The cursor is behind the last character typed.
    pub at_end: bool,
}

/// A key and what it does, for help and hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub layer: Layer,
    /// The keys as people write them, the first one first: `^x`, `Space ∅`.
    pub keys: Vec<SafeText>,
    pub action: Action,
    /// That in one line.
    pub help: &'static str,
}

/// What was chosen at the start and does not change.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether several skills can be picked.
    pub multi: bool,
    /// Glyphs from ASCII only.
    pub ascii: bool,
    /// The host through which the catalog is seen.
    pub host: &'static str,
    /// Every host that a filter may name.
    pub hosts: Vec<HostId>,
    /// Whether the mouse may be taken.
    pub mouse: bool,
    /// Every key, for help and hints.
    pub bindings: Vec<Binding>,
}

impl Options {
    /// Whether every host is looked through at once.
    pub fn sees_all(&self) -> bool {
        self.host == "all"
    }
}

/// What was asked for, once it has come: it, or why it cannot be.
type Answer<T> = Option<Result<Arc<T>, SafeText>>;

#[derive(Debug)]
pub struct State {
    pub area: Rect,
    /// What was chosen at the start.
    pub options: Options,
    /// The newest view of the catalog.
    pub viewed: Viewed,
    /// Counts the scans that ended.
    pub epoch: u64,
    pub marks: Marks,
    /// The first screen, always there.
    pub picker: Picker,
    /// The screens above it, the topmost last.
    pub screens: Vec<Screen>,
    /// What is said above the hints.
    pub notice: Option<Notice>,
    /// Step of the spinner; `None` while nothing has to be waited for, or not yet long enough.
    pub spinner: Option<u8>,
    /// Whether the mouse is taken.
    pub mouse_taken: bool,
    /// What time it is, milliseconds since 1970: told with every frame, since nobody asks a clock
    /// here.
    pub now_ms: u64,
    facts: Option<(Arc<Path>, u64, Answer<Facts>)>,
    excerpt: Option<(ExcerptKey, Answer<Excerpt>)>,
    /// The hosts there are, once they are known; whether they have been asked for.
    hosts: (Arc<Vec<HostRow>>, bool),
    /// The view for which it has been asked what every host makes of it.
    glanced: u64,
    notices: u64,
    /// A change of the settings is on its way; what is asked for meanwhile waits for its outcome.
    pub(super) changing: bool,
    /// The skills that this change is about.
    pub(super) acting: Chosen,
    /// Skills that are to be turned over when the change before has been written.
    pub(super) waiting: VecDeque<Chosen>,
    /// A pick was asked for before there were rows.
    pub(super) pick_when_listed: bool,
    /// Errors and warnings of the view: counted once, shown in every frame.
    counts: (usize, usize),
    /// Columns of the widest scope word of the view.
    scope_width: usize,
    /// Whether any skill of the view was ever used.
    has_uses: bool,
}

impl State {
    /// An empty picker of this size; rows come with [`super::Msg::Viewed`].
    pub fn new(
        area: Rect,
        options: Options,
        query: &str,
        scope: Option<crate::catalog::Scope>,
    ) -> Self {
        let mouse_taken = options.mouse;
        Self {
            area,
            options,
            viewed: Viewed::default(),
            epoch: 0,
            marks: Marks::default(),
            picker: Picker::new(query, scope),
            screens: Vec::new(),
            notice: None,
            spinner: None,
            mouse_taken,
            now_ms: 0,
            facts: None,
            excerpt: None,
            hosts: (Arc::default(), false),
            glanced: 0,
            notices: 0,
            changing: false,
            acting: Chosen::default(),
            waiting: VecDeque::new(),
            pick_when_listed: false,
            counts: (0, 0),
            scope_width: 0,
            has_uses: false,
        }
    }

    /// What must be done first.
    pub fn start(&self) -> Vec<Effect> {
        vec![Effect::Scan, Effect::Wait(Timer::Spinner, 200)]
    }

    /// What decides the meaning of the next key.
    pub fn context(&self) -> Context {
        match self.screens.last() {
            Some(screen) => screen.context(),
            None => {
                let query = &self.picker.query;
                Context { layer: Layer::Picker, empty: query.is_empty(), at_end: query.at_end() }
            }
        }
    }

    /// The entry of a skill.
    pub fn entry(&self, path: &Path) -> Option<&Entry> {
        self.viewed.rows.at(path).map(|row| &row.entry)
    }

    /// The picker's current entry.
    pub fn current(&self) -> Option<&Entry> {
        self.picker.current(&self.viewed)
    }

    /// Whether the log of calls is open, on top or below another screen.
    pub fn shows_activity(&self) -> bool {
        self.screens.iter().any(|screen| matches!(screen, Screen::Activity(_)))
    }

    /// How many errors and warnings the catalog has. Alarms count errors only (D19).
    pub fn problem_counts(&self) -> (usize, usize) {
        self.counts
    }

    /// As wide as any scope's word in this view, so that its column stays where it is while the
    /// query changes.
    pub fn scope_width(&self) -> usize {
        self.scope_width
    }

    /// Whether any skill of this view was ever used.
    pub fn has_uses(&self) -> bool {
        self.has_uses
    }

    /// Shows another view from now on.
    pub(super) fn replace_view(&mut self, viewed: Viewed) {
        self.viewed = viewed;
        let scopes = self.viewed.rows.entries().map(|entry| entry.skill.scope.word().len());
        self.scope_width = scopes.max().unwrap_or_default();
        let uses = &self.viewed.uses;
        self.has_uses = !uses.is_empty()
            && self.viewed.rows.entries().any(|entry| uses.of(&entry.skill.path).is_some());
        let all = self.viewed.rows.entries().flat_map(|entry| {
            entry.skill.diagnostics.iter().map(|diagnostic| entry.severity(diagnostic))
        });
        self.counts = all.fold((0, 0), |(errors, warnings), severity| match severity {
            Severity::Error => (errors + 1, warnings),
            Severity::Warning => (errors, warnings + 1),
        });
    }

    /// Says something on the line above the hints.
    pub fn say(&mut self, notice: Notice) -> Vec<Effect> {
        self.notices += 1;
        let grave = notice.grave;
        self.notice = Some(notice);
        if grave { Vec::new() } else { vec![Effect::Wait(Timer::Notice(self.notices), NOTICE_MS)] }
    }

    /// As many rows as the notice would have.
    pub fn notice_rows(&self) -> u16 {
        let lines = |notice: &Notice| {
            notice.lines(usize::from(self.area.width), super::notice::MOST_ROWS).len()
        };
        self.notice.as_ref().map_or(0, |notice| u16::try_from(lines(notice)).unwrap_or(1))
    }

    /// A plain notice has been there long enough, unless a newer one stands there.
    pub(super) fn notice_read(&mut self, number: u64) {
        if number == self.notices && self.notice.as_ref().is_some_and(|notice| !notice.grave) {
            self.notice = None;
        }
    }

    /// What is known of a skill's files; the first call asks for it.
    pub fn facts(&self, path: &Path) -> Option<&Result<Arc<Facts>, SafeText>> {
        self.facts
            .as_ref()
            .filter(|(of, _, _)| **of == *path)
            .and_then(|(_, _, facts)| facts.as_ref())
    }

    /// Asks for the facts of a skill unless they are there or on their way.
    pub(super) fn want_facts(&mut self, path: &Arc<Path>) -> Vec<Effect> {
        if self.facts.as_ref().is_some_and(|(of, epoch, _)| of == path && *epoch == self.epoch) {
            return Vec::new();
        }
        // Old facts of the same skill stay until the new ones come.
        let kept =
            self.facts.take().filter(|(of, _, _)| of == path).and_then(|(_, _, facts)| facts);
        self.facts = Some((Arc::clone(path), self.epoch, kept));
        vec![Effect::Learn(Arc::clone(path))]
    }

    pub(super) fn learned(&mut self, path: &Path, facts: Result<Arc<Facts>, SafeText>) {
        if let Some((of, _, slot)) = &mut self.facts
            && **of == *path
        {
            *slot = Some(facts);
        }
    }

    /// The hosts there are; none until that is known.
    pub fn hosts(&self) -> &[HostRow] {
        &self.hosts.0
    }

    /// Asks for the hosts unless they are there or on their way.
    pub(super) fn want_hosts(&mut self) -> Vec<Effect> {
        if std::mem::replace(&mut self.hosts.1, true) {
            Vec::new()
        } else {
            vec![Effect::FindHosts]
        }
    }

    pub(super) fn hosts_found(&mut self, hosts: Arc<Vec<HostRow>>) {
        self.hosts = (hosts, true);
    }

    /// What every host makes of a skill; nothing until that is known.
    pub fn sights(&self, path: &Path) -> Vec<(&Glance, Sight)> {
        let rows = &self.viewed.rows;
        let index = rows.index_of(path).and_then(|index| u32::try_from(index).ok());
        let (Some(index), Some(row)) = (index, rows.at(path)) else { return Vec::new() };
        let sight = |glance| (glance, Glance::sight(glance, index, row.skill()));
        self.viewed.glances.iter().map(sight).collect()
    }

    /// Asks what every host makes of the skills, once for each view that is complete.
    pub(super) fn want_glances(&mut self) -> Vec<Effect> {
        let known = !self.viewed.glances.is_empty() || self.glanced == self.viewed.generation;
        if known || !self.viewed.complete {
            return Vec::new();
        }
        self.glanced = self.viewed.generation;
        vec![Effect::Glance]
    }

    /// Looks through another host from now on: what was seen is gone, marks of skills that are seen
    /// again stay.
    pub(super) fn look_through(&mut self, host: &'static str) -> Vec<Effect> {
        if host == self.options.host {
            return Vec::new();
        }
        self.options.host = host;
        self.viewed = Viewed { generation: self.viewed.generation, ..Viewed::default() };
        self.changing = false;
        self.acting = Chosen::default();
        self.waiting.clear();
        let mut effects = self.picker.retype(&self.viewed, &self.marks);
        effects.extend([Effect::LookThrough(host), Effect::Wait(Timer::Spinner, 200)]);
        effects
    }

    /// The source lines around a problem.
    pub fn excerpt(&self, path: &Path, line: u32) -> Option<&Result<Arc<Excerpt>, SafeText>> {
        let (key, excerpt) = self.excerpt.as_ref()?;
        if *key.path == *path && key.line == line { excerpt.as_ref() } else { None }
    }

    pub(super) fn want_excerpt(&mut self, key: ExcerptKey) -> Vec<Effect> {
        if self.excerpt.as_ref().is_some_and(|(wanted, _)| *wanted == key) {
            return Vec::new();
        }
        self.excerpt = Some((key.clone(), None));
        vec![Effect::Excerpt(key)]
    }

    pub(super) fn excerpted(&mut self, key: &ExcerptKey, excerpt: Result<Arc<Excerpt>, SafeText>) {
        if let Some((wanted, slot)) = &mut self.excerpt
            && wanted == key
        {
            *slot = Some(excerpt);
        }
    }

    /// The keys of an action on a layer, as people write them; the first is the one for hints.
    pub fn key_of(&self, layer: Layer, action: Action) -> Option<&SafeText> {
        let bound = |binding: &&Binding| binding.layer == layer && binding.action == action;
        self.options.bindings.iter().find(bound).and_then(|binding| binding.keys.first())
    }

    /// The key of an action on a layer, for a sentence; where no key carries it, the action's name
    /// in the settings.
    pub fn key_word(&self, layer: Layer, action: Action) -> SafeText {
        self.key_of(layer, action).cloned().unwrap_or(SafeText::fixed(action.name()))
    }
}
