//! The settings files of a host: where they are, and what they say.

use super::Context;
use crate::config::{self, Config, Inputs, Refusal};
use crate::policy::{Layer, Origin};
use crate::settings::{self, Edit, EditError, Format, Node, store};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A settings file that a host reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsPath {
    /// Where it is, or would be.
    pub path: PathBuf,
    pub layer: Layer,
    /// How it is written.
    pub format: Format,
    /// What it is for, where a host has several of one layer: `settings`, `policies`.
    pub role: &'static str,
    /// Why the host does not heed it although it is there: its folder is not trusted.
    pub ignored: Option<&'static str>,
    /// When the host heeds it, where that is not always.
    pub remark: Option<String>,
    /// What a new file begins with: a schema, a version.
    pub fresh: Vec<Edit>,
}

/// What stands in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// There is no such file.
    Missing,
    Read(Node),
    /// It is there and cannot be read: it is neither empty nor edited (S2).
    Broken {
        /// The line at which reading ended, from 1.
        line: u32,
        /// Why, one sentence without a full stop. May quote the file.
        reason: String,
        /// Whether nobody can read it in its format: the host cannot either.
        malformed: bool,
    },
    /// It is there and is not to be had: forbidden, no regular file, a link that leads nowhere.
    Unreadable {
        /// Why, one sentence without a full stop.
        reason: String,
    },
}

impl Content {
    /// The line at which reading ended, and why, where it did not come to the end.
    pub fn fault(&self) -> Option<(u32, &str)> {
        match self {
            Self::Broken { line, reason, .. } => Some((*line, reason)),
            Self::Unreadable { reason } => Some((1, reason)),
            Self::Missing | Self::Read(_) => None,
        }
    }
}

/// A settings file with what stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFile {
    pub location: SettingsPath,
    /// What stands in it.
    pub content: Content,
    /// The path, shared with every origin that names it.
    pub shown: Arc<Path>,
}

impl SettingsFile {
    fn read(location: SettingsPath, inputs: &Inputs) -> Self {
        let shown = Arc::from(location.path.as_path());
        let content = match inputs.drafts.get(&location.path) {
            Some(bytes) => content(location.format, bytes),
            None => match store::read(&location.path) {
                Ok(document) => document
                    .bytes
                    .map_or(Content::Missing, |bytes| content(location.format, &bytes)),
                Err(error) => Content::Unreadable { reason: error.to_string() },
            },
        };
        Self { location, content, shown }
    }

    /// What it says, where the host heeds it.
    pub fn heeded(&self) -> Option<&Node> {
        match &self.content {
            Content::Read(node) if self.location.ignored.is_none() => Some(node),
            Content::Read(_)
            | Content::Missing
            | Content::Broken { .. }
            | Content::Unreadable { .. } => None,
        }
    }

    /// The value at this path of keys, where the host heeds the file.
    pub fn at(&self, path: &[&str]) -> Option<&Node> {
        self.heeded()?.at(path)
    }

    /// A line of it as the origin of a ruling; `text` is the rule in a few words.
    pub fn origin(&self, line: u32, text: impl Display) -> Origin {
        Origin::Rule { file: Arc::clone(&self.shown), line, text: text.to_string().into() }
    }

    /// Why it is not edited, where the host cannot read this line of it.
    pub fn broken(&self, line: u32) -> Refusal {
        Refusal::Broken { layer: self.location.layer, line, file: self.location.path.clone() }
    }

    /// An edit of it.
    pub fn edit(&self, edits: Vec<Edit>) -> FileEdit {
        FileEdit { location: self.location.clone(), edits }
    }
}

fn content(format: Format, bytes: &[u8]) -> Content {
    match settings::read(format, bytes) {
        Ok(node) => Content::Read(node),
        Err(error) => {
            let malformed = error.is_malformed();
            let (line, reason) = match error {
                EditError::Syntax { line, message, .. } => (line, message),
                EditError::NotUtf8 { line } => (line, "it is not UTF-8".to_owned()),
                other => (1, other.to_string()),
            };
            Content::Broken { line: u32::try_from(line).unwrap_or(u32::MAX), reason, malformed }
        }
    }
}

/// Edits of one settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    pub location: SettingsPath,
    /// What is to be different, one after the other.
    pub edits: Vec<Edit>,
}

/// One way to reach an aim: the files to edit. It is tried, and counts only if the aim is true
/// then.
pub type Candidate = Vec<FileEdit>;

/// Everything that a host's roots and rules are made from: the place, our settings and its own.
#[derive(Clone, Debug)]
pub struct Reading {
    pub context: Arc<Context>,
    pub config: Arc<Config>,
    /// The host's settings files, lower layers first.
    pub files: Vec<SettingsFile>,
}

impl Reading {
    /// Reads the settings files that a host has here; what stands in `inputs.drafts` is taken
    /// instead of the disk.
    pub(super) fn of(
        settings_paths: Vec<SettingsPath>,
        context: &Arc<Context>,
        inputs: &Inputs,
    ) -> Self {
        Self {
            context: Arc::clone(context),
            config: Arc::new(config::load(inputs)),
            files: settings_paths
                .into_iter()
                .map(|location| SettingsFile::read(location, inputs))
                .collect(),
        }
    }

    /// The files that have a role.
    pub fn of_role<'a>(
        &'a self,
        role: &'a str,
    ) -> impl DoubleEndedIterator<Item = &'a SettingsFile> {
        self.files.iter().filter(move |file| file.location.role == role)
    }

    /// The first value at this path of keys, the highest layer's.
    pub fn highest(&self, path: &[&str]) -> Option<(&SettingsFile, &Node)> {
        self.files.iter().rev().find_map(|file| Some((file, file.at(path)?)))
    }

    /// The file of this layer and role, to be edited.
    ///
    /// # Errors
    /// [`Refusal`] where the host has none there, does not heed it, or it is broken.
    pub fn writable<'a>(
        &'a self,
        layer: Layer,
        role: &'a str,
    ) -> Result<&'a SettingsFile, Refusal> {
        let mut files = self.of_role(role).filter(|file| file.location.layer == layer);
        let file = files.next_back().ok_or(Refusal::NoPlace(layer))?;
        match (&file.content, file.location.ignored) {
            (Content::Broken { line, .. }, _) => Err(file.broken(*line)),
            (Content::Unreadable { reason }, _) => Err(Refusal::Unreadable {
                layer,
                file: file.location.path.clone(),
                why: reason.clone(),
            }),
            (_, Some(why)) => Err(Refusal::Ignored { layer, why }),
            (Content::Missing | Content::Read(_), None) => Ok(file),
        }
    }
}
