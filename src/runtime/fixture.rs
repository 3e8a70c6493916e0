//! Calls of a test.

use super::CallContext;
use crate::workspace::View;
use crate::workspace::fixture::TestWorkspace;

impl TestWorkspace {
    /// A call of no conversation, about this view.
    pub(crate) fn call_context<'a>(&'a self, view: &'a View) -> CallContext<'a> {
        CallContext { workspace: &self.workspace, view, client: "test", session: None, scope: None }
    }
}
