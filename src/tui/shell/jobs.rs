//! The workers behind the effects: read, scan, plan, save. Each has a thread, and each result comes
//! back to the loop.

mod activity;
mod asking;
mod bodies;
mod budget;
mod change;
mod compose;
mod copies;
mod hidden;
mod host_counts;
mod learn;
mod mend;
mod pace;
mod panes;
mod project;
mod share;
mod threads;

use self::activity::{Log, LogReader};
use self::bodies::search_bodies;
pub(super) use self::compose::Keep;
use self::hidden::BodyReader;
use self::pace::Pace;
pub(super) use self::project::fails as project_fails;
pub(super) use self::threads::PANICKED;
use self::threads::{failing, tell_failed};
use super::convert;
use super::watching::{Watching, keep_watching};
use super::worker::{Slot, TIMEOUT, Worker};
use crate::catalog::Skill;
use crate::failpoint;
use crate::listing::{Row, Rows};
use crate::output::compose::Written;
use crate::policy::HostReport;
use crate::runtime::risk::Examiner;
use crate::runtime::{self, PICTURE_BYTES, PREVIEW_BYTES, Style, TextError};
use crate::scan;
use crate::search::Ranker;
use crate::text::{Doc, SafeText};
use crate::tui::app::{
    self, BodyQuestion, ExcerptKey, Msg, Notice, PreviewKey, PreviewStyle, RankQuestion, Ranking,
    Sending, StoredDraft,
};
use crate::workspace::{Drafts as StoredDrafts, Progress, View, Workspace, refusers};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::mpsc::UnboundedSender;

/// How long a whole list is shown before its files are watched. Most pickers are left sooner, and
/// to watch many folders costs half as much as to list them, and again when the picker is left.
/// What was changed until then is noticed by its times.
const UNWATCHED: Duration = Duration::from_secs(5);

/// How long the programs that are being asked have to end, and their copies to be removed, when the
/// picker is left; and how long a change has to be written.
const SETTLED: Duration = Duration::from_secs(1);

pub(super) enum JobResult {
    Msg(Msg),
    /// A new view, with the workspace whose settings it was judged by.
    View(Box<Workspace>, Box<View>, SystemTime),
    /// The view with this number, judged again after a change of settings.
    Rejudged(u64, Box<Workspace>, Box<View>),
    /// What every host makes of the view with this number, and since when they were asked.
    HostsReported(u64, Instant, Vec<HostReport>),
    /// The view with this number, with what the bodies of its skills hide.
    BodiesRead(u64, Box<View>),
    /// The view with this number, with what the agents' programs say, and what is said about it.
    AgentsAsked(u64, Box<Workspace>, Box<View>, Option<Notice>),
    /// A root or a settings file has changed.
    Changed,
    /// The examples are in this folder, which is browsed now.
    Examples(PathBuf),
    /// The log of calls has grown.
    LogChanged,
    /// A prompt has been written out.
    Written(Box<View>, Sending, Box<Written>),
    /// This text is to be opened in the editor, and then planned as a change.
    EditDraft(StoredDraft),
    /// Some files cannot be watched; why.
    Unwatched(SafeText),
}

pub(super) type JobResults = UnboundedSender<JobResult>;

/// A view that a job works on, with the workspace that made it.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub(super) workspace: Workspace,
    pub(super) view: View,
    /// The view's number, by which an outdated result is recognised.
    pub(super) number: u64,
}

impl Snapshot {
    fn home(&self) -> Option<&Path> {
        self.workspace.context.home.as_deref()
    }
}

enum Read {
    /// With the description as the agent reads it.
    Preview(Arc<Skill>, String, PreviewKey),
    Learn(Arc<Skill>),
    Excerpt(Arc<Skill>, ExcerptKey),
}

