//! Workers for which only the newest job counts: one thread, and one slot for a waiting job.

use super::jobs::PANICKED;
use super::spawn::spawn;
use crate::text::SafeText;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a job may take before the next one gets a new thread: a file may never answer (a pipe,
/// a dead network mount).
pub(super) const TIMEOUT: Duration = Duration::from_secs(2);

/// The number of threads that may hang.
const MAX_STUCK: usize = 8;

/// Hands jobs to a thread. A waiting job is replaced by the next one.
pub(super) struct Worker<T> {
    slot: Arc<Slot<T>>,
    /// Starts the thread with this number.
    start: Box<dyn Fn(u64) -> Result<(), SafeText> + Send>,
    /// Is told why a thread could not be started.
    fails: Arc<dyn Fn(SafeText) + Send + Sync>,
}

/// Shared with the worker, which can ask whether a newer job waits.
pub(super) struct Slot<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    pending: Option<T>,
    closed: bool,
    /// The current thread's number, from 1; older threads hang. 0 before the first job.
    thread: u64,
    /// When its current job began.
    since: Option<Instant>,
}

impl<T: Send + 'static> Worker<T> {
    /// Does `work` for each job, on a thread that begins with the first. If it panics, or no thread
    /// can be started, `fails` is told why, and the next job is tried.
    pub(super) fn new(
        name: &str,
        work: impl Fn(T, &Slot<T>) + Send + Sync + 'static,
        fails: impl Fn(SafeText) + Send + Sync + 'static,
    ) -> Self {
        let state = State { pending: None, closed: false, thread: 0, since: None };
        let slot = Arc::new(Slot { state: Mutex::new(state), changed: Condvar::new() });
        let fails: Arc<dyn Fn(SafeText) + Send + Sync> = Arc::new(fails);
        let (own, name, work) = (Arc::clone(&slot), name.to_owned(), Arc::new(work));
        let told = Arc::clone(&fails);
        let start = move |number| {
            let (slot, work, told) = (Arc::clone(&own), Arc::clone(&work), Arc::clone(&told));
            spawn(&name, move || {
                while let Some(job) = slot.next(number) {
                    let attempt = std::panic::AssertUnwindSafe(|| work(job, &slot));
                    if std::panic::catch_unwind(attempt).is_err() {
                        told(SafeText::fixed(PANICKED));
                    }
                }
            })
        };
        Self { slot, start: Box::new(start), fails }
    }

    /// Requests a job, replacing one that waits. True if the worker is busy; then [`Self::relieve`]
    /// it after a while.
    pub(super) fn ask(&self, job: T) -> bool {
        let mut state = self.slot.lock();
        state.pending = Some(job);
        if state.thread == 0 {
            self.begin(&mut state);
        }
        self.slot.changed.notify_all();
        state.since.is_some()
    }

    /// Takes no further job, and waits for the current one, at most this long.
    pub(super) fn settle(&self, patience: Duration) {
        let mut state = self.slot.lock();
        state.closed = true;
        self.slot.changed.notify_all();
        let busy = |state: &mut State<T>| state.since.is_some();
        drop(self.slot.changed.wait_timeout_while(state, patience, busy));
    }

    /// If a job waits and the current one has taken longer than `patience`, starts a new thread.
    pub(super) fn relieve(&self, patience: Duration) {
        let mut state = self.slot.lock();
        let stuck = state.since.is_some_and(|since| since.elapsed() >= patience);
        if stuck && state.pending.is_some() && state.thread <= MAX_STUCK as u64 {
            self.begin(&mut state);
        }
    }

    /// Starts a thread in place of the current one, which stays if there is no room for another.
    fn begin(&self, state: &mut State<T>) {
        match (self.start)(state.thread + 1) {
            Ok(()) => (state.thread, state.since) = (state.thread + 1, None),
            Err(why) => (self.fails)(why),
        }
    }
}

impl<T> Slot<T> {
    /// Whether a newer job waits.
    pub(super) fn overtaken(&self) -> bool {
        let state = self.lock();
        state.pending.is_some() || state.closed
    }

