//! Jobs that are not done: taken back, left out for want of a file handle, or not wanted any more.

use super::{Job, Walk};
use crate::catalog::RootState;

impl Walk {
    /// Takes back a job that was not begun.
    pub(in crate::scan) fn put_back(&mut self, job: Job) {
        match job {
            Job::Root(root) => self.unopened.push_back(root),
            // It was admitted already.
            Job::Folder { place, .. } => self.opened.push_back(place),
            Job::File(found) => self.files.push_back(found),
        }
    }

    /// Leaves the rest undone.
    pub(super) fn clear(&mut self) {
        self.unopened.clear();
        self.opened.clear();
        self.own.clear();
        self.linked.clear();
        self.files.clear();
        self.doubtful.clear();
    }

    /// Closes the folders that stay open for the files that wait.
    pub(in crate::scan) fn close_folders(&mut self) {
        for found in &mut self.files {
            found.folder = None;
        }
    }

    /// Leaves out a job that no handle was left for: not all of its root is known then.
    pub(in crate::scan) fn leave_out(&mut self, job: &Job) {
        let root = match job {
            Job::Root(root) => *root,
            Job::Folder { place, .. } => place.base.root,
            Job::File(found) => found.root,
        };
        self.fail(root, RootState::without_handle());
    }
}