pub(super) struct Jobs {
    results: JobResults,
    preview: Worker<Read>,
    facts: Worker<Read>,
    excerpt: Worker<Read>,
    /// Ranks. A question that is still being answered is dropped.
    pub(super) rank: Worker<Box<RankQuestion>>,
    /// The same for the completion of a prompt.
    pub(super) complete: Worker<Box<RankQuestion>>,
    /// The texts of a project that are edited here.
    stored: Arc<StoredDrafts>,
    /// Keeps drafts; only the newest counts.
    pub(super) drafts: Worker<Keep>,
    pub(super) bodies: Worker<Box<BodyQuestion>>,
    scans: Worker<Scan>,
    hidden: Worker<Snapshot>,
    /// Asks the agents' programs.
    asks: Worker<Snapshot>,
    watcher: Worker<Watching>,
    log: Worker<Log>,
    /// A change has been reported and not handled; it is not reported twice.
    changed: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    /// Whoever writes has a copy of it; none after the picker was left.
    writing: Option<Sender<()>>,
    /// It hangs up when everything is written.
    written: Receiver<()>,
    /// It hangs up when the newest job that writes has ended.
    last_write: Mutex<Option<Receiver<()>>>,
}

struct Scan {
    workspace: Workspace,
    /// The view before. Without one, rows are shown while they come in.
    before: Option<View>,
}

impl Jobs {
    pub(super) fn start(results: JobResults) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (writing, written) = channel();
        let fails = || failing(results.clone());
        let reader = |name: &str| {
            let (out, examiner) = (results.clone(), Examiner::default());
            Worker::new(name, move |job, slot| read(job, slot, &examiner, &out), fails())
        };
        let ranking = |name: &str, answer: fn(u64, Box<Ranking>) -> Msg| {
            let (out, failures, ranker) = (results.clone(), results.clone(), Mutex::default());
            Worker::new(
                name,
                move |question: Box<RankQuestion>, slot: &Slot<Box<RankQuestion>>| {
                    rank(&question, slot, &ranker, answer, &out)
                },
                move |why| {
                    let _ = failures.send(JobResult::Msg(Msg::Unranked));
                    let _ = failures.send(JobResult::Msg(tell_failed(why)));
                },
            )
        };
        let (rank, complete) = (ranking("rank", Msg::Ranked), ranking("complete", Msg::Completed));
        let out = results.clone();
        let drafts = Worker::new("drafts", move |job, _| compose::keep(&job, &out), fails());
        let (out, misses) = (results.clone(), Mutex::default());
        let bodies = Worker::new(
            "bodies",
            move |job: Box<BodyQuestion>, slot: &Slot<Box<BodyQuestion>>| {
                search_bodies(&job, slot, &misses, &out)
            },
            fails(),
        );
        let (out, halt) = (results.clone(), Arc::clone(&stop));
        let scans = Worker::new("scan", move |job, _| scan_all(&job, &halt, &out), fails());
        let (out, changed) = (results.clone(), Arc::new(AtomicBool::new(false)));
        let (watch, pending) = (Mutex::new(None), Arc::clone(&changed));
        let arm = move |job, slot: &Slot<Watching>| {
            let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
            if watch.is_none() && slot.overtaken_within(UNWATCHED) {
                return;
            }
            keep_watching(&mut watch, &job, &out, &pending);
        };
        let watcher = Worker::new("watch", arm, fails());
        let (out, log) = (results.clone(), LogReader::default());
        let (found, bodies_left) = (results.clone(), BodyReader::default());
        let hidden = Worker::new(
            "hidden",
            move |job: Snapshot, slot: &Slot<Snapshot>| bodies_left.serve(&job, slot, &found),
            fails(),
        );
        let (told, halt) = (results.clone(), Arc::clone(&stop));
        let asks = Worker::new("ask", move |job, _| asking::ask(&job, &halt, &told), fails());
        let log = Worker::new("activity", move |wanted, _| log.serve(wanted, &out), fails());
        Self {
            preview: reader("preview"),
            facts: reader("facts"),
            excerpt: reader("excerpt"),
            results,
            stored: Arc::default(),
            rank,
            complete,
            drafts,
            bodies,
            scans,
            hidden,
            asks,
            watcher,
            log,
            changed,
            stop,
            writing: Some(writing),
            written,
            last_write: Mutex::default(),
        }
    }

    /// Reads and lays out a text. True if the worker is busy; see [`Self::relieve`].
    pub(super) fn preview(&self, rows: &Rows, key: PreviewKey) -> bool {
        match rows.at(&key.path) {
            Some(row) => {
                let description = row.entry.description().to_owned();
                self.preview.ask(Read::Preview(Arc::clone(row.skill()), description, key))
            }
            None => {
                self.tell(Msg::Previewed(key, Err(app::Unseen::Gone)));
                false
            }
        }
    }

    /// Reads a skill's files and links. True if the worker is busy.
    pub(super) fn learn(&self, rows: &Rows, path: &Path) -> bool {
        let skill = rows.at(path).map(Row::skill);
        skill.is_some_and(|skill| self.facts.ask(Read::Learn(Arc::clone(skill))))
    }

    /// Reads the lines around a problem. True if the worker is busy.
    pub(super) fn excerpt(&self, rows: &Rows, key: ExcerptKey) -> bool {
        let skill = rows.at(&key.path).map(Row::skill);
        skill.is_some_and(|skill| self.excerpt.ask(Read::Excerpt(Arc::clone(skill), key)))
    }

    /// Starts new threads for readers that hang while a request waits.
    pub(super) fn relieve(&self) {
        [&self.preview, &self.facts, &self.excerpt]
            .into_iter()
            .for_each(|reader| reader.relieve(TIMEOUT));
    }

    /// Watches all files and folders that a view depends on, of a scan that began then. Does
    /// nothing if they are watched already.
    pub(super) fn watch(&self, workspace: &Workspace, since: SystemTime) {
        self.watcher.ask(Watching { watched: workspace.watched(), since });
    }

    /// Reads the bodies that the scan left out.
    pub(super) fn read_bodies(&self, snapshot: Snapshot) {
        self.hidden.ask(snapshot);
    }

    /// The reported change has been handled: the next one is reported again.
    pub(super) fn accept_changes(&self) {
        self.changed.store(false, Ordering::Relaxed);
    }

    /// Scans. With an earlier view, settings are read again and unchanged skills are reused.
    pub(super) fn scan(&self, workspace: &Workspace, before: Option<&View>) {
        self.scans.ask(Scan { workspace: workspace.clone(), before: before.cloned() });
    }

    fn tell(&self, msg: Msg) {
        let _ = self.results.send(JobResult::Msg(msg));
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.asks.settle(SETTLED);
        self.writing = None;
        let _ = self.written.recv_timeout(SETTLED);
    }
}

