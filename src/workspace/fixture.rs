//! A workspace for tests: home, repository and state in one temporary folder.

use super::{View, Workspace};
use crate::catalog::Enablement;
use crate::config::Inputs;
use crate::hosts::{AGENTS, Context, Host};
use crate::policy::change::ChangeRequest;
use crate::test_env::TestEnv;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A test environment, and the workspace at a place in it.
pub(crate) struct TestWorkspace {
    pub(crate) env: TestEnv,
    pub(crate) workspace: Workspace,
}

impl Workspace {
    fn remembering(self, state_dir: Option<PathBuf>) -> Self {
        Self { state_dir, ..self }
    }

    /// The same place, browsing other folders instead of the host's own.
    pub(crate) fn browsing(&self, instead: &[&str]) -> Self {
        Self { instead: instead.iter().map(PathBuf::from).collect(), ..self.clone() }
    }
}

impl TestWorkspace {
    /// A repository and a home with these skills: `(folder in the test folder, name)`.
    pub(crate) fn with(skills: &[(&str, &str)]) -> Self {
        let env = TestEnv::new();
        let top = env.top.clone();
        for (place, name) in skills {
            env.raw_skill(place, &format!("name: {name}\ndescription: in {place}"), "Do it.\n");
        }
        let context =
            Arc::new(Context::at(&top.join("repo"), Some(top.join("home")), BTreeMap::new()));
        let inputs = Inputs {
            config_dir: Some(top.join("home/.config")),
            repo_root: context.repo_root.clone(),
            home: context.home.clone(),
            ..Inputs::default()
        };
        let workspace = Workspace::at(&AGENTS, &context, &inputs, Vec::new());
        let workspace = workspace.remembering(Some(top.join("home/state")));
        Self { env, workspace }
    }

    /// The same place seen from a folder of it, with these variables; a value that begins with
    /// `test/` lies in it.
    pub(crate) fn from(mut self, cwd: &str, variables: &[(&str, &str)]) -> Self {
        let value = |value: &str| match value.strip_prefix("test/") {
            Some(below) => self.env.top.join(below).into_os_string(),
            None => value.into(),
        };
        let environment =
            variables.iter().map(|(name, said)| ((*name).to_owned(), value(said))).collect();
        let context = Arc::new(Context::at(
            &self.env.top.join(cwd),
            Some(self.env.top.join("home")),
            environment,
        ));
        let Workspace { host, inputs, .. } = &self.workspace;
        self.workspace = Workspace::at(host, &context, inputs, Vec::new())
            .remembering(Some(self.env.top.join("home/state")));
        self
    }

    /// The same place seen through another host, in an environment, from a folder below it.
    pub(crate) fn through(
        self,
        host: &'static Host,
        environment: &[(&str, &str)],
        cwd: &str,
    ) -> Self {
        fs::create_dir_all(self.env.top.join(cwd)).unwrap();
        let environment =
            environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        let context = Arc::new(Context::at(
            &self.env.top.join(cwd),
            Some(self.env.top.join("home")),
            environment,
        ));
        let inputs = Inputs {
            config_dir: Some(self.env.top.join("home/.config")),
            repo_root: context.repo_root.clone(),
            home: context.home.clone(),
            ..Inputs::default()
        };
        let workspace = Workspace::at(host, &context, &inputs, Vec::new());
        Self { workspace: workspace.remembering(Some(self.env.top.join("home/state"))), ..self }
    }

    /// A path below the test folder as text.
    pub(crate) fn text(&self, path: &str) -> String {
        self.env.text(path)
    }

    /// The text of a file below the test folder.
    pub(crate) fn read(&self, path: &str) -> String {
        self.env.read(path)
    }

    /// Writes a file below the test folder, and reads the settings again.
    pub(crate) fn write(&mut self, path: &str, text: &str) {
        self.env.write(path, text);
        self.workspace = self.workspace.reread();
    }

    /// The same place, with this text in place of what the file says.
    pub(crate) fn with_draft(mut self, path: &Path, text: &str) -> Self {
        self.workspace.inputs.drafts.insert(path.to_owned(), text.as_bytes().to_vec());
        self.workspace = self.workspace.reread();
        self
    }

    /// What is seen now.
    pub(crate) fn view(&self) -> View {
        self.workspace.view()
    }
}

/// The request that switches these entries of a view.
pub(crate) fn switch(view: &View, entries: &[usize], to: impl Into<Enablement>) -> ChangeRequest {
    let path = |entry: &usize| view.rows[*entry].skill().path.as_path().into();
    ChangeRequest::Switch { paths: entries.iter().map(path).collect(), to: to.into() }
}
