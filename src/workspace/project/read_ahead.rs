//! A project that is read while something else is done.

use super::{ProjectLink, ProjectSkills};
use crate::catalog::RootState;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

/// The project's skills as they are now, or as they were read last, and how that went.
pub(super) type StoredRead = (Option<Arc<ProjectSkills>>, RootState);

/// The project's skills, which another thread may be reading.
#[derive(Default)]
pub(in crate::workspace) struct ReadAhead<'scope> {
    begun: Option<ScopedJoinHandle<'scope, StoredRead>>,
    read: Option<StoredRead>,
}

impl<'scope> ReadAhead<'scope> {
    /// `begun` is the thread that reads; without one the first caller does.
    pub(super) fn begin(begun: Option<ScopedJoinHandle<'scope, StoredRead>>) -> Self {
        Self { begun, read: None }
    }

    /// What was read; waits for the thread that reads.
    pub(super) fn get(&mut self, link: &ProjectLink) -> StoredRead {
        let begun = self.begun.take().and_then(|begun| begun.join().ok());
        self.read.get_or_insert_with(|| begun.unwrap_or_else(|| link.skills())).clone()
    }
}