fn read(job: Read, slot: &Slot<Read>, examiner: &Examiner, results: &JobResults) {
    let tell = |msg| drop(results.send(JobResult::Msg(msg)));
    match job {
        Read::Preview(skill, description, key) => {
            preview(&skill, &description, &key, slot, &tell);
        }
        Read::Learn(skill) => learn::learn(&skill, examiner, slot, &tell),
        Read::Excerpt(skill, key) => {
            let lines = runtime::excerpt(&skill, key.line, 2);
            // A skill keeps what each parser makes of it, so the thread that draws parses nothing.
            for found in &skill.diagnostics {
                drop(refusers(&skill, found.check));
            }
            let excerpt =
                lines.map(|(first, lines)| Arc::new(convert::excerpt(first, &lines, key.line)));
            tell(Msg::Excerpted(key, excerpt.map_err(|error| SafeText::line(&error.to_string()))));
        }
    }
}

/// Sends the text without colour first, then with it unless another request waits.
fn preview(
    skill: &Skill,
    description: &str,
    key: &PreviewKey,
    slot: &Slot<Read>,
    tell: &dyn Fn(Msg),
) {
    failpoint::reach("panic-in-preview");
    let rendered = key.style == PreviewStyle::Rendered;
    // Raw shows the whole file; rendered, the description replaces the frontmatter.
    let file = key.file.as_deref().or((!rendered).then(|| skill.file()));
    let text = match runtime::text(skill, file, PREVIEW_BYTES) {
        Ok(text) => text,
        Err(error @ TextError::Held(_)) => {
            let columns = usize::from(key.columns);
            let mut doc = Doc::plain(&error.to_string(), columns, true);
            doc.lines.splice(..0, runtime::lead(description, columns));
            return tell(Msg::Previewed(key.clone(), Ok(Arc::new(doc))));
        }
        Err(error) => {
            let drawn = key.pictures && rendered && matches!(error, TextError::Binary { .. });
            let picture = if drawn { picture(skill, file, key.columns.into()) } else { None };
            let shown = picture.map(Arc::new).ok_or_else(|| convert::unseen(skill, file, &error));
            return tell(Msg::Previewed(key.clone(), shown));
        }
    };
    // `None` if a newer request waits.
    let page = |coloured: bool| {
        let _alone = LAYOUT.lock().unwrap_or_else(PoisonError::into_inner);
        let style = Style { columns: usize::from(key.columns), rendered, coloured, wrap: key.wrap };
        let mut doc = (!slot.overtaken()).then(|| runtime::page(&text, file, style))?;
        if file.is_none() {
            doc.lines.splice(..0, runtime::lead(description, style.columns));
        }
        Some(Arc::new(doc))
    };
    let Some(plain) = page(false) else { return };
    tell(Msg::Previewed(key.clone(), Ok(Arc::clone(&plain))));
    let coloured = if rendered { page(true) } else { None };
    if let Some(coloured) = coloured.filter(|coloured| *coloured != plain) {
        tell(Msg::Previewed(key.clone(), Ok(coloured)));
    }
}

