//! The work behind the effects: read, scan, plan, save; each on a thread of its own, each answer a
//! message.

mod activity;
mod change;
mod share;

use self::activity::{Log, LogReader};
use super::convert;
use super::failpoint;
use super::watching::keep_watching;
use super::worker::{PATIENCE, Slot, Worker};
use crate::catalog::Skill;
use crate::listing::{Row, Rows};
use crate::policy::Glance;
use crate::runtime::{self, Bodies, PREVIEW_BYTES, Style};
use crate::scan;
use crate::scan::watch::Watched;
use crate::text::SafeText;
use crate::tui::app::{self, BodyQuestion, ExcerptKey, Msg, Notice, PreviewKey, PreviewStyle};
use crate::workspace::edit;
use crate::workspace::{Progress, View, Workspace};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;

/// How soon the rows are shown again while the first scan runs; each time it is three times as
/// long, because each view is larger than the one before, and nobody reads a list that moves.
const STREAM_AFTER: Duration = Duration::from_millis(60);

/// How long nobody must type before bodies are read.
const PAUSE_BEFORE_BODIES: Duration = Duration::from_millis(80);

/// What comes back from a job.
pub(super) enum Answer {
    /// Straight for the model.
    Msg(Msg),
    /// A newer view, with the settings it was judged by.
    View(Box<Workspace>, Box<View>),
    /// A view of this number, judged anew after a change of the settings.
    Rejudged(u64, Box<Workspace>, Box<View>),
    /// A plan, to be kept until it is saved or overtaken.
    Plan(Box<Workspace>, edit::Plan),
    /// What every host makes of the view with this number.
    Glanced(u64, Vec<Glance>),
    /// Something in the roots or the settings changed.
    Changed,
    /// The log of calls has grown.
    LogChanged,
    /// The files are watched from now on, or from a new place on; what cannot be is told.
    Watching(Option<SafeText>),
}

pub(super) type Answers = UnboundedSender<Answer>;

/// A read of one skill.
enum Read {
    Preview(Arc<Skill>, PreviewKey),
    Learn(Arc<Skill>),
    Excerpt(Arc<Skill>, ExcerptKey),
}

/// The threads of the picker.
pub(super) struct Jobs {
    answers: Answers,
    preview: Worker<Read>,
    facts: Worker<Read>,
    excerpt: Worker<Read>,
    bodies: Worker<Box<BodyQuestion>>,
    scans: Worker<Scan>,
    watcher: Worker<Watched>,
    log: Worker<Log>,
    /// A change has been told and not acted on yet: one word is enough.
    changed: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
}

/// A scan that is asked for.
struct Scan {
    workspace: Workspace,
    /// What was seen before; none shows what there is while it comes in.
    before: Option<View>,
}

