//! What the walk does where no file handle is left.

use super::{Job, Walk};
use crate::catalog::NO_HANDLE;

impl Walk {
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
        self.fail(root, NO_HANDLE.to_owned());
    }
}
