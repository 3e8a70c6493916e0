//! Jobs that have a thread of their own, and what becomes of one that panics.

use super::{JobResult, JobResults, Jobs};
use crate::text::SafeText;
use crate::tui::app::{ChangeAnswer, Msg, Notice};
use crate::tui::shell::spawn::spawn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::sync::mpsc::{Receiver, channel};

/// What is said of a job that panics.
pub(in crate::tui::shell) const PANICKED: &str = "a background task failed; the rest goes on";

impl Jobs {
    /// Does a job on a thread of its own.
    pub(super) fn once(&self, work: impl FnOnce(&JobResults) + Send + 'static) {
        self.once_or(work, tell_failed);
    }

    /// The same for a job whose answer is awaited: if it fails, this message with the reason comes
    /// instead. Whether it has begun.
    pub(super) fn once_or(
        &self,
        work: impl FnOnce(&JobResults) + Send + 'static,
        fails: impl Fn(SafeText) -> Msg + Copy + Send + 'static,
    ) -> bool {
        let results = self.results.clone();
        let body = move || {
            if catch_unwind(AssertUnwindSafe(|| work(&results))).is_err() {
                let _ = results.send(JobResult::Msg(fails(SafeText::fixed(PANICKED))));
            }
        };
        let begun = spawn("job", body);
        if let Err(why) = &begun {
            self.tell(fails(why.clone()));
        }
        begun.is_ok()
    }

    /// The same for a job that writes, or reads what others write: whoever leaves then waits for it
    /// for a moment. Such jobs run one after the other, in the order of the keys, since an undo is
    /// about the change before it.
    pub(super) fn in_turn_or(
        &self,
        work: impl FnOnce(&JobResults) + Send + 'static,
        fails: impl Fn(SafeText) -> Msg + Copy + Send + 'static,
    ) {
        let (writing, (ended, end)) = (self.writing.clone(), channel::<()>());
        let (hand_over, before) = channel::<Receiver<()>>();
        let in_turn = move |results: &JobResults| {
            if let Ok(before) = before.recv() {
                // It hangs up when that job has ended, also by a panic.
                let _ = before.recv();
            }
            work(results);
            drop((writing, ended));
        };
        let mut last = self.last_write.lock().unwrap_or_else(PoisonError::into_inner);
        // Without a thread for this one, the next one waits for the job before it.
        if self.once_or(in_turn, fails)
            && let Some(before) = last.replace(end)
        {
            let _ = hand_over.send(before);
        }
    }

    /// Works out a change. The answer has the number of the request.
    pub(super) fn plans(&self, number: u64, work: impl FnOnce() -> ChangeAnswer + Send + 'static) {
        let answered = move |results: &JobResults| answer(results, number, work());
        self.once_or(answered, move |why| Msg::Changed(number, ChangeAnswer::Failed(why)));
    }

    /// Makes a change, in its turn.
    pub(super) fn writes(
        &self,
        number: u64,
        work: impl FnOnce(&JobResults) -> ChangeAnswer + Send + 'static,
    ) {
        let answered = move |results: &JobResults| answer(results, number, work(results));
        self.in_turn_or(answered, move |why| Msg::Changed(number, ChangeAnswer::Failed(why)));
    }
}

fn answer(results: &JobResults, number: u64, answer: ChangeAnswer) {
    let _ = results.send(JobResult::Msg(Msg::Changed(number, answer)));
}

/// What a worker does when it fails: says why, and the picker goes on.
pub(super) fn failing(results: JobResults) -> impl Fn(SafeText) + Send + Sync + 'static {
    move |why| drop(results.send(JobResult::Msg(tell_failed(why))))
}

pub(super) fn tell_failed(why: SafeText) -> Msg {
    Msg::Notice(Notice::grave(why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::shell::spawn::tests::without_threads;
    use std::time::Duration;
    use tokio::sync::mpsc::unbounded_channel;

    fn saved() -> ChangeAnswer {
        ChangeAnswer::Saved(Ok(SafeText::fixed("saved")))
    }

    #[test]
    fn jobs_that_write_run_one_after_the_other_also_after_a_panic() {
        let (results, _told) = unbounded_channel();
        let jobs = Jobs::start(results);
        let (done, order) = channel();
        for number in 0..8_u64 {
            let done = done.clone();
            jobs.writes(number, move |_| {
                std::thread::sleep(Duration::from_millis(8 - number));
                done.send(number).unwrap();
                assert_ne!(number, 3, "as a job may");
                saved()
            });
        }
        drop(done);
        assert_eq!(order.iter().collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
    }

    #[test]
    fn a_job_without_a_thread_says_why_and_the_next_one_waits_for_the_job_before_it() {
        let (results, mut told) = unbounded_channel();
        let jobs = Jobs::start(results);
        let ((done, order), (go, gate)) = (channel(), channel::<()>());
        let first = done.clone();
        jobs.writes(1, move |_| {
            gate.recv().unwrap();
            first.send(1).unwrap();
            saved()
        });
        let second = done.clone();
        without_threads(|| {
            jobs.writes(2, move |_| {
                second.send(2).unwrap();
                saved()
            });
            jobs.once(|_| {});
        });
        let Ok(JobResult::Msg(Msg::Changed(2, ChangeAnswer::Failed(why)))) = told.try_recv() else {
            panic!("the change is not ended");
        };
        assert!(why.as_str().starts_with("no thread could be started: "), "{why:?}");
        assert!(why.as_str().contains("ulimit"), "what to do: {why:?}");
        assert!(matches!(told.try_recv(), Ok(JobResult::Msg(Msg::Notice(_)))));
        jobs.writes(3, move |_| {
            done.send(3).unwrap();
            saved()
        });
        assert!(order.recv_timeout(Duration::from_millis(50)).is_err(), "the first one holds it");
        go.send(()).unwrap();
        assert_eq!(order.iter().collect::<Vec<_>>(), [1, 3]);
    }
}