impl Jobs {
    pub(super) fn start(answers: Answers) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let reader = |name: &str| {
            let (out, told) = (answers.clone(), answers.clone());
            Worker::start(name, move |job, slot| read(job, slot, &out), move || failed(&told))
        };
        let (out, told) = (answers.clone(), answers.clone());
        let bodies = Worker::start(
            "bodies",
            move |job: Box<BodyQuestion>, slot: &Slot<Box<BodyQuestion>>| {
                search_bodies(&job, slot, &out)
            },
            move || failed(&told),
        );
        let (out, told, halt) = (answers.clone(), answers.clone(), Arc::clone(&stop));
        let scans =
            Worker::start("scan", move |job, _| scan_all(&job, &halt, &out), move || failed(&told));
        let (out, told, changed) =
            (answers.clone(), answers.clone(), Arc::new(AtomicBool::new(false)));
        let (watch, pending) = (Mutex::new(None), Arc::clone(&changed));
        let arm = move |job, _: &Slot<Watched>| {
            let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
            keep_watching(&mut watch, &job, (&out, &pending));
        };
        let watcher = Worker::start("watch", arm, move || failed(&told));
        let (out, told, log) = (answers.clone(), answers.clone(), LogReader::default());
        let log = Worker::start(
            "activity",
            move |wanted, _| log.serve(wanted, &out),
            move || failed(&told),
        );
        Self {
            preview: reader("preview"),
            facts: reader("facts"),
            excerpt: reader("excerpt"),
            answers,
            bodies,
            scans,
            watcher,
            log,
            changed,
            stop,
        }
    }

    /// Lays out a text; a text of a skill that is gone is not there any more. True if it may have
    /// to be relieved.
    pub(super) fn preview(&self, rows: &Rows, key: PreviewKey) -> bool {
        match rows.at(&key.path).map(Row::skill) {
            Some(skill) => self.preview.ask(Read::Preview(Arc::clone(skill), key)),
            None => {
                self.tell(Msg::Previewed(key, Err(app::Unseen::Gone)));
                false
            }
        }
    }

    /// Learns what else there is to know of a skill. True if it may have to be relieved.
    pub(super) fn learn(&self, rows: &Rows, path: &Path) -> bool {
        let skill = rows.at(path).map(Row::skill);
        skill.is_some_and(|skill| self.facts.ask(Read::Learn(Arc::clone(skill))))
    }

    /// Reads the lines around a problem. True if it may have to be relieved.
    pub(super) fn excerpt(&self, rows: &Rows, key: ExcerptKey) -> bool {
        let skill = rows.at(&key.path).map(Row::skill);
        skill.is_some_and(|skill| self.excerpt.ask(Read::Excerpt(Arc::clone(skill), key)))
    }

    /// Leaves reads that never end to themselves, where others wait for them.
    pub(super) fn relieve(&self) {
        [&self.preview, &self.facts, &self.excerpt]
            .into_iter()
            .for_each(|reader| reader.relieve(PATIENCE));
    }

    /// Watches what a view was made of; where it is watched already, nothing changes.
    pub(super) fn watch(&self, workspace: &Workspace) {
        self.watcher.ask(workspace.watched());
    }

    /// A change that was told is acted on: the next one is told again.
    pub(super) fn heed_changes(&self) {
        self.changed.store(false, Ordering::Relaxed);
    }

    /// Looks for words in bodies.
    pub(super) fn bodies(&self, question: Box<BodyQuestion>) {
        self.bodies.ask(question);
    }

    /// Scans. After an earlier view the settings are read again, and what has not changed is taken
    /// over.
    pub(super) fn scan(&self, workspace: &Workspace, before: Option<&View>) {
        self.scans.ask(Scan { workspace: workspace.clone(), before: before.cloned() });
    }

    pub(super) fn once(&self, work: impl FnOnce() + Send + 'static) {
        let told = self.answers.clone();
        let body = move || {
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err() {
                failed(&told);
            }
        };
        if std::thread::Builder::new().name("change".to_owned()).spawn(body).is_err() {
            self.tell(Msg::Told(Notice::grave(SafeText::fixed("no thread could be started"))));
        }
    }

    fn tell(&self, msg: Msg) {
        let _ = self.answers.send(Answer::Msg(msg));
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A worker's panic is a message; the terminal stays ours.
fn failed(answers: &Answers) {
    let text = SafeText::fixed("something went wrong in the background; the rest goes on");
    let _ = answers.send(Answer::Msg(Msg::Told(Notice::grave(text))));
}

fn read(job: Read, slot: &Slot<Read>, answers: &Answers) {
    let tell = |msg| drop(answers.send(Answer::Msg(msg)));
    match job {
        Read::Preview(skill, key) => preview(&skill, &key, slot, &tell),
        Read::Learn(skill) => {
            let own = skill.file();
            let facts = runtime::facts(&skill).map(|facts| Arc::new(convert::facts(facts, own)));
            let path: Arc<Path> = Arc::from(skill.path.as_path());
            tell(Msg::Learned(path, facts.map_err(|error| SafeText::line(&error.to_string()))));
        }
        Read::Excerpt(skill, key) => {
            let lines = runtime::excerpt(&skill, key.line, 2);
            let excerpt = lines.map(|lines| Arc::new(convert::excerpt(lines, key.line)));
            tell(Msg::Excerpted(key, excerpt.map_err(|error| SafeText::line(&error.to_string()))));
        }
    }
}

/// The text without colour first, then with it, unless somebody looks elsewhere by then.
fn preview(skill: &Skill, key: &PreviewKey, slot: &Slot<Read>, tell: &dyn Fn(Msg)) {
    failpoint::reach("panic-in-preview");
    let rendered = key.style == PreviewStyle::Rendered;
    // Raw is the whole file; rendered, the description stands for the frontmatter.
    let file = key.file.as_deref().or((!rendered).then(|| skill.file()));
    let text = match runtime::text(skill, file, PREVIEW_BYTES) {
        Ok(text) => text,
        Err(error) => return tell(Msg::Previewed(key.clone(), Err(convert::unseen(&error)))),
    };
    let page = |coloured: bool| {
        let style = Style { columns: usize::from(key.columns), rendered, coloured, wrap: key.wrap };
        let mut doc = runtime::page(&text, file, style);
        if file.is_none() {
            doc.lines.splice(..0, runtime::lead(skill, style.columns));
        }
        doc
    };
    let plain = page(false);
    tell(Msg::Previewed(key.clone(), Ok(Arc::new(plain.clone()))));
    if !rendered || slot.overtaken() {
        return;
    }
    let coloured = page(true);
    if coloured != plain {
        tell(Msg::Previewed(key.clone(), Ok(Arc::new(coloured))));
    }
}

/// Lets this thread give way to the one that draws.
fn step_back() {
    // On Linux a priority is a thread's own; elsewhere it would be the whole program's.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

fn search_bodies(question: &BodyQuestion, slot: &Slot<Box<BodyQuestion>>, answers: &Answers) {
    step_back();
    // Somebody who types on is not waiting for bodies.
    if slot.overtaken_within(PAUSE_BEFORE_BODIES) {
        return;
    }
    let candidates = question.candidates();
    let go_on = || !slot.overtaken();
    // One thread: the other core is for the keys.
    let (rows, query) = (&question.rows, &question.query);
    let bodies = Bodies { rows, candidates: &candidates, query, threads: 1, go_on: &go_on };
    bodies.search(|found| drop(answers.send(Answer::Msg(Msg::Bodies(question.generation, found)))));
}

fn scan_all(job: &Scan, stop: &Arc<AtomicBool>, answers: &Answers) {
    failpoint::reach("panic-in-scan");
    let options = scan::Options { stop: Arc::clone(stop), ..scan::Options::default() };
    let (workspace, view) = match &job.before {
        Some(before) => {
            let workspace = job.workspace.reread();
            let view = workspace.view_after(before, options);
            (workspace, view)
        }
        None => (job.workspace.clone(), stream(&job.workspace, &options, answers)),
    };
    if !stop.load(Ordering::Relaxed) {
        let _ = answers.send(Answer::View(Box::new(workspace), Box::new(view)));
    }
}

/// The first scan: what there is so far is shown, a few times a second.
fn stream(workspace: &Workspace, options: &scan::Options, answers: &Answers) -> View {
    let (mut last, mut patience) = (None::<Instant>, STREAM_AFTER);
    let mut wanted = || {
        let due = last.is_none_or(|last| last.elapsed() >= patience);
        if due {
            patience = if last.is_none() { STREAM_AFTER } else { patience * 3 };
            last = Some(Instant::now());
        }
        due
    };
    let mut take =
        |view| drop(answers.send(Answer::View(Box::new(workspace.clone()), Box::new(view))));
    workspace.view_streaming(options, Some(Progress { wanted: &mut wanted, take: &mut take }))
}