/// Held while a text is laid out, which may take 60 MB. On a slow machine the thread may count as
/// stuck meanwhile, and the next request gets a thread of its own.
static LAYOUT: Mutex<()> = Mutex::new(());

/// A file of a skill, drawn as a picture; `None` if it is none.
fn picture(skill: &Skill, file: Option<&Path>, columns: usize) -> Option<Doc> {
    let content = runtime::bytes(skill, file, PICTURE_BYTES).ok().filter(|content| !content.cut)?;
    runtime::picture(&content.bytes, columns)
}

/// Lowers this thread's priority below the one that draws.
fn step_back() {
    // Only on Linux does a thread have its own priority; elsewhere this would slow the whole
    // program.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

fn rank(
    question: &RankQuestion,
    slot: &Slot<Box<RankQuestion>>,
    ranker: &Mutex<Ranker>,
    answer: fn(u64, Box<Ranking>) -> Msg,
    results: &JobResults,
) {
    failpoint::reach("panic-in-ranking");
    failpoint::linger("slow-ranking");
    let mut ranker = ranker.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(ranking) = question.answer(&mut ranker, &|| !slot.overtaken()) {
        let _ = results.send(JobResult::Msg(answer(question.number, Box::new(ranking))));
    }
}

fn scan_all(job: &Scan, stop: &Arc<AtomicBool>, results: &JobResults) {
    failpoint::reach("panic-in-scan");
    let began = SystemTime::now();
    let options = scan::Options { stop: Arc::clone(stop), ..scan::Options::default() };
    let (workspace, view) = match &job.before {
        Some(before) => {
            let workspace = job.workspace.reread();
            let view = workspace.view_after(before, options);
            (workspace, view)
        }
        None => (job.workspace.clone(), stream(&job.workspace, began, &options, results)),
    };
    if !stop.load(Ordering::Relaxed) {
        let _ = results.send(JobResult::View(Box::new(workspace), Box::new(view), began));
    }
}

/// The first scan shows its rows while they come in.
fn stream(
    workspace: &Workspace,
    began: SystemTime,
    options: &scan::Options,
    results: &JobResults,
) -> View {
    let (start, mut pace) = (Instant::now(), Pace::default());
    let mut wanted = |rows| pace.wants(start.elapsed(), rows);
    failpoint::linger("late-rows");
    let mut take = |view| {
        let view = JobResult::View(Box::new(workspace.clone()), Box::new(view), began);
        let _ = results.send(view);
        failpoint::linger("slow-scan");
    };
    workspace.view_streaming(options, Some(Progress { wanted: &mut wanted, take: &mut take }))
}
