//! The workers of a scan. A call that does not return, as on a network folder that is gone, holds
//! up nothing but itself: others go on, and after a while the scan ends without it. Where no thread
//! can be started, the caller works.

use super::handles;
use super::index::{Folders, Indexes};
use super::jobs::{Jobs, MAX_JOBS};
use super::listed::{Extent, Tree};
use super::listing::{self, Listings, Outcome};
use super::place::{FoundFile, Job};
use super::read::{self, Read, Reader, Sources};
use super::stuck;
use super::walk::{Ended, SILENT, Walk};
use super::{BATCH, Options};
use crate::catalog::{Cut, Root, RootReport, RootState, Skill};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Workers that list and read; more gain nothing, and one core is left for the screen.
const WORKERS: usize = 3;

/// The most workers, with those that wait for a slow call.
const MAX_WORKERS: usize = 32;

/// How often the scan looks whether its workers go on.
const TICK: Duration = Duration::from_millis(50);

/// A call that takes so many ticks holds up nobody any more.
const SLOW: u32 = 2;

/// Beyond twice [`WORKERS`], a new worker is started only for a call that takes so many ticks. On a
/// busy processor all calls are slow, and more workers do not help.
const VERY_SLOW: u32 = 10;

/// How often a job is tried for which no file handle is left, and the time between two tries.
const TRIES: usize = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// After so many calls without an answer the scan no longer waits for the slow ones.
const ENOUGH: usize = 8;

/// Called with a path before anything is asked about it; a test blocks in it.
pub(super) type Look = fn(&Path);

pub(super) struct Pool {
    sources: Sources,
    state: Mutex<State>,
    /// There may be a job.
    work: Condvar,
    /// There are results, or it is over.
    news: Condvar,
    look: Look,
    /// Whether a job was left out, since no file handle was left. The others are tried once.
    leaves_out: AtomicBool,
}

struct State {
    walk: Walk,
    workers: Vec<Worker>,
    /// How many workers wait for a job.
    waiting: usize,
    results: VecDeque<Read>,
    told: usize,
    checked: Instant,
    given_up: usize,
}

/// What one worker does.
struct Worker {
    jobs: Option<Arc<Jobs>>,
    /// Counts the steps of its jobs.
    beat: Arc<AtomicUsize>,
    seen: usize,
    /// How many ticks it has made no step.
    ticks: u32,
    /// The path for which nobody waits any more, nor for this worker.
    given_up: Option<PathBuf>,
}

impl Worker {
    fn is_slow(&self) -> bool {
        self.ticks >= SLOW
    }

    fn is_at_work(&self) -> bool {
        self.jobs.is_some() && self.given_up.is_none()
    }
}

/// What came of a job.
pub(super) enum Done {
    Root(Result<PathBuf, RootState>),
    Folder(Outcome),
    File(Read),
    /// No file handle was left for it.
    LeftOut,
}

impl Pool {
    /// Starts to walk the roots whose tree is not known.
    pub(super) fn start(
        roots: &[Root],
        trees: &[Option<Arc<Tree>>],
        options: &Options,
        look: Look,
    ) -> Arc<Self> {
        let pool = Self::without_workers(roots, trees, options, look);
        for _ in 0..WORKERS {
            pool.hire(&mut pool.lock());
        }
        pool
    }

