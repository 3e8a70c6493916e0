//! The jobs that a worker takes at a time. The lock of the pool is taken once for all of them, so
//! that workers seldom wait for each other.

use super::place::Job;
use super::pool::Done;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most jobs at a time: together they take less than a millisecond.
pub(super) const MAX_JOBS: usize = 16;

/// Jobs that one worker does in their order.
pub(super) struct Jobs {
    jobs: Vec<Job>,
    /// How many were begun or taken back. It may be more than there are jobs.
    begun: AtomicUsize,
    done: Mutex<Progress>,
}

/// What came of the jobs so far.
#[derive(Default)]
struct Progress {
    done: Vec<Done>,
    handed_in: usize,
    /// The position of the first one that was taken back.
    taken_back: Option<usize>,
}

impl Jobs {
    pub(super) fn new(jobs: Vec<Job>) -> Self {
        Self { jobs, begun: AtomicUsize::new(0), done: Mutex::default() }
    }

    /// The next job, for the worker.
    pub(super) fn begin(&self) -> Option<&Job> {
        self.jobs.get(self.begun.fetch_add(1, Ordering::Relaxed))
    }

    /// Takes what came of the job that was begun last, from the worker.
    pub(super) fn end(&self, done: Done) {
        self.progress(|progress| progress.done.push(done));
    }

    /// Gives what came of the jobs since the last call, each with its job.
    pub(super) fn hand_in(&self) -> Vec<(&Job, Done)> {
        self.progress(|progress| {
            let done = std::mem::take(&mut progress.done);
            let first = progress.handed_in;
            progress.handed_in += done.len();
            self.jobs[first..].iter().zip(done).collect()
        })
    }

    /// Takes the jobs that were not begun away from the worker.
    pub(super) fn take_back(&self) -> &[Job] {
        let begun = self.begun.fetch_max(self.jobs.len(), Ordering::Relaxed);
        let rest = self.jobs.get(begun..).unwrap_or_default();
        self.progress(|progress| {
            progress.taken_back.get_or_insert(self.jobs.len() - rest.len());
        });
        rest
    }

    /// The first job without a result: the worker is at it, or about to begin it. `None` if all are
    /// done.
    pub(super) fn current(&self) -> Option<&Job> {
        self.progress(|progress| {
            let end = progress.taken_back.unwrap_or(self.jobs.len());
            self.jobs[..end].get(progress.handed_in + progress.done.len())
        })
    }

    /// Whether one of them lists a folder, or opens a root.
    pub(super) fn lists(&self) -> bool {
        self.jobs.iter().any(|job| matches!(job, Job::Folder { .. } | Job::Root(_)))
    }

    fn progress<T>(&self, look: impl FnOnce(&mut Progress) -> T) -> T {
        look(&mut self.done.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::RootState;

    fn some(jobs: usize) -> Jobs {
        Jobs::new((0..jobs).map(Job::Root).collect())
    }

    fn root(job: Option<&Job>) -> Option<usize> {
        job.map(|job| match job {
            Job::Root(root) => *root,
            _ => unreachable!("they are all roots"),
        })
    }

    fn end(jobs: &Jobs) {
        jobs.end(Done::Root(Err(RootState::Missing)));
    }

    fn handed_in(jobs: &Jobs) -> Vec<usize> {
        jobs.hand_in().into_iter().filter_map(|(job, _)| root(Some(job))).collect()
    }

    #[test]
    fn each_job_is_handed_in_once_with_its_own_result() {
        let jobs = some(3);
        for number in 0..2 {
            assert_eq!(root(jobs.begin()), Some(number));
            end(&jobs);
        }
        assert_eq!(handed_in(&jobs), [0, 1]);
        assert_eq!(root(jobs.begin()), Some(2));
        end(&jobs);
        assert_eq!((handed_in(&jobs), root(jobs.begin())), (vec![2], None));
        assert!(handed_in(&jobs).is_empty());
    }

    #[test]
    fn what_was_taken_back_is_not_begun_and_what_was_begun_not_taken_back() {
        let jobs = some(4);
        jobs.begin();
        end(&jobs);
        jobs.begin();
        let rest: Vec<_> = jobs.take_back().iter().map(|job| root(Some(job))).collect();
        assert_eq!(rest, [Some(2), Some(3)]);
        assert!(jobs.take_back().is_empty() && jobs.begin().is_none());
        assert_eq!((handed_in(&jobs), root(jobs.current())), (vec![0], Some(1)));
        end(&jobs);
        assert_eq!((root(jobs.current()), handed_in(&jobs)), (None, vec![1]));
        assert!(jobs.take_back().is_empty());
    }
}
