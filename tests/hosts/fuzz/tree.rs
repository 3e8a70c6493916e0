//! A generated tree: what lies below a test's folder, where the agent stands, and its environment.

use crate::env::TestEnv;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Stands for the test's folder in the text of a file, and at the beginning of a variable.
pub(crate) const TOP: &str = "@TOP@";

/// Something that is laid out. Paths begin at the test's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    File(String, Vec<u8>),
    /// A link at the first path that leads to the second one.
    Link(String, String),
    Folder(String),
    /// A folder that git takes for a repository.
    Repository(String),
}

impl Item {
    pub(crate) fn text(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self::File(path.into(), text.into().into_bytes())
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    /// What comes first stays, where two want the same place.
    pub(crate) items: Vec<Item>,
    /// The working directory.
    pub(crate) folder: String,
    pub(crate) variables: Vec<(String, String)>,
}

impl Tree {
    /// Lays the tree out in a folder of its own.
    pub(crate) fn lay(&self) -> TestEnv {
        let env = TestEnv::bare();
        for item in &self.items {
            lay(&env, item);
        }
        fs::create_dir_all(env.at(&self.folder)).ok();
        env
    }

    /// The value of a variable or a text of a file, with the test's folder in it.
    pub(crate) fn filled(env: &TestEnv, text: &str) -> String {
        text.replace(TOP, env.text("").trim_end_matches('/'))
    }

    /// Everything in the tree, readable.
    pub(crate) fn listing(&self) -> String {
        let mut out = format!("  in {}\n", self.folder);
        for (name, value) in &self.variables {
            writeln!(out, "  {name}={value:?}").unwrap();
        }
        for item in &self.items {
            match item {
                Item::File(path, bytes) => {
                    writeln!(out, "  {path}: \"{}\"", bytes_shown(bytes)).unwrap();
                }
                Item::Link(path, to) => writeln!(out, "  {path} -> {to}").unwrap(),
                Item::Folder(path) => writeln!(out, "  {path}/").unwrap(),
                Item::Repository(path) => writeln!(out, "  {path}/.git").unwrap(),
            }
        }
        out
    }
}

fn bytes_shown(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::new(), |mut out, chunk| {
        out.extend(chunk.valid().chars().flat_map(char::escape_debug));
        chunk.invalid().iter().for_each(|byte| write!(out, "\\x{byte:02x}").unwrap());
        out
    })
}

/// Lays one item out, if its place is free.
fn lay(env: &TestEnv, item: &Item) {
    let is_free = |path: &Path| path.symlink_metadata().is_err();
    let parent = |path: &Path| fs::create_dir_all(path.parent().unwrap()).is_ok();
    match item {
        Item::Folder(path) => {
            fs::create_dir_all(env.at(path)).ok();
        }
        Item::Repository(path) => {
            if fs::create_dir_all(env.at(path)).is_ok() && is_free(&env.at(path).join(".git")) {
                env.repository(path);
            }
        }
        Item::Link(path, to) => {
            let at = env.at(path);
            if parent(&at) && is_free(&at) {
                std::os::unix::fs::symlink(env.at(to), at).ok();
            }
        }
        Item::File(path, bytes) => {
            let at = env.at(path);
            if parent(&at) && is_free(&at) {
                let top = TOP.as_bytes();
                let has_top = bytes.windows(top.len()).any(|part| part == top);
                let text = has_top.then(|| String::from_utf8(bytes.clone()).ok()).flatten();
                let text = text.map(|text| Tree::filled(env, &text).into_bytes());
                fs::write(at, text.as_ref().unwrap_or(bytes)).ok();
            }
        }
    }
}
