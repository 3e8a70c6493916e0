//! A house for the room's tests: home, repository and state in one temporary folder.

use super::{View, Workspace};
use crate::config::Inputs;
use crate::hosts::{AGENTS, Context, Host};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// The folder, and where we stand in it.
pub(crate) struct House {
    pub(crate) top: PathBuf,
    pub(crate) workspace: Workspace,
    _folder: TempDir,
}

impl Workspace {
    /// The same place, where other folders are browsed instead of the host's own.
    pub(crate) fn browsing(&self, instead: &[&str]) -> Self {
        Self { instead: instead.iter().map(PathBuf::from).collect(), ..self.clone() }
    }
}

impl House {
    /// A repository and a home with these skills: `(folder below the house, name)`.
    pub(crate) fn with(skills: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(top.join("repo/.git")).unwrap();
        fs::create_dir_all(top.join("home")).unwrap();
        for (place, name) in skills {
            let dir = top.join(place);
            fs::create_dir_all(&dir).unwrap();
            fs::write(
                dir.join("SKILL.md"),
                format!("---\nname: {name}\ndescription: in {place}\n---\n"),
            )
            .unwrap();
        }
        let context =
            Arc::new(Context::at(&top.join("repo"), Some(top.join("home")), BTreeMap::new()));
        let inputs = Inputs {
            config_dir: Some(top.join("home/.config")),
            repo_root: context.repo_root.clone(),
            home: context.home.clone(),
            ..Inputs::default()
        };
        let workspace = Workspace::at(&AGENTS, (&context, &inputs), Vec::new());
        let workspace = workspace.remembering(Some(top.join("home/state")));
        Self { top, workspace, _folder: folder }
    }

    /// The same house seen from a folder of it, with these variables; a value that begins with
    /// `house/` lies in it.
    pub(crate) fn from(mut self, cwd: &str, variables: &[(&str, &str)]) -> Self {
        let value = |value: &str| match value.strip_prefix("house/") {
            Some(below) => self.top.join(below).into_os_string(),
            None => value.into(),
        };
        let environment =
            variables.iter().map(|(name, said)| ((*name).to_owned(), value(said))).collect();
        let context =
            Arc::new(Context::at(&self.top.join(cwd), Some(self.top.join("home")), environment));
        let place = (&context, &self.workspace.inputs.clone());
        self.workspace = Workspace::at(self.workspace.host, place, Vec::new())
            .remembering(Some(self.top.join("home/state")));
        self
    }

    /// The same house seen through another host, in an environment, from a folder below it.
    pub(crate) fn through(
        self,
        host: &'static Host,
        environment: &[(&str, &str)],
        cwd: &str,
    ) -> Self {
        fs::create_dir_all(self.top.join(cwd)).unwrap();
        let environment =
            environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        let context =
            Arc::new(Context::at(&self.top.join(cwd), Some(self.top.join("home")), environment));
        let inputs = Inputs {
            config_dir: Some(self.top.join("home/.config")),
            repo_root: context.repo_root.clone(),
            home: context.home.clone(),
            ..Inputs::default()
        };
        let workspace = Workspace::at(host, (&context, &inputs), Vec::new());
        Self { workspace: workspace.remembering(Some(self.top.join("home/state"))), ..self }
    }

    /// A path below the house as text.
    pub(crate) fn text(&self, path: &str) -> String {
        self.top.join(path).to_str().unwrap().to_owned()
    }

    /// The text of a file below the house.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.top.join(path)).unwrap()
    }

    /// Writes a file below the house, and reads the settings again.
    pub(crate) fn write(&mut self, path: &str, text: &str) {
        let path = self.top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self.workspace = self.workspace.reread();
    }

    /// What is seen now.
    pub(crate) fn view(&self) -> View {
        self.workspace.view()
    }
}
