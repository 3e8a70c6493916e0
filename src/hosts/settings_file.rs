//! The settings files of a host: where they are, and what they say.

use super::{Context, PLUGINS};
use crate::catalog::{Enablement, Permission};
use crate::config::{self, Config, Inputs};
use crate::policy::change::Refusal;
use crate::policy::{Alarm, Layer, Origin, Pattern, Policy, Rule, Switch, Target};
use crate::settings::{self, Edit, EditError, Format, Kind, Node, Reader, store};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const MARK: &[u8] = "\u{feff}".as_bytes();

/// Why a host ignores a file that begins so: a fault of the file, not of its place.
pub(super) const MARKED: &str = "JSON after a byte order mark is not read";

/// A settings file that a host reads, whether it exists or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsPath {
    pub path: PathBuf,
    pub layer: Layer,
    pub format: Format,
    /// Tells several files of one layer apart: `settings`, `policies`.
    pub role: &'static str,
    /// Why the host ignores the file although it exists: the folder is not trusted.
    pub ignored: Option<&'static str>,
    /// When the host reads the file, if not always.
    pub remark: Option<String>,
    /// Made first in a file that is new or blank: a schema, a version.
    pub fresh: Vec<Edit>,
    /// How the host reads it.
    pub reader: Reader,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Missing,
    Read(Node),
    /// The file has a syntax error. It does not count as empty, and is not edited.
    Broken {
        /// The line of the error, from 1.
        line: u32,
        /// Why, one sentence without a full stop. May quote the file.
        reason: String,
        /// The file breaks its format, so the host cannot read it either. Otherwise only we refuse
        /// it.
        malformed: bool,
    },
    /// The file exists but cannot be opened: forbidden, no regular file, a dangling link.
    Unreadable {
        /// Why, one sentence without a full stop.
        reason: String,
    },
}