    /// Waits for a newer job, at most this long.
    pub(super) fn overtaken_within(&self, time: Duration) -> bool {
        let idle = |state: &mut State<T>| state.pending.is_none() && !state.closed;
        let waited = self.changed.wait_timeout_while(self.lock(), time, idle);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.pending.is_some() || state.closed
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, thread: u64) -> Option<T> {
        let mut state = self.lock();
        if state.thread == thread {
            state.since = None;
            self.changed.notify_all();
        }
        loop {
            if state.closed || state.thread != thread {
                return None;
            }
            if let Some(job) = state.pending.take() {
                state.since = Some(Instant::now());
                return Some(job);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Drop for Worker<T> {
    fn drop(&mut self) {
        self.slot.lock().closed = true;
        self.slot.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::shell::spawn::tests::without_threads;
    use std::sync::mpsc;

    #[test]
    fn only_the_newest_waiting_job_is_done_and_a_panic_is_reported() {
        let (done, results) = mpsc::channel();
        let (begun, first) = mpsc::channel();
        let (go, gate) = mpsc::channel::<()>();
        let gate = Mutex::new(gate);
        let told = done.clone();
        let work = move |job: u32, slot: &Slot<u32>| {
            if job == 1 {
                begun.send(()).unwrap();
                gate.lock().unwrap().recv().unwrap();
                assert!(slot.overtaken());
            }
            assert!(job != 3, "this job fails");
            done.send(job).unwrap();
        };
        let worker = Worker::new("test", work, move |_| told.send(99).unwrap());
        worker.ask(1);
        first.recv().unwrap();
        worker.ask(2);
        worker.ask(3);
        go.send(()).unwrap();
        assert_eq!((results.recv(), results.recv()), (Ok(1), Ok(99)));
        worker.ask(4);
        assert_eq!(results.recv(), Ok(4));
    }

    #[test]
    fn a_job_that_never_ends_does_not_hold_up_the_next() {
        let (done, results) = mpsc::channel();
        let (begun, first) = mpsc::channel();
        let (go, gate) = mpsc::channel::<()>();
        let gate = Mutex::new(gate);
        let work = move |job: u32, _: &Slot<u32>| {
            if job == 1 {
                begun.send(()).unwrap();
                let _ = gate.lock().unwrap().recv();
            }
            done.send(job).unwrap();
        };
        let worker = Worker::new("test", work, |_| {});
        worker.ask(1);
        first.recv().unwrap();
        assert!(worker.ask(2));
        worker.relieve(TIMEOUT * 1000);
        assert!(results.try_recv().is_err());
        worker.relieve(Duration::ZERO);
        assert_eq!(results.recv(), Ok(2));
        // The old thread finishes its job and takes no other.
        go.send(()).unwrap();
        assert_eq!(results.recv(), Ok(1));
        worker.ask(3);
        assert_eq!(results.recv(), Ok(3));
    }

    #[test]
    fn a_worker_without_a_thread_says_why_and_the_next_job_is_tried() {
        let ((done, results), (failed, failures)) = (mpsc::channel(), mpsc::channel());
        let ((begun, first), (go, gate)) = (mpsc::channel(), mpsc::channel::<()>());
        let gate = Mutex::new(gate);
        let work = move |job: u32, _: &Slot<u32>| {
            if job == 3 {
                begun.send(()).unwrap();
                gate.lock().unwrap().recv().unwrap();
            }
            done.send(job).unwrap();
        };
        let worker = Worker::new("test", work, move |why| failed.send(why).unwrap());
        without_threads(|| assert!(!worker.ask(1)));
        assert!(failures.recv().unwrap().as_str().starts_with("no thread could be started: "));
        worker.ask(2);
        assert_eq!(results.recv(), Ok(2));
        // The thread that hangs still does the next job, if it ever can.
        worker.ask(3);
        first.recv().unwrap();
        worker.ask(4);
        without_threads(|| worker.relieve(Duration::ZERO));
        assert!(failures.try_recv().is_ok());
        go.send(()).unwrap();
        assert_eq!((results.recv(), results.recv()), (Ok(3), Ok(4)));
    }
}
