//! Whether calls can be logged. A call goes on without its line in the log, so the first failure is
//! reported to whoever can read it.

use crate::state::StateError;
use crate::text::SafeText;
use std::sync::{Arc, Mutex, PoisonError};

/// Whether the last call could be logged. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct LogHealth(Arc<Mutex<State>>);

#[derive(Debug, Default)]
enum State {
    #[default]
    Works,
    /// It failed, which nobody was told.
    Failed(String),
    /// It fails, and somebody was told.
    Reported,
}

impl LogHealth {
    /// Whether to wait for a log that another process holds. After it has failed, no call waits
    /// for it again until one was logged.
    pub fn waits(&self) -> bool {
        matches!(*self.0.lock().unwrap_or_else(PoisonError::into_inner), State::Works)
    }

    /// Takes the result of logging a call.
    pub fn note(&self, logged: Result<(), StateError>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (logged, &*state) {
            (Ok(()), _) => *state = State::Works,
            (Err(error), State::Works) => *state = State::Failed(error.to_string()),
            (Err(_), State::Failed(_) | State::Reported) => {}
        }
    }

    /// What is to be reported now, which then counts as reported: once for a failure, and again
    /// only after a call was logged.
    pub fn news(&self) -> Option<SafeText> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let State::Failed(error) = &*state else { return None };
        let news = SafeText::line(&format!(
            "calls are not logged, so `skillpick activity` does not show them: {error}"
        ));
        *state = State::Reported;
        Some(news)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_reported_once_and_again_after_the_log_has_worked() {
        let health = LogHealth::default();
        let failed = || Err(StateError::Nowhere);
        assert_eq!(health.news(), None);
        health.note(failed());
        health.clone().note(failed());
        assert!(health.news().unwrap().as_str().contains("no home directory"));
        health.note(failed());
        assert_eq!(health.news(), None);
        health.note(Ok(()));
        assert_eq!(health.news(), None);
        health.note(failed());
        assert!(health.news().is_some());
    }
}