impl Content {
    /// The line and reason of an error, if the file has one.
    pub fn fault(&self) -> Option<(u32, &str)> {
        match self {
            Self::Broken { line, reason, .. } => Some((*line, reason)),
            Self::Unreadable { reason } => Some((1, reason)),
            Self::Missing | Self::Read(_) => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFile {
    pub location: SettingsPath,
    pub content: Content,
    /// Whether it begins with a byte order mark.
    pub mark: bool,
    /// Whether it is there and has nothing in it.
    pub blank: bool,
    /// The lines with a `#`, which in TOML begins a comment unless it stands in a text.
    pub hashes: BTreeSet<u32>,
    /// The line and the words for what its host reads and we do not edit.
    pub odd: Option<(u32, String)>,
    /// The path, shared with every origin that names it.
    pub shown: Arc<Path>,
}

impl SettingsFile {
    fn read(location: SettingsPath, inputs: &Inputs) -> Self {
        let shown = Arc::from(location.path.as_path());
        let bytes = match inputs.drafts.get(&location.path) {
            Some(bytes) => Ok(Some(Cow::Borrowed(bytes.as_slice()))),
            None => store::read(&location.path).map(|document| document.bytes.map(Cow::Owned)),
        };
        let (content, odd) = match &bytes {
            Ok(Some(bytes)) => content(&location, bytes),
            Ok(None) => (Content::Missing, None),
            Err(error) => (Content::Unreadable { reason: error.to_string() }, None),
        };
        let bytes = bytes.ok().flatten();
        let mark = bytes.as_deref().is_some_and(|bytes| bytes.starts_with(MARK));
        let rest = bytes.as_deref().map(|bytes| bytes.strip_prefix(MARK).unwrap_or(bytes));
        let blank = rest.is_some_and(|rest| rest.iter().all(u8::is_ascii_whitespace));
        let lines = bytes.as_deref().unwrap_or_default().split(|byte| *byte == b'\n');
        let hashes = (1..).zip(lines).filter(|(_, line)| line.contains(&b'#'));
        let hashes = hashes.map(|(number, _)| number).collect();
        Self { location, content, mark, blank, hashes, odd, shown }
    }

    /// The file's document, if the host does not ignore the file.
    pub fn effective(&self) -> Option<&Node> {
        match &self.content {
            Content::Read(node) if self.location.ignored.is_none() => Some(node),
            Content::Read(_)
            | Content::Missing
            | Content::Broken { .. }
            | Content::Unreadable { .. } => None,
        }
    }

    /// The value at this path of keys, if the host does not ignore the file.
    pub fn at(&self, path: &[&str]) -> Option<&Node> {
        self.effective()?.at(path)
    }

    /// The whole number that is not negative at this path of keys. Anything else is reported as
    /// ignored by the host.
    pub fn amount(&self, path: &[&str], policy: &mut Policy) -> Option<usize> {
        let node = self.at(path)?;
        let number = if let Kind::Number(text) = &node.kind { text.parse().ok() } else { None };
        if number.is_none() {
            self.report(policy, node.line, format!("{} is no whole number", path.join(".")));
        }
        number
    }

    /// The elements of the list at this path of keys; empty if there is none.
    pub fn items(&self, path: &[&str]) -> &[Node] {
        self.at(path).map_or(&[], Node::items)
    }

    /// A rule about loading that this line makes; `text` is the rule in a few words.
    pub fn rule(
        &self,
        pattern: Pattern,
        effect: Permission,
        line: u32,
        text: impl Display,
    ) -> Rule {
        Rule::loading(pattern, effect, self.origin(line, text), self.location.layer)
    }

    /// A switch that this line makes; `text` is the switch in a few words.
    pub fn switch(
        &self,
        target: Target,
        state: Enablement,
        line: u32,
        text: impl Display,
    ) -> Switch {
        let (origin, layer) = (self.origin(line, text), self.location.layer);
        Switch { target, within: None, state, origin, layer }
    }

    /// Switches off, by this line, the skills in a folder, by its canonical path.
    pub fn switch_off_beneath(&self, place: PathBuf, line: u32, text: impl Display) -> Switch {
        let place = std::fs::canonicalize(&place).unwrap_or(place);
        self.switch(Target::Beneath(place), Enablement::Off, line, text)
    }

    /// Reports a part of the file that has no effect.
    pub fn report(&self, policy: &mut Policy, line: u32, message: impl Into<String>) {
        policy.alarms.push(self.alarm(line, message));
    }

    /// Denies everything because a part of the file cannot be read: an unknown text must not count
    /// as an allow.
    pub fn deny_all(&self, policy: &mut Policy, line: u32, message: impl Into<String>) {
        policy.deny_all(self.location.layer, self.alarm(line, message));
    }

    fn alarm(&self, line: u32, message: impl Into<String>) -> Alarm {
        Alarm { file: Arc::clone(&self.shown), line, message: message.into() }
    }

    /// The origin of a ruling that stands for something unreadable in this line.
    pub fn unreadable(&self, line: u32, text: &str) -> Origin {
        Origin::Alarm { file: Arc::clone(&self.shown), line, text: text.into() }
    }

    /// The origin of a ruling that this line makes; `text` is the rule in a few words.
    pub fn origin(&self, line: u32, text: impl Display) -> Origin {
        Origin::Rule { file: Arc::clone(&self.shown), line, text: text.to_string().into() }
    }

    /// The refusal to edit a file with a fault in this line; `why` is a sentence without a full
    /// stop.
    pub fn stopped(&self, line: u32, why: impl Into<String>) -> Refusal {
        let SettingsPath { layer, path, .. } = &self.location;
        Refusal::Stopped { layer: *layer, line, file: path.clone(), why: why.into() }
    }

    pub fn edit(&self, edits: Vec<Edit>) -> FileEdit {
        FileEdit { location: self.location.clone(), edits }
    }
}

/// What a file says, and what of that keeps us from an edit.
fn content(location: &SettingsPath, bytes: &[u8]) -> (Content, Option<(u32, String)>) {
    let strict = match settings::read(location.format, bytes) {
        // That reader refuses some of what others read.
        Ok(_) if location.reader == Reader::StripJsonComments => None,
        Ok(node) => return (Content::Read(node), None),
        Err(error) => Some(fault(error)),
    };
    match settings::read_as(location.format, bytes, location.reader) {
        Ok(node) => (Content::Read(node), strict),
        Err(error) => {
            let malformed = error.is_malformed();
            let (line, reason) = fault(error);
            (Content::Broken { line, reason, malformed }, None)
        }
    }
}

fn fault(error: EditError) -> (u32, String) {
    let (line, reason) = match error {
        EditError::Syntax { line, message, .. } => (line, message),
        EditError::NotUtf8 { line } => (line, "it is not UTF-8".to_owned()),
        other => (1, other.to_string()),
    };
    (u32::try_from(line).unwrap_or(u32::MAX), reason)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    pub location: SettingsPath,
    /// Made one after the other.
    pub edits: Vec<Edit>,
}

/// One way to make a change: the files to edit. The workspace tries it, and takes it only if the
/// result is the wanted one.
pub type Candidate = Vec<FileEdit>;

/// What a host's roots and rules are made from: the context, our settings and the host's.
#[derive(Clone, Debug)]
pub struct Reading {
    pub context: Arc<Context>,
    pub config: Arc<Config>,
    /// The host's settings files, lower layers first.
    pub files: Vec<SettingsFile>,
}

impl Reading {
    /// Reads the host's settings files. A draft in `inputs.drafts` counts instead of the file on
    /// the disk.
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

    /// The manifest of a plugin, or the list of plugins, at this path.
    pub(super) fn plugin_file(&self, path: &Path) -> Option<&SettingsFile> {
        self.of_role(PLUGINS).find(|file| file.location.path == path)
    }

    /// The value of the highest file that has this path of keys.
    pub fn highest(&self, path: &[&str]) -> Option<(&SettingsFile, &Node)> {
        self.files.iter().rev().find_map(|file| Some((file, file.at(path)?)))
    }

    /// The file of this layer and role, for an edit.
    ///
    /// # Errors
    /// [`Refusal`] if the host has no such file or ignores it, or if it has an error.
    pub fn writable<'a>(
        &'a self,
        layer: Layer,
        role: &'a str,
    ) -> Result<&'a SettingsFile, Refusal> {
        let mut files = self.of_role(role).filter(|file| file.location.layer == layer);
        let file = files.next_back().ok_or(Refusal::NoPlace(layer))?;
        match (&file.content, file.location.ignored) {
            (Content::Broken { line, reason, .. }, _) => Err(file.stopped(*line, reason)),
            (Content::Unreadable { reason }, _) => Err(Refusal::Unreadable {
                layer,
                file: file.location.path.clone(),
                why: reason.clone(),
            }),
            (_, Some(MARKED)) => Err(file.stopped(1, MARKED)),
            (_, Some(why)) => Err(Refusal::Ignored { layer, why }),
            (Content::Missing | Content::Read(_), None) => Ok(file),
        }
    }
}
