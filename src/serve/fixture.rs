//! The parts of a server for tests that need no process: a catalog, and calls of its tools.

use super::answer::Answer;
use super::catalog_cache::{CatalogCache, Snapshot};
use super::consent::Given;
use super::conversation::Conversation;
use super::error::ToolError;
use super::server::Connection;
use super::tools::{Call, open};
use crate::runtime::dialect::Dialect;
use crate::workspace::fixture::TestWorkspace;
use rmcp::model::RequestId;
use serde_json::Value;
use std::sync::Arc;

pub(super) struct TestServer {
    pub(super) test: TestWorkspace,
    pub(super) catalogs: CatalogCache,
    pub(super) connection: Connection,
    pub(super) strict: bool,
    pub(super) remote: bool,
    pub(super) given: Given,
}

impl TestServer {
    /// Skills in the repository with these names in their frontmatter, and these settings of the
    /// person.
    pub(super) fn with(names: &[&str], settings: &str) -> Self {
        let test = TestWorkspace::with(&[]);
        for (number, name) in names.iter().enumerate() {
            let frontmatter = format!("name: {}\ndescription: d", Value::from(*name));
            test.env.raw_skill(&format!("repo/.agents/skills/s{number}"), &frontmatter, "BODY");
        }
        test.env.settings(settings);
        let catalogs = CatalogCache::new(test.workspace.clone());
        let connection = Connection {
            client: "test".to_owned(),
            request: RequestId::Number(1),
            id: None,
            dialect: Dialect::default(),
            conversation: Arc::new(Conversation::new(None)),
            lasts: true,
        };
        let given = Given::default();
        Self { test, catalogs, connection, strict: false, remote: false, given }
    }

    pub(super) fn speaking(mut self, dialect: Dialect) -> Self {
        self.connection.dialect = dialect;
        self
    }

    pub(super) fn in_conversation(mut self, id: &str) -> Self {
        self.connection.id = Some(id.to_owned());
        self.connection.conversation = Arc::new(Conversation::new(Some(id.to_owned())));
        self
    }

    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        self.catalogs.snapshot()
    }

    /// The index of the skill in this folder, as [`TestServer::with`] numbers them.
    pub(super) fn index(&self, number: usize) -> usize {
        let dir = self.test.env.at(format!("repo/.agents/skills/s{number}"));
        let snapshot = self.snapshot();
        snapshot.view.rows.entries().position(|entry| entry.skill.dir() == dir).unwrap()
    }

    pub(super) fn call(&self, tool: &str, arguments: Value) -> Result<Answer, ToolError> {
        let (snapshot, dialect) = (self.snapshot(), self.connection.dialect);
        let (_, job) = open(dialect, &snapshot).find(|(name, _)| *name == tool).unwrap();
        Call {
            job,
            dialect,
            snapshot: &snapshot,
            catalogs: &self.catalogs,
            caller: self.connection.caller(&snapshot),
            request: &self.connection.request,
            conversation: &self.connection.conversation,
            lasts: self.connection.lasts,
            strict: self.strict,
            remote: self.remote,
            given: &self.given,
            arguments: arguments.as_object().unwrap(),
        }
        .answer()
    }

    /// The code of the refusal of a call; `ask` if a person is asked first.
    pub(super) fn refusal(&self, tool: &str, arguments: Value) -> &'static str {
        match self.call(tool, arguments) {
            Err(ToolError::Refused { code, .. }) => code,
            Err(ToolError::Ask(_)) => "ask",
            Ok(answer) => panic!("{answer:?}"),
        }
    }
}