    fn without_workers(
        roots: &[Root],
        trees: &[Option<Arc<Tree>>],
        options: &Options,
        look: Look,
    ) -> Arc<Self> {
        let roots: Arc<[Root]> = roots.into();
        let state = State {
            walk: Walk::new(Arc::clone(&roots), trees, options.clone()),
            workers: Vec::new(),
            waiting: 0,
            results: VecDeque::new(),
            told: 0,
            checked: Instant::now(),
            given_up: 0,
        };
        let indexes = Indexes::load(&roots, trees, options);
        Arc::new(Self {
            sources: Sources { roots, options: options.clone(), indexes },
            state: Mutex::new(state),
            work: Condvar::new(),
            news: Condvar::new(),
            look,
            leaves_out: AtomicBool::new(false),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hire(self: &Arc<Self>, state: &mut State) {
        let (me, pool) = (state.workers.len(), Arc::clone(self));
        let beat = Arc::new(AtomicUsize::new(0));
        let worker =
            Worker { jobs: None, beat: Arc::clone(&beat), seen: 0, ticks: 0, given_up: None };
        state.workers.push(worker);
        let body = move || {
            let mut reader = Reader::new(beat);
            while let Some(jobs) = pool.next(me) {
                pool.work(&jobs, &mut reader);
            }
        };
        if thread::Builder::new().name("scan".to_owned()).spawn(body).is_err() {
            state.workers.pop();
        }
    }

    fn work(&self, jobs: &Jobs, reader: &mut Reader) {
        while let Some(job) = jobs.begin() {
            jobs.end(self.run(job, reader));
        }
    }

    /// Does the next jobs on the caller's thread, if there is no worker.
    fn work_alone(&self) {
        let mut state = self.lock();
        let Some(jobs) = state.is_alone().then(|| state.next()).flatten() else { return };
        drop(state);
        self.work(&jobs, &mut Reader::default());
        self.lock().hand_in(&jobs);
    }

    /// Hands in what came of its jobs and takes the next ones; `None` if there are no more.
    fn next(&self, me: usize) -> Option<Arc<Jobs>> {
        let mut state = self.lock();
        if let Some(path) = &state.workers[me].given_up {
            stuck::among(|paths| paths.remove(path));
            return None;
        }
        if let Some(jobs) = state.workers[me].jobs.take() {
            state.hand_in(&jobs);
        }
        if state.has_news() {
            self.news.notify_one();
        }
        loop {
            if let Some(jobs) = state.next().map(Arc::new) {
                let worker = &mut state.workers[me];
                worker.jobs = Some(Arc::clone(&jobs));
                worker.ticks = 0;
                if state.waiting > 0 && !state.walk.is_empty() {
                    self.work.notify_one();
                }
                return Some(jobs);
            }
            if state.is_over() {
                self.work.notify_all();
                self.news.notify_one();
                return None;
            }
            state.waiting += 1;
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    fn path<'a>(&'a self, job: &'a Job) -> &'a Path {
        match job {
            Job::Root(root) => &self.sources.roots[*root].path,
            Job::Folder { path, .. } | Job::File(FoundFile { path, .. }) => path,
        }
    }

    /// Does a job. If no file handle is left, that is not the path's fault: folders that are kept
    /// open are closed, and the job is tried again.
    fn run(&self, job: &Job, reader: &mut Reader) -> Done {
        for _ in 0..TRIES {
            reader.beat.fetch_add(1, Ordering::Relaxed);
            let done = self.run_once(job, reader);
            if !handles::ran_out() {
                return done;
            }
            if self.leaves_out.load(Ordering::Relaxed) {
                break;
            }
            self.lock().walk.close_folders();
            thread::sleep(PAUSE);
        }
        self.leaves_out.store(true, Ordering::Relaxed);
        Done::LeftOut
    }

    fn run_once(&self, job: &Job, reader: &mut Reader) -> Done {
        let (path, Sources { roots, options, .. }) = (self.path(job), &self.sources);
        if stuck::has(path) {
            return silent(job);
        }
        (self.look)(path);
        match job {
            Job::Root(root) => Done::Root(listing::open_root(&roots[*root])),
            Job::Folder { place, room, .. } => {
                let started = Instant::now();
                let index = self.sources.indexes.folders(place.base.root);
                let listings = Listings { listed: options.listed.as_ref(), index };
                let root = &roots[place.base.root];
                let outcome = listing::list((place, root), *room, listings, &reader.beat);
                if place.base.beyond.is_some() {
                    options.beyond.spend(started.elapsed());
                }
                Done::Folder(outcome)
            }
            Job::File(found) => Done::File(read::skill(found, &self.sources, reader)),
        }
    }

    /// Waits for results. The bool says that they are the last.
    pub(super) fn results(self: &Arc<Self>) -> (Vec<Read>, bool) {
        self.work_alone();
        let waits = |state: &mut State| !state.has_news() && !state.is_over() && !state.is_alone();
        let (mut state, _) = self
            .news
            .wait_timeout_while(self.lock(), TICK, waits)
            .unwrap_or_else(PoisonError::into_inner);
        self.supervise(&mut state);
        let count = state.results.len().min(BATCH);
        let results: Vec<Read> = state.results.drain(..count).collect();
        state.told += count;
        (results, state.is_over() && state.results.is_empty())
    }

    /// Looks whether the workers go on. Time counts only while the scan itself runs, so that a
    /// program that was stopped gives up nothing.
    fn supervise(self: &Arc<Self>, state: &mut State) {
        if state.checked.elapsed() < TICK {
            return;
        }
        state.checked = Instant::now();
        let patience = match state.given_up >= ENOUGH {
            true => SLOW,
            false => u32::try_from(self.sources.options.patience.as_millis() / TICK.as_millis())
                .unwrap_or(u32::MAX)
                .max(SLOW),
        };
        for me in 0..state.workers.len() {
            let worker = &mut state.workers[me];
            if !worker.is_at_work() {
                continue;
            }
            let beat = worker.beat.load(Ordering::Relaxed);
            worker.ticks = if beat == worker.seen { worker.ticks + 1 } else { 0 };
            worker.seen = beat;
            if worker.is_slow() {
                state.relieve(me);
            }
            if state.workers[me].ticks > patience {
                self.give_up(state, me);
            }
        }
        let going = state.workers.iter().filter(|worker| worker.given_up.is_none());
        let all = going.clone().count();
        let many = if all < 2 * WORKERS { SLOW } else { VERY_SLOW };
        let slow = going.filter(|worker| worker.ticks >= many).count();
        if all - slow < WORKERS && all < MAX_WORKERS && !state.walk.is_empty() {
            self.hire(state);
        }
        self.work.notify_all();
    }

    /// Gives up a worker, and the job that it is at.
    fn give_up(&self, state: &mut State, me: usize) {
        let Some(jobs) = state.workers[me].jobs.clone() else { return };
        let Some(job) = jobs.current() else { return };
        let path = self.path(job).to_owned();
        state.given_up += 1;
        state.take(job, silent(job));
        stuck::among(|paths| paths.insert(path.clone()));
        state.workers[me].given_up = Some(path);
    }

    /// Writes the index; see [`Indexes::end`].
    pub(super) fn write_index(
        &self,
        skills: &[Arc<Skill>],
        anew: &[Arc<Skill>],
        folders: &[Folders],
    ) {
        self.sources.indexes.end(&self.sources.roots, skills, anew);
        self.sources.indexes.end_folders(folders);
    }

    /// What the whole walk tells, after the last results.
    pub(super) fn finish(&self) -> Finished {
        let mut state = self.lock();
        let extents = state.walk.extents();
        let Ended { reports, folders, cuts, doubtful, too_deep } = state.walk.finish();
        drop(state);
        let mut reader = Reader::default();
        let read = |found: &_| read::skill(found, &self.sources, &mut reader);
        let last = doubtful.iter().map(read).collect();
        Finished { reports, extents, folders, cuts, too_deep, last }
    }
}

/// What is known at the end of a walk.
pub(super) struct Finished {
    pub(super) reports: Vec<RootReport>,
    pub(super) extents: Vec<Extent>,
    pub(super) folders: Vec<Folders>,
    pub(super) cuts: Vec<Cut>,
    pub(super) too_deep: Vec<(PathBuf, Root)>,
    pub(super) last: Vec<Read>,
}

impl State {
    /// The next jobs: few where there are few, so that each worker has some.
    fn next(&mut self) -> Option<Jobs> {
        let lists = |worker: &Worker| {
            let lists = worker.jobs.as_ref().is_some_and(|jobs| jobs.lists());
            lists && worker.is_at_work() && !worker.is_slow()
        };
        let follows_links = !self.workers.iter().any(lists);
        let count = (self.walk.ready() / WORKERS).clamp(1, MAX_JOBS);
        let mut jobs = Vec::with_capacity(count);
        while jobs.len() < count
            && let Some(job) = self.walk.next(follows_links && jobs.is_empty())
        {
            let is_late = matches!(&job, Job::Folder { place, .. } if place.is_late());
            jobs.push(job);
            if is_late {
                break;
            }
        }
        (!jobs.is_empty()).then(|| Jobs::new(jobs))
    }

    /// Takes in what came of these jobs so far.
    fn hand_in(&mut self, jobs: &Jobs) {
        for (job, done) in jobs.hand_in() {
            self.take(job, done);
        }
    }

    /// Leaves a slow worker only the job that it is at; others do the rest.
    fn relieve(&mut self, me: usize) {
        let Some(jobs) = self.workers[me].jobs.clone() else { return };
        self.hand_in(&jobs);
        for job in jobs.take_back() {
            self.walk.put_back(job.clone());
        }
    }

    fn take(&mut self, job: &Job, done: Done) {
        match (job, done) {
            (Job::Root(root), Done::Root(opened)) => self.walk.take_root(*root, opened),
            (Job::Folder { place, .. }, Done::Folder(outcome)) => self.walk.take(place, outcome),
            (_, Done::File(read)) => self.results.push_back(read),
            (job, Done::LeftOut) => self.walk.leave_out(job),
            _ => {}
        }
    }

    fn is_over(&self) -> bool {
        self.walk.is_empty() && !self.workers.iter().any(Worker::is_at_work)
    }

    /// Whether there is work and nobody to do it.
    fn is_alone(&self) -> bool {
        let has_worker = self.workers.iter().any(|worker| worker.given_up.is_none());
        !has_worker && !self.walk.is_empty()
    }

    /// The very first results go out at once, so that a screen has rows after the first folder.
    fn has_news(&self) -> bool {
        !self.results.is_empty() && (self.results.len() >= BATCH || self.told < 8)
    }
}

/// What comes of a job that does not answer.
fn silent(job: &Job) -> Done {
    match job {
        Job::Root(_) => Done::Root(Err(RootState::Failed(SILENT.to_owned()))),
        Job::Folder { .. } => Done::Folder(Outcome::Silent),
        Job::File(found) => Done::File(read::silent(found)),
    }
}

#[cfg(test)]
mod tests;
