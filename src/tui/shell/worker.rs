//! Workers of which only the newest job counts (house rule 7): one thread, one pending slot.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// Hands jobs to a worker; a job that has not been begun is replaced by the next.
pub(super) struct Worker<T> {
    slot: Arc<Slot<T>>,
}

/// What a worker may look at while it is at a job.
pub(super) struct Slot<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    pending: Option<T>,
    closed: bool,
}

impl<T: Send + 'static> Worker<T> {
    /// Starts a thread that does `work` on each job; `panicked` is told if one of them panics, and the next is done.
    pub(super) fn start(
        name: &str,
        mut work: impl FnMut(T, &Slot<T>) + Send + 'static,
        panicked: impl Fn() + Send + 'static,
    ) -> Self {
        let slot =
            Arc::new(Slot { state: Mutex::new(State { pending: None, closed: false }), changed: Condvar::new() });
        let own = Arc::clone(&slot);
        let body = move || {
            while let Some(job) = own.next() {
                let attempt = std::panic::AssertUnwindSafe(|| work(job, &own));
                if std::panic::catch_unwind(attempt).is_err() {
                    panicked();
                }
            }
        };
        // Without threads there are no previews; everything else goes on.
        let _ = thread::Builder::new().name(name.to_owned()).spawn(body);
        Self { slot }
    }

    /// Asks for a job; one that waits is forgotten.
    pub(super) fn ask(&self, job: T) {
        let mut state = self.slot.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.pending = Some(job);
        self.slot.changed.notify_one();
    }
}

impl<T> Slot<T> {
    /// Whether a newer job waits, so that this one is no longer worth its time.
    pub(super) fn overtaken(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.pending.is_some() || state.closed
    }

    fn next(&self) -> Option<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.closed {
                return None;
            }
            if let Some(job) = state.pending.take() {
                return Some(job);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Drop for Worker<T> {
    fn drop(&mut self) {
        let mut state = self.slot.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed = true;
        self.slot.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn only_the_newest_waiting_job_is_done_and_a_panic_is_told() {
        let (done, results) = mpsc::channel();
        let (begun, first) = mpsc::channel();
        let (go, gate) = mpsc::channel::<()>();
        let told = done.clone();
        let work = move |job: u32, slot: &Slot<u32>| {
            if job == 1 {
                begun.send(()).unwrap();
                gate.recv().unwrap();
                assert!(slot.overtaken());
            }
            assert!(job != 3, "this job fails");
            done.send(job).unwrap();
        };
        let worker = Worker::start("test", work, move || told.send(99).unwrap());
        worker.ask(1);
        first.recv().unwrap();
        worker.ask(2);
        worker.ask(3);
        go.send(()).unwrap();
        assert_eq!((results.recv(), results.recv()), (Ok(1), Ok(99)));
        worker.ask(4);
        assert_eq!(results.recv(), Ok(4));
    }
}
